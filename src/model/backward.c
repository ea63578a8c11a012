/*
 * backward.c - backward fragments (reference: _make_*_backward_fragment).
 *
 * A gradient costs the MACs of the forward layer. grad_input: i1 the output's gradient, i2 the
 * weight, o the input's gradient. grad_weight: i1 the forward input, i2 the output's gradient,
 * o the weight's gradient. Core types follow the forward input: spikes or not.
 */
#include "model/backward.h"

#include "model/lower.h"

struct emitter {
    const struct nmc_gradient *g;
    const struct nmc_precision *precision;
    struct nmc_rates *rates;
    struct nmc_work_sink *sink;
    neuromc_diags *diags;
};

static bool spikes(const struct nmc_layer *layer) {
    return layer->input && layer->input->spike;
}

/* What all backward fragments of a layer have from its forward one. */
static neuromc_status start(const struct emitter *e, const struct nmc_layer *layer,
                            enum nmc_role role, struct nmc_fragment *f) {
    neuromc_status status = nmc_forward_fragment(layer, e->precision, f);
    f->stage = "backward";
    f->phase = NMC_BACKWARD;
    f->op = nmc_layer_op_name(layer->kind, role);
    /* A gradient is stored as its tensor is, or as the preset says. */
    bool stored = e->precision->from_model;
    int of_output = stored ? f->output_bits : e->precision->gradient_bits;
    int of_input = stored && !spikes(layer) ? f->input_bits : e->precision->gradient_bits;
    f->input_bits = of_output;
    f->output_bits = of_input;
    return status;
}

/* dX: from dY and the other operand. */
static neuromc_status grad_operand(const struct emitter *e, const struct nmc_layer *layer,
                                   bool second) {
    int64_t other_elements = second ? layer->input_elements : layer->weight_elements;
    int64_t own_elements = second ? layer->weight_elements : layer->input_elements;
    struct nmc_fragment f;
    neuromc_status status = start(e, layer, NMC_ROLE_GRAD_INPUT, &f);
    f.core = spikes(layer) ? NMC_CORE_BP_GRAD : NMC_CORE_ANN_BE;
    f.input_elements = layer->output_elements;
    f.weight_elements = other_elements;
    f.output_elements = own_elements;
    f.second_gradient = second;
    return status == NEUROMC_OK ? e->sink->fragment(e->sink->user, &f) : status;
}

static neuromc_status grad_weight(const struct emitter *e, const struct nmc_layer *layer) {
    struct nmc_fragment f;
    neuromc_status status = start(e, layer, NMC_ROLE_GRAD_WEIGHT, &f);
    f.core = spikes(layer) ? NMC_CORE_WG : NMC_CORE_ANN_WE;
    f.spike_rate = nmc_rate_of(e->rates, layer->input);
    int of_gradient = f.input_bits, of_weight = f.weight_bits, of_input = f.output_bits;
    bool stored = e->precision->from_model;
    f.input_bits = spikes(layer) ? e->precision->spike_bits
                   : stored      ? of_input
                                 : e->precision->activation_bits;
    f.weight_bits = of_gradient;
    f.output_bits = of_weight;
    f.input_elements = layer->input_elements;
    f.weight_elements = layer->output_elements;
    f.output_elements = layer->weight_elements;
    return status == NEUROMC_OK ? e->sink->fragment(e->sink->user, &f) : status;
}

static neuromc_status product(const struct emitter *e, const struct nmc_layer *layer) {
    neuromc_status status = NEUROMC_OK;
    if (nmc_has_gradient(e->g, layer->input))
        status = grad_operand(e, layer, false);
    if (status != NEUROMC_OK || !nmc_has_gradient(e->g, layer->weight))
        return status;
    if (layer->kind == NMC_LAYER_MATMUL)
        return grad_operand(e, layer, true);
    return grad_weight(e, layer);
}

/* Scale and shift of a batch norm are its inputs 1 and 2. */
static bool own_parameters_train(const struct emitter *e, const struct nmc_layer *layer) {
    for (int i = 1; i < 3 && i < layer->node->input_count; i++)
        if (nmc_has_gradient(e->g, layer->node->inputs[i]))
            return true;
    return false;
}

static neuromc_status normalisation(const struct emitter *e, const struct nmc_layer *layer) {
    struct nmc_fragment f;
    if (!nmc_has_gradient(e->g, layer->input) && !own_parameters_train(e, layer))
        return NEUROMC_OK;
    neuromc_status status = start(e, layer, NMC_ROLE_GRAD_INPUT, &f);
    f.core = spikes(layer) ? NMC_CORE_BP_BN : NMC_CORE_ANN_BN_BP;
    f.input_elements = layer->output_elements;
    f.output_elements = layer->input_elements;
    return status == NEUROMC_OK ? e->sink->fragment(e->sink->user, &f) : status;
}

static neuromc_status neuron(const struct emitter *e, const struct nmc_layer *layer) {
    struct nmc_fragment f;
    if (!nmc_has_gradient(e->g, layer->input))
        return NEUROMC_OK;
    neuromc_status status = start(e, layer, NMC_ROLE_GRAD_INPUT, &f);
    f.core = NMC_CORE_BP_GRAD;
    f.input_elements = layer->output_elements;
    f.output_elements = layer->input_elements;
    return status == NEUROMC_OK ? e->sink->fragment(e->sink->user, &f) : status;
}

static bool leads_to_output(const struct nmc_gradient *g, const struct nmc_layer *layer) {
    if (layer->output)
        return g->gets[layer->output->id];
    for (int i = 0; i < layer->node->output_count; i++)
        if (layer->node->outputs[i] && g->gets[layer->node->outputs[i]->id])
            return true;
    return false;
}

neuromc_status nmc_emit_backward(const struct nmc_layers *layers, const struct nmc_gradient *g,
                                 const struct nmc_precision *precision, struct nmc_rates *rates,
                                 struct nmc_work_sink *sink, neuromc_diags *diags) {
    const struct emitter e = {g, precision, rates, sink, diags};
    neuromc_status status = NEUROMC_OK;
    for (size_t i = layers->count; status == NEUROMC_OK && i-- > 0;) {
        const struct nmc_layer *layer = &layers->items[i];
        /* A graph may come with its own backward pass; a branch may lead to no output. */
        if (layer->role != NMC_ROLE_FORWARD || !leads_to_output(g, layer))
            continue;
        switch (layer->kind) {
        case NMC_LAYER_BN: status = normalisation(&e, layer); break;
        case NMC_LAYER_SOMA: status = neuron(&e, layer); break;
        default: status = product(&e, layer); break;
        }
    }
    return status;
}
