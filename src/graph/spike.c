/*
 * spike.c - walks the network and follows 0 and 1 from where they are made: neurons, booleans,
 * graph inputs that are said to be spikes.
 *
 * What a loop carries is taken for spikes if its initial value is, until an iteration shows
 * otherwise; then the walk starts anew, so that the answer holds for all iterations.
 */
#include "graph/spike.h"

#include <string.h>

#include "base/limits.h"
#include "base/suggest.h"
#include "graph/soma.h"
#include "graph/spike_rule.h"

/* Each further walk refutes at least one carried value; real files need three. */
enum { MOST_WALKS = 32 };

struct walker {
    struct nmc_net *net;
    bool *said;    /* by tensor id: the caller says that it is a spike tensor */
    bool *refuted; /* by tensor id: a carried value that is not */
    bool distrust; /* take nothing that is carried for spikes */
    bool changed;
};

static void walk(struct walker *w, struct nmc_graph *graph);

static bool is_empty(const struct nmc_tensor *tensor) {
    int64_t elements;
    return nmc_shape_elements(&tensor->shape, &elements) && elements == 0;
}

static void set(struct nmc_tensor *tensor, bool spike) {
    if (tensor)
        tensor->spike = nmc_elem_kind(tensor->type) == 'b' || (spike && !is_empty(tensor));
}

/* ---- control flow ---- */

/* Values carried by a node: input node_in + k, body input body_in + k, body output body_out + k,
 * output k. Behind them body inputs are slices of inputs, outputs stacks of body outputs. */
struct carry {
    int node_in, body_in, body_out, count;
};

static struct carry carry_of(const struct nmc_node *node) {
    if (nmc_node_is(node, "Loop"))
        return (struct carry){2, 2, 1, node->input_count > 2 ? node->input_count - 2 : 0};
    const struct nmc_attr *scanned = nmc_attr_find(node, "num_scan_inputs");
    int sliced = scanned && scanned->kind == NMC_ATTR_INT ? (int)scanned->i : node->input_count;
    int first = nmc_node_is(node, "Scan") && node->opset && node->opset < 9;
    return (struct carry){first, 0, 0, node->input_count - first - sliced};
}

static struct nmc_tensor *at(struct nmc_tensor *const *tensors, int count, int index) {
    return index >= 0 && index < count ? tensors[index] : NULL;
}

static void enter_body(struct walker *w, const struct nmc_node *node, struct carry c) {
    const struct nmc_graph *body = node->body;
    for (int i = c.body_in; i < body->input_count; i++) {
        struct nmc_tensor *inner = body->inputs[i];
        const struct nmc_tensor *outer =
            at(node->inputs, node->input_count, i - c.body_in + c.node_in);
        bool carried = i - c.body_in < c.count;
        bool spike =
            outer && (nmc_is_binary(outer) || (carried && nmc_is_overwritten(node, inner)));
        set(inner, spike && !(carried && (w->refuted[inner->id] || w->distrust)));
    }
}

static void leave_body(struct walker *w, const struct nmc_node *node, struct carry c) {
    const struct nmc_graph *body = node->body;
    for (int k = 0; k < c.count; k++) {
        struct nmc_tensor *inner = at(body->inputs, body->input_count, c.body_in + k);
        const struct nmc_tensor *next = at(body->outputs, body->output_count, c.body_out + k);
        if (inner && inner->spike && nmc_elem_kind(inner->type) != 'b' && next &&
            !nmc_is_binary(next)) {
            w->refuted[inner->id] = true;
            w->changed = true;
        }
    }
    for (int i = 0; i < node->output_count; i++) {
        const struct nmc_tensor *result = at(body->outputs, body->output_count, c.body_out + i);
        const struct nmc_tensor *start = i < c.count ? body->inputs[c.body_in + i] : result;
        set(node->outputs[i], result && start && nmc_is_binary(result) && nmc_is_binary(start));
    }
}

static void walk_body(struct walker *w, struct nmc_node *node) {
    if (nmc_node_is(node, "If")) {
        walk(w, node->body);
        for (int i = 0; i < node->output_count; i++) {
            const struct nmc_tensor *result = at(node->body->outputs, node->body->output_count, i);
            set(node->outputs[i], result && nmc_is_binary(result));
        }
        return;
    }
    struct carry c = carry_of(node);
    enter_body(w, node, c);
    walk(w, node->body);
    leave_body(w, node, c);
}

