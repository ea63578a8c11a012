/*
 * dim.h - a dimension, or an element of a folded integer tensor: a number or a symbol.
 *
 * A symbol stands for a size the file leaves open ("batch", "N") or that depends on data. It is
 * coded as INT64_MIN + id, far below any size or index, so dims, shape vectors and the arithmetic
 * between them are plain int64_t arrays and a symbol keeps its identity on its way through
 * Shape, Gather, Concat and Reshape. Constants read from a file are clamped to NMC_DIM_LEAST.
 */
#ifndef NMC_DIM_H
#define NMC_DIM_H

#include <stdbool.h>
#include <stdint.h>

typedef int64_t nmc_dim;

#define NMC_DIM_LEAST (-(INT64_C(1) << 62))

static inline bool nmc_dim_known(nmc_dim d) {
    return d >= NMC_DIM_LEAST;
}

static inline nmc_dim nmc_dim_symbol(uint32_t id) {
    return INT64_MIN + (int64_t)id;
}

/* A number from a file as a value: far below any size or index, one is as good as another. */
static inline nmc_dim nmc_dim_clamp(int64_t value) {
    return value < NMC_DIM_LEAST ? NMC_DIM_LEAST : value;
}

static inline uint32_t nmc_dim_id(nmc_dim symbol) {
    return (uint32_t)(symbol - INT64_MIN);
}

#endif
