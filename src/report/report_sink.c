/* The calls by which lowering fills a report, and the mapper behind them. */
#include <string.h>

#include "base/memory.h"
#include "model/price.h"
#include "report/report.h"

static neuromc_status on_warning(void *user, const char *text);

/* ---- mapped operands ---- */

static bool maps(const struct nmc_report_sink *s) {
    return s->preset->access_model == NMC_ACCESS_MAPPED;
}

static neuromc_status on_foreseen(void *user, const struct nmc_fragment *fragment) {
    struct nmc_report_sink *s = user;
    struct nmc_mapped mapped;
    return nmc_is_mappable(fragment)
               ? nmc_mapper_add(&s->report->mapper, fragment, &mapped, s->diags)
               : NEUROMC_OK;
}

static neuromc_status ignore_coverage(void *user, const char *op, enum nmc_coverage_kind kind,
                                      int64_t elements) {
    (void)user, (void)op, (void)kind, (void)elements;
    return NEUROMC_OK;
}

static neuromc_status ignore_warning(void *user, const char *text) {
    (void)user, (void)text;
    return NEUROMC_OK;
}

struct nmc_work_sink nmc_foresight(struct nmc_report_sink *sink) {
    return (struct nmc_work_sink){.user = sink,
                                  .fragment = on_foreseen,
                                  .coverage = ignore_coverage,
                                  .warning = ignore_warning};
}

/* The operands of a layer that fits no mapping are not counted; the report says so once for each
 * shape. */
static neuromc_status tell_unmapped(struct nmc_report_sink *s, const struct nmc_fragment *fragment,
                                    struct nmc_solution *solution) {
    struct nmc_strbuf text;
    if (solution->result.found || solution->reason)
        return NEUROMC_OK;
    nmc_strbuf_init(&text);
    nmc_mapper_reason(&s->report->mapper, solution, &text);
    solution->reason = nmc_ledger_intern(&s->report->ledger, text.text);
    nmc_strbuf_clear(&text);
    nmc_strbuf_printf(
        &text, "%s of %s, and all of its shape, has no mapping; its operands are not counted: %s",
        fragment->op, nmc_layer_name(fragment->node), solution->reason ? solution->reason : "");
    neuromc_status status =
        text.failed || !solution->reason ? nmc_out_of_memory(s->diags) : on_warning(s, text.text);
    nmc_strbuf_release(&text);
    return status;
}

/* What was foreseen is solved already; a trace is solved as it comes. */
static neuromc_status add_mapped(struct nmc_report_sink *s, const struct nmc_fragment *fragment) {
    struct nmc_mapped mapped;
    struct nmc_moved moved;
    neuromc_status status = nmc_mapper_add(&s->report->mapper, fragment, &mapped, s->diags);
    if (status == NEUROMC_OK)
        status = nmc_mapper_run(&s->report->mapper, s->diags);
    if (status != NEUROMC_OK)
        return status;
    status = tell_unmapped(s, fragment, mapped.solution);
    if (status != NEUROMC_OK)
        return status;
    if (!nmc_mapper_moved(&s->report->mapper, &mapped, &moved))
        return nmc_error(s->diags, NEUROMC_BAD_INPUT, (struct nmc_place){.where = fragment->node},
                         "its dims are too large to be meant",
                         "what this %s moves does not fit 64-bit counts", fragment->op);
    return nmc_ledger_add_mapped(&s->report->ledger, fragment, &moved, s->diags);
}

/* The machine of a core, with names that outlive the preset. */
static bool keep_machine(struct nmc_report_sink *sink, enum nmc_core core) {
    struct neuromc_report *report = sink->report;
    if (report->machines[core])
        return true;
    struct nmc_machine *machine = nmc_arena_alloc(&report->ledger.arena, sizeof *machine);
    if (!machine)
        return false;
    nmc_machine_of(sink->preset, core, machine);
    machine->name = report->preset_name;
    for (int i = 0; i < machine->level_count; i++) {
        machine->levels[i].name = nmc_ledger_intern(&report->ledger, machine->levels[i].name);
        if (!machine->levels[i].name)
            return false;
    }
    report->machines[core] = machine;
    return true;
}

static void sum_up(struct nmc_mapping_summary *summary, const struct nmc_solver *solver) {
    summary->objective = solver->options.objective;
    summary->problems = (int64_t)solver->count;
    for (size_t i = 0; i < solver->count; i++) {
        const struct nmc_search_result *result = &solver->solutions[i]->result;
        summary->reach[result->reach] += result->found;
        summary->unmapped += !result->found;
    }
}

neuromc_status nmc_report_sink_finish(struct nmc_report_sink *sink) {
    struct nmc_mapper *mapper = &sink->report->mapper;
    if (!maps(sink))
        return NEUROMC_OK;
    sum_up(&sink->report->mapping, &mapper->solver);
    for (size_t i = 0; i < mapper->solver.count; i++)
        if (!keep_machine(sink, mapper->solver.solutions[i]->core))
            return nmc_out_of_memory(sink->diags);
    neuromc_status status = nmc_mapper_finish(mapper, sink->diags);
    mapper->preset = mapper->solver.preset = NULL;
    return status;
}

/* ---- the calls ---- */

static neuromc_status on_fragment(void *user, const struct nmc_fragment *fragment) {
    struct nmc_report_sink *s = user;
    if (maps(s) && nmc_is_mappable(fragment))
        return add_mapped(s, fragment);
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

static neuromc_status on_network(void *user, const struct nmc_layers *layers) {
    struct nmc_report_sink *s = user;
    return nmc_network_keep(&s->report->network, layers, &s->report->ledger, s->diags);
}

/* The runtime profiler knows no mappings, so there is no difference to show from mapped counts. */
neuromc_status nmc_report_sink_init(struct nmc_report_sink *sink, struct neuromc_report *report,
                                    const struct neuromc_preset *preset,
                                    const neuromc_map_options *map, neuromc_diags *diags) {
    *sink = (struct nmc_report_sink){.report = report, .preset = preset, .diags = diags};
    sink->sink = (struct nmc_work_sink){.user = sink,
                                        .fragment = on_fragment,
                                        .coverage = on_coverage,
                                        .warning = on_warning,
                                        .difference = maps(sink) ? NULL : on_difference,
                                        .network = on_network,
                                        .touch = preset->count_dram ? on_touch : NULL};
    return maps(sink) ? nmc_mapper_init(&report->mapper, preset, map, diags) : NEUROMC_OK;
}
