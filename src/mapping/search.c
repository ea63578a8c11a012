#include "mapping/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mapping/cost.h"
#include "mapping/lattice.h"
#include "mapping/order.h"

const char *const nmc_map_reach_names[NMC_REACHES] = {
    "all mappings", "all tilings and reuse orders", "what the limit of steps allows",
    "until stopped", "given"};

const char *const nmc_map_reach_keys[NMC_REACHES] = {"all", "orders", "limit", "stopped", "given"};

/* What a mapping is worth; less is better. */
struct score {
    double first, second;
};

static bool better(struct score a, struct score b) {
    return a.first < b.first || (a.first == b.first && a.second < b.second);
}

/* A tile that could come next, and the bound with it. */
struct choice {
    struct score bound;
    uint32_t tile;
};

struct orders {
    struct nmc_order *items;
    int count;
};

struct search {
    const struct nmc_problem *problem;
    const struct nmc_machine *machine;
    const struct nmc_search_options *options;
    struct nmc_cost cost;
    struct nmc_lattice *lattice;
    bool all_orders, wants_rates;
    struct orders orders[1 << NMC_MAP_DIMS]; /* by the dims present; filled when first needed */
    /* Bounds by level and tile: of everything inside the tile; and with the transfers into it. */
    double *inside[NMC_LIMIT_MAP_LEVELS + 1], *into[NMC_LIMIT_MAP_LEVELS + 1];
    struct choice *choices[NMC_LIMIT_MAP_LEVELS + 1];
    size_t choice_count;
    int64_t whole[NMC_MAP_DIMS]; /* temporal extents of everything */
    struct nmc_path path;
    struct nmc_rates rates[NMC_LIMIT_MAP_LEVELS + 1];
    double energy[NMC_LIMIT_MAP_LEVELS + 1];
    struct nmc_map_plan now;
    struct score best;
    struct nmc_search_result *out;
    int64_t most_steps, until; /* of all, and of the unrolling in hand */
    bool failed, ended, cut;
};

static struct score score_of(const struct search *s, double energy, double cycles) {
    switch (s->options->objective) {
    case NMC_MAP_LATENCY: return (struct score){cycles, energy};
    case NMC_MAP_EDP: return (struct score){energy * cycles, energy};
    default: return (struct score){energy, cycles};
    }
}

static double cycles_at(const struct search *s, int level) {
    return s->wants_rates ? nmc_cost_cycles(&s->cost, &s->rates[level]) : s->cost.cycles;
}

/* ---- bounds ------------------------------------------------------------------------------- */

static bool new_tables(struct search *s) {
    size_t tiles = s->lattice->tiles;
    for (int i = 1; i < s->cost.levels; i++) {
        s->inside[i] = nmc_malloc(tiles * sizeof *s->inside[i]);
        s->into[i] = nmc_malloc(tiles * sizeof *s->into[i]);
        s->choices[i] = nmc_malloc(tiles * sizeof *s->choices[i]);
        if (!s->inside[i] || !s->into[i] || !s->choices[i])
            return false;
    }
    return true;
}

static void free_tables(struct search *s) {
    for (int i = 1; i < s->cost.levels; i++) {
        nmc_free(s->inside[i]);
        nmc_free(s->into[i]);
        nmc_free(s->choices[i]);
        s->inside[i] = s->into[i] = NULL;
        s->choices[i] = NULL;
    }
}

/* From the innermost level out: the least into each tile, on top of the least inside it. The
 * least that is inside a tile of the level above is that of the best tile in it. */
static bool fill_bounds(struct search *s) {
    static const int64_t one[NMC_MAP_DIMS] = {1, 1, 1, 1, 1, 1, 1};
    uint32_t tiles = s->lattice->tiles;
    double *scratch = nmc_malloc(tiles * sizeof *scratch);
    double to_macs = nmc_cost_least(&s->cost, s->cost.levels, one, s->whole);
    for (int level = s->cost.levels - 1; scratch && level >= 1; level--) {
        double *inside = s->inside[level], *into = s->into[level];
        for (uint32_t t = 0; t < tiles && level == s->cost.levels - 1; t++)
            inside[t] = to_macs;
        for (uint32_t t = 0; t < tiles; t++) {
            int64_t extent[NMC_MAP_DIMS];
            nmc_lattice_tile(s->lattice, t, extent);
            into[t] = nmc_cost_least(&s->cost, level, extent, s->whole) + inside[t];
        }
        if (level > 1) {
            memcpy(s->inside[level - 1], into, tiles * sizeof *into);
            nmc_lattice_least_inside(s->lattice, s->inside[level - 1], scratch);
        }
    }
    nmc_free(scratch);
    return scratch;
}

