/* Convolutions: Conv and what is made like it (integer, quantised, deformable, fused), transposed
 * convolution. */
#include "graph/infer/window.h"

/* Where an operator keeps its tensors. */
struct places {
    int x, w;
    enum nmc_elem type; /* of the output */
};

/* Spatial axes, from whichever of input and weight is known; 0 if neither is. */
static neuromc_status spatial_axes(struct nmc_infer *infer, const struct nmc_node *node,
                                   const struct nmc_shape *x, const struct nmc_shape *w,
                                   int *axes) {
    *axes = x ? x->rank - 2 : w ? w->rank - 2 : 0;
    if (x && x->rank < 3)
        return nmc_node_error(infer, node, NULL, "input has %d axes, at least 3 wanted", x->rank);
    if (w && w->rank < 3)
        return nmc_node_error(infer, node, NULL, "weight has %d axes, at least 3 wanted", w->rank);
    if (x && w && x->rank != w->rank)
        return nmc_node_error(infer, node, NULL, "weight has %d spatial ax%s, input %d",
                              w->rank - 2, w->rank == 3 ? "is" : "es", x->rank - 2);
    return NEUROMC_OK;
}

static neuromc_status read_group(struct nmc_infer *infer, const struct nmc_node *node,
                                 int64_t *group) {
    neuromc_status status = nmc_attr_int(infer, node, "group", 1, group);
    if (status == NEUROMC_OK && *group < 1)
        return nmc_node_error(infer, node, NULL, "group must be positive");
    return status;
}

/* A convolution reads (channels of the weight) x group; a symbolic channel count is that. */
static neuromc_status check_channels(struct nmc_infer *infer, const struct nmc_node *node,
                                     const struct nmc_shape *x, const struct nmc_shape *w,
                                     int64_t group) {
    nmc_dim wanted;
    if (nmc_dim_known(w->dims[0]) && w->dims[0] % group)
        return nmc_node_error(infer, node, NULL,
                              "%lld output channels do not divide into %lld "
                              "groups",
                              (long long)w->dims[0], (long long)group);
    neuromc_status status = nmc_dim_mul(infer, node, w->dims[1], group, &wanted);
    if (status == NEUROMC_OK && x && !nmc_unify(infer, x->dims[1], wanted))
        return nmc_node_error(infer, node, NULL,
                              "input has %lld channels, weight wants %lld x group %lld",
                              (long long)x->dims[1], (long long)w->dims[1], (long long)group);
    return status;
}

/* N and spatial axes of the input, where they are not known each a fresh unknown. */
static void open_dims(struct nmc_infer *infer, const struct nmc_node *node,
                      const struct nmc_shape *x, int rank, nmc_dim *dims) {
    for (int i = 0; i < rank; i++)
        dims[i] = x ? x->dims[i] : nmc_unknown(infer, node);
}

static neuromc_status convolve(struct nmc_infer *infer, struct nmc_node *node,
                               const struct places *at) {
    const struct nmc_shape *x = nmc_in_shape(node, at->x), *w = nmc_in_shape(node, at->w);
    struct nmc_window window;
    nmc_dim in[NMC_LIMIT_RANK], out[NMC_LIMIT_RANK];
    int64_t group;
    int axes;
    nmc_out_type(node, 0, at->type);
    neuromc_status status = read_group(infer, node, &group);
    if (status == NEUROMC_OK)
        status = spatial_axes(infer, node, x, w, &axes);
    if (status != NEUROMC_OK || (!x && !w))
        return status;
    if (w)
        status = check_channels(infer, node, x, w, group);
    if (status == NEUROMC_OK)
        status = nmc_window_read(infer, node, axes, w ? w->dims + 2 : NULL, &window);
    if (status != NEUROMC_OK)
        return status;
    open_dims(infer, node, x, axes + 2, in);
    out[0] = in[0];
    out[1] = w ? w->dims[0] : nmc_unknown(infer, node);
    status = nmc_window_slide(infer, node, &window, in + 2, out + 2);
    return status == NEUROMC_OK ? nmc_out(infer, node, 0, at->type, axes + 2, out) : status;
}

neuromc_status nmc_infer_conv(struct nmc_infer *infer, struct nmc_node *node) {
    return convolve(infer, node, &(struct places){0, 1, nmc_in_type(node, 0)});
}

neuromc_status nmc_infer_conv_integer(struct nmc_infer *infer, struct nmc_node *node) {
    return convolve(infer, node, &(struct places){0, 1, NMC_ELEM_int32});
}

