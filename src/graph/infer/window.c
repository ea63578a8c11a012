/* The sliding window of convolutions and pools: its attributes and the sizes it makes. */
#include "graph/infer/window.h"

#include <string.h>

#include "base/checked.h"
#include "base/strbuf.h"

/* ---- attributes ---- */

neuromc_status nmc_axis_values(struct nmc_infer *infer, const struct nmc_node *node,
                               const char *name, int axes, int64_t absent, int64_t least,
                               int64_t *out) {
    const int64_t *values;
    int64_t count;
    neuromc_status status = nmc_attr_ints(infer, node, name, &values, &count);
    if (status != NEUROMC_OK)
        return status;
    if (count && count != axes)
        return nmc_node_error(infer, node, NULL, "%s has %lld entr%s, %d wanted", name,
                              (long long)count, count == 1 ? "y" : "ies", axes);
    for (int i = 0; i < axes; i++) {
        out[i] = count ? values[i] : absent;
        if (out[i] < least)
            return nmc_node_error(infer, node, NULL, "%s must %s", name,
                                  least > 0 ? "be positive" : "not be negative");
    }
    return NEUROMC_OK;
}

static neuromc_status read_auto_pad(struct nmc_infer *infer, const struct nmc_node *node,
                                    enum nmc_auto_pad *out) {
    const char *text;
    neuromc_status status = nmc_attr_string(infer, node, "auto_pad", "NOTSET", &text);
    if (status != NEUROMC_OK)
        return status;
    if (!*text || strcmp(text, "NOTSET") == 0)
        *out = NMC_PAD_NOTSET;
    else if (strcmp(text, "VALID") == 0)
        *out = NMC_PAD_VALID;
    else if (strcmp(text, "SAME_UPPER") == 0 || strcmp(text, "SAME_LOWER") == 0)
        *out = NMC_PAD_SAME;
    else
        return nmc_node_error(infer, node, "NOTSET, VALID, SAME_UPPER or SAME_LOWER",
                              "auto_pad \"%s\" is not known", text);
    return NEUROMC_OK;
}

/* Pads count only under NOTSET. All begins come first, then all ends. */
static neuromc_status read_pads(struct nmc_infer *infer, const struct nmc_node *node,
                                struct nmc_window *window) {
    int64_t pads[2 * NMC_LIMIT_RANK] = {0};
    neuromc_status status = NEUROMC_OK;
    if (window->auto_pad == NMC_PAD_NOTSET)
        status = nmc_axis_values(infer, node, "pads", 2 * window->axes, 0, NMC_DIM_LEAST, pads);
    for (int i = 0; i < window->axes; i++) {
        window->pad_begin[i] = pads[i];
        window->pad_end[i] = pads[window->axes + i];
    }
    return status;
}

static neuromc_status read_kernel(struct nmc_infer *infer, const struct nmc_node *node,
                                  const nmc_dim *weight, struct nmc_window *window) {
    const struct nmc_attr *attr = nmc_attr_find(node, "kernel_shape");
    bool given = attr && attr->count > 0;
    neuromc_status status =
        nmc_axis_values(infer, node, "kernel_shape", window->axes, 1, 1, window->kernel);
    for (int i = 0; status == NEUROMC_OK && i < window->axes; i++) {
        if (!given)
            window->kernel[i] = weight ? weight[i] : nmc_unknown(infer, node);
        else if (weight && nmc_dim_known(weight[i]) && weight[i] != window->kernel[i])
            return nmc_node_error(infer, node, NULL,
                                  "kernel_shape is %lld along spatial axis %d, its weight %lld",
                                  (long long)window->kernel[i], i, (long long)weight[i]);
        if (nmc_dim_known(window->kernel[i]) && window->kernel[i] < 1)
            return nmc_node_error(infer, node, NULL, "its kernel must be positive");
    }
    return status;
}

neuromc_status nmc_window_read(struct nmc_infer *infer, const struct nmc_node *node, int axes,
                               const nmc_dim *weight, struct nmc_window *window) {
    int64_t ceil_mode = 0;
    window->axes = axes;
    neuromc_status status = read_auto_pad(infer, node, &window->auto_pad);
    if (status == NEUROMC_OK)
        status = nmc_axis_values(infer, node, "strides", axes, 1, 1, window->stride);
    if (status == NEUROMC_OK)
        status = nmc_axis_values(infer, node, "dilations", axes, 1, 1, window->dilation);
    if (status == NEUROMC_OK)
        status = read_pads(infer, node, window);
    if (status == NEUROMC_OK)
        status = nmc_attr_int(infer, node, "ceil_mode", 0, &ceil_mode);
    if (status == NEUROMC_OK)
        status = read_kernel(infer, node, weight, window);
    window->ceil_mode = ceil_mode != 0;
    return status;
}

