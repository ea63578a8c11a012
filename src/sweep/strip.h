/*
 * strip.h - a cell's tables laid out along a row: what its points differ by.
 *
 * A point is base + along[j], where base sums the units of outer groups and along the units of
 * inner ones. Units that mix both are looked up point by point. Bounds and sums of each segment
 * let a sweep pass over segments that hold nothing it looks for.
 */
#ifndef NMC_STRIP_H
#define NMC_STRIP_H

#include "sweep/cell.h"
#include "sweep/grid.h"

/* What a segment comes to without its base. */
struct nmc_segment {
    double least, most;      /* of along */
    double sum, sum_squares; /* objectives alone */
};

/* The points of one segment in one bin of an inner group. */
struct nmc_share {
    int group, bin;
    int64_t count;
    double sum[NMC_MAX_OBJECTIVES];
};

/* Segments from this length on are passed over as a whole where that is possible. */
enum { NMC_WHOLE_SEGMENT = 64 };

struct nmc_strip {
    double *along[NMC_MAX_METRICS + 1]; /* [row]; NULL: all 0 */
    uint64_t outer, mixed;              /* units */
    int32_t *offset[NMC_MAX_UNITS];     /* of mixed units, [row] */
    /* NULL if every point has to be looked at */
    struct nmc_segment *segments[NMC_MAX_METRICS]; /* [segments_per_row] */
    struct nmc_share *shares;                      /* of all segments, one after the other */
    int64_t *first_share;                          /* [segments_per_row + 1] */
};

/* False: out of memory. */
bool nmc_strip_make(struct nmc_strip *strip, const struct nmc_cell *cell,
                    const struct nmc_plan *plan, const struct nmc_grid *grid,
                    struct nmc_arena *arena);

/* The part of a metric that all points of a row share, from the levels of the outer groups. */
double nmc_strip_base(const struct nmc_strip *strip, const struct nmc_cell *cell, int metric,
                      const int32_t *levels);

/* Metric values of `count` points of a row from point `from` on. */
void nmc_strip_fill(const struct nmc_strip *strip, const struct nmc_cell *cell, int metric,
                    const int32_t *levels, double base, int64_t from, int64_t count, double *out);

#endif
