/* law_bind.c - which prices a preset's laws govern, and what the files state of them. */
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "model/law.h"
#include "model/preset_bind.h"
#include "model/preset_merge.h"

struct binder {
    struct nmc_bind bind;
    struct neuromc_preset *preset;
    const struct nmc_yaml *laws; /* their mapping */
    struct nmc_yaml *memories, *primitives;
};

static void law_error(struct binder *b, const struct nmc_law *law, const char *hint,
                      const char *message) {
    nmc_bind_error(&b->bind, nmc_yaml_get(b->laws, law->name), hint, "%s", message);
}

/* ---- points ---- */

static int by_place(const void *a, const void *b) {
    const struct nmc_law_point *x = a, *y = b;
    if (x->technology_nm != y->technology_nm)
        return (x->technology_nm > y->technology_nm) - (x->technology_nm < y->technology_nm);
    return (x->size_bits > y->size_bits) - (x->size_bits < y->size_bits);
}

/* What a point says, as a mask: 1 factor, 2 read, 4 write, 8 area. */
static unsigned columns(const struct nmc_law_point *point) {
    return (point->factor > 0) | (point->read_cost_pj > 0) << 1 | (point->write_cost_pj > 0) << 2 |
           (point->area_mm2 > 0) << 3;
}

static const char *wrong_points(const struct nmc_law *law) {
    bool by_size = nmc_law_follows(law, NMC_FOLLOWS_SIZE);
    bool by_technology = nmc_law_follows(law, NMC_FOLLOWS_TECHNOLOGY);
    for (int i = 0; i < law->point_count; i++) {
        const struct nmc_law_point *p = &law->points[i];
        if (by_size != (p->size_bits > 0) || by_technology != (p->technology_nm > 0))
            return "every point gives what the law follows, and nothing else";
        if (!columns(p) || columns(p) != columns(&law->points[0]))
            return "every point gives the same figures above 0: costs, area, or a factor";
        if ((columns(p) & 1) && columns(p) != 1)
            return "a point gives a factor, or costs and area";
        if (i > 0 && by_place(p - 1, p) == 0)
            return "two points lie at the same place";
    }
    return NULL;
}

/* Sorts the points and notes where each technology starts. */
static bool order_points(struct binder *b, struct nmc_law *law) {
    struct nmc_arena *arena = b->bind.arena;
    struct nmc_law_point *points =
        nmc_arena_copy(arena, law->points, (size_t)law->point_count * sizeof *points);
    int *starts = nmc_arena_array(arena, (size_t)law->point_count + 1, sizeof *starts);
    if (!points || !starts)
        return false;
    qsort(points, (size_t)law->point_count, sizeof *points, by_place);
    law->points = points;
    law->starts = starts;
    for (int i = 0; i < law->point_count; i++)
        if (i == 0 || points[i].technology_nm != points[i - 1].technology_nm)
            starts[law->technology_count++] = i;
    starts[law->technology_count] = law->point_count;
    return true;
}

static void check_law(struct binder *b, struct nmc_law *law) {
    if (law->beyond == 0)
        law->beyond = 1; /* left out */
    if ((law->exponent != 0) == (law->point_count > 0)) {
        law_error(b, law, NULL, "expected either an exponent or points");
        return;
    }
    if (law->exponent != 0) {
        law->relative = true;
        if (law->follows_count != 1)
            law_error(b, law, NULL, "a power follows one thing, size_bits or technology_nm");
        return;
    }
    if (!order_points(b, law))
        return;
    const char *wrong = wrong_points(law);
    if (wrong)
        law_error(b, law, NULL, wrong);
    else if (columns(&law->points[0]) == 1)
        law->relative = true;
}

/* ---- what the files state ---- */

static bool is_set(const struct nmc_yaml *node) {
    return node && strcmp(node->file, NMC_SET_FILE) == 0;
}

/* The text that files gave, whatever --set made of it. */
static const char *stated_text(const struct nmc_yaml *node) {
    return is_set(node) && node->replaced ? node->replaced : node->text;
}

static double stated_number(const struct nmc_yaml *node) {
    double value = 0;
    int64_t size;
    if (!node || node->kind != NMC_YAML_SCALAR)
        return 0;
    const char *text = stated_text(node);
    if (nmc_number_parse(text, strlen(text), &value))
        return value;
    return nmc_parse_size(text, &size) ? (double)size : 0;
}

