/*
 * axis.h - what a sweep varies. An axis is one path of the preset (or all that a glob matches), or
 * a knob of the workload. Axes that --zip ties move together as one group; groups cross.
 */
#ifndef NMC_AXIS_H
#define NMC_AXIS_H

#include "model/preset.h"
#include "sweep/values.h"

enum nmc_knob {
#define KNOB(id, name, kind, option, doc) NMC_KNOB_##id,
#include "sweep/knobs.def"
#undef KNOB
    NMC_KNOB_PATH, /* none of them: a path of the preset */
    NMC_KNOBS = NMC_KNOB_PATH
};
extern const char *const nmc_knob_names[NMC_KNOBS], *const nmc_knob_options[NMC_KNOBS];

enum { NMC_MAX_AXES = 32 };

/* How far a value reaches: a workload is lowered again, a structure is counted again, a price is
 * a look-up. In this order groups vary, slowest first. */
enum nmc_reach { NMC_REACH_WORKLOAD, NMC_REACH_STRUCTURE, NMC_REACH_PRICE };

struct nmc_axis {
    const char *name; /* as it was asked for */
    enum nmc_knob knob;
    const char *dim; /* of NMC_KNOB_DIM: its name */
    struct nmc_values values;
    struct nmc_value_form form;
    enum nmc_reach reach;
    int group;
};

/* Levels of long groups are looked at in bins of neighbours when it comes to their effect. */
enum { NMC_MAX_BINS = 256 };

struct nmc_axis_group {
    int64_t count;
    int axes[NMC_MAX_AXES], axis_count;
    enum nmc_reach reach;
};

static inline int nmc_group_bins(const struct nmc_axis_group *group) {
    return group->count < NMC_MAX_BINS ? (int)group->count : NMC_MAX_BINS;
}

static inline int nmc_group_bin(const struct nmc_axis_group *group, int64_t level) {
    return group->count <= NMC_MAX_BINS ? (int)level : (int)(level * NMC_MAX_BINS / group->count);
}

/* The knob of a name, or NMC_KNOB_PATH. "dim.N" is NMC_KNOB_DIM. */
enum nmc_knob nmc_knob_find(const char *name);
enum nmc_value_kind nmc_knob_kind(enum nmc_knob knob);

/* Paths that a glob matches among the values of a preset, in its order; a path without stars is
 * taken as it is. *count 0: none. NULL: out of memory. */
const char **nmc_axis_targets(struct nmc_arena *arena, const struct neuromc_preset *preset,
                              const char *glob, int *count);

#endif
