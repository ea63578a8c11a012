/*
 * onnx_outside_walk.h - what finding and filling tensors without values share: where in a file
 * tensors are, and what one says.
 */
#ifndef NMC_ONNX_OUTSIDE_WALK_H
#define NMC_ONNX_OUTSIDE_WALK_H

#include "frontends/onnx_outside.h"
#include "frontends/wire.h"

/* Messages that hold tensors somewhere. */
enum nmc_holder {
    NMC_NO_HOLDER,
    NMC_HOLDS_MODEL,
    NMC_HOLDS_GRAPH,
    NMC_HOLDS_FUNCTION,
    NMC_HOLDS_NODE,
    NMC_HOLDS_ATTRIBUTE,
    NMC_IS_TENSOR
};
enum nmc_holder nmc_holder_in(enum nmc_holder parent, const struct nmc_wire_field *field);

/* Field numbers of TensorProto that a filled tensor has anew. */
enum { NMC_TENSOR_RAW = 9, NMC_TENSOR_EXTERNAL = 13, NMC_TENSOR_LOCATION = 14 };

struct nmc_outside_walk {
    const struct nmc_file *file;
    const char *name;
    neuromc_diags *diags;
    uint64_t found; /* tensors without values so far */
};

neuromc_status nmc_outside_malformed(const struct nmc_outside_walk *walk, size_t at);
/* The tensor in bytes [from, end) of the file; *outside: it has elements but no values. */
neuromc_status nmc_outside_tensor(struct nmc_outside_walk *walk, size_t from, size_t end,
                                  struct nmc_outside *tensor, bool *outside);

#endif
