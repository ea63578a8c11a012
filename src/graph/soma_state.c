/*
 * soma_state.c - what a potential can be accumulated onto: a constant that stands for the state
 * before the first step, a graph input that comes out changed, a value carried by a loop, the
 * potential of the step before.
 */
#include <string.h>

#include "graph/soma_find.h"

/* ---- constants ---- */

enum values {
    VALUES_ZERO,
    VALUES_SAME,    /* one number, not 0 */
    VALUES_UNKNOWN, /* a constant whose data are not there */
    VALUES_OTHER    /* different numbers, or no constant */
};

/* A short chain leads from a number to a state of full shape. */
enum { MOST_LINKS = 6 };

static enum values of_reals(const double *reals, int64_t count) {
    for (int64_t i = 1; i < count; i++)
        if (reals[i] != reals[0])
            return VALUES_OTHER;
    return count > 0 && reals[0] == 0 ? VALUES_ZERO : VALUES_SAME;
}

static enum values of_fill(const struct nmc_node *node) {
    const struct nmc_attr *value = nmc_attr_find(node, "value");
    if (!value)
        return VALUES_ZERO;
    if (value->kind != NMC_ATTR_TENSOR || !value->tensor || !value->tensor->reals)
        return VALUES_UNKNOWN;
    return of_reals(value->tensor->reals, value->tensor->value_count);
}

static bool hands_on(const struct nmc_node *node) {
    return nmc_part_of(node) == NMC_PART_VIEW || nmc_node_is(node, "Tile") ||
           nmc_node_is(node, "Cast");
}

/* Exporters make zeros by filling a shape, by repeating a number, or of anything times 0. */
static enum values values_of(const struct nmc_tensor *tensor, int links) {
    const struct nmc_node *node = tensor->producer;
    if (tensor->reals)
        return of_reals(tensor->reals, tensor->value_count);
    if (node && nmc_node_is(node, "ConstantOfShape"))
        return of_fill(node);
    bool more = node && links < MOST_LINKS && node->input_count > 0 && node->inputs[0];
    if (more && hands_on(node))
        return values_of(node->inputs[0], links + 1);
    if (more && nmc_node_is(node, "Mul") && node->input_count == 2 && node->inputs[1] &&
        (values_of(node->inputs[0], links + 1) == VALUES_ZERO ||
         values_of(node->inputs[1], links + 1) == VALUES_ZERO))
        return VALUES_ZERO;
    return tensor->is_constant ? VALUES_UNKNOWN : VALUES_OTHER;
}

bool nmc_is_zero(const struct nmc_tensor *tensor) {
    return values_of(tensor, 0) == VALUES_ZERO;
}

bool nmc_same_shape(const struct nmc_shape *a, const struct nmc_shape *b) {
    if (a->rank < 0 || a->rank != b->rank)
        return false;
    for (int i = 0; i < a->rank; i++)
        if (a->dims[i] != b->dims[i])
            return false;
    return true;
}

/* A state that is the same for every sample: [1, 8] beside [32, 8]. */
static bool same_but_batch(const struct nmc_shape *a, const struct nmc_shape *b) {
    if (a->rank < 2 || a->rank != b->rank || a->dims[0] != 1)
        return false;
    for (int i = 1; i < a->rank; i++)
        if (a->dims[i] != b->dims[i])
            return false;
    return true;
}

bool nmc_state_constant(const struct nmc_tensor *tensor, const struct nmc_tensor *sum, bool *full) {
    int64_t elements;
    if (nmc_elem_kind(tensor->type) != 'f')
        return false;
    enum values values = values_of(tensor, 0);
    *full = nmc_same_shape(&tensor->shape, &sum->shape);
    if (*full)
        return values != VALUES_OTHER;
    if (values != VALUES_ZERO)
        return false;
    *full = same_but_batch(&tensor->shape, &sum->shape);
    return *full || (nmc_shape_elements(&tensor->shape, &elements) && elements == 1);
}

/* ---- where a state goes ---- */

/* Operators through which what flows stays a potential. */
static bool passes_potential(enum nmc_part part) {
    return part != NMC_PART_NONE && part != NMC_PART_LOGIC && !nmc_part_fires(part);
}

