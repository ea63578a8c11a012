/*
 * stream.h - every point as a row of CSV or a line of NDJSON.
 */
#ifndef NMC_STREAM_H
#define NMC_STREAM_H

#include "base/strbuf.h"
#include "sweep/tally.h"

/* Rows of a chunk, in memory until it is its turn to be written. */
struct nmc_stream {
    neuromc_points_format format;
    struct nmc_strbuf text;
};

/* The head of a file: the columns. */
void nmc_stream_head(struct nmc_stream *stream, const struct nmc_plan *plan);
/* Rows of a block; reason_of(user, i) says why point i failed. */
void nmc_stream_block(struct nmc_stream *stream, const struct nmc_plan *plan,
                      const struct nmc_block *block,
                      const char *(*reason_of)(void *user, int64_t i), void *user);

#endif
