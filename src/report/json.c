/*
 * json.c - the JSON report: the reference's field names with the reference's meaning, and ours
 * beside them. Its schema is docs/report.schema.json.
 */
#include <stdio.h>

#include "base/json_write.h"
#include "base/memory.h"
#include "report/formats.h"

static void write_scalars(struct nmc_json *json, const struct nmc_totals *t) {
#define SCALAR(name, unit, value, doc) nmc_json_key_number(json, #name, value);
#include "report/fields.def"
#undef SCALAR
}

static void write_group_energies(struct nmc_json *json, const char *key,
                                 const struct nmc_groups *groups) {
    nmc_json_key(json, key);
    nmc_json_begin(json, '{');
    for (size_t i = 0; i < groups->count; i++)
        nmc_json_key_number(json, groups->items[i].key,
                            nmc_totals_energy(&groups->items[i].totals));
    nmc_json_end(json, '}');
}

static void write_primitives(struct nmc_json *json, const struct nmc_totals *totals) {
    for (int p = 0; p < NMC_PRIMITIVES; p++)
        nmc_json_key_integer(json, nmc_primitive_names[p], totals->primitives[p]);
}

static void write_group_primitives(struct nmc_json *json, const char *key,
                                   const struct nmc_groups *groups) {
    nmc_json_key(json, key);
    nmc_json_begin(json, '{');
    for (size_t i = 0; i < groups->count; i++) {
        if (!groups->items[i].totals.fragments)
            continue;
        nmc_json_key(json, groups->items[i].key);
        nmc_json_begin_flat(json, '{');
        write_primitives(json, &groups->items[i].totals);
        nmc_json_end(json, '}');
    }
    nmc_json_end(json, '}');
}

static void write_group_counts(struct nmc_json *json, const char *key,
                               const struct nmc_groups *groups) {
    nmc_json_key(json, key);
    nmc_json_begin(json, '{');
    for (size_t i = 0; i < groups->count; i++) {
        const struct nmc_totals *totals = &groups->items[i].totals;
        if (!totals->fragments)
            continue;
        nmc_json_key(json, groups->items[i].key);
        nmc_json_begin_flat(json, '{');
        nmc_json_key_integer(json, "fragments", totals->fragments);
        nmc_json_key_integer(json, "mac", totals->macs);
        write_primitives(json, totals);
        nmc_json_end(json, '}');
    }
    nmc_json_end(json, '}');
}

/* {level: {direction: value}} with the directions that happened; one of bits and energy. */
static void write_levels(struct nmc_json *json, const struct nmc_totals *totals, bool energy) {
    nmc_json_begin_flat(json, '{');
    for (int level = 0; level < NMC_LEVELS; level++) {
        bool any = false;
        for (int d = 0; d < NMC_DIRECTIONS; d++) {
            if (!totals->bits[level][d])
                continue;
            if (!any) {
                nmc_json_key(json, nmc_level_names[level]);
                nmc_json_begin(json, '{');
            }
            any = true;
            if (energy)
                nmc_json_key_number(json, nmc_direction_names[d], totals->level_energy[level][d]);
            else
                nmc_json_key_integer(json, nmc_direction_names[d], totals->bits[level][d]);
        }
        if (any)
            nmc_json_end(json, '}');
    }
    nmc_json_end(json, '}');
}

static void write_memory_bits(struct nmc_json *json, const struct neuromc_report *report) {
    nmc_json_key(json, "memory_bits_by_level");
    nmc_json_begin(json, '{');
    nmc_json_key_text(json, "preset_name", report->preset_name);
    nmc_json_key(json, "totals");
    nmc_json_begin_flat(json, '{');
    for (int level = 0; level < NMC_LEVELS; level++) {
        int64_t bits = 0;
        for (int d = 0; d < NMC_DIRECTIONS; d++)
            bits += report->total.bits[level][d];
        if (bits)
            nmc_json_key_integer(json, nmc_level_names[level], bits);
    }
    nmc_json_end(json, '}');
    nmc_json_key(json, "by_level_dir");
    write_levels(json, &report->total, false);
    nmc_json_end(json, '}');
}

