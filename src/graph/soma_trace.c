/*
 * soma_trace.c - what a candidate compares: the elementwise operators upstream of it, and whether
 * an incoming tensor is added to a state among them.
 */
#include "graph/ops.h"
#include "graph/soma_find.h"

static void visit(struct nmc_finder *f, struct nmc_tensor *tensor, const struct nmc_graph *scope);

static bool ends_at(const struct nmc_finder *f, const struct nmc_tensor *tensor,
                    const struct nmc_graph *scope) {
    const struct nmc_node *node = tensor->producer;
    return !node || tensor->graph != scope || f->soma_of[tensor->id] || node->soma ||
           f->part[node->id] == NMC_PART_NONE || f->trace.entered >= NMC_LIMIT_SOMA_NODES ||
           f->looks <= 0;
}

/* Views and casts hand on their first input; the others are shapes and axes. */
static int operands(const struct nmc_finder *f, const struct nmc_node *node) {
    enum nmc_part part = f->part[node->id];
    bool first_alone = part == NMC_PART_VIEW || part == NMC_PART_CAST || part == NMC_PART_STEP;
    return first_alone ? 1 : node->input_count;
}

static void visit_inputs(struct nmc_finder *f, const struct nmc_node *node,
                         const struct nmc_graph *scope) {
    for (int i = 0; i < operands(f, node); i++)
        if (node->inputs[i])
            visit(f, node->inputs[i], scope);
}

static void visit(struct nmc_finder *f, struct nmc_tensor *tensor, const struct nmc_graph *scope) {
    struct nmc_trace *t = &f->trace;
    if (f->traced[tensor->id] == f->round)
        return;
    f->traced[tensor->id] = f->round;
    f->flags[tensor->id] = 0;
    if (tensor->is_constant)
        return;
    if (ends_at(f, tensor, scope)) {
        if (t->leaf_count < 2 * NMC_LIMIT_SOMA_NODES)
            t->leaves[t->leaf_count++] = tensor;
        return;
    }
    t->entered++;
    f->looks--;
    visit_inputs(f, tensor->producer, scope);
    t->nodes[t->node_count++] = tensor->producer;
}

unsigned nmc_trace_flags(const struct nmc_finder *f, const struct nmc_tensor *tensor) {
    return tensor && f->traced[tensor->id] == f->round ? f->flags[tensor->id] : 0;
}

/* ---- sums ---- */

static void set_joint(struct nmc_finder *f, const struct nmc_node *node,
                      struct nmc_tensor *incoming, struct nmc_tensor *constant) {
    if (f->trace.joint)
        return;
    f->trace.joint = node;
    f->trace.input = incoming;
    f->trace.constant = constant;
}

/* The operand that is incoming and nothing else, or else one that is incoming too. */
static struct nmc_tensor *incoming_operand(const struct nmc_finder *f,
                                           const struct nmc_node *node) {
    struct nmc_tensor *found = NULL;
    for (int i = 0; i < node->input_count; i++) {
        unsigned flags = nmc_trace_flags(f, node->inputs[i]);
        if (flags == NMC_TRACE_INCOMING)
            return node->inputs[i];
        if (flags & NMC_TRACE_INCOMING && !found)
            found = node->inputs[i];
    }
    return found;
}

/* A sum with a constant: of the first step, whose state was known when the file was written. */
static unsigned join_constant(struct nmc_finder *f, const struct nmc_node *node) {
    struct nmc_tensor *incoming = incoming_operand(f, node);
    bool full;
    for (int i = 0; incoming && i < node->input_count; i++) {
        struct nmc_tensor *operand = node->inputs[i];
        if (!operand || nmc_trace_flags(f, operand) ||
            !nmc_state_constant(operand, node->outputs[0], &full))
            continue;
        set_joint(f, node, incoming, operand);
        return NMC_TRACE_STATE | NMC_TRACE_JOINED | (full ? NMC_TRACE_FULL : 0);
    }
    return 0;
}

static unsigned join_state(struct nmc_finder *f, const struct nmc_node *node) {
    struct nmc_tensor *incoming = incoming_operand(f, node);
    for (int i = 0; incoming && i < node->input_count; i++)
        if (node->inputs[i] != incoming && nmc_trace_flags(f, node->inputs[i]) & NMC_TRACE_STATE) {
            set_joint(f, node, incoming, NULL);
            return NMC_TRACE_JOINED | NMC_TRACE_FULL;
        }
    return 0;
}

static unsigned flags_of(struct nmc_finder *f, const struct nmc_node *node) {
    enum nmc_part part = f->part[node->id];
    unsigned flags = 0;
    for (int i = 0; i < operands(f, node); i++)
        flags |= nmc_trace_flags(f, node->inputs[i]);
    if (part == NMC_PART_SCALE && flags == NMC_TRACE_INCOMING && nmc_is_zero(node->outputs[0]))
        return 0; /* zeros in the shape of the current */
    if (part == NMC_PART_SUM)
        flags |= join_constant(f, node);
    if (part == NMC_PART_SUM || part == NMC_PART_DIFFERENCE)
        flags |= join_state(f, node);
    return flags;
}

void nmc_trace_back(struct nmc_finder *f, const struct nmc_node *candidate) {
    struct nmc_trace *t = &f->trace;
    f->round++;
    t->node_count = t->leaf_count = t->entered = 0;
    t->joint = NULL;
    t->input = t->constant = NULL;
    visit_inputs(f, candidate, candidate->graph);
    nmc_state_leaves(f);
    for (int n = 0; n < t->node_count; n++) {
        const struct nmc_node *node = t->nodes[n];
        f->flags[node->outputs[0]->id] = (unsigned char)flags_of(f, node);
    }
}
