/* The energy of one transfer, in words and in ports. */
#include <math.h>

#include "mapping/costing.h"
#include "mapping/spread.h"

static double accesses(struct nmc_access_rule rule, double words) {
    return words > 0 ? ceil(words / rule.per) * rule.each : 0;
}

/* ---- words -------------------------------------------------------------------------------- */

static bool has(const int64_t count[NMC_MAP_DIMS], int a, int b) {
    return count[a] > 1 && count[b] > 1;
}

/* Groups of children at one link. Only where two dims of one axis are unrolled side by side do
 * they depend on the tiles. */
static double groups_at(const struct nmc_cost *cost, enum nmc_map_operand operand, int link,
                        const int64_t (*held)[NMC_MAP_DIMS]) {
    const int64_t *count = cost->spatial[link];
    bool two = cost->slides[operand] &&
               (has(count, NMC_MAP_P, NMC_MAP_R) || has(count, NMC_MAP_Q, NMC_MAP_S));
    double groups = 1;
    if (two && held) {
        struct nmc_spread spread;
        return nmc_spread_of(cost->problem, operand, count, held[link + 1], &spread)
                   ? (double)spread.groups
                   : INFINITY;
    }
    for (int d = 0; d < NMC_MAP_DIMS; d++)
        if (cost->moves[operand][d])
            groups *= (double)count[d];
    if (!two)
        return groups;
    for (int i = 0; i < 2; i++) { /* as few as if all were one step apart */
        double a = (double)count[NMC_MAP_P + i], b = (double)count[NMC_MAP_R + i];
        groups *= (a + b - 1) / (a * b);
    }
    return groups;
}

static double network_pj(const struct nmc_cost *cost, const struct nmc_transfer *t, int link,
                         double down, double up) {
    const struct nmc_machine_level *level = &cost->machine->levels[link];
    double children = cost->instances[link + 1];
    return accesses(cost->down[link][t->operand], down * children) * level->down_pj +
           accesses(cost->up[link][t->operand], up * children) * level->up_pj;
}

static double sums_without(double words, double first) {
    return words > first ? words - first : 0;
}

double nmc_price_words(const struct nmc_cost *cost, const struct nmc_transfer *t,
                       const struct nmc_flow *flow, const int64_t (*held)[NMC_MAP_DIMS],
                       struct nmc_rates *rates) {
    const struct nmc_machine *machine = cost->machine;
    const struct nmc_machine_level *parent = &machine->levels[t->parent];
    enum nmc_map_operand o = t->operand;
    bool sums = o == NMC_MAP_OUTPUTS, elide = !machine->count_first_reads,
         inside = t->child < cost->levels;
    double fills = sums ? sums_without(flow->words, elide ? flow->first_child : 0) : flow->words;
    double asked = flow->words, back = inside ? fills : 0, energy = 0;
    for (int link = t->child - 1; link >= t->parent; link--) {
        double groups = groups_at(cost, o, link, held);
        energy += network_pj(cost, t, link, sums ? back : asked, sums ? asked : 0);
        asked *= groups;
        back *= groups;
    }
    double reads = sums ? sums_without(asked, elide ? flow->first_parent : 0) : asked;
    double updates = sums ? asked : 0, word = (double)cost->problem->word[o];
    energy += cost->instances[t->parent] *
              (accesses(cost->read[t->parent][o], reads) * parent->read_pj +
               accesses(cost->write[t->parent][o], updates) * parent->update_pj);
    if (rates) {
        rates->read[t->parent] += reads * word;
        rates->written[t->parent] += updates * word;
    }
    if (!inside)
        return energy;
    const struct nmc_machine_level *child = &machine->levels[t->child];
    double drains = sums && machine->count_drains ? flow->words : 0;
    energy +=
        cost->instances[t->child] * (accesses(cost->write[t->child][o], fills) * child->fill_pj +
                                     accesses(cost->read[t->child][o], drains) * child->read_pj);
    if (rates) {
        rates->written[t->child] += fills * word;
        rates->read[t->child] += drains * word;
    }
    return energy;
}

/* ---- ports -------------------------------------------------------------------------------- */

/* Words in so many runs, one step apart. */
static double words_in_runs(int64_t runs, int64_t step, int64_t length) {
    if (length >= step)
        return (double)(runs - 1) * (double)step + (double)length;
    return (double)runs * (double)length;
}

