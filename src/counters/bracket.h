/*
 * bracket.h - what samples of a counter say about one round: idle and busy power, marginal energy,
 * and what it is worth. Pure arithmetic over intervals, as in the harness that this follows.
 *
 * A sample is the energy between two readings. A bracket is a stretch of time: what counts for its
 * power are the samples inside it; the energy of a window is that of all samples that overlap it,
 * its edges included, over the time that these cover.
 *
 *     marginal energy = window energy - idle power * covered time
 *     ratio           = (busy power - idle power) / larger deviation of idle power
 */
#ifndef NMC_BRACKET_H
#define NMC_BRACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "neuromc.h"

struct nmc_sample {
    uint64_t from_ns, to_ns; /* monotonic */
    double energy_j;
    double beside_j; /* of parts kept apart from it (dram) */
    bool known;      /* false: the energy of this interval cannot be told (reset, suspend, ...) */
};

struct nmc_stretch {
    uint64_t from_ns, to_ns;
};

/* Power over the samples that lie inside a stretch. */
struct nmc_bracket {
    bool known; /* two samples at least, all of known energy */
    size_t intervals, advanced;
    size_t longest_run; /* of samples in a row that advanced */
    uint64_t span_ns;
    double mean_w, sd_w; /* sample standard deviation */
};

/* samples in order of time. */
struct nmc_bracket nmc_bracket_of(const struct nmc_sample *samples, size_t count,
                                  struct nmc_stretch stretch);

/* What a round supports, best first. */
enum nmc_verdict {
    NMC_CLEAN,         /* ratio of at least 10: the figure itself */
    NMC_RELATIVE_ONLY, /* at least 3: comparisons on one host */
    NMC_NOISY,         /* at least 1: nothing by itself */
    NMC_UNUSABLE,
    NMC_BELOW_NOISE, /* less than idle: the sign is kept */
    NMC_NO_BASELINE, /* no idle power was measured: the energy of everything */
    NMC_MODELLED,    /* computed, not measured */
    NMC_LOST         /* the energy of the window cannot be told */
};
enum { NMC_VERDICTS = 8 };
extern const char *const nmc_verdict_names[NMC_VERDICTS]; /* "clean" ... */

extern const char *const nmc_baseline_names[]; /* NULL-ended */

struct nmc_round_power {
    struct nmc_bracket busy, idle_before, idle_after;
    bool window_known;
    double window_j, window_beside_j;
    uint64_t covered_ns;
    bool has_marginal;
    double idle_w, idle_sd_w;
    double marginal_w, marginal_j;
    bool has_ratio; /* no: the idle deviation is 0, or there is no baseline */
    double ratio;
    bool has_drift;
    double drift_w; /* idle after less idle before */
    bool drifts;    /* more than chance, and enough to matter */
    bool resolution_limited;
    enum nmc_verdict verdict;
};

/* What a counter can tell apart. */
struct nmc_resolution {
    double step_j;   /* smallest step; 0: not known */
    double update_s; /* between updates; 0: not known */
};

/* Seconds that a window must last at least: 1 s, 50 updates. And steps that it must count. */
double nmc_window_floor_s(const struct nmc_resolution *resolution);
enum { NMC_WINDOW_STEPS = 100 };

/* before, after: idle brackets on either side (of a separate baseline both the same). */
struct nmc_round_power nmc_round_power(const struct nmc_sample *samples, size_t count,
                                       struct nmc_stretch window, struct nmc_stretch before,
                                       struct nmc_stretch after, neuromc_baseline baseline,
                                       const struct nmc_resolution *resolution);

/* The verdict of a marginal energy; ratio is looked at where the idle deviation is above 0. */
enum nmc_verdict nmc_verdict_of(double marginal_j, double idle_sd_w, double ratio, double step_j);

#endif
