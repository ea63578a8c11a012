#include "sweep/terms.h"

#include <string.h>

#include "base/memory.h"
#include "model/preset_keys.h"
#include "model/price.h"
#include "sweep/point.h"

/* ---- fields and groups ---- */

uint64_t nmc_terms_mask(const struct nmc_terms *terms, const void *field) {
    uint64_t mask = 0;
    for (int i = 0; i < terms->patch_count; i++)
        if (terms->patches[i].field.value == field)
            mask |= UINT64_C(1) << terms->patches[i].group;
    return mask;
}

/* A MAC's price is a sum: each of its primitives is a term of its own, so that axes over two of
 * them need no table of their combinations. */
static int mac_index(int core, int primitive) {
    return core * NMC_PRIMITIVES + primitive;
}

static const double *price_field(const struct neuromc_preset *preset, enum nmc_term_kind kind,
                                 int index) {
    switch (kind) {
    case NMC_TERM_PRIMITIVE: return &preset->primitive_pj[index];
    case NMC_TERM_READ: return &preset->memories[index].read_cost_pj;
    case NMC_TERM_WRITE: return &preset->memories[index].write_cost_pj;
    default: return &preset->memories[index].area_mm2;
    }
}

static bool is_over(const struct nmc_law_effect *effect, enum nmc_term_kind kind, int index) {
    static const enum nmc_priced priced[] = {[NMC_TERM_PRIMITIVE] = NMC_PRICED_PRIMITIVE,
                                             [NMC_TERM_READ] = NMC_PRICED_READ,
                                             [NMC_TERM_WRITE] = NMC_PRICED_WRITE,
                                             [NMC_TERM_AREA] = NMC_PRICED_AREA};
    return effect->index == index && effect->what == priced[kind];
}

uint64_t nmc_price_mask(const struct nmc_terms *terms, enum nmc_term_kind kind, int index) {
    const struct neuromc_preset *preset = terms->preset;
    if (kind == NMC_TERM_MAC)
        return nmc_price_mask(terms, NMC_TERM_PRIMITIVE, index % NMC_PRIMITIVES) |
               nmc_terms_mask(terms, &preset->mac[index / NMC_PRIMITIVES].scale);
    uint64_t mask = nmc_terms_mask(terms, price_field(preset, kind, index));
    const struct nmc_memory *memory = kind == NMC_TERM_PRIMITIVE ? NULL : &preset->memories[index];
    if (kind == NMC_TERM_READ)
        mask |= nmc_terms_mask(terms, &memory->read_bw_bits);
    if (kind == NMC_TERM_WRITE)
        mask |= nmc_terms_mask(terms, &memory->write_bw_bits);
    for (size_t i = 0; i < preset->law_effects.count; i++) {
        const struct nmc_law_effect *effect = &preset->law_effects.items[i];
        if (!is_over(effect, kind, index))
            continue;
        if (memory && nmc_law_follows(effect->law, NMC_FOLLOWS_SIZE))
            mask |= nmc_terms_mask(terms, &memory->size_bits);
        if (nmc_law_follows(effect->law, NMC_FOLLOWS_TECHNOLOGY))
            mask |= nmc_terms_mask(terms, &preset->technology_nm);
    }
    return mask;
}

bool nmc_terms_init(struct nmc_terms *terms, const struct nmc_plan *plan, const int32_t *levels,
                    struct neuromc_preset *preset, struct nmc_arena *arena) {
    int number = 0, most = 0;
    *terms = (struct nmc_terms){
        .plan = plan, .preset = preset, .arena = arena, .capacity_group = -1, .capacity_levels = 1};
    for (int a = 0; a < plan->axis_count; a++)
        if (plan->axes[a].knob == NMC_KNOB_PRESET)
            number = levels[plan->axes[a].group];
    const char *const *const *targets = plan->targets + (size_t)number * NMC_MAX_AXES;
    const int *counts = plan->target_counts + (size_t)number * NMC_MAX_AXES;
    for (int a = 0; a < plan->axis_count; a++)
        most += counts[a];
    terms->patches = nmc_arena_array(arena, (size_t)most, sizeof *terms->patches);
    if (!terms->patches)
        return false;
    for (int a = 0; a < plan->axis_count; a++)
        for (int t = 0; plan->axes[a].group >= plan->cell_groups && t < counts[a]; t++)
            terms->patches[terms->patch_count++] =
                (struct nmc_patch){.field = nmc_preset_field(preset, targets[a][t]),
                                   .numbers = plan->axes[a].values.numbers,
                                   .group = plan->axes[a].group};
    return true;
}

