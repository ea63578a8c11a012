#include "report/network.h"

#include "base/memory.h"
#include "graph/soma.h"
#include "model/layer.h"

/* Numbers are indices + 1; 0 is none. */
struct drawing {
    const struct nmc_net *net;
    struct nmc_ledger *ledger;
    struct nmc_network *network;
    const char **labels;           /* of nodes that are layers, by node id */
    const struct nmc_node **first; /* by index: the node, or the one its neuron is named after */
    uint32_t *number;              /* by node id */
    uint32_t *slot;   /* by tensor id: its place among the outputs or inputs of a body's owner */
    uint32_t *source; /* by tensor id: the number behind it + 1, once it is found */
    uint32_t *fed;    /* by index: the last number that it was found to feed */
    uint32_t *inputs; /* of the node at hand */
    size_t input_count, input_capacity;
};

/* Constants and shape arithmetic are known before anything runs. */
static bool is_known(const struct nmc_node *node) {
    for (int i = 0; i < node->output_count; i++) {
        const struct nmc_tensor *output = node->outputs[i];
        if (output && !output->is_constant && !output->ints)
            return false;
    }
    return true;
}

static void place_slots(struct drawing *d, const struct nmc_node *node) {
    /* A Loop's body gives out first whether to go on. */
    const uint32_t skipped = nmc_node_is(node, "Loop") ? 1 : 0;
    for (int i = 0; i < node->output_count; i++)
        if (node->outputs[i])
            d->slot[node->outputs[i]->id] = (uint32_t)i + skipped;
    for (int i = 0; i < node->body->input_count; i++)
        d->slot[node->body->inputs[i]->id] = (uint32_t)i;
}

static void number_node(struct drawing *d, const struct nmc_node *node) {
    const struct nmc_node *drawn = node->soma ? node->soma->node : node;
    if (!d->number[drawn->id]) {
        d->first[d->network->count] = drawn;
        d->number[drawn->id] = ++d->network->count;
    }
    d->number[node->id] = d->number[drawn->id];
}

static void number_graph(struct drawing *d, const struct nmc_graph *graph) {
    for (int i = 0; i < graph->node_count; i++) {
        const struct nmc_node *node = graph->nodes[i];
        if (node->soma || (!node->body && !is_known(node)))
            number_node(d, node);
        if (!node->body)
            continue;
        place_slots(d, node);
        number_graph(d, node->body);
    }
}

/* ---- edges ---- */

/* What a tensor is another name for: what a body gives out, or what is put into it. NULL: nothing
 * else. Always something that was made earlier, so this ends. */
static const struct nmc_tensor *behind(const struct drawing *d, const struct nmc_tensor *tensor) {
    const struct nmc_node *made = tensor->producer;
    const uint32_t slot = d->slot[tensor->id];
    if (made && made->body)
        return slot < (uint32_t)made->body->output_count ? made->body->outputs[slot] : NULL;
    const struct nmc_node *owner = tensor->is_body_input && !made ? tensor->graph->owner : NULL;
    return owner && slot < (uint32_t)owner->input_count ? owner->inputs[slot] : NULL;
}

static uint32_t source_of(struct drawing *d, const struct nmc_tensor *tensor) {
    const struct nmc_tensor *at = tensor;
    uint32_t found = 0;
    while (at && !found && !d->source[at->id]) {
        found = at->producer ? d->number[at->producer->id] : 0;
        at = found ? at : behind(d, at);
    }
    if (at && !found)
        found = d->source[at->id] - 1;
    for (; tensor && !d->source[tensor->id]; tensor = behind(d, tensor))
        d->source[tensor->id] = found + 1;
    return found;
}

static bool add_inputs(struct drawing *d, const struct nmc_node *node, uint32_t to) {
    for (int i = 0; i < node->input_count; i++) {
        uint32_t from = source_of(d, node->inputs[i]);
        if (!from || from == to || d->fed[from - 1] == to)
            continue;
        if (!nmc_grow(&d->inputs, &d->input_capacity, d->input_count + 1, sizeof *d->inputs))
            return false;
        d->fed[from - 1] = to;
        d->inputs[d->input_count++] = from - 1;
    }
    return true;
}

