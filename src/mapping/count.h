/*
 * count.h - what one mapping moves: exact counts by level and operand, energy, cycles.
 *
 * Words are those of one instance, accesses and energies (pJ) those of all instances in use.
 */
#ifndef NMC_MAP_COUNT_H
#define NMC_MAP_COUNT_H

#include "mapping/nest.h"
#include "mapping/spread.h"
#include "mapping/walk.h"
#include "model/preset.h"

struct nmc_traffic {
    int64_t capacity;  /* words of the tile */
    int64_t partition; /* distinct words that one instance ever holds */
    /* Words; of a machine that counts ports only accesses and energy are there. */
    int64_t reads, fills, updates, drains;
    int64_t reductions; /* partial sums added in this level */
    int64_t addresses;  /* generated */
    int64_t accesses[NMC_DIRECTIONS];
    double energy_pj;
};

struct nmc_map_counts {
    int64_t macs, macs_used; /* work, and MAC units in use */
    int64_t compute_cycles, cycles;
    int64_t level_cycles[NMC_LIMIT_MAP_LEVELS];                         /* at their bandwidth */
    int64_t instances[NMC_LIMIT_MAP_LEVELS];                            /* in use */
    struct nmc_traffic traffic[NMC_LIMIT_MAP_LEVELS][NMC_MAP_OPERANDS]; /* of kept operands */
    /* Between a level and the next one in: groups of children; additions on the way up. */
    struct nmc_spread spread[NMC_LIMIT_MAP_LEVELS][NMC_MAP_OPERANDS];
    int64_t spatial_reductions[NMC_LIMIT_MAP_LEVELS];
    /* Accesses of the network inside a level, and their energy. */
    int64_t down[NMC_LIMIT_MAP_LEVELS][NMC_MAP_OPERANDS];
    int64_t up[NMC_LIMIT_MAP_LEVELS][NMC_MAP_OPERANDS];
    double network_pj[NMC_LIMIT_MAP_LEVELS][NMC_MAP_OPERANDS];
    double mac_pj, total_pj;
};

/* False if a count leaves 64 bits. The nest must be a valid one of this problem and machine, and
 * is counted whether it fits or not. */
bool nmc_map_count(const struct nmc_problem *problem, const struct nmc_machine *machine,
                   const struct nmc_nest *nest, enum nmc_walk_mode walk,
                   struct nmc_map_counts *out);

/* Accesses of `width` that `words` words of size `word` take; false if they overflow. */
bool nmc_accesses(int64_t words, int64_t word, int64_t width, int64_t *out);

/* pJ of one access. */
double nmc_access_pj(const struct nmc_machine_level *level, enum nmc_direction direction);

/* Why a nest does not fit its machine. */
struct nmc_misfit {
    int level;
    bool of_mesh;
    enum nmc_mesh mesh; /* of_mesh: too few instances inside along it */
    unsigned operands;  /* else: those kept, which need more room than there is */
    int64_t needed, available;
};

/* False, and the outermost misfit, if there is one. */
bool nmc_map_fits(const struct nmc_problem *problem, const struct nmc_machine *machine,
                  const struct nmc_nest *nest, const struct nmc_map_counts *counts,
                  struct nmc_misfit *misfit);

#endif