/* ---- sizes ---- */

/* What a dilated kernel covers: (k - 1) d + 1. */
static bool extent(const struct nmc_window *window, int axis, int64_t *out) {
    return nmc_mul(window->kernel[axis] - 1, window->dilation[axis], out) && nmc_add(*out, 1, out);
}

static neuromc_status overflow(struct nmc_infer *infer, const struct nmc_node *node) {
    return nmc_node_error(infer, node, NULL, "a spatial size overflows");
}

static void put_sizes(struct nmc_strbuf *text, const nmc_dim *dims, int count) {
    for (int i = 0; i < count; i++) {
        nmc_strbuf_puts(text, i ? "x" : "");
        if (nmc_dim_known(dims[i]))
            nmc_strbuf_printf(text, "%lld", (long long)dims[i]);
        else
            nmc_strbuf_puts(text, "?");
    }
}

static neuromc_status does_not_fit(struct nmc_infer *infer, const struct nmc_node *node,
                                   const struct nmc_window *window, const nmc_dim *input,
                                   int64_t size) {
    struct nmc_strbuf text;
    nmc_strbuf_init(&text);
    nmc_strbuf_puts(&text, "kernel ");
    put_sizes(&text, window->kernel, window->axes);
    nmc_strbuf_puts(&text, " does not fit the ");
    put_sizes(&text, input, window->axes);
    nmc_strbuf_printf(&text, " input (output size would be %lld)", (long long)size);
    neuromc_status status = nmc_node_error(infer, node, NULL, "%s", text.text);
    nmc_strbuf_release(&text);
    return status;
}

/* Windows along one axis; false if a number overflows. A window of ceil_mode that would start in
 * the padding behind the input is left out. */
static bool slide(const struct nmc_window *window, int i, int64_t input, int64_t *out) {
    int64_t stride = window->stride[i], padded, covered, room;
    if (window->auto_pad == NMC_PAD_SAME) {
        *out = nmc_div_ceil(input, stride);
        return true;
    }
    if (!nmc_add(input, window->pad_begin[i], &padded) ||
        !nmc_add(padded, window->pad_end[i], &padded) || !extent(window, i, &covered) ||
        !nmc_sub(padded, covered, &room))
        return false;
    *out = (window->ceil_mode ? nmc_div_ceil(room, stride) : nmc_div_floor(room, stride)) + 1;
    if (window->ceil_mode && *out > 1 && (*out - 1) * stride >= input + window->pad_begin[i])
        --*out;
    return true;
}

neuromc_status nmc_window_slide(struct nmc_infer *infer, const struct nmc_node *node,
                                const struct nmc_window *window, const nmc_dim *input,
                                nmc_dim *output) {
    for (int i = 0; i < window->axes; i++) {
        bool same = window->auto_pad == NMC_PAD_SAME;
        if (!nmc_dim_known(input[i]) || (!same && !nmc_dim_known(window->kernel[i]))) {
            output[i] = same && window->stride[i] == 1 ? input[i] : nmc_unknown(infer, node);
            continue;
        }
        if (!slide(window, i, input[i], &output[i]))
            return overflow(infer, node);
        if (output[i] < 1 && !same)
            return does_not_fit(infer, node, window, input, output[i]);
    }
    return NEUROMC_OK;
}

/* stride (input - 1) + extent - pads; SAME makes it input x stride. */
static bool spread(const struct nmc_window *window, int i, int64_t input, int64_t *out) {
    int64_t covered;
    if (window->auto_pad == NMC_PAD_SAME)
        return nmc_mul(input, window->stride[i], out);
    return nmc_mul(input - 1, window->stride[i], out) && extent(window, i, &covered) &&
           nmc_add(*out, covered, out) && nmc_sub(*out, window->pad_begin[i], out) &&
           nmc_sub(*out, window->pad_end[i], out);
}

neuromc_status nmc_window_spread(struct nmc_infer *infer, const struct nmc_node *node,
                                 const struct nmc_window *window, const nmc_dim *input,
                                 nmc_dim *output) {
    for (int i = 0; i < window->axes; i++) {
        bool same = window->auto_pad == NMC_PAD_SAME;
        if (!nmc_dim_known(input[i]) || (!same && !nmc_dim_known(window->kernel[i])))
            output[i] = nmc_unknown(infer, node);
        else if (!spread(window, i, input[i], &output[i]))
            return overflow(infer, node);
    }
    return NEUROMC_OK;
}
