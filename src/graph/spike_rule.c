#include "graph/spike_rule.h"

#include <string.h>

#include "graph/infer.h"
#include "graph/ops.h"
#include "graph/soma.h"

/* ---- constants ---- */

static bool all_binary_reals(const double *values, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        if (values[i] != 0 && values[i] != 1)
            return false;
    return count > 0;
}

static bool all_binary_ints(const nmc_dim *values, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        if (values[i] != 0 && values[i] != 1)
            return false;
    return count > 0;
}

static bool has_binary_value(const struct nmc_tensor *tensor) {
    if (tensor->reals)
        return all_binary_reals(tensor->reals, tensor->value_count);
    return tensor->ints && all_binary_ints(tensor->ints, tensor->value_count);
}

/* A filled shape may be too large to be folded. */
static bool is_filled_binary(const struct nmc_node *node) {
    const struct nmc_attr *value = nmc_attr_find(node, "value");
    if (!nmc_node_is(node, "ConstantOfShape"))
        return false;
    return !value ||
           (value->kind == NMC_ATTR_TENSOR && value->tensor && has_binary_value(value->tensor));
}

/* A sequence without elements holds nothing else. */
static bool is_empty_sequence(const struct nmc_node *node) {
    return nmc_node_is(node, "SequenceEmpty");
}

bool nmc_is_binary(const struct nmc_tensor *tensor) {
    const struct nmc_node *node = tensor->producer;
    return tensor->spike || has_binary_value(tensor) ||
           (node && (is_filled_binary(node) || is_empty_sequence(node)));
}

/* ---- rules ---- */

static bool binary_input(const struct nmc_node *node, int index) {
    const struct nmc_tensor *input = nmc_in(node, index);
    return input && nmc_is_binary(input);
}

/* Numbers that may be learned are 0 only at first: parts of a stored table are no spikes. */
static bool kept_input(const struct nmc_node *node) {
    const struct nmc_tensor *input = nmc_in(node, 0);
    bool table = input && input->is_initializer && input->value_count > 1 &&
                 nmc_elem_kind(input->type) == 'f';
    return !table && binary_input(node, 0);
}

/* Indices beside data do not count. */
static bool is_index(const struct nmc_node *node, const struct nmc_tensor *input) {
    return nmc_elem_kind(input->type) == 'i' && node->outputs[0] &&
           nmc_elem_kind(node->outputs[0]->type) != 'i';
}

static bool all_binary(const struct nmc_node *node) {
    int there = 0;
    for (int i = 0; i < node->input_count; i++) {
        const struct nmc_tensor *input = node->inputs[i];
        if (!input || is_index(node, input))
            continue;
        if (!nmc_is_binary(input))
            return false;
        there++;
    }
    return there > 0;
}

static bool all_are(const struct nmc_attr *attr, int64_t value) {
    for (int64_t i = 0; attr && i < attr->count; i++)
        if (attr->kind != NMC_ATTR_INTS || attr->ints[i] != value)
            return false;
    return true;
}

/* Means and sums over windows of one element. */
static bool one_element_windows(const struct nmc_node *node) {
    const struct nmc_attr *kernel = nmc_attr_find(node, "kernel_shape");
    int64_t before, after;
    if (kernel)
        return all_are(kernel, 1) && all_are(nmc_attr_find(node, "pads"), 0);
    return nmc_in_shape(node, 0) && node->outputs[0] &&
           nmc_shape_elements(nmc_in_shape(node, 0), &before) &&
           nmc_shape_elements(&node->outputs[0]->shape, &after) && before == after;
}

static bool has_text(const struct nmc_node *node, const char *name, const char *absent,
                     const char *wanted) {
    const struct nmc_attr *attr = nmc_attr_find(node, name);
    return strcmp(attr && attr->kind == NMC_ATTR_STRING ? attr->s : absent, wanted) == 0;
}

