/*
 * count_ports.c - counting in accesses of a port's full width, as ZigZag does.
 *
 * A tile moves whole, as often as the loops outside it change it; loops that do not change it are
 * free where they run directly around it. A transfer takes whole multiples of the smallest part
 * of a port's width. Partial sums go out and come back at every visit, at full precision; sums
 * that are complete only go out. At the MACs a word that stays needs no second read.
 */
#include "base/checked.h"
#include "mapping/counting.h"

/* One transfer between a keeping level and the next one in that keeps the operand, or the MACs. */
struct transfer {
    int parent, child;    /* levels; child is level_count for the MACs */
    int64_t visits;       /* tiles that go by */
    bool complete;        /* no loop outside adds to the sums */
    int64_t parent_words; /* of all children of a parent */
    int64_t child_words;
};

/* Distinct words along an axis that slides: positions that a stride jumps over do not count, nor
 * does padding. */
static bool sliding_words(const struct nmc_problem *problem, int axis, int64_t positions,
                          int64_t taps, int64_t *words) {
    const int64_t count[NMC_MAP_DIMS] = {1, 1, 1, positions, 1, taps, 1};
    const int64_t apart[NMC_MAP_DIMS] = {1, 1, 1, 1, 1, 1, 1};
    struct nmc_problem one = nmc_problem_new();
    struct nmc_spread spread;
    one.stride[0] = problem->stride[axis];
    one.dilation[0] = problem->dilation[axis];
    if (!nmc_spread_of(&one, NMC_MAP_INPUTS, count, apart, &spread))
        return false;
    int64_t there = problem->extent[axis];
    *words = there && there < spread.groups ? there : spread.groups;
    return true;
}

static bool distinct_words(const struct nmc_problem *problem, enum nmc_map_operand operand,
                           const int64_t extent[NMC_MAP_DIMS], int64_t *words) {
    int64_t w, h;
    if (nmc_problem_tensor(problem, operand) != NMC_MAP_INPUTS)
        return nmc_problem_words(problem, operand, extent, words);
    return sliding_words(problem, 0, extent[NMC_MAP_P], extent[NMC_MAP_R], &w) &&
           sliding_words(problem, 1, extent[NMC_MAP_Q], extent[NMC_MAP_S], &h) &&
           nmc_product((int64_t[]){extent[NMC_MAP_N], extent[NMC_MAP_C], w, h}, 4, words);
}

static bool find_words(const struct nmc_map_counting *c, enum nmc_map_operand operand,
                       struct transfer *t) {
    const struct nmc_extents *e = &c->extents;
    int64_t all[NMC_MAP_DIMS];
    for (int d = 0; d < NMC_MAP_DIMS; d++) {
        all[d] = e->held[t->child][d];
        for (int i = t->parent; i < t->child; i++)
            all[d] *= e->spatial[i][d];
    }
    return distinct_words(c->problem, operand, all, &t->parent_words) &&
           distinct_words(c->problem, operand, e->held[t->child], &t->child_words);
}

/* Loops from the child outwards: the free ones first, then all count. */
static bool find_visits(const struct nmc_map_counting *c, enum nmc_map_operand operand,
                        struct transfer *t) {
    bool keeps_psum = operand == NMC_MAP_OUTPUTS && t->child == c->machine->level_count;
    bool free = !keeps_psum;
    t->visits = 1;
    t->complete = !keeps_psum;
    for (int i = t->child - 1; i >= 0; i--) {
        const struct nmc_loops *loops = &c->nest->levels[i].temporal;
        for (int k = loops->count - 1; k >= 0; k--) {
            int axis;
            bool moves = nmc_problem_step(c->problem, operand, loops->items[k].dim, &axis) != 0;
            free = free && !moves;
            if (free)
                continue;
            t->complete = t->complete && moves;
            if (!nmc_mul(t->visits, loops->items[k].count, &t->visits))
                return false;
        }
    }
    return true;
}

/* Accesses of all transfers of `words` each, in one direction of one level. */
static bool add_accesses(const struct nmc_map_counting *c, const struct transfer *t, int level,
                         enum nmc_map_operand operand, enum nmc_direction direction) {
    const struct nmc_machine_level *l = &c->machine->levels[level];
    bool read = direction == NMC_RH2L || direction == NMC_RL2H;
    int64_t width = read ? l->read_width : l->write_width;
    int64_t least = read ? l->read_least : l->write_least;
    bool complete = operand == NMC_MAP_OUTPUTS && t->complete;
    int64_t word = complete ? c->problem->final_word : c->problem->word[operand], units;
    int64_t *accesses = &c->out->traffic[level][operand].accesses[direction];
    if (!nmc_mul(level == t->parent ? t->parent_words : t->child_words, word, &units))
        return false;
    units = nmc_div_ceil(units, least);
    bool fits = nmc_product((int64_t[]){units, t->visits, c->out->instances[level]}, 3, &units);
    if (width % least == 0)
        *accesses = units / (width / least);
    else
        fits = fits && nmc_mul(units, least, &units) && (*accesses = units / width, true);
    return fits;
}

static bool add_transfer(const struct nmc_map_counting *c, const struct transfer *t,
                         enum nmc_map_operand operand) {
    bool to_macs = t->child == c->machine->level_count;
    bool down = operand != NMC_MAP_OUTPUTS || !t->complete;
    bool up = operand == NMC_MAP_OUTPUTS;
    return (!down || add_accesses(c, t, t->parent, operand, NMC_RH2L)) &&
           (!up || add_accesses(c, t, t->parent, operand, NMC_WL2H)) &&
           (to_macs || !down || add_accesses(c, t, t->child, operand, NMC_WH2L)) &&
           (to_macs || !up || add_accesses(c, t, t->child, operand, NMC_RL2H));
}

bool nmc_count_ports(struct nmc_map_counting *c, enum nmc_map_operand operand) {
    struct transfer t = {.child = c->machine->level_count};
    for (int i = c->machine->level_count - 1; i >= 0; i--) {
        if (!nmc_spread_of(c->problem, operand, c->extents.spatial[i], c->extents.held[i + 1],
                           &c->out->spread[i][operand]))
            return false;
        if (!nmc_keeps(c, i, operand))
            continue;
        t.parent = i;
        if (!find_words(c, operand, &t) || !find_visits(c, operand, &t) ||
            !add_transfer(c, &t, operand))
            return false;
        t.child = i;
    }
    return true;
}