static void push(struct nmc_finder *f, const struct nmc_graph *scope, struct nmc_tensor *tensor) {
    if (tensor->graph != scope || f->walked[tensor->id] == f->walk ||
        f->queue_count == NMC_LIMIT_SOMA_REACH)
        return;
    f->walked[tensor->id] = f->walk;
    f->queue[f->queue_count++] = tensor;
}

/* Marks what is reached from a tensor as a potential, elementwise, within its graph. */
static void reach(struct nmc_finder *f, struct nmc_tensor *from) {
    int64_t looks = NMC_LIMIT_SOMA_REACH < f->looks ? NMC_LIMIT_SOMA_REACH : f->looks;
    f->looks -= looks;
    f->walk++;
    f->queue_count = 0;
    push(f, from->graph, from);
    for (int i = 0; i < f->queue_count; i++)
        for (int c = 0; c < f->queue[i]->consumer_count && looks-- > 0; c++) {
            const struct nmc_node *node = f->queue[i]->consumers[c];
            enum nmc_part part = (enum nmc_part)f->part[node->id];
            bool chooses = part == NMC_PART_CHOICE && node->inputs[0] == f->queue[i];
            if (passes_potential(part) && !chooses)
                push(f, from->graph, node->outputs[0]);
        }
    f->looks += looks > 0 ? looks : 0;
}

static bool is_reached(const struct nmc_finder *f, const struct nmc_tensor *tensor) {
    return tensor && f->walked[tensor->id] == f->walk;
}

/* ---- loops ---- */

static int scanned(const struct nmc_node *scan) {
    const struct nmc_attr *count = nmc_attr_find(scan, "num_scan_inputs");
    return count && count->kind == NMC_ATTR_INT ? (int)count->i : 0;
}

/* What the body hands to the next iteration in the place of this body input; NULL: nothing. */
static struct nmc_tensor *carried_on(const struct nmc_tensor *input) {
    const struct nmc_graph *body = input->graph;
    const struct nmc_node *owner = body->owner;
    int at = 0;
    while (at < body->input_count && body->inputs[at] != input)
        at++;
    if (!owner || at == body->input_count)
        return NULL;
    if (nmc_node_is(owner, "Loop"))
        return at >= 2 && at - 1 < body->output_count ? body->outputs[at - 1] : NULL;
    if (nmc_node_is(owner, "Scan"))
        return at < body->input_count - scanned(owner) && at < body->output_count
                   ? body->outputs[at]
                   : NULL;
    return NULL;
}

static bool is_carried(struct nmc_finder *f, struct nmc_tensor *leaf) {
    struct nmc_tensor *next = carried_on(leaf);
    if (!next || next == leaf)
        return false;
    reach(f, leaf);
    return is_reached(f, next);
}

/* ---- graph inputs ---- */

enum { MOST_PAIRS = 64 };

/* Graph inputs of which one or more may be states: an output of the same shape follows from each
 * as a potential. The current of a neuron without a layer before it looks the same, so there are
 * at most as many states as outputs. */
struct pairing {
    struct nmc_tensor *inputs[MOST_PAIRS];
    int weight[MOST_PAIRS]; /* how much it looks like a state */
    int count;
    struct nmc_tensor *outputs[MOST_PAIRS];
    int output_count;
};

static void add_output(struct pairing *p, struct nmc_tensor *output) {
    for (int i = 0; i < p->output_count; i++)
        if (p->outputs[i] == output)
            return;
    if (p->output_count < MOST_PAIRS)
        p->outputs[p->output_count++] = output;
}

/* A state is used by more operators than a current is, and is scaled by its decay. */
static int weight_of(const struct nmc_finder *f, const struct nmc_tensor *leaf) {
    int weight = 0;
    for (int n = 0; n < f->trace.node_count; n++) {
        const struct nmc_node *node = f->trace.nodes[n];
        for (int i = 0; i < node->input_count; i++)
            if (node->inputs[i] == leaf)
                weight += f->part[node->id] == NMC_PART_SCALE ? 2 : 1;
    }
    return weight;
}

