/* validate_write.c - a comparison as text, JSON (docs/validate.schema.json) and CSV. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "counters/measure_write.h"
#include "counters/validate.h"
#include "report/table.h"

static const double pj_per_j = 1e12;

/* ---- JSON ------------------------------------------------------------------------------------ */

/* Energies by what a price stands for, and the counts behind them: what calibration fits. */
static void write_estimate(struct nmc_json *json, const struct neuromc_validation *v,
                           const struct nmc_estimate *e) {
    const struct nmc_totals *t = &e->totals;
    nmc_json_key(json, "estimate");
    nmc_json_begin(json, '{');
    nmc_json_key_number(json, "joules_per_job", nmc_estimate_joules(e));
    nmc_json_key_number(json, "energy_total_pj", nmc_totals_energy(t));
    nmc_json_key_number(json, "energy_mac_pj", t->energy[NMC_PART_MAC]);
    nmc_json_key_number(json, "energy_extra_compute_pj", t->energy[NMC_PART_EXTRA_COMPUTE]);
    nmc_json_key(json, "energy_by_level_pj");
    nmc_json_begin_flat(json, '{');
    for (int l = 0; l < NMC_LEVELS; l++) {
        double energy = 0;
        for (int d = 0; d < NMC_DIRECTIONS; d++)
            energy += t->level_energy[l][d];
        if (v->level_counted[l])
            nmc_json_key_number(json, v->level_names[l], energy);
    }
    nmc_json_end(json, '}');
    nmc_json_key_integer(json, "macs", t->macs);
    nmc_json_key_integer(json, "operators_not_modelled", e->unmodelled);
    nmc_json_end(json, '}');
}

static void write_comparison(struct nmc_json *json, const struct neuromc_validation *v,
                             size_t subject) {
    double ratio, low, high;
    nmc_json_key(json, "measured_by_estimated");
    if (nmc_measured_by_estimated(v, subject, &ratio, &low, &high)) {
        nmc_json_begin_flat(json, '{');
        nmc_json_key_number(json, "ratio", ratio);
        nmc_json_key_number(json, "low", low);
        nmc_json_key_number(json, "high", high);
        nmc_json_end(json, '}');
    } else {
        nmc_json_text(json, NULL);
    }
    nmc_json_key_text(json, "supports", nmc_supported_claim(v, subject));
    nmc_measure_json_number(json, "macs_per_second", nmc_reached_macs(v, subject));
}

static void write_order(struct nmc_json *json, const char *key, const struct neuromc_validation *v,
                        const size_t *order) {
    nmc_json_key(json, key);
    nmc_json_begin(json, '[');
    for (size_t i = 0; i < v->agreement.models; i++)
        nmc_json_text(json, v->measurement->subjects[order[i]].subject.label);
    nmc_json_end(json, ']');
}

static void write_agreement(struct nmc_json *json, const struct neuromc_validation *v) {
    const struct nmc_agreement *a = &v->agreement;
    nmc_json_key(json, "agreement");
    nmc_json_begin_flat(json, '{');
    nmc_json_key_integer(json, "models", (int64_t)a->models);
    nmc_measure_json_number(json, "spearman", a->spearman);
    nmc_measure_json_number(json, "pearson", a->pearson);
    write_order(json, "measured_ranking", v, a->measured_order);
    write_order(json, "estimated_ranking", v, a->estimated_order);
    nmc_json_end(json, '}');
}

static void write_json(struct nmc_sink *sink, const struct neuromc_validation *v) {
    struct nmc_json json;
    char hash[24];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)v->preset_hash);
    nmc_json_init(&json, sink);
    nmc_json_begin(&json, '{');
    nmc_json_key(&json, "schema");
    nmc_json_begin_flat(&json, '{');
    nmc_json_key_text(&json, "name", "neuromc-validate");
    nmc_json_key_integer(&json, "version", 1);
    nmc_json_end(&json, '}');
    nmc_json_key(&json, "preset");
    nmc_json_begin_flat(&json, '{');
    nmc_json_key_text(&json, "name", v->preset_name);
    nmc_json_key_text(&json, "hash", hash);
    nmc_json_end(&json, '}');
    nmc_measure_json_counter(&json, v->measurement);
    write_agreement(&json, v);
    nmc_json_key(&json, "models");
    nmc_json_begin(&json, '[');
    for (size_t i = 0; i < v->measurement->subject_count; i++) {
        nmc_json_begin(&json, '{');
        nmc_json_key_text(&json, "model", v->estimates[i].path);
        write_estimate(&json, v, &v->estimates[i]);
        write_comparison(&json, v, i);
        nmc_measure_json(&json, v->measurement, &v->measurement->subjects[i]);
        nmc_json_end(&json, '}');
    }
    nmc_json_end(&json, ']');
    nmc_json_end(&json, '}');
}

/* ---- text ------------------------------------------------------------------------------------ */