/* x, its scale and zero point, w, its scale and zero point, y's scale and zero point, bias */
neuromc_status nmc_infer_qlinear_conv(struct nmc_infer *infer, struct nmc_node *node) {
    return convolve(infer, node, &(struct places){0, 3, nmc_in_type(node, 7)});
}

/* ---- transposed ---- */

/* The weight is [C, M / group, kernel...]. */
static neuromc_status check_transposed(struct nmc_infer *infer, const struct nmc_node *node,
                                       const struct nmc_shape *x, const struct nmc_shape *w,
                                       int64_t group) {
    if (nmc_dim_known(w->dims[0]) && w->dims[0] % group)
        return nmc_node_error(infer, node, NULL,
                              "%lld input channels do not divide into %lld groups",
                              (long long)w->dims[0], (long long)group);
    if (x && !nmc_unify(infer, x->dims[1], w->dims[0]))
        return nmc_node_error(infer, node, NULL, "input has %lld channels, weight wants %lld",
                              (long long)x->dims[1], (long long)w->dims[0]);
    return NEUROMC_OK;
}

/* output_shape wins over everything; some writers put batch and channels in front of it. */
static neuromc_status stated_output(struct nmc_infer *infer, const struct nmc_node *node, int axes,
                                    const int64_t **out) {
    int64_t count;
    neuromc_status status = nmc_attr_ints(infer, node, "output_shape", out, &count);
    if (status != NEUROMC_OK || !count) {
        *out = NULL;
        return status;
    }
    if (count != axes && count != axes + 2)
        return nmc_node_error(infer, node, NULL, "output_shape has %lld entries, %d wanted",
                              (long long)count, axes);
    *out += count - axes;
    for (int i = 0; i < axes; i++)
        if ((*out)[i] < 1)
            return nmc_node_error(infer, node, NULL, "output_shape must be positive");
    return NEUROMC_OK;
}

static neuromc_status transposed_sizes(struct nmc_infer *infer, const struct nmc_node *node,
                                       const struct nmc_window *window, const nmc_dim *in,
                                       nmc_dim *out) {
    int64_t extra[NMC_LIMIT_RANK];
    const int64_t *stated = NULL;
    neuromc_status status =
        nmc_axis_values(infer, node, "output_padding", window->axes, 0, 0, extra);
    if (status == NEUROMC_OK)
        status = stated_output(infer, node, window->axes, &stated);
    if (status == NEUROMC_OK)
        status = nmc_window_spread(infer, node, window, in, out);
    for (int i = 0; status == NEUROMC_OK && i < window->axes; i++) {
        if (stated)
            out[i] = stated[i];
        else if (window->auto_pad != NMC_PAD_SAME)
            status = nmc_dim_add(infer, node, out[i], extra[i], &out[i]);
        if (nmc_dim_known(out[i]) && out[i] < 1)
            return nmc_node_error(infer, node, NULL,
                                  "output size along spatial axis %d would be "
                                  "%lld",
                                  i, (long long)out[i]);
    }
    return status;
}

neuromc_status nmc_infer_conv_transpose(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *x = nmc_in_shape(node, 0), *w = nmc_in_shape(node, 1);
    struct nmc_window window;
    nmc_dim in[NMC_LIMIT_RANK], out[NMC_LIMIT_RANK] = {0};
    int64_t group;
    int axes;
    nmc_out_type(node, 0, nmc_in_type(node, 0));
    neuromc_status status = read_group(infer, node, &group);
    if (status == NEUROMC_OK)
        status = spatial_axes(infer, node, x, w, &axes);
    if (status != NEUROMC_OK || (!x && !w))
        return status;
    if (w)
        status = check_transposed(infer, node, x, w, group);
    if (status == NEUROMC_OK)
        status = nmc_window_read(infer, node, axes, w ? w->dims + 2 : NULL, &window);
    if (status != NEUROMC_OK)
        return status;
    open_dims(infer, node, x, axes + 2, in);
    out[0] = in[0];
    out[1] = nmc_unknown(infer, node);
    if (w)
        status = nmc_dim_mul(infer, node, w->dims[1], group, &out[1]);
    if (status == NEUROMC_OK)
        status = transposed_sizes(infer, node, &window, in + 2, out + 2);
    return status == NEUROMC_OK ? nmc_out(infer, node, 0, nmc_in_type(node, 0), axes + 2, out)
                                : status;
}
