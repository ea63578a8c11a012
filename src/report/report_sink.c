/* The calls by which lowering fills a report. */
#include <string.h>

#include "base/memory.h"
#include "model/price.h"
#include "report/report.h"

static neuromc_status on_fragment(void *user, const struct nmc_fragment *fragment) {
    struct nmc_report_sink *s = user;
    return nmc_ledger_add(&s->report->ledger, fragment, s->diags);
}

static struct nmc_coverage_row *coverage_row(struct neuromc_report *report, const char *op) {
    uintptr_t number = (uintptr_t)nmc_strmap_get(&report->coverage_index, op);
    if (number)
        return &report->coverage[number - 1];
    const char *name = nmc_ledger_intern(&report->ledger, op);
    if (!name || !nmc_grow(&report->coverage, &report->coverage_capacity,
                           report->coverage_count + 1, sizeof *report->coverage))
        return NULL;
    report->coverage[report->coverage_count++] = (struct nmc_coverage_row){.op = name};
    bool kept =
        nmc_strmap_put(&report->coverage_index, name, (void *)(uintptr_t)report->coverage_count);
    return kept ? &report->coverage[report->coverage_count - 1] : NULL;
}

static neuromc_status on_coverage(void *user, const char *op, enum nmc_coverage_kind kind,
                                  int64_t elements) {
    struct nmc_report_sink *s = user;
    struct nmc_coverage_row *row = coverage_row(s->report, op);
    if (!row)
        return nmc_out_of_memory(s->diags);
    row->nodes[kind]++;
    if (elements >= 0 &&
        !__builtin_add_overflow(row->elements[kind], elements, &row->elements[kind]))
        row->elements_known[kind] = true;
    return NEUROMC_OK;
}

static neuromc_status on_warning(void *user, const char *text) {
    struct nmc_report_sink *s = user;
    struct neuromc_report *report = s->report;
    const char *kept = nmc_ledger_intern(&report->ledger, text);
    if (!kept || !nmc_grow(&report->warnings, &report->warning_capacity, report->warning_count + 1,
                           sizeof *report->warnings))
        return nmc_out_of_memory(s->diags);
    report->warnings[report->warning_count++] = kept;
    return NEUROMC_OK;
}

/* Energy of one fragment that is in no ledger. */
static neuromc_status price_alone(struct nmc_report_sink *s, const struct nmc_fragment *fragment,
                                  double *energy) {
    struct nmc_ledger ledger;
    *energy = 0;
    if (!fragment)
        return NEUROMC_OK;
    neuromc_status status = nmc_ledger_init(&ledger, s->preset, false, s->diags);
    if (status == NEUROMC_OK)
        status = nmc_ledger_add(&ledger, fragment, s->diags);
    for (uint32_t r = 0; status == NEUROMC_OK && r < ledger.row_count; r++)
        *energy += nmc_row_energy(&ledger.lines[0], &ledger.rows[r], s->report->prices);
    nmc_ledger_release(&ledger);
    return status;
}

static neuromc_status on_difference(void *user, int rule, const struct nmc_fragment *runtime,
                                    const struct nmc_fragment *corrected) {
    struct nmc_report_sink *s = user;
    double as_runtime, as_corrected;
    neuromc_status status = price_alone(s, runtime, &as_runtime);
    if (status == NEUROMC_OK)
        status = price_alone(s, corrected, &as_corrected);
    if (status != NEUROMC_OK || rule <= 0 || rule >= NMC_RULES)
        return status;
    struct nmc_accounting_note *note = &s->report->notes[rule];
    note->rule = rule;
    note->fragments += runtime ? runtime->times : corrected->times;
    note->runtime_pj += as_runtime;
    note->corrected_pj += as_corrected;
    return NEUROMC_OK;
}

static neuromc_status on_touch(void *user, const struct nmc_dram_use *use) {
    struct nmc_report_sink *s = user;
    struct nmc_dram_use kept = *use;
    kept.stage = nmc_ledger_intern(&s->report->ledger, use->stage);
    kept.node = nmc_ledger_intern(&s->report->ledger, use->node);
    kept.tensor = nmc_ledger_intern(&s->report->ledger, use->tensor);
    if (!kept.stage || !kept.node || !kept.tensor || !nmc_dram_touch(&s->report->dram, &kept))
        return nmc_out_of_memory(s->diags);
    return NEUROMC_OK;
}

void nmc_report_sink_init(struct nmc_report_sink *sink, struct neuromc_report *report,
                          const struct neuromc_preset *preset, neuromc_diags *diags) {
    *sink = (struct nmc_report_sink){.report = report, .preset = preset, .diags = diags};
    sink->sink = (struct nmc_work_sink){.user = sink,
                                        .fragment = on_fragment,
                                        .coverage = on_coverage,
                                        .warning = on_warning,
                                        .difference = on_difference,
                                        .touch = preset->count_dram ? on_touch : NULL};
}
