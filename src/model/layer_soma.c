/*
 * layer_soma.c - one update of a layer of neurons: C = K = channels, OY = all spatial positions
 * (reference: _make_soma_forward_fragment). Without a batch axis B is 1 (rule 6).
 */
#include "graph/soma.h"
#include "model/layering.h"

/* B, C, OY of the axes from `first` on; a lone axis is the channels. */
static void set_dims(struct nmc_layering *l, struct nmc_layer *layer, const struct nmc_shape *s,
                     int first) {
    const nmc_dim *d = s->dims + first;
    int rank = s->rank - first;
    if (rank == 1)
        layer->dims[NMC_C] = d[0];
    if (rank > 1) {
        layer->dims[NMC_B] = d[0];
        layer->dims[NMC_C] = d[1];
        layer->dims[NMC_OY] = nmc_layer_product(l, layer->node, d + 2, rank - 2);
    }
    layer->dims[NMC_K] = layer->dims[NMC_C];
}

static bool set_time(struct nmc_layering *l, struct nmc_layer *layer,
                     const struct nmc_tensor *output) {
    if (output->time == NMC_TIME_SPLIT)
        layer->dims[NMC_T] = output->shape.dims[0];
    if (output->time != NMC_TIME_MERGED || output->steps <= 1)
        return true;
    if (layer->dims[NMC_B] % output->steps != 0)
        return nmc_layer_bad_lead(l, layer->node, output, layer->dims[NMC_B]);
    layer->dims[NMC_T] = output->steps;
    layer->dims[NMC_B] /= output->steps;
    return true;
}

void nmc_layer_soma(struct nmc_layering *l, struct nmc_node *node) {
    const struct nmc_soma *soma = node->soma;
    if (!nmc_layer_needs(l, node, soma->output, "output"))
        return;
    const struct nmc_shape *s = &soma->output->shape;
    struct nmc_layer layer = nmc_layer_start(NMC_LAYER_SOMA, node);
    enum nmc_time time = soma->output->time;
    bool time_axis = (time == NMC_TIME_SPLIT || time == NMC_TIME_UNIT) && s->rank > 0;
    layer.input = soma->input;
    layer.output = soma->output;
    set_dims(l, &layer, s, time_axis);
    layer.input_elements = layer.output_elements = nmc_layer_product(l, node, s->dims, s->rank);
    if (set_time(l, &layer, soma->output))
        nmc_layer_add(l, layer);
}
