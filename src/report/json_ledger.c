/* json_ledger.c - every count of a JSON report with its price, and every reuse distance. */
#include "report/json.h"

static void write_row(struct nmc_json *json, const struct neuromc_report *report, uint32_t line,
                      const struct nmc_row *row) {
    static const char *const units[] = {"mac", "operation", "bit"};
    char name[128];
    nmc_resource_name(report, row->resource, name);
    nmc_json_begin_flat(json, '{');
    nmc_json_key_integer(json, "line", line);
    nmc_json_key_text(json, "part", nmc_part_names[row->part]);
    nmc_json_key_text(json, "resource", name);
    nmc_json_key_integer(json, "quantity", row->quantity);
    nmc_json_key_text(json, "unit", units[nmc_resource_at(row->resource).kind]);
    nmc_json_end(json, '}');
}

static void write_prices(struct nmc_json *json, const struct neuromc_report *report) {
    nmc_json_key(json, "prices_pj");
    nmc_json_begin(json, '{');
    int count = NMC_CORES + NMC_PRIMITIVES + report->memory_count * NMC_DIRECTIONS;
    for (int r = 0; r < count; r++) {
        char name[128];
        nmc_resource_name(report, r, name);
        nmc_json_key_number(json, name, report->prices[r]);
    }
    nmc_json_end(json, '}');
}

static void write_uses(struct nmc_json *json, const struct nmc_dram *dram) {
    nmc_json_key(json, "reuse");
    nmc_json_begin(json, '[');
    for (size_t i = 0; i < dram->count; i++) {
        const struct nmc_dram_use *use = &dram->uses[i];
        nmc_json_begin_flat(json, '{');
        nmc_json_key_text(json, "stage", use->stage);
        nmc_json_key_text(json, "node", use->node);
        nmc_json_key_text(json, "tensor", use->tensor);
        nmc_json_key_text(json, "touch", use->made ? "made" : "used");
        nmc_json_key_integer(json, "times", use->times);
        nmc_json_key_integer(json, "bits", use->bits);
        nmc_json_key(json, "distance_bits");
        if (use->distance < 0)
            nmc_json_text(json, NULL);
        else
            nmc_json_integer(json, use->distance);
        nmc_json_end(json, '}');
    }
    nmc_json_end(json, ']');
}

void nmc_json_ledger(struct nmc_json *json, const struct neuromc_report *report) {
    nmc_json_key(json, "ledger");
    nmc_json_begin(json, '{');
    write_prices(json, report);
    nmc_json_key(json, "lines");
    nmc_json_begin(json, '[');
    for (uint32_t i = 0; i < report->ledger.line_count; i++) {
        const struct nmc_line *line = &report->ledger.lines[i];
        nmc_json_begin_flat(json, '{');
        nmc_json_key_text(json, "stage", line->fragment.stage);
        nmc_json_key_text(json, "op_name", line->fragment.op);
        nmc_json_key_text(json, "node", line->fragment.node);
        nmc_json_key_integer(json, "fragments", line->fragments);
        nmc_json_end(json, '}');
    }
    nmc_json_end(json, ']');
    nmc_json_key(json, "rows");
    nmc_json_begin(json, '[');
    for (uint32_t i = 0; i < report->ledger.line_count; i++) {
        const struct nmc_line *line = &report->ledger.lines[i];
        for (uint32_t r = 0; r < line->row_count; r++)
            write_row(json, report, i, &report->ledger.rows[line->first_row + r]);
    }
    nmc_json_end(json, ']');
    write_uses(json, &report->dram);
    nmc_json_end(json, '}');
}
