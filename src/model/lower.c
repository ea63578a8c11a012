/* The stages of an estimate from a network. */
#include "model/lower.h"

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

neuromc_status nmc_lower_net(struct nmc_net *net, const struct neuromc_preset *preset,
                             const neuromc_estimate_options *options, struct nmc_work_sink *sink,
                             neuromc_diags *diags) {
    (void)options;
    struct nmc_layers layers;
    neuromc_status status = nmc_layers_collect(net, &layers, diags);
    for (size_t i = 0; status == NEUROMC_OK && i < layers.count; i++)
        status = emit_forward(&layers.items[i], &preset->precision, sink, diags);
    if (status == NEUROMC_OK && sink->touch)
        status = nmc_touch_forward(&layers, &preset->precision, sink, diags);
    if (status == NEUROMC_OK)
        status = nmc_cover_net(net, sink);
    nmc_layers_release(&layers);
    return status;
}
