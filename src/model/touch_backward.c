/*
 * touch_backward.c - tensor touches of the backward pass and the optimizer.
 *
 * In reverse order, a node through which gradient flows uses the gradients of its outputs and its
 * forward inputs (activations it needs, weights), and makes the gradients of its inputs; a
 * gradient that several nodes add to is used and made anew by each. The optimizer uses
 * parameters, their gradients and its state.
 */
#include "model/touching.h"

static bool wanted(const struct nmc_toucher *t, const struct nmc_node *node, int input) {
    return node->inputs[input] && nmc_has_gradient(t->gradient, node->inputs[input]) &&
           nmc_passes_gradient(node, input);
}

static bool flows(const struct nmc_toucher *t, const struct nmc_node *node) {
    for (int i = 0; i < node->input_count; i++)
        if (wanted(t, node, i))
            return true;
    return false;
}

static neuromc_status make_gradient(struct nmc_toucher *t, const struct nmc_node *node,
                                    const struct nmc_tensor *tensor) {
    bool *before = &t->accumulates[nmc_unviewed(tensor)->id];
    int bits = t->precision->gradient_bits;
    neuromc_status status =
        *before ? nmc_touch(t, node, tensor, 1, bits, NMC_TOUCH_USE) : NEUROMC_OK;
    *before = true;
    return status == NEUROMC_OK ? nmc_touch(t, node, tensor, 1, bits, NMC_TOUCH_MAKE) : status;
}

static neuromc_status touch_node(struct nmc_toucher *t, const struct nmc_node *node) {
    neuromc_status status = NEUROMC_OK;
    for (int i = 0; status == NEUROMC_OK && i < node->output_count; i++)
        if (nmc_has_gradient(t->gradient, node->outputs[i]))
            status =
                nmc_touch(t, node, node->outputs[i], 1, t->precision->gradient_bits, NMC_TOUCH_USE);
    for (int i = 0; status == NEUROMC_OK && i < node->input_count; i++)
        status = nmc_touch(t, node, node->inputs[i], 0,
                           nmc_touch_bits(t, node, node->inputs[i], false), NMC_TOUCH_USE);
    for (int i = 0; status == NEUROMC_OK && i < node->input_count; i++)
        if (wanted(t, node, i))
            status = make_gradient(t, node, node->inputs[i]);
    return status;
}

static neuromc_status touch_graph(struct nmc_toucher *t, const struct nmc_graph *graph) {
    neuromc_status status = NEUROMC_OK;
    for (int n = graph->node_count; status == NEUROMC_OK && n-- > 0;) {
        const struct nmc_node *node = graph->nodes[n];
        status = nmc_touch_rounds(t, node, touch_graph);
        if (status == NEUROMC_OK && nmc_touches_tensors(node) && flows(t, node))
            status = touch_node(t, node);
    }
    return status;
}

neuromc_status nmc_touch_backward(struct nmc_toucher *t, const struct nmc_gradient *gradient) {
    t->stage = "backward";
    t->phase = NMC_BACKWARD;
    t->gradient = gradient;
    return touch_graph(t, t->net->main);
}

/* Adam keeps two moments of each parameter, SGD its momentum once it has one. */
static unsigned states_of(const neuromc_estimate_options *options) {
    if (options->optimizer != NEUROMC_SGD)
        return 2;
    return options->momentum > 0 && !options->first_step ? 1 : 0;
}

neuromc_status nmc_touch_optimizer(struct nmc_toucher *t, const struct nmc_gradient *gradient,
                                   const neuromc_estimate_options *options) {
    unsigned states = states_of(options);
    neuromc_status status = NEUROMC_OK;
    t->stage = "optimizer";
    t->phase = NMC_OPTIMIZER;
    for (uint32_t i = 0; status == NEUROMC_OK && i < t->net->tensor_count; i++) {
        const struct nmc_tensor *tensor = t->net->tensors[i];
        if (!gradient->is_parameter[i] || !nmc_has_gradient(gradient, tensor))
            continue;
        for (unsigned copy = 0; status == NEUROMC_OK && copy < 2 + states; copy++)
            status = nmc_touch(t, NULL, tensor, copy, t->precision->optimizer_bits, NMC_TOUCH_USE);
    }
    return status;
}
