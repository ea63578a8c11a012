/* Batch norm: C = K = channels, OY = all spatial positions (reference: _make_bn_forward_fragment).
 * Its weight operand is the two parameters of each channel. */
#include "base/checked.h"
#include "model/layering.h"

void nmc_layer_batch_norm(struct nmc_layering *l, struct nmc_node *node) {
    struct nmc_tensor *input = nmc_in(node, 0);
    if (!nmc_layer_needs(l, node, input, "input"))
        return;
    const struct nmc_shape *x = &input->shape;
    struct nmc_layer layer = nmc_layer_start(NMC_LAYER_BN, node);
    layer.input = input;
    layer.output = node->output_count ? node->outputs[0] : NULL;
    layer.dims[NMC_B] = x->rank > 0 ? x->dims[0] : 1;
    layer.dims[NMC_C] = layer.dims[NMC_K] = x->rank > 1 ? x->dims[1] : 1;
    if (x->rank > 2)
        layer.dims[NMC_OY] = nmc_layer_product(l, node, x->dims + 2, x->rank - 2);
    layer.weight = nmc_in(node, 1);
    if (nmc_mul(layer.dims[NMC_C], 2, &layer.weight_elements))
        nmc_layer_add(l, layer);
}
