/* Split: consecutive parts of one axis; lengths as an attribute or an input, or equal parts. */
#include "base/checked.h"
#include "base/limits.h"
#include "graph/infer/shape_ops.h"

static neuromc_status check_lengths(struct nmc_infer *infer, const struct nmc_node *node,
                                    nmc_dim size, const struct nmc_list *lengths) {
    int64_t sum = 0;
    bool fits = true;
    if (lengths->count != node->output_count)
        return nmc_node_error(infer, node, NULL, "%lld lengths for %d outputs",
                              (long long)lengths->count, node->output_count);
    if (!nmc_list_known(lengths) || !nmc_dim_known(size))
        return NEUROMC_OK;
    for (int64_t i = 0; i < lengths->count; i++)
        fits = nmc_add(sum, lengths->values[i], &sum) && fits;
    if (!fits || sum != size)
        return nmc_node_error(infer, node, NULL,
                              "the lengths do not sum to the size of the axis, %lld",
                              (long long)size);
    return NEUROMC_OK;
}

/* Equal parts; the last may be smaller where num_outputs asks for them (opset 18 on). */
static neuromc_status check_parts(struct nmc_infer *infer, const struct nmc_node *node,
                                  nmc_dim size, int64_t parts) {
    if (parts < 1 || parts < node->output_count)
        return nmc_node_error(infer, node, NULL, "num_outputs is %lld; it has %d outputs",
                              (long long)parts, node->output_count);
    if (nmc_dim_known(size) && size % parts && !nmc_attr_find(node, "num_outputs"))
        return nmc_node_error(infer, node, NULL, "an axis of size %lld has no %lld equal parts",
                              (long long)size, (long long)parts);
    return NEUROMC_OK;
}

neuromc_status nmc_split_read(struct nmc_infer *infer, const struct nmc_node *node, nmc_dim size,
                              struct nmc_split *out) {
    out->size = size;
    neuromc_status status = nmc_list(infer, node, "split", 1, &out->lengths);
    if (status == NEUROMC_OK)
        status = nmc_attr_int(infer, node, "num_outputs", node->output_count, &out->parts);
    if (status != NEUROMC_OK)
        return status;
    if (!out->lengths.given)
        return check_parts(infer, node, size, out->parts);
    return out->lengths.count < 0 ? NEUROMC_OK : check_lengths(infer, node, size, &out->lengths);
}

nmc_dim nmc_split_part(struct nmc_infer *infer, const struct nmc_node *node,
                       const struct nmc_split *split, int at) {
    if (split->lengths.values)
        return split->lengths.values[at];
    if (!split->lengths.given && split->parts == 1)
        return split->size;
    if (split->lengths.given || !nmc_dim_known(split->size))
        return nmc_unknown(infer, node);
    int64_t part = nmc_div_ceil(split->size, split->parts), begin;
    /* Parts beyond the end are empty. */
    if (!nmc_mul(part, at, &begin) || begin > split->size)
        return 0;
    return split->size - begin < part ? split->size - begin : part;
}

neuromc_status nmc_infer_split(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *shape = nmc_in_shape(node, 0);
    nmc_dim dims[NMC_LIMIT_RANK];
    struct nmc_split split;
    int64_t wanted;
    int axis;
    neuromc_status status = nmc_attr_int(infer, node, "axis", 0, &wanted);
    if (status != NEUROMC_OK || !nmc_in(node, 0))
        return status;
    for (int i = 0; i < node->output_count; i++)
        nmc_out_type(node, i, nmc_in(node, 0)->type);
    if (!shape)
        return NEUROMC_OK;
    status = nmc_axis(infer, node, "axis", wanted, shape->rank, &axis);
    if (status == NEUROMC_OK)
        status = nmc_split_read(infer, node, shape->dims[axis], &split);
    for (int i = 0; i < shape->rank; i++)
        dims[i] = shape->dims[i];
    for (int i = 0; status == NEUROMC_OK && i < node->output_count; i++) {
        dims[axis] = nmc_split_part(infer, node, &split, i);
        status = nmc_out(infer, node, i, nmc_in(node, 0)->type, shape->rank, dims);
    }
    return status;
}