/* ---- orders ------------------------------------------------------------------------------- */

static const struct orders *orders_of(struct search *s, unsigned present, int level) {
    static const struct orders none = {NULL, 0};
    struct orders *orders = &s->orders[present];
    const struct nmc_order *fixed = &s->options->limits.order[level];
    if (orders->count && !fixed->count)
        return orders;
    struct nmc_order *items = orders->items;
    if (!items)
        items = nmc_malloc((s->all_orders ? NMC_MOST_ORDERS : 256) * sizeof *items);
    orders->items = items;
    if (!items) {
        s->failed = true;
        return &none;
    }
    orders->count = fixed->count ? nmc_orders_fixed(present, fixed, items)
                                 : nmc_orders(present, s->all_orders, items);
    return orders;
}

/* ---- the walk ----------------------------------------------------------------------------- */

static bool is_searching(const struct search *s) {
    return !s->ended && !s->failed && s->out->steps < s->until;
}

static bool goes_on(struct search *s) {
    s->out->steps++;
    if (s->out->steps >= s->most_steps)
        s->cut = s->ended = true;
    if (s->out->found && s->options->stop && *s->options->stop) {
        s->out->reach = NMC_REACH_STOPPED;
        s->ended = true;
    }
    return is_searching(s);
}

static int by_bound(const void *a, const void *b) {
    const struct choice *x = a, *y = b;
    if (better(x->bound, y->bound) || better(y->bound, x->bound))
        return better(x->bound, y->bound) ? -1 : 1;
    return x->tile < y->tile ? -1 : x->tile > y->tile;
}

struct offering {
    struct search *s;
    int level; /* whose loops are to be chosen */
    const int64_t *outer;
};

static bool within_limits(const struct search *s, int level, const int64_t outer[NMC_MAP_DIMS],
                          const int64_t inner[NMC_MAP_DIMS]) {
    const int64_t *fixed = s->options->limits.temporal[level];
    for (int d = 0; d < NMC_MAP_DIMS; d++)
        if (fixed[d] && outer[d] / inner[d] != fixed[d])
            return false;
    return true;
}

static void offer(void *user, uint32_t tile) {
    const struct offering *o = user;
    struct search *s = o->s;
    double energy = s->energy[o->level] + s->into[o->level + 1][tile];
    struct score bound = score_of(s, energy, cycles_at(s, o->level));
    int64_t inner[NMC_MAP_DIMS];
    if (isinf(energy) || !better(bound, s->best))
        return;
    nmc_lattice_tile(s->lattice, tile, inner);
    if (within_limits(s, o->level, o->outer, inner))
        s->choices[o->level + 1][s->choice_count++] = (struct choice){bound, tile};
}

static void choose_tile(struct search *s, int level, uint32_t tile,
                        const int64_t outer[NMC_MAP_DIMS]);

static void finish(struct search *s) {
    struct score score = score_of(s, s->energy[s->cost.levels], cycles_at(s, s->cost.levels));
    if (!better(score, s->best))
        return;
    s->best = score;
    s->out->plan = s->now;
    s->out->found = true;
}

/* One order of the loops of a level around a tile of the next one in. */
static void take_order(struct search *s, int level, uint32_t tile,
                       const int64_t outer[NMC_MAP_DIMS], const int64_t inner[NMC_MAP_DIMS],
                       const struct nmc_order *order, double rest) {
    s->now.order[level] = *order;
    nmc_path_extend(&s->cost, &s->path, level, outer, inner, order);
    if (s->wants_rates)
        s->rates[level + 1] = s->rates[level];
    s->energy[level + 1] =
        s->energy[level] +
        nmc_cost_into(&s->cost, &s->path, level + 1, s->wants_rates ? &s->rates[level + 1] : NULL);
    if (level + 1 == s->cost.levels)
        finish(s);
    else if (better(score_of(s, s->energy[level + 1] + rest, cycles_at(s, level + 1)), s->best))
        choose_tile(s, level + 1, tile, inner);
}

