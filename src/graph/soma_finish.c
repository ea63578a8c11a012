/*
 * soma_finish.c - once all neurons are found: what feeds them alone becomes part of them (scaled
 * currents, the Sigmoid of a decay), each gets its kind and the list of its nodes.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "graph/soma_find.h"

/* ---- what feeds neurons alone ---- */

static struct nmc_soma *only_reader(const struct nmc_tensor *tensor) {
    struct nmc_soma *soma = NULL;
    for (int c = 0; c < tensor->consumer_count; c++) {
        soma = tensor->consumers[c]->soma;
        if (!soma || soma->kind == NMC_SOMA_NAMED)
            return NULL;
    }
    return soma;
}

static bool is_parameter(const struct nmc_tensor *tensor, const struct nmc_tensor *sum) {
    int64_t elements;
    bool full;
    if (!tensor->is_constant)
        return false;
    if (nmc_shape_elements(&tensor->shape, &elements) && elements == 1)
        return true;
    return nmc_state_constant(tensor, sum, &full);
}

/* A current times a resistance: at most one input that is not a number of the neuron's own. */
static bool adjusts_current(const struct nmc_node *node, enum nmc_part part) {
    int currents = 0;
    if (part != NMC_PART_SUM && part != NMC_PART_DIFFERENCE && part != NMC_PART_SCALE)
        return false;
    for (int i = 0; i < node->input_count; i++)
        currents += node->inputs[i] && !is_parameter(node->inputs[i], node->outputs[0]);
    return currents == 1;
}

static bool is_own(const struct nmc_finder *f, const struct nmc_node *node) {
    enum nmc_part part = (enum nmc_part)f->part[node->id];
    if (part == NMC_PART_NONE || node->dead || f->is_result[node->outputs[0]->id])
        return false;
    return node->outputs[0]->is_constant || adjusts_current(node, part);
}

static void absorb(struct nmc_finder *f, struct nmc_graph *graph) {
    for (int n = graph->node_count; n-- > 0;) {
        struct nmc_node *node = graph->nodes[n];
        if (node->body)
            absorb(f, node->body);
        if (!node->soma && is_own(f, node))
            node->soma = only_reader(node->outputs[0]);
    }
}

/* The current as it comes from outside. */
static void move_input(struct nmc_soma *soma) {
    while (soma->input && soma->input->producer && soma->input->producer->soma == soma &&
           soma->input != soma->output) {
        const struct nmc_node *node = soma->input->producer;
        struct nmc_tensor *current = NULL;
        for (int i = 0; i < node->input_count && !current; i++)
            if (node->inputs[i] && !node->inputs[i]->is_constant)
                current = node->inputs[i];
        if (!current)
            return;
        soma->input = current;
    }
}

/* ---- kinds ---- */

/* Times 1 or 0 is no decay. */
static bool is_trivial(const struct nmc_tensor *tensor) {
    struct nmc_span span = nmc_span_of(tensor);
    return span.lo == span.hi && (span.lo == 0 || span.lo == 1);
}

/* Compared with a threshold by way of a quotient, a potential does not leak. */
static bool only_fires(const struct nmc_finder *f, const struct nmc_tensor *tensor) {
    for (int c = 0; c < tensor->consumer_count; c++)
        if (!nmc_part_fires((enum nmc_part)f->part[tensor->consumers[c]->id]))
            return false;
    return true;
}

struct operands {
    int constants, spikes, others;
    bool trivial; /* a constant is 0 or 1 */
};

static struct operands count_operands(const struct nmc_finder *f, const struct nmc_node *node) {
    struct operands n = {0};
    for (int i = 0; i < node->input_count; i++) {
        const struct nmc_tensor *input = node->inputs[i];
        if (!input)
            continue;
        n.constants += input->is_constant;
        n.spikes += !input->is_constant && f->is_spikes[input->id];
        n.others += !input->is_constant && !f->is_spikes[input->id];
        n.trivial |= input->is_constant && is_trivial(input);
    }
    return n;
}

