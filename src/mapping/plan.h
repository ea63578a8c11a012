/*
 * plan.h - a mapping as search builds it: at each level one loop for each dim at most.
 */
#ifndef NMC_MAP_PLAN_H
#define NMC_MAP_PLAN_H

#include <stddef.h>

#include "mapping/nest.h"

/* How work is spread over the instances inside each level. */
struct nmc_unrolling {
    int64_t count[NMC_LIMIT_MAP_LEVELS][NMC_MESHES][NMC_MAP_DIMS];
    int64_t macs; /* in use */
};

/* An order of dims, outermost first. */
struct nmc_order {
    unsigned char dims[NMC_MAP_DIMS];
    int count;
};

struct nmc_map_plan {
    struct nmc_unrolling unrolling;
    int64_t temporal[NMC_LIMIT_MAP_LEVELS][NMC_MAP_DIMS];
    struct nmc_order order[NMC_LIMIT_MAP_LEVELS]; /* of the dims whose count is not 1 */
};

void nmc_plan_nest(const struct nmc_map_plan *plan, const struct nmc_machine *machine,
                   struct nmc_nest *nest);

/* What a mapping must be. 0 leaves a factor open. */
struct nmc_map_limits {
    int64_t temporal[NMC_LIMIT_MAP_LEVELS][NMC_MAP_DIMS];
    int64_t spatial[NMC_LIMIT_MAP_LEVELS][NMC_MESHES][NMC_MAP_DIMS];
    struct nmc_order order[NMC_LIMIT_MAP_LEVELS]; /* count 0: open; dims left out stand outside */
    double least_utilization;                     /* MACs in use, of those there are */
};

/* All unrollings of a problem on a machine within limits, most MACs first; to be freed.
 * *count 0: there is none. *cut: there are more than NMC_LIMIT_MAP_UNROLLINGS. NULL: memory. */
struct nmc_unrolling *nmc_unrollings(const struct nmc_problem *problem,
                                     const struct nmc_machine *machine,
                                     const struct nmc_map_limits *limits, size_t *count, bool *cut);

#endif
