#include "graph/gradient.h"

#include <fnmatch.h>
#include <string.h>

#include "base/suggest.h"

struct flow {
    struct nmc_net *net;
    struct nmc_gradient *g;
    bool changed;
};

static bool is_float(const struct nmc_tensor *tensor) {
    char kind = nmc_elem_kind(tensor->type);
    return kind == 'f' || kind == 'c' || kind == 0;
}

static unsigned gradient_inputs(const struct nmc_node *node) {
    static const struct {
        const char *domain, *op;
        unsigned inputs;
    } rows[] = {
#define GRADIENT(domain, op, inputs) {domain, #op, inputs},
#include "graph/gradient.def"
#undef GRADIENT
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].op, node->op_type) == 0 && strcmp(rows[i].domain, node->domain) == 0)
            return rows[i].inputs;
    return ~0u;
}

bool nmc_passes_gradient(const struct nmc_node *node, int index) {
    return index >= 31 || (gradient_inputs(node) >> index & 1);
}

/* ---- the edges between a node's tensors and its body's ---- */

/* Inputs of Loop are M, condition, states; of its body number, condition, states. Both hand on
 * from the third; Scan hands on all. */
static int first_carried(const struct nmc_node *node) {
    return nmc_node_is(node, "Loop") ? 2 : 0;
}

/* Body output `index` that becomes node output `index`: a Loop's body gives its condition too. */
static int body_output(const struct nmc_node *node, int index) {
    return nmc_node_is(node, "Loop") ? index + 1 : index;
}

/* States that go round: body output -> body input of the next iteration. */
static int state_count(const struct nmc_node *node) {
    if (nmc_node_is(node, "Loop"))
        return node->input_count - 2;
    if (!nmc_node_is(node, "Scan"))
        return 0;
    const struct nmc_attr *scans = nmc_attr_find(node, "num_scan_inputs");
    return scans && scans->kind == NMC_ATTR_INT ? node->input_count - (int)scans->i : 0;
}

typedef void edge_fn(struct flow *flow, const struct nmc_tensor *from, const struct nmc_tensor *to);

static void body_edges(struct flow *flow, const struct nmc_node *node, edge_fn *edge) {
    const struct nmc_graph *body = node->body;
    bool loops = !nmc_node_is(node, "If");
    for (int i = first_carried(node); loops && i < node->input_count; i++)
        if (i < body->input_count && node->inputs[i])
            edge(flow, node->inputs[i], body->inputs[i]);
    for (int i = 0; i < node->output_count; i++) {
        int inner = loops ? body_output(node, i) : i;
        if (inner < body->output_count && node->outputs[i] && body->outputs[inner])
            edge(flow, body->outputs[inner], node->outputs[i]);
    }
    for (int i = 0; loops && i < state_count(node); i++) {
        int in = first_carried(node) + i, out = body_output(node, i);
        if (in < body->input_count && out < body->output_count && body->outputs[out])
            edge(flow, body->outputs[out], body->inputs[in]);
    }
}

/* Inside a soma types do not stop gradient: its spikes come from comparisons. */
static void node_edges(struct flow *flow, const struct nmc_node *node, edge_fn *edge) {
    for (int i = 0; i < node->input_count; i++) {
        if (!node->inputs[i] || !nmc_passes_gradient(node, i))
            continue;
        for (int o = 0; o < node->output_count; o++) {
            const struct nmc_tensor *output = node->outputs[o];
            if (output && (node->soma || is_float(output)))
                edge(flow, node->inputs[i], output);
        }
    }
}

/* ---- both directions ---- */

static void mark_needs(struct flow *flow, const struct nmc_tensor *from,
                       const struct nmc_tensor *to) {
    bool *needs = flow->g->needs;
    if (needs[from->id] && !needs[to->id])
        needs[to->id] = flow->changed = true;
}

static void mark_gets(struct flow *flow, const struct nmc_tensor *from,
                      const struct nmc_tensor *to) {
    bool *gets = flow->g->gets;
    if (gets[to->id] && !gets[from->id])
        gets[from->id] = flow->changed = true;
}

static void flow_forward(struct flow *flow, const struct nmc_graph *graph) {
    for (int n = 0; n < graph->node_count; n++) {
        const struct nmc_node *node = graph->nodes[n];
        if (node->body) {
            body_edges(flow, node, mark_needs);
            flow_forward(flow, node->body);
            body_edges(flow, node, mark_needs);
        } else {
            node_edges(flow, node, mark_needs);
        }
    }
}

static void flow_backward(struct flow *flow, const struct nmc_graph *graph) {
    for (int n = graph->node_count; n-- > 0;) {
        const struct nmc_node *node = graph->nodes[n];
        if (node->body) {
            body_edges(flow, node, mark_gets);
            flow_backward(flow, node->body);
            body_edges(flow, node, mark_gets);
        } else {
            node_edges(flow, node, mark_gets);
        }
    }
}

/* One walk settles a graph without loops; each further one follows a state once more round. */
static void settle(struct flow *flow, void (*walk)(struct flow *, const struct nmc_graph *)) {
    do {
        flow->changed = false;
        walk(flow, flow->net->main);
    } while (flow->changed);
}

/* ---- parameters ---- */

static bool enters_sigmoid(const struct nmc_node *node) {
    return nmc_node_is(node, "Sigmoid");
}

/* Used by a node that passes gradient to it, outside a soma or as the weight of a PLIF. */
static bool used_for_learning(const struct nmc_tensor *tensor) {
    for (int c = 0; c < tensor->consumer_count; c++) {
        const struct nmc_node *node = tensor->consumers[c];
        if (node->soma && !enters_sigmoid(node))
            continue;
        for (int i = 0; i < node->input_count; i++)
            if (node->inputs[i] == tensor && nmc_passes_gradient(node, i))
                return true;
    }
    return false;
}

