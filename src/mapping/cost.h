/*
 * cost.h - what search needs to know of a mapping while it builds one, from the outermost level
 * in: the energy of each transfer as soon as its two ends are known, and the least that a
 * transfer can come to as soon as its inner tile is.
 *
 * The energy of a mapping is a sum over transfers: for each operand from every level that keeps
 * it to the next one in that does, and from the last one to the MACs. Counts are doubles here,
 * exact up to 2^53; what search returns is counted anew in integers (count.h).
 */
#ifndef NMC_COST_H
#define NMC_COST_H

#include "mapping/plan.h"
#include "mapping/walk.h"

enum { NMC_MOST_TRANSFERS = NMC_MAP_OPERANDS * (NMC_LIMIT_MAP_LEVELS + 1) };

struct nmc_transfer {
    enum nmc_map_operand operand;
    int parent, child; /* levels; child is the number of levels for the MACs */
    bool outermost;    /* the parent is where the operand comes from */
};

/* Words to accesses: ceil(words / per) * each. */
struct nmc_access_rule {
    double per, each;
};

struct nmc_cost {
    const struct nmc_problem *problem;
    const struct nmc_machine *machine;
    int levels;
    struct nmc_transfer transfers[NMC_MOST_TRANSFERS];
    int transfer_count;
    bool sees_order; /* transfers to the MACs depend on the order of loops: ports */
    /* of operands and dims */
    bool slides[NMC_MAP_OPERANDS]; /* it is the tensor that windows slide over */
    bool moves[NMC_MAP_OPERANDS][NMC_MAP_DIMS];
    struct nmc_access_rule read[NMC_LIMIT_MAP_LEVELS][NMC_MAP_OPERANDS];
    struct nmc_access_rule write[NMC_LIMIT_MAP_LEVELS][NMC_MAP_OPERANDS];
    struct nmc_access_rule down[NMC_LIMIT_MAP_LEVELS][NMC_MAP_OPERANDS];
    struct nmc_access_rule up[NMC_LIMIT_MAP_LEVELS][NMC_MAP_OPERANDS];
    double macs_pj;
    /* of the unrolling */
    int64_t spatial[NMC_LIMIT_MAP_LEVELS][NMC_MAP_DIMS];
    int64_t below[NMC_LIMIT_MAP_LEVELS + 1][NMC_MAP_DIMS]; /* unrolled at this level and inside */
    double instances[NMC_LIMIT_MAP_LEVELS + 1];            /* in use; last: MACs */
    double cycles;
};

void nmc_cost_init(struct nmc_cost *cost, const struct nmc_problem *problem,
                   const struct nmc_machine *machine);

/* Sets the unrolling; temporal[d] is what is left of each dim. */
void nmc_cost_unroll(struct nmc_cost *cost, const struct nmc_unrolling *unrolling,
                     int64_t temporal[NMC_MAP_DIMS]);

/* A mapping as far as it is known: the loops of levels 0 .. known-1, the tiles down to level
 * `known`. */
struct nmc_path {
    struct {
        int dim;
        double count;
        double inside;                                    /* extent of the dim inside this loop */
    } loops[NMC_LIMIT_MAP_LEVELS * NMC_MAP_DIMS];         /* outermost first */
    int above[NMC_LIMIT_MAP_LEVELS + 1];                  /* loops of the levels outside a level */
    double visits[NMC_LIMIT_MAP_LEVELS + 1];              /* their iterations */
    int64_t held[NMC_LIMIT_MAP_LEVELS + 1][NMC_MAP_DIMS]; /* by one instance of a level */
    double partition[NMC_LIMIT_MAP_LEVELS + 1];           /* of the outputs; words */
};

void nmc_path_init(const struct nmc_cost *cost, struct nmc_path *path);

/* Adds the loops of `level` in their order and the tile inside them: temporal extents of the next
 * level in. */
void nmc_path_extend(const struct nmc_cost *cost, struct nmc_path *path, int level,
                     const int64_t outer[NMC_MAP_DIMS], const int64_t inner[NMC_MAP_DIMS],
                     const struct nmc_order *order);

/* What one instance of a level reads and writes, in units of its bandwidth. */
struct nmc_rates {
    double read[NMC_LIMIT_MAP_LEVELS], written[NMC_LIMIT_MAP_LEVELS];
};

/* pJ of the transfers into `child`, which the path must reach. Adds to rates unless NULL. */
double nmc_cost_into(const struct nmc_cost *cost, const struct nmc_path *path, int child,
                     struct nmc_rates *rates);

/* Cycles at these rates, of all or of part of the transfers. */
double nmc_cost_cycles(const struct nmc_cost *cost, const struct nmc_rates *rates);

/* At most the pJ of the transfers into `child` when its instances hold `temporal` extents,
 * whatever the loops outside; infinite if they do not fit. whole: temporal extents of it all. */
double nmc_cost_least(const struct nmc_cost *cost, int child, const int64_t temporal[NMC_MAP_DIMS],
                      const int64_t whole[NMC_MAP_DIMS]);

/* At most the pJ of the transfers into `child`, whatever its tiles: each word comes once. */
double nmc_cost_compulsory(const struct nmc_cost *cost, int child,
                           const int64_t whole[NMC_MAP_DIMS]);

/* Whether a level has room for what one instance holds. */
bool nmc_cost_fits(const struct nmc_cost *cost, int level, const int64_t held[NMC_MAP_DIMS]);

#endif
