/* Collecting the layers of a network; what the per-family makers share. */
#include "model/layer.h"

#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "base/memory.h"
#include "graph/soma.h"
#include "model/layering.h"
#include "model/training_graph.h"

struct nmc_layer nmc_layer_start(enum nmc_layer_kind kind, struct nmc_node *node) {
    return (struct nmc_layer){
        .kind = kind, .node = node, .dims = {1, 1, 1, 1, 1, 1, 1, 1}, .groups = 1};
}

void nmc_layer_fail(struct nmc_layering *l, struct nmc_node *node, const char *hint,
                    const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = nmc_arena_vprintf(&l->net->arena, format, args);
    va_end(args);
    neuromc_status status = nmc_error(l->diags, NEUROMC_BAD_INPUT, nmc_node_place(l->net, node),
                                      hint, "%s", text ? text : format);
    if (l->status == NEUROMC_OK)
        l->status = status;
}

int64_t nmc_layer_product(struct nmc_layering *l, struct nmc_node *node, const nmc_dim *dims,
                          int count) {
    int64_t product;
    if (nmc_product(dims, count, &product))
        return product;
    nmc_layer_fail(l, node, NULL, "the product of its dims does not fit 64 bits");
    return 0;
}

/* ---- appending ---- */

/* Names are labels and may repeat or be empty; reports group by node, so there each is unique. */
static const char *unique_label(struct nmc_layering *l, const struct nmc_node *node) {
    struct nmc_arena *arena = &l->net->arena;
    const char *label =
        *node->name ? nmc_arena_printf(arena, "%s%s", l->prefix, node->name)
                    : nmc_arena_printf(arena, "%s%s#%u", l->prefix, node->op_type, node->id);
    if (!label)
        return NULL;
    const struct nmc_node *owner = nmc_strmap_get(&l->labels, label);
    if (owner && owner != node)
        label = nmc_arena_printf(arena, "%s#%u", label, node->id);
    if (!label || !nmc_strmap_put(&l->labels, label, (void *)(uintptr_t)node))
        return NULL;
    return label;
}

static bool count_elements(struct nmc_layering *l, struct nmc_node *node,
                           const struct nmc_tensor *tensor, int64_t *elements) {
    if (*elements || !tensor)
        return true;
    *elements = nmc_layer_product(l, node, tensor->shape.dims, tensor->shape.rank);
    return *elements > 0;
}

/* Rows of the right operand of a weight are not its batch. */
static bool has_lead(const struct nmc_layer *layer) {
    bool turned = layer->kind == NMC_LAYER_LINEAR && layer->weight == nmc_in(layer->node, 0);
    bool recurrent = layer->node->op && layer->node->op->work == NMC_WORK_RNN;
    return layer->kind != NMC_LAYER_SOMA && !turned && !recurrent;
}

/* Time in front of the batch: B counted both. */
static bool split_time(struct nmc_layering *l, struct nmc_layer *layer) {
    int64_t steps = layer->input ? layer->input->steps : 0;
    if (steps <= 1 || !has_lead(layer))
        return true;
    if (layer->dims[NMC_B] % steps != 0)
        return nmc_layer_bad_lead(l, layer->node, layer->input, layer->dims[NMC_B]);
    layer->dims[NMC_T] = steps;
    layer->dims[NMC_B] /= steps;
    return true;
}

bool nmc_layer_bad_lead(struct nmc_layering *l, struct nmc_node *node,
                        const struct nmc_tensor *tensor, int64_t lead) {
    if (l->bad_lead)
        return false;
    l->bad_lead = true;
    neuromc_status status =
        nmc_error(l->diags, NEUROMC_USAGE, nmc_node_place(l->net, node),
                  "activations are [T, B, ...] or [T*B, ...]; is --time-steps right?",
                  "%lld time steps do not divide the %lld rows of \"%s\"", (long long)tensor->steps,
                  (long long)lead, tensor->name);
    if (l->status == NEUROMC_OK)
        l->status = status;
    return false;
}

/* Iterations of neurons and batch norms are time steps; products read their weights anew. */
static bool repeat(struct nmc_layering *l, struct nmc_layer *layer) {
    layer->times = l->times;
    if (layer->kind != NMC_LAYER_SOMA && layer->kind != NMC_LAYER_BN)
        return true;
    layer->times = 1;
    bool fits = nmc_mul(layer->dims[NMC_T], l->times, &layer->dims[NMC_T]) &&
                nmc_mul(layer->input_elements, l->times, &layer->input_elements) &&
                nmc_mul(layer->output_elements, l->times, &layer->output_elements);
    if (!fits)
        nmc_layer_fail(l, layer->node, NULL, "its updates do not fit 64 bits");
    return fits;
}

