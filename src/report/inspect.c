/*
 * inspect.c - the graph after shape inference, for people and programs: nodes in execution order
 * with shapes, work and coverage; which tensors are spikes and why; which dims are unbound.
 */
#include <stdio.h>
#include <string.h>

#include "base/json_write.h"
#include "base/number.h"
#include "frontends/model_file.h"
#include "graph/ops.h"
#include "graph/soma.h"
#include "model/lower.h"
#include "report/inspect.h"
#include "report/table.h"

struct inspection {
    struct nmc_net *net;
    struct nmc_layers layers;
    const struct nmc_layer **layer_of; /* first layer by node id */
    bool counted;                      /* the layers could be collected */
};

/* Work needs every dim; inspection shows the graph also when some are unbound. */
static neuromc_status inspection_init(struct inspection *in, struct nmc_net *net,
                                      neuromc_diags *diags) {
    *in = (struct inspection){.net = net};
    in->layer_of = nmc_arena_array(&net->arena, net->node_count, sizeof *in->layer_of);
    if (!in->layer_of)
        return nmc_out_of_memory(diags);
    neuromc_status status = nmc_layers_collect(net, &in->layers, diags);
    in->counted = status == NEUROMC_OK;
    for (size_t i = in->layers.count; i-- > 0;)
        in->layer_of[in->layers.items[i].node->id] = &in->layers.items[i];
    return status == NEUROMC_BAD_INPUT ? NEUROMC_OK : status;
}

static int64_t macs_of(const struct inspection *in, const struct nmc_node *node) {
    static const struct nmc_precision any = {.spike_bits = 1}; /* MACs have no width */
    int64_t macs = 0;
    for (const struct nmc_layer *layer = in->layer_of[node->id];
         layer && layer < in->layers.items + in->layers.count && layer->node == node; layer++) {
        struct nmc_fragment f;
        if (nmc_forward_fragment(layer, &any, &f) == NEUROMC_OK)
            macs += f.macs * f.times;
    }
    return macs;
}

static const char *const cover_names[] = {"costed", "free", "not_modelled"};

/* ---- JSON ---- */

static void write_tensor(struct nmc_json *json, struct nmc_net *net, const struct nmc_tensor *t) {
    if (!t) {
        nmc_json_text(json, NULL);
        return;
    }
    nmc_json_begin(json, '{');
    nmc_json_key_text(json, "name", t->name);
    nmc_json_key_text(json, "type", nmc_elem_name(t->type));
    nmc_json_key(json, "shape");
    if (t->shape.rank < 0) {
        nmc_json_text(json, NULL);
    } else {
        nmc_json_begin(json, '[');
        for (int i = 0; i < t->shape.rank; i++) {
            nmc_dim d = t->shape.dims[i];
            if (nmc_dim_known(d)) {
                nmc_json_integer(json, d);
            } else {
                const char *name = net->symbols[nmc_dim_id(d)].name;
                nmc_json_text(json, name ? name : "?");
            }
        }
        nmc_json_end(json, ']');
    }
    if (t->is_constant)
        nmc_json_key_bool(json, "constant", true);
    if (t->spike)
        nmc_json_key_text(json, "spike", t->spike_why);
    if (t->steps)
        nmc_json_key_integer(json, "time_steps", t->steps);
    nmc_json_end(json, '}');
}

static void write_tensors(struct nmc_json *json, struct nmc_net *net, const char *key,
                          struct nmc_tensor *const *tensors, int count) {
    nmc_json_key(json, key);
    nmc_json_begin(json, '[');
    for (int i = 0; i < count; i++)
        write_tensor(json, net, tensors[i]);
    nmc_json_end(json, ']');
}