/* ---- nodes ---- */

static void walk(struct walker *w, struct nmc_graph *graph) {
    for (int n = 0; n < graph->node_count; n++) {
        struct nmc_node *node = graph->nodes[n];
        if (node->body) {
            walk_body(w, node);
            continue;
        }
        for (int i = 0; i < node->output_count; i++)
            set(node->outputs[i], nmc_keeps_binary(node, i));
        if (node->soma && node->soma->node == node)
            set(node->soma->output, !node->soma->multi_spike);
    }
}

static void walk_net(struct walker *w) {
    w->changed = false;
    for (uint32_t t = 0; t < w->net->tensor_count; t++)
        set(w->net->tensors[t], w->said[t]);
    walk(w, w->net->main);
}

static void settle(struct walker *w) {
    int walks = 0;
    do
        walk_net(w);
    while (w->changed && ++walks < MOST_WALKS);
    if (!w->changed)
        return;
    w->distrust = true;
    walk_net(w);
}

/* ---- reasons ---- */

static const char *reason(struct nmc_net *net, const struct nmc_tensor *tensor) {
    const struct nmc_node *node = tensor->producer;
    if (node && node->soma && node->soma->output == tensor)
        return node->soma->kind == NMC_SOMA_NAMED || node->soma->kind == NMC_SOMA_OTHER
                   ? "emitted by neurons"
                   : nmc_arena_printf(&net->arena, "emitted by %s neurons",
                                      nmc_soma_kind_names[node->soma->kind]);
    if (nmc_elem_kind(tensor->type) == 'b')
        return "boolean";
    if (tensor->is_input)
        return "said to be (--spike-input)";
    if (tensor->is_body_input)
        return "carried or handed in as spikes";
    return node ? nmc_arena_printf(&net->arena, "kept by %s", node->op_type) : "0 and 1";
}

/* ---- */

static neuromc_status say(struct walker *w, const char *name, neuromc_diags *diags) {
    struct nmc_net *net = w->net;
    struct nmc_suggest near;
    nmc_suggest_init(&near, name);
    for (int i = 0; i < net->main->input_count; i++) {
        const struct nmc_tensor *input = net->main->inputs[i];
        if (strcmp(input->name, name) == 0) {
            w->said[input->id] = true;
            return NEUROMC_OK;
        }
        nmc_suggest_offer(&near, input->name);
    }
    const char *hint =
        near.best ? nmc_arena_printf(&net->arena, "did you mean \"%s\"?", near.best) : NULL;
    return nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){.file = net->file}, hint,
                     "the graph has no input \"%s\" (--spike-input)", name);
}

static neuromc_status run(struct walker *w, const struct nmc_spike_options *options,
                          neuromc_diags *diags) {
    neuromc_status status = NEUROMC_OK;
    for (size_t i = 0; options && status == NEUROMC_OK && i < options->input_count; i++)
        status = say(w, options->inputs[i], diags);
    if (status != NEUROMC_OK)
        return status;
    settle(w);
    for (uint32_t t = 0; t < w->net->tensor_count; t++) {
        struct nmc_tensor *tensor = w->net->tensors[t];
        tensor->spike_why = tensor->spike ? reason(w->net, tensor) : NULL;
    }
    return w->net->arena.failed ? nmc_out_of_memory(diags) : NEUROMC_OK;
}

neuromc_status nmc_spikes_infer(struct nmc_net *net, const struct nmc_spike_options *options,
                                neuromc_diags *diags) {
    struct nmc_arena arena;
    nmc_arena_init(&arena, NMC_LIMIT_MODEL_BYTES);
    struct walker w = {.net = net};
    w.said = nmc_arena_array(&arena, net->tensor_count, sizeof *w.said);
    w.refuted = nmc_arena_array(&arena, net->tensor_count, sizeof *w.refuted);
    neuromc_status status = arena.failed ? nmc_out_of_memory(diags) : run(&w, options, diags);
    nmc_arena_release(&arena);
    return status;
}
