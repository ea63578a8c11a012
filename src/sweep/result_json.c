/*
 * result_json.c - a sweep's result as JSON. That of a shard carries, beside what everybody reads,
 * the `state` from which `neuromc merge` makes the whole: exact sums, hashes, the plot's sample.
 */
#include <math.h>
#include <stdio.h>

#include "base/json_write.h"
#include "sweep/result.h"

static void key_hex(struct nmc_json *json, const char *key, uint64_t value) {
    char text[20];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)value);
    nmc_json_key_text(json, key, text);
}

static void key_sum(struct nmc_json *json, const char *key, const struct nmc_sum *sum) {
    char text[NMC_SUM_TEXT];
    nmc_sum_write(sum, text);
    nmc_json_key_text(json, key, text);
}

/* Counts stay integers; what is beyond them is a number. */
static void key_count(struct nmc_json *json, const char *key, double value) {
    const double exact = 9007199254740992.0;
    if (value <= exact)
        nmc_json_key_integer(json, key, (int64_t)value);
    else
        nmc_json_key_number(json, key, value);
}

static void write_texts(struct nmc_json *json, const char *key, const char *const *texts,
                        size_t count) {
    nmc_json_key(json, key);
    nmc_json_begin(json, '[');
    for (size_t i = 0; i < count; i++)
        nmc_json_text(json, texts[i]);
    nmc_json_end(json, ']');
}

static void write_share(struct nmc_json *json, double share) {
    nmc_json_key(json, "share_of_variance");
    if (isnan(share))
        nmc_json_text(json, NULL);
    else
        nmc_json_number(json, share);
}

static void write_axis(struct nmc_json *json, const neuromc_sweep_result *r,
                       const struct nmc_result_axis *axis) {
    nmc_json_begin_flat(json, '{');
    nmc_json_key_text(json, "name", axis->name);
    nmc_json_key_integer(json, "values", axis->count);
    nmc_json_key_text(json, "first", axis->first);
    nmc_json_key_text(json, "last", axis->last);
    nmc_json_key_bool(json, "numeric", axis->numeric);
    nmc_json_key_text(json, "reach", axis->reach);
    nmc_json_key_integer(json, "group", axis->group);
    nmc_json_key(json, "effects");
    nmc_json_begin(json, '[');
    for (int o = 0; o < r->objective_count; o++) {
        nmc_json_begin(json, '{');
        nmc_json_key_text(json, "objective", r->metrics[o].name);
        write_share(json, nmc_result_share(r, axis, o));
        nmc_json_key_bool(json, "no_effect", nmc_result_no_effect(r, axis, o));
        nmc_json_end(json, '}');
    }
    nmc_json_end(json, ']');
    nmc_json_end(json, '}');
}

static void write_space(struct nmc_json *json, const neuromc_sweep_result *r) {
    nmc_json_key(json, "space");
    nmc_json_begin(json, '{');
    key_count(json, "combinations", r->combinations);
    nmc_json_key_integer(json, "points", r->points);
    nmc_json_key_text(json, "sampler",
                      !r->sampled                   ? NULL
                      : r->sampler == NEUROMC_SOBOL ? "sobol"
                                                    : "random");
    nmc_json_key(json, "seed");
    if (r->sampled)
        nmc_json_integer(json, (int64_t)r->seed);
    else
        nmc_json_text(json, NULL);
    nmc_json_key(json, "axes");
    nmc_json_begin(json, '[');
    for (int a = 0; a < r->axis_count; a++)
        write_axis(json, r, &r->axes[a]);
    nmc_json_end(json, ']');
    nmc_json_end(json, '}');
}

