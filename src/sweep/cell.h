/*
 * cell.h - all points that share a ledger, ready to be priced: each metric is
 *
 *     constant + sum over units of value[levels of the unit's groups]
 *
 * A unit is a set of price groups on which some prices depend together: the cost and the bandwidth
 * of one memory, or a capacity and the price of DRAM. Its table holds, for every combination of
 * their levels, the sum of quantity x price of those resources. Rows whose price does not vary are
 * folded into the constant.
 */
#ifndef NMC_CELL_H
#define NMC_CELL_H

#include "sweep/cache.h"
#include "sweep/plan.h"

struct nmc_grid;
struct nmc_strip;

enum { NMC_MAX_UNITS = 64 };

struct nmc_unit {
    uint64_t mask; /* of groups */
    int groups[NMC_MAX_AXES], group_count;
    int64_t stride[NMC_MAX_AXES]; /* by group number; 0 if it is none of the unit's */
    int64_t size;
    double *values[NMC_MAX_METRICS + 1]; /* [size] of each metric; NULL: all 0 */
};

/* The metric that is above 0 where a law fails. */
enum { NMC_FAILURE = NMC_MAX_METRICS };

struct nmc_cell {
    struct nmc_arena arena;
    const char *reason; /* why every point of it fails; NULL: it works */
    double constant[NMC_MAX_METRICS];
    struct nmc_unit units[NMC_MAX_UNITS];
    int unit_count;
    bool may_fail;                            /* some unit has failures */
    uint64_t varies[NMC_MAX_OBJECTIVES];      /* groups whose level changes the objective */
    uint64_t fingerprint[NMC_MAX_OBJECTIVES]; /* of constant and tables */
    const char **warnings;
    int warning_count;
    struct nmc_strip *strip; /* laid out along a row, see strip.h */
};

/* Cells and counts of a sweep, made when they are wanted. */
struct nmc_cells {
    const struct nmc_plan *plan;
    const struct nmc_grid *grid;
    struct nmc_cache cells, counts;
};
void nmc_cells_init(struct nmc_cells *cells, const struct nmc_plan *plan,
                    const struct nmc_grid *grid, int jobs);
void nmc_cells_release(struct nmc_cells *cells);

/* The cell of a point; held until given back. NULL: memory ran out. */
const struct nmc_cell *nmc_cell_take(struct nmc_cells *cells, const int32_t *levels);
void nmc_cell_give_back(struct nmc_cells *cells, const struct nmc_cell *cell);

/* One metric of one point; NMC_FAILURE too. Added up as a strip does it, to the same bits. */
double nmc_cell_value(const struct nmc_cell *cell, const struct nmc_grid *grid, int metric,
                      const int32_t *levels);

#endif
