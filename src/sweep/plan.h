/*
 * plan.h - a sweep that has been read and checked: axes, groups in index order, metrics.
 *
 * A point is one level of every group. Groups that change the workload come first, then those
 * that change counts, then those that change prices alone, each in the order given; the last one
 * varies fastest. All points that agree in the first cell_groups levels form a cell: they share
 * one ledger.
 *
 * A plan is not changed by a run; threads read it without locks.
 */
#ifndef NMC_PLAN_H
#define NMC_PLAN_H

#include "model/preset.h"
#include "sweep/axis.h"
#include "sweep/metric.h"
#include "sweep/where.h"

struct nmc_plan {
    struct nmc_arena arena;
    struct nmc_space space;
    neuromc_model_options model_options;
    neuromc_estimate_options estimate_options;
    neuromc_map_options map_options; /* of estimate_options; one thread for each search */
    const char *search_path;
    const char *const *assignments; /* of the base preset */
    size_t assignment_count;

    struct nmc_axis axes[NMC_MAX_AXES];
    int axis_count;
    struct nmc_axis_group groups[NMC_MAX_AXES];
    int group_count, cell_groups;
    double combinations; /* of all levels; exact where it fits */
    int64_t points;      /* that a whole run evaluates: all, or the sample */
    bool sampled;
    bool sizes_count;    /* the size of a memory may change what is counted */
    bool maps;           /* some preset maps operands: sizes and widths count */
    bool keep_fragments; /* some axis changes counts, so that fragments are counted again */

    /* One tree for each preset: the base, or the levels of an axis `preset`. NULL: it cannot be
     * read, and why. */
    struct nmc_yaml **trees;
    const char **tree_failures;
    const char *const **targets; /* [preset][axis]: paths that the axis sets there */
    int *target_counts;
    int preset_count;

    struct nmc_metric metrics[NMC_MAX_METRICS]; /* objectives first, each once */
    int metric_count, objective_count;
    struct nmc_where *wheres;
    int where_count;
    const char **notes;
    size_t note_count, note_capacity;

    const char *preset_name; /* of the first point */
    uint64_t preset_hash;
};

neuromc_status nmc_plan_make(struct nmc_plan *plan, const neuromc_sweep_options *options,
                             neuromc_diags *diags);
void nmc_plan_release(struct nmc_plan *plan);

/* Levels of all groups of a point, by its index. */
void nmc_plan_levels(const struct nmc_plan *plan, int64_t index, int32_t levels[NMC_MAX_AXES]);
int64_t nmc_plan_index(const struct nmc_plan *plan, const int32_t levels[NMC_MAX_AXES]);

static inline int32_t nmc_axis_level(const struct nmc_plan *plan, const struct nmc_axis *axis,
                                     const int32_t *levels) {
    (void)plan;
    return levels[axis->group];
}

/* A hash of all that makes a sweep what it is, but for the contents of its models. */
uint64_t nmc_plan_identity(const struct nmc_plan *plan);

/* What the report says beside the numbers; a text is said once. */
bool nmc_plan_note(struct nmc_plan *plan, const char *text);

/* ---- steps of making a plan, each in its file ---- */

neuromc_status nmc_plan_axes(struct nmc_plan *plan, neuromc_diags *diags);
neuromc_status nmc_plan_groups(struct nmc_plan *plan, neuromc_diags *diags);
neuromc_status nmc_plan_metrics(struct nmc_plan *plan, neuromc_diags *diags);

/* Groups by reach; axes learn where theirs is. */
void nmc_plan_order(struct nmc_plan *plan);
/* Makes groups that meet in one price in too many combinations groups of cells. */
neuromc_status nmc_plan_limit_units(struct nmc_plan *plan, struct neuromc_preset *preset,
                                    neuromc_diags *diags);
/* Notes sizes and technologies that no law of the preset follows. */
neuromc_status nmc_plan_note_laws(struct nmc_plan *plan, struct neuromc_preset *preset, int number,
                                  neuromc_diags *diags);

#endif
