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

/* A program: one that speaks the protocol of child.h, or any other, which is run once for each of
 * the k times. */
struct nmc_subject {
    const char *label;
    const char *const *argv; /* ends with NULL */
    bool talks;
};

struct nmc_measure_options {
    const char *counter;
    struct nmc_counter_options counter_options;
    int rounds;
    double idle_s;   /* length of an idle bracket */
    double period_s; /* between two samples */
    double window_s; /* least length of a window; 0: what the counter needs */
    int64_t k;       /* times each job in a round; 0: as many as the window needs */
    double limit_s;  /* longest wait for an answer */
    enum nmc_baseline baseline;
    const volatile int *stop; /* may be NULL; nonzero ends the rounds */
    /* Told what happens, for people; may be NULL. */
    void (*progress)(void *user, const char *text);
    void *user;
};

struct nmc_round {
    struct nmc_stretch window, before, after; /* before, after: idle brackets */
    int64_t decodes;                          /* jobs done: jobs * k */
    int64_t child_wall_ns;                    /* as the child says; of others the window */
    const char *note;                         /* what it says beside, or NULL */
    double load_before[3], load_after[3];
    double cpu_share;  /* of all busy CPU time; -1: not known */
    double gpu_share;  /* of all GPU time; -1: not known */
    double process_j;  /* counters per process: energy of the process */
    double process_s;  /* and its CPU time */
    bool process_known;
    struct nmc_round_power power;
    bool outlier; /* its marginal energy, among the rounds */
};

struct nmc_subject_result {
    struct nmc_subject subject;
    int64_t jobs, k;
    struct nmc_round *rounds;
    size_t round_count;
    const char *failure; /* why its rounds ended early, or NULL */
};

struct nmc_measurement {
    struct nmc_arena arena;
    struct nmc_measure_options options;
    struct nmc_counter_info counter;
    struct nmc_resolution resolution;
    struct nmc_subject_result *subjects;
    size_t subject_count;
    struct nmc_sample *samples; /* for pictures of power over time */
    size_t sample_count;
    bool stopped;          /* from outside */
    bool lost;             /* the counter went away */
    const char *lost_text; /* why */
    const char *system, *machine;
    int cpus;
};

/* Runs it. NEUROMC_IO: nothing was measured (no counter, no program). Otherwise *out holds the
 * rounds there are, whatever ended them. Warnings go to diags. */
neuromc_status nmc_measure(const struct nmc_subject *subjects, size_t count,
                           const struct nmc_measure_options *options, struct nmc_measurement **out,
                           neuromc_diags *diags);
void nmc_measurement_free(struct nmc_measurement *measurement);

/* Marginal energy of one job, J; NAN: not known. Of counters per process, all its energy. */
double nmc_round_joules(const struct nmc_measurement *m, const struct nmc_round *round);
enum nmc_verdict nmc_round_verdict(const struct nmc_measurement *m, const struct nmc_round *round);

/* A quantity over the rounds that know it; false if none does. */
bool nmc_summarize_rounds(const struct nmc_measurement *m, const struct nmc_subject_result *s,
                          double (*quantity)(const struct nmc_measurement *,
                                             const struct nmc_round *),
                          struct nmc_summary *out);

/* What all rounds of a subject support: the verdict of the middle one, of two the worse; lost
 * where there are none. */
enum nmc_verdict nmc_subject_verdict(const struct nmc_measurement *m,
                                     const struct nmc_subject_result *s);
/* Whether the subject was measured to the end and its figure may be claimed. */
bool nmc_subject_holds(const struct nmc_measurement *m, const struct nmc_subject_result *s);

/* Flags of all rounds together. */
struct nmc_subject_flags {
    size_t drifting, limited, outliers; /* rounds */
    bool drifts, is_limited;            /* half of the rounds or more */
};
struct nmc_subject_flags nmc_subject_flags(const struct nmc_subject_result *s);

#endif
