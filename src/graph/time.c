/*
 * time.c - spreads the time axis over the network from where it shows: first from neurons that
 * handle one step, then, if the caller says how many steps there are, from what repeats an input
 * for them, from layers that take merged axes, and from the graph's inputs.
 *
 * A tensor is settled once; each settled tensor settles its neighbours.
 */
#include "graph/time.h"

#include "base/limits.h"
#include "base/memory.h"
#include "graph/ops.h"
#include "graph/soma.h"
#include "graph/time_rule.h"

struct spread {
    struct nmc_net *net;
    struct nmc_tensor **queue; /* settled, neighbours not yet seen; each once */
    uint32_t head, tail;
    int64_t looks; /* at neighbours, that are left */
};

static void settle(struct spread *s, struct nmc_tensor *tensor, struct nmc_timing t) {
    bool takes = tensor && tensor->time == NMC_TIME_UNKNOWN && t.time != NMC_TIME_UNKNOWN &&
                 !tensor->is_constant;
    if (!takes)
        return;
    tensor->time = t.time;
    tensor->steps = t.steps;
    s->queue[s->tail++] = tensor;
}

static void settle_step(struct spread *s, struct nmc_tensor *tensor) {
    settle(s, tensor, (struct nmc_timing){NMC_TIME_STEP, 0});
}

/* ---- bodies ---- */

static struct nmc_tensor *at(struct nmc_tensor *const *tensors, int count, int index) {
    return index >= 0 && index < count ? tensors[index] : NULL;
}

static int index_of(struct nmc_tensor *const *tensors, int count, const struct nmc_tensor *tensor) {
    for (int i = 0; i < count; i++)
        if (tensors[i] == tensor)
            return i;
    return -1;
}

/* How a Loop or Scan hands tensors over: carried ones as they are; of a Scan's others, and of
 * results behind the carried ones, the body has one step. */
struct handing {
    int node_in, body_in, body_out, carried;
};

static struct handing handing_of(const struct nmc_node *node) {
    if (nmc_node_is(node, "Loop"))
        return (struct handing){2, 2, 1, node->input_count - 2};
    const struct nmc_attr *scanned = nmc_attr_find(node, "num_scan_inputs");
    int count = scanned && scanned->kind == NMC_ATTR_INT ? (int)scanned->i : 0;
    return (struct handing){0, 0, 0, node->input_count - count};
}

static struct nmc_timing inside(struct nmc_timing t) {
    return (struct nmc_timing){t.time == NMC_TIME_SPLIT ? NMC_TIME_STEP : NMC_TIME_UNKNOWN, 0};
}

static struct nmc_timing outside(struct nmc_timing t, const struct nmc_tensor *whole) {
    if (t.time != NMC_TIME_STEP || whole->shape.rank < 1 || !nmc_dim_known(whole->shape.dims[0]))
        return (struct nmc_timing){NMC_TIME_UNKNOWN, 0};
    return (struct nmc_timing){NMC_TIME_SPLIT, whole->shape.dims[0]};
}

/* A tensor that a node with a body reads. */
static void enter(struct spread *s, const struct nmc_node *node, const struct nmc_tensor *tensor) {
    struct handing h = handing_of(node);
    for (int i = h.node_in; i < node->input_count; i++) {
        struct nmc_tensor *inner =
            at(node->body->inputs, node->body->input_count, i - h.node_in + h.body_in);
        struct nmc_timing t = nmc_timing_of(tensor);
        if (node->inputs[i] == tensor)
            settle(s, inner, i - h.node_in < h.carried ? t : inside(t));
    }
}

/* A tensor that a node with a body makes. */
static void enter_back(struct spread *s, const struct nmc_node *node,
                       const struct nmc_tensor *tensor) {
    struct handing h = handing_of(node);
    int i = index_of(node->outputs, node->output_count, tensor);
    struct nmc_timing t = nmc_timing_of(tensor);
    settle(s, at(node->body->outputs, node->body->output_count, i + h.body_out),
           i < h.carried ? t : inside(t));
}

/* What a body reads from its owner. */
static void leave_back(struct spread *s, const struct nmc_tensor *tensor) {
    const struct nmc_node *node = tensor->graph->owner;
    struct handing h = handing_of(node);
    int k = index_of(tensor->graph->inputs, tensor->graph->input_count, tensor) - h.body_in;
    if (k < 0)
        return;
    struct nmc_tensor *outer = at(node->inputs, node->input_count, k + h.node_in);
    struct nmc_timing t = nmc_timing_of(tensor);
    if (outer)
        settle(s, outer, k < h.carried ? t : outside(t, outer));
    if (k < h.carried)
        settle(s, at(tensor->graph->outputs, tensor->graph->output_count, k + h.body_out), t);
}

