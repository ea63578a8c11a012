#include "sweep/units.h"

#include <string.h>

#include "base/checked.h"
#include "base/diag.h"
#include "base/limits.h"
#include "sweep/point.h"

int64_t nmc_mask_size(const struct nmc_plan *plan, uint64_t mask) {
    int64_t size = 1;
    for (int g = 0; g < plan->group_count; g++)
        if ((mask >> g & 1) && !nmc_mul(size, plan->groups[g].count, &size))
            return INT64_MAX;
    return size;
}

/* ---- which units there are ---- */

static bool matters(const struct nmc_terms *terms, const struct nmc_term *term) {
    for (int m = 0; m < terms->plan->metric_count; m++)
        if (term->quantity[m] != 0)
            return true;
    return (term->kind == NMC_TERM_DRAM_READ && terms->traffic[0]) ||
           (term->kind == NMC_TERM_DRAM_WRITE && terms->traffic[1]);
}

/* A law that may fail makes its points fail, whether anything is bought at its price or not. */
static bool is_governed(const struct nmc_terms *terms, const struct nmc_term *term) {
    const struct nmc_law_effects *effects = &terms->preset->law_effects;
    static const enum nmc_priced priced[] = {[NMC_TERM_PRIMITIVE] = NMC_PRICED_PRIMITIVE,
                                             [NMC_TERM_READ] = NMC_PRICED_READ,
                                             [NMC_TERM_WRITE] = NMC_PRICED_WRITE,
                                             [NMC_TERM_AREA] = NMC_PRICED_AREA};
    bool price = term->kind == NMC_TERM_PRIMITIVE || term->kind == NMC_TERM_READ ||
                 term->kind == NMC_TERM_WRITE || term->kind == NMC_TERM_AREA;
    for (size_t i = 0; price && i < effects->count; i++)
        if (effects->items[i].index == term->index && effects->items[i].what == priced[term->kind])
            return true;
    return false;
}

static struct nmc_unit *unit_of(struct nmc_cell *cell, uint64_t mask) {
    for (int u = 0; u < cell->unit_count; u++)
        if (cell->units[u].mask == mask)
            return &cell->units[u];
    if (cell->unit_count == NMC_MAX_UNITS)
        return NULL;
    struct nmc_unit *unit = &cell->units[cell->unit_count++];
    *unit = (struct nmc_unit){.mask = mask};
    return unit;
}

static void set_shape(const struct nmc_plan *plan, struct nmc_unit *unit) {
    unit->size = 1;
    for (int g = plan->group_count; g-- > 0;)
        if (unit->mask >> g & 1) {
            unit->stride[g] = unit->size;
            unit->size *= plan->groups[g].count;
        }
    for (int g = 0; g < plan->group_count; g++)
        if (unit->mask >> g & 1)
            unit->groups[unit->group_count++] = g;
}

static const char *too_large(struct nmc_cell *cell, const struct nmc_plan *plan, uint64_t mask) {
    const char *names = "";
    for (int a = 0; a < plan->axis_count && names; a++)
        if (mask >> plan->axes[a].group & 1)
            names = nmc_arena_printf(&cell->arena, "%s%s%s", names, *names ? ", " : "",
                                     plan->axes[a].name);
    return nmc_arena_printf(&cell->arena, "one price depends on too many combinations of %s",
                            names ? names : "its axes");
}

static bool find_units(struct nmc_cell *cell, const struct nmc_terms *terms) {
    int64_t entries = 0;
    for (int i = 0; i < terms->count; i++) {
        const struct nmc_term *term = &terms->items[i];
        if (!term->mask || (!matters(terms, term) && !is_governed(terms, term)))
            continue;
        if (nmc_mask_size(terms->plan, term->mask) > NMC_UNIT_ENTRIES ||
            !unit_of(cell, term->mask)) {
            cell->reason = too_large(cell, terms->plan, term->mask);
            return cell->reason;
        }
    }
    for (int u = 0; u < cell->unit_count; u++) {
        set_shape(terms->plan, &cell->units[u]);
        entries += cell->units[u].size;
    }
    if (entries > NMC_CELL_ENTRIES)
        cell->reason = too_large(cell, terms->plan, UINT64_MAX);
    return !cell->arena.failed;
}

/* ---- tables ---- */