/* ---- effects ---- */

static bool governs(const struct nmc_law *law, const char *path) {
    for (int i = 0; i < law->of_count; i++)
        if (nmc_path_matches(law->of[i], path))
            return true;
    return false;
}

/* A law that follows what the files do not state governs nothing. */
static bool can_follow(struct binder *b, const struct nmc_law *law,
                       const struct nmc_law_effect *effect) {
    if (law->relative && nmc_law_follows(law, NMC_FOLLOWS_TECHNOLOGY) &&
        effect->stated_technology_nm <= 0) {
        law_error(b, law, NULL, "it follows technology_nm, which the preset does not state");
        return false;
    }
    if (nmc_law_follows(law, NMC_FOLLOWS_SIZE) && effect->what == NMC_PRICED_PRIMITIVE) {
        law_error(b, law, NULL, "it follows size_bits, which a primitive does not have");
        return false;
    }
    return true;
}

static void add_effect(struct binder *b, const struct nmc_law *law, struct nmc_law_effect effect) {
    struct nmc_law_effects *effects = &b->preset->law_effects;
    effect.law = law;
    if (can_follow(b, law, &effect))
        effects->items[effects->count++] = effect;
}

/* All laws over one price; price is its node, or NULL if it has none yet. */
static void add_effects(struct binder *b, const char *path, const struct nmc_yaml *price,
                        struct nmc_law_effect effect, bool *used) {
    struct neuromc_preset *preset = b->preset;
    const struct nmc_law *governing = NULL;
    effect.stated = stated_number(price);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < preset->law_count; i++) {
            const struct nmc_law *law = &preset->laws[i];
            if (law->relative != (pass == 1) || !governs(law, path))
                continue;
            used[i] = true;
            if (is_set(price) || !nmc_law_gives(law, effect.what) ||
                (law->relative && effect.stated == 0))
                continue;
            if (pass == 0 && governing)
                law_error(b, law, "make one of them relative", "another law states the same price");
            governing = law;
            add_effect(b, law, effect);
        }
}

static void add_all(struct binder *b, bool *used) {
    static const struct {
        enum nmc_priced what;
        const char *key;
    } prices[] = {{NMC_PRICED_READ, "read_cost_pj"},
                  {NMC_PRICED_WRITE, "write_cost_pj"},
                  {NMC_PRICED_AREA, "area_mm2"}};
    struct nmc_law_effect effect = {.index = 0};
    effect.stated_technology_nm = stated_number(nmc_yaml_get(b->bind.root, "technology_nm"));
    for (struct nmc_yaml *m = b->memories ? b->memories->first : NULL; m; m = m->next) {
        const char *path = nmc_yaml_path(b->bind.arena, m);
        effect.stated_size = stated_number(nmc_yaml_get(m, "size_bits"));
        for (size_t i = 0; path && i < sizeof prices / sizeof *prices; i++) {
            effect.what = prices[i].what;
            add_effects(b, path, nmc_yaml_get(m, prices[i].key), effect, used);
        }
        effect.index++;
    }
    effect.what = NMC_PRICED_PRIMITIVE;
    for (int p = 0; p < NMC_PRIMITIVES; p++) {
        const struct nmc_yaml *price = nmc_yaml_get(b->primitives, nmc_primitive_names[p]);
        const char *path = price ? nmc_yaml_path(b->bind.arena, price) : NULL;
        effect.index = p;
        effect.stated_size = 0;
        if (path)
            add_effects(b, path, price, effect, used);
    }
}

static neuromc_status find_effects(struct binder *b) {
    struct neuromc_preset *preset = b->preset;
    size_t most = ((size_t)preset->memory_count * 3 + NMC_PRIMITIVES) * (size_t)preset->law_count;
    bool *used = nmc_arena_array(b->bind.arena, (size_t)preset->law_count, sizeof *used);
    preset->law_effects.items =
        nmc_arena_array(b->bind.arena, most, sizeof *preset->law_effects.items);
    if (!used || !preset->law_effects.items)
        return nmc_out_of_memory(b->bind.diags);
    add_all(b, used);
    for (int i = 0; i < preset->law_count; i++)
        if (!used[i])
            law_error(b, &preset->laws[i],
                      "name instances like memory_instances.sram_*, or primitives_pj.add",
                      "`of` matches no memory instance and no primitive of the preset");
    return b->bind.errors ? NEUROMC_BAD_INPUT : NEUROMC_OK;
}

