/* result_read.c - a shard's JSON becomes a result again. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/number.h"
#include "model/yaml.h"
#include "sweep/result.h"

/* What is missing or of the wrong type is told once, by its key. */
struct reader {
    neuromc_sweep_result *r;
    const char *file;
    neuromc_diags *diags;
    neuromc_status status;
};

static void wrong(struct reader *in, const struct nmc_yaml *node, const char *what) {
    if (in->status != NEUROMC_OK)
        return;
    struct nmc_place place = {.file = in->file, .where = what};
    if (node) {
        place.line = node->line;
        place.column = node->column;
    }
    in->status = nmc_error(in->diags, NEUROMC_BAD_INPUT, place,
                           "merge takes the JSON results of `neuromc sweep --shard I/N`",
                           "not the result of a shard");
}

static const struct nmc_yaml *get(struct reader *in, const struct nmc_yaml *map, const char *key,
                                  enum nmc_yaml_kind kind) {
    static const struct nmc_yaml nothing = {.kind = NMC_YAML_SCALAR, .text = ""};
    const struct nmc_yaml *node = nmc_yaml_get(map, key);
    if (node && node->kind == kind)
        return node;
    wrong(in, node ? node : map, key);
    return &nothing;
}

static const char *text_of(struct reader *in, const struct nmc_yaml *map, const char *key) {
    return nmc_arena_strdup(&in->r->arena, get(in, map, key, NMC_YAML_SCALAR)->text);
}

static int64_t integer_of(struct reader *in, const struct nmc_yaml *map, const char *key) {
    const struct nmc_yaml *node = get(in, map, key, NMC_YAML_SCALAR);
    int64_t value = 0;
    if (!nmc_integer_parse(node->text, strlen(node->text), &value) || value < 0)
        wrong(in, node, key);
    return value;
}

static double number_of(struct reader *in, const struct nmc_yaml *map, const char *key) {
    const struct nmc_yaml *node = get(in, map, key, NMC_YAML_SCALAR);
    double value = 0;
    if (!nmc_number_parse(node->text, strlen(node->text), &value))
        wrong(in, node, key);
    return value;
}

static bool bool_of(struct reader *in, const struct nmc_yaml *map, const char *key) {
    const struct nmc_yaml *node = get(in, map, key, NMC_YAML_SCALAR);
    if (!nmc_yaml_is(node, "true") && !nmc_yaml_is(node, "false"))
        wrong(in, node, key);
    return nmc_yaml_is(node, "true");
}

