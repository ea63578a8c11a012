#include "mapping/count.h"

#include <math.h>
#include <string.h>

#include "base/checked.h"

/* The extents of a nest, level by level. */
struct extents {
    int64_t temporal[NMC_LIMIT_MAP_LEVELS][NMC_MAP_DIMS];
    int64_t spatial[NMC_LIMIT_MAP_LEVELS][NMC_MAP_DIMS];
    int64_t held[NMC_LIMIT_MAP_LEVELS + 1][NMC_MAP_DIMS]; /* by one instance; last: by a MAC */
};

struct counting {
    const struct nmc_problem *problem;
    const struct nmc_machine *machine;
    const struct nmc_nest *nest;
    const struct nmc_count_options *options;
    struct extents extents;
    struct nmc_map_counts *out;
};

static void multiply_in(const struct nmc_loops *loops, int64_t extent[NMC_MAP_DIMS]) {
    for (int i = 0; i < loops->count; i++)
        extent[loops->items[i].dim] *= loops->items[i].count;
}

static void find_extents(struct counting *c) {
    struct extents *e = &c->extents;
    int levels = c->machine->level_count;
    for (int d = 0; d < NMC_MAP_DIMS; d++)
        e->held[levels][d] = 1;
    for (int i = levels - 1; i >= 0; i--) {
        const struct nmc_nest_level *level = &c->nest->levels[i];
        for (int d = 0; d < NMC_MAP_DIMS; d++)
            e->temporal[i][d] = e->spatial[i][d] = 1;
        multiply_in(&level->temporal, e->temporal[i]);
        for (int mesh = 0; mesh < NMC_MESHES; mesh++)
            multiply_in(&level->spatial[mesh], e->spatial[i]);
        for (int d = 0; d < NMC_MAP_DIMS; d++)
            e->held[i][d] = e->held[i + 1][d] * e->temporal[i][d] * e->spatial[i][d];
    }
}

static bool find_instances(struct counting *c) {
    struct nmc_map_counts *out = c->out;
    int64_t used = 1, along;
    for (int i = 0; i < c->machine->level_count; i++) {
        out->instances[i] = used;
        if (!nmc_product(c->extents.spatial[i], NMC_MAP_DIMS, &along) ||
            !nmc_mul(used, along, &used))
            return false;
    }
    out->macs_used = used;
    if (!nmc_problem_macs(c->problem, &out->macs))
        return false;
    out->compute_cycles = out->cycles = out->macs / used;
    out->mac_pj = (double)out->macs * c->machine->mac_pj;
    return true;
}