static void write_primitive_counts(struct nmc_json *json, const struct neuromc_report *report) {
    nmc_json_key(json, "primitive_counts");
    nmc_json_begin(json, '{');
    nmc_json_key(json, "totals");
    nmc_json_begin_flat(json, '{');
    write_primitives(json, &report->total);
    nmc_json_key_integer(json, "mac", report->total.macs);
    nmc_json_end(json, '}');
    write_group_primitives(json, "by_stage", &report->groups[NMC_BY_STAGE]);
    write_group_primitives(json, "by_op", &report->groups[NMC_BY_OP]);
    nmc_json_key_text(json, "core_type", report->core_type);
    nmc_json_end(json, '}');
}

/* ---- fragments ---- */

static void write_fragment(struct nmc_json *json, const struct nmc_line *line,
                           const struct nmc_totals *totals) {
    const struct nmc_fragment *f = &line->fragment;
    nmc_json_begin_flat(json, '{');
#define json_text                      nmc_json_key_text
#define json_integer                   nmc_json_key_integer
#define json_number                    nmc_json_key_number
#define json_bool                      nmc_json_key_bool
#define COLUMN(name, kind, value, doc) json_##kind(json, #name, value);
#include "report/fields.def"
#undef COLUMN
    nmc_json_key(json, "loop_dims");
    nmc_json_begin(json, '{');
    for (int i = 0; i < NMC_LOOPS; i++)
        nmc_json_key_integer(json, nmc_loop_names[i], f->dims[i]);
    nmc_json_end(json, '}');
    write_scalars(json, totals);
    nmc_json_key(json, "energy_by_memory_level_dir");
    write_levels(json, totals, true);
    nmc_json_key(json, "memory_bits_by_level_dir");
    write_levels(json, totals, false);
    nmc_json_end(json, '}');
}

static void write_fragments(struct nmc_json *json, const struct neuromc_report *report) {
    nmc_json_key(json, "mapping_summary");
    nmc_json_begin(json, '[');
    for (uint32_t i = 0; !report->no_mapping && i < report->ledger.line_count; i++)
        if (!report->ledger.lines[i].traffic)
            write_fragment(json, &report->ledger.lines[i], &report->lines[i]);
    nmc_json_end(json, ']');
}

/* ---- what stands beside the numbers ---- */

static void write_preset(struct nmc_json *json, const struct neuromc_report *report) {
    char hash[20];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)report->preset_hash);
    nmc_json_key(json, "preset");
    nmc_json_begin(json, '{');
    nmc_json_key_text(json, "name", report->preset_name);
    nmc_json_key_text(json, "description", report->preset_description);
    nmc_json_key_text(json, "hash", hash);
    nmc_json_key_number(json, "technology_nm", report->technology_nm);
    nmc_json_key(json, "levels");
    nmc_json_begin_flat(json, '[');
    for (int i = 0; i < report->level_count; i++)
        nmc_json_text(json, nmc_level_names[report->level_order[i]]);
    nmc_json_end(json, ']');
    nmc_json_key(json, "not_modelled");
    nmc_json_begin_flat(json, '[');
    for (int i = 0; i < report->not_modelled_count; i++)
        nmc_json_text(json, report->not_modelled[i]);
    nmc_json_end(json, ']');
    nmc_json_key(json, "provenance");
    nmc_json_begin(json, '[');
    for (int i = 0; i < report->provenance_count; i++) {
        nmc_json_begin_flat(json, '{');
        nmc_json_key_text(json, "path", report->provenance[i].path);
        nmc_json_key_text(json, "value", report->provenance[i].value);
        nmc_json_key_text(json, "unit", report->provenance[i].unit);
        nmc_json_key_text(json, "origin", report->provenance[i].origin);
        nmc_json_key_text(json, "source", report->provenance[i].source);
        nmc_json_end(json, '}');
    }
    nmc_json_end(json, ']');
    nmc_json_end(json, '}');
}

