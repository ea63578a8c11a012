/*
 * formats.h - the ways a report is written; each into a sink, none prints.
 */
#ifndef NMC_FORMATS_H
#define NMC_FORMATS_H

#include "base/json_write.h"
#include "base/sink.h"
#include "report/report.h"

void nmc_report_text(const struct neuromc_report *report, bool color, struct nmc_sink *sink);
void nmc_report_json(const struct neuromc_report *report, bool ledger, struct nmc_sink *sink);
/* The same through a writer that the caller has made. */
void nmc_report_json_into(const struct neuromc_report *report, bool ledger, struct nmc_json *json);
void nmc_report_folded(const struct neuromc_report *report, struct nmc_sink *sink);
void nmc_report_pprof(const struct neuromc_report *report, struct nmc_sink *sink);
/* Markdown, or LaTeX with booktabs. */
void nmc_report_markup(const struct neuromc_report *report, bool latex, struct nmc_sink *sink);
/* A text with what means something in Markdown escaped. */
void nmc_markdown_text(struct nmc_sink *sink, const char *text);
void nmc_report_csv(const struct neuromc_report *report, struct nmc_sink *sink);
/* One page that needs nothing else: the JSON report, the network's graph and what draws them. */
void nmc_report_html(const struct neuromc_report *report, struct nmc_sink *sink);

/* "mac:fp_soma", "add", "sram_2MB.rh2l" */
void nmc_resource_name(const struct neuromc_report *report, int resource, char out[128]);

/* What a rule of accounting.md says, in one line; NULL for a number that is none. */
const char *nmc_rule_text(int rule);

/* Traffic by cause at the preset's capacity. */
struct nmc_cause_totals {
    int64_t read_bits, written_bits, uses;
};
bool nmc_dram_causes(const struct neuromc_report *report,
                     struct nmc_cause_totals out[NMC_DRAM_CAUSES]);

#endif