static const char *label_of(const struct drawing *d, const struct nmc_node *node) {
    if (d->labels[node->id])
        return nmc_ledger_intern(d->ledger, d->labels[node->id]);
    return *node->name ? nmc_ledger_intern(d->ledger, node->name)
                       : nmc_arena_printf(&d->ledger->arena, "%s#%u", node->op_type, node->id);
}

static bool fill_node(struct drawing *d, uint32_t index) {
    const struct nmc_node *node = d->first[index];
    const struct nmc_soma *soma = node->soma;
    bool fits = true;
    d->input_count = 0;
    for (int i = 0; soma && fits && i < soma->node_count; i++)
        fits = add_inputs(d, soma->nodes[i], index + 1);
    if (!soma)
        fits = add_inputs(d, node, index + 1);
    if (!fits)
        return false;
    const char *op = soma ? nmc_soma_kind_names[soma->kind] : node->op_type;
    d->network->nodes[index] = (struct nmc_network_node){
        .label = label_of(d, node),
        .op = nmc_ledger_intern(d->ledger, op),
        .inputs = nmc_arena_copy(&d->ledger->arena, d->inputs, d->input_count * sizeof *d->inputs),
        .input_count = (uint32_t)d->input_count,
    };
    return d->network->nodes[index].op != NULL;
}

static bool draw(struct drawing *d, const struct nmc_layers *layers) {
    if (!d->labels || !d->first || !d->number || !d->fed || !d->slot || !d->source)
        return false;
    for (size_t i = 0; i < layers->count; i++)
        d->labels[layers->items[i].node->id] = layers->items[i].label;
    number_graph(d, d->net->main);
    d->network->nodes =
        nmc_arena_array(&d->ledger->arena, d->network->count, sizeof *d->network->nodes);
    bool fits = d->network->nodes != NULL;
    for (uint32_t i = 0; fits && i < d->network->count; i++)
        fits = fill_node(d, i);
    return fits && !d->ledger->arena.failed;
}

neuromc_status nmc_network_keep(struct nmc_network *network, const struct nmc_layers *layers,
                                struct nmc_ledger *ledger, neuromc_diags *diags) {
    struct nmc_arena scratch;
    nmc_arena_init(&scratch, SIZE_MAX);
    const size_t count = layers->net->node_count;
    struct drawing d = {.net = layers->net, .ledger = ledger, .network = network};
    *network = (struct nmc_network){.nodes = NULL};
    d.labels = nmc_arena_array(&scratch, count, sizeof *d.labels);
    d.first = nmc_arena_array(&scratch, count, sizeof *d.first);
    d.number = nmc_arena_array(&scratch, count, sizeof *d.number);
    d.fed = nmc_arena_array(&scratch, count, sizeof *d.fed);
    d.slot = nmc_arena_array(&scratch, layers->net->tensor_count, sizeof *d.slot);
    d.source = nmc_arena_array(&scratch, layers->net->tensor_count, sizeof *d.source);
    bool drawn = draw(&d, layers);
    nmc_free(d.inputs);
    nmc_arena_release(&scratch);
    return drawn ? NEUROMC_OK : nmc_out_of_memory(diags);
}

/* ---- writing ---- */

void nmc_network_json(const struct nmc_network *network, struct nmc_json *json) {
    nmc_json_begin(json, '{');
    nmc_json_key(json, "nodes");
    nmc_json_begin(json, '[');
    for (uint32_t i = 0; i < network->count; i++) {
        const struct nmc_network_node *node = &network->nodes[i];
        nmc_json_begin_flat(json, '{');
        nmc_json_key_text(json, "label", node->label);
        nmc_json_key_text(json, "op", node->op);
        nmc_json_key(json, "inputs");
        nmc_json_begin(json, '[');
        for (uint32_t n = 0; n < node->input_count; n++)
            nmc_json_integer(json, node->inputs[n]);
        nmc_json_end(json, ']');
        nmc_json_end(json, '}');
    }
    nmc_json_end(json, ']');
    nmc_json_end(json, '}');
}
