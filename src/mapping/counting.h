/*
 * counting.h - what the ways of counting a nest share; private to the files that count.
 */
#ifndef NMC_MAP_COUNTING_H
#define NMC_MAP_COUNTING_H

#include "mapping/count.h"

/* The extents of a nest, level by level. */
struct nmc_extents {
    int64_t temporal[NMC_LIMIT_MAP_LEVELS][NMC_MAP_DIMS];
    int64_t spatial[NMC_LIMIT_MAP_LEVELS][NMC_MAP_DIMS];
    int64_t held[NMC_LIMIT_MAP_LEVELS + 1][NMC_MAP_DIMS]; /* by one instance; last: by a MAC */
};

struct nmc_map_counting {
    const struct nmc_problem *problem;
    const struct nmc_machine *machine;
    const struct nmc_nest *nest;
    enum nmc_walk_mode walk;
    struct nmc_extents extents;
    struct nmc_map_counts *out;
};

static inline bool nmc_keeps(const struct nmc_map_counting *c, int level,
                             enum nmc_map_operand operand) {
    return c->nest->levels[level].keep & 1u << operand;
}

/* Each fills accesses[] of the operand's traffic; false if a count overflows. */
bool nmc_count_words(struct nmc_map_counting *c, enum nmc_map_operand operand);
bool nmc_count_ports(struct nmc_map_counting *c, enum nmc_map_operand operand);

#endif
