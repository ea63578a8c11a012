/*
 * where.h - constraints: "energy_by_level.sram<2e6". A point counts if it meets all of them.
 */
#ifndef NMC_WHERE_H
#define NMC_WHERE_H

#include <stdbool.h>

#include "sweep/space.h"

enum nmc_relation { NMC_LESS, NMC_AT_MOST, NMC_MORE, NMC_AT_LEAST, NMC_EQUAL, NMC_DIFFERENT };

struct nmc_where {
    int metric; /* number among those of the sweep */
    enum nmc_relation relation;
    double bound;
};

static inline bool nmc_where_holds(const struct nmc_where *where, double value) {
    switch (where->relation) {
    case NMC_LESS: return value < where->bound;
    case NMC_AT_MOST: return value <= where->bound;
    case NMC_MORE: return value > where->bound;
    case NMC_AT_LEAST: return value >= where->bound;
    case NMC_EQUAL: return value == where->bound;
    default: return value != where->bound;
    }
}

/* Splits a constraint into the name of a metric and the rest; *bound_text is read with the
 * metric's unit once that is known. */
neuromc_status nmc_where_split(struct nmc_arena *arena, const struct nmc_asked *asked,
                               struct nmc_asked *name, struct nmc_where *out,
                               const char **bound_text, neuromc_diags *diags);

#endif
