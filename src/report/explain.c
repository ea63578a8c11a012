#include "report/explain.h"
#include "mapping/problem.h"

#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "base/json_write.h"
#include "base/memory.h"
#include "base/suggest.h"
#include "frontends/model_file.h"
#include "report/formats.h"

struct explaining {
    const neuromc_model *model;
    const struct neuromc_report *report;
    const struct neuromc_preset *preset;
    const char *node, *stage;
    neuromc_diags *diags;

    int64_t *quantities; /* [NMC_PARTS][resources], room for counting */
    struct nmc_count_step *steps;
    size_t step_count, step_capacity;
    bool failed; /* out of memory in a callback */

    struct nmc_dram_traffic *traffic; /* of every use; NULL: DRAM is not counted */
    struct nmc_explained_use *uses;
    size_t use_count, use_capacity;
    size_t next_use; /* where the next line of traffic starts */

    struct nmc_sink *sink;
    bool color, as_json;
    struct nmc_json json;
    size_t lines;
    struct nmc_totals sum;
};

/* ---- which lines ---- */

static bool wanted(const struct explaining *e, const struct nmc_line *line) {
    return strcmp(nmc_line_key(line, NMC_BY_NODE), e->node) == 0 &&
           (!e->stage || strcmp(line->fragment.stage, e->stage) == 0);
}

/* A node of the graph that no line names: what it is instead of costed. */
static const struct nmc_node *uncosted(const struct explaining *e) {
    const struct nmc_net *net = e->model->net;
    for (uint32_t i = 0; net && i < net->node_count; i++)
        if (strcmp(net->nodes[i]->name, e->node) == 0)
            return net->nodes[i];
    return NULL;
}

static neuromc_status no_such_stage(const struct explaining *e) {
    struct nmc_strbuf names;
    nmc_strbuf_init(&names);
    const struct nmc_groups *stages = &e->report->groups[NMC_BY_STAGE];
    for (size_t i = 0; i < stages->count; i++)
        nmc_strbuf_printf(&names, "%s%s", i ? ", " : "", stages->items[i].key);
    neuromc_status status =
        nmc_error(e->diags, NEUROMC_USAGE, (struct nmc_place){.where = e->node},
                  e->model->net ? "--train adds backward and optimizer" : NULL,
                  "has no work in stage \"%s\"; stages of this report: %s", e->stage, names.text);
    nmc_strbuf_release(&names);
    return status;
}

static neuromc_status no_such_node(const struct explaining *e) {
    const struct nmc_groups *nodes = &e->report->groups[NMC_BY_NODE];
    const struct nmc_node *node = uncosted(e);
    struct nmc_suggest suggest;
    char hint[200] = "neuromc estimate MODEL --format json names the nodes in energy_by_node";
    nmc_suggest_init(&suggest, e->node);
    for (size_t i = 0; i < nodes->count; i++) {
        if (e->stage && strcmp(nodes->items[i].key, e->node) == 0)
            return no_such_stage(e);
        nmc_suggest_offer(&suggest, nodes->items[i].key);
    }
    if (node)
        return nmc_error(e->diags, NEUROMC_USAGE, (struct nmc_place){.file = e->model->path},
                         "neuromc ops says which operators are costed; --elementwise count adds "
                         "some",
                         "%s \"%s\" has no energy on this preset", node->op_type, e->node);
    if (suggest.best)
        snprintf(hint, sizeof hint, "did you mean %.160s?", suggest.best);
    return nmc_error(e->diags, NEUROMC_USAGE, (struct nmc_place){.file = e->model->path}, hint,
                     "no node \"%s\" in the report", e->node);
}

/* ---- counting anew ---- */

static void keep_step(void *user, const struct nmc_count_step *step) {
    struct explaining *e = user;
    if (!nmc_grow(&e->steps, &e->step_capacity, e->step_count + 1, sizeof *e->steps))
        e->failed = true;
    else
        e->steps[e->step_count++] = *step;
}

static neuromc_status disagrees(const struct explaining *e, const struct nmc_line *line) {
    return nmc_error(e->diags, NEUROMC_INTERNAL, (struct nmc_place){.where = e->node},
                     "please report it", "%s: the explanation does not agree with the ledger",
                     line->fragment.op);
}

