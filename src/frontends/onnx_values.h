/*
 * onnx_values.h - the numbers in a TensorProto.
 */
#ifndef NMC_ONNX_VALUES_H
#define NMC_ONNX_VALUES_H

#include "graph/graph.h"
#include "onnx.pb-c.h"

/* Fills in ints or reals of a tensor whose type, shape and value_count are set, if the payload is
 * there, complete, not too long to be folded and of a type that is decoded (not complex, string
 * or 8-bit floating point). Integers are clamped to NMC_DIM_LEAST..INT64_MAX. */
void nmc_read_values(struct nmc_arena *arena, struct nmc_tensor *tensor,
                     const Onnx__TensorProto *from);

#endif