static void write_notes(struct nmc_json *json, const struct neuromc_report *report) {
    nmc_json_key(json, "accounting_notes");
    nmc_json_begin(json, '[');
    for (int i = 0; i < NMC_RULES; i++) {
        const struct nmc_accounting_note *note = &report->notes[i];
        if (!note->fragments)
            continue;
        nmc_json_begin_flat(json, '{');
        nmc_json_key_integer(json, "rule", note->rule);
        nmc_json_key_text(json, "text", nmc_rule_text(note->rule));
        nmc_json_key_integer(json, "fragments", note->fragments);
        nmc_json_key_number(json, "runtime_pj", note->runtime_pj);
        nmc_json_key_number(json, "corrected_pj", note->corrected_pj);
        nmc_json_key_number(json, "difference_pj", note->corrected_pj - note->runtime_pj);
        nmc_json_end(json, '}');
    }
    nmc_json_end(json, ']');
}

static void write_coverage(struct nmc_json *json, const struct neuromc_report *report) {
    static const char *const kinds[] = {"costed", "free", "not_modelled"};
    int64_t nodes[3] = {0};
    for (size_t i = 0; i < report->coverage_count; i++)
        for (int k = 0; k < 3; k++)
            nodes[k] += report->coverage[i].nodes[k];
    nmc_json_key(json, "coverage");
    nmc_json_begin(json, '{');
    nmc_json_key_integer(json, "operators", nodes[0] + nodes[1] + nodes[2]);
    for (int k = 0; k < 3; k++)
        nmc_json_key_integer(json, kinds[k], nodes[k]);
    nmc_json_key(json, "by_op");
    nmc_json_begin(json, '[');
    for (size_t i = 0; i < report->coverage_count; i++) {
        const struct nmc_coverage_row *row = &report->coverage[i];
        for (int k = 0; k < 3; k++) {
            if (!row->nodes[k])
                continue;
            nmc_json_begin_flat(json, '{');
            nmc_json_key_text(json, "op", row->op);
            nmc_json_key_text(json, "kind", kinds[k]);
            nmc_json_key_integer(json, "nodes", row->nodes[k]);
            if (row->elements_known[k])
                nmc_json_key_integer(json, "elements", row->elements[k]);
            nmc_json_end(json, '}');
        }
    }
    nmc_json_end(json, ']');
    nmc_json_end(json, '}');
}

static void write_traffic(struct nmc_json *json, const struct neuromc_report *report) {
    nmc_json_key(json, "by_node");
    nmc_json_begin(json, '[');
    for (uint32_t i = 0; i < report->ledger.line_count; i++) {
        const struct nmc_line *line = &report->ledger.lines[i];
        if (!line->traffic)
            continue;
        nmc_json_begin_flat(json, '{');
        nmc_json_key_text(json, "stage", nmc_line_key(line, NMC_BY_STAGE));
        nmc_json_key_text(json, "phase", nmc_phase_names[line->fragment.phase]);
        nmc_json_key_text(json, "node", nmc_line_key(line, NMC_BY_NODE));
        nmc_json_key_integer(json, "read_bits", report->lines[i].bits[NMC_DRAM][NMC_RH2L]);
        nmc_json_key_integer(json, "written_bits", report->lines[i].bits[NMC_DRAM][NMC_WL2H]);
        nmc_json_key_number(json, "energy_pj", nmc_totals_energy(&report->lines[i]));
        nmc_json_end(json, '}');
    }
    nmc_json_end(json, ']');
}

static void write_dram(struct nmc_json *json, const struct neuromc_report *report) {
    struct nmc_cause_totals causes[NMC_DRAM_CAUSES];
    if (!report->counts_reuse || !nmc_dram_causes(report, causes))
        return;
    nmc_json_key(json, "dram");
    nmc_json_begin(json, '{');
    nmc_json_key_integer(json, "on_chip_bits", report->on_chip_bits);
    nmc_json_key(json, "by_cause");
    nmc_json_begin(json, '{');
    for (int c = 0; c < NMC_DRAM_CAUSES; c++) {
        nmc_json_key(json, nmc_dram_cause_names[c]);
        nmc_json_begin_flat(json, '{');
        nmc_json_key_integer(json, "uses", causes[c].uses);
        nmc_json_key_integer(json, "read_bits", causes[c].read_bits);
        nmc_json_key_integer(json, "written_bits", causes[c].written_bits);
        nmc_json_end(json, '}');
    }
    nmc_json_end(json, '}');
    write_traffic(json, report);
    nmc_json_end(json, '}');
}