/* The next output from `from` on that a graph input, whose reach is marked, can come out as. */
static int next_pair(const struct nmc_finder *f, const struct nmc_tensor *leaf, int from) {
    const struct nmc_graph *main = f->net->main;
    for (int o = from; o < main->output_count; o++) {
        const struct nmc_tensor *output = main->outputs[o];
        if (output != leaf && is_reached(f, output) && nmc_same_shape(&leaf->shape, &output->shape))
            return o;
    }
    return -1;
}

static void pair_input(struct nmc_finder *f, struct pairing *p, struct nmc_tensor *leaf) {
    if (!leaf->is_input || p->count == MOST_PAIRS)
        return;
    reach(f, leaf);
    int first = next_pair(f, leaf, 0);
    for (int o = first; o >= 0; o = next_pair(f, leaf, o + 1))
        add_output(p, f->net->main->outputs[o]);
    if (first < 0)
        return;
    p->weight[p->count] = weight_of(f, leaf);
    p->inputs[p->count++] = leaf;
}

static int place_of(const struct nmc_graph *graph, const struct nmc_tensor *input) {
    int place = 0;
    while (place < graph->input_count && graph->inputs[place] != input)
        place++;
    return place;
}

/* Which of two looks more like a state; models take data first, states after it. */
static bool more_like(const struct nmc_finder *f, const struct pairing *p, int a, int b) {
    if (p->weight[a] != p->weight[b])
        return p->weight[a] > p->weight[b];
    return place_of(f->net->main, p->inputs[a]) > place_of(f->net->main, p->inputs[b]);
}

static void choose_states(struct nmc_finder *f, const struct pairing *p, int states) {
    for (int i = 0; i < p->count; i++) {
        int better = 0;
        for (int k = 0; k < p->count; k++)
            better += k != i && more_like(f, p, k, i);
        f->flags[p->inputs[i]->id] = better < states ? NMC_TRACE_STATE : NMC_TRACE_INCOMING;
    }
}

/* ---- all leaves ---- */

static bool is_fixed(const struct nmc_tensor *leaf) {
    return leaf->producer && nmc_node_is(leaf->producer, "ConstantOfShape");
}

static unsigned flags_of_leaf(struct nmc_finder *f, struct nmc_tensor *leaf) {
    if (is_fixed(leaf))
        return 0;
    if (f->soma_of[leaf->id] && !f->is_spikes[leaf->id])
        return NMC_TRACE_STATE;
    return leaf->is_body_input && is_carried(f, leaf) ? NMC_TRACE_STATE : NMC_TRACE_INCOMING;
}

bool nmc_is_own_state(struct nmc_finder *f, struct nmc_tensor *leaf) {
    if (nmc_trace_flags(f, leaf) & NMC_TRACE_INCOMING)
        return false;
    if (leaf->is_body_input)
        return is_carried(f, leaf);
    if (!leaf->is_input)
        return false;
    reach(f, leaf);
    return next_pair(f, leaf, 0) >= 0;
}

/* Spikes that reset the potential beside which they stand come from the step before. */
static void spikes_of_before(struct nmc_finder *f) {
    const struct nmc_trace *t = &f->trace;
    for (int i = 0; i < t->leaf_count; i++) {
        const struct nmc_soma *soma = f->soma_of[t->leaves[i]->id];
        for (int k = 0; soma && f->is_spikes[t->leaves[i]->id] && k < t->leaf_count; k++)
            if (f->soma_of[t->leaves[k]->id] == soma && !f->is_spikes[t->leaves[k]->id])
                f->flags[t->leaves[i]->id] = NMC_TRACE_STATE;
    }
}

void nmc_state_leaves(struct nmc_finder *f) {
    struct nmc_trace *t = &f->trace;
    struct pairing p = {.count = 0, .output_count = 0};
    bool incoming = false;
    for (int i = 0; i < t->leaf_count; i++) {
        int before = p.count;
        f->flags[t->leaves[i]->id] = (unsigned char)flags_of_leaf(f, t->leaves[i]);
        pair_input(f, &p, t->leaves[i]);
        incoming |= p.count == before && f->flags[t->leaves[i]->id] == NMC_TRACE_INCOMING;
    }
    spikes_of_before(f);
    int states = p.count < p.output_count ? p.count : p.output_count;
    if (!incoming && states == p.count && states > 0)
        states--;
    choose_states(f, &p, states);
}