/* What a body hands to its owner and to its next iteration. */
static void leave(struct spread *s, const struct nmc_tensor *tensor) {
    const struct nmc_graph *body = tensor->graph;
    const struct nmc_node *node = body->owner;
    struct handing h = handing_of(node);
    struct nmc_timing t = nmc_timing_of(tensor);
    for (int o = h.body_out; o < body->output_count; o++) {
        struct nmc_tensor *outer = at(node->outputs, node->output_count, o - h.body_out);
        if (body->outputs[o] != tensor)
            continue;
        bool carried = o - h.body_out < h.carried;
        if (outer)
            settle(s, outer, carried ? t : outside(t, outer));
        if (carried)
            settle(s, at(body->inputs, body->input_count, o - h.body_out + h.body_in), t);
    }
}

static void branch_back(struct spread *s, const struct nmc_node *node,
                        const struct nmc_tensor *tensor) {
    int i = index_of(node->outputs, node->output_count, tensor);
    settle(s, at(node->body->outputs, node->body->output_count, i), nmc_timing_of(tensor));
}

static void branch(struct spread *s, const struct nmc_tensor *tensor) {
    const struct nmc_graph *body = tensor->graph;
    int i = index_of(body->outputs, body->output_count, tensor);
    settle(s, at(body->owner->outputs, body->owner->output_count, i), nmc_timing_of(tensor));
}

static bool loops(const struct nmc_node *node) {
    return nmc_node_is(node, "Loop") || nmc_node_is(node, "Scan");
}

static void cross_bodies(struct spread *s, const struct nmc_tensor *tensor) {
    const struct nmc_node *owner = tensor->graph->owner, *maker = tensor->producer;
    s->looks -= 1 + tensor->graph->input_count + tensor->graph->output_count;
    if (maker && maker->body && loops(maker))
        enter_back(s, maker, tensor);
    else if (maker && maker->body && nmc_node_is(maker, "If"))
        branch_back(s, maker, tensor);
    if (owner && owner->body == tensor->graph && loops(owner)) {
        leave_back(s, tensor);
        leave(s, tensor);
    } else if (owner && owner->body == tensor->graph && nmc_node_is(owner, "If")) {
        branch(s, tensor);
    }
}

/* ---- spreading ---- */

/* Inside a neuron states would pass for sequences; its current and its spikes are settled. */
static bool passes(const struct nmc_node *node) {
    return !node->soma || node->soma->kind == NMC_SOMA_NAMED;
}

static void down(struct spread *s, const struct nmc_node *node, const struct nmc_tensor *tensor) {
    s->looks -= node->input_count + node->output_count;
    for (int i = 0; i < node->input_count; i++)
        for (int o = 0; node->inputs[i] == tensor && o < node->output_count; o++)
            if (node->outputs[o] && node->outputs[o]->time == NMC_TIME_UNKNOWN)
                settle(s, node->outputs[o], nmc_time_down(node, i, o));
}

static void up(struct spread *s, const struct nmc_node *node, const struct nmc_tensor *tensor) {
    int o = index_of(node->outputs, node->output_count, tensor);
    s->looks -= node->input_count + node->output_count;
    for (int i = 0; i < node->input_count; i++)
        if (node->inputs[i] && node->inputs[i]->time == NMC_TIME_UNKNOWN)
            settle(s, node->inputs[i], nmc_time_up(node, o, i));
}

static void spread(struct spread *s) {
    while (s->head < s->tail && s->looks > 0) {
        const struct nmc_tensor *tensor = s->queue[s->head++];
        const struct nmc_node *last = NULL;
        if (tensor->producer && !tensor->producer->body && passes(tensor->producer))
            up(s, tensor->producer, tensor);
        for (int c = 0; c < tensor->consumer_count; c++) {
            const struct nmc_node *node = tensor->consumers[c];
            if (node == last)
                continue;
            last = node;
            if (node->body && loops(node))
                enter(s, node, tensor);
            else if (!node->body && passes(node))
                down(s, node, tensor);
        }
        cross_bodies(s, tensor);
    }
}

/* ---- from the graph ---- */

static bool in_loop(const struct nmc_graph *graph) {
    for (; graph && graph->owner; graph = graph->outer)
        if (loops(graph->owner))
            return true;
    return false;
}

