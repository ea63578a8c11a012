/*
 * best.h - the best points so far: the first K by one objective, and the Pareto front of all.
 *
 * Objectives are kept so that less is better (those to maximise are negated). Of points that agree
 * in every objective the one with the lowest index stands for all, so the outcome does not depend
 * on the order in which points come.
 */
#ifndef NMC_BEST_H
#define NMC_BEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sweep/metric.h"

struct nmc_best {
    int64_t index;
    double values[NMC_MAX_OBJECTIVES];
};

/* A heap with the worst on top. */
struct nmc_top {
    struct nmc_best *items;
    size_t count, capacity;
    size_t wanted;
};

/* False: out of memory. */
bool nmc_top_offer(struct nmc_top *top, const struct nmc_best *point);
/* Whether a later point with this value could not get in. */
static inline bool nmc_top_is_closed(const struct nmc_top *top, double value) {
    return top->count == top->wanted && (top->wanted == 0 || value >= top->items[0].values[0]);
}
/* Best first; the heap is none afterwards. */
void nmc_top_sort(struct nmc_top *top);

/* Members that a sweep's front may have. When there are more, values are told apart by ever fewer
 * bits: space falls into boxes, and of each box that no other box beats one point stays. It is a
 * point of the front, and the same one in whatever order points come. */
enum { NMC_FRONT_CAP = 65536, NMC_FRONT_MOST_DROPPED = 62 };

/* With two objectives, members rise in the first and fall in the second. Otherwise they are in no
 * order. */
struct nmc_front {
    struct nmc_best *items;
    size_t count, capacity;
    size_t cap;       /* NMC_FRONT_CAP */
    int objectives;   /* 0: not wanted */
    int dropped_bits; /* low bits of a value that boxes do not tell apart; 0: the front is exact */
};

/* False: out of memory. */
bool nmc_front_offer(struct nmc_front *front, const struct nmc_best *point);
bool nmc_front_merge(struct nmc_front *front, const struct nmc_front *other);
/* Whether some member is at least as good everywhere: then no later point that is nowhere better
 * than these values can be a member. */
bool nmc_front_covers(const struct nmc_front *front, const double *values);
/* By the first objective, then the next. */
void nmc_front_sort(struct nmc_front *front);

#endif
