/* Level by level from the outermost in: partial mappings, and what they can become. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mapping/searching.h"

static double cycles_at(const struct nmc_search *s, int level) {
    return s->wants_rates ? nmc_cost_cycles(&s->cost, &s->rates[level]) : s->cost.cycles;
}

/* ---- orders ------------------------------------------------------------------------------- */

/* Those of a level whose order is limited are not kept: other levels have others. */
static const struct nmc_orders *orders_of(struct nmc_search *s, unsigned present, int level) {
    static const struct nmc_orders none = {NULL, 0};
    const struct nmc_order *fixed = &s->options->limits.order[level];
    struct nmc_orders *orders = fixed->count ? &s->limited : &s->orders[present];
    bool many = fixed->count || s->all_orders;
    if (orders->count && !fixed->count)
        return orders;
    if (!orders->items)
        orders->items = nmc_malloc((many ? NMC_MOST_ORDERS : 256) * sizeof *orders->items);
    if (!orders->items) {
        s->failed = true;
        return &none;
    }
    orders->count = fixed->count ? nmc_orders_fixed(present, s->all_orders, fixed, orders->items)
                                 : nmc_orders(present, s->all_orders, orders->items);
    return orders;
}

/* ---- layers ------------------------------------------------------------------------------- */

static int by_worth(const void *a, const void *b) {
    const struct nmc_partial *x = a, *y = b;
    int order = nmc_score_order(x->bound, y->bound);
    if (order)
        return order;
    if (x->tile != y->tile)
        return x->tile < y->tile ? -1 : 1;
    return x->key < y->key ? -1 : x->key > y->key;
}

static size_t slot_of(const struct nmc_layer *layer, uint64_t key, uint32_t tile) {
    size_t at = key & (layer->slot_count - 1);
    for (; layer->slots[at]; at = (at + 1) & (layer->slot_count - 1)) {
        const struct nmc_partial *there = &layer->partials[layer->slots[at] - 1];
        if (there->key == key && there->tile == tile)
            break;
    }
    return at;
}

static bool fill_slots(struct nmc_layer *layer, size_t count) {
    if (!nmc_grow(&layer->slots, &layer->slot_capacity, count, sizeof *layer->slots))
        return false;
    layer->slot_count = count;
    memset(layer->slots, 0, count * sizeof *layer->slots);
    for (size_t i = 0; i < layer->count; i++)
        layer->slots[slot_of(layer, layer->partials[i].key, layer->partials[i].tile)] =
            (uint32_t)i + 1;
    return true;
}

static bool clear(struct nmc_layer *layer) {
    layer->count = 0;
    layer->worst = nmc_no_score;
    return fill_slots(layer, 64);
}

static void sort(struct nmc_search *s, struct nmc_layer *layer) {
    if (!layer->count)
        return;
    qsort(layer->partials, layer->count, sizeof *layer->partials, by_worth);
    if (layer->count <= s->width)
        return;
    s->narrowed = true;
    layer->count = s->width;
    layer->worst = layer->partials[s->width - 1].bound;
}

static bool comes_in(struct nmc_search *s, const struct nmc_layer *layer, struct nmc_score bound) {
    if (!nmc_better(bound, s->best))
        return false;
    bool in = layer->count < s->width || nmc_better(bound, layer->worst);
    s->narrowed = s->narrowed || !in;
    return in;
}

static bool add(struct nmc_layer *layer, const struct nmc_partial *partial) {
    if (layer->slot_count < 2 * (layer->count + 1) && !fill_slots(layer, 2 * layer->slot_count))
        return false;
    uint32_t *slot = &layer->slots[slot_of(layer, partial->key, partial->tile)];
    if (*slot) {
        struct nmc_partial *there = &layer->partials[*slot - 1];
        if (partial->energy < there->energy)
            *there = *partial;
        return true;
    }
    if (!nmc_grow(&layer->partials, &layer->capacity, layer->count + 1, sizeof *layer->partials))
        return false;
    layer->partials[layer->count++] = *partial;
    *slot = (uint32_t)layer->count;
    return true;
}