static bool is_weight_slot(const struct nmc_node *node, int index) {
    return node->op && index == 1 &&
           (nmc_node_is(node, "Conv") || nmc_node_is(node, "ConvTranspose") ||
            nmc_node_is(node, "Gemm") || nmc_node_is(node, "MatMul"));
}

static bool all_weight_slots(const struct nmc_tensor *tensor) {
    for (int c = 0; c < tensor->consumer_count; c++) {
        const struct nmc_node *node = tensor->consumers[c];
        for (int i = 0; i < node->input_count; i++)
            if (node->inputs[i] == tensor && !is_weight_slot(node, i))
                return false;
    }
    return tensor->consumer_count > 0;
}

/* Training graphs have their weights as inputs, those of linear layers behind a Transpose. */
static bool only_feeds_weights(const struct nmc_tensor *tensor) {
    if (tensor->consumer_count == 1) {
        const struct nmc_node *only = tensor->consumers[0];
        if (nmc_node_is(only, "Transpose") && only->outputs[0])
            return all_weight_slots(only->outputs[0]);
    }
    return all_weight_slots(tensor);
}

static bool is_copy_of_initializer(const struct nmc_tensor *tensor) {
    const struct nmc_node *node = tensor->producer;
    return node && nmc_node_is(node, "Identity") && node->inputs[0] &&
           node->inputs[0]->is_initializer;
}

static bool may_train(const struct nmc_tensor *tensor) {
    if (!is_float(tensor) || tensor->type == NMC_ELEM_undefined)
        return false;
    if (tensor->is_initializer || is_copy_of_initializer(tensor))
        return used_for_learning(tensor);
    return tensor->is_input && only_feeds_weights(tensor);
}

/* An initializer that only its copies use is not a parameter beside them. */
static bool only_copied(const struct nmc_tensor *tensor) {
    for (int c = 0; c < tensor->consumer_count; c++)
        if (!nmc_node_is(tensor->consumers[c], "Identity"))
            return false;
    return tensor->is_initializer && tensor->consumer_count > 0;
}

static neuromc_status freeze(struct nmc_net *net, const char *glob, bool *is_parameter,
                             neuromc_diags *diags) {
    bool matched = false;
    struct nmc_suggest suggest;
    nmc_suggest_init(&suggest, glob);
    for (uint32_t t = 0; t < net->tensor_count; t++) {
        if (!may_train(net->tensors[t]))
            continue;
        nmc_suggest_offer(&suggest, net->tensors[t]->name);
        if (fnmatch(glob, net->tensors[t]->name, 0) == 0) {
            matched = true;
            is_parameter[t] = false;
        }
    }
    if (matched)
        return NEUROMC_OK;
    const char *hint = suggest.best
                           ? nmc_arena_printf(&net->arena, "did you mean \"%s\"?", suggest.best)
                           : "neuromc inspect lists initializers";
    return nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){.file = net->file}, hint,
                     "--freeze %s matches no parameter", glob);
}

static neuromc_status need_input(struct nmc_net *net, const char *name, bool *needs,
                                 neuromc_diags *diags) {
    struct nmc_suggest suggest;
    nmc_suggest_init(&suggest, name);
    for (int i = 0; i < net->main->input_count; i++) {
        const struct nmc_tensor *input = net->main->inputs[i];
        if (strcmp(input->name, name) == 0) {
            needs[input->id] = true;
            return NEUROMC_OK;
        }
        nmc_suggest_offer(&suggest, input->name);
    }
    const char *hint =
        suggest.best ? nmc_arena_printf(&net->arena, "did you mean \"%s\"?", suggest.best) : NULL;
    return nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){.file = net->file}, hint,
                     "the graph has no input \"%s\"", name);
}

static neuromc_status seed(struct nmc_net *net, const struct nmc_gradient_options *options,
                           struct nmc_gradient *g, neuromc_diags *diags) {
    for (uint32_t t = 0; t < net->tensor_count; t++)
        g->is_parameter[t] = may_train(net->tensors[t]) && !only_copied(net->tensors[t]);
    for (size_t i = 0; i < options->freeze_count; i++) {
        neuromc_status status = freeze(net, options->freeze[i], g->is_parameter, diags);
        if (status != NEUROMC_OK)
            return status;
    }
    for (uint32_t t = 0; t < net->tensor_count; t++)
        g->needs[t] = g->is_parameter[t];
    for (size_t i = 0; i < options->input_count; i++) {
        neuromc_status status = need_input(net, options->inputs[i], g->needs, diags);
        if (status != NEUROMC_OK)
            return status;
    }
    for (int i = 0; i < net->main->output_count; i++)
        g->gets[net->main->outputs[i]->id] = is_float(net->main->outputs[i]);
    return NEUROMC_OK;
}

neuromc_status nmc_gradient_flow(struct nmc_net *net, const struct nmc_gradient_options *options,
                                 struct nmc_gradient *out, neuromc_diags *diags) {
    size_t count = net->tensor_count;
    out->needs = nmc_arena_array(&net->arena, count, sizeof(bool));
    out->gets = nmc_arena_array(&net->arena, count, sizeof(bool));
    out->is_parameter = nmc_arena_array(&net->arena, count, sizeof(bool));
    if (!out->needs || !out->gets || !out->is_parameter)
        return nmc_out_of_memory(diags);
    neuromc_status status = seed(net, options, out, diags);
    if (status != NEUROMC_OK)
        return status;
    struct flow flow = {.net = net, .g = out};
    settle(&flow, flow_forward);
    settle(&flow, flow_backward);
    return NEUROMC_OK;
}
