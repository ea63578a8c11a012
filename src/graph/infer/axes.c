/* Operators that add, drop, merge or reorder axes and keep the elements: Flatten, Squeeze,
 * Unsqueeze, Transpose. */
#include "base/limits.h"
#include "graph/infer/shape_ops.h"

neuromc_status nmc_infer_flatten(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *shape = nmc_in_shape(node, 0);
    int64_t axis;
    nmc_dim dims[2];
    neuromc_status status = nmc_attr_int(infer, node, "axis", 1, &axis);
    if (status != NEUROMC_OK || !nmc_in(node, 0))
        return status;
    if (!shape)
        return nmc_out_rank(infer, node, 0, nmc_in(node, 0)->type, 2);
    if (axis < -shape->rank || axis > shape->rank)
        return nmc_node_error(infer, node, NULL, "axis %lld does not exist: the input has %d axes",
                              (long long)axis, shape->rank);
    int at = (int)(axis < 0 ? axis + shape->rank : axis);
    status = nmc_dim_product(infer, node, shape->dims, at, &dims[0]);
    if (status == NEUROMC_OK)
        status = nmc_dim_product(infer, node, shape->dims + at, shape->rank - at, &dims[1]);
    return status == NEUROMC_OK ? nmc_out(infer, node, 0, nmc_in(node, 0)->type, 2, dims) : status;
}

/* ---- Squeeze ---- */

/* Without axes every axis of size 1 goes; false if an unknown size leaves that open. */
static bool squeeze_all(const struct nmc_shape *shape, bool *drop) {
    for (int i = 0; i < shape->rank; i++)
        drop[i] = shape->dims[i] == 1;
    return nmc_shape_known(shape);
}

static neuromc_status squeeze_some(struct nmc_infer *infer, struct nmc_node *node,
                                   const struct nmc_shape *shape, const struct nmc_list *axes,
                                   bool *drop) {
    neuromc_status status = nmc_axis_set(infer, node, axes, shape->rank, drop);
    for (int i = 0; status == NEUROMC_OK && i < shape->rank; i++)
        if (drop[i] && nmc_dim_known(shape->dims[i]) && shape->dims[i] != 1)
            status = nmc_node_error(infer, node, NULL, "axis %d has size %lld, not 1", i,
                                    (long long)shape->dims[i]);
    return status;
}

neuromc_status nmc_infer_squeeze(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *shape = nmc_in_shape(node, 0);
    struct nmc_list axes;
    bool drop[NMC_LIMIT_RANK];
    neuromc_status status = nmc_list(infer, node, "axes", 1, &axes);
    if (status != NEUROMC_OK || !nmc_in(node, 0))
        return status;
    enum nmc_elem type = nmc_in(node, 0)->type;
    nmc_out_type(node, 0, type);
    if (!shape)
        return NEUROMC_OK;
    if (axes.given && !nmc_list_known(&axes)) {
        bool counted = axes.count >= 0 && axes.count <= shape->rank;
        return counted ? nmc_out_rank(infer, node, 0, type, shape->rank - (int)axes.count)
                       : NEUROMC_OK;
    }
    if (axes.given)
        status = squeeze_some(infer, node, shape, &axes, drop);
    else if (!squeeze_all(shape, drop))
        return NEUROMC_OK;
    nmc_dim dims[NMC_LIMIT_RANK];
    int rank = 0;
    for (int i = 0; status == NEUROMC_OK && i < shape->rank; i++)
        if (!drop[i])
            dims[rank++] = shape->dims[i];
    return status == NEUROMC_OK ? nmc_out(infer, node, 0, type, rank, dims) : status;
}

/* ---- Unsqueeze ---- */

static neuromc_status unsqueeze(struct nmc_infer *infer, struct nmc_node *node,
                                const struct nmc_shape *shape, const struct nmc_list *axes) {
    int rank = shape->rank + (int)axes->count, from = 0, added = 0;
    bool add[NMC_LIMIT_RANK];
    nmc_dim dims[NMC_LIMIT_RANK];
    neuromc_status status = nmc_axis_set(infer, node, axes, rank, add);
    if (status != NEUROMC_OK)
        return status;
    for (int i = 0; i < rank; i++)
        added += add[i];
    if (added != axes->count)
        return nmc_node_error(infer, node, NULL, "axes name an axis twice");
    for (int i = 0; i < rank; i++)
        dims[i] = add[i] ? 1 : shape->dims[from++];
    return nmc_out(infer, node, 0, nmc_in(node, 0)->type, rank, dims);
}

neuromc_status nmc_infer_unsqueeze(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *shape = nmc_in_shape(node, 0);
    struct nmc_list axes;
    neuromc_status status = nmc_list(infer, node, "axes", 1, &axes);
    if (status != NEUROMC_OK || !nmc_in(node, 0))
        return status;
    nmc_out_type(node, 0, nmc_in(node, 0)->type);
    if (!axes.given)
        return nmc_node_error(infer, node, NULL, "has no axes");
    if (!shape || axes.count < 0)
        return NEUROMC_OK;
    if (axes.count > NMC_LIMIT_RANK - shape->rank)
        return nmc_node_error(infer, node, NULL, "adds %lld axes; the limit is %d",
                              (long long)axes.count, NMC_LIMIT_RANK);
    if (!nmc_list_known(&axes))
        return nmc_out_rank(infer, node, 0, nmc_in(node, 0)->type, shape->rank + (int)axes.count);
    return unsqueeze(infer, node, shape, &axes);
}

/* ---- Transpose ---- */

neuromc_status nmc_infer_transpose(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *shape = nmc_in_shape(node, 0);
    nmc_dim dims[NMC_LIMIT_RANK];
    int perm[NMC_LIMIT_RANK];
    if (nmc_in(node, 0))
        nmc_out_type(node, 0, nmc_in(node, 0)->type);
    if (!shape)
        return NEUROMC_OK;
    neuromc_status status = nmc_permutation(infer, node, shape->rank, perm);
    if (status != NEUROMC_OK)
        return status;
    for (int i = 0; i < shape->rank; i++)
        dims[i] = shape->dims[perm[i]];
    return nmc_out(infer, node, 0, nmc_in(node, 0)->type, shape->rank, dims);
}

neuromc_status nmc_permutation(struct nmc_infer *infer, const struct nmc_node *node, int rank,
                               int *perm) {
    struct nmc_list list;
    bool seen[NMC_LIMIT_RANK];
    neuromc_status status = nmc_list(infer, node, "perm", -1, &list);
    if (status != NEUROMC_OK)
        return status;
    for (int i = 0; i < rank; i++)
        perm[i] = rank - 1 - i;
    if (!list.given)
        return NEUROMC_OK;
    if (list.count != rank)
        return nmc_node_error(infer, node, NULL, "perm lists %lld axes; the input has %d",
                              (long long)list.count, rank);
    status = nmc_axis_set(infer, node, &list, rank, seen);
    if (status != NEUROMC_OK)
        return status;
    for (int i = 0; i < rank; i++) {
        if (!seen[i])
            return nmc_node_error(infer, node, NULL, "perm does not list axis %d", i);
        perm[i] = (int)(list.values[i] < 0 ? list.values[i] + rank : list.values[i]);
    }
    return NEUROMC_OK;
}