void nmc_terms_set(const struct nmc_terms *terms, uint64_t mask, const int32_t *levels) {
    for (int i = 0; i < terms->patch_count; i++) {
        const struct nmc_patch *patch = &terms->patches[i];
        double value = patch->numbers[levels[patch->group]];
        int64_t whole = (int64_t)value;
        int small = (int)whole;
        if (!(mask >> patch->group & 1))
            continue;
        if (patch->field.key->type == NMC_KEY_NUMBER)
            memcpy(patch->field.value, &value, sizeof value);
        else if (patch->field.key->size == sizeof small)
            memcpy(patch->field.value, &small, sizeof small);
        else
            memcpy(patch->field.value, &whole, sizeof whole);
    }
}

double nmc_term_price(const struct nmc_terms *terms, const struct nmc_term *term) {
    struct neuromc_preset *preset = terms->preset;
    double number = 0;
    switch (term->kind) {
    case NMC_TERM_PRIMITIVE: return preset->primitive_pj[term->index];
    case NMC_TERM_MAC:
        return preset->primitive_pj[term->index % NMC_PRIMITIVES] *
               preset->mac[term->index / NMC_PRIMITIVES].scale;
    case NMC_TERM_READ: return nmc_price(preset, nmc_resource_memory(term->index, NMC_RH2L));
    case NMC_TERM_WRITE: return nmc_price(preset, nmc_resource_memory(term->index, NMC_WL2H));
    case NMC_TERM_DRAM_READ:
        return nmc_price(preset, nmc_resource_memory(preset->dram_memory, NMC_RH2L));
    case NMC_TERM_DRAM_WRITE:
        return nmc_price(preset, nmc_resource_memory(preset->dram_memory, NMC_WL2H));
    case NMC_TERM_AREA: return preset->memories[term->index].area_mm2;
    case NMC_TERM_NUMBER:
        nmc_preset_number(preset, terms->plan->metrics[term->index].path, &number);
        return number;
    }
    return 0;
}

/* ---- quantities ---- */

/* Terms lie in the order primitives, MACs, reads, writes, areas, DRAM, numbers. */
static struct nmc_term *term_of(const struct nmc_terms *terms, enum nmc_term_kind kind, int index) {
    int memories = terms->preset->memory_count, at = NMC_PRIMITIVES + NMC_MAC_TERMS;
    switch (kind) {
    case NMC_TERM_PRIMITIVE: return &terms->items[index];
    case NMC_TERM_MAC: return &terms->items[NMC_PRIMITIVES + index];
    case NMC_TERM_READ: return &terms->items[at + index];
    case NMC_TERM_WRITE: return &terms->items[at + memories + index];
    case NMC_TERM_AREA: return &terms->items[at + 2 * memories + index];
    case NMC_TERM_DRAM_READ: return &terms->items[at + 3 * memories];
    case NMC_TERM_DRAM_WRITE: return &terms->items[at + 3 * memories + 1];
    default: return &terms->items[at + 3 * memories + 2 + index];
    }
}

static void set_term(struct nmc_terms *terms, enum nmc_term_kind kind, int index, uint64_t mask) {
    struct nmc_term *term = term_of(terms, kind, index);
    term->kind = kind;
    term->index = index;
    term->mask = mask;
}

static uint64_t number_mask(const struct nmc_terms *terms, const char *path) {
    const struct neuromc_preset *preset = terms->preset;
    const void *field = nmc_preset_field(terms->preset, path).value;
    uint64_t mask = nmc_terms_mask(terms, field);
    for (int p = 0; p < NMC_PRIMITIVES; p++)
        if (field == &preset->primitive_pj[p])
            mask |= nmc_price_mask(terms, NMC_TERM_PRIMITIVE, p);
    for (int m = 0; m < preset->memory_count; m++) {
        if (field == &preset->memories[m].read_cost_pj)
            mask |= nmc_price_mask(terms, NMC_TERM_READ, m);
        if (field == &preset->memories[m].write_cost_pj)
            mask |= nmc_price_mask(terms, NMC_TERM_WRITE, m);
        if (field == &preset->memories[m].area_mm2)
            mask |= nmc_price_mask(terms, NMC_TERM_AREA, m);
    }
    return mask;
}

