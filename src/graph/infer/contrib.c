/* What com.microsoft adds beside attention, products and training: mostly fused elementwise
 * operators. */
#include "base/limits.h"
#include "graph/infer.h"

/* The last axis is split in two and one half gates the other. */
neuromc_status nmc_infer_split_gelu(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *x = nmc_in_shape(node, 0);
    nmc_dim out[NMC_LIMIT_RANK];
    nmc_out_type(node, 0, nmc_in_type(node, 0));
    if (!x || x->rank < 1)
        return NEUROMC_OK;
    for (int i = 0; i < x->rank; i++)
        out[i] = x->dims[i];
    nmc_dim *last = &out[x->rank - 1];
    *last = nmc_dim_known(*last) ? *last / 2 : nmc_unknown(infer, node);
    return nmc_out(infer, node, 0, nmc_in_type(node, 0), x->rank, out);
}

/* y and the mask of what was kept */
neuromc_status nmc_infer_bias_dropout(struct nmc_infer *infer, struct nmc_node *node) {
    neuromc_status status = nmc_out_like(infer, node, 0, 0);
    if (status == NEUROMC_OK)
        status = nmc_out_like(infer, node, 1, 0);
    nmc_out_type(node, 1, NMC_ELEM_bool);
    return status;
}

/* Distances between the rows of two matrices. */
neuromc_status nmc_infer_distances(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *a = nmc_in_shape(node, 0), *b = nmc_in_shape(node, 1);
    nmc_dim out[2] = {a && a->rank == 2 ? a->dims[0] : nmc_unknown(infer, node),
                      b && b->rank == 2 ? b->dims[0] : nmc_unknown(infer, node)};
    return nmc_out(infer, node, 0, nmc_in_type(node, 0), 2, out);
}

/* Sizes are the value of an input, before the channels or behind them. */
neuromc_status nmc_infer_crop_and_resize(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *x = nmc_in_shape(node, 0), *rois = nmc_in_shape(node, 1);
    int64_t count;
    const nmc_dim *size = nmc_in_ints(node, 3, &count);
    nmc_out_type(node, 0, nmc_in_type(node, 0));
    if (!x || x->rank != 4 || !rois || rois->rank != 2)
        return NEUROMC_OK;
    bool known = size && count == 2;
    nmc_dim out[4] = {rois->dims[0], x->dims[1], known ? size[0] : nmc_unknown(infer, node),
                      known ? size[1] : nmc_unknown(infer, node)};
    return nmc_out(infer, node, 0, nmc_in_type(node, 0), 4, out);
}
