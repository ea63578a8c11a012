/* soma.c - finds the neurons of a network, step before step. */
#include "graph/soma_find.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/suggest.h"
#include "graph/ops.h"

/* ---- candidates ---- */

/* The operands that may be a potential: the one on the greater side of a comparison, or, where
 * Not follows, the other; Sign and Floor have one. */
static bool has_potential(const struct nmc_finder *f, const struct nmc_node *node) {
    enum nmc_part part = (enum nmc_part)f->part[node->id];
    unsigned wanted = NMC_TRACE_INCOMING | NMC_TRACE_STATE | NMC_TRACE_JOINED;
    if (part == NMC_PART_SIGN || part == NMC_PART_STEP)
        wanted |= NMC_TRACE_FULL; /* quantisers add a zero point of 0 and round */
    for (int i = 0; i < node->input_count; i++)
        if ((nmc_trace_flags(f, node->inputs[i]) & wanted) == wanted)
            return true;
    return false;
}

static bool compares_reals(const struct nmc_node *node) {
    for (int i = 0; i < node->input_count; i++) {
        if (!node->inputs[i] || node->inputs[i]->type == NMC_ELEM_undefined)
            continue;
        if (nmc_elem_kind(node->inputs[i]->type) != 'f')
            return false;
    }
    return !node->outputs[0]->is_constant;
}

/* ---- a first step whose state is gone ---- */

/* Sub(h, threshold) is h for what follows. */
static struct nmc_tensor *compared(const struct nmc_finder *f, const struct nmc_node *node) {
    struct nmc_tensor *tensor = node->inputs[0];
    if (node->input_count > 1 && (!tensor || tensor->is_constant))
        tensor = node->inputs[1];
    const struct nmc_node *before = tensor ? tensor->producer : NULL;
    if (before && f->part[before->id] == NMC_PART_DIFFERENCE && before->input_count == 2 &&
        before->inputs[1] && before->inputs[1]->is_constant && tensor->consumer_count == 1)
        return before->inputs[0];
    return tensor;
}

/* Whether what the candidate compares starts from a reset of the region. */
static bool starts_from_reset(const struct nmc_finder *f) {
    for (int i = 0; i < f->region.count; i++) {
        const struct nmc_item *item = &f->region.items[i];
        if (item->reset && f->traced[item->tensor->id] == f->round)
            return true;
    }
    return false;
}

/* A simplifier drops a sum with 0, and with it the state of the first step. That it is a step
 * shows in the next one. *found says so; false: out of memory. */
static bool try_first_step(struct nmc_finder *f, bool *found) {
    for (int n = 0; n < f->trace.node_count && f->looks > 0; n++) {
        const struct nmc_node *fire = f->trace.nodes[n];
        if (!nmc_part_fires((enum nmc_part)f->part[fire->id]) || !compares_reals(fire))
            continue;
        struct nmc_tensor *potential = compared(f, fire);
        if (!potential || potential->is_constant)
            continue;
        nmc_region_from(f, potential);
        f->looks -= f->region.count;
        const struct nmc_item *output = nmc_spikes_leave(f);
        if (!output || !starts_from_reset(f))
            continue;
        f->trace.input = potential;
        f->trace.constant = NULL;
        f->trace.leaf_count = 0;
        *found = true;
        return nmc_soma_make(f, fire, output);
    }
    return true;
}

/* ---- one node ---- */

static bool fires_by_potential(struct nmc_finder *f, struct nmc_node *node) {
    nmc_region_from_trace(f);
    const struct nmc_item *output = nmc_spikes_leave(f);
    if (!output)
        output = nmc_spikes_reset(f);
    return !output || nmc_soma_make(f, node, output);
}

static bool consider(struct nmc_finder *f, struct nmc_node *node) {
    for (bool again = true; again;) {
        again = false;
        nmc_trace_back(f, node);
        if (!try_first_step(f, &again))
            return false;
    }
    return !has_potential(f, node) || fires_by_potential(f, node);
}

/* ---- all of them ---- */

/* Nodes by the length of the longest way that leads to them: what a step compares lies before
 * what the next one compares, in whatever order the file has the comparisons. */
struct turn {
    uint32_t depth, place;
    struct nmc_node *node;
};