/* ---- into the tree ---- */

static const char *const keys[] = {[NMC_PRICED_READ] = "read_cost_pj",
                                   [NMC_PRICED_WRITE] = "write_cost_pj",
                                   [NMC_PRICED_AREA] = "area_mm2"};

static double price_now(const struct neuromc_preset *preset, const struct nmc_law_effect *effect) {
    const struct nmc_memory *memory = &preset->memories[effect->index];
    switch (effect->what) {
    case NMC_PRICED_READ: return memory->read_cost_pj;
    case NMC_PRICED_WRITE: return memory->write_cost_pj;
    case NMC_PRICED_AREA: return memory->area_mm2;
    default: return preset->primitive_pj[effect->index];
    }
}

static struct nmc_yaml *owner_of(struct binder *b, const struct nmc_law_effect *effect) {
    struct nmc_yaml *owner = b->memories->first;
    if (effect->what == NMC_PRICED_PRIMITIVE)
        return b->primitives;
    for (int i = 0; i < effect->index; i++)
        owner = owner->next;
    return owner;
}

/* A price that the law changed says so. */
static void write_price(struct binder *b, const struct nmc_law_effect *effect) {
    struct nmc_arena *arena = b->bind.arena;
    bool primitive = effect->what == NMC_PRICED_PRIMITIVE;
    const char *key = primitive ? nmc_primitive_names[effect->index] : keys[effect->what];
    struct nmc_yaml *owner = owner_of(b, effect), *node = nmc_yaml_get(owner, key);
    char text[NMC_NUMBER_SIZE];
    nmc_number_format(text, price_now(b->preset, effect));
    if (node && strcmp(node->text, text) == 0)
        return;
    const char *before = node ? node->text : NULL;
    if (!node) {
        node = nmc_arena_alloc(arena, sizeof *node);
        if (!node)
            return;
        node->key = key;
        nmc_yaml_append(owner, node);
    }
    node->kind = NMC_YAML_SCALAR;
    node->plain = true;
    node->text = nmc_arena_strdup(arena, text);
    node->file = nmc_arena_printf(arena, "law %s", effect->law->name);
    node->line = node->column = node->key_line = node->key_column = 0;
    node->replaced = before;
    const struct nmc_yaml *law = nmc_yaml_get(b->laws, effect->law->name);
    node->source = law->source;
}

static struct binder binder_of(struct neuromc_preset *preset, struct nmc_yaml *root,
                               neuromc_diags *diags) {
    return (struct binder){.bind = {.arena = &preset->arena, .root = root, .diags = diags},
                           .preset = preset,
                           .laws = nmc_yaml_get(root, "laws"),
                           .memories = nmc_yaml_get(root, "memory_instances"),
                           .primitives = nmc_yaml_get(root, "primitives_pj")};
}

neuromc_status nmc_laws_bind(struct neuromc_preset *preset, struct nmc_yaml *root,
                             neuromc_diags *diags) {
    struct binder b = binder_of(preset, root, diags);
    for (int i = 0; i < preset->law_count; i++)
        check_law(&b, &preset->laws[i]);
    if (!preset->law_count || b.bind.errors)
        return b.bind.errors ? NEUROMC_BAD_INPUT : NEUROMC_OK;
    return find_effects(&b);
}

neuromc_status nmc_laws_obey(struct neuromc_preset *preset, struct nmc_yaml *root,
                             neuromc_diags *diags) {
    struct binder b = binder_of(preset, root, diags);
    const struct nmc_law_values values = {preset->technology_nm, preset->memories,
                                          preset->primitive_pj};
    neuromc_status status = nmc_laws_apply(&preset->law_effects, &values, diags);
    for (size_t i = 0; status == NEUROMC_OK && i < preset->law_effects.count; i++)
        write_price(&b, &preset->law_effects.items[i]);
    return preset->arena.failed ? nmc_out_of_memory(diags) : status;
}
