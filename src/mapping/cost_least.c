/*
 * cost_least.c - the least that the transfers into one tile can come to, whatever the loops
 * outside.
 *
 * The innermost loop outside a tile is irrelevant to one operand at most, so at most one operand
 * is free of any loops; the others come anew with every iteration. Words that slide can be shared
 * along one axis only, and there each word comes at least once. The least is taken over the three
 * blocks of dims that can stand innermost.
 */
#include <math.h>
#include <string.h>

#include "mapping/costing.h"

struct outside {
    int64_t count[NMC_MAP_DIMS]; /* iterations of each dim outside the tile */
    double all;
    int64_t held[NMC_MAP_DIMS];  /* the tile */
    int64_t whole[NMC_MAP_DIMS]; /* temporal extents of all */
};

bool nmc_cost_fits(const struct nmc_cost *cost, int level, const int64_t held[NMC_MAP_DIMS]) {
    const struct nmc_machine_level *l = &cost->machine->levels[level];
    double needed = 0;
    if (!l->size)
        return true;
    for (int o = 0; o < NMC_MAP_OPERANDS; o++)
        if (l->can_keep & 1u << o)
            needed +=
                nmc_words_of(cost, (enum nmc_map_operand)o, held) * (double)cost->problem->word[o];
    return needed <= (double)l->size;
}

/* Iterations of the dims that do not move an operand. */
static double still(const struct nmc_cost *cost, enum nmc_map_operand operand,
                    const struct outside *out) {
    double count = 1;
    for (int d = 0; d < NMC_MAP_DIMS; d++)
        if (!cost->moves[operand][d])
            count *= (double)out->count[d];
    return count;
}

/* Words along an axis that one sweep of its loops brings at least: those of the longer of the two
 * sweeps, whose steps are the tile's own at least. */
static double least_along(const struct nmc_problem *problem, const struct outside *out, int axis) {
    int p = NMC_MAP_P + axis, r = NMC_MAP_R + axis;
    double step_p = (double)(out->held[p] * problem->stride[axis]);
    double step_r = (double)(out->held[r] * problem->dilation[axis]);
    double extent =
        step_p - (double)problem->stride[axis] + step_r - (double)problem->dilation[axis] + 1;
    double by_p = (double)(out->count[p] - 1) * fmin(step_p, extent);
    double by_r = (double)(out->count[r] - 1) * fmin(step_r, extent);
    return (extent + fmax(by_p, by_r)) / extent;
}

/* Least words of the tensor that slides: one axis shares them. */
static double least_sliding(const struct nmc_cost *cost, enum nmc_map_operand operand,
                            const struct outside *out, double visits) {
    double tile = nmc_words_of(cost, operand, out->held), least = visits * tile;
    for (int axis = 0; axis < 2; axis++) {
        double along = (double)out->count[NMC_MAP_P + axis] * (double)out->count[NMC_MAP_R + axis];
        least = fmin(least, visits / along * tile * least_along(cost->problem, out, axis));
    }
    return least;
}

/* Distinct words of that tensor, at least: unrolled dims may lie apart in any way. */
static double distinct_sliding(const struct outside *out) {
    const int64_t *e = out->held;
    return (double)e[NMC_MAP_N] * (double)e[NMC_MAP_C] *
           fmax((double)e[NMC_MAP_P], (double)e[NMC_MAP_R]) *
           fmax((double)e[NMC_MAP_Q], (double)e[NMC_MAP_S]);
}

/* Words of the outputs that one instance of a level ever holds, at most. Where they do not slide
 * they are divided evenly. */
static double most_held(const struct nmc_cost *cost, int level, const struct outside *out) {
    double words = 1;
    if (cost->slides[NMC_MAP_OUTPUTS])
        return nmc_words_of(cost, NMC_MAP_OUTPUTS, cost->problem->size);
    for (int d = 0; d < NMC_MAP_DIMS; d++)
        if (cost->moves[NMC_MAP_OUTPUTS][d])
            words *= (double)(out->whole[d] * cost->below[level][d]);
    return words;
}

static double least_transfer(const struct nmc_cost *cost, const struct nmc_transfer *t,
                             const struct outside *out, bool free) {
    struct nmc_flow flow = {.first_parent = most_held(cost, t->parent, out),
                            .first_child = most_held(cost, t->child, out)};
    bool to_macs = t->child == cost->levels, sums = t->operand == NMC_MAP_OUTPUTS;
    double standing = still(cost, t->operand, out);
    flow.visits = out->all / (free && !(to_macs && sums) ? standing : 1);
    flow.complete = !(to_macs && sums) && (free || standing == 1);
    if (cost->machine->counting == NMC_COUNT_PORTS)
        return nmc_price_ports(cost, t, &flow, out->held, NULL);
    if (to_macs)
        flow.words = cost->cycles;
    else if (cost->slides[t->operand] && out->all == 1)
        flow.words = distinct_sliding(out);
    else if (cost->slides[t->operand])
        flow.words = least_sliding(cost, t->operand, out, flow.visits);
    else
        flow.words = flow.visits * nmc_words_of(cost, t->operand, out->held);
    return nmc_price_words(cost, t, &flow, NULL, NULL);
}

/* The dims that do not move an operand stand innermost. */
static double least_with(const struct nmc_cost *cost, int child, const struct outside *out,
                         int free_operand) {
    double energy = 0;
    for (int i = 0; i < cost->transfer_count; i++)
        if (cost->transfers[i].child == child)
            energy += least_transfer(cost, &cost->transfers[i], out,
                                     (int)cost->transfers[i].operand == free_operand);
    return energy;
}

double nmc_cost_least(const struct nmc_cost *cost, int child, const int64_t temporal[NMC_MAP_DIMS],
                      const int64_t whole[NMC_MAP_DIMS]) {
    struct outside out = {.all = 1};
    double least = INFINITY;
    for (int d = 0; d < NMC_MAP_DIMS; d++) {
        out.held[d] = temporal[d] * cost->below[child][d];
        out.count[d] = whole[d] / temporal[d];
        out.whole[d] = whole[d];
        out.all *= (double)out.count[d];
    }
    if (child < cost->levels && !nmc_cost_fits(cost, child, out.held))
        return INFINITY;
    for (int o = 0; o < NMC_MAP_OPERANDS; o++)
        if (out.all == 1 || still(cost, (enum nmc_map_operand)o, &out) > 1)
            least = fmin(least, least_with(cost, child, &out, o));
    return least;
}

double nmc_cost_compulsory(const struct nmc_cost *cost, int child,
                           const int64_t whole[NMC_MAP_DIMS]) {
    struct outside out = {.all = 1};
    double energy = 0;
    for (int d = 0; d < NMC_MAP_DIMS; d++) {
        out.held[d] = whole[d] * cost->below[child][d];
        out.count[d] = 1;
        out.whole[d] = whole[d];
    }
    for (int i = 0; i < cost->transfer_count; i++)
        if (cost->transfers[i].child == child)
            energy += least_transfer(cost, &cost->transfers[i], &out, true);
    return energy;
}