/* Twice as many as are kept may gather before the worse half goes. */
static void keep(struct nmc_search *s, struct nmc_layer *layer, const struct nmc_partial *partial) {
    bool good = add(layer, partial);
    if (good && layer->count / 2 >= s->width) {
        sort(s, layer);
        good = fill_slots(layer, layer->slot_count);
    }
    s->failed = s->failed || !good;
}

/* ---- steps -------------------------------------------------------------------------------- */

static void follow(const struct nmc_search *s, int level, uint32_t at,
                   const struct nmc_partial *chain[NMC_LIMIT_MAP_LEVELS]) {
    for (int i = level; i >= 0; i--) {
        chain[i] = &s->layers[i].partials[at];
        at = chain[i]->parent;
    }
}

static void set_plan(struct nmc_search *s, const struct nmc_partial *const *chain,
                     const struct nmc_order *last) {
    struct nmc_map_plan *plan = &s->out->plan;
    int levels = s->cost.levels;
    plan->unrolling = *s->unrolling;
    for (int i = 0; i < levels; i++) {
        plan->order[i] = i + 1 < levels ? chain[i + 1]->order : *last;
        for (int d = 0; d < NMC_MAP_DIMS; d++)
            plan->temporal[i][d] =
                s->tiling.extent[i][d] / (i + 1 < levels ? s->tiling.extent[i + 1][d] : 1);
    }
}

static void finish(struct nmc_search *s, const struct nmc_order *last) {
    const struct nmc_partial *chain[NMC_LIMIT_MAP_LEVELS];
    int levels = s->cost.levels;
    struct nmc_score score = nmc_search_score(s, s->energy[levels], cycles_at(s, levels));
    if (!nmc_better(score, s->best))
        return;
    s->best = score;
    follow(s, levels - 1, s->at, chain);
    for (int i = 0; i < levels; i++)
        nmc_space_tile(s, i, chain[i]->tile, s->tiling.extent[i]);
    if (!nmc_better(score, s->best_of_all))
        return;
    s->best_of_all = score;
    s->out->found = true;
    set_plan(s, chain, last);
}

/* One order of the loops of a level around a tile of the next one in. */
static void take_order(struct nmc_search *s, int level, uint32_t tile,
                       const int64_t outer[NMC_MAP_DIMS], const int64_t inner[NMC_MAP_DIMS],
                       const struct nmc_order *order) {
    int next = level + 1;
    nmc_path_extend(&s->cost, &s->path, level, outer, inner, order);
    s->rates[next] = s->wants_rates ? s->rates[level] : s->rates[next];
    s->energy[next] = s->energy[level] + nmc_cost_into(&s->cost, &s->path, next,
                                                       s->wants_rates ? &s->rates[next] : NULL);
    if (next == s->cost.levels) {
        finish(s, order);
        return;
    }
    struct nmc_partial partial = {
        .energy = s->energy[next], .tile = tile, .parent = s->at, .order = *order};
    partial.bound = nmc_search_score(s, partial.energy + s->inside[next][tile], cycles_at(s, next));
    if (!comes_in(s, &s->layers[next], partial.bound))
        return;
    partial.key = nmc_partial_key(s, next, tile);
    keep(s, &s->layers[next], &partial);
}

static void take_tile(struct nmc_search *s, int level, uint32_t tile,
                      const int64_t outer[NMC_MAP_DIMS], const int64_t inner[NMC_MAP_DIMS]) {
    unsigned present = 0;
    for (int d = 0; d < NMC_MAP_DIMS; d++)
        present |= (unsigned)(outer[d] > inner[d]) << d;
    const struct nmc_orders *orders = orders_of(s, present, level);
    bool alike = level + 1 == s->cost.levels && !s->cost.sees_order;
    for (int i = 0; i < orders->count && !(alike && i) && nmc_search_goes_on(s); i++)
        take_order(s, level, tile, outer, inner, &orders->items[i]);
}

/* ---- tiles -------------------------------------------------------------------------------- */

struct offering {
    struct nmc_search *s;
    int level; /* whose loops are to be chosen */
    const int64_t *outer;
};

static bool within_limits(const struct nmc_search *s, int level, const int64_t outer[NMC_MAP_DIMS],
                          const int64_t inner[NMC_MAP_DIMS]) {
    const int64_t *fixed = s->options->limits.temporal[level];
    for (int d = 0; d < NMC_MAP_DIMS; d++)
        if (fixed[d] && outer[d] / inner[d] != fixed[d])
            return false;
    return true;
}