static bool pads_binary(const struct nmc_node *node) {
    const struct nmc_attr *value = nmc_attr_find(node, "value");
    if (!has_text(node, "mode", "constant", "constant"))
        return true; /* with its own elements */
    if (value && nmc_before(node, 11))
        return value->kind == NMC_ATTR_FLOAT && (value->f == 0 || value->f == 1);
    return !nmc_in(node, 2) || has_binary_value(nmc_in(node, 2));
}

/* At inference a dropout does nothing; in training it scales what it leaves. */
static bool drops_nothing(const struct nmc_node *node) {
    const struct nmc_attr *is_test = nmc_attr_find(node, "is_test");
    if (nmc_before(node, 7))
        return is_test && is_test->kind == NMC_ATTR_INT && is_test->i != 0;
    const struct nmc_tensor *training = nmc_in(node, 2);
    return !training || (training->ints && training->value_count == 1 && training->ints[0] == 0);
}

static bool first_output_keeps(const struct nmc_node *node) {
    switch (node->op->spike) {
    case NMC_SPIKE_KEEPS:
    case NMC_SPIKE_CAST: return kept_input(node);
    case NMC_SPIKE_ALL: return all_binary(node);
    case NMC_SPIKE_BOOL: return true;
    case NMC_SPIKE_SELECT: return binary_input(node, 1) && binary_input(node, 2);
    case NMC_SPIKE_AVERAGE: return binary_input(node, 0) && one_element_windows(node);
    case NMC_SPIKE_PAD: return binary_input(node, 0) && pads_binary(node);
    case NMC_SPIKE_DROPOUT: return binary_input(node, 0) && drops_nothing(node);
    case NMC_SPIKE_SCATTER:
        return binary_input(node, 0) && binary_input(node, 2) &&
               !has_text(node, "reduction", "none", "add");
    case NMC_SPIKE_INSERT: return binary_input(node, 0) && binary_input(node, 1);
    case NMC_SPIKE_NEAREST:
        return binary_input(node, 0) && has_text(node, "mode", "nearest", "nearest");
    case NMC_SPIKE_ENDS: break;
    }
    return is_filled_binary(node);
}

bool nmc_keeps_binary(const struct nmc_node *node, int index) {
    if (!node->op)
        return index == 0 && nmc_node_is_spike_function(node);
    if (index > 0) /* parts of the input, like its first output; else masks, places, states */
        return node->op->spike == NMC_SPIKE_KEEPS && node->op->cost == NMC_COST_VIEW &&
               binary_input(node, 0);
    return first_output_keeps(node);
}

/* ---- sequences written in place ---- */

/* Whether a tensor is made of the number of the iteration alone. */
static bool is_iteration(const struct nmc_tensor *tensor, const struct nmc_graph *body) {
    enum { MOST_VIEWS = 8 };
    for (int i = 0; i < MOST_VIEWS; i++) {
        const struct nmc_node *node = tensor->producer;
        if (tensor == body->inputs[0])
            return true;
        bool hands_on =
            node && node->graph == body && node->input_count > 0 && node->inputs[0] &&
            (nmc_node_is(node, "Cast") || (node->op && node->op->cost == NMC_COST_VIEW));
        if (!hands_on)
            return false;
        tensor = node->inputs[0];
    }
    return false;
}

bool nmc_is_overwritten(const struct nmc_node *loop, const struct nmc_tensor *carried) {
    const struct nmc_graph *body = loop->body;
    if (!nmc_node_is(loop, "Loop") || carried->shape.rank < 1 ||
        carried->shape.dims[0] != loop->trips)
        return false;
    for (int c = 0; c < carried->consumer_count; c++) {
        const struct nmc_node *node = carried->consumers[c];
        if (nmc_node_is(node, "ScatterND") && node->input_count >= 3 &&
            node->inputs[0] == carried && node->inputs[1])
            return is_iteration(node->inputs[1], body);
    }
    return false;
}