static void set_masks(struct nmc_terms *terms) {
    const struct neuromc_preset *preset = terms->preset;
    uint64_t capacity = nmc_terms_mask(terms, &preset->on_chip_bits);
    for (int p = 0; p < NMC_PRIMITIVES; p++)
        set_term(terms, NMC_TERM_PRIMITIVE, p, nmc_price_mask(terms, NMC_TERM_PRIMITIVE, p));
    for (int i = 0; i < NMC_MAC_TERMS; i++)
        set_term(terms, NMC_TERM_MAC, i, nmc_price_mask(terms, NMC_TERM_MAC, i));
    for (int m = 0; m < preset->memory_count; m++) {
        set_term(terms, NMC_TERM_READ, m, nmc_price_mask(terms, NMC_TERM_READ, m));
        set_term(terms, NMC_TERM_WRITE, m, nmc_price_mask(terms, NMC_TERM_WRITE, m));
        set_term(terms, NMC_TERM_AREA, m, nmc_price_mask(terms, NMC_TERM_AREA, m));
    }
    int dram = preset->dram_memory;
    set_term(terms, NMC_TERM_DRAM_READ, dram,
             dram < 0 ? 0 : capacity | nmc_price_mask(terms, NMC_TERM_READ, dram));
    set_term(terms, NMC_TERM_DRAM_WRITE, dram,
             dram < 0 ? 0 : capacity | nmc_price_mask(terms, NMC_TERM_WRITE, dram));
    for (int m = 0; m < terms->plan->metric_count; m++) {
        const struct nmc_metric *metric = &terms->plan->metrics[m];
        bool number = metric->kind == NMC_METRIC_PRESET;
        set_term(terms, NMC_TERM_NUMBER, m, number ? number_mask(terms, metric->path) : 0);
        if (number)
            term_of(terms, NMC_TERM_NUMBER, m)->quantity[m] = 1;
        for (int i = 0; metric->kind == NMC_METRIC_AREA && i < preset->memory_count; i++)
            term_of(terms, NMC_TERM_AREA, i)->quantity[m] = 1;
    }
}

/* One row in one metric; a MAC is the sum of its primitives. */
static void add_row(struct nmc_terms *terms, int m, const struct nmc_line *line,
                    const struct nmc_row *row) {
    const struct neuromc_preset *preset = terms->preset;
    const struct nmc_resource r = nmc_resource_at(row->resource);
    const struct nmc_metric *metric = &terms->plan->metrics[m];
    bool memory = r.kind == NMC_RES_MEMORY;
    double weight = nmc_metric_weight(metric, (enum nmc_part)row->part, &r,
                                      memory ? preset->memories[r.memory].level : NMC_DRAM);
    double quantity = weight * (double)row->quantity;
    if (quantity == 0)
        return;
    if (metric->kind != NMC_METRIC_ENERGY) {
        terms->constant[m] += quantity;
    } else if (memory) {
        bool read = r.direction == NMC_RH2L || r.direction == NMC_RL2H;
        term_of(terms, read ? NMC_TERM_READ : NMC_TERM_WRITE, r.memory)->quantity[m] += quantity;
    } else if (r.kind == NMC_RES_PRIMITIVE) {
        term_of(terms, NMC_TERM_PRIMITIVE, (int)r.primitive)->quantity[m] += quantity;
    } else {
        for (int p = 0; p < NMC_PRIMITIVES; p++)
            term_of(terms, NMC_TERM_MAC, mac_index((int)r.core, p))->quantity[m] +=
                quantity * line->fragment.spike_rate * (double)preset->mac[r.core].count[p];
    }
}

static void add_line(struct nmc_terms *terms, const struct nmc_line *line) {
    for (int m = 0; m < terms->plan->metric_count; m++) {
        const struct nmc_metric *metric = &terms->plan->metrics[m];
        if (!nmc_metric_takes_line(metric, line))
            continue;
        if (metric->kind == NMC_METRIC_MACS)
            terms->constant[m] += (double)line->macs;
        if (metric->kind == NMC_METRIC_CYCLES)
            terms->constant[m] += (double)line->cycles;
        for (uint32_t i = 0; i < line->row_count; i++)
            add_row(terms, m, line, &terms->report->ledger.rows[line->first_row + i]);
    }
}