static void write_warnings(struct nmc_json *json, const struct neuromc_report *report) {
    nmc_json_key(json, "warnings");
    nmc_json_begin(json, '[');
    for (size_t i = 0; i < report->warning_count; i++)
        nmc_json_text(json, report->warnings[i]);
    nmc_json_end(json, ']');
}

/* ---- mappings ---- */

static void write_mapping(struct nmc_json *json, const struct neuromc_report *report) {
    const struct nmc_mapping_summary *m = &report->mapping;
    nmc_json_key(json, "mapping");
    nmc_json_begin(json, '{');
    nmc_json_key_text(json, "counting", nmc_counting_names[m->counting]);
    nmc_json_key_text(json, "objective", nmc_map_objective_names[m->objective]);
    nmc_json_key_integer(json, "mac_units", m->mac_units);
    nmc_json_key_integer(json, "cycles", report->total.cycles);
    nmc_json_key_number(json, "utilization", nmc_mac_utilization(report, &report->total));
    nmc_json_key_integer(json, "shapes", m->problems);
    nmc_json_key_integer(json, "unmapped", m->unmapped);
    nmc_json_key(json, "reach");
    nmc_json_begin_flat(json, '{');
    for (int r = 0; r < NMC_REACHES; r++)
        nmc_json_key_integer(json, nmc_map_reach_keys[r], m->reach[r]);
    nmc_json_end(json, '}');
    nmc_json_end(json, '}');
}

/* ---- the ledger ---- */

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

static void write_ledger(struct nmc_json *json, const struct neuromc_report *report) {
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

void nmc_report_json(const struct neuromc_report *report, bool ledger, struct nmc_sink *sink) {
    struct nmc_json json;
    nmc_json_init(&json, sink);
    nmc_report_json_into(report, ledger, &json);
}

void nmc_report_json_into(const struct neuromc_report *report, bool ledger, struct nmc_json *json) {
    nmc_json_begin(json, '{');
    nmc_json_key(json, "schema");
    nmc_json_begin_flat(json, '{');
    nmc_json_key_text(json, "name", "neuromc-report");
    nmc_json_key_integer(json, "version", 1);
    nmc_json_end(json, '}');
    nmc_json_key_text(json, "model", report->model_name);
    nmc_json_key_text(json, "accounting",
                      report->accounting == NEUROMC_RUNTIME ? "runtime" : "corrected");
    nmc_json_key_text(json, "access_model", nmc_access_model_names[report->access_model]);
    if (report->access_model == NMC_ACCESS_MAPPED)
        write_mapping(json, report);
    write_coverage(json, report);
    write_preset(json, report);
    write_scalars(json, &report->total);
    write_group_energies(json, "energy_by_stage", &report->groups[NMC_BY_STAGE]);
    write_group_energies(json, "energy_by_op", &report->groups[NMC_BY_OP]);
    write_group_energies(json, "energy_by_core_type", &report->groups[NMC_BY_CORE]);
    write_group_energies(json, "energy_by_process_key", &report->groups[NMC_BY_PROCESS]);
    write_group_energies(json, "energy_by_node", &report->groups[NMC_BY_NODE]);
    nmc_json_key(json, "energy_by_memory_level_dir");
    write_levels(json, &report->total, true);
    write_primitive_counts(json, report);
    write_memory_bits(json, report);
    write_group_counts(json, "counts_by_core_type", &report->groups[NMC_BY_CORE]);
    write_group_counts(json, "counts_by_process_key", &report->groups[NMC_BY_PROCESS]);
    write_dram(json, report);
    write_notes(json, report);
    write_warnings(json, report);
    write_fragments(json, report);
    if (ledger)
        write_ledger(json, report);
    nmc_json_end(json, '}');
}
