/*
 * counts.h - what a workload counts on a structure: lowered once for each workload, counted once
 * for each structure.
 */
#ifndef NMC_COUNTS_H
#define NMC_COUNTS_H

#include "sweep/cache.h"
#include "sweep/plan.h"

struct nmc_counts {
    int32_t workload[NMC_MAX_AXES]; /* levels of the groups that reach the workload */
    int workload_groups;
    uint64_t lowering;      /* hash of what lowering takes from the preset */
    neuromc_report *report; /* NULL: it failed */
    const char *reason;
    struct nmc_arena arena; /* of reason */
};

void nmc_counts_cache_init(struct nmc_cache *cache, size_t capacity);

/* Counts of a point with its preset; held until given back. NULL: memory ran out. */
const struct nmc_counts *nmc_counts_take(struct nmc_cache *cache, const struct nmc_plan *plan,
                                         const int32_t *levels,
                                         const struct neuromc_preset *preset);

#endif