static void from_neurons(struct spread *s) {
    for (uint32_t i = 0; i < s->net->soma_count; i++) {
        const struct nmc_soma *soma = s->net->somas[i];
        if (!soma->before && !soma->after && !in_loop(soma->node->graph))
            continue;
        settle_step(s, soma->input);
        settle_step(s, soma->output);
    }
    spread(s);
}

/* ---- from the caller ---- */

static void from_repetition(struct spread *s, int64_t steps) {
    struct nmc_timing t;
    for (uint32_t n = 0; n < s->net->node_count; n++) {
        const struct nmc_node *node = s->net->nodes[n];
        if (!node->dead && nmc_time_creates(node, &t) && t.steps == steps)
            settle(s, node->outputs[0], t);
    }
    spread(s);
}

/* Convolutions, batch norms and pools have one axis in front, so in it time is merged. */
static bool has_one_lead(const struct nmc_node *node) {
    enum nmc_work work = node->op ? node->op->work : NMC_WORK_NONE;
    return work == NMC_WORK_CONV || work == NMC_WORK_CONV_TRANSPOSE ||
           work == NMC_WORK_BATCH_NORM || work == NMC_WORK_GEMM;
}

static void from_layers(struct spread *s, int64_t steps) {
    for (uint32_t n = 0; n < s->net->node_count; n++) {
        const struct nmc_node *node = s->net->nodes[n];
        if (node->dead || !has_one_lead(node) || node->input_count < 1 || !node->inputs[0])
            continue;
        if (in_loop(node->graph))
            settle_step(s, node->inputs[0]);
        else
            settle(s, node->inputs[0], (struct nmc_timing){NMC_TIME_MERGED, steps});
        spread(s);
    }
}

static struct nmc_timing said(const struct nmc_tensor *tensor, int64_t steps) {
    bool split = tensor->shape.rank > 2 && tensor->shape.dims[0] == steps;
    return (struct nmc_timing){split ? NMC_TIME_SPLIT : NMC_TIME_MERGED, steps};
}

static void from_tensors(struct spread *s, struct nmc_tensor *const *tensors, uint32_t count,
                         int64_t steps) {
    for (uint32_t i = 0; i < count; i++) {
        struct nmc_tensor *tensor = tensors[i];
        if (tensor->shape.rank < 1 || tensor->time != NMC_TIME_UNKNOWN)
            continue;
        if (in_loop(tensor->graph))
            settle_step(s, tensor);
        else
            settle(s, tensor, said(tensor, steps));
        spread(s);
    }
}

static neuromc_status check(const struct nmc_net *net, int64_t steps, neuromc_diags *diags) {
    for (uint32_t t = 0; t < net->tensor_count; t++) {
        const struct nmc_tensor *tensor = net->tensors[t];
        if (tensor->steps && tensor->steps != steps)
            return nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){.file = net->file},
                             "the graph shows its steps: leave out --time-steps",
                             "\"%s\" holds %lld time steps, not %lld", tensor->name,
                             (long long)tensor->steps, (long long)steps);
    }
    return NEUROMC_OK;
}

static neuromc_status run(struct spread *s, int64_t steps, neuromc_diags *diags) {
    struct nmc_net *net = s->net;
    from_neurons(s);
    if (steps < 1)
        return NEUROMC_OK;
    neuromc_status status = check(net, steps, diags);
    if (status != NEUROMC_OK)
        return status;
    from_repetition(s, steps);
    from_layers(s, steps);
    from_tensors(s, net->main->inputs, (uint32_t)net->main->input_count, steps);
    from_tensors(s, net->tensors, net->tensor_count, steps);
    return NEUROMC_OK;
}

neuromc_status nmc_time_infer(struct nmc_net *net, int64_t steps, neuromc_diags *diags) {
    struct spread s = {.net = net, .looks = NMC_LIMIT_TIME_LOOKS};
    if (steps < 0)
        return nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){.file = net->file}, NULL,
                         "%lld time steps: at least 1", (long long)steps);
    s.queue = nmc_malloc((net->tensor_count + (size_t)1) * sizeof *s.queue);
    if (!s.queue)
        return nmc_out_of_memory(diags);
    neuromc_status status = run(&s, steps, diags);
    if (s.looks <= 0)
        nmc_warning(diags, (struct nmc_place){.file = net->file}, NULL,
                    "the time axis was not followed to its end");
    nmc_free(s.queue);
    return status;
}