/* What one operator says of its neuron; those of reset and fire say nothing. */
static enum nmc_soma_kind kind_by(const struct nmc_finder *f, const struct nmc_node *node) {
    enum nmc_part part = (enum nmc_part)f->part[node->id];
    struct operands n = count_operands(f, node);
    if (nmc_node_is(node, "Sigmoid") && n.constants == 1)
        return NMC_SOMA_PLIF;
    if (n.spikes || !n.others || only_fires(f, node->outputs[0]))
        return NMC_SOMA_IF;
    if (part == NMC_PART_FUNCTION || (part == NMC_PART_SCALE && n.others == 2))
        return NMC_SOMA_OTHER;
    return part == NMC_PART_SCALE && !n.trivial ? NMC_SOMA_LIF : NMC_SOMA_IF;
}

/* The first step of unrolled neurons says less: the decay of a known state is gone. */
static void agree(struct nmc_soma *first) {
    enum nmc_soma_kind kind = first->kind;
    if (first->before)
        return;
    for (const struct nmc_soma *s = first; s; s = s->after)
        kind = s->kind > kind ? s->kind : kind;
    for (struct nmc_soma *s = first; s; s = s->after)
        s->kind = kind;
}

/* ---- nodes ---- */

static void count_nodes(const struct nmc_graph *graph) {
    for (int n = 0; n < graph->node_count; n++) {
        if (graph->nodes[n]->soma)
            graph->nodes[n]->soma->node_count++;
        if (graph->nodes[n]->body)
            count_nodes(graph->nodes[n]->body);
    }
}

static void list_nodes(const struct nmc_finder *f, const struct nmc_graph *graph) {
    for (int n = 0; n < graph->node_count; n++) {
        struct nmc_node *node = graph->nodes[n];
        struct nmc_soma *soma = node->soma;
        if (soma) {
            soma->nodes[soma->node_count++] = node;
            if (soma->kind != NMC_SOMA_NAMED && kind_by(f, node) > soma->kind)
                soma->kind = kind_by(f, node);
        }
        if (node->body)
            list_nodes(f, node->body);
    }
}

/* ---- order ---- */

struct placed {
    uint32_t place;
    struct nmc_soma *soma;
};

static int compare_places(const void *a, const void *b) {
    uint32_t x = ((const struct placed *)a)->place, y = ((const struct placed *)b)->place;
    return x < y ? -1 : x > y;
}

static bool put_in_order(const struct nmc_finder *f) {
    struct nmc_net *net = f->net;
    struct placed *order = nmc_malloc((net->soma_count + (size_t)1) * sizeof *order);
    if (!order)
        return false;
    for (uint32_t i = 0; i < net->soma_count; i++)
        order[i] = (struct placed){f->place[net->somas[i]->node->id], net->somas[i]};
    qsort(order, net->soma_count, sizeof *order, compare_places);
    for (uint32_t i = 0; i < net->soma_count; i++) {
        net->somas[i] = order[i].soma;
        net->somas[i]->id = i;
    }
    nmc_free(order);
    return true;
}

bool nmc_somas_finish(struct nmc_finder *f) {
    struct nmc_net *net = f->net;
    if (!put_in_order(f))
        return false;
    absorb(f, net->main);
    count_nodes(net->main);
    for (uint32_t i = 0; i < net->soma_count; i++) {
        struct nmc_soma *soma = net->somas[i];
        soma->nodes = nmc_arena_array(&net->arena, (size_t)soma->node_count, sizeof(void *));
        if (!soma->nodes)
            return false;
        soma->node_count = 0;
        if (!nmc_shape_elements(&soma->output->shape, &soma->elements))
            soma->elements = -1;
        move_input(soma);
    }
    list_nodes(f, net->main);
    for (uint32_t i = 0; i < net->soma_count; i++)
        agree(net->somas[i]);
    return true;
}
