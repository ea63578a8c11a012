/* Normalisation: all keep the shape of their input; some give statistics beside it. */
#include "base/limits.h"
#include "graph/infer.h"

/* ---- batch normalisation ---- */

/* Channels are axis 1; a symbolic count is that of the scale. Before version 9 `spatial` = 0
 * normalises each feature on its own. */
static neuromc_status check_channels(struct nmc_infer *infer, const struct nmc_node *node,
                                     const struct nmc_shape *x, const struct nmc_shape *scale) {
    int64_t spatial;
    neuromc_status status = nmc_attr_int(infer, node, "spatial", 1, &spatial);
    if (status == NEUROMC_OK && spatial && x && x->rank >= 2 && scale && scale->rank == 1 &&
        !nmc_unify(infer, x->dims[1], scale->dims[0]))
        return nmc_node_error(infer, node, NULL, "input has %lld channels, scale %lld",
                              (long long)x->dims[1], (long long)scale->dims[0]);
    return status;
}

/* Y, then two or four statistics of the channels. */
neuromc_status nmc_infer_batch_norm(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *scale = nmc_in_shape(node, 1);
    neuromc_status status = check_channels(infer, node, nmc_in_shape(node, 0), scale);
    if (status == NEUROMC_OK)
        status = nmc_out_like(infer, node, 0, 0);
    for (int i = 1; status == NEUROMC_OK && i < node->output_count; i++)
        status = nmc_out_like(infer, node, i, node->input_count > 3 ? 3 : 1);
    return status;
}

/* ---- layer normalisation ---- */

/* Statistics have 1 where axes are normalised. */
static neuromc_status statistics(struct nmc_infer *infer, struct nmc_node *node, int output,
                                 const struct nmc_shape *x, int axis) {
    nmc_dim dims[NMC_LIMIT_RANK];
    for (int i = 0; i < x->rank; i++)
        dims[i] = i < axis ? x->dims[i] : 1;
    return nmc_out(infer, node, output, NMC_ELEM_float32, x->rank, dims);
}

/* Y, then mean and inverse deviation over the axes from `axis` on. */
neuromc_status nmc_infer_layer_norm(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *x = nmc_in_shape(node, 0);
    int64_t said;
    int axis;
    neuromc_status status = nmc_out_like(infer, node, 0, 0);
    if (status == NEUROMC_OK)
        status = nmc_attr_int(infer, node, "axis", -1, &said);
    if (status != NEUROMC_OK || !x)
        return status;
    status = nmc_axis(infer, node, "axis", said, x->rank, &axis);
    for (int i = 1; status == NEUROMC_OK && i < node->output_count && i < 3; i++)
        status = statistics(infer, node, i, x, axis);
    return status;
}

/* Y, mean, inverse deviation, and the sum that was normalised. */
neuromc_status nmc_infer_skip_layer_norm(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *x = nmc_in_shape(node, 0);
    neuromc_status status = nmc_out_like(infer, node, 0, 0);
    for (int i = 1; status == NEUROMC_OK && x && x->rank && i < 3; i++)
        status = statistics(infer, node, i, x, x->rank - 1);
    return status == NEUROMC_OK ? nmc_out_like(infer, node, 3, 0) : status;
}

/* Y, and the sum that was normalised. */
neuromc_status nmc_infer_skip_group_norm(struct nmc_infer *infer, struct nmc_node *node) {
    neuromc_status status = nmc_out_like(infer, node, 0, 0);
    return status == NEUROMC_OK ? nmc_out_like(infer, node, 1, 0) : status;
}

/* Token ids [B, S] become [B, S, hidden], the width of the word embedding. */
neuromc_status nmc_infer_embed_layer_norm(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *ids = nmc_in_shape(node, 0), *words = nmc_in_shape(node, 2);
    enum nmc_elem type = nmc_in_type(node, 2);
    nmc_out_type(node, 0, type);
    nmc_out_type(node, 1, NMC_ELEM_int32);
    if (!ids || ids->rank != 2)
        return NEUROMC_OK;
    nmc_dim dims[3] = {ids->dims[0], ids->dims[1],
                       words && words->rank == 2 ? words->dims[1] : nmc_unknown(infer, node)};
    neuromc_status status = nmc_out(infer, node, 0, type, 3, dims);
    if (status == NEUROMC_OK)
        status = nmc_out(infer, node, 1, NMC_ELEM_int32, 1, dims);
    return status == NEUROMC_OK ? nmc_out(infer, node, 2, type, 3, dims) : status;
}
