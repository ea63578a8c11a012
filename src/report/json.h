/*
 * json.h - the pieces that a JSON report is put together of; each writes its key and its value.
 */
#ifndef NMC_REPORT_JSON_H
#define NMC_REPORT_JSON_H

#include "base/json_write.h"
#include "report/formats.h"

/* The energies of fields.def, a key for each. */
void nmc_json_scalars(struct nmc_json *json, const struct nmc_totals *t);
/* {level: {direction: value}} with the directions that happened; one of bits and energy. No key. */
void nmc_json_levels(struct nmc_json *json, const struct nmc_totals *totals, bool energy);

void nmc_json_fragments(struct nmc_json *json, const struct neuromc_report *report);
void nmc_json_dram(struct nmc_json *json, const struct neuromc_report *report);
void nmc_json_mapping(struct nmc_json *json, const struct neuromc_report *report);
void nmc_json_mappings(struct nmc_json *json, const struct neuromc_report *report);
void nmc_json_preset(struct nmc_json *json, const struct neuromc_report *report);
void nmc_json_coverage(struct nmc_json *json, const struct neuromc_report *report);
void nmc_json_notes(struct nmc_json *json, const struct neuromc_report *report);
void nmc_json_warnings(struct nmc_json *json, const struct neuromc_report *report);
void nmc_json_ledger(struct nmc_json *json, const struct neuromc_report *report);

#endif
