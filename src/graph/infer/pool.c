/* Pooling: windows, whole axes, regions of interest, and what turns pooling back. */
#include "graph/infer/window.h"

/* Batch, channels and spatial axes; at least one of the latter. */
static neuromc_status check_rank(struct nmc_infer *infer, const struct nmc_node *node,
                                 const struct nmc_shape *x) {
    if (x && x->rank < 3)
        return nmc_node_error(infer, node, NULL, "input has %d axes, at least 3 wanted", x->rank);
    return NEUROMC_OK;
}

static neuromc_status need_kernel(struct nmc_infer *infer, const struct nmc_node *node) {
    const struct nmc_attr *attr = nmc_attr_find(node, "kernel_shape");
    if (!attr || attr->count < 1)
        return nmc_node_error(infer, node, NULL, "attribute kernel_shape is missing");
    return NEUROMC_OK;
}

static neuromc_status pooled(struct nmc_infer *infer, const struct nmc_node *node,
                             const struct nmc_shape *x, nmc_dim *out) {
    struct nmc_window window;
    neuromc_status status = check_rank(infer, node, x);
    if (status == NEUROMC_OK)
        status = need_kernel(infer, node);
    if (status == NEUROMC_OK)
        status = nmc_window_read(infer, node, x->rank - 2, NULL, &window);
    if (status != NEUROMC_OK)
        return status;
    out[0] = x->dims[0];
    out[1] = x->dims[1];
    return nmc_window_slide(infer, node, &window, x->dims + 2, out + 2);
}

neuromc_status nmc_infer_pool(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *x = nmc_in_shape(node, 0);
    enum nmc_elem type = nmc_in_type(node, 0);
    nmc_dim out[NMC_LIMIT_RANK];
    nmc_out_type(node, 0, type);
    nmc_out_type(node, 1, NMC_ELEM_int64);
    if (!x)
        return NEUROMC_OK;
    neuromc_status status = pooled(infer, node, x, out);
    if (status == NEUROMC_OK)
        status = nmc_out(infer, node, 0, type, x->rank, out);
    if (status == NEUROMC_OK) /* the indices of MaxPool */
        status = nmc_out(infer, node, 1, NMC_ELEM_int64, x->rank, out);
    return status;
}

neuromc_status nmc_infer_global_pool(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *x = nmc_in_shape(node, 0);
    enum nmc_elem type = nmc_in_type(node, 0);
    nmc_dim out[NMC_LIMIT_RANK];
    nmc_out_type(node, 0, type);
    if (!x)
        return NEUROMC_OK;
    if (x->rank < 2)
        return nmc_node_error(infer, node, NULL, "input has %d axes, at least 2 wanted", x->rank);
    for (int i = 0; i < x->rank; i++)
        out[i] = i < 2 ? x->dims[i] : 1;
    return nmc_out(infer, node, 0, type, x->rank, out);
}

/* ---- back to the unpooled size ---- */

neuromc_status nmc_infer_max_unpool(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *x = nmc_in_shape(node, 0);
    enum nmc_elem type = nmc_in_type(node, 0);
    struct nmc_window window;
    nmc_dim out[NMC_LIMIT_RANK];
    int64_t count;
    nmc_out_type(node, 0, type);
    const nmc_dim *stated = nmc_in_ints(node, 2, &count);
    if (!x)
        return NEUROMC_OK;
    if (stated && count == x->rank)
        return nmc_out(infer, node, 0, type, x->rank, stated);
    neuromc_status status = check_rank(infer, node, x);
    if (status == NEUROMC_OK)
        status = need_kernel(infer, node);
    if (status == NEUROMC_OK)
        status = nmc_window_read(infer, node, x->rank - 2, NULL, &window);
    if (status != NEUROMC_OK)
        return status;
    bool open = nmc_in(node, 2) != NULL; /* a stated size that is not known */
    out[0] = x->dims[0];
    out[1] = x->dims[1];
    status = nmc_window_spread(infer, node, &window, x->dims + 2, out + 2);
    for (int i = 2; open && i < x->rank; i++)
        out[i] = nmc_unknown(infer, node);
    return status == NEUROMC_OK ? nmc_out(infer, node, 0, type, x->rank, out) : status;
}

/* dX of max pooling: the pool whose indices it reads knows the shape. */
neuromc_status nmc_infer_max_pool_grad(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_tensor *indices = nmc_in(node, 1);
    const struct nmc_node *pool = indices ? indices->producer : NULL;
    const struct nmc_shape *x = pool && pool->input_count ? nmc_in_shape(pool, 0) : NULL;
    enum nmc_elem type = nmc_in_type(node, 0);
    nmc_out_type(node, 0, type);
    if (!x || !nmc_node_is(pool, "MaxPool"))
        return NEUROMC_OK;
    return nmc_out(infer, node, 0, type, x->rank, x->dims);
}

/* ---- regions of interest ---- */

static neuromc_status regions(struct nmc_infer *infer, struct nmc_node *node, nmc_dim height,
                              nmc_dim width) {
    const struct nmc_shape *x = nmc_in_shape(node, 0), *rois = nmc_in_shape(node, 1);
    enum nmc_elem type = nmc_in_type(node, 0);
    nmc_out_type(node, 0, type);
    if ((x && x->rank != 4) || (rois && rois->rank != 2))
        return nmc_node_error(infer, node, NULL, "%s has %d axes, %d wanted",
                              x && x->rank != 4 ? "input" : "rois",
                              x && x->rank != 4 ? x->rank : rois->rank, x && x->rank != 4 ? 4 : 2);
    nmc_dim out[4] = {rois ? rois->dims[0] : nmc_unknown(infer, node),
                      x ? x->dims[1] : nmc_unknown(infer, node), height, width};
    return nmc_out(infer, node, 0, type, 4, out);
}

neuromc_status nmc_infer_max_roi_pool(struct nmc_infer *infer, struct nmc_node *node) {
    int64_t size[2];
    neuromc_status status = nmc_axis_values(infer, node, "pooled_shape", 2, 1, 1, size);
    return status == NEUROMC_OK ? regions(infer, node, size[0], size[1]) : status;
}

neuromc_status nmc_infer_roi_align(struct nmc_infer *infer, struct nmc_node *node) {
    int64_t height, width;
    neuromc_status status = nmc_attr_size(infer, node, "output_height", 1, &height);
    if (status == NEUROMC_OK)
        status = nmc_attr_size(infer, node, "output_width", 1, &width);
    return status == NEUROMC_OK ? regions(infer, node, height, width) : status;
}
