/*
 * touch.c - which tensors each node touches on the forward pass, for DRAM by reuse distance.
 *
 * Nodes in execution order; a node that is not a view and does more than shape arithmetic
 * touches its inputs, then its outputs, at the width of its fragment's operand, or 16 bits
 * (the preset's activation width) without one. A view's output is its input under another name.
 */
#include "base/checked.h"
#include "base/limits.h"
#include "base/memory.h"
#include "graph/infer.h"
#include "graph/ops.h"
#include "model/dram.h"
#include "model/lower.h"

struct toucher {
    struct nmc_net *net;
    const struct nmc_precision *precision;
    const struct nmc_layer **layer_of; /* by node id; NULL without work */
    bool *is_output;                   /* by tensor id: it, or a view of it, leaves the graph */
    struct nmc_work_sink *sink;
    neuromc_diags *diags;
    size_t touches;
};

static bool is_view(const struct nmc_node *node) {
    return node->op && node->op->cost == NMC_COST_VIEW && node->input_count > 0;
}

static const struct nmc_tensor *unviewed(const struct nmc_tensor *tensor) {
    while (tensor->producer && is_view(tensor->producer) && tensor->producer->inputs[0])
        tensor = tensor->producer->inputs[0];
    return tensor;
}

/* Shapes, indices and other small numbers known beforehand never leave the control unit. */
static bool is_number(const struct nmc_tensor *tensor) {
    return tensor->ints || tensor->reals || tensor->value_count;
}

static int bits_of(const struct toucher *t, const struct nmc_node *node,
                   const struct nmc_tensor *tensor, bool output) {
    const struct nmc_layer *layer = t->layer_of[node->id];
    struct nmc_fragment f;
    if (!layer || nmc_forward_fragment(layer, t->precision, &f) != NEUROMC_OK)
        return t->precision->activation_bits;
    if (output)
        return f.output_bits;
    return tensor == layer->input ? f.input_bits : f.weight_bits;
}

static neuromc_status touch(struct toucher *t, const struct nmc_node *node,
                            const struct nmc_tensor *tensor, bool made) {
    int64_t elements, bits;
    if (!tensor || is_number(tensor) || !nmc_shape_elements(&tensor->shape, &elements) ||
        !nmc_mul(elements, bits_of(t, node, tensor, made), &bits) || bits == 0)
        return NEUROMC_OK;
    const struct nmc_tensor *root = unviewed(tensor);
    const struct nmc_layer *layer = t->layer_of[node->id];
    if (t->touches++ > NMC_LIMIT_TOUCHES)
        return nmc_error(t->diags, NEUROMC_BAD_INPUT, nmc_node_place(t->net, node),
                         "use a preset that does not count DRAM",
                         "more than %d tensor touches, loops unrolled", NMC_LIMIT_TOUCHES);
    struct nmc_dram_use use = {.stage = "forward",
                               .node = layer ? layer->label : nmc_node_label(t->net, node),
                               .tensor = root->name,
                               .phase = NMC_FORWARD,
                               .tensor_id = root->id,
                               .bits = bits,
                               .made = made,
                               .output = made && t->is_output[root->id]};
    return t->sink->touch(t->sink->user, &use);
}

static bool computes(const struct nmc_node *node) {
    if (is_view(node) || (node->op && (node->op->cost == NMC_COST_SHAPE ||
                                       node->op->cost == NMC_COST_CONTROL)))
        return false;
    for (int i = 0; i < node->output_count; i++)
        if (node->outputs[i] && !is_number(node->outputs[i]))
            return true;
    return false;
}

static neuromc_status touch_node(struct toucher *t, const struct nmc_node *node) {
    neuromc_status status = NEUROMC_OK;
    for (int i = 0; status == NEUROMC_OK && i < node->input_count; i++)
        status = touch(t, node, node->inputs[i], false);
    for (int i = 0; status == NEUROMC_OK && i < node->output_count; i++)
        status = touch(t, node, node->outputs[i], true);
    return status;
}

static neuromc_status touch_graph(struct toucher *t, const struct nmc_graph *graph) {
    neuromc_status status = NEUROMC_OK;
    for (int n = 0; status == NEUROMC_OK && n < graph->node_count; n++) {
        const struct nmc_node *node = graph->nodes[n];
        int64_t rounds = node->body ? (nmc_node_is(node, "If") ? 1 : node->trips) : 0;
        if (computes(node))
            status = touch_node(t, node);
        for (int64_t i = 0; status == NEUROMC_OK && i < rounds; i++)
            status = touch_graph(t, node->body);
    }
    return status;
}

static void mark_outputs(struct toucher *t) {
    for (int i = 0; i < t->net->main->output_count; i++)
        t->is_output[unviewed(t->net->main->outputs[i])->id] = true;
}

neuromc_status nmc_touch_forward(const struct nmc_layers *layers,
                                 const struct nmc_precision *precision,
                                 struct nmc_work_sink *sink, neuromc_diags *diags) {
    struct nmc_net *net = layers->net;
    struct toucher t = {.net = net, .precision = precision, .sink = sink, .diags = diags};
    t.layer_of = nmc_arena_array(&net->arena, net->node_count, sizeof *t.layer_of);
    t.is_output = nmc_arena_array(&net->arena, net->tensor_count, sizeof *t.is_output);
    if (!t.layer_of || !t.is_output)
        return nmc_out_of_memory(diags);
    for (size_t i = 0; i < layers->count; i++)
        t.layer_of[layers->items[i].node->id] = &layers->items[i];
    mark_outputs(&t);
    return touch_graph(&t, net->main);
}
