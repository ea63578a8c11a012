#include "mapping/cost.h"

#include <math.h>
#include <string.h>

#include "base/checked.h"
#include "mapping/costing.h"

/* ---- what stays the same ------------------------------------------------------------------ */

static struct nmc_access_rule rule(int64_t word, int64_t width) {
    if (width <= 0)
        return (struct nmc_access_rule){1, 0};
    const int64_t words = width / word;
    if (words > 0)
        return (struct nmc_access_rule){(double)words, 1};
    return (struct nmc_access_rule){1, (double)nmc_div_ceil(word, width)};
}

static void find_transfers(struct nmc_cost *cost, enum nmc_map_operand operand) {
    int parent = -1;
    bool outermost = true;
    for (int i = 0; i <= cost->levels; i++) {
        if (i < cost->levels && !(cost->machine->levels[i].can_keep & 1u << operand))
            continue;
        if (parent >= 0) {
            cost->transfers[cost->transfer_count++] =
                (struct nmc_transfer){operand, parent, i, outermost};
            outermost = false;
        }
        parent = i;
    }
}

void nmc_cost_init(struct nmc_cost *cost, const struct nmc_problem *problem,
                   const struct nmc_machine *machine) {
    *cost = (struct nmc_cost){.problem = problem,
                              .machine = machine,
                              .levels = machine->level_count,
                              .sees_order = machine->counting == NMC_COUNT_PORTS};
    double macs = 1;
    for (int d = 0; d < NMC_MAP_DIMS; d++)
        macs *= (double)problem->size[d];
    cost->macs_pj = macs * machine->mac_pj;
    for (int o = 0; o < NMC_MAP_OPERANDS; o++) {
        enum nmc_map_operand operand = (enum nmc_map_operand)o;
        int64_t word = problem->word[o];
        cost->slides[o] = nmc_problem_tensor(problem, operand) == NMC_MAP_INPUTS;
        for (int d = 0; d < NMC_MAP_DIMS; d++) {
            int axis;
            cost->moves[o][d] = nmc_problem_step(problem, operand, (enum nmc_map_dim)d, &axis) != 0;
        }
        for (int i = 0; i < cost->levels; i++) {
            const struct nmc_machine_level *level = &machine->levels[i];
            cost->read[i][o] = rule(word, level->read_width);
            cost->write[i][o] = rule(word, level->write_width);
            cost->down[i][o] = rule(word, level->down_width);
            cost->up[i][o] = rule(word, level->up_width);
        }
        find_transfers(cost, operand);
    }
}

void nmc_cost_unroll(struct nmc_cost *cost, const struct nmc_unrolling *unrolling,
                     int64_t temporal[NMC_MAP_DIMS]) {
    for (int d = 0; d < NMC_MAP_DIMS; d++) {
        cost->below[cost->levels][d] = 1;
        for (int i = cost->levels - 1; i >= 0; i--) {
            cost->spatial[i][d] =
                unrolling->count[i][NMC_MESH_X][d] * unrolling->count[i][NMC_MESH_Y][d];
            cost->below[i][d] = cost->below[i + 1][d] * cost->spatial[i][d];
        }
        temporal[d] = cost->problem->size[d] / cost->below[0][d];
    }
    double used = 1;
    for (int i = 0; i <= cost->levels; i++) {
        cost->instances[i] = used;
        for (int d = 0; d < NMC_MAP_DIMS && i < cost->levels; d++)
            used *= (double)cost->spatial[i][d];
    }
    cost->cycles = 1;
    for (int d = 0; d < NMC_MAP_DIMS; d++)
        cost->cycles *= (double)temporal[d];
}

double nmc_words_of(const struct nmc_cost *cost, enum nmc_map_operand operand,
                    const int64_t extent[NMC_MAP_DIMS]) {
    int64_t box[NMC_MAP_AXES];
    double words = 1;
    if (!nmc_problem_box(cost->problem, operand, extent, box))
        return INFINITY;
    for (int a = 0; a < NMC_MAP_AXES; a++)
        words *= (double)box[a];
    return words;
}

/* ---- paths -------------------------------------------------------------------------------- */

void nmc_path_init(const struct nmc_cost *cost, struct nmc_path *path) {
    path->above[0] = 0;
    path->visits[0] = 1;
    memcpy(path->held[0], cost->problem->size, sizeof path->held[0]);
    path->partition[0] = nmc_words_of(cost, NMC_MAP_OUTPUTS, path->held[0]);
}

void nmc_path_extend(const struct nmc_cost *cost, struct nmc_path *path, int level,
                     const int64_t outer[NMC_MAP_DIMS], const int64_t inner[NMC_MAP_DIMS],
                     const struct nmc_order *order) {
    int loops = path->above[level];
    double visits = path->visits[level];
    int64_t together[NMC_MAP_DIMS];
    for (int d = 0; d < NMC_MAP_DIMS; d++) {
        path->held[level + 1][d] = inner[d] * cost->below[level + 1][d];
        together[d] = path->held[level + 1][d] * cost->spatial[level][d];
    }
    for (int k = 0; k < order->count; k++, loops++) {
        int dim = order->dims[k];
        const int64_t count = outer[dim] / inner[dim];
        path->loops[loops].dim = dim;
        path->loops[loops].count = (double)count;
        path->loops[loops].inside = (double)together[dim];
        visits *= path->loops[loops].count;
    }
    path->above[level + 1] = loops;
    path->visits[level + 1] = visits;
    if (cost->machine->counting == NMC_COUNT_PORTS)
        return;
    double tile = nmc_words_of(cost, NMC_MAP_OUTPUTS, path->held[level + 1]);
    double all = nmc_words_of(cost, NMC_MAP_OUTPUTS, together);
    path->partition[level + 1] = floor(path->partition[level] * tile / all);
}

