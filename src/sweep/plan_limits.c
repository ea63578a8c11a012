/*
 * plan_limits.c - what prices depend on, before any is computed: groups that meet in one price in
 * too many combinations for a table become groups of cells, and sizes without a law are noted.
 */
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "model/preset_keys.h"
#include "sweep/plan.h"
#include "sweep/units.h"

/* Adds a mask unless it is known or empty; how many there are then. */
static int add_mask(uint64_t *masks, int count, int most, uint64_t mask) {
    for (int i = 0; i < count; i++)
        if (masks[i] == mask)
            return count;
    if (mask && count < most)
        masks[count++] = mask;
    return count;
}

/* Masks of all prices, each once; how many. */
static int find_masks(const struct nmc_terms *terms, uint64_t *masks, int most) {
    static const enum nmc_term_kind kinds[] = {NMC_TERM_READ, NMC_TERM_WRITE, NMC_TERM_AREA};
    const struct neuromc_preset *preset = terms->preset;
    uint64_t capacity = nmc_terms_mask(terms, &preset->on_chip_bits);
    int count = 0;
    for (int p = 0; p < NMC_PRIMITIVES; p++)
        count = add_mask(masks, count, most, nmc_price_mask(terms, NMC_TERM_PRIMITIVE, p));
    for (int i = 0; i < NMC_MAC_TERMS; i++)
        if (preset->mac[i / NMC_PRIMITIVES].count[i % NMC_PRIMITIVES])
            count = add_mask(masks, count, most, nmc_price_mask(terms, NMC_TERM_MAC, i));
    for (int i = 0; i < 3 * preset->memory_count; i++) {
        bool dram = i / 3 == preset->dram_memory;
        count = add_mask(masks, count, most,
                         nmc_price_mask(terms, kinds[i % 3], i / 3) | (dram ? capacity : 0));
    }
    return count;
}

/* The smallest group of a mask: as one of cells it makes the fewest. */
static int smallest(const struct nmc_plan *plan, uint64_t mask) {
    int best = -1;
    for (int g = 0; g < plan->group_count; g++)
        if ((mask >> g & 1) && (best < 0 || plan->groups[g].count < plan->groups[best].count))
            best = g;
    return best;
}

/* The mask that takes the most room, if all together take too much; 0: all is well. */
static uint64_t too_large(const struct nmc_plan *plan, const uint64_t *masks, int count) {
    int64_t total = 0, most = 0;
    uint64_t largest = 0;
    for (int i = 0; i < count; i++) {
        int64_t size = nmc_mask_size(plan, masks[i]);
        if (size > most) {
            most = size;
            largest = masks[i];
        }
        total = size > NMC_CELL_ENTRIES - total ? NMC_CELL_ENTRIES + 1 : total + size;
    }
    bool good = most <= NMC_UNIT_ENTRIES && total <= NMC_CELL_ENTRIES && count < NMC_MAX_UNITS;
    return good ? 0 : largest;
}

neuromc_status nmc_plan_limit_units(struct nmc_plan *plan, struct neuromc_preset *preset,
                                    neuromc_diags *diags) {
    const int32_t levels[NMC_MAX_AXES] = {0};
    for (;;) {
        struct nmc_terms terms;
        struct nmc_arena arena;
        uint64_t masks[NMC_MAX_UNITS], largest = 0;
        nmc_arena_init(&arena, NMC_LIMIT_PRESET_MEMORY);
        bool good = nmc_terms_init(&terms, plan, levels, preset, &arena);
        if (good)
            largest = too_large(plan, masks, find_masks(&terms, masks, NMC_MAX_UNITS));
        nmc_arena_release(&arena);
        if (!good)
            return nmc_out_of_memory(diags);
        if (!largest)
            return NEUROMC_OK;
        plan->groups[smallest(plan, largest)].reach = NMC_REACH_STRUCTURE;
        nmc_plan_order(plan);
    }
}

/* ---- notes ---- */

static bool is_followed(const struct neuromc_preset *preset, enum nmc_follows what,
                        const void *size) {
    for (size_t i = 0; i < preset->law_effects.count; i++) {
        const struct nmc_law_effect *effect = &preset->law_effects.items[i];
        bool here =
            what == NMC_FOLLOWS_TECHNOLOGY || (effect->what != NMC_PRICED_PRIMITIVE &&
                                               size == &preset->memories[effect->index].size_bits);
        if (here && nmc_law_follows(effect->law, what))
            return true;
    }
    return false;
}

/* Whether a path of the axis leads to a size or a technology that no law follows. */
static bool lacks_law(const struct nmc_plan *plan, struct neuromc_preset *preset, int number, int a,
                      const char *key) {
    size_t at = (size_t)number * NMC_MAX_AXES + (size_t)a;
    bool size = strcmp(key, "size_bits") == 0;
    for (int t = 0; t < plan->target_counts[at]; t++) {
        struct nmc_preset_field field = nmc_preset_field(preset, plan->targets[at][t]);
        if (field.key && strcmp(field.key->name, key) == 0 &&
            (field.key->in == NMC_IN_MEMORY || field.key->in == NMC_IN_ROOT) &&
            !is_followed(preset, size ? NMC_FOLLOWS_SIZE : NMC_FOLLOWS_TECHNOLOGY, field.value))
            return true;
    }
    return false;
}

neuromc_status nmc_plan_note_laws(struct nmc_plan *plan, struct neuromc_preset *preset, int number,
                                  neuromc_diags *diags) {
    char text[256];
    bool good = true;
    for (int a = 0; good && a < plan->axis_count; a++) {
        if (lacks_law(plan, preset, number, a, "size_bits")) {
            snprintf(text, sizeof text,
                     "%.64s changes what fits, not what an access costs: no law follows it",
                     plan->axes[a].name);
            good = nmc_plan_note(plan, text);
        }
        if (good && lacks_law(plan, preset, number, a, "technology_nm"))
            good = nmc_plan_note(plan, "technology_nm changes no price: no law follows it");
    }
    return good ? NEUROMC_OK : nmc_out_of_memory(diags);
}
