/* Reductions over axes: attribute or input, kept as size 1 or dropped. */
#include "base/limits.h"
#include "graph/infer/shape_ops.h"

neuromc_status nmc_reduced_axes(struct nmc_infer *infer, const struct nmc_node *node, int rank,
                                bool *reduced, bool *known) {
    struct nmc_list axes;
    int64_t noop;
    neuromc_status status = nmc_list(infer, node, "axes", 1, &axes);
    if (status == NEUROMC_OK)
        status = nmc_attr_int(infer, node, "noop_with_empty_axes", 0, &noop);
    if (status != NEUROMC_OK)
        return status;
    *known = !axes.given || nmc_list_known(&axes);
    if (*known && axes.given && axes.count > 0)
        return nmc_axis_set(infer, node, &axes, rank, reduced);
    for (int i = 0; i < rank; i++)
        reduced[i] = noop == 0;
    return NEUROMC_OK;
}

static neuromc_status out_reduced(struct nmc_infer *infer, struct nmc_node *node,
                                  enum nmc_elem type, const struct nmc_shape *shape,
                                  const bool *reduced, bool keep) {
    nmc_dim dims[NMC_LIMIT_RANK];
    int rank = 0;
    for (int i = 0; i < shape->rank; i++)
        if (!reduced[i])
            dims[rank++] = shape->dims[i];
        else if (keep)
            dims[rank++] = 1;
    return nmc_out(infer, node, 0, type, rank, dims);
}

/* Axes that are not known: the rank still is if it is kept or the number of axes is known. */
static neuromc_status out_open(struct nmc_infer *infer, struct nmc_node *node,
                               const struct nmc_shape *shape, bool keep) {
    struct nmc_list axes;
    neuromc_status status = nmc_list(infer, node, "axes", 1, &axes);
    enum nmc_elem type = nmc_in(node, 0)->type;
    if (status != NEUROMC_OK)
        return status;
    if (keep)
        return nmc_out_rank(infer, node, 0, type, shape->rank);
    if (axes.count > 0 && axes.count <= shape->rank)
        return nmc_out_rank(infer, node, 0, type, shape->rank - (int)axes.count);
    return NEUROMC_OK;
}

neuromc_status nmc_infer_reduce(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *shape = nmc_in_shape(node, 0);
    bool reduced[NMC_LIMIT_RANK], known;
    int64_t keep;
    neuromc_status status = nmc_attr_int(infer, node, "keepdims", 1, &keep);
    if (nmc_in(node, 0))
        nmc_out_type(node, 0, nmc_in(node, 0)->type);
    if (status != NEUROMC_OK || !shape)
        return status;
    status = nmc_reduced_axes(infer, node, shape->rank, reduced, &known);
    if (status != NEUROMC_OK)
        return status;
    if (!known)
        return out_open(infer, node, shape, keep != 0);
    return out_reduced(infer, node, nmc_in(node, 0)->type, shape, reduced, keep != 0);
}

/* ArgMax, ArgMin: one axis, indices. */
neuromc_status nmc_infer_arg_reduce(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *shape = nmc_in_shape(node, 0);
    bool reduced[NMC_LIMIT_RANK] = {false};
    int64_t keep, wanted;
    int axis;
    neuromc_status status = nmc_attr_int(infer, node, "keepdims", 1, &keep);
    if (status == NEUROMC_OK)
        status = nmc_attr_int(infer, node, "axis", 0, &wanted);
    nmc_out_type(node, 0, NMC_ELEM_int64);
    if (status != NEUROMC_OK || !shape)
        return status;
    status = nmc_axis(infer, node, "axis", wanted, shape->rank, &axis);
    if (status != NEUROMC_OK)
        return status;
    reduced[axis] = true;
    return out_reduced(infer, node, NMC_ELEM_int64, shape, reduced, keep != 0);
}
