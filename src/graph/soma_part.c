/* What an operator can do inside a neuron. */
#include <stdlib.h>
#include <string.h>

#include "graph/soma_find.h"

struct row {
    const char *op;
    enum nmc_part part;
};

static const struct row rows[] = {
#define SOMA_PART(op, part) {#op, NMC_PART_##part},
#include "graph/soma.def"
#undef SOMA_PART
};

static int compare(const void *name, const void *row) {
    return strcmp(name, ((const struct row *)row)->op);
}

static enum nmc_part part_of_cast(const struct nmc_node *node) {
    if (!node->inputs[0] || nmc_elem_kind(node->inputs[0]->type) != 'f')
        return NMC_PART_CAST;
    switch (nmc_elem_kind(node->outputs[0]->type)) {
    case 'i': return NMC_PART_STEP;
    case 'b': return NMC_PART_ABOVE;
    default: return NMC_PART_CAST;
    }
}

static bool same_elements(const struct nmc_node *node) {
    int64_t before, after;
    return node->inputs[0] && nmc_shape_elements(&node->inputs[0]->shape, &before) &&
           nmc_shape_elements(&node->outputs[0]->shape, &after) && before == after;
}

enum nmc_part nmc_part_of(const struct nmc_node *node) {
    if (node->input_count < 1 || node->output_count < 1 || !node->outputs[0])
        return NMC_PART_NONE;
    if (nmc_node_is_spike_function(node))
        return NMC_PART_ABOVE;
    if (*node->domain)
        return NMC_PART_NONE;
    const struct row *row =
        bsearch(node->op_type, rows, sizeof rows / sizeof *rows, sizeof *rows, compare);
    enum nmc_part part = row ? row->part : NMC_PART_NONE;
    if (part == NMC_PART_CAST)
        return part_of_cast(node);
    if (strcmp(node->op_type, "ReduceSum") == 0 && !same_elements(node))
        return NMC_PART_NONE;
    return part;
}
