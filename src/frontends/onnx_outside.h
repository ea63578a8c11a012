/*
 * onnx_outside.h - tensors whose values lie outside an ONNX file, and a copy of the file that has
 * values for them inside.
 *
 * A network is often shipped without its weights: tensors say a place in another file that is not
 * there, or nothing. Where they are, and how a file looks that has them, is read from the wire
 * format, so that copying needs no memory for weights.
 */
#ifndef NMC_ONNX_OUTSIDE_H
#define NMC_ONNX_OUTSIDE_H

#include "base/file.h"
#include "base/limits.h"
#include "graph/graph.h"

/* A tensor of the file, in an initializer or an attribute, that has elements but no values. */
struct nmc_outside {
    uint64_t index; /* among them, in file order */
    char name[128]; /* cut off if it is longer; "" if it has none */
    enum nmc_elem type;
    int rank;
    int64_t dims[NMC_LIMIT_RANK];
    int64_t elements, bytes;
    char location[1024];    /* the file that it names, relative to the model's; "" none */
    int64_t offset, length; /* there; length -1: not stated */
};

/* Calls visit for each. Stops when visit returns anything but NEUROMC_OK. */
neuromc_status nmc_onnx_outside(const struct nmc_file *file, const char *name,
                                neuromc_status (*visit)(void *user, const struct nmc_outside *t),
                                void *user, neuromc_diags *diags);

/* Stores elements [first, first + count) of a tensor; first is a multiple of 4096. */
typedef void nmc_outside_fill(void *user, const struct nmc_outside *tensor, int64_t first,
                              int64_t count, void *data);

/* Writes the file with all these tensors filled. NEUROMC_UNSUPPORTED if that is more than
 * protobuf's 2 GiB; NEUROMC_IO if write fails. */
neuromc_status nmc_onnx_fill(const struct nmc_file *file, const char *name, nmc_outside_fill *fill,
                             void *user, neuromc_write_fn write, void *to, neuromc_diags *diags);

#endif
