/*
 * worker.h - one thread of a sweep: it prices chunks and tallies their points.
 */
#ifndef NMC_WORKER_H
#define NMC_WORKER_H

#include "sweep/stream.h"
#include "sweep/tally.h"

struct nmc_worker {
    const struct nmc_plan *plan;
    const struct nmc_grid *grid;
    struct nmc_cells *cells;
    struct nmc_tally tally;
    struct nmc_arena arena;
    struct nmc_stream *stream; /* NULL: rows are not asked for */
    struct nmc_block block;    /* of a segment, or of a chunk of samples */

    const struct nmc_cell *cell; /* held */
    int32_t levels[NMC_MAX_AXES];
    bool has_levels;
    double base[NMC_MAX_METRICS + 1]; /* of the row */
    double *failures;                 /* [segment] */
    int32_t *sample_levels[NMC_MAX_AXES];
    int64_t *order;              /* of the samples of a chunk by cell */
    struct nmc_strmap explained; /* reasons by what failed, in explained_arena */
    struct nmc_arena explained_arena;
};

/* False: out of memory. So in all that follows. */
bool nmc_worker_init(struct nmc_worker *worker, const struct nmc_plan *plan,
                     const struct nmc_grid *grid, struct nmc_cells *cells, const double *shift);
void nmc_worker_release(struct nmc_worker *worker);

/* Prices a chunk; its rows, if they are asked for, go to worker->stream. */
bool nmc_worker_chunk(struct nmc_worker *worker, int64_t chunk);
bool nmc_worker_samples(struct nmc_worker *worker, int64_t chunk);

/* Enters the cell of some levels. */
bool nmc_worker_enter(struct nmc_worker *worker, const int32_t *levels);
/* Why the point at these levels fails, though its cell works. NULL: out of memory. */
const char *nmc_worker_explain(struct nmc_worker *worker, const int32_t *levels);
/* Marks points that fail a constraint. */
void nmc_worker_exclude(const struct nmc_plan *plan, struct nmc_block *block);
/* Hands over points whose values and states are there. */
bool nmc_worker_finish_block(struct nmc_worker *worker);
/* Rows of the block alone. */
bool nmc_worker_stream(struct nmc_worker *worker);

#endif
