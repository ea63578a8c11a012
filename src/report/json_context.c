/* json_context.c - what stands beside the numbers of a JSON report: preset, coverage, notes. */
#include <stdio.h>

#include "report/json.h"

void nmc_json_preset(struct nmc_json *json, const struct neuromc_report *report) {
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

void nmc_json_notes(struct nmc_json *json, const struct neuromc_report *report) {
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

void nmc_json_coverage(struct nmc_json *json, const struct neuromc_report *report) {
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

void nmc_json_warnings(struct nmc_json *json, const struct neuromc_report *report) {
    nmc_json_key(json, "warnings");
    nmc_json_begin(json, '[');
    for (size_t i = 0; i < report->warning_count; i++)
        nmc_json_text(json, report->warnings[i]);
    nmc_json_end(json, ']');
}
