/*
 * values.h - made-up values of inputs and weights: a function of seed, tensor and index alone.
 */
#ifndef NMC_VALUES_H
#define NMC_VALUES_H

#include "graph/graph.h"

/* count elements from `first` on (even, for types of 4 bits) into data, as an input of `stream`.
 *
 * Random: floating point uniform from -1 to 1; int8, uint8 and types of 4 bits all values alike;
 * booleans and wider integers 0 or 1, which also an index or a mask may be. Spikes: 1 with the
 * probability `rate`, else 0. */
struct nmc_input_values {
    neuromc_inputs kind;
    double rate;
    uint64_t seed;
};
void nmc_input_fill(const struct nmc_input_values *values, uint64_t stream, enum nmc_elem type,
                    int64_t first, int64_t count, void *data);

/* The same for weights. Floating point, of two axes and more: uniform with the variance that keeps
 * activations alive, 1 / max(fan-in, outputs); of fewer (biases, scales, variances): from 0.5 to
 * 1.5. Integers of 8 bits and less: all values alike; wider ones 0, which any index may be. */
void nmc_weight_fill(uint64_t seed, uint64_t stream, enum nmc_elem type, const int64_t *dims,
                     int rank, int64_t first, int64_t count, void *data);

#endif