static void take_orders(struct search *s, int level, uint32_t tile,
                        const int64_t outer[NMC_MAP_DIMS], const int64_t inner[NMC_MAP_DIMS],
                        double rest) {
    unsigned present = 0;
    for (int d = 0; d < NMC_MAP_DIMS; d++) {
        s->now.temporal[level][d] = outer[d] / inner[d];
        present |= (unsigned)(outer[d] > inner[d]) << d;
    }
    const struct orders *orders = orders_of(s, present, level);
    bool one = level + 1 == s->cost.levels && !s->cost.sees_order;
    for (int i = 0; i < orders->count && !(one && i) && goes_on(s); i++)
        take_order(s, level, tile, outer, inner, &orders->items[i], rest);
}

/* The tile inside a level, best bound first; at the last level it is one MAC. */
static void choose_tile(struct search *s, int level, uint32_t tile,
                        const int64_t outer[NMC_MAP_DIMS]) {
    static const int64_t one[NMC_MAP_DIMS] = {1, 1, 1, 1, 1, 1, 1};
    if (level + 1 == s->cost.levels) {
        if (within_limits(s, level, outer, one))
            take_orders(s, level, 0, outer, one, 0);
        return;
    }
    struct offering o = {.s = s, .level = level, .outer = outer};
    s->choice_count = 0;
    nmc_lattice_each_inside(s->lattice, tile, offer, &o);
    struct choice *choices = s->choices[level + 1];
    size_t count = s->choice_count;
    qsort(choices, count, sizeof *choices, by_bound);
    for (size_t i = 0; i < count && better(choices[i].bound, s->best) && is_searching(s); i++) {
        int64_t inner[NMC_MAP_DIMS];
        nmc_lattice_tile(s->lattice, choices[i].tile, inner);
        take_orders(s, level, choices[i].tile, outer, inner, s->inside[level + 1][choices[i].tile]);
    }
}

/* ---- unrollings --------------------------------------------------------------------------- */

/* Few enough that every order of every level can be tried. */
static bool is_small(const struct search *s, size_t unrollings) {
    enum { FEW = 100000 };
    return nmc_lattice_chains(s->lattice, s->cost.levels) * (double)unrollings <= FEW;
}

static bool search_unrolling(struct search *s, const struct nmc_unrolling *unrolling) {
    nmc_cost_unroll(&s->cost, unrolling, s->whole);
    nmc_lattice_init(s->lattice, s->whole);
    s->cut = s->cut || s->lattice->thinned;
    s->now.unrolling = *unrolling;
    nmc_path_init(&s->cost, &s->path);
    s->rates[0] = (struct nmc_rates){.read = {0}};
    s->energy[0] = s->cost.macs_pj;
    bool there = new_tables(s) && fill_bounds(s);
    if (there)
        choose_tile(s, 0, s->lattice->tiles - 1, s->whole);
    free_tables(s);
    return there && !s->failed;
}

/* The least that an unrolling can come to: cheap to know, so that few are looked into. */
static struct score least_of(struct search *s, const struct nmc_unrolling *unrolling) {
    static const int64_t one[NMC_MAP_DIMS] = {1, 1, 1, 1, 1, 1, 1};
    nmc_cost_unroll(&s->cost, unrolling, s->whole);
    double energy = s->cost.macs_pj + nmc_cost_least(&s->cost, s->cost.levels, one, s->whole);
    for (int level = 1; level < s->cost.levels; level++)
        energy += nmc_cost_compulsory(&s->cost, level, s->whole);
    return score_of(s, energy, s->cost.cycles);
}

struct ranked {
    struct score least;
    size_t index;
    bool done; /* looked into wholly */
};