static double words_anyhow(const struct nmc_problem *problem, int axis, int64_t positions,
                           int64_t taps) {
    const int64_t count[NMC_MAP_DIMS] = {1, 1, 1, positions, 1, taps, 1};
    const int64_t apart[NMC_MAP_DIMS] = {1, 1, 1, 1, 1, 1, 1};
    struct nmc_problem one = nmc_problem_new();
    struct nmc_spread spread;
    one.stride[0] = problem->stride[axis];
    one.dilation[0] = problem->dilation[axis];
    return nmc_spread_of(&one, NMC_MAP_INPUTS, count, apart, &spread) ? (double)spread.groups
                                                                      : INFINITY;
}

/* Distinct words of an axis that slides; padding and what a stride jumps over do not count. */
static double distinct_along(const struct nmc_problem *problem, int axis, int64_t positions,
                             int64_t taps) {
    double words, there = (double)problem->extent[axis];
    if (problem->dilation[axis] == 1)
        words = words_in_runs(positions, problem->stride[axis], taps);
    else if (problem->stride[axis] == 1)
        words = words_in_runs(taps, problem->dilation[axis], positions);
    else
        words = words_anyhow(problem, axis, positions, taps);
    return there > 0 && there < words ? there : words;
}

static double distinct_words(const struct nmc_cost *cost, enum nmc_map_operand operand,
                             const int64_t extent[NMC_MAP_DIMS]) {
    if (!cost->slides[operand])
        return nmc_words_of(cost, operand, extent);
    return (double)extent[NMC_MAP_N] * (double)extent[NMC_MAP_C] *
           distinct_along(cost->problem, 0, extent[NMC_MAP_P], extent[NMC_MAP_R]) *
           distinct_along(cost->problem, 1, extent[NMC_MAP_Q], extent[NMC_MAP_S]);
}

/* Accesses of full width for so many transfers of so many bits. */
static double port_accesses(double bits, double times, int64_t least, int64_t width) {
    return floor(ceil(bits / (double)least) * times * (double)least / (double)width);
}

double nmc_price_ports(const struct nmc_cost *cost, const struct nmc_transfer *t,
                       const struct nmc_flow *flow, const int64_t tile[NMC_MAP_DIMS],
                       struct nmc_rates *rates) {
    const struct nmc_machine_level *parent = &cost->machine->levels[t->parent];
    bool sums = t->operand == NMC_MAP_OUTPUTS, inside = t->child < cost->levels;
    bool down = !sums || !flow->complete;
    double word = (double)(sums && flow->complete ? cost->problem->final_word
                                                  : cost->problem->word[t->operand]);
    int64_t together[NMC_MAP_DIMS];
    for (int d = 0; d < NMC_MAP_DIMS; d++) {
        together[d] = tile[d];
        for (int i = t->parent; i < t->child; i++)
            together[d] *= cost->spatial[i][d];
    }
    double bits = distinct_words(cost, t->operand, together) * word;
    double times = flow->visits * cost->instances[t->parent];
    double read = down ? port_accesses(bits, times, parent->read_least, parent->read_width) : 0;
    double written =
        sums ? port_accesses(bits, times, parent->write_least, parent->write_width) : 0;
    double energy = read * parent->read_pj + written * parent->update_pj;
    if (rates) {
        rates->read[t->parent] += read * (double)parent->read_width / cost->instances[t->parent];
        rates->written[t->parent] +=
            written * (double)parent->write_width / cost->instances[t->parent];
    }
    if (!inside)
        return energy;
    const struct nmc_machine_level *child = &cost->machine->levels[t->child];
    bits = distinct_words(cost, t->operand, tile) * word;
    times = flow->visits * cost->instances[t->child];
    read = sums ? port_accesses(bits, times, child->read_least, child->read_width) : 0;
    written = down ? port_accesses(bits, times, child->write_least, child->write_width) : 0;
    if (rates) {
        rates->read[t->child] += read * (double)child->read_width / cost->instances[t->child];
        rates->written[t->child] +=
            written * (double)child->write_width / cost->instances[t->child];
    }
    return energy + read * child->read_pj + written * child->fill_pj;
}
