/* measure_text.c - a measurement for people: every figure with its interval, power over time. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "counters/measure_write.h"
#include "report/table.h"

static const double pj_per_j = 1e12;

static void format_joules(char out[NMC_NUMBER_SIZE], double joules) {
    nmc_energy_format(out, joules * pj_per_j);
}

/* "  label    median  [low, high] in N rounds (coverage)" */
static void write_quantity(struct nmc_sink *sink, const char *label, const char *unit,
                           const struct neuromc_measurement *m, const struct nmc_subject_result *s,
                           double (*quantity)(const struct neuromc_measurement *,
                                              const struct nmc_round *)) {
    struct nmc_summary x;
    char median[NMC_NUMBER_SIZE], low[NMC_NUMBER_SIZE], high[NMC_NUMBER_SIZE],
        coverage[NMC_NUMBER_SIZE];
    if (!nmc_summarize_rounds(m, s, quantity, &x))
        return;
    void (*format)(char[NMC_NUMBER_SIZE], double) = *unit ? nmc_short_format : format_joules;
    format(median, x.median);
    format(low, x.interval.low);
    format(high, x.interval.high);
    nmc_percent_format(coverage, x.interval.coverage, 1);
    nmc_sink_printf(sink, "  %-12s %s%s%s  median of %zu; %s to %s%s%s covers it with %s %%%s\n",
                    label, median, *unit ? " " : "", unit, x.count, low, high, *unit ? " " : "",
                    unit, coverage, x.interval.reaches ? "" : " (six rounds reach 95)");
}

/* ---- power over time ------------------------------------------------------------------------- */

enum { COLUMNS = 72, STEPS = 8 };

/* Mean power in each column of the time from..to; NAN where there is no sample. */
static void fill_columns(const struct neuromc_measurement *m, uint64_t from, uint64_t to,
                         double mean[COLUMNS]) {
    double energy[COLUMNS] = {0}, time[COLUMNS] = {0};
    for (size_t i = 0; i < m->sample_count; i++) {
        const struct nmc_sample *s = &m->samples[i];
        if (s->from_ns < from || s->to_ns > to || !s->known)
            continue;
        double at = (double)(s->from_ns - from) / (double)(to - from) * COLUMNS;
        int column = at < COLUMNS ? (int)at : COLUMNS - 1;
        energy[column] += s->energy_j;
        time[column] += (double)(s->to_ns - s->from_ns);
    }
    for (int c = 0; c < COLUMNS; c++)
        mean[c] = time[c] > 0 ? energy[c] / time[c] * 1e9 : (double)NAN;
}

static void write_power(struct nmc_sink *sink, const struct neuromc_measurement *m,
                        const struct nmc_subject_result *s) {
    static const char *const blocks[STEPS] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    double mean[COLUMNS], least = INFINITY, most = -INFINITY;
    char low[NMC_NUMBER_SIZE], high[NMC_NUMBER_SIZE];
    if (!m->sample_count || !s->round_count)
        return;
    const struct nmc_round *first = &s->rounds[0], *last = &s->rounds[s->round_count - 1];
    uint64_t from = first->before.from_ns && first->before.from_ns < first->window.from_ns
                        ? first->before.from_ns
                        : first->window.from_ns;
    uint64_t to = last->after.to_ns > last->window.to_ns ? last->after.to_ns : last->window.to_ns;
    fill_columns(m, from, to, mean);
    for (int c = 0; c < COLUMNS; c++) {
        least = fmin(least, isnan(mean[c]) ? INFINITY : mean[c]);
        most = fmax(most, isnan(mean[c]) ? -INFINITY : mean[c]);
    }
    nmc_sink_puts(sink, "  power        ");
    for (int c = 0; c < COLUMNS; c++) {
        double part = most > least ? (mean[c] - least) / (most - least) : 0;
        int step = (int)(part * STEPS);
        nmc_sink_puts(sink, isnan(mean[c]) ? " " : blocks[step < STEPS ? step : STEPS - 1]);
    }
    nmc_short_format(low, least);
    nmc_short_format(high, most);
    nmc_sink_printf(sink, "\n               %s to %s W over the rounds\n", low, high);
}

/* ---- rounds ---------------------------------------------------------------------------------- */

static void number_cell(struct nmc_table *t, struct nmc_table_row *row, int column, double value,
                        void (*format)(char[NMC_NUMBER_SIZE], double)) {
    char text[NMC_NUMBER_SIZE] = "-";
    if (!isnan(value))
        format(text, value);
    nmc_table_cell(t, row, column, "%s", text);
}