static void write_metrics(struct nmc_json *json, const neuromc_sweep_result *r) {
    nmc_json_key(json, "objectives");
    nmc_json_begin(json, '[');
    for (int o = 0; o < r->objective_count; o++) {
        const struct nmc_result_metric *metric = &r->metrics[o];
        nmc_json_begin_flat(json, '{');
        nmc_json_key_text(json, "name", metric->name);
        nmc_json_key_text(json, "unit", metric->unit);
        nmc_json_key_text(json, "direction", metric->maximise ? "max" : "min");
        if (r->feasible) {
            nmc_json_key_number(json, "least", metric->least);
            nmc_json_key_number(json, "most", metric->most);
            nmc_json_key_number(json, "mean", nmc_result_mean(r, o));
            nmc_json_key_number(json, "variance", nmc_result_variance(r, o));
        }
        nmc_json_end(json, '}');
    }
    nmc_json_end(json, ']');
    nmc_json_key(json, "fields");
    nmc_json_begin(json, '[');
    for (int m = r->objective_count; m < r->metric_count; m++) {
        nmc_json_begin_flat(json, '{');
        nmc_json_key_text(json, "name", r->metrics[m].name);
        nmc_json_key_text(json, "unit", r->metrics[m].unit);
        nmc_json_end(json, '}');
    }
    nmc_json_end(json, ']');
    write_texts(json, "where", r->wheres, (size_t)r->where_count);
}

static void write_reason(struct nmc_json *json, const char *text, int64_t count, int64_t first) {
    nmc_json_begin_flat(json, '{');
    nmc_json_key_text(json, "reason", text);
    nmc_json_key_integer(json, "points", count);
    nmc_json_key_integer(json, "first", first);
    nmc_json_end(json, '}');
}

static void write_counts(struct nmc_json *json, const neuromc_sweep_result *r) {
    nmc_json_key_integer(json, "evaluated", r->evaluated);
    nmc_json_key_integer(json, "feasible", r->feasible);
    nmc_json_key_integer(json, "excluded", r->evaluated - r->feasible - r->failed);
    nmc_json_key_integer(json, "failed", r->failed);
    nmc_json_key_bool(json, "partial", r->partial);
    nmc_json_key(json, "failures");
    nmc_json_begin(json, '[');
    for (size_t i = 0; i < r->reasons.count; i++)
        write_reason(json, r->reasons.items[i].text, r->reasons.items[i].count,
                     r->reasons.items[i].first);
    if (r->reasons.other_count)
        write_reason(json, NMC_OTHER_REASONS, r->reasons.other_count, r->reasons.other_first);
    nmc_json_end(json, ']');
}

static void write_row(struct nmc_json *json, const neuromc_sweep_result *r,
                      const struct nmc_result_row *row) {
    nmc_json_begin_flat(json, '{');
    nmc_json_key_integer(json, "index", row->index);
    nmc_json_key(json, "point");
    nmc_json_begin(json, '{');
    for (int a = 0; a < r->axis_count; a++)
        nmc_json_key_text(json, r->axes[a].name, row->texts[a]);
    nmc_json_end(json, '}');
    nmc_json_key(json, "values");
    nmc_json_begin(json, '{');
    for (int m = 0; m < r->metric_count; m++)
        nmc_json_key_number(json, r->metrics[m].name, row->values[m]);
    nmc_json_end(json, '}');
    if (row->set)
        write_texts(json, "set", row->set, (size_t)row->set_count);
    nmc_json_end(json, '}');
}

static void write_rows(struct nmc_json *json, const neuromc_sweep_result *r, const char *key,
                       const struct nmc_result_rows *rows) {
    nmc_json_key(json, key);
    nmc_json_begin(json, '[');
    for (size_t i = 0; i < rows->count; i++)
        write_row(json, r, &rows->items[i]);
    nmc_json_end(json, ']');
}

/* ---- state ---- */

static void write_bins(struct nmc_json *json, const neuromc_sweep_result *r,
                       const struct nmc_result_axis *axis) {
    nmc_json_begin(json, '[');
    for (int b = 0; b < axis->bin_count; b++) {
        nmc_json_begin_flat(json, '{');
        nmc_json_key_text(json, "label", axis->bins[b].label);
        nmc_json_key_integer(json, "count", axis->bins[b].count);
        nmc_json_key(json, "sums");
        nmc_json_begin(json, '[');
        for (int o = 0; o < r->objective_count; o++) {
            char text[NMC_SUM_TEXT];
            nmc_sum_write(&axis->bins[b].sum[o], text);
            nmc_json_text(json, text);
        }
        nmc_json_end(json, ']');
        nmc_json_end(json, '}');
    }
    nmc_json_end(json, ']');
}

