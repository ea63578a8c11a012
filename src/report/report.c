/* Filling a report: the sink's side, pricing, grouping. */
#include "report/report.h"

#include <string.h>

#include "base/checked.h"
#include "base/memory.h"
#include "model/price.h"

/* ---- totals ---- */

double nmc_totals_compute(const struct nmc_totals *t) {
    return t->energy[NMC_PART_MAC] + t->energy[NMC_PART_EXTRA_COMPUTE];
}

double nmc_totals_memory(const struct nmc_totals *t) {
    return t->energy[NMC_PART_BASE_MEMORY] + t->energy[NMC_PART_EXTRA_MEMORY] +
           t->energy[NMC_PART_DRAM];
}

double nmc_totals_energy(const struct nmc_totals *t) {
    return nmc_totals_compute(t) + nmc_totals_memory(t);
}

bool nmc_totals_add(struct nmc_totals *to, const struct nmc_totals *from) {
    bool fits = nmc_add(to->fragments, from->fragments, &to->fragments) &&
                nmc_add(to->macs, from->macs, &to->macs) &&
                nmc_add(to->cycles, from->cycles, &to->cycles) &&
                nmc_add(to->mapped_macs, from->mapped_macs, &to->mapped_macs);
    for (int p = 0; p < NMC_PARTS; p++)
        to->energy[p] += from->energy[p];
    for (int p = 0; p < NMC_PRIMITIVES; p++)
        fits = fits && nmc_add(to->primitives[p], from->primitives[p], &to->primitives[p]);
    for (int level = 0; level < NMC_LEVELS; level++)
        for (int d = 0; d < NMC_DIRECTIONS; d++) {
            int64_t *bits = &to->bits[level][d];
            fits = fits && nmc_add(*bits, from->bits[level][d], bits);
            to->level_energy[level][d] += from->level_energy[level][d];
        }
    return fits;
}

double nmc_mac_utilization(const struct neuromc_report *report, const struct nmc_totals *totals) {
    double slots = (double)totals->cycles * (double)report->mapping.mac_units;
    return slots > 0 ? (double)totals->mapped_macs / slots : 0;
}

/* ---- life ---- */

static const char *copy_text(struct nmc_arena *arena, const char *text) {
    return text ? nmc_arena_strdup(arena, text) : "";
}

/* Levels of the machine count whatever `count` says. */
static void copy_machine(struct neuromc_report *report, const struct neuromc_preset *preset) {
    const struct nmc_preset_machine *machine = &preset->machine;
    report->mapping.counting = machine->counting;
    report->mapping.mac_units = machine->macs[NMC_MESH_X] * machine->macs[NMC_MESH_Y];
    for (int i = 0; i < machine->level_count; i++) {
        const struct nmc_preset_level *level = &machine->levels[i];
        report->level_counted[preset->memories[level->memory].level] = true;
        if (level->network >= 0)
            report->level_counted[NMC_NOC] = true;
    }
}

static void copy_preset(struct neuromc_report *report, const struct neuromc_preset *preset) {
    struct nmc_arena *arena = &report->ledger.arena;
    report->preset_name = copy_text(arena, preset->name);
    report->preset_description = copy_text(arena, preset->description);
    report->technology_nm = preset->technology_nm;
    report->preset_hash = preset->hash;
    report->on_chip_bits = preset->on_chip_bits;
    report->memory_count = preset->memory_count;
    const char **names = nmc_arena_array(arena, (size_t)preset->memory_count, sizeof *names);
    enum nmc_level *levels = nmc_arena_array(arena, (size_t)preset->memory_count, sizeof *levels);
    for (int i = 0; names && levels && i < preset->memory_count; i++) {
        names[i] = copy_text(arena, preset->memories[i].name);
        levels[i] = preset->memories[i].level;
    }
    report->memory_names = names;
    report->memory_levels = levels;
    report->level_count = preset->level_count;
    memcpy(report->level_order, preset->level_order, sizeof report->level_order);
    for (int i = 0; i < NMC_LEVELS; i++)
        report->level_counted[i] =
            (i != NMC_DRAM || preset->count_dram) && (i != NMC_NOC || preset->count_noc);
    report->counts_reuse = preset->count_dram;
    report->access_model = preset->access_model;
    if (preset->access_model == NMC_ACCESS_MAPPED)
        copy_machine(report, preset);
}

