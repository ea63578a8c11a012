/*
 * shape_ops.h - how operators that move elements read their arguments; shape inference and folding
 * ask the same questions. Arrays have room for NMC_LIMIT_RANK entries.
 */
#ifndef NMC_SHAPE_OPS_H
#define NMC_SHAPE_OPS_H

#include "graph/infer.h"

/* perm of a Transpose of `rank` axes: output axis i is input axis perm[i]. */
neuromc_status nmc_permutation(struct nmc_infer *infer, const struct nmc_node *node, int rank,
                               int *perm);

/* One axis of a Slice: output element i is input element start + i * step. */
struct nmc_slice {
    nmc_dim start, step;
    nmc_dim size; /* of the output */
};

/* All axes of a Slice; what is not known is a symbol. */
neuromc_status nmc_slices(struct nmc_infer *infer, const struct nmc_node *node,
                          const struct nmc_shape *shape, struct nmc_slice *slices);

/* A Split of an axis of this size: its lengths, or so many equal parts. */
struct nmc_split {
    nmc_dim size;
    struct nmc_list lengths; /* as many as outputs, if they are known at all */
    int64_t parts;
};

neuromc_status nmc_split_read(struct nmc_infer *infer, const struct nmc_node *node, nmc_dim size,
                              struct nmc_split *out);
/* Length of output `at`. */
nmc_dim nmc_split_part(struct nmc_infer *infer, const struct nmc_node *node,
                       const struct nmc_split *split, int at);

/* The axes that a reduction works on; not *known: they come from an input that is not known. */
neuromc_status nmc_reduced_axes(struct nmc_infer *infer, const struct nmc_node *node, int rank,
                                bool *reduced, bool *known);

/* Axes [begin, end) are those that a Shape of `rank` axes lists. */
neuromc_status nmc_shape_range(struct nmc_infer *infer, const struct nmc_node *node, int rank,
                               int *begin, int *end);

/* The attribute that holds the value of a Constant, or NULL. */
const struct nmc_attr *nmc_constant_value(const struct nmc_node *node);

/* start, limit and delta of a Range, if all of them are folded integers (or reals). */
bool nmc_range_ints(const struct nmc_node *node, nmc_dim of[3]);
bool nmc_range_reals(const struct nmc_node *node, double of[3]);

/* An attribute that names an element type by its code; undefined if there is no such type. */
neuromc_status nmc_elem_attr(struct nmc_infer *infer, const struct nmc_node *node, const char *name,
                             enum nmc_elem absent, enum nmc_elem *out);

#endif
