#include "mapping/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mapping/searching.h"

#define EVERY (SIZE_MAX / 4)

const struct nmc_score nmc_no_score = {INFINITY, INFINITY};

const char *const nmc_map_reach_names[NMC_REACHES] = {
    "all mappings", "all tilings and reuse orders",
    "mappings looked into, a better one not ruled out", "until stopped", "given"};

const char *const nmc_map_reach_keys[NMC_REACHES] = {"all", "orders", "limit", "stopped", "given"};

struct nmc_score nmc_search_score(const struct nmc_search *s, double energy, double cycles) {
    switch (s->options->objective) {
    case NMC_MAP_LATENCY: return (struct nmc_score){cycles, energy};
    case NMC_MAP_EDP: return (struct nmc_score){energy * cycles, energy};
    default: return (struct nmc_score){energy, cycles};
    }
}

bool nmc_search_goes_on(struct nmc_search *s) {
    s->out->steps++;
    s->work++;
    s->ended = s->ended || s->work >= s->most_work;
    if (s->out->found && s->options->stop && *s->options->stop)
        s->stopped = s->ended = true;
    return !s->ended && !s->failed;
}

bool nmc_search_may_better(const struct nmc_search *s, const struct nmc_candidate *candidate) {
    return !s->ended && nmc_better(candidate->least, s->best_of_all);
}

/* ---- unrollings --------------------------------------------------------------------------- */

/* The least that an unrolling can come to: cheap to know, so that few are looked into. */
static struct nmc_score least_of(struct nmc_search *s) {
    static const int64_t one[NMC_MAP_DIMS] = {1, 1, 1, 1, 1, 1, 1};
    double energy = s->cost.macs_pj + nmc_cost_least(&s->cost, s->cost.levels, one, s->whole);
    for (int level = 1; level < s->cost.levels; level++)
        energy += nmc_cost_compulsory(&s->cost, level, s->whole);
    return nmc_search_score(s, energy, s->cost.cycles);
}

void nmc_search_unroll(struct nmc_search *s, const struct nmc_unrolling *unrolling) {
    s->unrolling = unrolling;
    nmc_cost_unroll(&s->cost, unrolling, s->whole);
    memcpy(s->tiling.extent[0], s->whole, sizeof s->whole);
}

int nmc_score_order(struct nmc_score a, struct nmc_score b) {
    return nmc_better(a, b) ? -1 : nmc_better(b, a);
}

static int by_least(const void *a, const void *b) {
    const struct nmc_candidate *x = a, *y = b;
    int order = nmc_score_order(x->least, y->least);
    return order ? order : x->unrolling < y->unrolling ? -1 : x->unrolling > y->unrolling;
}

static struct nmc_candidate *rank(struct nmc_search *s, const struct nmc_unrolling *unrollings,
                                  size_t count) {
    struct nmc_candidate *all = nmc_malloc((count + 1) * sizeof *all);
    for (size_t i = 0; all && i < count; i++) {
        nmc_search_unroll(s, &unrollings[i]);
        all[i] = (struct nmc_candidate){
            .unrolling = &unrollings[i], .least = least_of(s), .reached = nmc_no_score};
    }
    if (all)
        qsort(all, count, sizeof *all, by_least);
    return all;
}

/* Few enough that every order of every level can be tried. */
static bool is_small(struct nmc_search *s, const struct nmc_candidate *all, size_t count) {
    enum { FEW = 100000 };
    if (!count)
        return true;
    nmc_search_unroll(s, all[0].unrolling);
    nmc_lattice_init(s->lattice, s->whole);
    return nmc_lattice_chains(s->lattice, s->cost.levels) * (double)count <= FEW;
}

/* All tilings of every unrolling that may still hold something better; false: memory. *proved:
 * there is none that was not looked into. */
static bool prove(struct nmc_search *s, struct nmc_candidate *all, size_t count, bool *proved) {
    bool good = true;
    *proved = true;
    qsort(all, count, sizeof *all, by_least);
    for (size_t i = 0; good && i < count && nmc_search_may_better(s, &all[i]); i++) {
        nmc_search_unroll(s, all[i].unrolling);
        s->best = s->best_of_all;
        good = nmc_space_open(s, NMC_ALL_DIMS);
        if (good)
            nmc_search_layers(s, EVERY);
        good = good && !s->failed;
        *proved = *proved && !s->ended && !s->lattice->thinned;
    }
    return good;
}

static bool search_all(struct nmc_search *s, const struct nmc_unrolling *unrollings, size_t count) {
    bool proved = false;
    struct nmc_candidate *all = rank(s, unrollings, count);
    if (!all)
        return false;
    s->all_orders = is_small(s, all, count);
    s->most_work = NMC_LIMIT_MAP_CLIMB;
    bool good = nmc_search_climb(s, all, count);
    if (good && !s->stopped) {
        s->ended = false;
        s->most_work = s->work + (s->options->steps ? s->options->steps : NMC_LIMIT_MAP_STEPS);
        good = prove(s, all, count, &proved);
    }
    if (good && s->out->found)
        nmc_search_tidy(s);
    if (good)
        s->out->reach = s->stopped      ? NMC_REACH_STOPPED
                        : !proved       ? NMC_REACH_BOUND
                        : s->all_orders ? NMC_REACH_ALL
                                        : NMC_REACH_ORDERS;
    nmc_free(all);
    return good;
}

static bool has_limit_of_rate(const struct nmc_machine *machine) {
    for (int i = 0; i < machine->level_count; i++)
        if (machine->levels[i].read_rate > 0 || machine->levels[i].write_rate > 0)
            return true;
    return false;
}

static void release(struct nmc_search *s) {
    for (int i = 0; i < 1 << NMC_MAP_DIMS; i++)
        nmc_free(s->orders[i].items);
    nmc_free(s->limited.items);
    for (int i = 0; i <= NMC_LIMIT_MAP_LEVELS; i++) {
        nmc_free(s->layers[i].partials);
        nmc_free(s->layers[i].slots);
    }
    nmc_free(s->tables);
    nmc_free(s->choices);
    nmc_free(s->lattice);
    nmc_free(s);
}

static struct nmc_search *new_search(const struct nmc_problem *problem,
                                     const struct nmc_machine *machine,
                                     const struct nmc_search_options *options,
                                     struct nmc_search_result *out) {
    struct nmc_search *s = nmc_malloc(sizeof *s);
    if (!s)
        return NULL;
    *s = (struct nmc_search){.problem = problem,
                             .machine = machine,
                             .options = options,
                             .best_of_all = nmc_no_score,
                             .out = out};
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
    struct nmc_search *s = new_search(problem, machine, options, out);
    struct nmc_unrolling *unrollings =
        s && s->lattice ? nmc_unrollings(problem, machine, &options->limits, &count, &cut) : NULL;
    bool good = unrollings;
    if (good && nmc_cost_fits(&s->cost, 0, problem->size))
        good = search_all(s, unrollings, count);
    out->unrollings = (int64_t)count;
    if (cut && out->reach != NMC_REACH_STOPPED)
        out->reach = NMC_REACH_BOUND;
    nmc_free(unrollings);
    if (s)
        release(s);
    return good ? NEUROMC_OK : nmc_out_of_memory(diags);
}
