/*
 * grid.h - how the points of a whole space lie in rows, segments and chunks.
 *
 * A row is all combinations of the inner groups: the last ones, as many as make a row of a useful
 * length. Rows are cut into segments, and some segments in a row of index order are a chunk: what
 * one thread works on and what a shard consists of. All of it follows from the space alone, not
 * from jobs or shards.
 */
#ifndef NMC_GRID_H
#define NMC_GRID_H

#include "sweep/plan.h"

struct nmc_grid {
    int inner_from; /* groups from here on are inner */
    int64_t row;    /* points of a row */
    int64_t segment, segments_per_row;
    int64_t segments, segments_per_chunk, chunks; /* of the space */
    int64_t sample_chunk;                         /* sampled: points of a chunk instead */
    int32_t *levels[NMC_MAX_AXES];                /* of the inner groups, [row] */
    struct nmc_arena arena;
};

/* False: out of memory. */
bool nmc_grid_make(struct nmc_grid *grid, const struct nmc_plan *plan);
void nmc_grid_release(struct nmc_grid *grid);

/* Chunks of shard `shard` of `count`, from 1: [*from, *to). */
void nmc_grid_shard(const struct nmc_grid *grid, int64_t shard, int64_t count, int64_t *from,
                    int64_t *to);
/* The first point of a chunk; of the chunk after the last, the number of points. */
int64_t nmc_grid_first(const struct nmc_grid *grid, const struct nmc_plan *plan, int64_t chunk);

#endif
