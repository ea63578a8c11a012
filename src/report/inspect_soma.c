/* The neurons and spike tensors of a network, as inspection shows them. */
#include <stdio.h>

#include "base/number.h"
#include "graph/soma.h"
#include "report/inspect.h"
#include "report/table.h"

/* ---- JSON ---- */

static void write_name(struct nmc_json *json, const char *key, const struct nmc_tensor *tensor) {
    nmc_json_key_text(json, key, tensor ? tensor->name : NULL);
}

static void write_lists(struct nmc_json *json, const struct nmc_soma *soma) {
    nmc_json_key(json, "states");
    nmc_json_begin(json, '[');
    for (int i = 0; i < soma->state_count; i++)
        nmc_json_text(json, soma->states[i]->name);
    nmc_json_end(json, ']');
    nmc_json_key(json, "nodes");
    nmc_json_begin(json, '[');
    for (int i = 0; i < soma->node_count; i++)
        nmc_json_integer(json, soma->nodes[i]->id);
    nmc_json_end(json, ']');
}

static void write_soma(struct nmc_json *json, const struct nmc_soma *soma) {
    nmc_json_begin_flat(json, '{');
    nmc_json_key_integer(json, "id", soma->id);
    nmc_json_key_text(json, "kind", nmc_soma_kind_names[soma->kind]);
    nmc_json_key_integer(json, "node", soma->node->id);
    write_name(json, "input", soma->input);
    write_name(json, "output", soma->output);
    nmc_json_key_bool(json, "multi_spike", soma->multi_spike);
    if (soma->elements >= 0)
        nmc_json_key_integer(json, "elements", soma->elements);
    if (soma->before)
        nmc_json_key_integer(json, "step_before", soma->before->id);
    write_lists(json, soma);
    nmc_json_key_text(json, "why", soma->why);
    nmc_json_end(json, '}');
}

void nmc_inspect_somas_json(struct nmc_json *json, struct nmc_net *net) {
    nmc_json_key(json, "somas");
    nmc_json_begin(json, '[');
    for (uint32_t i = 0; i < net->soma_count; i++)
        write_soma(json, net->somas[i]);
    nmc_json_end(json, ']');
}

/* ---- text ---- */

static void heading(struct nmc_table *table, const char *const *titles, int count) {
    struct nmc_table_row *row = nmc_table_row(table);
    for (int c = 0; c < count; c++)
        nmc_table_cell(table, row, c, "%s", titles[c]);
}

static int time_step(const struct nmc_soma *soma) {
    int step = 0;
    for (; soma->before; soma = soma->before)
        step++;
    return step;
}

/* What the potential is added to. */
static const char *start_of(const struct nmc_soma *soma) {
    const struct nmc_tensor *state = soma->state_count ? soma->states[0] : NULL;
    if (soma->before)
        return "step before";
    if (!state)
        return soma->kind == NMC_SOMA_NAMED ? "" : "nothing";
    if (state->is_body_input)
        return "loop";
    return state->is_input ? "graph input" : "constant";
}

static void soma_row(struct nmc_table *table, const struct nmc_soma *soma, int id_width) {
    struct nmc_table_row *row = nmc_table_row(table);
    char updates[NMC_NUMBER_SIZE];
    nmc_count_format(updates, soma->elements);
    nmc_table_cell(table, row, 0, "%*u  %s", id_width, soma->id, soma->output->name);
    nmc_table_cell(table, row, 1, "%s%s", nmc_soma_kind_names[soma->kind],
                   soma->multi_spike ? ", not 0/1" : "");
    nmc_table_cell(table, row, 2, "%s", start_of(soma));
    if (soma->before || soma->after)
        nmc_table_cell(table, row, 3, "%d", time_step(soma));
    nmc_table_cell(table, row, 4, "%d", soma->node_count);
    nmc_table_cell(table, row, 5, "%s", soma->elements < 0 ? "?" : updates);
}

void nmc_inspect_somas_text(struct nmc_sink *sink, struct nmc_net *net, bool color) {
    static const char *const titles[] = {"neurons", "kind",  "start from",
                                         "step",    "nodes", "updates"};
    enum { COLUMNS = sizeof titles / sizeof *titles };
    struct nmc_table table;
    if (net->soma_count == 0)
        return;
    int id_width = snprintf(NULL, 0, "%u", net->soma_count - 1);
    nmc_sink_puts(sink, "\n");
    nmc_table_init(&table, COLUMNS, color);
    table.left = 1 << 1 | 1 << 2;
    heading(&table, titles, COLUMNS);
    for (uint32_t i = 0; i < net->soma_count; i++)
        soma_row(&table, net->somas[i], id_width);
    nmc_table_finish(&table, sink);
}

static bool is_internal(const struct nmc_tensor *tensor) {
    const struct nmc_node *node = tensor->producer;
    return tensor->is_constant || nmc_elem_kind(tensor->type) == 'b' ||
           (node && node->soma && node->soma->output != tensor);
}

static bool has_spikes(const struct nmc_net *net) {
    for (uint32_t t = 0; t < net->tensor_count; t++)
        if (net->tensors[t]->spike && !is_internal(net->tensors[t]))
            return true;
    return false;
}

void nmc_inspect_spikes_text(struct nmc_sink *sink, struct nmc_net *net, bool color) {
    static const char *const titles[] = {"spike tensor", "why"};
    struct nmc_table table;
    if (!has_spikes(net))
        return;
    nmc_table_init(&table, 2, color);
    table.left = 1 << 1;
    heading(&table, titles, 2);
    for (uint32_t t = 0; t < net->tensor_count; t++) {
        const struct nmc_tensor *tensor = net->tensors[t];
        if (!tensor->spike || is_internal(tensor))
            continue;
        struct nmc_table_row *row = nmc_table_row(&table);
        nmc_table_cell(&table, row, 0, "%s", tensor->name);
        nmc_table_cell(&table, row, 1, "%s", tensor->spike_why);
    }
    nmc_sink_puts(sink, "\n");
    nmc_table_finish(&table, sink);
}