static void write_rounds(struct nmc_sink *sink, const struct neuromc_measurement *m,
                         const struct nmc_subject_result *s) {
    static const char *const heads[] = {"  round",      "jobs",  "seconds/job", "busy W",
                                        "above idle W", "ratio", "energy/job",  "verdict"};
    enum { HEADS = sizeof heads / sizeof *heads };
    struct nmc_table t;
    nmc_table_init(&t, HEADS, false);
    struct nmc_table_row *row = nmc_table_row(&t);
    for (int c = 0; c < HEADS; c++)
        nmc_table_cell(&t, row, c, "%s", heads[c]);
    for (size_t r = 0; r < s->round_count; r++) {
        const struct nmc_round *round = &s->rounds[r];
        row = nmc_table_row(&t);
        nmc_table_cell(&t, row, 0, "  %zu%s%s", r + 1, round->outlier ? " outlier" : "",
                       round->power.drifts ? " drift" : "");
        nmc_table_cell(&t, row, 1, "%lld", (long long)round->decodes);
        number_cell(&t, row, 2, nmc_round_seconds(m, round), nmc_short_format);
        number_cell(&t, row, 3, nmc_round_busy_w(m, round), nmc_short_format);
        number_cell(&t, row, 4, nmc_round_marginal_w(m, round), nmc_short_format);
        number_cell(&t, row, 5, nmc_round_ratio(m, round), nmc_short_format);
        number_cell(&t, row, 6, nmc_round_joules(m, round), format_joules);
        nmc_table_cell(&t, row, 7, "%s", nmc_verdict_names[nmc_round_verdict(m, round)]);
    }
    nmc_table_finish(&t, sink);
}

/* ---- the whole ------------------------------------------------------------------------------- */

void nmc_measure_text_counter(struct nmc_sink *sink, const struct neuromc_measurement *m) {
    nmc_sink_printf(sink, "counter %s%s: %s\n", m->counter.name,
                    m->counter.modelled ? " (MODELLED, never measured)" : "", m->counter.source);
    nmc_sink_printf(sink, "  includes     %s\n  leaves out   %s\n", m->counter.includes,
                    m->counter.leaves_out);
    for (size_t i = 0; i < m->options.meta_count; i++)
        nmc_sink_printf(sink, "  meta         %s: %s\n", m->meta[i].key, m->meta[i].value);
    if (m->lost)
        nmc_sink_printf(sink, "  LOST         %s\n", m->lost_text ? m->lost_text : "");
    if (m->stopped)
        nmc_sink_puts(sink, "  PARTIAL      stopped before the end\n");
}

static void write_flags(struct nmc_sink *sink, const struct neuromc_measurement *m,
                        const struct nmc_subject_result *s) {
    struct nmc_subject_flags flags = nmc_subject_flags(s);
    if (flags.drifting)
        nmc_sink_printf(sink, "  drift        idle power moved during %zu of %zu rounds\n",
                        flags.drifting, s->round_count);
    if (flags.limited && !m->counter.per_process)
        nmc_sink_printf(sink, "  resolution   %zu of %zu rounds are too short for this counter\n",
                        flags.limited, s->round_count);
    if (s->failure)
        nmc_sink_printf(sink, "  PARTIAL      %s\n", s->failure);
}

void nmc_measure_text(struct nmc_sink *sink, const struct neuromc_measurement *m,
                      const struct nmc_subject_result *s) {
    enum nmc_verdict verdict = nmc_subject_verdict(m, s);
    nmc_sink_printf(sink, "\n%s\n  rounds       %zu of %d, %lld jobs each (%lld x %lld)\n",
                    s->subject.label, s->round_count, m->options.rounds,
                    (long long)(s->jobs * s->k), (long long)s->jobs, (long long)s->k);
    write_quantity(sink, "energy/job", "", m, s, nmc_round_joules);
    write_quantity(sink, "busy", "W", m, s, nmc_round_busy_w);
    write_quantity(sink, "idle", "W", m, s, nmc_round_idle_w);
    write_quantity(sink, "above idle", "W", m, s, nmc_round_marginal_w);
    write_quantity(sink, "time/job", "s", m, s, nmc_round_seconds);
    write_power(sink, m, s);
    write_flags(sink, m, s);
    nmc_sink_printf(sink, "  verdict      %s: %s\n\n", nmc_verdict_names[verdict],
                    nmc_verdict_meaning(verdict));
    write_rounds(sink, m, s);
}