/* The sum of the steps behind a row; *used counts them. */
static bool sum_steps(const struct explaining *e, const struct nmc_row *row, size_t *used,
                      int64_t *sum) {
    *sum = 0;
    for (size_t i = 0; i < e->step_count; i++) {
        const struct nmc_count_step *step = &e->steps[i];
        if (step->kind == NMC_COUNT_KEPT || step->resource != row->resource ||
            step->part != row->part)
            continue;
        ++*used;
        if (!nmc_add(*sum, step->quantity, sum))
            return false;
    }
    return true;
}

/* Every row of the ledger is the sum of its steps over all iterations, and no step is left over. */
static bool holds(const struct explaining *e, const struct nmc_line *line) {
    size_t used = 0;
    for (uint32_t r = 0; r < line->row_count; r++) {
        const struct nmc_row *row = &e->report->ledger.rows[line->first_row + r];
        int64_t sum;
        if (!sum_steps(e, row, &used, &sum) || !nmc_mul(sum, line->fragment.times, &sum) ||
            sum != row->quantity)
            return false;
    }
    for (size_t i = 0; i < e->step_count; i++)
        used += e->steps[i].kind == NMC_COUNT_KEPT;
    return used == e->step_count;
}

/* What a loop nest moves is `neuromc map`'s to explain: here it is accesses times their width. */
static neuromc_status take_mapped(struct explaining *e, const struct nmc_line *line) {
    int64_t times = line->fragment.times;
    e->step_count = 0;
    for (uint32_t r = 0; r < line->row_count; r++) {
        const struct nmc_row *row = &e->report->ledger.rows[line->first_row + r];
        const struct nmc_resource at = nmc_resource_at(row->resource);
        struct nmc_count_step step = {.kind = NMC_COUNT_MACS,
                                      .part = row->part,
                                      .resource = row->resource,
                                      .repeat = 1,
                                      .each = 1,
                                      .quantity = row->quantity / times};
        if (at.kind == NMC_RES_MEMORY) {
            const struct nmc_memory *memory = &e->preset->memories[at.memory];
            bool reads = at.direction == NMC_RH2L || at.direction == NMC_RL2H;
            step.kind = NMC_COUNT_MAPPED;
            step.name = "accesses";
            step.each = reads ? memory->read_bw_bits : memory->write_bw_bits;
        }
        step.elements = step.quantity / step.each;
        keep_step(e, &step);
    }
    if (e->failed)
        return nmc_out_of_memory(e->diags);
    return holds(e, line) ? NEUROMC_OK : disagrees(e, line);
}

static neuromc_status count_anew(struct explaining *e, const struct nmc_line *line) {
    if (e->preset->access_model == NMC_ACCESS_MAPPED && nmc_is_mappable(&line->fragment))
        return take_mapped(e, line);
    e->step_count = 0;
    bool fits = nmc_count_watched(e->preset, &line->fragment, e->quantities,
                                  nmc_resource_count(e->preset), keep_step, e);
    if (e->failed)
        return nmc_out_of_memory(e->diags);
    return fits && holds(e, line) ? NEUROMC_OK : disagrees(e, line);
}

/* Uses of one node in a row are one line of traffic, if they move anything; lines come in the
 * order of uses. */
static neuromc_status collect_uses(struct explaining *e, const struct nmc_line *line) {
    const struct nmc_dram *dram = &e->report->dram;
    int64_t moved = 0;
    while (!moved && e->next_use < dram->count) {
        const struct nmc_dram_use *first = &dram->uses[e->next_use];
        e->use_count = 0;
        for (; e->next_use < dram->count && nmc_dram_same_node(&dram->uses[e->next_use], first);
             e->next_use++) {
            const struct nmc_dram_traffic *t = &e->traffic[e->next_use];
            if (!t->read_bits && !t->written_bits)
                continue;
            moved += t->read_bits + t->written_bits;
            if (!nmc_grow(&e->uses, &e->use_capacity, e->use_count + 1, sizeof *e->uses))
                return nmc_out_of_memory(e->diags);
            e->uses[e->use_count++] = (struct nmc_explained_use){&dram->uses[e->next_use], *t};
        }
    }
    for (uint32_t r = 0; r < line->row_count; r++)
        moved -= e->report->ledger.rows[line->first_row + r].quantity;
    return moved ? disagrees(e, line) : NEUROMC_OK;
}

