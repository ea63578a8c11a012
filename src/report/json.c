/*
 * json.c - the JSON report: totals and breakdowns, under the reference's field names with the
 * reference's meaning, and ours beside them. Its schema is docs/report.schema.json.
 */
#include "report/json.h"

void nmc_json_scalars(struct nmc_json *json, const struct nmc_totals *t) {
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

void nmc_json_levels(struct nmc_json *json, const struct nmc_totals *totals, bool energy) {
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
    nmc_json_levels(json, &report->total, false);
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
        nmc_json_mapping(json, report);
    nmc_json_coverage(json, report);
    nmc_json_preset(json, report);
    nmc_json_scalars(json, &report->total);
    write_group_energies(json, "energy_by_stage", &report->groups[NMC_BY_STAGE]);
    write_group_energies(json, "energy_by_op", &report->groups[NMC_BY_OP]);
    write_group_energies(json, "energy_by_core_type", &report->groups[NMC_BY_CORE]);
    write_group_energies(json, "energy_by_process_key", &report->groups[NMC_BY_PROCESS]);
    write_group_energies(json, "energy_by_node", &report->groups[NMC_BY_NODE]);
    nmc_json_key(json, "energy_by_memory_level_dir");
    nmc_json_levels(json, &report->total, true);
    write_primitive_counts(json, report);
    write_memory_bits(json, report);
    write_group_counts(json, "counts_by_core_type", &report->groups[NMC_BY_CORE]);
    write_group_counts(json, "counts_by_process_key", &report->groups[NMC_BY_PROCESS]);
    nmc_json_dram(json, report);
    nmc_json_notes(json, report);
    nmc_json_warnings(json, report);
    nmc_json_fragments(json, report);
    if (report->access_model == NMC_ACCESS_MAPPED)
        nmc_json_mappings(json, report);
    if (ledger)
        nmc_json_ledger(json, report);
    nmc_json_end(json, '}');
}