static void write_row(struct nmc_table *t, const struct neuromc_validation *v, size_t i) {
    struct nmc_table_row *row = nmc_table_row(t);
    const struct neuromc_measurement *m = v->measurement;
    struct nmc_summary s;
    char text[NMC_NUMBER_SIZE], low_text[NMC_NUMBER_SIZE], high_text[NMC_NUMBER_SIZE];
    double ratio, low, high, macs = nmc_reached_macs(v, i);
    nmc_table_cell(t, row, 0, "%s", m->subjects[i].subject.label);
    nmc_energy_format(text, nmc_estimate_joules(&v->estimates[i]) * pj_per_j);
    nmc_table_cell(t, row, 1, "%s", text);
    if (nmc_summarize_rounds(m, &m->subjects[i], nmc_round_joules, &s)) {
        nmc_energy_format(text, s.median * pj_per_j);
        nmc_table_cell(t, row, 2, "%s", text);
    }
    bool said = m->counter.modelled || strcmp(nmc_supported_claim(v, i), "ratio") == 0;
    if (said && nmc_measured_by_estimated(v, i, &ratio, &low, &high)) {
        nmc_short_format(text, ratio);
        nmc_short_format(low_text, low);
        nmc_short_format(high_text, high);
        nmc_table_cell(t, row, 3, "%s (%s to %s)", text, low_text, high_text);
    }
    if (!isnan(macs)) {
        nmc_short_format(text, macs);
        nmc_table_cell(t, row, 4, "%s", text);
    }
    nmc_table_cell(t, row, 5, "%s", nmc_verdict_names[nmc_subject_verdict(m, &m->subjects[i])]);
    nmc_table_cell(t, row, 6, "%s", nmc_supported_claim(v, i));
}

static void write_table(struct nmc_sink *sink, const struct neuromc_validation *v) {
    const bool modelled = v->measurement->counter.modelled;
    const char *const heads[] = {"  model",
                                 "estimated",
                                 modelled ? "modelled" : "measured",
                                 modelled ? "modelled/estimated" : "measured/estimated",
                                 "MACs/s",
                                 "verdict",
                                 "supports"};
    enum { HEADS = sizeof heads / sizeof *heads };
    struct nmc_table t;
    nmc_table_init(&t, HEADS, false);
    struct nmc_table_row *row = nmc_table_row(&t);
    for (int c = 0; c < HEADS; c++)
        nmc_table_cell(&t, row, c, "%s", heads[c]);
    for (size_t i = 0; i < v->measurement->subject_count; i++)
        write_row(&t, v, i);
    nmc_table_finish(&t, sink);
}

/* "a < b ~ c": b takes more than a; between b and c the intervals leave it open. */
static void write_ranking(struct nmc_sink *sink, const struct neuromc_validation *v) {
    const struct nmc_agreement *a = &v->agreement;
    for (size_t i = 0; a->models > 1 && i < a->models; i++) {
        size_t at = a->measured_order[i];
        const char *before = i == 0 ? "  measured order: "
                             : nmc_told_apart(v, a->measured_order[i - 1], at) ? " < "
                                                                               : " ~ ";
        nmc_sink_printf(sink, "%s%s", before, v->measurement->subjects[at].subject.label);
    }
    if (a->models > 1)
        nmc_sink_puts(sink, " (~: the intervals overlap)\n");
}

static void write_correlation(struct nmc_sink *sink, const struct neuromc_validation *v) {
    const struct nmc_agreement *a = &v->agreement;
    char spearman[NMC_NUMBER_SIZE], pearson[NMC_NUMBER_SIZE];
    if (isnan(a->spearman) || isnan(a->pearson))
        return;
    nmc_short_format(spearman, a->spearman);
    nmc_short_format(pearson, a->pearson);
    nmc_sink_printf(sink, "  over %zu models: Spearman %s (order), Pearson %s (proportion)\n",
                    a->models, spearman, pearson);
}

static void write_text(struct nmc_sink *sink, const struct neuromc_validation *v) {
    const struct neuromc_measurement *m = v->measurement;
    nmc_measure_text_counter(sink, m);
    nmc_sink_printf(sink, "  preset       %s\n\nEnergy of one inference\n", v->preset_name);
    write_table(sink, v);
    write_ranking(sink, v);
    write_correlation(sink, v);
    nmc_sink_printf(sink, "  %s; the estimate is of the described hardware, not of this host\n",
                    m->counter.modelled ? "MODELLED: CPU time times a given power, nothing measured"
                                        : "measured above idle power");
    for (size_t i = 0; i < m->subject_count; i++) {
        if (v->estimates[i].unmodelled)
            nmc_sink_printf(sink, "  %s: %lld operators are not in the estimate\n",
                            m->subjects[i].subject.label, (long long)v->estimates[i].unmodelled);
        nmc_measure_text(sink, m, &m->subjects[i]);
    }
}

neuromc_status neuromc_validation_write(const neuromc_validation *v,
                                        const neuromc_write_options *options,
                                        neuromc_write_fn write, void *user, neuromc_diags *diags) {
    struct nmc_sink sink;
    nmc_sink_init(&sink, write, user);
    switch (options->format) {
    case NEUROMC_JSON: write_json(&sink, v); break;
    case NEUROMC_CSV: nmc_measure_csv(&sink, v->measurement); break;
    default: write_text(&sink, v); break;
    }
    return nmc_sink_finish(&sink, diags);
}
