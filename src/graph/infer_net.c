/*
 * infer_net.c - the driver of shape inference.
 *
 * The graph is walked in order; each node's row of the operator table infers and folds, and what
 * stays open is taken from the file's own declarations. When a node shows that an open dim must
 * be a certain number (a symbolic channel count meets a weight), the number is bound and the walk
 * starts anew, so that nodes before it see the number too.
 */
#include "graph/infer_net.h"

#include <string.h>

#include "base/memory.h"
#include "graph/soma.h"

/* Each further walk binds at least one more dim; real files need two. */
enum { MOST_ROUNDS = 8 };

static int present(struct nmc_tensor *const *tensors, int count) {
    while (count > 0 && !tensors[count - 1])
        count--;
    return count;
}

static neuromc_status check_inputs(struct nmc_infer *infer, const struct nmc_node *node) {
    int least = node->op->min_inputs;
    if (node->input_count < least)
        return nmc_node_error(infer, node, NULL, "%d input%s, at least %d wanted",
                              node->input_count, node->input_count == 1 ? "" : "s", least);
    int count = present(node->inputs, node->input_count);
    if (node->op->max_inputs >= 0 && count > node->op->max_inputs)
        return nmc_node_error(infer, node, NULL, "%d inputs, at most %d wanted", count,
                              node->op->max_inputs);
    return NEUROMC_OK;
}

/* A tensor's type comes from the file too, and stays. */
static void forget(struct nmc_tensor *tensor) {
    tensor->shape = (struct nmc_shape){.rank = -1};
    tensor->ints = NULL;
    tensor->reals = NULL;
    tensor->value_count = 0;
    tensor->length = -1;
    tensor->is_constant = false;
}

static bool draws_numbers(const struct nmc_op *op) {
    return op->infer == nmc_infer_random || op->infer == nmc_infer_random_like ||
           op->infer == nmc_infer_multinomial;
}

/* Nodes with bodies settle it themselves, since bodies read outer tensors. */
static bool computes_constant(const struct nmc_node *node) {
    if (!node->op || node->op->cost == NMC_COST_CONTROL || draws_numbers(node->op))
        return false;
    int count = present(node->inputs, node->input_count);
    for (int i = 0; i < count; i++)
        if (node->inputs[i] && !node->inputs[i]->is_constant)
            return false;
    return true;
}

static bool nameless(const struct nmc_infer *infer, nmc_dim d) {
    return !nmc_dim_known(d) && !infer->net->symbols[nmc_dim_id(d)].name;
}

/* Fills what inference left open from the file: numbers, or at least names. */
static void take_declared(struct nmc_infer *infer, struct nmc_tensor *tensor) {
    const struct nmc_shape *declared = &tensor->declared;
    struct nmc_shape *shape = &tensor->shape;
    if (infer->batch_bound || declared->rank < 0)
        return;
    if (shape->rank < 0)
        nmc_shape_set(infer->net, shape, declared->rank, declared->dims);
    if (shape->rank != declared->rank)
        return;
    for (int i = 0; i < shape->rank; i++) {
        nmc_dim said = declared->dims[i];
        bool open = !nmc_dim_known(shape->dims[i]);
        if (open && (nmc_dim_known(said) || nameless(infer, shape->dims[i])))
            shape->dims[i] = said;
    }
}

/* A neuron has the shape of its current, and so have the potentials it gives out, unless the file
 * says otherwise. */
static neuromc_status infer_soma(struct nmc_infer *infer, struct nmc_node *node) {
    neuromc_status status = NEUROMC_OK;
    for (int i = 0; status == NEUROMC_OK && i < node->output_count; i++) {
        const struct nmc_tensor *output = node->outputs[i];
        bool said = output && !infer->batch_bound &&
                    (i == 0 ? nmc_shape_known(&output->declared) : output->declared.rank >= 0);
        if (output && !said)
            status = nmc_out_like(infer, node, i, 0);
    }
    return status;
}

/* A Reshape to [1, -1, ...] in a model made for a batch of 1 takes any batch, and moves it into
 * another axis. Counts that depend on that axis would be wrong without a word. */
