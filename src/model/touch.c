/*
 * touch.c - which tensors each node touches on the forward pass, for DRAM by reuse distance.
 *
 * Nodes in execution order; a node that is not a view and does more than shape arithmetic
 * touches its inputs, then its outputs, at the width of its fragment's operand, or at the
 * preset's activation width without one. A view's output is its input under another name.
 */
#include "base/checked.h"
#include "base/limits.h"
#include "graph/infer.h"
#include "graph/ops.h"
#include "model/touching.h"

static bool is_view(const struct nmc_node *node) {
    return node->op && node->op->cost == NMC_COST_VIEW && node->input_count > 0;
}

const struct nmc_tensor *nmc_view_of(const struct nmc_tensor *tensor) {
    return tensor->producer && is_view(tensor->producer) ? tensor->producer->inputs[0] : NULL;
}

const struct nmc_tensor *nmc_unviewed(const struct nmc_tensor *tensor) {
    const struct nmc_tensor *behind;
    while ((behind = nmc_view_of(tensor)) != NULL)
        tensor = behind;
    return tensor;
}

/* Shapes, indices and other small numbers known beforehand never leave the control unit. */
static bool is_number(const struct nmc_tensor *tensor) {
    return tensor->ints || (tensor->reals && !tensor->is_initializer);
}

int nmc_touch_bits(const struct nmc_toucher *t, const struct nmc_node *node,
                   const struct nmc_tensor *tensor, bool output) {
    const struct nmc_layer *layer = t->layer_of[node->id];
    struct nmc_fragment f;
    if (!layer || nmc_forward_fragment(layer, t->precision, &f) != NEUROMC_OK)
        return t->precision->activation_bits;
    if (output)
        return f.output_bits;
    return tensor == layer->input ? f.input_bits : f.weight_bits;
}

static const char *place_of(const struct nmc_toucher *t, const struct nmc_node *node) {
    if (!node)
        return "optimizer";
    if (t->layer_of[node->id])
        return t->layer_of[node->id]->label;
    const char *name = *node->name
                           ? node->name
                           : nmc_arena_printf(&t->net->arena, "%s#%u", node->op_type, node->id);
    return name ? name : node->op_type;
}

neuromc_status nmc_touch(struct nmc_toucher *t, const struct nmc_node *node,
                         const struct nmc_tensor *tensor, unsigned copy, int width,
                         enum nmc_touch kind) {
    int64_t elements, bits;
    if (!tensor || is_number(tensor) || !nmc_shape_elements(&tensor->shape, &elements) ||
        !nmc_mul(elements, width, &bits) || bits == 0)
        return NEUROMC_OK;
    if (t->touches++ > NMC_LIMIT_TOUCHES)
        return nmc_error(t->diags, NEUROMC_BAD_INPUT, (struct nmc_place){.file = t->net->file},
                         "use a preset that does not count DRAM", "more than %d tensor touches",
                         NMC_LIMIT_TOUCHES);
    const struct nmc_tensor *root = nmc_unviewed(tensor);
    bool made = kind == NMC_TOUCH_MAKE;
    struct nmc_dram_use use = {.stage = t->stage,
                               .node = place_of(t, node),
                               .node_number = node ? node->id + 1 : 0,
                               .tensor = root->name,
                               .phase = t->phase,
                               .tensor_id = copy * t->net->tensor_count + root->id,
                               .bits = bits,
                               .times = t->times,
                               .made = made,
                               .output = made && copy == 0 && t->is_output[root->id]};
    return t->sink->touch(t->sink->user, &use);
}

bool nmc_touches_tensors(const struct nmc_node *node) {
    if (is_view(node) ||
        (node->op && (node->op->cost == NMC_COST_SHAPE || node->op->cost == NMC_COST_CONTROL)))
        return false;
    for (int i = 0; i < node->output_count; i++)
        if (node->outputs[i] && !is_number(node->outputs[i]))
            return true;
    return false;
}

static neuromc_status touch_inputs(struct nmc_toucher *t, const struct nmc_node *node) {
    neuromc_status status = NEUROMC_OK;
    for (int i = 0; status == NEUROMC_OK && i < node->input_count; i++)
        status = nmc_touch(t, node, node->inputs[i], 0,
                           nmc_touch_bits(t, node, node->inputs[i], false), NMC_TOUCH_USE);
    return status;
}