static void write_json_graph(struct nmc_json *json, const struct inspection *in,
                             const struct nmc_graph *graph) {
    for (int n = 0; n < graph->node_count; n++) {
        const struct nmc_node *node = graph->nodes[n];
        nmc_json_begin_flat(json, '{');
        nmc_json_key_integer(json, "id", node->id);
        nmc_json_key_text(json, "name", node->name);
        nmc_json_key_text(json, "domain", node->domain);
        nmc_json_key_text(json, "op", node->op_type);
        nmc_json_key_text(
            json, "coverage",
            cover_names[nmc_node_coverage(node, in->layer_of[node->id] != NULL, false)]);
        nmc_json_key_integer(json, "macs", macs_of(in, node));
        if (node->body && node->trips >= 0)
            nmc_json_key_integer(json, "trips", node->trips);
        if (node->soma)
            nmc_json_key_integer(json, "soma", node->soma->id);
        write_tensors(json, in->net, "inputs", node->inputs, node->input_count);
        write_tensors(json, in->net, "outputs", node->outputs, node->output_count);
        nmc_json_end(json, '}');
        if (node->body)
            write_json_graph(json, in, node->body);
    }
}

static void write_json(const struct inspection *in, struct nmc_sink *sink) {
    struct nmc_json writer, *json = &writer;
    const struct nmc_graph *graph = in->net->main;
    nmc_json_init(json, sink);
    nmc_json_begin(json, '{');
    nmc_json_key(json, "schema");
    nmc_json_begin_flat(json, '{');
    nmc_json_key_text(json, "name", "neuromc-graph");
    nmc_json_key_integer(json, "version", 1);
    nmc_json_end(json, '}');
    nmc_json_key_text(json, "producer", in->net->producer);
    nmc_json_key_integer(json, "ir_version", in->net->ir_version);
    nmc_json_key_integer(json, "opset", in->net->opset);
    nmc_json_key_bool(json, "complete", in->counted);
    write_tensors(json, in->net, "inputs", graph->inputs, graph->input_count);
    write_tensors(json, in->net, "outputs", graph->outputs, graph->output_count);
    nmc_json_key(json, "nodes");
    nmc_json_begin(json, '[');
    write_json_graph(json, in, graph);
    nmc_json_end(json, ']');
    nmc_inspect_somas_json(json, in->net);
    nmc_json_end(json, '}');
}

/* ---- text and CSV ---- */

static const char *shapes(struct nmc_net *net, struct nmc_tensor *const *tensors, int count) {
    const char *text = "";
    for (int i = 0; i < count; i++) {
        if (!tensors[i] || tensors[i]->is_constant)
            continue;
        const char *joined =
            nmc_arena_printf(&net->arena, "%s%s%s%s", text, *text ? " " : "",
                             nmc_shape_text(net, &tensors[i]->shape), tensors[i]->spike ? "*" : "");
        text = joined ? joined : text;
    }
    return text;
}

/* The shape of the first of them, and how many follow: names need the room. */
static const char *first_shape(struct nmc_net *net, struct nmc_tensor *const *tensors, int count) {
    const struct nmc_tensor *first = NULL;
    int more = 0;
    for (int i = 0; i < count; i++) {
        if (!tensors[i] || tensors[i]->is_constant)
            continue;
        more += first != NULL;
        first = first ? first : tensors[i];
    }
    if (!first)
        return "";
    const char *shape = nmc_shape_text(net, &first->shape), *star = first->spike ? "*" : "";
    const char *text = more ? nmc_arena_printf(&net->arena, "%s%s +%d", shape, star, more)
                            : nmc_arena_printf(&net->arena, "%s%s", shape, star);
    return text ? text : shape;
}

/* What the node costs: MACs, or why it has none. */
static const char *work_text(const struct inspection *in, const struct nmc_node *node,
                             char text[NMC_NUMBER_SIZE]) {
    if (node->soma)
        snprintf(text, NMC_NUMBER_SIZE, "neurons %u", node->soma->id);
    else if (in->layer_of[node->id])
        nmc_count_format(text, macs_of(in, node));
    else
        return nmc_node_coverage(node, false, false) == NMC_COVER_FREE ? "free" : "-";
    return text;
}

