/*
 * trace_args.h - the arguments and results of an aten event, by position and with their key path
 * in errors; private to the lowering of traces.
 */
#ifndef NMC_TRACE_ARGS_H
#define NMC_TRACE_ARGS_H

#include "model/trace_work.h"

/* A tensor of at least least_rank dims; anything else is an error. */
neuromc_status nmc_arg_tensor(const struct nmc_trace_work *work, size_t index, int least_rank,
                              const struct nmc_trace_tensor **out);
/* An optional flag or number; `absent` if the list is shorter. */
neuromc_status nmc_arg_bool(const struct nmc_trace_work *work, size_t index, bool absent,
                            bool *out);
neuromc_status nmc_arg_count(const struct nmc_trace_work *work, size_t index, int64_t absent,
                             int64_t *out);

/* Strides or dilations of a convolution; 0 where there is no number above 0. */
void nmc_arg_steps(const struct nmc_trace_work *work, size_t index, int axes, int64_t out[3]);

/* The result as a tensor. */
neuromc_status nmc_out_tensor(const struct nmc_trace_work *work, int least_rank,
                              const struct nmc_trace_tensor **out);
/* One of a list of results; NULL if it is null. A result that is no list is its own item 0. */
neuromc_status nmc_out_item(const struct nmc_trace_work *work, size_t index,
                            const struct nmc_trace_tensor **out);

/* NEUROMC_BAD_INPUT at `args[index]`. */
neuromc_status nmc_arg_error(const struct nmc_trace_work *work, size_t index, const char *format,
                             ...) __attribute__((format(printf, 3, 4)));

#endif
