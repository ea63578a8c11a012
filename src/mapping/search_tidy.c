/* Fewer loops at the same cost: what is found first among equals is not always easy to read. */
#include <string.h>

#include "mapping/searching.h"

/* False if it does not fit. */
static bool price(struct nmc_search *s, const struct nmc_map_plan *plan, struct nmc_score *score) {
    int64_t outer[NMC_MAP_DIMS], inner[NMC_MAP_DIMS];
    int levels = s->cost.levels;
    double energy = s->cost.macs_pj;
    struct nmc_rates rates = {.read = {0}};
    memcpy(outer, s->whole, sizeof outer);
    nmc_path_init(&s->cost, &s->path);
    for (int i = 0; i < levels; i++) {
        for (int d = 0; d < NMC_MAP_DIMS; d++)
            inner[d] = outer[d] / plan->temporal[i][d];
        nmc_path_extend(&s->cost, &s->path, i, outer, inner, &plan->order[i]);
        if (i + 1 < levels && !nmc_cost_fits(&s->cost, i + 1, s->path.held[i + 1]))
            return false;
        energy += nmc_cost_into(&s->cost, &s->path, i + 1, s->wants_rates ? &rates : NULL);
        memcpy(outer, inner, sizeof outer);
    }
    *score = nmc_search_score(s, energy,
                              s->wants_rates ? nmc_cost_cycles(&s->cost, &rates) : s->cost.cycles);
    return true;
}

static void drop(struct nmc_order *order, int dim) {
    int kept = 0;
    for (int k = 0; k < order->count; k++)
        if (order->dims[k] != dim)
            order->dims[kept++] = order->dims[k];
    order->count = kept;
}

/* The loop of a dim at one level goes into that at another. */
static bool join(struct nmc_search *s, int dim, int from, int to) {
    struct nmc_map_plan *best = &s->out->plan, plan = *best;
    const struct nmc_map_limits *limits = &s->options->limits;
    struct nmc_score score;
    if (plan.temporal[from][dim] == 1 || plan.temporal[to][dim] == 1 ||
        limits->temporal[from][dim] || limits->temporal[to][dim])
        return false;
    plan.temporal[to][dim] *= plan.temporal[from][dim];
    plan.temporal[from][dim] = 1;
    drop(&plan.order[from], dim);
    if (!price(s, &plan, &score) || nmc_better(s->best_of_all, score))
        return false;
    s->best_of_all = score;
    *best = plan;
    return true;
}

void nmc_search_tidy(struct nmc_search *s) {
    nmc_search_unroll(s, &s->out->plan.unrolling);
    for (int dim = 0; dim < NMC_MAP_DIMS; dim++)
        for (int from = 0; from < s->cost.levels; from++)
            for (int to = 0; to < s->cost.levels; to++)
                if (from != to && join(s, dim, from, to))
                    break;
}
