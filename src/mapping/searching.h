/*
 * searching.h - a search under way; private to the files of search.h.
 *
 * A partial mapping goes down to the tile of one level. Its bound is what it costs so far and the
 * least that is to come. Those of a level that differ in nothing a transfer further in can depend
 * on are one, the cheapest (search_partial.c). All of a level are made before any of them is taken
 * further (search_layers.c); where there are too many, those with the least bounds are kept,
 * and the search is said to be narrowed. That is done over all tilings, and over those near the
 * best one so far, again and again (search_climb.c).
 */
#ifndef NMC_MAP_SEARCHING_H
#define NMC_MAP_SEARCHING_H

#include "mapping/cost.h"
#include "mapping/lattice.h"
#include "mapping/order.h"
#include "mapping/search.h"

/* What a mapping is worth; less is better. */
struct nmc_score {
    double first, second;
};

extern const struct nmc_score nmc_no_score; /* worse than any */
int nmc_score_order(struct nmc_score a, struct nmc_score b);

static inline bool nmc_better(struct nmc_score a, struct nmc_score b) {
    return a.first < b.first || (a.first == b.first && a.second < b.second);
}

/* Temporal extents of the tiles of all levels. [0] is the whole. */
struct nmc_tiling {
    int64_t extent[NMC_LIMIT_MAP_LEVELS][NMC_MAP_DIMS];
};

struct nmc_partial {
    double energy;
    struct nmc_score bound;
    uint64_t key;
    uint32_t tile, parent; /* in the lattice; in the layer outside */
    struct nmc_order order;
};

struct nmc_layer {
    struct nmc_partial *partials;
    size_t count, capacity;
    uint32_t *slots; /* by key: index + 1, or 0 */
    size_t slot_count, slot_capacity;
    struct nmc_score worst; /* once there are too many: one no better does not come in */
};

/* A tile that could come next, and the bound with it. */
struct nmc_choice {
    struct nmc_score bound;
    uint32_t tile;
};

struct nmc_orders {
    struct nmc_order *items;
    int count;
};

struct nmc_search {
    const struct nmc_problem *problem;
    const struct nmc_machine *machine;
    const struct nmc_search_options *options;
    struct nmc_search_result *out;
    struct nmc_cost cost;
    bool all_orders, wants_rates;
    struct nmc_orders orders[1 << NMC_MAP_DIMS]; /* by the dims present; filled when first needed */
    struct nmc_orders limited;                   /* of the level in hand, if its order is limited */
    int64_t work, most_work;                     /* steps and bounds */
    bool failed, ended, stopped;

    /* The unrolling in hand, and the best found with it. */
    const struct nmc_unrolling *unrolling;
    int64_t whole[NMC_MAP_DIMS]; /* temporal extents of everything */
    struct nmc_score best;
    struct nmc_tiling tiling;
    struct nmc_score best_of_all;
    struct nmc_tiling held; /* by one instance of each level in the best of all */

    /* The tilings in question: dims that are open are cut in any way, the others as in `tiling`.
     * Tables by level and tile: the least that is inside it; and with the transfers into it. */
    struct nmc_lattice *lattice;
    struct nmc_tiling closed; /* extents of the dims that are not open; 1 of those that are */
    double *inside[NMC_LIMIT_MAP_LEVELS + 1], *into[NMC_LIMIT_MAP_LEVELS + 1];
    double *tables;
    size_t table_room;
    struct nmc_choice *choices;
    size_t choice_count, choice_room;

    struct nmc_layer layers[NMC_LIMIT_MAP_LEVELS + 1];
    size_t width; /* partial mappings of a layer that are kept */
    bool narrowed;

    /* The partial mapping in hand. */
    uint32_t at;
    struct nmc_path path;
    struct nmc_rates rates[NMC_LIMIT_MAP_LEVELS + 1];
    double energy[NMC_LIMIT_MAP_LEVELS + 1];
};

enum { NMC_ALL_DIMS = (1 << NMC_MAP_DIMS) - 1 };

struct nmc_score nmc_search_score(const struct nmc_search *s, double energy, double cycles);

/* False once the search is to end. */
bool nmc_search_goes_on(struct nmc_search *s);

/* Opens dims (a mask), closes the others, and fills the tables. False: memory. */
bool nmc_space_open(struct nmc_search *s, unsigned open);

/* Temporal extents of a tile of a level. */
void nmc_space_tile(const struct nmc_search *s, int level, uint32_t tile,
                    int64_t extent[NMC_MAP_DIMS]);

/* What of the path down to a level the rest of a mapping can depend on. */
uint64_t nmc_partial_key(const struct nmc_search *s, int level, uint32_t tile);

/* The best mapping among the open tilings, if it is better than s->best. */
void nmc_search_layers(struct nmc_search *s, size_t width);

/* An unrolling, and how far search has come with it. */
struct nmc_candidate {
    const struct nmc_unrolling *unrolling;
    struct nmc_score least;   /* a bound */
    struct nmc_score reached; /* with `tiling` */
    struct nmc_tiling tiling;
    int climbed; /* turns of so many dims do not better it */
};

void nmc_search_unroll(struct nmc_search *s, const struct nmc_unrolling *unrolling);

/* Whether the candidate may come to something better than the best of all. */
bool nmc_search_may_better(const struct nmc_search *s, const struct nmc_candidate *candidate);

/* Good mappings soon, without any claim. False: memory. */
bool nmc_search_climb(struct nmc_search *s, struct nmc_candidate *all, size_t count);

/* Takes loops out of the mapping found that cost nothing to do without. */
void nmc_search_tidy(struct nmc_search *s);

#endif