static void copy_provenance(struct neuromc_report *report, const struct neuromc_preset *preset) {
    struct nmc_arena *arena = &report->ledger.arena;
    struct nmc_provenance *provenance =
        nmc_arena_array(arena, (size_t)preset->provenance_count, sizeof *provenance);
    for (int i = 0; provenance && i < preset->provenance_count; i++)
        provenance[i] =
            (struct nmc_provenance){.path = copy_text(arena, preset->provenance[i].path),
                                    .value = copy_text(arena, preset->provenance[i].value),
                                    .unit = copy_text(arena, preset->provenance[i].unit),
                                    .origin = copy_text(arena, preset->provenance[i].origin),
                                    .source = copy_text(arena, preset->provenance[i].source)};
    report->provenance = provenance;
    report->provenance_count = preset->provenance_count;
    const char **left_out =
        nmc_arena_array(arena, (size_t)preset->not_modelled_count, sizeof *left_out);
    for (int i = 0; left_out && i < preset->not_modelled_count; i++)
        left_out[i] = copy_text(arena, preset->not_modelled[i]);
    report->not_modelled = left_out;
    report->not_modelled_count = preset->not_modelled_count;
}

struct neuromc_report *nmc_report_new(const struct neuromc_preset *preset,
                                      const neuromc_estimate_options *options,
                                      neuromc_diags *diags) {
    struct neuromc_report *report = nmc_malloc(sizeof *report);
    if (!report) {
        nmc_out_of_memory(diags);
        return NULL;
    }
    *report = (struct neuromc_report){.accounting = options->accounting,
                                      .no_mapping = options->no_mapping,
                                      .model_name = "",
                                      .core_type = "fp_soma"};
    if (nmc_ledger_init(&report->ledger, preset, options->no_mapping, diags) != NEUROMC_OK) {
        neuromc_report_free(report);
        return NULL;
    }
    copy_preset(report, preset);
    copy_provenance(report, preset);
    report->prices = nmc_prices(preset, &report->ledger.arena);
    if (report->ledger.arena.failed) {
        neuromc_report_free(report);
        nmc_out_of_memory(diags);
        return NULL;
    }
    return report;
}

void neuromc_report_free(neuromc_report *report) {
    if (!report)
        return;
    for (int g = 0; g < NMC_GROUPINGS; g++) {
        nmc_free(report->groups[g].items);
        nmc_strmap_release(&report->groups[g].index);
    }
    nmc_free(report->lines);
    nmc_free(report->coverage);
    nmc_strmap_release(&report->coverage_index);
    nmc_free(report->warnings);
    nmc_dram_release(&report->dram);
    if (report->access_model == NMC_ACCESS_MAPPED)
        nmc_mapper_release(&report->mapper);
    nmc_ledger_release(&report->ledger);
    nmc_free(report);
}

double neuromc_report_energy_total_pj(const neuromc_report *report) {
    return nmc_totals_energy(&report->total);
}

/* ---- pricing and grouping ---- */

static void add_row(const struct neuromc_report *report, const struct nmc_line *line,
                    const struct nmc_row *row, struct nmc_totals *to) {
    struct nmc_resource resource = nmc_resource_at(row->resource);
    double energy = nmc_row_energy(line, row, report->prices);
    to->energy[row->part] += energy;
    if (resource.kind == NMC_RES_PRIMITIVE)
        to->primitives[resource.primitive] += row->quantity;
    if (resource.kind == NMC_RES_MEMORY) {
        enum nmc_level level = report->memory_levels[resource.memory];
        to->bits[level][resource.direction] += row->quantity;
        to->level_energy[level][resource.direction] += energy;
    }
}

static struct nmc_totals line_totals(const struct neuromc_report *report,
                                     const struct nmc_line *line) {
    struct nmc_totals totals = {.fragments = line->fragments,
                                .macs = line->macs,
                                .cycles = line->cycles,
                                .mapped_macs = line->mapped_macs};
    for (uint32_t r = 0; r < line->row_count; r++)
        add_row(report, line, &report->ledger.rows[line->first_row + r], &totals);
    return totals;
}

