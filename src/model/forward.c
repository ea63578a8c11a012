/*
 * forward.c - the forward fragment of a layer (reference: _make_*_forward_fragment), and how the
 * runtime profiler would have counted it.
 */
#include <string.h>

#include "base/checked.h"
#include "model/lower.h"
#include "model/touching.h"

static const char *const op_names[NMC_LAYER_KINDS][NMC_ROLES] = {
    [NMC_LAYER_CONV] = {"conv.forward", "conv.backward.grad_input", "conv.backward.grad_weight"},
    [NMC_LAYER_LINEAR] = {"linear.forward", "linear.backward.grad_input",
                          "linear.backward.grad_weight"},
    [NMC_LAYER_MATMUL] = {"matmul.forward", "matmul.backward.grad_input",
                          "matmul.backward.grad_input"},
    [NMC_LAYER_BN] = {"bn.forward", "bn.backward", "bn.backward"},
    [NMC_LAYER_SOMA] = {"soma.forward", "soma.backward", "soma.backward"},
};

const char *nmc_layer_op_name(enum nmc_layer_kind kind, enum nmc_role role) {
    return op_names[kind][role];
}

static const enum nmc_process processes[NMC_LAYER_KINDS] = {
    [NMC_LAYER_BN] = NMC_WITH_BN,
    [NMC_LAYER_SOMA] = NMC_WITH_SG,
};

static enum nmc_core forward_core(const struct nmc_layer *layer, bool spike) {
    if (layer->kind == NMC_LAYER_BN)
        return spike ? NMC_CORE_FP_BN : NMC_CORE_ANN_BN;
    return spike || layer->kind == NMC_LAYER_SOMA ? NMC_CORE_FP_SOMA : NMC_CORE_ANN_FE;
}

/* A gradient that stands in the graph itself. */
static void set_role(struct nmc_fragment *f, const struct nmc_layer *layer, bool spike) {
    if (layer->role == NMC_ROLE_FORWARD)
        return;
    f->stage = "backward";
    f->phase = NMC_BACKWARD;
    f->core = NMC_CORE_ANN_BE;
    if (layer->role == NMC_ROLE_GRAD_WEIGHT)
        f->core = spike ? NMC_CORE_WG : NMC_CORE_ANN_WE;
}

/* What a tensor is stored as: what stands before a DequantizeLinear, through changes of layout. */
static int stored_bits(const struct nmc_tensor *tensor, int otherwise) {
    while (tensor && tensor->producer) {
        const struct nmc_node *node = tensor->producer;
        const struct nmc_tensor *before = nmc_view_of(tensor);
        if (nmc_node_is(node, "DequantizeLinear") || nmc_node_is(node, "Identity"))
            before = node->inputs[0];
        if (!before)
            break;
        tensor = before;
    }
    int bits = tensor ? nmc_elem_bits(tensor->type) : 0;
    return bits ? bits : otherwise;
}

static void set_stored_precision(struct nmc_fragment *f, const struct nmc_layer *layer,
                                 bool spike_input) {
    if (!spike_input)
        f->input_bits = stored_bits(layer->input, f->input_bits);
    f->weight_bits = stored_bits(layer->weight, f->weight_bits);
    if (layer->kind != NMC_LAYER_SOMA)
        f->output_bits = stored_bits(layer->output, f->output_bits);
}

static void set_precision(struct nmc_fragment *f, const struct nmc_layer *layer, bool spike,
                          const struct nmc_precision *precision) {
    bool product = layer->kind != NMC_LAYER_BN && layer->kind != NMC_LAYER_SOMA;
    f->input_bits = product && spike ? precision->spike_bits : precision->activation_bits;
    f->weight_bits = precision->weight_bits;
    f->output_bits = layer->kind == NMC_LAYER_SOMA ? precision->spike_bits : precision->output_bits;
    if (precision->from_model)
        set_stored_precision(f, layer, product && spike);
}

neuromc_status nmc_forward_fragment(const struct nmc_layer *layer,
                                    const struct nmc_precision *precision,
                                    struct nmc_fragment *out) {
    struct nmc_fragment f = nmc_fragment_new();
    bool spike = layer->input && layer->input->spike;
    f.stage = "forward";
    f.op = op_names[layer->kind][layer->role];
    f.node = layer->label;
    f.node_number = layer->node->id + 1;
    f.phase = NMC_FORWARD;
    f.core = forward_core(layer, spike);
    f.process = processes[layer->kind];
    f.source = NMC_FROM_MODULE;
    memcpy(f.dims, layer->dims, sizeof f.dims);
    f.groups = layer->groups;
    memcpy(f.stride, layer->stride, sizeof f.stride);
    memcpy(f.dilation, layer->dilation, sizeof f.dilation);
    memcpy(f.extent, layer->extent, sizeof f.extent);
    f.transposed = layer->transposed;
    f.times = layer->times;
    f.input_elements = layer->input_elements;
    f.weight_elements = layer->weight_elements;
    f.output_elements = layer->output_elements;
    set_precision(&f, layer, spike, precision);
    set_role(&f, layer, spike);
    if (f.process == NMC_WITH_NOTHING && !nmc_fragment_set_macs(&f))
        return NEUROMC_BAD_INPUT;
    *out = f;
    return NEUROMC_OK;
}

/* Spatial size of the output as OY, OX (rule 4). */
static void set_output_positions(struct nmc_fragment *f, const struct nmc_tensor *output) {
    int axes = output->shape.rank - 2;
    f->dims[NMC_OY] = axes > 0 ? output->shape.dims[2] : 1;
    f->dims[NMC_OX] = axes > 1 ? output->shape.dims[3] : 1;
}

/* In step mode m, [T, B, ...], time is in front of it (rule 2). */
static void set_first_axis_as_batch(struct nmc_fragment *f, const struct nmc_tensor *input) {
    bool split = input->time == NMC_TIME_SPLIT;
    f->dims[NMC_T] = split ? input->shape.dims[0] : 1;
    f->dims[NMC_B] = input->shape.dims[split];
}

/* A lone axis is read as the batch (rule 6). */
static bool lacks_batch(const struct nmc_layer *layer) {
    return (layer->kind == NMC_LAYER_LINEAR || layer->kind == NMC_LAYER_SOMA) && layer->input &&
           layer->input->shape.rank == 1;
}

int nmc_runtime_fragment(const struct nmc_layer *layer, const struct nmc_fragment *corrected,
                         struct nmc_fragment *out) {
    int rule = 0;
    *out = *corrected;
    if (layer->kind == NMC_LAYER_CONV && nmc_node_is(layer->node, "ConvTranspose")) {
        rule = 4;
        out->dims[NMC_C] *= layer->groups;
        set_output_positions(out, layer->output);
    } else if (layer->kind == NMC_LAYER_CONV && layer->groups > 1) {
        rule = 1;
        out->dims[NMC_C] *= layer->groups;
    } else if (layer->kind == NMC_LAYER_LINEAR && layer->input && layer->input->shape.rank > 2) {
        rule = 2;
        set_first_axis_as_batch(out, layer->input);
    } else if (lacks_batch(layer)) {
        rule = 6;
        out->dims[NMC_B] = layer->input->shape.dims[0];
        if (layer->kind == NMC_LAYER_SOMA)
            return out->dims[NMC_B] > 1 ? rule : 0; /* it has no MACs to compare */
    }
    /* What the profiler would count need not fit; then there is nothing to compare with. */
    return rule && nmc_fragment_set_macs(out) && out->macs != corrected->macs ? rule : 0;
}