static neuromc_status touch_outputs(struct nmc_toucher *t, const struct nmc_node *node) {
    neuromc_status status = NEUROMC_OK;
    for (int i = 0; status == NEUROMC_OK && i < node->output_count; i++)
        status = nmc_touch(t, node, node->outputs[i], 0,
                           nmc_touch_bits(t, node, node->outputs[i], true), NMC_TOUCH_MAKE);
    return status;
}

neuromc_status nmc_touch_rounds(struct nmc_toucher *t, const struct nmc_node *node,
                                nmc_touch_body *touch_body) {
    enum { DISTINCT = 3 };
    const int64_t around = t->times, rounds = !node->body               ? 0
                                              : nmc_node_is(node, "If") ? 1
                                                                        : node->trips;
    neuromc_status status = NEUROMC_OK;
    for (int64_t i = 0; status == NEUROMC_OK && i < rounds && i < DISTINCT; i++) {
        int64_t alike = i == 1 && rounds > DISTINCT ? rounds - 2 : 1;
        if (!nmc_mul(around, alike, &t->times))
            return nmc_error(t->diags, NEUROMC_BAD_INPUT, nmc_node_place(t->net, node), NULL,
                             "the rounds of the loops around it do not fit 63 bits");
        status = touch_body(t, node->body);
    }
    t->times = around;
    return status;
}

static neuromc_status touch_graph(struct nmc_toucher *t, const struct nmc_graph *graph);

/* What goes into a body is made for it in each round, as what comes out of the loop is at its end:
 * neither is a first touch that has to come from DRAM. */
static neuromc_status touch_body(struct nmc_toucher *t, const struct nmc_graph *body) {
    neuromc_status status = NEUROMC_OK;
    for (int i = 0; status == NEUROMC_OK && i < body->input_count; i++)
        status = nmc_touch(t, body->owner, body->inputs[i], 0, t->precision->activation_bits,
                           NMC_TOUCH_MAKE);
    return status == NEUROMC_OK ? touch_graph(t, body) : status;
}

static neuromc_status touch_graph(struct nmc_toucher *t, const struct nmc_graph *graph) {
    neuromc_status status = NEUROMC_OK;
    for (int n = 0; status == NEUROMC_OK && n < graph->node_count; n++) {
        const struct nmc_node *node = graph->nodes[n];
        bool touches = node->body || nmc_touches_tensors(node);
        if (touches)
            status = touch_inputs(t, node);
        if (status == NEUROMC_OK)
            status = nmc_touch_rounds(t, node, touch_body);
        if (status == NEUROMC_OK && touches)
            status = touch_outputs(t, node);
    }
    return status;
}

neuromc_status nmc_toucher_init(struct nmc_toucher *t, const struct nmc_layers *layers,
                                const struct nmc_precision *precision, struct nmc_work_sink *sink,
                                neuromc_diags *diags) {
    struct nmc_net *net = layers->net;
    *t = (struct nmc_toucher){
        .net = net, .precision = precision, .sink = sink, .diags = diags, .times = 1};
    t->layer_of = nmc_arena_array(&net->arena, net->node_count, sizeof *t->layer_of);
    t->is_output = nmc_arena_array(&net->arena, net->tensor_count, sizeof *t->is_output);
    t->accumulates = nmc_arena_array(&net->arena, net->tensor_count, sizeof *t->accumulates);
    if (!t->layer_of || !t->is_output || !t->accumulates)
        return nmc_out_of_memory(diags);
    for (size_t i = 0; i < layers->count; i++)
        t->layer_of[layers->items[i].node->id] = &layers->items[i];
    for (int i = 0; i < net->main->output_count; i++)
        t->is_output[nmc_unviewed(net->main->outputs[i])->id] = true;
    return NEUROMC_OK;
}

neuromc_status nmc_touch_forward(struct nmc_toucher *t) {
    t->stage = "forward";
    t->phase = NMC_FORWARD;
    return touch_graph(t, t->net->main);
}