static void text_rows(struct nmc_table *table, const struct inspection *in,
                      const struct nmc_graph *graph, int depth) {
    for (int n = 0; n < graph->node_count; n++) {
        const struct nmc_node *node = graph->nodes[n];
        struct nmc_table_row *row = nmc_table_row(table);
        char work[NMC_NUMBER_SIZE];
        nmc_table_cell(table, row, 0, "%*s%s", 2 * depth, "",
                       *node->name ? node->name : "(no name)");
        nmc_table_cell(table, row, 1, "%s%s%s", node->domain, *node->domain ? "::" : "",
                       node->op_type);
        nmc_table_cell(table, row, 2, "%.28s",
                       first_shape(in->net, node->inputs, node->input_count));
        nmc_table_cell(table, row, 3, "%.28s",
                       first_shape(in->net, node->outputs, node->output_count));
        nmc_table_cell(table, row, 4, "%s", work_text(in, node, work));
        if (node->body)
            text_rows(table, in, node->body, depth + 1);
    }
}

static void write_text(const struct inspection *in, bool color, struct nmc_sink *sink) {
    static const char *const titles[] = {"node", "op", "in", "out", "MACs"};
    struct nmc_table table;
    nmc_table_init(&table, 5, color);
    table.left = 1 << 1 | 1 << 2 | 1 << 3;
    struct nmc_table_row *row = nmc_table_row(&table);
    for (int c = 0; c < 5; c++)
        nmc_table_cell(&table, row, c, "%s", titles[c]);
    text_rows(&table, in, in->net->main, 0);
    nmc_table_finish(&table, sink);
    nmc_sink_puts(sink,
                  "\n  * spike tensor; constants are left out, +1 more shapes; - not modelled\n");
    nmc_inspect_somas_text(sink, in->net, color);
    nmc_inspect_spikes_text(sink, in->net, color);
}

static void csv_rows(struct nmc_sink *sink, const struct inspection *in,
                     const struct nmc_graph *graph) {
    for (int n = 0; n < graph->node_count; n++) {
        const struct nmc_node *node = graph->nodes[n];
        nmc_sink_printf(sink, "%u,", node->id);
        nmc_csv_text(sink, node->name);
        nmc_sink_puts(sink, ",");
        nmc_csv_text(sink, node->domain);
        nmc_sink_puts(sink, ",");
        nmc_csv_text(sink, node->op_type);
        nmc_sink_printf(sink, ",%s,%lld,",
                        cover_names[nmc_node_coverage(node, in->layer_of[node->id] != NULL, false)],
                        (long long)macs_of(in, node));
        nmc_csv_text(sink, shapes(in->net, node->inputs, node->input_count));
        nmc_sink_puts(sink, ",");
        nmc_csv_text(sink, shapes(in->net, node->outputs, node->output_count));
        if (node->soma)
            nmc_sink_printf(sink, ",%u\r\n", node->soma->id);
        else
            nmc_sink_puts(sink, ",\r\n");
        if (node->body)
            csv_rows(sink, in, node->body);
    }
}

neuromc_status neuromc_model_inspect(const neuromc_model *model,
                                     const neuromc_write_options *options, neuromc_write_fn write,
                                     void *user, neuromc_diags *diags) {
    struct inspection in;
    struct nmc_sink sink;
    if (!model->net)
        return nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){.file = model->path}, NULL,
                         "a trace has no graph to inspect");
    neuromc_status status = inspection_init(&in, model->net, diags);
    if (status != NEUROMC_OK)
        return status;
    nmc_sink_init(&sink, write, user);
    if (options->format == NEUROMC_JSON) {
        write_json(&in, &sink);
    } else if (options->format == NEUROMC_CSV) {
        nmc_sink_puts(&sink, "id,name,domain,op,coverage,macs,inputs,outputs,soma\r\n");
        csv_rows(&sink, &in, model->net->main);
    } else {
        write_text(&in, options->color, &sink);
    }
    status = nmc_sink_finish(&sink, diags);
    nmc_layers_release(&in.layers);
    return status;
}
