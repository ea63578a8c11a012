/* measure_sum.c - what all rounds say together. */
#include <math.h>

#include "base/memory.h"
#include "counters/measure.h"

double nmc_round_joules(const struct neuromc_measurement *m, const struct nmc_round *round) {
    double joules = m->counter.per_process ? round->process_j : round->power.marginal_j;
    bool known = m->counter.per_process ? round->process_known : round->power.has_marginal;
    return known && round->decodes > 0 ? joules / (double)round->decodes : (double)NAN;
}

enum nmc_verdict nmc_round_verdict(const struct neuromc_measurement *m,
                                   const struct nmc_round *round) {
    if (m->counter.modelled)
        return NMC_MODELLED;
    if (!m->counter.per_process)
        return round->power.verdict;
    return round->process_known ? nmc_verdict_of(round->process_j, 0, 0, m->resolution.step_j)
                                : NMC_LOST;
}

bool nmc_summarize_rounds(const struct neuromc_measurement *m, const struct nmc_subject_result *s,
                          double (*quantity)(const struct neuromc_measurement *,
                                             const struct nmc_round *),
                          struct nmc_summary *out) {
    double *values = nmc_malloc((2 * s->round_count + 1) * sizeof *values);
    size_t count = 0;
    for (size_t r = 0; values && r < s->round_count; r++) {
        values[count] = quantity(m, &s->rounds[r]);
        count += !isnan(values[count]);
    }
    if (count)
        *out = nmc_summarize(values, count, values + s->round_count);
    nmc_free(values);
    return count > 0;
}

/* Verdicts stand in order, best first: that of the middle round, the worse of two. */
enum nmc_verdict nmc_subject_verdict(const struct neuromc_measurement *m,
                                     const struct nmc_subject_result *s) {
    size_t seen[NMC_VERDICTS] = {0}, at = 0;
    for (size_t r = 0; r < s->round_count; r++)
        seen[nmc_round_verdict(m, &s->rounds[r])]++;
    for (int v = 0; v < NMC_VERDICTS; v++) {
        at += seen[v];
        if (2 * at > s->round_count)
            return (enum nmc_verdict)v;
    }
    return NMC_LOST;
}

struct nmc_subject_flags nmc_subject_flags(const struct nmc_subject_result *s) {
    struct nmc_subject_flags f = {0};
    for (size_t r = 0; r < s->round_count; r++) {
        f.drifting += s->rounds[r].power.drifts;
        f.limited += s->rounds[r].power.resolution_limited;
        f.outliers += s->rounds[r].outlier;
    }
    f.drifts = f.drifting && 2 * f.drifting >= s->round_count;
    f.is_limited = f.limited && 2 * f.limited >= s->round_count;
    return f;
}

/* To the end, with nothing that would spoil its figure whatever the verdict. */
static bool ran_well(const struct neuromc_measurement *m, const struct nmc_subject_result *s) {
    struct nmc_subject_flags flags = nmc_subject_flags(s);
    return !s->failure && !m->lost && !m->stopped && !flags.drifts && !flags.is_limited;
}

bool nmc_subject_holds(const struct neuromc_measurement *m, const struct nmc_subject_result *s) {
    return ran_well(m, s) && nmc_subject_verdict(m, s) == NMC_CLEAN;
}

bool nmc_subject_ranks(const struct neuromc_measurement *m, const struct nmc_subject_result *s) {
    return ran_well(m, s) && nmc_subject_verdict(m, s) <= NMC_RELATIVE_ONLY;
}