static neuromc_status check_batch(struct nmc_infer *infer, const struct nmc_node *node) {
    const struct nmc_shape *x = nmc_in_shape(node, 0);
    const struct nmc_tensor *y = node->output_count ? node->outputs[0] : NULL;
    if (!infer->batch_bound || !nmc_node_is(node, "Reshape") || !x || x->rank < 1 || !y ||
        y->shape.rank < 1 || nmc_in(node, 0)->is_constant)
        return NEUROMC_OK;
    if (x->dims[0] != infer->options->batch || y->shape.dims[0] != infer->old_batch)
        return NEUROMC_OK;
    return nmc_node_error(infer, node, NULL, "its leading dim is %lld, though the batch is %lld",
                          (long long)y->shape.dims[0], (long long)x->dims[0]);
}

static neuromc_status infer_node(struct nmc_infer *infer, struct nmc_node *node) {
    infer->steps_left--;
    for (int i = 0; i < node->output_count; i++)
        if (node->outputs[i])
            forget(node->outputs[i]);
    neuromc_status status = NEUROMC_OK;
    if (nmc_node_is_spike_function(node) ||
        nmc_node_is_soma(node, infer->options->soma_ops, infer->options->soma_op_count)) {
        status = infer_soma(infer, node);
    } else if (node->op) {
        status = check_inputs(infer, node);
        if (status == NEUROMC_OK)
            status = node->op->infer(infer, node);
        if (status == NEUROMC_OK)
            status = check_batch(infer, node);
        if (status == NEUROMC_OK)
            status = node->op->fold(infer, node);
    }
    bool constant = computes_constant(node);
    for (int i = 0; i < node->output_count; i++) {
        struct nmc_tensor *output = node->outputs[i];
        if (!output)
            continue;
        output->is_constant |= constant;
        take_declared(infer, output);
    }
    return status;
}

neuromc_status nmc_infer_graph(struct nmc_infer *infer, struct nmc_graph *graph) {
    for (int n = 0; n < graph->node_count; n++) {
        neuromc_status status = infer_node(infer, graph->nodes[n]);
        if (status != NEUROMC_OK)
            return status;
    }
    return infer->net->arena.failed ? NEUROMC_IO : NEUROMC_OK;
}

/* Before each walk: what an earlier one found, and the symbols it made. */
static void start_over(struct nmc_infer *infer) {
    struct nmc_net *net = infer->net;
    for (uint32_t t = 0; t < net->tensor_count; t++)
        if (net->tensors[t]->producer || net->tensors[t]->is_body_input)
            forget(net->tensors[t]);
    net->symbol_count = infer->bound_count;
    infer->unified = false;
    infer->steps_left = 16 * (int64_t)net->node_count + 100000;
    nmc_bind_apply(infer);
}

static neuromc_status walk(struct nmc_infer *infer) {
    neuromc_status status = NEUROMC_OK;
    infer->unified = true;
    for (int round = 0; status == NEUROMC_OK && infer->unified && round < MOST_ROUNDS; round++) {
        start_over(infer);
        status = nmc_infer_graph(infer, infer->net->main);
    }
    nmc_bind_apply(infer);
    return status;
}

static neuromc_status run(struct nmc_infer *infer) {
    size_t nodes = infer->net->node_count;
    infer->remarks = nmc_malloc(nodes + 1);
    if (!infer->remarks)
        return nmc_out_of_memory(infer->diags);
    memset(infer->remarks, 0, nodes + 1);
    neuromc_status status = nmc_bind_options(infer);
    if (status == NEUROMC_OK)
        status = walk(infer);
    if (status == NEUROMC_IO || infer->net->arena.failed)
        return nmc_out_of_memory(infer->diags);
    if (status == NEUROMC_OK)
        nmc_infer_warn(infer);
    return status;
}

neuromc_status nmc_infer_net(struct nmc_net *net, const struct nmc_infer_options *options,
                             neuromc_diags *diags) {
    static const struct nmc_infer_options none;
    struct nmc_infer infer = {.net = net, .options = options ? options : &none, .diags = diags};
    neuromc_status status = run(&infer);
    nmc_free(infer.bound);
    nmc_free(infer.remarks);
    return status;
}
