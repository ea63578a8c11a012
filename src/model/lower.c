/* The stages of an estimate from a network. */
#include "model/lower.h"

#include "model/backward.h"

static neuromc_status emit_forward(const struct nmc_layer *layer,
                                   const struct nmc_precision *precision,
                                   struct nmc_work_sink *sink, neuromc_diags *diags) {
    struct nmc_fragment corrected, runtime;
    if (nmc_forward_fragment(layer, precision, &corrected) != NEUROMC_OK)
        return nmc_error(diags, NEUROMC_BAD_INPUT, (struct nmc_place){.where = layer->label}, NULL,
                         "its MACs do not fit 64 bits");
    neuromc_status status = sink->fragment(sink->user, &corrected);
    int rule = nmc_runtime_fragment(layer, &corrected, &runtime);
    if (status == NEUROMC_OK && rule && sink->difference)
        status = sink->difference(sink->user, rule, &runtime, &corrected);
    return status;
}

static neuromc_status emit_training(const struct nmc_layers *layers,
                                    const struct neuromc_preset *preset,
                                    const neuromc_estimate_options *options,
                                    struct nmc_work_sink *sink, neuromc_diags *diags) {
    const struct nmc_gradient_options wanted = {
        .freeze = options->freeze,
        .freeze_count = options->freeze_count,
        .inputs = options->input_grads,
        .input_count = options->input_grad_count,
    };
    struct nmc_gradient gradient;
    neuromc_status status = nmc_check_optimizer(options, diags);
    if (status == NEUROMC_OK)
        status = nmc_gradient_flow(layers->net, &wanted, &gradient, diags);
    if (status == NEUROMC_OK && options->stages & NEUROMC_STAGE_BACKWARD)
        status = nmc_emit_backward(layers, &gradient, &preset->precision, sink, diags);
    if (status == NEUROMC_OK && options->stages & NEUROMC_STAGE_OPTIMIZER)
        status = nmc_emit_optimizer(layers->net, &gradient, options,
                                    preset->precision.optimizer_bits, sink, diags);
    return status;
}

neuromc_status nmc_lower_net(struct nmc_net *net, const struct neuromc_preset *preset,
                             const neuromc_estimate_options *options, struct nmc_work_sink *sink,
                             neuromc_diags *diags) {
    const unsigned training = NEUROMC_STAGE_BACKWARD | NEUROMC_STAGE_OPTIMIZER;
    unsigned stages = options->stages ? options->stages : NEUROMC_STAGE_FORWARD;
    struct nmc_layers layers;
    neuromc_status status = nmc_layers_collect(net, &layers, diags);
    bool forward = stages & NEUROMC_STAGE_FORWARD;
    for (size_t i = 0; forward && status == NEUROMC_OK && i < layers.count; i++)
        status = emit_forward(&layers.items[i], &preset->precision, sink, diags);
    if (status == NEUROMC_OK && stages & training)
        status = emit_training(&layers, preset, options, sink, diags);
    if (status == NEUROMC_OK && sink->touch)
        status = nmc_touch_forward(&layers, &preset->precision, sink, diags);
    if (status == NEUROMC_OK)
        status = nmc_cover_net(net, sink);
    nmc_layers_release(&layers);
    return status;
}
