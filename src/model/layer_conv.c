/*
 * layer_conv.c - convolutions of every spelling.
 *
 * Conv: MACs = B * C/g * K * output positions * kernel; padded positions count. ConvTranspose
 * meets each input position with each tap once, so OY, OX are its input size. One spatial axis
 * goes to OY and FY, the axes of a 3-D convolution beyond two are folded into them (reference:
 * _make_conv_forward_fragment).
 */
#include "base/checked.h"
#include "model/layering.h"

/* OY, OX (or FY, FX) of 0 to NMC_LIMIT_RANK spatial axes: all but the last are folded in Y. */
static void set_spatial(struct nmc_layering *l, struct nmc_layer *layer, enum nmc_loop y,
                        const nmc_dim *spatial, int axes) {
    layer->dims[y] = layer->dims[y + 1] = 1;
    if (axes == 1)
        layer->dims[y] = spatial[0];
    if (axes > 1) {
        layer->dims[y] = nmc_layer_product(l, layer->node, spatial, axes - 1);
        layer->dims[y + 1] = spatial[axes - 1];
    }
}

struct conv_operands {
    struct nmc_tensor *input, *weight, *output;
    int64_t groups;
};

static bool find_operands(struct nmc_layering *l, struct nmc_node *node,
                          struct conv_operands *out) {
    *out = (struct conv_operands){.input = nmc_in(node, 0),
                                  .weight = nmc_in(node, nmc_weight_index(node)),
                                  .output = node->output_count ? node->outputs[0] : NULL};
    const struct nmc_attr *group = nmc_attr_find(node, "group");
    out->groups = group && group->kind == NMC_ATTR_INT ? group->i : 1;
    return nmc_layer_needs(l, node, out->input, "input") &&
           nmc_layer_needs(l, node, out->weight, "weight") &&
           nmc_layer_needs(l, node, out->output, "output") && out->input && out->weight &&
           out->output && out->input->shape.rank >= 2 &&
           out->weight->shape.rank == out->input->shape.rank && out->groups > 0;
}

/* The step of an axis; 1 unless the node says otherwise. */
static int64_t step_of(const struct nmc_node *node, const char *name, int axis) {
    const struct nmc_attr *steps = nmc_attr_find(node, name);
    bool stated = steps && steps->kind == NMC_ATTR_INTS && axis < steps->count;
    return stated && steps->ints[axis] > 0 ? steps->ints[axis] : 1;
}

/* How the window slides over `wide`. Of the axes folded in Y the innermost one speaks. */
static void set_sliding(struct nmc_layering *l, struct nmc_layer *layer,
                        const struct nmc_tensor *wide) {
    int axes = wide->shape.rank - 2;
    const int axis[2] = {axes > 1 ? axes - 2 : 0, axes - 1};
    for (int i = 0; i < 2; i++)
        layer->stride[i] = layer->dilation[i] = layer->extent[i] = 1;
    for (int i = 0; i < 2 && i < axes; i++) {
        layer->stride[i] = step_of(layer->node, "strides", axis[i]);
        layer->dilation[i] = step_of(layer->node, "dilations", axis[i]);
        layer->extent[i] = wide->shape.dims[2 + axis[i]];
    }
    if (axes > 2)
        layer->extent[0] = nmc_layer_product(l, layer->node, wide->shape.dims + 2, axes - 1);
}

static struct nmc_layer start(struct nmc_layering *l, struct nmc_node *node,
                              const struct conv_operands *at) {
    struct nmc_layer layer = nmc_layer_start(NMC_LAYER_CONV, node);
    const nmc_dim *w = at->weight->shape.dims;
    int axes = at->weight->shape.rank - 2;
    layer.input = at->input;
    layer.weight = at->weight;
    layer.output = at->output;
    layer.groups = at->groups;
    layer.dims[NMC_B] = at->input->shape.dims[0];
    set_spatial(l, &layer, NMC_FY, w + 2, axes);
    return layer;
}

void nmc_layer_conv(struct nmc_layering *l, struct nmc_node *node) {
    struct conv_operands at;
    if (!find_operands(l, node, &at))
        return;
    struct nmc_layer layer = start(l, node, &at);
    layer.dims[NMC_C] = at.weight->shape.dims[1];
    layer.dims[NMC_K] = at.weight->shape.dims[0];
    set_spatial(l, &layer, NMC_OY, at.output->shape.dims + 2, at.output->shape.rank - 2);
    set_sliding(l, &layer, at.input);
    nmc_layer_add(l, layer);
}

void nmc_layer_conv_transpose(struct nmc_layering *l, struct nmc_node *node) {
    struct conv_operands at;
    if (!find_operands(l, node, &at))
        return;
    struct nmc_layer layer = start(l, node, &at);
    layer.dims[NMC_C] = at.weight->shape.dims[0] / at.groups;
    if (!nmc_mul(at.weight->shape.dims[1], at.groups, &layer.dims[NMC_K])) {
        nmc_layer_fail(l, node, NULL, "its output channels do not fit 64 bits");
        return;
    }
    set_spatial(l, &layer, NMC_OY, at.input->shape.dims + 2, at.input->shape.rank - 2);
    set_sliding(l, &layer, at.output);
    layer.transposed = true;
    nmc_layer_add(l, layer);
}

/* com.microsoft::ConvGrad(dY, X, W) -> dX, dW, db: each of dX and dW that is asked for costs the
 * forward convolution. */
void nmc_layer_conv_grad(struct nmc_layering *l, struct nmc_node *node) {
    struct conv_operands at;
    struct nmc_tensor *dy = nmc_in(node, 0);
    at = (struct conv_operands){.input = nmc_in(node, 1), .weight = nmc_in(node, 2), .output = dy};
    const struct nmc_attr *group = nmc_attr_find(node, "group");
    at.groups = group && group->kind == NMC_ATTR_INT ? group->i : 1;
    if (!nmc_layer_needs(l, node, dy, "output gradient") ||
        !nmc_layer_needs(l, node, at.input, "input") ||
        !nmc_layer_needs(l, node, at.weight, "weight") || at.weight->shape.rank < 2 ||
        at.weight->shape.rank != at.input->shape.rank || dy->shape.rank != at.input->shape.rank)
        return;
    struct nmc_layer layer = start(l, node, &at);
    layer.dims[NMC_C] = at.weight->shape.dims[1];
    layer.dims[NMC_K] = at.weight->shape.dims[0];
    set_spatial(l, &layer, NMC_OY, dy->shape.dims + 2, dy->shape.rank - 2);
    set_sliding(l, &layer, at.input);
    for (int i = 0; i < 2 && i < node->output_count; i++) {
        layer.role = i == 0 ? NMC_ROLE_GRAD_INPUT : NMC_ROLE_GRAD_WEIGHT;
        if (node->outputs[i])
            nmc_layer_add(l, layer);
    }
}
