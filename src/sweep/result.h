/*
 * result.h - what a sweep found, complete in itself: it is written, drawn, and merged with those
 * of other shards.
 */
#ifndef NMC_RESULT_H
#define NMC_RESULT_H

#include "base/number.h"
#include "base/sink.h"
#include "sweep/effect.h"
#include "sweep/tally.h"

/* What stands for reasons beyond NMC_MOST_REASONS. */
#define NMC_OTHER_REASONS "other reasons"

/* Neighbouring levels of an axis. */
struct nmc_result_bin {
    const char *label;                      /* the first of its values */
    int64_t count;                          /* feasible points */
    struct nmc_sum sum[NMC_MAX_OBJECTIVES]; /* of value - shift */
};

struct nmc_result_axis {
    const char *name, *first, *last;
    int64_t count; /* of values */
    int group;     /* axes of one group move together */
    const char *reach;
    bool numeric;
    struct nmc_result_bin *bins;
    int bin_count;
};

struct nmc_result_metric {
    const char *name, *unit;
    bool maximise; /* objectives */
    /* of objectives, over feasible points */
    double shift, least, most;
    struct nmc_sum sum, squares; /* of value - shift */
};

struct nmc_result_row {
    int64_t index;
    const char *const *texts; /* of each axis */
    double *values;           /* of each metric */
    const char *const *set;   /* everything that --set has to say for it; NULL: not worked out */
    int set_count;
};

struct nmc_result_rows {
    struct nmc_result_row *items;
    size_t count, capacity;
};

struct neuromc_sweep_result {
    struct nmc_arena arena;
    const char **models;
    int model_count;
    const char *preset_name;
    uint64_t preset_hash, identity;

    struct nmc_result_axis *axes;
    int axis_count;
    struct nmc_result_metric *metrics;
    int metric_count, objective_count;
    const char **wheres;
    int where_count;

    double combinations;
    int64_t points; /* of the whole sweep */
    bool sampled;
    neuromc_sampler sampler;
    uint64_t seed;
    int64_t top_wanted;
    bool pareto_wanted;

    int64_t evaluated, feasible, failed;
    bool partial;
    int64_t shard, shard_count; /* 0, 0: the whole */
    struct nmc_effects effects;
    struct nmc_result_rows top, front, sample;
    int front_dropped_bits; /* 0: the front is exact */
    bool sample_kept;

    struct nmc_sayings reasons, warnings;
    const char **notes;
    size_t note_count, note_capacity;
};

neuromc_sweep_result *nmc_result_new(neuromc_diags *diags);

/* What every axis, metric and option is called, from the plan. False: out of memory. */
bool nmc_result_describe(neuromc_sweep_result *result, const struct nmc_plan *plan);
/* The numbers. */
bool nmc_result_take(neuromc_sweep_result *result, const struct nmc_plan *plan,
                     const struct nmc_tally *tally);
/* A row of a point whose cell works. */
bool nmc_result_add_row(neuromc_sweep_result *result, struct nmc_result_rows *rows,
                        const struct nmc_plan *plan, struct nmc_cells *cells, int64_t index);
/* The same for the plot's sample, unless the point fails or is excluded. */
bool nmc_result_add_sample(neuromc_sweep_result *result, const struct nmc_plan *plan,
                           struct nmc_cells *cells, int64_t index);
/* Works out `set` of the best row. */
bool nmc_result_explain_best(neuromc_sweep_result *result, const struct nmc_plan *plan);

bool nmc_result_note(neuromc_sweep_result *result, const char *text);

/* ---- readings ---- */

double nmc_result_mean(const neuromc_sweep_result *result, int objective);
double nmc_result_variance(const neuromc_sweep_result *result, int objective);
/* The mean over one bin; NAN: no feasible point lies in it. */
double nmc_result_bin_mean(const neuromc_sweep_result *result, const struct nmc_result_axis *axis,
                           int bin, int objective);
/* How much of an objective's variance the levels of an axis explain, 0 to 1; of a sample, an
 * estimate of that. NAN: there are too few points to say. */
double nmc_result_share(const neuromc_sweep_result *result, const struct nmc_result_axis *axis,
                        int objective);
/* Whether the axis is known to change no value of the objective. */
bool nmc_result_no_effect(const neuromc_sweep_result *result, const struct nmc_result_axis *axis,
                          int objective);

/* ---- writing, reading, merging ---- */

/* What `neuromc estimate` needs for the best point, if that was worked out. */
void nmc_result_command(const neuromc_sweep_result *result, struct nmc_sink *sink);
void nmc_result_text(const neuromc_sweep_result *result, bool color, struct nmc_sink *sink);
void nmc_result_json(const neuromc_sweep_result *result, struct nmc_sink *sink);
void nmc_result_csv(const neuromc_sweep_result *result, struct nmc_sink *sink);

/* A value of a metric for people; how much an axis explains, such as "3.3 %" or "no effect". */
void nmc_result_value(const struct nmc_result_metric *metric, double value,
                      char out[NMC_NUMBER_SIZE]);
void nmc_result_share_text(const neuromc_sweep_result *result, const struct nmc_result_axis *axis,
                           int objective, char out[NMC_NUMBER_SIZE]);

neuromc_status nmc_result_read(const char *path, neuromc_sweep_result **out, neuromc_diags *diags);
neuromc_status nmc_result_merge(neuromc_sweep_result *result, const neuromc_sweep_result *other,
                                neuromc_diags *diags);

#endif
