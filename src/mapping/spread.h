/*
 * spread.h - what the children of one parent share when work is spread over them.
 *
 * Every child sees its parent's walk, moved by its place. Children with the same move form a
 * group: one read serves them all (multicast), one update comes of all their partial sums
 * (reduction).
 */
#ifndef NMC_SPREAD_H
#define NMC_SPREAD_H

#include "mapping/nest.h"

struct nmc_spread {
    int64_t children, groups; /* of one parent */
    int64_t largest;          /* children of the largest group */
};

/* count[d] children along dim d, whose tiles are apart[d] of that dim from each other. False if
 * something overflows. */
bool nmc_spread_of(const struct nmc_problem *problem, enum nmc_map_operand operand,
                   const int64_t count[NMC_MAP_DIMS], const int64_t apart[NMC_MAP_DIMS],
                   struct nmc_spread *out);

#endif
