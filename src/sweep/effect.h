/*
 * effect.h - which groups of axes change an objective at all.
 *
 * A group of prices tells by the tables of a cell. One that makes other cells leaves a trace for
 * each: what the objectives came to (a hash of constant and tables) where the levels of all other
 * groups are the same. Two traces with one key and different hashes: it matters.
 */
#ifndef NMC_EFFECT_H
#define NMC_EFFECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sweep/metric.h"

/* Traces kept. A sweep that may leave more keeps none, and does not tell whether an axis that
 * changes counts matters: which ones came first would depend on the threads. */
enum { NMC_MOST_TRACES = 1 << 16 };

struct nmc_trace_of_group {
    uint64_t key; /* of the group and the levels of the others; not 0 */
    uint64_t fingerprint[NMC_MAX_OBJECTIVES];
    int group;
};

struct nmc_effects {
    int objectives;
    uint64_t varies[NMC_MAX_OBJECTIVES]; /* groups that are known to matter */
    struct nmc_trace_of_group *traces;   /* a hash table; key 0: free */
    size_t count, slots;
    bool lost; /* there may be too many: a group of cells that is not known to matter may yet */
};

void nmc_effects_release(struct nmc_effects *effects);
/* Whether every objective is known to depend on the group. */
bool nmc_effects_settled(const struct nmc_effects *effects, int group);
/* False: out of memory. */
bool nmc_effects_add(struct nmc_effects *effects, const struct nmc_trace_of_group *trace);
bool nmc_effects_merge(struct nmc_effects *effects, const struct nmc_effects *other);

#endif
