/* json_fragments.c - what was counted where: fragments, DRAM traffic, how operands were mapped. */
#include "report/json.h"

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
    if (line->runs) {
        nmc_json_key_integer(json, "mapping", (int64_t)line->mapping);
        nmc_json_key_integer(json, "mapping_runs", line->runs);
    }
    nmc_json_key(json, "loop_dims");
    nmc_json_begin(json, '{');
    for (int i = 0; i < NMC_LOOPS; i++)
        nmc_json_key_integer(json, nmc_loop_names[i], f->dims[i]);
    nmc_json_end(json, '}');
    nmc_json_scalars(json, totals);
    nmc_json_key(json, "energy_by_memory_level_dir");
    nmc_json_levels(json, totals, true);
    nmc_json_key(json, "memory_bits_by_level_dir");
    nmc_json_levels(json, totals, false);
    nmc_json_end(json, '}');
}

void nmc_json_fragments(struct nmc_json *json, const struct neuromc_report *report) {
    nmc_json_key(json, "mapping_summary");
    nmc_json_begin(json, '[');
    for (uint32_t i = 0; !report->no_mapping && i < report->ledger.line_count; i++)
        if (!report->ledger.lines[i].traffic)
            write_fragment(json, &report->ledger.lines[i], &report->lines[i]);
    nmc_json_end(json, ']');
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

void nmc_json_dram(struct nmc_json *json, const struct neuromc_report *report) {
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
