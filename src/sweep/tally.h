/*
 * tally.h - what a sweep keeps of its points: how many, the best, the front, sums for the effect
 * of each axis, and why points fail.
 *
 * Every thread has one; merging them, in any order, gives the same bits. Sums run in double within
 * a chunk, in an order that the chunk alone decides, and exactly from chunk to chunk.
 */
#ifndef NMC_TALLY_H
#define NMC_TALLY_H

#include "sweep/best.h"
#include "sweep/effect.h"
#include "sweep/grid.h"
#include "sweep/sayings.h"
#include "sweep/strip.h"
#include "sweep/sum.h"

enum nmc_point_state { NMC_POINT_OK, NMC_POINT_EXCLUDED, NMC_POINT_FAILED };

/* Points in a row of index order. */
struct nmc_block {
    int64_t first, count;
    double *values[NMC_MAX_METRICS];       /* [count] of each metric */
    unsigned char *states;                 /* [count] */
    const int32_t *levels;                 /* of groups whose level is the same for all */
    const int32_t *level_of[NMC_MAX_AXES]; /* [count] of those whose is not; NULL: in levels */
};

struct nmc_tally {
    const struct nmc_plan *plan;
    const struct nmc_grid *grid;
    int bin_start[NMC_MAX_AXES + 1];
    /* Sums are of value - shift, which keeps digits where values differ by little. */
    double shift[NMC_MAX_OBJECTIVES];

    int64_t evaluated, feasible, failed;
    struct nmc_sum sum[NMC_MAX_OBJECTIVES], squares[NMC_MAX_OBJECTIVES];
    double least[NMC_MAX_OBJECTIVES], most[NMC_MAX_OBJECTIVES];
    struct nmc_sum *bin_sums; /* [objective][bin of any group] */
    int64_t *bin_counts;      /* [bin of any group] */
    struct nmc_top top;
    struct nmc_front front;

    struct nmc_effects effects;

    struct nmc_sayings reasons, warnings;
    struct nmc_arena arena;

    /* of the chunk under way */
    double *chunk_bins; /* [objective][bin] */
    double chunk_sum[NMC_MAX_OBJECTIVES], chunk_squares[NMC_MAX_OBJECTIVES];
    const struct nmc_strip *strip; /* whose whole segments these are */
    int64_t *visits;               /* [segment of a row] */
    double *visit_bases;           /* [objective][segment of a row], of base - shift */
};

/* False: out of memory. So in all that follows. */
bool nmc_tally_init(struct nmc_tally *tally, const struct nmc_plan *plan,
                    const struct nmc_grid *grid, const double *shift);
void nmc_tally_release(struct nmc_tally *tally);

/* A cell is entered: its warnings, and what its objectives depend on. */
bool nmc_tally_cell(struct nmc_tally *tally, const struct nmc_cell *cell, const int32_t *levels);

/* A segment of a strip all of whose points are feasible, without looking at them. */
void nmc_tally_whole(struct nmc_tally *tally, const struct nmc_strip *strip, int64_t segment,
                     int64_t count, const double *bases, const int32_t *levels);
/* Points one by one: sums, counts. Failed ones are to be explained. */
void nmc_tally_sums(struct nmc_tally *tally, const struct nmc_block *block);
/* Points that may be among the best. */
bool nmc_tally_best(struct nmc_tally *tally, const struct nmc_block *block);
/* Whether points none of which is better anywhere than `values` may be passed over. */
bool nmc_tally_is_closed(const struct nmc_tally *tally, const double *values);

bool nmc_tally_failed(struct nmc_tally *tally, const char *reason, int64_t first, int64_t count);

void nmc_tally_end_chunk(struct nmc_tally *tally);
bool nmc_tally_merge(struct nmc_tally *tally, const struct nmc_tally *other);

#endif