const char *nmc_line_key(const struct nmc_line *line, enum nmc_grouping grouping) {
    const struct nmc_fragment *f = &line->fragment;
    switch (grouping) {
    case NMC_BY_STAGE: return f->stage;
    case NMC_BY_OP: return f->op;
    case NMC_BY_CORE: return line->traffic ? "dram" : nmc_core_names[f->core];
    case NMC_BY_PROCESS: return line->traffic ? "dram" : nmc_process_names[f->process];
    default: return *f->node ? f->node : "(functional)";
    }
}

static struct nmc_group *find_group(struct nmc_groups *groups, const char *key) {
    uintptr_t number = (uintptr_t)nmc_strmap_get(&groups->index, key);
    if (number)
        return &groups->items[number - 1];
    if (!nmc_grow(&groups->items, &groups->capacity, groups->count + 1, sizeof *groups->items))
        return NULL;
    struct nmc_group *group = &groups->items[groups->count++];
    *group = (struct nmc_group){.key = key};
    return nmc_strmap_put(&groups->index, key, (void *)(uintptr_t)groups->count) ? group : NULL;
}

static neuromc_status add_line(struct neuromc_report *report, uint32_t i, neuromc_diags *diags) {
    const struct nmc_line *line = &report->ledger.lines[i];
    report->lines[i] = line_totals(report, line);
    bool fits = nmc_totals_add(&report->total, &report->lines[i]);
    for (int g = 0; g < NMC_GROUPINGS; g++) {
        struct nmc_group *group =
            find_group(&report->groups[g], nmc_line_key(line, (enum nmc_grouping)g));
        if (!group)
            return nmc_out_of_memory(diags);
        fits = fits && nmc_totals_add(&group->totals, &report->lines[i]);
    }
    if (!fits)
        return nmc_error(diags, NEUROMC_BAD_INPUT, (struct nmc_place){.where = line->fragment.node},
                         NULL, "the counts of the whole model do not fit 64 bits");
    return NEUROMC_OK;
}

/* Uses of one node in a row become one ledger line. */
static neuromc_status add_traffic(struct neuromc_report *report, neuromc_diags *diags) {
    struct nmc_dram *dram = &report->dram;
    neuromc_status status = nmc_dram_measure(dram, diags);
    struct nmc_dram_traffic *traffic =
        status == NEUROMC_OK ? nmc_dram_at(dram, report->on_chip_bits) : NULL;
    if (!traffic)
        return status == NEUROMC_OK ? nmc_out_of_memory(diags) : status;
    for (size_t i = 0; status == NEUROMC_OK && i < dram->count;) {
        const struct nmc_dram_use *use = &dram->uses[i];
        int64_t read = 0, written = 0;
        for (; i < dram->count && nmc_dram_same_node(&dram->uses[i], use); i++) {
            read += traffic[i].read_bits; /* the sum of all bits fits, see nmc_dram_measure */
            written += traffic[i].written_bits;
        }
        if (read || written)
            status = nmc_ledger_add_traffic(&report->ledger, use, read, written, diags);
    }
    nmc_free(traffic);
    return status;
}

/* Rule 7: the runtime profiler never counts DRAM. */
static void note_traffic(struct neuromc_report *report, const struct nmc_totals *line) {
    struct nmc_accounting_note *note = &report->notes[7];
    note->rule = 7;
    note->fragments++;
    note->corrected_pj += nmc_totals_energy(line);
}

neuromc_status nmc_report_finish(struct neuromc_report *report, const struct neuromc_preset *preset,
                                 neuromc_diags *diags) {
    struct nmc_ledger *ledger = &report->ledger;
    neuromc_status status = nmc_ledger_finish(ledger, diags);
    if (status == NEUROMC_OK && preset->count_dram && report->dram.count)
        status = add_traffic(report, diags);
    ledger->preset = NULL;
    if (status != NEUROMC_OK)
        return status;
    report->lines = nmc_malloc((ledger->line_count + (size_t)1) * sizeof *report->lines);
    if (!report->lines)
        return nmc_out_of_memory(diags);
    for (uint32_t i = 0; status == NEUROMC_OK && i < ledger->line_count; i++)
        status = add_line(report, i, diags);
    for (uint32_t i = 0; status == NEUROMC_OK && i < ledger->line_count; i++)
        if (ledger->lines[i].traffic)
            note_traffic(report, &report->lines[i]);
    return status;
}
