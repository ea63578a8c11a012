/*
 * layer_rnn.c - RNN, GRU and LSTM by their gate products: in each step and direction the input
 * (I) and the hidden state (H) meet gates * H columns. One layer: C = I + H, K = directions *
 * gates * H, T = sequence length.
 */
#include <string.h>

#include "base/checked.h"
#include "model/layering.h"

/* sequence_lens cuts sequences short: with equal lengths T is that, else the steps of all
 * sequences are laid end to end. Lengths that are not known beforehand count in full. */
static void set_lengths(const struct nmc_node *node, struct nmc_layer *layer) {
    int64_t count, steps = 0;
    const nmc_dim *lengths = nmc_in_ints(node, 4, &count);
    bool equal = true;
    for (int64_t i = 0; lengths && i < count; i++) {
        if (lengths[i] < 0 || lengths[i] > layer->dims[NMC_T])
            return;
        steps += lengths[i];
        equal = equal && lengths[i] == lengths[0];
    }
    if (!lengths || count != layer->dims[NMC_B])
        return;
    layer->dims[NMC_T] = equal ? lengths[0] : steps;
    layer->dims[NMC_B] = equal ? layer->dims[NMC_B] : 1;
}

void nmc_layer_rnn(struct nmc_layering *l, struct nmc_node *node) {
    struct nmc_tensor *x = nmc_in(node, 0), *w = nmc_in(node, 1), *r = nmc_in(node, 2);
    if (!nmc_layer_needs(l, node, x, "input") || !nmc_layer_needs(l, node, w, "weight") ||
        !nmc_layer_needs(l, node, r, "recurrence weight") || x->shape.rank != 3 ||
        w->shape.rank != 3 || r->shape.rank != 3)
        return;
    const struct nmc_attr *layout = nmc_attr_find(node, "layout");
    bool batch_first = layout && layout->kind == NMC_ATTR_INT && layout->i == 1;
    struct nmc_layer layer = nmc_layer_start(NMC_LAYER_LINEAR, node);
    const nmc_dim *xd = x->shape.dims, *wd = w->shape.dims, *rd = r->shape.dims;
    /* Quantised weights are stored transposed. */
    int rows = strcmp(node->op_type, "DynamicQuantizeLSTM") == 0 ? 2 : 1, columns = 3 - rows;
    layer.dims[NMC_T] = xd[batch_first];
    layer.dims[NMC_B] = xd[!batch_first];
    bool fits = nmc_mul(wd[0], wd[rows], &layer.dims[NMC_K]) &&
                nmc_add(wd[columns], rd[columns], &layer.dims[NMC_C]);
    set_lengths(node, &layer);
    /* The state is read beside the input and written at every step. */
    const int64_t *d = layer.dims;
    fits =
        fits && nmc_product((int64_t[]){d[NMC_T], d[NMC_B], d[NMC_C]}, 3, &layer.input_elements) &&
        nmc_product((int64_t[]){d[NMC_C], d[NMC_K]}, 2, &layer.weight_elements) &&
        nmc_product((int64_t[]){d[NMC_T], d[NMC_B], wd[0], rd[columns]}, 4, &layer.output_elements);
    layer.input = x;
    layer.weight = w;
    layer.output = node->output_count ? node->outputs[0] : NULL;
    if (fits)
        nmc_layer_add(l, layer);
    else
        nmc_layer_fail(l, node, NULL, "its dims do not fit 64 bits");
}