/* ---- a line after the other ---- */

static neuromc_status explain_line(struct explaining *e, uint32_t number) {
    const struct nmc_line *line = &e->report->ledger.lines[number];
    neuromc_status status = NEUROMC_OK;
    if (line->traffic)
        status = collect_uses(e, line);
    if (status != NEUROMC_OK || !wanted(e, line))
        return status;
    if (!line->traffic)
        status = count_anew(e, line);
    if (status != NEUROMC_OK)
        return status;
    const struct nmc_explained shown = {.report = e->report,
                                        .preset = e->preset,
                                        .node = e->node,
                                        .line = line,
                                        .totals = &e->report->lines[number],
                                        .steps = e->steps,
                                        .step_count = line->traffic ? 0 : e->step_count,
                                        .uses = e->uses,
                                        .use_count = line->traffic ? e->use_count : 0};
    e->lines++;
    nmc_totals_add(&e->sum, shown.totals);
    if (e->as_json)
        nmc_explain_json_line(&e->json, &shown);
    else
        nmc_explain_text_line(e->sink, e->color, &shown);
    return NEUROMC_OK;
}

static neuromc_status explain_lines(struct explaining *e) {
    const struct nmc_ledger *ledger = &e->report->ledger;
    bool any = false;
    for (uint32_t i = 0; !any && i < ledger->line_count; i++)
        any = wanted(e, &ledger->lines[i]);
    if (!any)
        return no_such_node(e);
    if (e->as_json)
        nmc_explain_json_start(&e->json, e->report, e->node);
    neuromc_status status = NEUROMC_OK;
    for (uint32_t i = 0; status == NEUROMC_OK && i < ledger->line_count; i++)
        status = explain_line(e, i);
    if (e->as_json)
        nmc_explain_json_sum(&e->json, &e->sum);
    else
        nmc_explain_text_sum(e->sink, e->node, e->lines, &e->sum);
    return status;
}

static neuromc_status explain(struct explaining *e) {
    size_t cells = (size_t)nmc_resource_count(e->preset) * NMC_PARTS;
    e->quantities = nmc_malloc(cells * sizeof *e->quantities);
    if (e->report->dram.count)
        e->traffic = nmc_dram_at(&e->report->dram, e->report->on_chip_bits);
    bool ready = e->quantities && (e->traffic || !e->report->dram.count);
    neuromc_status status = ready ? explain_lines(e) : nmc_out_of_memory(e->diags);
    nmc_free(e->quantities);
    nmc_free(e->traffic);
    nmc_free(e->steps);
    nmc_free(e->uses);
    return status;
}

neuromc_status neuromc_explain(neuromc_model *model, const neuromc_preset *preset,
                               const neuromc_estimate_options *estimate_options, const char *node,
                               const char *stage, const neuromc_write_options *options,
                               neuromc_write_fn write, void *user, neuromc_diags *diags) {
    neuromc_report *report;
    neuromc_estimate_options estimating = {.no_mapping = false};
    if (estimate_options)
        estimating = *estimate_options;
    estimating.no_mapping = false;
    neuromc_status status = neuromc_estimate(model, preset, &estimating, &report, diags);
    if (status != NEUROMC_OK)
        return status;
    struct nmc_sink sink;
    nmc_sink_init(&sink, write, user);
    struct explaining e = {.model = model,
                           .report = report,
                           .preset = preset,
                           .node = node,
                           .stage = stage,
                           .diags = diags,
                           .sink = &sink,
                           .color = options->color,
                           .as_json = options->format == NEUROMC_JSON};
    nmc_json_init(&e.json, &sink);
    status = explain(&e);
    neuromc_status written = nmc_sink_finish(&sink, diags);
    neuromc_report_free(report);
    return status == NEUROMC_OK ? written : status;
}
