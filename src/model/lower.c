/* The stages of an estimate from a network. */
#include "model/lower.h"

#include "model/backward.h"
#include "model/elementwise.h"
#include "model/rates.h"
#include "model/touching.h"
#include "model/training_graph.h"

static neuromc_status emit_forward(const struct nmc_layer *layer,
                                   const struct nmc_precision *precision, struct nmc_rates *rates,
                                   struct nmc_work_sink *sink, neuromc_diags *diags) {
    struct nmc_fragment corrected, runtime;
    if (nmc_forward_fragment(layer, precision, &corrected) != NEUROMC_OK)
        return nmc_error(diags, NEUROMC_BAD_INPUT, (struct nmc_place){.where = layer->label}, NULL,
                         "its MACs do not fit 64 bits");
    if (corrected.core == NMC_CORE_FP_SOMA)
        corrected.spike_rate = nmc_rate_of(rates, layer->input);
    neuromc_status status = sink->fragment(sink->user, &corrected);
    int rule = nmc_runtime_fragment(layer, &corrected, &runtime);
    if (status == NEUROMC_OK && rule && sink->difference)
        status = sink->difference(sink->user, rule, &runtime, &corrected);
    return status;
}

struct stages {
    bool forward, backward, optimizer;
};

static struct stages wanted_stages(const neuromc_estimate_options *options) {
    unsigned mask = options->stages ? options->stages : NEUROMC_STAGE_FORWARD;
    return (struct stages){
        .forward = mask & NEUROMC_STAGE_FORWARD,
        .backward = mask & NEUROMC_STAGE_BACKWARD,
        .optimizer = mask & NEUROMC_STAGE_OPTIMIZER,
    };
}

static neuromc_status flow_of(struct nmc_net *net, const neuromc_estimate_options *options,
                              struct nmc_gradient *out, neuromc_diags *diags) {
    const struct nmc_gradient_options wanted = {
        .freeze = options->freeze,
        .freeze_count = options->freeze_count,
        .inputs = options->input_grads,
        .input_count = options->input_grad_count,
    };
    neuromc_status status = nmc_check_optimizer(options, diags);
    return status == NEUROMC_OK ? nmc_gradient_flow(net, &wanted, out, diags) : status;
}

static neuromc_status touch_stages(const struct nmc_layers *layers,
                                   const struct nmc_precision *precision,
                                   const neuromc_estimate_options *options, struct stages stages,
                                   const struct nmc_gradient *gradient, struct nmc_work_sink *sink,
                                   neuromc_diags *diags) {
    struct nmc_toucher toucher;
    neuromc_status status = nmc_toucher_init(&toucher, layers, precision, sink, diags);
    if (status == NEUROMC_OK && stages.forward)
        status = nmc_touch_forward(&toucher);
    if (status == NEUROMC_OK && stages.backward)
        status = nmc_touch_backward(&toucher, gradient);
    if (status == NEUROMC_OK && stages.optimizer)
        status = nmc_touch_optimizer(&toucher, gradient, options);
    return status;
}

/* What the preset says, or, with --precision from-model, what the file stores. */
static struct nmc_precision precision_of(const struct neuromc_preset *preset,
                                         const neuromc_estimate_options *options) {
    struct nmc_precision precision = preset->precision;
    precision.from_model = options->precision_from_model;
    return precision;
}

static neuromc_status emit_stages(const struct nmc_layers *layers,
                                  const struct nmc_precision *precision,
                                  const neuromc_estimate_options *options, struct stages stages,
                                  const struct nmc_gradient *gradient, struct nmc_rates *rates,
                                  struct nmc_work_sink *sink, neuromc_diags *diags) {
    neuromc_status status = NEUROMC_OK;
    for (size_t i = 0; status == NEUROMC_OK && stages.forward && i < layers->count; i++)
        status = emit_forward(&layers->items[i], precision, rates, sink, diags);
    if (status == NEUROMC_OK && stages.forward && options->elementwise)
        status = nmc_emit_elementwise(layers->net, precision, sink, diags);
    if (status == NEUROMC_OK && stages.backward)
        status = nmc_emit_backward(layers, gradient, precision, rates, sink, diags);
    if (status == NEUROMC_OK && stages.optimizer)
        status = nmc_emit_optimizer(layers->net, gradient, options, precision->optimizer_bits, sink,
                                    diags);
    if (status == NEUROMC_OK)
        status = nmc_emit_optimizer_nodes(layers->net, precision->optimizer_bits, sink, diags);
    return status;
}

static neuromc_status lower_layers(const struct nmc_layers *layers,
                                   const struct neuromc_preset *preset,
                                   const neuromc_estimate_options *options, struct nmc_rates *rates,
                                   struct nmc_work_sink *sink, neuromc_diags *diags) {
    struct stages stages = wanted_stages(options);
    struct nmc_gradient gradient = {0};
    const struct nmc_precision precision = precision_of(preset, options);
    neuromc_status status = NEUROMC_OK;
    if (stages.backward || stages.optimizer)
        status = flow_of(layers->net, options, &gradient, diags);
    if (status == NEUROMC_OK)
        status = emit_stages(layers, &precision, options, stages, &gradient, rates, sink, diags);
    if (status == NEUROMC_OK && sink->touch)
        status = touch_stages(layers, &precision, options, stages, &gradient, sink, diags);
    return status == NEUROMC_OK ? nmc_cover_net(layers, options->elementwise, sink, diags) : status;
}

neuromc_status nmc_lower_net(struct nmc_net *net, const struct neuromc_preset *preset,
                             const neuromc_estimate_options *options, struct nmc_work_sink *sink,
                             neuromc_diags *diags) {
    struct nmc_layers layers = {0};
    struct nmc_rates rates;
    neuromc_status status = nmc_rates_read(&rates, options->spike_rate, diags);
    if (status == NEUROMC_OK)
        status = nmc_layers_collect(net, &layers, diags);
    if (status == NEUROMC_OK)
        status = lower_layers(&layers, preset, options, &rates, sink, diags);
    if (status == NEUROMC_OK)
        status = nmc_rates_check(&rates, net, diags);
    if (status == NEUROMC_OK && sink->network)
        status = sink->network(sink->user, &layers);
    nmc_layers_release(&layers);
    nmc_rates_release(&rates);
    return status;
}
