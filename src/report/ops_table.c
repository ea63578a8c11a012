/* ops_table.c - the operator table as `neuromc ops` shows it. */
#include "base/json_write.h"
#include "graph/infer.h"
#include "graph/ops.h"
#include "model/elementwise.h"
#include "report/table.h"

static const char *cost_name(const struct nmc_op *op) {
    static const char *const names[] = {
        [NMC_COST_WORK] = "costed",
        [NMC_COST_VIEW] = "free: view",
        [NMC_COST_SHAPE] = "free: shape arithmetic",
        [NMC_COST_CONTROL] = "free: its bodies are costed",
        [NMC_COST_UNMODELLED] = "not modelled",
    };
    return names[op->cost];
}

static const char *shape_name(const struct nmc_op *op) {
    return op->infer == nmc_infer_none ? "declared" : "inferred";
}

static void write_json(struct nmc_sink *sink) {
    struct nmc_json json;
    nmc_json_init(&json, sink);
    nmc_json_begin(&json, '[');
    for (size_t i = 0; i < nmc_op_count(); i++) {
        const struct nmc_op *op = nmc_op_at(i);
        char elementwise[128];
        nmc_elementwise_text(op, elementwise);
        nmc_json_begin_flat(&json, '{');
        nmc_json_key_text(&json, "domain", op->domain);
        nmc_json_key_text(&json, "op", op->name);
        nmc_json_key_text(&json, "cost", cost_name(op));
        nmc_json_key_text(&json, "shape", shape_name(op));
        nmc_json_key_text(&json, "elementwise", elementwise);
        nmc_json_key_text(&json, "doc", op->doc);
        nmc_json_end(&json, '}');
    }
    nmc_json_end(&json, ']');
}

static void write_csv(struct nmc_sink *sink) {
    nmc_sink_puts(sink, "domain,op,cost,shape,elementwise,doc\r\n");
    for (size_t i = 0; i < nmc_op_count(); i++) {
        const struct nmc_op *op = nmc_op_at(i);
        nmc_sink_printf(sink, "%s,%s,%s,%s,", op->domain, op->name, cost_name(op), shape_name(op));
        char elementwise[128];
        nmc_elementwise_text(op, elementwise);
        nmc_csv_text(sink, elementwise);
        nmc_sink_puts(sink, ",");
        nmc_csv_text(sink, op->doc);
        nmc_sink_puts(sink, "\r\n");
    }
}

static void write_text(struct nmc_sink *sink, bool color) {
    static const char *const titles[] = {"operator", "cost", "shape", "--elementwise count"};
    struct nmc_table table;
    nmc_table_init(&table, 4, color);
    table.left = 1 << 1 | 1 << 2 | 1 << 3;
    struct nmc_table_row *row = nmc_table_row(&table);
    for (int c = 0; c < 4; c++)
        nmc_table_cell(&table, row, c, "%s", titles[c]);
    for (size_t i = 0; i < nmc_op_count(); i++) {
        const struct nmc_op *op = nmc_op_at(i);
        row = nmc_table_row(&table);
        nmc_table_cell(&table, row, 0, "%s%s%s", op->domain, *op->domain ? "::" : "", op->name);
        nmc_table_cell(&table, row, 1, "%s", cost_name(op));
        nmc_table_cell(&table, row, 2, "%s", shape_name(op));
        char elementwise[128];
        nmc_elementwise_text(op, elementwise);
        nmc_table_cell(&table, row, 3, "%.34s", elementwise);
    }
    nmc_table_finish(&table, sink);
}

neuromc_status neuromc_ops_write(const neuromc_write_options *options, neuromc_write_fn write,
                                 void *user, neuromc_diags *diags) {
    struct nmc_sink sink;
    nmc_sink_init(&sink, write, user);
    switch (options->format) {
    case NEUROMC_JSON: write_json(&sink); break;
    case NEUROMC_CSV: write_csv(&sink); break;
    default: write_text(&sink, options->color); break;
    }
    return nmc_sink_finish(&sink, diags);
}
