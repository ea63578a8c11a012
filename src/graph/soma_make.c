/* A neuron out of what was found upstream and downstream of a candidate, or out of one node. */
#include "base/memory.h"
#include "graph/soma_find.h"

const char *const nmc_soma_kind_names[NMC_SOMA_KINDS] = {"IF", "LIF", "PLIF", "other", "named"};

static struct nmc_soma *append(struct nmc_finder *f) {
    struct nmc_net *net = f->net;
    struct nmc_soma *soma = nmc_arena_alloc(&net->arena, sizeof *soma);
    if (!soma ||
        !nmc_grow(&net->somas, &net->soma_capacity, net->soma_count + (size_t)1, sizeof(void *)))
        return NULL;
    soma->id = net->soma_count;
    soma->elements = -1;
    net->somas[net->soma_count++] = soma;
    return soma;
}

/* ---- parts ---- */

/* The nodes of the region on the way to one of its tensors. */
static void swallow(struct nmc_finder *f, struct nmc_soma *soma, const struct nmc_tensor *tensor) {
    const struct nmc_item *item = nmc_region_item(f, tensor);
    if (!item || !item->node || item->node->soma)
        return;
    item->node->soma = soma;
    for (int i = 0; i < item->node->input_count; i++)
        if (item->node->inputs[i])
            swallow(f, soma, item->node->inputs[i]);
}

/* A number by which all spikes are multiplied belongs to the neuron. */
static void own_scale(struct nmc_finder *f, struct nmc_soma *soma, const struct nmc_item *item) {
    bool scales = f->part[item->node->id] == NMC_PART_SCALE;
    for (int i = 0; scales && i < item->node->input_count; i++)
        if (item->node->inputs[i] == soma->output)
            item->node->soma = soma;
}

static void own_region(struct nmc_finder *f, struct nmc_soma *soma) {
    swallow(f, soma, soma->output);
    for (int i = 0; i < f->region.count; i++) {
        const struct nmc_item *item = &f->region.items[i];
        if (!item->node)
            continue;
        f->soma_of[item->tensor->id] = soma;
        f->is_spikes[item->tensor->id] = item->spikes;
        if (!item->spikes && nmc_item_leaves(f, item))
            swallow(f, soma, item->tensor);
        if (item->spikes && !item->node->soma)
            own_scale(f, soma, item);
    }
}

/* What this step takes from the one before belongs to that one: its spikes, to reset by. */
static void own_before(struct nmc_finder *f, const struct nmc_tensor *tensor) {
    struct nmc_soma *soma = f->soma_of[tensor->id];
    struct nmc_node *node = tensor->producer;
    if (!soma || !node || node->soma)
        return;
    node->soma = soma;
    for (int i = 0; i < node->input_count; i++)
        if (node->inputs[i] && f->soma_of[node->inputs[i]->id] == soma)
            own_before(f, node->inputs[i]);
}

static void own_leaves(struct nmc_finder *f) {
    const struct nmc_trace *t = &f->trace;
    for (int i = 0; i < t->leaf_count; i++)
        if (f->flags[t->leaves[i]->id] & NMC_TRACE_STATE)
            own_before(f, t->leaves[i]);
}

/* ---- states ---- */

static bool is_state(const struct nmc_finder *f, const struct nmc_tensor *leaf) {
    return f->flags[leaf->id] & NMC_TRACE_STATE && !f->is_spikes[leaf->id];
}

static bool list_states(struct nmc_finder *f, struct nmc_soma *soma) {
    const struct nmc_trace *t = &f->trace;
    soma->states = nmc_arena_array(&f->net->arena, (size_t)t->leaf_count + 1, sizeof *soma->states);
    if (!soma->states)
        return false;
    if (t->constant)
        soma->states[soma->state_count++] = t->constant;
    for (int i = 0; i < t->leaf_count; i++)
        if (is_state(f, t->leaves[i]))
            soma->states[soma->state_count++] = t->leaves[i];
    return true;
}

/* A potential of other neurons upstream: the same ones, a step earlier. */
static void link_steps(struct nmc_finder *f, struct nmc_soma *soma) {
    for (int i = 0; i < soma->state_count; i++) {
        struct nmc_soma *before = f->soma_of[soma->states[i]->id];
        if (before && before != soma && !before->after && !f->is_spikes[soma->states[i]->id]) {
            soma->before = before;
            before->after = soma;
            return;
        }
    }
}

static const char *state_words(struct nmc_finder *f, const struct nmc_soma *soma) {
    const struct nmc_tensor *state = soma->state_count ? soma->states[0] : NULL;
    if (!state)
        return "whose reset the next step starts from";
    if (soma->before)
        return "added to the potential of the step before";
    if (state->is_body_input)
        return nmc_arena_printf(&f->net->arena, "added to \"%s\", which %s carries", state->name,
                                state->graph->owner ? state->graph->owner->op_type : "a loop");
    return nmc_arena_printf(&f->net->arena, "added to %s \"%s\"",
                            state->is_input ? "the state" : "the constant", state->name);
}

bool nmc_soma_make(struct nmc_finder *f, const struct nmc_node *candidate,
                   const struct nmc_item *output) {
    struct nmc_soma *soma = append(f);
    if (!soma || !list_states(f, soma))
        return false;
    soma->node = output->node;
    soma->output = output->tensor;
    soma->input = f->trace.input;
    soma->multi_spike = !nmc_span_is_binary(output->span);
    own_region(f, soma);
    own_leaves(f);
    link_steps(f, soma);
    const char *words = state_words(f, soma);
    soma->why = nmc_arena_printf(&f->net->arena, "%s of \"%s\", %s", candidate->op_type,
                                 soma->input ? soma->input->name : "", words ? words : "");
    return soma->why != NULL;
}

/* ---- named ---- */

/* Potentials come in behind the current, in its shape. */
static bool list_named_states(struct nmc_finder *f, struct nmc_soma *soma) {
    const struct nmc_node *node = soma->node;
    soma->states = nmc_arena_array(&f->net->arena, (size_t)node->input_count, sizeof *soma->states);
    for (int i = 1; soma->states && i < node->input_count; i++)
        if (node->inputs[i] && nmc_same_shape(&node->inputs[i]->shape, &soma->input->shape))
            soma->states[soma->state_count++] = node->inputs[i];
    return soma->states != NULL;
}

bool nmc_soma_make_named(struct nmc_finder *f, struct nmc_node *node) {
    struct nmc_soma *soma = append(f);
    if (!soma)
        return false;
    node->soma = soma;
    soma->kind = NMC_SOMA_NAMED;
    soma->multi_spike = nmc_soma_is_graded(node->op_type);
    soma->node = node;
    soma->input = node->inputs[0];
    soma->output = node->outputs[0];
    if (!list_named_states(f, soma))
        return false;
    link_steps(f, soma);
    for (int i = 0; i < node->output_count; i++)
        if (node->outputs[i]) {
            f->soma_of[node->outputs[i]->id] = soma;
            f->is_spikes[node->outputs[i]->id] = i == 0;
        }
    soma->why = nmc_arena_printf(&f->net->arena, "%s is the name of a neuron", node->op_type);
    return soma->why != NULL;
}