static bool uses_metric(const struct nmc_terms *terms, const struct nmc_unit *unit, int m) {
    for (int i = 0; i < terms->count; i++) {
        const struct nmc_term *term = &terms->items[i];
        if (term->mask != unit->mask)
            continue;
        bool dram = term->kind == NMC_TERM_DRAM_READ || term->kind == NMC_TERM_DRAM_WRITE;
        if (term->quantity[m] != 0 || (dram && terms->traffic[0]))
            return true;
    }
    return false;
}

static bool allot(struct nmc_cell *cell, const struct nmc_terms *terms, struct nmc_unit *unit) {
    for (int m = 0; m < terms->plan->metric_count; m++)
        if (uses_metric(terms, unit, m)) {
            unit->values[m] = nmc_arena_array(&cell->arena, (size_t)unit->size, sizeof(double));
            if (!unit->values[m])
                return false;
        }
    return true;
}

static double dram_value(const struct nmc_terms *terms, const struct nmc_term *term, int m,
                         int64_t capacity_level, double price) {
    const double *traffic = terms->traffic[term->kind == NMC_TERM_DRAM_WRITE];
    if (!traffic)
        return 0;
    double bits = traffic[m * terms->capacity_levels + capacity_level];
    return terms->plan->metrics[m].kind == NMC_METRIC_ENERGY ? bits * price : bits;
}

/* Adds what a term comes to, at the levels that the preset has now, to a sum for each metric. */
static void add_term(const struct nmc_terms *terms, const struct nmc_term *term,
                     const int32_t *levels, double *const sums[], int64_t at) {
    bool dram = term->kind == NMC_TERM_DRAM_READ || term->kind == NMC_TERM_DRAM_WRITE;
    if (!matters(terms, term))
        return;
    double price = nmc_term_price(terms, term);
    int64_t capacity = terms->capacity_group < 0 ? 0 : levels[terms->capacity_group];
    for (int m = 0; m < terms->plan->metric_count; m++) {
        double value =
            dram ? dram_value(terms, term, m, capacity, price) : term->quantity[m] * price;
        if (sums[m] && (dram || term->quantity[m] != 0))
            sums[m][at] += value;
    }
}

/* The effects of laws over the prices that change with the groups of a mask; of 0, those that do
 * not change. */
static struct nmc_law_effects effects_of(const struct nmc_terms *terms, uint64_t within,
                                         struct nmc_arena *arena) {
    const struct nmc_law_effects *all = &terms->preset->law_effects;
    static const enum nmc_term_kind kinds[] = {[NMC_PRICED_READ] = NMC_TERM_READ,
                                               [NMC_PRICED_WRITE] = NMC_TERM_WRITE,
                                               [NMC_PRICED_AREA] = NMC_TERM_AREA,
                                               [NMC_PRICED_PRIMITIVE] = NMC_TERM_PRIMITIVE};
    struct nmc_law_effects out = {.items = nmc_arena_array(arena, all->count, sizeof *out.items)};
    for (size_t i = 0; out.items && i < all->count; i++) {
        const struct nmc_law_effect *effect = &all->items[i];
        uint64_t mask = nmc_price_mask(terms, kinds[effect->what], effect->index);
        if (within ? mask && (mask & within) == mask : !mask)
            out.items[out.count++] = *effect;
    }
    return out;
}

static bool fail_at(struct nmc_cell *cell, struct nmc_unit *unit, int64_t at) {
    if (!unit->values[NMC_FAILURE])
        unit->values[NMC_FAILURE] =
            nmc_arena_array(&cell->arena, (size_t)unit->size, sizeof(double));
    if (!unit->values[NMC_FAILURE])
        return false;
    unit->values[NMC_FAILURE][at] = 1;
    cell->may_fail = true;
    return true;
}

static void next_levels(const struct nmc_plan *plan, const struct nmc_unit *unit, int32_t *levels) {
    for (int i = unit->group_count; i-- > 0;) {
        int g = unit->groups[i];
        if (++levels[g] < plan->groups[g].count)
            return;
        levels[g] = 0;
    }
}

