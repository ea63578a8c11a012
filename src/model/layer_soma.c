/*
 * layer_soma.c - one update of a layer of neurons: C = K = channels, OY = all spatial positions
 * (reference: _make_soma_forward_fragment). Without a batch axis B is 1 (rule 6).
 */
#include "graph/soma.h"
#include "model/layering.h"

void nmc_layer_soma(struct nmc_layering *l, struct nmc_node *node) {
    const struct nmc_soma *soma = node->soma;
    if (!nmc_layer_needs(l, node, soma->output, "output"))
        return;
    const struct nmc_shape *s = &soma->output->shape;
    struct nmc_layer layer = nmc_layer_start(NMC_LAYER_SOMA, node);
    layer.input = soma->input;
    layer.output = soma->output;
    if (s->rank == 1)
        layer.dims[NMC_C] = s->dims[0];
    if (s->rank > 1) {
        layer.dims[NMC_B] = s->dims[0];
        layer.dims[NMC_C] = s->dims[1];
        layer.dims[NMC_OY] = nmc_layer_product(l, node, s->dims + 2, s->rank - 2);
    }
    layer.dims[NMC_K] = layer.dims[NMC_C];
    layer.input_elements = layer.output_elements = nmc_layer_product(l, node, s->dims, s->rank);
    nmc_layer_add(l, layer);
}
