/*
 * measure.h - programs run in rounds under an energy counter: the order of events, and all that is
 * kept of it. Several programs take turns (A B, B A, ...), so that what drifts meets all alike.
 */
#ifndef NMC_MEASURE_H
#define NMC_MEASURE_H

#include "base/arena.h"
#include "counters/bracket.h"
#include "counters/counter.h"
#include "counters/stats.h"

/* Of a counter per process: the process's own energy, what others spent for it, ... */
enum { NMC_PROCESS_PARTS = 4 };

struct nmc_round {
    struct nmc_stretch window, before, after; /* before, after: idle brackets */
    int64_t decodes;                          /* jobs done: jobs * k */
    int64_t child_wall_ns;                    /* as the child says; of others the window */
    const char *note;                         /* what it says beside, or NULL */
    double load_before[3], load_after[3];
    double cpu_share; /* of all busy CPU time; -1: not known */
    struct nmc_gpu_spent gpu;
    const int64_t *gpu_vanished; /* processes that used the GPU before and were gone after */
    size_t gpu_vanished_count;
    double process_j;                 /* counters per process: energy of the process */
    double process_s;                 /* and its CPU time */
    double part_j[NMC_PROCESS_PARTS]; /* and each part by itself */
    bool process_known;
    struct nmc_round_power power;
    bool outlier; /* its marginal energy, among the rounds */
};

/* What its user says of a measurement. */
struct nmc_meta {
    const char *key, *value;
};

struct nmc_subject_result {
    neuromc_subject subject;
    int64_t jobs, k;
    struct nmc_round *rounds;
    size_t round_count;
    const char *failure; /* why its rounds ended early, or NULL */
};

struct neuromc_measurement {
    struct nmc_arena arena;
    neuromc_measure_options options;
    struct nmc_counter_options counter_options;
    struct nmc_counter_info counter;
    struct nmc_resolution resolution;
    const char *parts[NMC_PROCESS_PARTS]; /* their names, of a counter per process; else NULL */
    struct nmc_subject_result *subjects;
    size_t subject_count;
    struct nmc_meta *meta;      /* options.meta_count of them */
    struct nmc_sample *samples; /* for pictures of power over time */
    size_t sample_count;
    bool stopped;          /* from outside */
    bool lost;             /* the counter went away */
    const char *lost_text; /* why */
    const char *system, *machine;
    int cpus;
};

/* Reads options.meta. NEUROMC_USAGE: not KEY=VALUE, or a key twice. */
neuromc_status nmc_measure_meta(struct neuromc_measurement *m, neuromc_diags *diags);

/* neuromc_measure at another clock, with other values to read (options->counter_options is not
 * looked at). */
neuromc_status nmc_measure(const neuromc_subject *subjects, size_t count,
                           const neuromc_measure_options *options,
                           const struct nmc_counter_options *counter,
                           struct neuromc_measurement **out, neuromc_diags *diags);

/* Marginal energy of one job, J; NAN: not known. Of counters per process, all its energy. */
double nmc_round_joules(const struct neuromc_measurement *m, const struct nmc_round *round);
enum nmc_verdict nmc_round_verdict(const struct neuromc_measurement *m,
                                   const struct nmc_round *round);

/* A quantity over the rounds that know it; false if none does. */
bool nmc_summarize_rounds(const struct neuromc_measurement *m, const struct nmc_subject_result *s,
                          double (*quantity)(const struct neuromc_measurement *,
                                             const struct nmc_round *),
                          struct nmc_summary *out);

/* What all rounds of a subject support: the verdict of the middle one, of two the worse; lost
 * where there are none. */
enum nmc_verdict nmc_subject_verdict(const struct neuromc_measurement *m,
                                     const struct nmc_subject_result *s);
/* Whether the subject was measured to the end and its figure may be claimed. */
bool nmc_subject_holds(const struct neuromc_measurement *m, const struct nmc_subject_result *s);
/* Whether it may at least be compared with others that took turns with it. */
bool nmc_subject_ranks(const struct neuromc_measurement *m, const struct nmc_subject_result *s);

/* Flags of all rounds together. */
struct nmc_subject_flags {
    size_t drifting, limited, outliers; /* rounds */
    bool drifts, is_limited;            /* half of the rounds or more */
};
struct nmc_subject_flags nmc_subject_flags(const struct nmc_subject_result *s);

#endif