static void write_effects(struct nmc_json *json, const struct nmc_effects *e) {
    nmc_json_key_bool(json, "traces_lost", e->lost);
    nmc_json_key(json, "varies");
    nmc_json_begin_flat(json, '[');
    for (int o = 0; o < e->objectives; o++) {
        char text[20];
        snprintf(text, sizeof text, "%016llx", (unsigned long long)e->varies[o]);
        nmc_json_text(json, text);
    }
    nmc_json_end(json, ']');
    nmc_json_key(json, "traces");
    nmc_json_begin(json, '[');
    for (size_t i = 0; i < e->slots; i++) {
        if (!e->traces[i].key)
            continue;
        nmc_json_begin_flat(json, '{');
        nmc_json_key_integer(json, "group", e->traces[i].group);
        key_hex(json, "key", e->traces[i].key);
        nmc_json_key(json, "of");
        nmc_json_begin(json, '[');
        for (int o = 0; o < e->objectives; o++) {
            char text[20];
            snprintf(text, sizeof text, "%016llx", (unsigned long long)e->traces[i].fingerprint[o]);
            nmc_json_text(json, text);
        }
        nmc_json_end(json, ']');
        nmc_json_end(json, '}');
    }
    nmc_json_end(json, ']');
}

static void write_state(struct nmc_json *json, const neuromc_sweep_result *r) {
    nmc_json_key(json, "shard");
    nmc_json_begin_flat(json, '{');
    nmc_json_key_integer(json, "number", r->shard);
    nmc_json_key_integer(json, "of", r->shard_count);
    nmc_json_end(json, '}');
    nmc_json_key(json, "state");
    nmc_json_begin(json, '{');
    key_hex(json, "identity", r->identity);
    nmc_json_key_integer(json, "top", r->top_wanted);
    nmc_json_key(json, "sums");
    nmc_json_begin(json, '[');
    for (int o = 0; o < r->objective_count; o++) {
        nmc_json_begin_flat(json, '{');
        nmc_json_key_number(json, "shift", r->metrics[o].shift);
        key_sum(json, "sum", &r->metrics[o].sum);
        key_sum(json, "squares", &r->metrics[o].squares);
        nmc_json_end(json, '}');
    }
    nmc_json_end(json, ']');
    nmc_json_key(json, "bins");
    nmc_json_begin(json, '[');
    for (int a = 0; a < r->axis_count; a++)
        write_bins(json, r, &r->axes[a]);
    nmc_json_end(json, ']');
    write_effects(json, &r->effects);
    write_rows(json, r, "sample", &r->sample);
    nmc_json_end(json, '}');
}

void nmc_result_json(const neuromc_sweep_result *r, struct nmc_sink *sink) {
    struct nmc_json writer, *json = &writer;
    nmc_json_init(json, sink);
    nmc_json_begin(json, '{');
    nmc_json_key(json, "schema");
    nmc_json_begin_flat(json, '{');
    nmc_json_key_text(json, "name", "neuromc-sweep");
    nmc_json_key_integer(json, "version", 1);
    nmc_json_end(json, '}');
    write_texts(json, "models", r->models, (size_t)r->model_count);
    nmc_json_key(json, "preset");
    nmc_json_begin_flat(json, '{');
    nmc_json_key_text(json, "name", r->preset_name);
    key_hex(json, "hash", r->preset_hash);
    nmc_json_end(json, '}');
    write_space(json, r);
    write_metrics(json, r);
    write_counts(json, r);
    write_rows(json, r, "top", &r->top);
    nmc_json_key(json, "pareto");
    nmc_json_begin(json, '{');
    nmc_json_key_bool(json, "wanted", r->pareto_wanted);
    nmc_json_key_bool(json, "exact", !r->front_dropped_bits);
    nmc_json_key_integer(json, "cap", NMC_FRONT_CAP);
    nmc_json_key_integer(json, "dropped_bits", r->front_dropped_bits);
    write_rows(json, r, "points", &r->front);
    nmc_json_end(json, '}');
    write_texts(json, "notes", r->notes, r->note_count);
    nmc_json_key(json, "warnings");
    nmc_json_begin(json, '[');
    for (size_t i = 0; i < r->warnings.count; i++)
        nmc_json_text(json, r->warnings.items[i].text);
    nmc_json_end(json, ']');
    if (r->shard_count)
        write_state(json, r);
    nmc_json_end(json, '}');
}