/* ---- DRAM ---- */

/* The weight of a use's traffic in one metric, read and written. */
static void weigh_use(const struct nmc_terms *terms, int m, const struct nmc_dram_use *use,
                      double out[2]) {
    const struct nmc_metric *metric = &terms->plan->metrics[m];
    const struct nmc_line line = {
        .traffic = true,
        .fragment = {.stage = use->stage, .node = use->node, .op = "dram", .phase = use->phase}};
    struct nmc_resource r = {.kind = NMC_RES_MEMORY, .memory = terms->preset->dram_memory};
    for (int write = 0; write < 2; write++) {
        r.direction = write ? NMC_WL2H : NMC_RH2L;
        out[write] = nmc_metric_takes_line(metric, &line)
                         ? nmc_metric_weight(metric, NMC_PART_DRAM, &r, NMC_DRAM)
                         : 0;
    }
}

static bool add_traffic(struct nmc_terms *terms, int64_t level, int64_t capacity,
                        const double *weights) {
    const struct nmc_dram *dram = &terms->report->dram;
    int metrics = terms->plan->metric_count;
    struct nmc_dram_traffic *traffic = nmc_dram_at(dram, capacity);
    if (!traffic)
        return false;
    for (size_t i = 0; i < dram->count; i++) {
        double read = (double)traffic[i].read_bits, written = (double)traffic[i].written_bits;
        const double *weight = weights + 2 * (size_t)metrics * i;
        for (int m = 0; (read > 0 || written > 0) && m < metrics; m++) {
            terms->traffic[0][m * terms->capacity_levels + level] += weight[2 * m] * read;
            terms->traffic[1][m * terms->capacity_levels + level] += weight[2 * m + 1] * written;
        }
    }
    nmc_free(traffic);
    return true;
}

/* Numbers of the axis that sets the capacity, or NULL. */
static const double *find_capacities(struct nmc_terms *terms) {
    const double *numbers = NULL;
    for (int i = 0; i < terms->patch_count; i++)
        if (terms->patches[i].field.value == &terms->preset->on_chip_bits) {
            terms->capacity_group = terms->patches[i].group;
            terms->capacity_levels = terms->plan->groups[terms->capacity_group].count;
            numbers = terms->patches[i].numbers;
        }
    return numbers;
}

static bool fill_traffic(struct nmc_terms *terms) {
    const struct nmc_dram *dram = &terms->report->dram;
    size_t metrics = (size_t)terms->plan->metric_count;
    if (!terms->preset->count_dram || !dram->count)
        return true;
    const double *capacities = find_capacities(terms);
    double *weights = nmc_malloc((dram->count * metrics * 2 + 1) * sizeof *weights);
    for (int i = 0; i < 2; i++)
        terms->traffic[i] =
            nmc_arena_array(terms->arena, metrics * (size_t)terms->capacity_levels, sizeof(double));
    bool good = weights && terms->traffic[0] && terms->traffic[1];
    for (size_t i = 0; good && i < dram->count; i++)
        for (size_t m = 0; m < metrics; m++)
            weigh_use(terms, (int)m, &dram->uses[i], &weights[2 * (metrics * i + m)]);
    for (int64_t level = 0; good && level < terms->capacity_levels; level++)
        good = add_traffic(terms, level,
                           capacities ? (int64_t)capacities[level] : terms->preset->on_chip_bits,
                           weights);
    nmc_free(weights);
    return good;
}

bool nmc_terms_fill(struct nmc_terms *terms, const struct neuromc_report *report) {
    terms->report = report;
    terms->count = NMC_PRIMITIVES + NMC_MAC_TERMS + 3 * terms->preset->memory_count + 2 +
                   terms->plan->metric_count;
    terms->items = nmc_arena_array(terms->arena, (size_t)terms->count, sizeof *terms->items);
    if (!terms->items)
        return false;
    set_masks(terms);
    for (uint32_t i = 0; i < report->ledger.line_count; i++)
        if (!report->ledger.lines[i].traffic)
            add_line(terms, &report->ledger.lines[i]);
    return fill_traffic(terms);
}