static void offer(void *user, uint32_t tile) {
    const struct offering *o = user;
    struct nmc_search *s = o->s;
    double energy = s->energy[o->level] + s->into[o->level + 1][tile];
    struct nmc_score bound = nmc_search_score(s, energy, cycles_at(s, o->level));
    int64_t inner[NMC_MAP_DIMS];
    if (isinf(energy) || !nmc_better(bound, s->best))
        return;
    nmc_space_tile(s, o->level + 1, tile, inner);
    if (within_limits(s, o->level, o->outer, inner))
        s->choices[s->choice_count++] = (struct nmc_choice){bound, tile};
}

static int by_bound(const void *a, const void *b) {
    const struct nmc_choice *x = a, *y = b;
    int order = nmc_score_order(x->bound, y->bound);
    return order ? order : x->tile < y->tile ? -1 : x->tile > y->tile;
}

/* The path down to a partial mapping, which is kept as parents only. */
static void walk_to(struct nmc_search *s, int level) {
    const struct nmc_partial *chain[NMC_LIMIT_MAP_LEVELS];
    int64_t outer[NMC_MAP_DIMS], inner[NMC_MAP_DIMS];
    follow(s, level, s->at, chain);
    memcpy(outer, s->whole, sizeof outer);
    for (int i = 0; i < level; i++) {
        nmc_space_tile(s, i + 1, chain[i + 1]->tile, inner);
        nmc_path_extend(&s->cost, &s->path, i, outer, inner, &chain[i + 1]->order);
        if (s->wants_rates) {
            s->rates[i + 1] = s->rates[i];
            nmc_cost_into(&s->cost, &s->path, i + 1, &s->rates[i + 1]);
        }
        memcpy(outer, inner, sizeof outer);
    }
    s->energy[level] = chain[level]->energy;
}

/* The tile inside a level, best bound first; at the last level it is one MAC. */
static void expand(struct nmc_search *s, int level) {
    static const int64_t one[NMC_MAP_DIMS] = {1, 1, 1, 1, 1, 1, 1};
    uint32_t tile = s->layers[level].partials[s->at].tile;
    int64_t outer[NMC_MAP_DIMS], inner[NMC_MAP_DIMS];
    walk_to(s, level);
    nmc_space_tile(s, level, tile, outer);
    if (level + 1 == s->cost.levels) {
        if (within_limits(s, level, outer, one))
            take_tile(s, level, 0, outer, one);
        return;
    }
    struct offering o = {.s = s, .level = level, .outer = outer};
    s->choice_count = 0;
    nmc_lattice_each_inside(s->lattice, tile, offer, &o);
    qsort(s->choices, s->choice_count, sizeof *s->choices, by_bound);
    for (size_t i = 0; i < s->choice_count && !s->ended &&
                       comes_in(s, &s->layers[level + 1], s->choices[i].bound);
         i++) {
        nmc_space_tile(s, level + 1, s->choices[i].tile, inner);
        take_tile(s, level, s->choices[i].tile, outer, inner);
    }
}

static bool start(struct nmc_search *s) {
    bool good = true;
    for (int i = 0; i < s->cost.levels; i++)
        good = good && clear(&s->layers[i]);
    struct nmc_partial root = {.energy = s->cost.macs_pj, .tile = s->lattice->tiles - 1};
    nmc_path_init(&s->cost, &s->path);
    s->rates[0] = (struct nmc_rates){.read = {0}};
    return good && add(&s->layers[0], &root);
}

void nmc_search_layers(struct nmc_search *s, size_t width) {
    s->width = width;
    s->narrowed = false;
    s->failed = s->failed || !start(s);
    for (int level = 0; level < s->cost.levels && !s->failed && !s->ended; level++) {
        struct nmc_layer *layer = &s->layers[level];
        sort(s, layer);
        for (size_t i = 0; i < layer->count && nmc_better(layer->partials[i].bound, s->best) &&
                           !s->failed && !s->ended;
             i++) {
            s->at = (uint32_t)i;
            expand(s, level);
        }
    }
}
