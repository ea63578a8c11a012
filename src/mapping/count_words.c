/*
 * count_words.c - counting in words: each level serves what its children ask of it, and gets what
 * the walk of its tile brings.
 */
#include "base/checked.h"
#include "mapping/counting.h"

/* The loops above one tile of `level`, with the moves of its box. */
static bool make_walk(const struct nmc_map_counting *c, int level, enum nmc_map_operand operand,
                      struct nmc_walk *walk) {
    const struct nmc_extents *e = &c->extents;
    walk->count = 0;
    walk->mode = c->walk;
    for (int i = 0; i < level; i++) {
        const struct nmc_loops *loops = &c->nest->levels[i].temporal;
        int64_t inside[NMC_MAP_DIMS];
        for (int d = 0; d < NMC_MAP_DIMS; d++)
            inside[d] = e->held[i + 1][d] * e->spatial[i][d];
        for (int k = loops->count - 1; k >= 0; k--) {
            struct nmc_walk_loop *loop = &walk->loops[walk->count + k];
            int axis;
            int64_t step = nmc_problem_step(c->problem, operand, loops->items[k].dim, &axis);
            *loop = (struct nmc_walk_loop){.count = loops->items[k].count};
            if (!nmc_mul(step, inside[loops->items[k].dim], &loop->shift[axis]))
                return false;
            inside[loops->items[k].dim] *= loops->items[k].count;
        }
        walk->count += loops->count;
    }
    return nmc_problem_box(c->problem, operand, e->held[level], walk->box);
}

/* Words that one instance of `level` gets from its parent; a MAC gets one for each MAC. */
static bool delivered(const struct nmc_map_counting *c, int level, enum nmc_map_operand operand,
                      int64_t *words) {
    struct nmc_walk walk;
    if (level == c->machine->level_count) {
        *words = c->out->compute_cycles;
        return true;
    }
    return make_walk(c, level, operand, &walk) && nmc_walk_any(&walk, words);
}

/* Where the box slides, the share of an instance is not exact; a count is never negative. */
static int64_t without(int64_t words, int64_t first) {
    return words > first ? words - first : 0;
}

/* A level's words, from what its children ask of it and what its parent delivers to it. */
static void set_words(const struct nmc_map_counting *c, enum nmc_map_operand operand, int64_t asked,
                      int64_t from_parent, bool outermost, struct nmc_traffic *traffic) {
    int64_t first = c->machine->count_first_reads ? 0 : traffic->partition;
    if (operand == NMC_MAP_OUTPUTS) {
        traffic->updates = asked;
        traffic->reads = traffic->reductions = without(asked, first);
        traffic->fills = outermost ? 0 : without(from_parent, first);
        traffic->drains = outermost || !c->machine->count_drains ? 0 : from_parent;
        traffic->addresses = traffic->updates + traffic->fills;
    } else {
        traffic->reads = asked;
        traffic->fills = outermost ? 0 : from_parent;
        traffic->addresses = traffic->reads + traffic->fills;
    }
}

static bool set_accesses(const struct nmc_map_counting *c, int level, int64_t word,
                         struct nmc_traffic *t) {
    const struct nmc_machine_level *l = &c->machine->levels[level];
    int64_t *a = t->accesses, instances = c->out->instances[level];
    bool fits = nmc_accesses(t->reads, word, l->read_width, &a[NMC_RH2L]) &&
                nmc_accesses(t->updates, word, l->write_width, &a[NMC_WL2H]) &&
                nmc_accesses(t->drains, word, l->read_width, &a[NMC_RL2H]) &&
                nmc_accesses(t->fills, word, l->write_width, &a[NMC_WH2L]);
    for (int d = 0; d < NMC_DIRECTIONS; d++)
        fits = fits && nmc_mul(a[d], instances, &a[d]);
    return fits;
}

static int outermost_keeping(const struct nmc_map_counting *c, enum nmc_map_operand operand) {
    int level = 0;
    while (!nmc_keeps(c, level, operand))
        level++;
    return level;
}

/* Accesses of the network inside a level: down to each child, and up from each. Sums come back as
 * often as the child that keeps them is filled. */
static bool count_network(struct nmc_map_counting *c, int level, enum nmc_map_operand operand,
                          int64_t words, int64_t fills) {
    const struct nmc_machine_level *l = &c->machine->levels[level];
    struct nmc_map_counts *out = c->out;
    int64_t children =
        level + 1 < c->machine->level_count ? out->instances[level + 1] : out->macs_used;
    int64_t down = operand == NMC_MAP_OUTPUTS ? fills : words, word = c->problem->word[operand];
    int64_t up = operand == NMC_MAP_OUTPUTS ? words : 0;
    return (!l->down_width ||
            (nmc_mul(down, children, &down) &&
             nmc_accesses(down, word, l->down_width, &out->down[level][operand]))) &&
           (!l->up_width || (nmc_mul(up, children, &up) &&
                             nmc_accesses(up, word, l->up_width, &out->up[level][operand])));
}

/* From the MACs outwards: what passes each link, and what each keeping level does about it. */
bool nmc_count_words(struct nmc_map_counting *c, enum nmc_map_operand operand) {
    int levels = c->machine->level_count, outermost = outermost_keeping(c, operand);
    int64_t each, fills = 0;
    if (!delivered(c, levels, operand, &each))
        return false;
    for (int i = levels - 1; i >= 0; i--) {
        struct nmc_spread *spread = &c->out->spread[i][operand];
        int64_t asked;
        if (!nmc_spread_of(c->problem, operand, c->extents.spatial[i], c->extents.held[i + 1],
                           spread) ||
            !nmc_mul(each, spread->groups, &asked) || !count_network(c, i, operand, each, fills))
            return false;
        if (operand == NMC_MAP_OUTPUTS &&
            !nmc_mul(each, spread->children - spread->groups, &c->out->spatial_reductions[i]))
            return false;
        each = asked;
        if (!nmc_keeps(c, i, operand)) {
            if (!nmc_mul(fills, spread->groups, &fills))
                return false;
            continue;
        }
        struct nmc_traffic *traffic = &c->out->traffic[i][operand];
        if (!delivered(c, i, operand, &each))
            return false;
        set_words(c, operand, asked, each, i == outermost, traffic);
        fills = traffic->fills;
        each = i == outermost ? 0 : each; /* nothing comes from farther out */
        if (!set_accesses(c, i, c->problem->word[operand], traffic))
            return false;
    }
    return true;
}