static uint64_t hex(struct reader *in, const struct nmc_yaml *node, const char *key) {
    uint64_t value = 0;
    const char *text = node->kind == NMC_YAML_SCALAR ? node->text : "";
    if (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
        wrong(in, node, key);
    for (; *text; text++)
        value = value << 4 | (uint64_t)(*text <= '9' ? *text - '0' : *text - 'a' + 10);
    return value;
}

static struct nmc_sum sum(struct reader *in, const struct nmc_yaml *node, const char *key) {
    struct nmc_sum value = {0};
    if (!node || node->kind != NMC_YAML_SCALAR || !nmc_sum_read(&value, node->text))
        wrong(in, node, key);
    return value;
}

static int length_of(const struct nmc_yaml *list) {
    int count = 0;
    for (const struct nmc_yaml *item = list->first; item; item = item->next)
        count++;
    return count;
}

static const char **texts_of(struct reader *in, const struct nmc_yaml *map, const char *key,
                             int *count) {
    const struct nmc_yaml *list = get(in, map, key, NMC_YAML_LIST);
    *count = length_of(list);
    const char **texts = nmc_arena_array(&in->r->arena, (size_t)*count, sizeof *texts);
    int i = 0;
    for (const struct nmc_yaml *item = list->first; texts && item; item = item->next) {
        if (item->kind != NMC_YAML_SCALAR)
            wrong(in, item, key);
        texts[i++] = nmc_arena_strdup(&in->r->arena, item->text ? item->text : "");
    }
    return texts;
}

/* ---- the parts of a result ---- */

static void read_bins(struct reader *in, const struct nmc_yaml *list,
                      struct nmc_result_axis *axis) {
    axis->bin_count = list ? length_of(list) : 0;
    if (!list || axis->bin_count < 1 || axis->bin_count > NMC_MAX_BINS) {
        wrong(in, list, "bins");
        return;
    }
    axis->bins = nmc_arena_array(&in->r->arena, (size_t)axis->bin_count, sizeof *axis->bins);
    int b = 0;
    for (const struct nmc_yaml *item = list->first; axis->bins && item; item = item->next, b++) {
        struct nmc_result_bin *bin = &axis->bins[b];
        bin->label = text_of(in, item, "label");
        bin->count = integer_of(in, item, "count");
        const struct nmc_yaml *value = get(in, item, "sums", NMC_YAML_LIST)->first;
        for (int o = 0; o < in->r->objective_count; o++, value = value ? value->next : NULL)
            bin->sum[o] = sum(in, value, "sums");
    }
}

static void read_axes(struct reader *in, const struct nmc_yaml *space,
                      const struct nmc_yaml *state) {
    neuromc_sweep_result *r = in->r;
    const struct nmc_yaml *list = get(in, space, "axes", NMC_YAML_LIST);
    const struct nmc_yaml *bins = get(in, state, "bins", NMC_YAML_LIST)->first;
    r->axis_count = length_of(list);
    if (r->axis_count < 1 || r->axis_count > NMC_MAX_AXES) {
        wrong(in, list, "axes");
        r->axis_count = 0;
        return;
    }
    r->axes = nmc_arena_array(&r->arena, (size_t)r->axis_count, sizeof *r->axes);
    int a = 0;
    for (const struct nmc_yaml *item = list->first; r->axes && item; item = item->next, a++) {
        struct nmc_result_axis *axis = &r->axes[a];
        axis->name = text_of(in, item, "name");
        axis->first = text_of(in, item, "first");
        axis->last = text_of(in, item, "last");
        axis->count = integer_of(in, item, "values");
        axis->numeric = bool_of(in, item, "numeric");
        axis->reach = text_of(in, item, "reach");
        axis->group = (int)integer_of(in, item, "group");
        if (axis->group >= NMC_MAX_AXES)
            wrong(in, item, "group");
        read_bins(in, bins, axis);
        bins = bins ? bins->next : NULL;
    }
}

static void read_metric(struct reader *in, const struct nmc_yaml *item,
                        struct nmc_result_metric *metric) {
    metric->name = text_of(in, item, "name");
    metric->unit = text_of(in, item, "unit");
}

static void read_metrics(struct reader *in, const struct nmc_yaml *root,
                         const struct nmc_yaml *state) {
    neuromc_sweep_result *r = in->r;
    const struct nmc_yaml *objectives = get(in, root, "objectives", NMC_YAML_LIST);
    const struct nmc_yaml *fields = get(in, root, "fields", NMC_YAML_LIST);
    const struct nmc_yaml *sums = get(in, state, "sums", NMC_YAML_LIST)->first;
    int objective_count = length_of(objectives), count = objective_count + length_of(fields);
    if (objective_count < 1 || objective_count > NMC_MAX_OBJECTIVES || count > NMC_MAX_METRICS) {
        wrong(in, objectives, "objectives");
        return;
    }
    r->metrics = nmc_arena_array(&r->arena, (size_t)count, sizeof *r->metrics);
    if (!r->metrics)
        return;
    r->metric_count = count;
    r->objective_count = r->effects.objectives = objective_count;
    struct nmc_result_metric *metric = r->metrics;
    for (const struct nmc_yaml *item = objectives->first; item; item = item->next, metric++) {
        read_metric(in, item, metric);
        metric->maximise = strcmp(get(in, item, "direction", NMC_YAML_SCALAR)->text, "max") == 0;
        if (r->feasible) {
            metric->least = number_of(in, item, "least");
            metric->most = number_of(in, item, "most");
        }
        metric->shift = sums ? number_of(in, sums, "shift") : 0;
        metric->sum = sum(in, nmc_yaml_get(sums, "sum"), "sum");
        metric->squares = sum(in, nmc_yaml_get(sums, "squares"), "squares");
        sums = sums ? sums->next : NULL;
    }
    for (const struct nmc_yaml *item = fields->first; item; item = item->next, metric++)
        read_metric(in, item, metric);
}

static void read_row(struct reader *in, const struct nmc_yaml *item, struct nmc_result_rows *rows) {
    neuromc_sweep_result *r = in->r;
    const struct nmc_yaml *point = get(in, item, "point", NMC_YAML_MAP);
    const struct nmc_yaml *values = get(in, item, "values", NMC_YAML_MAP);
    const char **texts = nmc_arena_array(&r->arena, (size_t)r->axis_count, sizeof *texts);
    double *numbers = nmc_arena_array(&r->arena, (size_t)r->metric_count, sizeof *numbers);
    if (!texts || !numbers ||
        !nmc_grow(&rows->items, &rows->capacity, rows->count + 1, sizeof *rows->items)) {
        in->status = nmc_out_of_memory(in->diags);
        return;
    }
    for (int a = 0; a < r->axis_count; a++)
        texts[a] = text_of(in, point, r->axes[a].name ? r->axes[a].name : "");
    for (int m = 0; m < r->metric_count; m++)
        numbers[m] = number_of(in, values, r->metrics[m].name ? r->metrics[m].name : "");
    struct nmc_result_row row = {
        .index = integer_of(in, item, "index"), .texts = texts, .values = numbers};
    if (nmc_yaml_get(item, "set"))
        row.set = texts_of(in, item, "set", &row.set_count);
    rows->items[rows->count++] = row;
}

static void read_rows(struct reader *in, const struct nmc_yaml *map, const char *key,
                      struct nmc_result_rows *rows) {
    const struct nmc_yaml *list = get(in, map, key, NMC_YAML_LIST);
    for (const struct nmc_yaml *item = list->first; in->status == NEUROMC_OK && item;
         item = item->next)
        read_row(in, item, rows);
}

static void read_reason(struct reader *in, const struct nmc_yaml *item) {
    const char *text = get(in, item, "reason", NMC_YAML_SCALAR)->text;
    int64_t points = integer_of(in, item, "points"), first = integer_of(in, item, "first");
    if (strcmp(text, NMC_OTHER_REASONS) == 0)
        nmc_sayings_add_other(&in->r->reasons, points, first);
    else if (!nmc_sayings_add(&in->r->reasons, text, points, first))
        in->status = nmc_out_of_memory(in->diags);
}

static void read_counts(struct reader *in, const struct nmc_yaml *root) {
    neuromc_sweep_result *r = in->r;
    r->evaluated = integer_of(in, root, "evaluated");
    r->feasible = integer_of(in, root, "feasible");
    r->failed = integer_of(in, root, "failed");
    r->partial = bool_of(in, root, "partial");
    const struct nmc_yaml *list = get(in, root, "failures", NMC_YAML_LIST);
    for (const struct nmc_yaml *item = list->first; item; item = item->next)
        read_reason(in, item);
}

static void read_trace(struct reader *in, const struct nmc_yaml *item) {
    struct nmc_trace_of_group trace = {.key = hex(in, get(in, item, "key", NMC_YAML_SCALAR), "key"),
                                       .group = (int)integer_of(in, item, "group")};
    const struct nmc_yaml *of = get(in, item, "of", NMC_YAML_LIST)->first;
    for (int o = 0; o < in->r->objective_count; o++, of = of ? of->next : NULL) {
        if (!of)
            wrong(in, item, "of");
        trace.fingerprint[o] = of ? hex(in, of, "of") : 0;
    }
    if (trace.group >= NMC_MAX_AXES || trace.key == 0)
        wrong(in, item, "traces");
    else if (!nmc_effects_add(&in->r->effects, &trace))
        in->status = nmc_out_of_memory(in->diags);
}

static void read_effects(struct reader *in, const struct nmc_yaml *state) {
    neuromc_sweep_result *r = in->r;
    const struct nmc_yaml *varies = get(in, state, "varies", NMC_YAML_LIST)->first;
    r->effects.lost = bool_of(in, state, "traces_lost");
    for (int o = 0; o < r->objective_count; o++, varies = varies ? varies->next : NULL) {
        if (!varies)
            wrong(in, state, "varies");
        r->effects.varies[o] = varies ? hex(in, varies, "varies") : 0;
    }
    const struct nmc_yaml *list = get(in, state, "traces", NMC_YAML_LIST);
    for (const struct nmc_yaml *item = list->first; in->status == NEUROMC_OK && item;
         item = item->next)
        read_trace(in, item);
}

static void read_space(struct reader *in, const struct nmc_yaml *space) {
    neuromc_sweep_result *r = in->r;
    r->combinations = number_of(in, space, "combinations");
    r->points = integer_of(in, space, "points");
    const char *sampler = get(in, space, "sampler", NMC_YAML_SCALAR)->text;
    r->sampled = strcmp(sampler, "null") != 0;
    r->sampler = strcmp(sampler, "sobol") == 0 ? NEUROMC_SOBOL : NEUROMC_RANDOM;
    if (r->sampled)
        r->seed = (uint64_t)integer_of(in, space, "seed");
}

static void read_texts(struct reader *in, const struct nmc_yaml *root) {
    neuromc_sweep_result *r = in->r;
    int count;
    r->models = texts_of(in, root, "models", &r->model_count);
    if (!r->model_count)
        wrong(in, root, "models");
    r->wheres = texts_of(in, root, "where", &r->where_count);
    const char **notes = texts_of(in, root, "notes", &count);
    for (int i = 0; notes && i < count; i++)
        if (!nmc_result_note(r, notes[i]))
            in->status = nmc_out_of_memory(in->diags);
    const char **warnings = texts_of(in, root, "warnings", &count);
    for (int i = 0; warnings && i < count; i++)
        if (!nmc_sayings_add(&r->warnings, warnings[i], 1, 0))
            in->status = nmc_out_of_memory(in->diags);
}

static void read_root(struct reader *in, const struct nmc_yaml *root) {
    neuromc_sweep_result *r = in->r;
    const struct nmc_yaml *shard = get(in, root, "shard", NMC_YAML_MAP);
    const struct nmc_yaml *state = get(in, root, "state", NMC_YAML_MAP);
    const struct nmc_yaml *preset = get(in, root, "preset", NMC_YAML_MAP);
    const struct nmc_yaml *pareto = get(in, root, "pareto", NMC_YAML_MAP);
    const struct nmc_yaml *space = get(in, root, "space", NMC_YAML_MAP);
    if (in->status != NEUROMC_OK)
        return;
    r->shard = integer_of(in, shard, "number");
    r->shard_count = integer_of(in, shard, "of");
    r->preset_name = text_of(in, preset, "name");
    r->preset_hash = hex(in, get(in, preset, "hash", NMC_YAML_SCALAR), "hash");
    r->identity = hex(in, get(in, state, "identity", NMC_YAML_SCALAR), "identity");
    r->top_wanted = integer_of(in, state, "top");
    r->pareto_wanted = bool_of(in, pareto, "wanted");
    int64_t dropped = integer_of(in, pareto, "dropped_bits");
    if (dropped > NMC_FRONT_MOST_DROPPED)
        wrong(in, pareto, "dropped_bits");
    else
        r->front_dropped_bits = (int)dropped;
    r->sample_kept = true;
    read_texts(in, root);
    read_space(in, space);
    read_counts(in, root);
    read_metrics(in, root, state);
    if (in->status == NEUROMC_OK)
        read_axes(in, space, state);
    if (in->status != NEUROMC_OK)
        return;
    read_effects(in, state);
    read_rows(in, root, "top", &r->top);
    read_rows(in, pareto, "points", &r->front);
    read_rows(in, state, "sample", &r->sample);
}

neuromc_status nmc_result_read(const char *path, neuromc_sweep_result **out, neuromc_diags *diags) {
    struct nmc_file file;
    struct nmc_yaml *root = NULL;
    struct nmc_arena arena;
    *out = NULL;
    neuromc_sweep_result *result = nmc_result_new(diags);
    if (!result)
        return NEUROMC_IO;
    struct reader in = {.r = result, .file = path, .diags = diags};
    in.status = nmc_file_open(&file, path, NMC_LIMIT_RESULT_BYTES, diags);
    if (in.status != NEUROMC_OK) {
        neuromc_sweep_result_free(result);
        return in.status;
    }
    nmc_arena_init(&arena, NMC_LIMIT_MODEL_BYTES);
    in.status = nmc_yaml_read_long(&arena, (const char *)file.data, file.size, path,
                                   NMC_LIMIT_RESULT_NODES, &root, diags);
    nmc_file_close(&file);
    if (in.status == NEUROMC_OK)
        read_root(&in, root);
    if (in.status == NEUROMC_OK && result->arena.failed)
        in.status = nmc_out_of_memory(diags);
    nmc_arena_release(&arena);
    if (in.status == NEUROMC_OK)
        *out = result;
    else
        neuromc_sweep_result_free(result);
    return in.status;
}