/* The loops above one tile of `level`, with the moves of its box. */
static bool make_walk(const struct counting *c, int level, enum nmc_map_operand operand,
                      struct nmc_walk *walk) {
    const struct extents *e = &c->extents;
    walk->count = 0;
    walk->mode = c->options->walk;
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
static bool delivered(const struct counting *c, int level, enum nmc_map_operand operand,
                      int64_t *words) {
    struct nmc_walk walk;
    if (level == c->machine->level_count) {
        *words = c->out->compute_cycles;
        return true;
    }
    return make_walk(c, level, operand, &walk) && nmc_walk_any(&walk, words);
}

static bool find_partitions(struct counting *c, enum nmc_map_operand operand) {
    const struct extents *e = &c->extents;
    int64_t partition = 0, tile, all;
    for (int i = 0; i < c->machine->level_count; i++) {
        if (!nmc_problem_words(c->problem, operand, e->held[i], &tile))
            return false;
        if (i == 0) {
            partition = tile;
        } else {
            int64_t together[NMC_MAP_DIMS];
            for (int d = 0; d < NMC_MAP_DIMS; d++)
                together[d] = e->held[i][d] * e->spatial[i - 1][d];
            if (!nmc_problem_words(c->problem, operand, together, &all) ||
                !nmc_mul(partition, tile, &partition))
                return false;
            partition /= all;
        }
        c->out->traffic[i][operand].capacity = tile;
        c->out->traffic[i][operand].partition = partition;
    }
    return true;
}

/* A level's counts from what its children ask of it and what its parent delivers to it. */
static void set_traffic(const struct counting *c, enum nmc_map_operand operand, int64_t asked,
                        int64_t from_parent, bool outermost, struct nmc_traffic *traffic) {
    int64_t first = c->options->count_first_reads ? 0 : traffic->partition;
    traffic->reads = asked;
    traffic->fills = outermost ? 0 : from_parent;
    if (operand == NMC_MAP_OUTPUTS) {
        traffic->updates = asked;
        traffic->reads = traffic->reductions = asked - first;
        traffic->fills = outermost ? 0 : from_parent - first;
        traffic->addresses = traffic->updates + traffic->fills;
    } else {
        traffic->addresses = traffic->reads + traffic->fills;
    }
}

static int outermost_keeping(const struct counting *c, enum nmc_map_operand operand) {
    int level = 0;
    while (!(c->nest->levels[level].keep & 1u << operand))
        level++;
    return level;
}

/* From the MACs outwards: what passes each link, and what each keeping level does about it. */
static bool count_operand(struct counting *c, enum nmc_map_operand operand) {
    int levels = c->machine->level_count, outermost = outermost_keeping(c, operand);
    int64_t each;
    if (!find_partitions(c, operand) || !delivered(c, levels, operand, &each))
        return false;
    for (int i = levels - 1; i >= 0; i--) {
        struct nmc_spread *spread = &c->out->spread[i][operand];
        int64_t asked;
        if (!nmc_spread_of(c->problem, operand, c->extents.spatial[i], c->extents.held[i + 1],
                           spread) ||
            !nmc_mul(each, spread->groups, &asked))
            return false;
        if (operand == NMC_MAP_OUTPUTS &&
            !nmc_mul(each, spread->children - spread->groups, &c->out->spatial_reductions[i]))
            return false;
        each = asked;
        if (!(c->nest->levels[i].keep & 1u << operand))
            continue;
        if (!delivered(c, i, operand, &each))
            return false;
        set_traffic(c, operand, asked, each, i == outermost, &c->out->traffic[i][operand]);
    }
    return true;
}

static double accesses(int64_t words, int64_t block) {
    return (double)nmc_div_ceil(words, block);
}

static void price(struct counting *c) {
    double total = 0;
    for (int i = 0; i < c->machine->level_count; i++) {
        const struct nmc_machine_level *level = &c->machine->levels[i];
        for (int o = 0; o < NMC_MAP_OPERANDS; o++) {
            struct nmc_traffic *t = &c->out->traffic[i][o];
            double one = accesses(t->reads, level->block_words) * level->read_pj +
                         accesses(t->fills, level->block_words) * level->fill_pj +
                         accesses(t->updates, level->block_words) * level->update_pj;
            t->energy_pj = one * (double)c->out->instances[i];
            total += t->energy_pj;
        }
    }
    c->out->total_pj = total + c->out->mac_pj;
}

/* Which part of full speed a limit leaves at a rate. */
static double kept_speed(double rate, double limit) {
    return limit > 0 && rate > limit ? limit / rate : 1;
}

static bool find_cycles(struct counting *c) {
    const double most = 9223372036854774784.0; /* the last double below 2^63 */
    double compute = (double)c->out->compute_cycles;
    for (int i = 0; i < c->machine->level_count; i++) {
        const struct nmc_machine_level *level = &c->machine->levels[i];
        double reads = 0, writes = 0;
        for (int o = 0; o < NMC_MAP_OPERANDS; o++) {
            const struct nmc_traffic *t = &c->out->traffic[i][o];
            reads += (double)t->reads / compute;
            writes += (double)(t->fills + t->updates) / compute;
        }
        double speed =
            fmin(kept_speed(reads, level->read_words), kept_speed(writes, level->write_words));
        double cycles = ceil(compute / speed);
        if (!(cycles <= most))
            return false;
        c->out->level_cycles[i] = speed < 1 ? (int64_t)cycles : c->out->compute_cycles;
        if (c->out->level_cycles[i] > c->out->cycles)
            c->out->cycles = c->out->level_cycles[i];
    }
    return true;
}

/* What is not kept takes no place. */
static void clear_bypassed(struct counting *c) {
    for (int i = 0; i < c->machine->level_count; i++)
        for (int o = 0; o < NMC_MAP_OPERANDS; o++)
            if (!(c->nest->levels[i].keep & 1u << o))
                c->out->traffic[i][o] = (struct nmc_traffic){0};
}

bool nmc_map_count(const struct nmc_problem *problem, const struct nmc_machine *machine,
                   const struct nmc_nest *nest, const struct nmc_count_options *options,
                   struct nmc_map_counts *out) {
    struct counting c = {
        .problem = problem, .machine = machine, .nest = nest, .options = options, .out = out};
    memset(out, 0, sizeof *out);
    find_extents(&c);
    if (!find_instances(&c))
        return false;
    for (int o = 0; o < NMC_MAP_OPERANDS; o++)
        if (!count_operand(&c, (enum nmc_map_operand)o))
            return false;
    clear_bypassed(&c);
    price(&c);
    return find_cycles(&c);
}

static bool level_fits(const struct nmc_machine_level *level, const struct nmc_traffic *traffic,
                       unsigned keep, struct nmc_misfit *misfit) {
    int64_t needed = 0;
    if (!level->size_words)
        return true;
    for (int o = 0; o < NMC_MAP_OPERANDS; o++)
        if (!nmc_add(needed, traffic[o].capacity, &needed))
            needed = INT64_MAX;
    misfit->operands = keep;
    misfit->needed = needed;
    misfit->available = level->size_words;
    return needed <= level->size_words;
}

static bool mesh_fits(const struct nmc_machine *machine, const struct nmc_nest *nest, int level,
                      struct nmc_misfit *misfit) {
    for (int mesh = 0; mesh < NMC_MESHES; mesh++) {
        const struct nmc_loops *loops = &nest->levels[level].spatial[mesh];
        misfit->available = nmc_machine_fanout(machine, level, (enum nmc_mesh)mesh);
        misfit->mesh = (enum nmc_mesh)mesh;
        misfit->needed = 1;
        for (int i = 0; i < loops->count; i++)
            misfit->needed *= loops->items[i].count; /* at most the MACs in use */
        if (misfit->needed > misfit->available)
            return false;
    }
    return true;
}

bool nmc_map_fits(const struct nmc_machine *machine, const struct nmc_nest *nest,
                  const struct nmc_map_counts *counts, struct nmc_misfit *misfit) {
    for (int i = 0; i < machine->level_count; i++) {
        *misfit = (struct nmc_misfit){.level = i};
        if (!level_fits(&machine->levels[i], counts->traffic[i], nest->levels[i].keep, misfit))
            return false;
        misfit->of_mesh = true;
        if (!mesh_fits(machine, nest, i, misfit))
            return false;
    }
    return true;
}
