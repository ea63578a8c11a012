/* Folding of operators that move or repeat elements along strides: views, Transpose, Slice,
 * Split, Expand, Tile. */
#include "graph/fold/fold.h"
#include "graph/infer/shape_ops.h"

/* Reshape and its kin: the array itself, which nobody writes to again. */
neuromc_status nmc_fold_view(struct nmc_infer *infer, struct nmc_node *node) {
    struct nmc_value from;
    int64_t count;
    (void)infer;
    if (!nmc_value_of(node, 0, &from) || !nmc_fold_target(node, 0, &count) || count != from.count)
        return NEUROMC_OK;
    const struct nmc_tensor *input = nmc_in(node, 0);
    node->outputs[0]->ints = input->ints;
    node->outputs[0]->reals = input->reals;
    node->outputs[0]->value_count = count;
    return NEUROMC_OK;
}

/* The input, unless elements are dropped: before opset 7 an attribute says so, from 12 on an
 * input. */
neuromc_status nmc_fold_dropout(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_tensor *training = nmc_in(node, 2);
    int64_t is_test = 1;
    neuromc_status status = NEUROMC_OK;
    if (nmc_before(node, 7))
        status = nmc_attr_int(infer, node, "is_test", 0, &is_test);
    bool off = !training || (training->ints && training->value_count == 1 && !training->ints[0]);
    return status == NEUROMC_OK && is_test && off ? nmc_fold_view(infer, node) : status;
}

static neuromc_status strided(struct nmc_infer *infer, struct nmc_node *node, int output,
                              const struct nmc_value *from, int64_t offset,
                              const int64_t *strides) {
    int64_t source[NMC_LIMIT_FOLD_ELEMENTS], count;
    const struct nmc_shape *shape = nmc_fold_target(node, output, &count);
    if (!shape)
        return NEUROMC_OK;
    for (int64_t i = 0; i < count; i++)
        source[i] = offset + nmc_strided(shape, strides, i);
    return nmc_fold_pick(infer, node, output, from, count, source);
}

neuromc_status nmc_fold_transpose(struct nmc_infer *infer, struct nmc_node *node) {
    struct nmc_value from;
    int perm[NMC_LIMIT_RANK];
    int64_t own[NMC_LIMIT_RANK], strides[NMC_LIMIT_RANK];
    if (!nmc_value_of(node, 0, &from))
        return NEUROMC_OK;
    neuromc_status status = nmc_permutation(infer, node, from.shape->rank, perm);
    if (status != NEUROMC_OK)
        return status;
    nmc_strides(from.shape, own);
    for (int i = 0; i < from.shape->rank; i++)
        strides[i] = own[perm[i]];
    return strided(infer, node, 0, &from, 0, strides);
}

neuromc_status nmc_fold_slice(struct nmc_infer *infer, struct nmc_node *node) {
    struct nmc_value from;
    struct nmc_slice slices[NMC_LIMIT_RANK];
    int64_t strides[NMC_LIMIT_RANK], offset = 0;
    if (!nmc_value_of(node, 0, &from))
        return NEUROMC_OK;
    neuromc_status status = nmc_slices(infer, node, from.shape, slices);
    if (status != NEUROMC_OK)
        return status;
    if (from.count == 0)
        return strided(infer, node, 0, &from, 0, strides);
    nmc_strides(from.shape, strides);
    for (int i = 0; i < from.shape->rank; i++) {
        if (!nmc_dim_known(slices[i].start) || !nmc_dim_known(slices[i].size))
            return NEUROMC_OK;
        offset += slices[i].start * strides[i];
        /* With one element or none the step may be as large as it likes. */
        strides[i] = slices[i].size > 1 ? strides[i] * slices[i].step : 0;
    }
    return strided(infer, node, 0, &from, offset, strides);
}

neuromc_status nmc_fold_split(struct nmc_infer *infer, struct nmc_node *node) {
    struct nmc_value from;
    int64_t strides[NMC_LIMIT_RANK], wanted, begin = 0;
    int axis;
    if (!nmc_value_of(node, 0, &from) || from.count == 0)
        return NEUROMC_OK;
    neuromc_status status = nmc_attr_int(infer, node, "axis", 0, &wanted);
    if (status == NEUROMC_OK)
        status = nmc_axis(infer, node, "axis", wanted, from.shape->rank, &axis);
    nmc_strides(from.shape, strides);
    for (int i = 0; status == NEUROMC_OK && i < node->output_count; i++) {
        const struct nmc_tensor *part = node->outputs[i];
        if (!part || part->shape.rank != from.shape->rank || !nmc_shape_known(&part->shape))
            return NEUROMC_OK;
        status = strided(infer, node, i, &from, begin * strides[axis], strides);
        begin += part->shape.dims[axis];
    }
    return status;
}

neuromc_status nmc_fold_expand(struct nmc_infer *infer, struct nmc_node *node) {
    struct nmc_value from;
    int64_t strides[NMC_LIMIT_RANK], count;
    const struct nmc_shape *shape = nmc_fold_target(node, 0, &count);
    if (!shape || !nmc_value_of(node, 0, &from) || !nmc_broadcasts_to(from.shape, shape))
        return NEUROMC_OK;
    nmc_broadcast_strides(from.shape, shape, strides);
    return strided(infer, node, 0, &from, 0, strides);
}

neuromc_status nmc_fold_tile(struct nmc_infer *infer, struct nmc_node *node) {
    struct nmc_value from;
    int64_t strides[NMC_LIMIT_RANK], source[NMC_LIMIT_FOLD_ELEMENTS], count;
    const struct nmc_shape *shape = nmc_fold_target(node, 0, &count);
    if (!shape || !nmc_value_of(node, 0, &from) || from.shape->rank != shape->rank)
        return NEUROMC_OK;
    nmc_strides(from.shape, strides);
    for (int64_t i = 0; i < count; i++) {
        int64_t flat = i;
        source[i] = 0;
        for (int k = shape->rank - 1; k >= 0; k--) {
            int64_t at = flat % shape->dims[k], size = from.shape->dims[k];
            source[i] += at % size * strides[k];
            flat /= shape->dims[k];
        }
    }
    return nmc_fold_pick(infer, node, 0, &from, count, source);
}