static int compare_turns(const void *a, const void *b) {
    const struct turn *x = a, *y = b;
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static uint32_t depth_of(const struct nmc_node *node, const uint32_t *depth) {
    uint32_t most = node->graph->owner ? depth[node->graph->owner->id] : 0;
    for (int i = 0; i < node->input_count; i++) {
        const struct nmc_node *before = node->inputs[i] ? node->inputs[i]->producer : NULL;
        if (before && depth[before->id] > most)
            most = depth[before->id];
    }
    return most + 1;
}

/* Fills in everything by node, in execution order, and the turns. */
static void number(struct nmc_finder *f, const struct nmc_graph *graph, uint32_t *depth,
                   struct turn *turns, uint32_t *next) {
    for (int n = 0; n < graph->node_count; n++) {
        struct nmc_node *node = graph->nodes[n];
        uint32_t place = (*next)++;
        f->place[node->id] = place;
        f->part[node->id] = (unsigned char)nmc_part_of(node);
        depth[node->id] = depth_of(node, depth);
        turns[place] = (struct turn){depth[node->id], place, node};
        if (node->body)
            number(f, node->body, depth, turns, next);
    }
    for (int o = 0; o < graph->output_count; o++)
        if (graph->outputs[o])
            f->is_result[graph->outputs[o]->id] = true;
}

static bool take_turns(struct nmc_finder *f, const struct nmc_soma_options *options,
                       const struct turn *turns, uint32_t count) {
    bool ok = true;
    for (uint32_t i = 0; ok && i < count; i++) {
        struct nmc_node *node = turns[i].node;
        if (node->soma)
            continue;
        if (nmc_node_is_soma(node, options->names, options->name_count))
            ok = nmc_soma_make_named(f, node);
        else if (nmc_part_fires((enum nmc_part)f->part[node->id]) && compares_reals(node))
            ok = consider(f, node);
    }
    return ok;
}

/* Arrays by id; zeroed. */
static bool prepare(struct nmc_finder *f, struct nmc_arena *arena) {
    size_t nodes = f->net->node_count, tensors = f->net->tensor_count;
    f->part = nmc_arena_array(arena, nodes, sizeof *f->part);
    f->place = nmc_arena_array(arena, nodes, sizeof *f->place);
    f->is_result = nmc_arena_array(arena, tensors, sizeof *f->is_result);
    f->soma_of = nmc_arena_array(arena, tensors, sizeof *f->soma_of);
    f->is_spikes = nmc_arena_array(arena, tensors, sizeof *f->is_spikes);
    f->traced = nmc_arena_array(arena, tensors, sizeof *f->traced);
    f->walked = nmc_arena_array(arena, tensors, sizeof *f->walked);
    f->listed = nmc_arena_array(arena, tensors, sizeof *f->listed);
    f->flags = nmc_arena_array(arena, tensors, sizeof *f->flags);
    f->item_of = nmc_arena_array(arena, tensors, sizeof *f->item_of);
    return !arena->failed;
}

static bool find_all(struct nmc_finder *f, const struct nmc_soma_options *options,
                     struct nmc_arena *arena) {
    uint32_t count = 0, nodes = f->net->node_count;
    uint32_t *depth = nmc_arena_array(arena, nodes, sizeof *depth);
    struct turn *turns = nmc_arena_array(arena, nodes, sizeof *turns);
    if (!depth || !turns || !prepare(f, arena))
        return false;
    number(f, f->net->main, depth, turns, &count);
    qsort(turns, count, sizeof *turns, compare_turns);
    return take_turns(f, options, turns, count) && nmc_somas_finish(f);
}

static bool find(struct nmc_finder *f, const struct nmc_soma_options *options) {
    struct nmc_arena arena;
    nmc_arena_init(&arena, NMC_LIMIT_MODEL_BYTES);
    bool ok = find_all(f, options, &arena);
    nmc_arena_release(&arena);
    return ok;
}

/* ---- names ---- */

static bool may_be_soma(const struct nmc_node *node) {
    return !node->op || (node->op->work == NMC_WORK_NONE && node->op->cost != NMC_COST_CONTROL &&
                         node->op->cost != NMC_COST_SHAPE);
}

bool nmc_node_is_soma(const struct nmc_node *node, const char *const *more, size_t count) {
    if (node->input_count < 1 || !node->inputs[0] || node->output_count < 1 || !node->outputs[0] ||
        !may_be_soma(node))
        return false;
    for (size_t i = 0; i < count; i++)
        if (strcasecmp(node->op_type, more[i]) == 0)
            return true;
    return !node->op && nmc_soma_named(node->op_type, more, count);
}

static neuromc_status check_name(struct nmc_net *net, const char *name, neuromc_diags *diags) {
    struct nmc_suggest near;
    nmc_suggest_init(&near, name);
    for (uint32_t n = 0; n < net->node_count; n++) {
        const struct nmc_node *node = net->nodes[n];
        if (strcasecmp(node->op_type, name) == 0) {
            if (may_be_soma(node))
                return NEUROMC_OK;
            return nmc_error(diags, NEUROMC_USAGE, nmc_node_place(net, node), NULL,
                             "--soma-op %s: this operator's work is known, and is not a neuron's",
                             name);
        }
        nmc_suggest_offer(&near, node->op_type);
    }
    const char *hint =
        near.best ? nmc_arena_printf(&net->arena, "did you mean \"%s\"?", near.best) : NULL;
    return nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){.file = net->file}, hint,
                     "--soma-op %s: no node has this operator", name);
}

neuromc_status nmc_somas_find(struct nmc_net *net, const struct nmc_soma_options *options,
                              neuromc_diags *diags) {
    static const struct nmc_soma_options none;
    options = options ? options : &none;
    for (size_t i = 0; i < options->name_count; i++) {
        neuromc_status status = check_name(net, options->names[i], diags);
        if (status != NEUROMC_OK)
            return status;
    }
    struct nmc_finder *f = nmc_malloc(sizeof *f);
    if (!f)
        return nmc_out_of_memory(diags);
    memset(f, 0, sizeof *f);
    f->net = net;
    f->looks = NMC_LIMIT_SOMA_LOOKS + (int64_t)net->node_count * NMC_LIMIT_SOMA_LOOKS_PER_NODE;
    bool ok = find(f, options), cut = f->looks <= 0;
    nmc_free(f);
    if (ok && cut)
        nmc_warning(diags, (struct nmc_place){.file = net->file}, NULL,
                    "the search for neurons was cut short; some may be missing");
    return ok ? NEUROMC_OK : nmc_out_of_memory(diags);
}