static int by_least(const void *a, const void *b) {
    const struct ranked *x = a, *y = b;
    if (better(x->least, y->least) || better(y->least, x->least))
        return better(x->least, y->least) ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static bool search_some(struct search *s, struct ranked *ranked,
                        const struct nmc_unrolling *unrollings, int64_t budget) {
    bool open = budget < INT64_MAX - s->out->steps;
    s->until = open ? s->out->steps + budget : INT64_MAX;
    bool good = search_unrolling(s, &unrollings[ranked->index]);
    ranked->done = is_searching(s);
    return good;
}

/* A few steps in every unrolling, then more of them, then all: a good mapping found early leaves
 * out most of what comes later. */
static bool search_all(struct search *s, const struct nmc_unrolling *unrollings, size_t count) {
    static const int64_t budgets[] = {20000, INT64_MAX};
    struct ranked *ranked = nmc_malloc((count + 1) * sizeof *ranked);
    bool good = ranked;
    for (size_t i = 0; good && i < count; i++)
        ranked[i] = (struct ranked){least_of(s, &unrollings[i]), i, false};
    if (good)
        qsort(ranked, count, sizeof *ranked, by_least);
    if (good && count) {
        nmc_cost_unroll(&s->cost, &unrollings[ranked[0].index], s->whole);
        nmc_lattice_init(s->lattice, s->whole);
        s->all_orders = is_small(s, count);
    }
    for (size_t p = 0; good && p < sizeof budgets / sizeof *budgets && !s->ended; p++)
        for (size_t i = 0; good && i < count && !s->ended && better(ranked[i].least, s->best); i++)
            good = ranked[i].done || search_some(s, &ranked[i], unrollings, budgets[p]);
    nmc_free(ranked);
    return good;
}

static bool has_limit_of_rate(const struct nmc_machine *machine) {
    for (int i = 0; i < machine->level_count; i++)
        if (machine->levels[i].read_rate > 0 || machine->levels[i].write_rate > 0)
            return true;
    return false;
}

static void release(struct search *s) {
    for (int i = 0; i < 1 << NMC_MAP_DIMS; i++)
        nmc_free(s->orders[i].items);
    nmc_free(s->lattice);
    nmc_free(s);
}

static struct search *new_search(const struct nmc_problem *problem,
                                 const struct nmc_machine *machine,
                                 const struct nmc_search_options *options,
                                 struct nmc_search_result *out) {
    struct search *s = nmc_malloc(sizeof *s);
    if (!s)
        return NULL;
    *s = (struct search){.problem = problem,
                         .machine = machine,
                         .options = options,
                         .best = {INFINITY, INFINITY},
                         .out = out,
                         .most_steps = options->most_steps};
    if (!s->most_steps)
        s->most_steps = NMC_LIMIT_MAP_STEPS;
    s->wants_rates = options->objective != NMC_MAP_ENERGY && has_limit_of_rate(machine);
    nmc_cost_init(&s->cost, problem, machine);
    s->lattice = nmc_malloc(sizeof *s->lattice);
    return s;
}

neuromc_status nmc_search(const struct nmc_problem *problem, const struct nmc_machine *machine,
                          const struct nmc_search_options *options, struct nmc_search_result *out,
                          neuromc_diags *diags) {
    size_t count = 0;
    bool cut = false;
    *out = (struct nmc_search_result){.reach = NMC_REACH_ORDERS};
    struct search *s = new_search(problem, machine, options, out);
    struct nmc_unrolling *unrollings =
        s && s->lattice ? nmc_unrollings(problem, machine, &options->limits, &count, &cut) : NULL;
    bool good = unrollings;
    if (good && nmc_cost_fits(&s->cost, 0, problem->size))
        good = search_all(s, unrollings, count);
    out->unrollings = (int64_t)count;
    if (good && out->reach != NMC_REACH_STOPPED)
        out->reach = s->cut || cut   ? NMC_REACH_BOUND
                     : s->all_orders ? NMC_REACH_ALL
                                     : NMC_REACH_ORDERS;
    nmc_free(unrollings);
    if (s)
        release(s);
    return good ? NEUROMC_OK : nmc_out_of_memory(diags);
}

bool nmc_search_misfit(const struct nmc_problem *problem, const struct nmc_machine *machine,
                       struct nmc_misfit *out) {
    for (int i = 0; i < machine->level_count; i++) {
        const struct nmc_machine_level *level = &machine->levels[i];
        *out =
            (struct nmc_misfit){.level = i, .operands = level->can_keep, .available = level->size};
        for (int o = 0; o < NMC_MAP_OPERANDS; o++) {
            int64_t words = 1, bits;
            if (!(level->can_keep & 1u << o))
                continue;
            if (i == 0 &&
                !nmc_problem_words(problem, (enum nmc_map_operand)o, problem->size, &words))
                words = INT64_MAX / 1024;
            if (__builtin_mul_overflow(words, problem->word[o], &bits) ||
                __builtin_add_overflow(out->needed, bits, &out->needed))
                out->needed = INT64_MAX;
        }
        if (level->size && out->needed > level->size)
            return true;
    }
    return false;
}
