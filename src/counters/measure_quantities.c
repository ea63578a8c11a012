/* measure_quantities.c - numbers of one round, and what a verdict means. */
#include <math.h>

#include "counters/measure_write.h"

static double if_marginal(const struct nmc_round *round, double value) {
    return round->power.has_marginal ? value : (double)NAN;
}

double nmc_round_busy_w(const struct neuromc_measurement *m, const struct nmc_round *round) {
    (void)m;
    return round->power.busy.known ? round->power.busy.mean_w : (double)NAN;
}

double nmc_round_idle_w(const struct neuromc_measurement *m, const struct nmc_round *round) {
    (void)m;
    return if_marginal(round, round->power.idle_w);
}

double nmc_round_marginal_w(const struct neuromc_measurement *m, const struct nmc_round *round) {
    (void)m;
    return if_marginal(round, round->power.marginal_w);
}

double nmc_round_ratio(const struct neuromc_measurement *m, const struct nmc_round *round) {
    (void)m;
    return round->power.has_ratio ? round->power.ratio : (double)NAN;
}

double nmc_round_seconds(const struct neuromc_measurement *m, const struct nmc_round *round) {
    const double ns_per_s = 1e9;
    (void)m;
    return round->decodes > 0 ? (double)round->child_wall_ns / ns_per_s / (double)round->decodes
                              : (double)NAN;
}

const char *nmc_verdict_meaning(enum nmc_verdict verdict) {
    static const char *const meanings[NMC_VERDICTS] = {
        [NMC_CLEAN] = "the figure itself may be claimed",
        [NMC_RELATIVE_ONLY] = "only which of two programs, run in turns on this host, takes more",
        [NMC_NOISY] = "nothing: idle power varies nearly as much as the work adds",
        [NMC_UNUSABLE] = "nothing: the work is lost in the noise",
        [NMC_BELOW_NOISE] = "nothing: less energy than idle took the same time",
        [NMC_NO_BASELINE] = "the energy of the whole device, idle included",
        [NMC_MODELLED] = "nothing measured: CPU time times a given power",
        [NMC_LOST] = "nothing: the energy of the rounds cannot be told",
    };
    return meanings[verdict];
}
