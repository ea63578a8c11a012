/* Quantisation: QuantizeLinear and its kin, and operators on quantised tensors. */
#include "base/limits.h"
#include "graph/infer/window.h"

/* ---- to and from integers ---- */

/* The type of the zero point, or output_dtype, or 8 bits. */
neuromc_status nmc_infer_quantize(struct nmc_infer *infer, struct nmc_node *node) {
    int64_t said;
    neuromc_status status = nmc_attr_int(infer, node, "output_dtype", 0, &said);
    if (status == NEUROMC_OK)
        status = nmc_out_like(infer, node, 0, 0);
    bool defined = said > 0 && said < NMC_ELEM_COUNT;
    nmc_out_type(node, 0,
                 nmc_in(node, 2) ? nmc_in_type(node, 2)
                 : defined       ? (enum nmc_elem)said
                                 : NMC_ELEM_uint8);
    return status;
}

/* The type of the scale. */
neuromc_status nmc_infer_dequantize(struct nmc_infer *infer, struct nmc_node *node) {
    neuromc_status status = nmc_out_like(infer, node, 0, 0);
    nmc_out_type(node, 0, nmc_in_type(node, 1));
    return status;
}

/* y, its scale and its zero point */
neuromc_status nmc_infer_dynamic_quantize(struct nmc_infer *infer, struct nmc_node *node) {
    neuromc_status status = nmc_out_like(infer, node, 0, 0);
    nmc_out_type(node, 0, NMC_ELEM_uint8);
    if (status == NEUROMC_OK)
        status = nmc_out(infer, node, 1, NMC_ELEM_float32, 0, NULL);
    return status == NEUROMC_OK ? nmc_out(infer, node, 2, NMC_ELEM_uint8, 0, NULL) : status;
}

/* ---- on quantised tensors: each operand is followed by its scale and zero point ---- */

neuromc_status nmc_infer_quantized_broadcast(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *a = nmc_in_shape(node, 0), *b = nmc_in_shape(node, 3);
    nmc_dim out[NMC_LIMIT_RANK];
    int rank;
    nmc_out_type(node, 0, nmc_in_type(node, 0));
    if (!a || !b)
        return NEUROMC_OK;
    neuromc_status status = nmc_broadcast(infer, node, a, b, out, &rank);
    return status == NEUROMC_OK ? nmc_out(infer, node, 0, nmc_in_type(node, 0), rank, out) : status;
}

/* y's scale and zero point come first. */
neuromc_status nmc_infer_quantized_concat(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *first = nmc_in_shape(node, 2);
    int64_t said;
    int axis;
    nmc_out_type(node, 0, nmc_in_type(node, 2));
    neuromc_status status = nmc_attr_int(infer, node, "axis", 0, &said);
    if (status != NEUROMC_OK || !first)
        return status;
    status = nmc_axis(infer, node, "axis", said, first->rank, &axis);
    nmc_dim out[NMC_LIMIT_RANK];
    for (int i = 0; i < first->rank; i++)
        out[i] = first->dims[i];
    for (int k = 5; status == NEUROMC_OK && k < node->input_count; k += 3) {
        const struct nmc_shape *more = nmc_in_shape(node, k);
        if (!more || more->rank != first->rank)
            return NEUROMC_OK;
        status = nmc_dim_add(infer, node, out[axis], more->dims[axis], &out[axis]);
    }
    return status == NEUROMC_OK ? nmc_out(infer, node, 0, nmc_in_type(node, 2), first->rank, out)
                                : status;
}

/* ---- pooling, perhaps with channels last ---- */

static void channels_first(const nmc_dim *from, int rank, nmc_dim *to) {
    to[0] = from[0];
    to[1] = from[rank - 1];
    for (int i = 2; i < rank; i++)
        to[i] = from[i - 1];
}

static void channels_last(const nmc_dim *from, int rank, nmc_dim *to) {
    to[0] = from[0];
    to[rank - 1] = from[1];
    for (int i = 2; i < rank; i++)
        to[i - 1] = from[i];
}

static neuromc_status quantized_pool(struct nmc_infer *infer, struct nmc_node *node, bool global) {
    const struct nmc_shape *x = nmc_in_shape(node, 0);
    enum nmc_elem type = nmc_in_type(node, 0);
    nmc_dim in[NMC_LIMIT_RANK], out[NMC_LIMIT_RANK], moved[NMC_LIMIT_RANK];
    struct nmc_window window;
    int64_t last;
    nmc_out_type(node, 0, type);
    neuromc_status status = nmc_attr_int(infer, node, "channels_last", 0, &last);
    if (status != NEUROMC_OK || !x)
        return status;
    if (x->rank < 3)
        return nmc_node_error(infer, node, NULL, "input has %d axes, at least 3 wanted", x->rank);
    for (int i = 0; i < x->rank; i++)
        in[i] = x->dims[i];
    if (last)
        channels_first(x->dims, x->rank, in);
    for (int i = 0; i < x->rank; i++)
        out[i] = i < 2 ? in[i] : 1;
    if (!global)
        status = nmc_window_read(infer, node, x->rank - 2, NULL, &window);
    if (status == NEUROMC_OK && !global)
        status = nmc_window_slide(infer, node, &window, in + 2, out + 2);
    if (last)
        channels_last(out, x->rank, moved);
    return status == NEUROMC_OK ? nmc_out(infer, node, 0, type, x->rank, last ? moved : out)
                                : status;
}

neuromc_status nmc_infer_quantized_pool(struct nmc_infer *infer, struct nmc_node *node) {
    return quantized_pool(infer, node, false);
}

neuromc_status nmc_infer_quantized_global_pool(struct nmc_infer *infer, struct nmc_node *node) {
    return quantized_pool(infer, node, true);
}
