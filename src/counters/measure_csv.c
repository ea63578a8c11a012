/* measure_csv.c - a row for each round. */
#include <math.h>

#include "base/number.h"
#include "counters/measure_write.h"
#include "report/table.h"

static void put(struct nmc_sink *sink, bool is_known, double value) {
    char text[NMC_NUMBER_SIZE] = "";
    if (is_known && isfinite(value))
        nmc_number_format(text, value);
    nmc_sink_printf(sink, ",%s", text);
}

static void write_round(struct nmc_sink *sink, const struct neuromc_measurement *m,
                        const struct nmc_subject_result *s, size_t index) {
    const struct nmc_round *r = &s->rounds[index];
    const struct nmc_round_power *p = &r->power;
    nmc_csv_text(sink, s->subject.label);
    nmc_sink_printf(sink, ",%s,%zu,%lld,%lld,%llu", m->counter.name, index + 1,
                    (long long)r->decodes, (long long)r->child_wall_ns,
                    (unsigned long long)(r->window.to_ns - r->window.from_ns));
    put(sink, p->busy.known, p->busy.mean_w);
    put(sink, p->busy.known, p->busy.sd_w);
    put(sink, p->has_marginal, p->idle_w);
    put(sink, p->has_marginal, p->idle_sd_w);
    put(sink, m->counter.per_process ? r->process_known : p->window_known,
        m->counter.per_process ? r->process_j : p->window_j);
    put(sink, p->has_marginal, p->marginal_j);
    put(sink, p->has_ratio, p->ratio);
    put(sink, p->has_drift, p->drift_w);
    put(sink, true, nmc_round_joules(m, r));
    put(sink, r->cpu_share >= 0, r->cpu_share);
    nmc_sink_printf(sink, ",%s,%d\n", nmc_verdict_names[nmc_round_verdict(m, r)], r->outlier);
}

void nmc_measure_csv(struct nmc_sink *sink, const struct neuromc_measurement *m) {
    nmc_sink_puts(sink, "label,counter,round,decodes,child_wall_ns,window_ns,busy_w,busy_sd_w,"
                        "idle_w,idle_sd_w,window_j,marginal_j,ratio,drift_w,joules_per_job,"
                        "cpu_share,verdict,outlier\n");
    for (size_t i = 0; i < m->subject_count; i++)
        for (size_t r = 0; r < m->subjects[i].round_count; r++)
            write_round(sink, m, &m->subjects[i], r);
}