void nmc_layer_add(struct nmc_layering *l, struct nmc_layer layer) {
    for (int i = 0; i < NMC_LOOPS; i++)
        if (layer.dims[i] == 0)
            return;
    if (l->open_loop) {
        const char *name = l->open_loop->name;
        nmc_layer_fail(l, layer.node, nmc_arena_printf(&l->net->arena, "say it: --trip %s=N", name),
                       "trip count of %s is not known", nmc_node_label(l->net, l->open_loop));
        return;
    }
    if (!count_elements(l, layer.node, layer.input, &layer.input_elements) ||
        !count_elements(l, layer.node, layer.weight, &layer.weight_elements) ||
        !count_elements(l, layer.node, layer.output, &layer.output_elements))
        return;
    if (!split_time(l, &layer) || !repeat(l, &layer))
        return;
    struct nmc_layers *layers = l->layers;
    layer.label = unique_label(l, layer.node);
    if (!layer.label ||
        !nmc_grow(&layers->items, &layers->capacity, layers->count + 1, sizeof layer)) {
        l->status = nmc_out_of_memory(l->diags);
        return;
    }
    layers->items[layers->count++] = layer;
}

/* ---- walking ---- */

static nmc_layer_fn *const makers[] = {
    [NMC_WORK_CONV] = nmc_layer_conv,
    [NMC_WORK_CONV_TRANSPOSE] = nmc_layer_conv_transpose,
    [NMC_WORK_GEMM] = nmc_layer_gemm,
    [NMC_WORK_MATMUL] = nmc_layer_matmul,
    [NMC_WORK_EINSUM] = nmc_layer_einsum,
    [NMC_WORK_RNN] = nmc_layer_rnn,
    [NMC_WORK_ATTENTION] = nmc_layer_attention,
    [NMC_WORK_CONV_GRAD] = nmc_layer_conv_grad,
    [NMC_WORK_BATCH_NORM] = nmc_layer_batch_norm,
    [NMC_WORK_OPTIMIZER] = NULL,
};

/* Neurons are one layer for all their nodes, at the place of the one that makes the spikes. */
static nmc_layer_fn *maker(const struct nmc_node *node) {
    if (node->soma)
        return node->soma->node == node ? nmc_layer_soma : NULL;
    return node->op ? makers[node->op->work] : NULL;
}

static void walk(struct nmc_layering *l, struct nmc_graph *graph);

/* The body of an If, Loop or Scan, with the iterations around it multiplied in. */
static void walk_body(struct nmc_layering *l, struct nmc_node *node) {
    struct nmc_layering around = *l;
    bool loops = !nmc_node_is(node, "If");
    if (loops && node->trips < 0)
        l->open_loop = node;
    else if (loops && !nmc_mul(l->times, node->trips, &l->times))
        nmc_layer_fail(l, node, NULL, "its iterations do not fit 64 bits");
    const char *prefix = nmc_arena_printf(&l->net->arena, "%s%s/", l->prefix,
                                          *node->name ? node->name : node->op_type);
    l->prefix = prefix ? prefix : l->prefix;
    if (l->times > 0)
        walk(l, node->body);
    l->times = around.times;
    l->open_loop = around.open_loop;
    l->prefix = around.prefix;
}

static void walk(struct nmc_layering *l, struct nmc_graph *graph) {
    for (int n = 0; n < graph->node_count; n++) {
        struct nmc_node *node = graph->nodes[n];
        nmc_layer_fn *make = maker(node);
        if (make)
            make(l, node);
        if (node->body)
            walk_body(l, node);
    }
}

neuromc_status nmc_layers_collect(struct nmc_net *net, struct nmc_layers *out,
                                  neuromc_diags *diags) {
    *out = (struct nmc_layers){.net = net};
    struct nmc_layering layering = {
        .layers = out, .net = net, .diags = diags, .times = 1, .prefix = ""};
    layering.is_gradient = nmc_gradient_tensors(net);
    if (!layering.is_gradient)
        return nmc_out_of_memory(diags);
    walk(&layering, net->main);
    nmc_layer_tell_open_shapes(&layering);
    nmc_strmap_release(&layering.labels);
    nmc_free(layering.open_shapes);
    if (layering.status == NEUROMC_OK && net->arena.failed)
        layering.status = nmc_out_of_memory(diags);
    if (layering.status != NEUROMC_OK)
        nmc_layers_release(out);
    return layering.status;
}

void nmc_layers_release(struct nmc_layers *layers) {
    nmc_free(layers->items);
    *layers = (struct nmc_layers){0};
}
