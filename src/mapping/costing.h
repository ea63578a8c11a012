/*
 * costing.h - the price of one transfer, by what moves and how often; private to the files of
 * cost.h.
 */
#ifndef NMC_COSTING_H
#define NMC_COSTING_H

#include "mapping/cost.h"

/* How often the tile of a transfer comes by. */
struct nmc_flow {
    double words;                     /* delivered to one child (words) */
    double visits;                    /* tiles (ports) */
    bool complete;                    /* no loop outside adds to the sums (ports) */
    double first_parent, first_child; /* of the sums, words never read back */
};

double nmc_words_of(const struct nmc_cost *cost, enum nmc_map_operand operand,
                    const int64_t extent[NMC_MAP_DIMS]);

/* pJ of a transfer in words. apart: extents of the tiles of each level, as in nmc_path.held; NULL:
 * the fewest groups there can be. */
double nmc_price_words(const struct nmc_cost *cost, const struct nmc_transfer *transfer,
                       const struct nmc_flow *flow, const int64_t (*held)[NMC_MAP_DIMS],
                       struct nmc_rates *rates);

/* The same in ports; tile: extents of the child. */
double nmc_price_ports(const struct nmc_cost *cost, const struct nmc_transfer *transfer,
                       const struct nmc_flow *flow, const int64_t tile[NMC_MAP_DIMS],
                       struct nmc_rates *rates);

#endif
