/* Concat: the sizes of one axis add up, all others agree. */
#include "base/limits.h"
#include "graph/infer/shape_ops.h"

/* Exporters start some lists with an empty [0], whatever the rank of what follows. */
static bool is_neutral(const struct nmc_shape *shape, int rank) {
    return rank != 1 && shape->rank == 1 && shape->dims[0] == 0;
}

static int largest_rank(const struct nmc_node *node) {
    int rank = -1;
    for (int i = 0; i < node->input_count; i++)
        if (nmc_in_shape(node, i) && nmc_in_shape(node, i)->rank > rank)
            rank = nmc_in_shape(node, i)->rank;
    return rank;
}

/* Opset 1 joins axis 1 unless told otherwise; later ones must be told. */
static neuromc_status concat_axis(struct nmc_infer *infer, const struct nmc_node *node, int rank,
                                  int *axis) {
    int64_t wanted;
    neuromc_status status = nmc_attr_int(infer, node, "axis", 1, &wanted);
    if (status != NEUROMC_OK)
        return status;
    if (node->opset >= 4 && !nmc_attr_find(node, "axis"))
        return nmc_node_error(infer, node, NULL, "has no axis");
    return nmc_axis(infer, node, "axis", wanted, rank, axis);
}

static neuromc_status join(struct nmc_infer *infer, struct nmc_node *node,
                           const struct nmc_shape *shape, int rank, int axis, bool first,
                           nmc_dim *dims) {
    neuromc_status status = NEUROMC_OK;
    if (shape->rank != rank)
        return nmc_node_error(infer, node, NULL, "inputs have %d and %d axes", shape->rank, rank);
    for (int i = 0; status == NEUROMC_OK && i < rank; i++) {
        nmc_dim d = shape->dims[i];
        if (i == axis)
            status = nmc_dim_add(infer, node, dims[i], d, &dims[i]);
        else if (first)
            dims[i] = d;
        else
            status = nmc_dim_unify(infer, node, i, dims[i], d, &dims[i]);
    }
    return status;
}

neuromc_status nmc_infer_concat(struct nmc_infer *infer, struct nmc_node *node) {
    int rank = largest_rank(node), axis = 0;
    nmc_dim dims[NMC_LIMIT_RANK];
    bool first = true, complete = true;
    if (nmc_in(node, 0))
        nmc_out_type(node, 0, nmc_in(node, 0)->type);
    if (rank < 0)
        return NEUROMC_OK;
    neuromc_status status = concat_axis(infer, node, rank, &axis);
    dims[axis] = 0;
    for (int i = 0; status == NEUROMC_OK && i < node->input_count; i++) {
        const struct nmc_shape *shape = nmc_in_shape(node, i);
        if (nmc_in(node, i) && !shape)
            complete = false;
        if (!shape || is_neutral(shape, rank))
            continue;
        status = join(infer, node, shape, rank, axis, first, dims);
        first = false;
    }
    if (status != NEUROMC_OK)
        return status;
    if (!complete)
        dims[axis] = nmc_unknown(infer, node);
    enum nmc_elem type = nmc_in(node, 0) ? nmc_in(node, 0)->type : NMC_ELEM_undefined;
    return nmc_out(infer, node, 0, type, rank, dims);
}