static bool fill_unit(struct nmc_cell *cell, const struct nmc_terms *terms, struct nmc_unit *unit,
                      neuromc_diags *diags) {
    enum { ENOUGH = 64 }; /* messages */
    int32_t levels[NMC_MAX_AXES] = {0};
    struct nmc_arena arena;
    nmc_arena_init(&arena, NMC_LIMIT_PRESET_MEMORY);
    struct nmc_law_effects effects = effects_of(terms, unit->mask, &arena);
    bool good = effects.items && allot(cell, terms, unit);
    struct neuromc_preset *preset = terms->preset;
    for (int64_t at = 0; good && at < unit->size; at++) {
        nmc_terms_set(terms, unit->mask, levels);
        const struct nmc_law_values values = {preset->technology_nm, preset->memories,
                                              preset->primitive_pj};
        bool talkative = neuromc_diags_count(diags) < ENOUGH;
        if (nmc_laws_apply(&effects, &values, talkative ? diags : NULL) != NEUROMC_OK)
            good = fail_at(cell, unit, at);
        else
            for (int i = 0; i < terms->count; i++)
                if (terms->items[i].mask == unit->mask)
                    add_term(terms, &terms->items[i], levels, unit->values, at);
        next_levels(terms->plan, unit, levels);
    }
    nmc_arena_release(&arena);
    return good;
}

/* ---- what is known of the tables ---- */

/* Whether values differ along one group. */
static bool varies_along(const struct nmc_plan *plan, const struct nmc_unit *unit, int m, int g) {
    const double *values = unit->values[m];
    int64_t stride = unit->stride[g], count = plan->groups[g].count;
    for (int64_t at = 0; values && at < unit->size; at++)
        if (at / stride % count > 0 && values[at] != values[at - stride])
            return true;
    return false;
}

static uint64_t hash_bytes(uint64_t hash, const double *values, int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        hash = (hash ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return hash;
}

static void describe(struct nmc_cell *cell, const struct nmc_plan *plan) {
    for (int o = 0; o < plan->objective_count; o++) {
        uint64_t hash = hash_bytes(1, &cell->constant[o], 1);
        for (int u = 0; u < cell->unit_count; u++) {
            const struct nmc_unit *unit = &cell->units[u];
            if (unit->values[o])
                hash = hash_bytes(hash ^ unit->mask, unit->values[o], unit->size);
            for (int i = 0; i < unit->group_count; i++)
                if (varies_along(plan, unit, o, unit->groups[i]))
                    cell->varies[o] |= UINT64_C(1) << unit->groups[i];
        }
        cell->fingerprint[o] = hash;
    }
}

static bool keep_warnings(struct nmc_cell *cell, const neuromc_diags *diags) {
    enum { MOST = 16 };
    cell->warnings = nmc_arena_array(&cell->arena, MOST, sizeof *cell->warnings);
    if (!cell->warnings)
        return false;
    for (size_t i = 0; i < neuromc_diags_count(diags) && cell->warning_count < MOST; i++) {
        const neuromc_diag *d = neuromc_diags_at(diags, i);
        if (d->severity != NEUROMC_WARNING)
            continue;
        const char *text = d->where ? nmc_arena_printf(&cell->arena, "%s: %s", d->where, d->message)
                                    : nmc_arena_strdup(&cell->arena, d->message);
        if (!text)
            return false;
        cell->warnings[cell->warning_count++] = text;
    }
    return true;
}

static void fill_constant(struct nmc_cell *cell, const struct nmc_terms *terms) {
    int32_t levels[NMC_MAX_AXES] = {0};
    double *sums[NMC_MAX_METRICS];
    memcpy(cell->constant, terms->constant, sizeof cell->constant);
    for (int m = 0; m < NMC_MAX_METRICS; m++)
        sums[m] = &cell->constant[m];
    for (int i = 0; i < terms->count; i++)
        if (!terms->items[i].mask)
            add_term(terms, &terms->items[i], levels, sums, 0);
}

/* Laws that no level changes hold for the whole cell, or fail it. */
static bool obey_constant(struct nmc_cell *cell, const struct nmc_terms *terms,
                          neuromc_diags *diags) {
    struct neuromc_preset *preset = terms->preset;
    struct nmc_law_effects effects = effects_of(terms, 0, terms->arena);
    const struct nmc_law_values values = {preset->technology_nm, preset->memories,
                                          preset->primitive_pj};
    if (!effects.items)
        return false;
    if (nmc_laws_apply(&effects, &values, diags) != NEUROMC_OK)
        cell->reason = nmc_point_reason(&cell->arena, diags);
    return true;
}

bool nmc_units_build(struct nmc_cell *cell, struct nmc_terms *terms, neuromc_diags *diags) {
    bool good = obey_constant(cell, terms, diags) && (cell->reason || find_units(cell, terms));
    if (good && !cell->reason) {
        fill_constant(cell, terms);
        for (int u = 0; good && u < cell->unit_count; u++)
            good = fill_unit(cell, terms, &cell->units[u], diags);
        if (good)
            describe(cell, terms->plan);
    }
    return good && keep_warnings(cell, diags);
}