/* ---- transfers ---------------------------------------------------------------------------- */

double nmc_cost_cycles(const struct nmc_cost *cost, const struct nmc_rates *rates) {
    double worst = cost->cycles;
    for (int i = 0; i < cost->levels; i++) {
        const struct nmc_machine_level *level = &cost->machine->levels[i];
        if (level->read_rate > 0)
            worst = fmax(worst, ceil(rates->read[i] / level->read_rate));
        if (level->write_rate > 0)
            worst = fmax(worst, ceil(rates->written[i] / level->write_rate));
    }
    return worst;
}

/* The innermost loop outside `child` that moves the operand; -1: none does. *free: iterations of
 * the loops inside it. */
static int moving_loop(const struct nmc_cost *cost, const struct nmc_path *path, int child,
                       enum nmc_map_operand operand, double *free) {
    int k = path->above[child] - 1;
    *free = 1;
    while (k >= 0 && !cost->moves[operand][path->loops[k].dim])
        *free *= path->loops[k--].count;
    return k;
}

/* Words while the loops of one axis run, from nothing held; the last loop is the innermost. */
static double axis_words(const struct nmc_walk *walk) {
    int64_t words;
    return nmc_walk_any(walk, &words) ? (double)words : INFINITY;
}

/* Words delivered of the tensor that slides: the innermost loops of one axis share words between
 * neighbours, all others bring whole tiles. */
static double sliding_words(const struct nmc_cost *cost, const struct nmc_path *path, int child,
                            enum nmc_map_operand operand, int innermost, double visits) {
    struct nmc_walk walk = {.mode = NMC_WALK_FULL};
    int axis, first = innermost;
    nmc_problem_step(cost->problem, operand, (enum nmc_map_dim)path->loops[innermost].dim, &axis);
    int run_axis = axis;
    if (!nmc_problem_box(cost->problem, operand, path->held[child], walk.box))
        return INFINITY;
    if (run_axis < 2) /* batch and channels: neighbours share nothing */
        return visits * (double)walk.box[0] * (double)walk.box[1] * (double)walk.box[2] *
               (double)walk.box[3];
    while (first >= 0) {
        int dim = path->loops[first].dim;
        int64_t step = nmc_problem_step(cost->problem, operand, (enum nmc_map_dim)dim, &axis);
        if (step && axis != run_axis)
            break;
        first--;
    }
    for (int k = first + 1; k <= innermost; k++) {
        struct nmc_walk_loop *loop = &walk.loops[walk.count++];
        int64_t step =
            nmc_problem_step(cost->problem, operand, (enum nmc_map_dim)path->loops[k].dim, &axis);
        *loop = (struct nmc_walk_loop){.count = (int64_t)path->loops[k].count};
        loop->shift[run_axis] = step * (int64_t)path->loops[k].inside;
        visits /= path->loops[k].count;
    }
    return visits * axis_words(&walk);
}

static struct nmc_flow flow_into(const struct nmc_cost *cost, const struct nmc_path *path,
                                 const struct nmc_transfer *t) {
    struct nmc_flow flow = {.complete = true};
    double free;
    bool to_macs = t->child == cost->levels;
    bool sums = t->operand == NMC_MAP_OUTPUTS;
    int innermost = moving_loop(cost, path, t->child, t->operand, &free);
    flow.visits = path->visits[t->child] / (to_macs && sums ? 1 : free);
    for (int k = to_macs && sums ? path->above[t->child] - 1 : innermost; k >= 0; k--)
        flow.complete = flow.complete && cost->moves[t->operand][path->loops[k].dim];
    flow.complete = flow.complete && !(to_macs && sums);
    flow.first_parent = path->partition[t->parent];
    flow.first_child = path->partition[t->child];
    if (cost->machine->counting == NMC_COUNT_PORTS)
        return flow;
    if (to_macs)
        flow.words = path->visits[t->child];
    else if (innermost >= 0 && cost->slides[t->operand])
        flow.words = sliding_words(cost, path, t->child, t->operand, innermost, flow.visits);
    else
        flow.words = flow.visits * nmc_words_of(cost, t->operand, path->held[t->child]);
    return flow;
}

double nmc_cost_into(const struct nmc_cost *cost, const struct nmc_path *path, int child,
                     struct nmc_rates *rates) {
    double energy = 0;
    for (int i = 0; i < cost->transfer_count; i++) {
        const struct nmc_transfer *t = &cost->transfers[i];
        if (t->child != child)
            continue;
        struct nmc_flow flow = flow_into(cost, path, t);
        energy += cost->machine->counting == NMC_COUNT_PORTS
                      ? nmc_price_ports(cost, t, &flow, path->held[child], rates)
                      : nmc_price_words(cost, t, &flow, path->held, rates);
    }
    return energy;
}
