/*
 * search.h - the best mapping of one problem on a machine.
 *
 * First it climbs: for every way to spread work over the array from a simple tiling to better ones,
 * a few dims at a time, over all levels and orders of loops at once. Then it proves, as far as its
 * steps reach: level by level from the outermost in, what is decided is priced exactly, and for
 * what is not there is a bound, the least that any tiles inside can come to. What is no better
 * than the best mapping by its bound is left out, and of two beginnings that no later choice can
 * tell apart the dearer one; so nothing better is ever missed.
 *
 * On small problems all orders of loops are tried; on others those that can differ in how an
 * operand is reused (order.h). Steps are counted, not timed, so that the result is the same
 * everywhere.
 */
#ifndef NMC_MAP_SEARCH_H
#define NMC_MAP_SEARCH_H

#include "mapping/count.h"
#include "mapping/plan.h"

enum nmc_map_objective { NMC_MAP_ENERGY, NMC_MAP_LATENCY, NMC_MAP_EDP };
enum { NMC_MAP_OBJECTIVES = 3 };

/* How much of the space of mappings an answer speaks for. */
enum nmc_map_reach {
    NMC_REACH_ALL,     /* every mapping */
    NMC_REACH_ORDERS,  /* every tiling and unrolling, in every order that differs in reuse */
    NMC_REACH_BOUND,   /* good ones; the steps did not reach to rule out a better one */
    NMC_REACH_STOPPED, /* somebody asked it to stop */
    NMC_REACH_GIVEN    /* it was not searched: a file says how */
};
enum { NMC_REACHES = NMC_REACH_GIVEN + 1 };
extern const char *const nmc_map_reach_names[NMC_REACHES]; /* for people */
extern const char *const nmc_map_reach_keys[NMC_REACHES];  /* "all" "orders" ... */

struct nmc_search_options {
    enum nmc_map_objective objective;
    struct nmc_map_limits limits;
    int64_t steps;            /* to show that there is no better mapping; 0: the standard */
    const volatile int *stop; /* may be NULL; nonzero asks search to end */
};

struct nmc_search_result {
    bool found;
    struct nmc_map_plan plan;
    enum nmc_map_reach reach;
    int64_t steps; /* mappings or beginnings of mappings that were priced */
    int64_t unrollings;
};

/* NEUROMC_IO if memory runs out. A problem without a mapping is found == false. */
neuromc_status nmc_search(const struct nmc_problem *problem, const struct nmc_machine *machine,
                          const struct nmc_search_options *options, struct nmc_search_result *out,
                          neuromc_diags *diags);

/* Which level is too small for the smallest tile there can be, one word of each operand that it
 * keeps; false if none is, and no mapping was left by the limits. */
bool nmc_search_misfit(const struct nmc_problem *problem, const struct nmc_machine *machine,
                       struct nmc_misfit *out);

#endif
