/* What all countings have in common: extents, instances, tiles, energy, cycles, room. */
#include "mapping/count.h"

#include <math.h>
#include <string.h>

#include "base/checked.h"
#include "mapping/counting.h"

static void multiply_in(const struct nmc_loops *loops, int64_t extent[NMC_MAP_DIMS]) {
    for (int i = 0; i < loops->count; i++)
        extent[loops->items[i].dim] *= loops->items[i].count;
}

static void find_extents(struct nmc_map_counting *c) {
    struct nmc_extents *e = &c->extents;
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

static bool find_instances(struct nmc_map_counting *c) {
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

/* Going in, the tensor is divided among the instances of each level. */
static bool find_partitions(struct nmc_map_counting *c, enum nmc_map_operand operand) {
    const struct nmc_extents *e = &c->extents;
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

bool nmc_accesses(int64_t words, int64_t word, int64_t width, int64_t *out) {
    if (word <= width) {
        *out = nmc_div_ceil(words, width / word);
        return true;
    }
    return nmc_mul(words, nmc_div_ceil(word, width), out);
}

double nmc_access_pj(const struct nmc_machine_level *level, enum nmc_direction direction) {
    switch (direction) {
    case NMC_WL2H: return level->update_pj;
    case NMC_WH2L: return level->fill_pj;
    default: return level->read_pj;
    }
}

static void price(struct nmc_map_counting *c) {
    double total = 0;
    for (int i = 0; i < c->machine->level_count; i++)
        for (int o = 0; o < NMC_MAP_OPERANDS; o++) {
            struct nmc_traffic *t = &c->out->traffic[i][o];
            for (int d = 0; d < NMC_DIRECTIONS; d++)
                t->energy_pj += (double)t->accesses[d] *
                                nmc_access_pj(&c->machine->levels[i], (enum nmc_direction)d);
            c->out->network_pj[i][o] = (double)c->out->down[i][o] * c->machine->levels[i].down_pj +
                                       (double)c->out->up[i][o] * c->machine->levels[i].up_pj;
            total += t->energy_pj + c->out->network_pj[i][o];
        }
    c->out->total_pj = total + c->out->mac_pj;
}

/* What one instance of a level reads and writes in all, in units of its rate, per cycle. Each
 * operand's share is divided first, then they are added: that is what the ceiling sees. */
static void find_rates(const struct nmc_map_counting *c, int level, double *reads, double *writes) {
    const struct nmc_machine_level *l = &c->machine->levels[level];
    double cycles = (double)c->out->compute_cycles, instances = (double)c->out->instances[level];
    *reads = *writes = 0;
    for (int o = 0; o < NMC_MAP_OPERANDS; o++) {
        const struct nmc_traffic *t = &c->out->traffic[level][o];
        if (c->machine->counting == NMC_COUNT_PORTS) {
            double read = (double)t->accesses[NMC_RH2L] + (double)t->accesses[NMC_RL2H];
            double written = (double)t->accesses[NMC_WL2H] + (double)t->accesses[NMC_WH2L];
            *reads += read * (double)l->read_width / instances / cycles;
            *writes += written * (double)l->write_width / instances / cycles;
        } else {
            double word = (double)c->problem->word[o];
            *reads += (double)(t->reads + t->drains) * word / cycles;
            *writes += (double)(t->fills + t->updates) * word / cycles;
        }
    }
}

/* Which part of full speed a limit leaves at a rate. */
static double kept_speed(double rate, double limit) {
    return limit > 0 && rate > limit ? limit / rate : 1;
}

static bool find_cycles(struct nmc_map_counting *c) {
    const double most = 9223372036854774784.0; /* the last double below 2^63 */
    for (int i = 0; i < c->machine->level_count; i++) {
        const struct nmc_machine_level *level = &c->machine->levels[i];
        double reads, writes;
        find_rates(c, i, &reads, &writes);
        double speed =
            fmin(kept_speed(reads, level->read_rate), kept_speed(writes, level->write_rate));
        double cycles = ceil((double)c->out->compute_cycles / speed);
        if (!(cycles <= most))
            return false;
        c->out->level_cycles[i] = speed < 1 ? (int64_t)cycles : c->out->compute_cycles;
        if (c->out->level_cycles[i] > c->out->cycles)
            c->out->cycles = c->out->level_cycles[i];
    }
    return true;
}

/* What is not kept takes no place. */
static void clear_bypassed(struct nmc_map_counting *c) {
    for (int i = 0; i < c->machine->level_count; i++)
        for (int o = 0; o < NMC_MAP_OPERANDS; o++)
            if (!nmc_keeps(c, i, (enum nmc_map_operand)o))
                c->out->traffic[i][o] = (struct nmc_traffic){0};
}

bool nmc_map_count(const struct nmc_problem *problem, const struct nmc_machine *machine,
                   const struct nmc_nest *nest, enum nmc_walk_mode walk,
                   struct nmc_map_counts *out) {
    struct nmc_map_counting c = {
        .problem = problem, .machine = machine, .nest = nest, .walk = walk, .out = out};
    memset(out, 0, sizeof *out);
    find_extents(&c);
    if (!find_instances(&c))
        return false;
    for (int o = 0; o < NMC_MAP_OPERANDS; o++) {
        enum nmc_map_operand operand = (enum nmc_map_operand)o;
        if (!find_partitions(&c, operand))
            return false;
        if (!(machine->counting == NMC_COUNT_PORTS ? nmc_count_ports(&c, operand)
                                                   : nmc_count_words(&c, operand)))
            return false;
    }
    clear_bypassed(&c);
    price(&c);
    return find_cycles(&c);
}

static bool level_fits(const struct nmc_problem *problem, const struct nmc_machine_level *level,
                       const struct nmc_traffic *traffic, unsigned keep,
                       struct nmc_misfit *misfit) {
    int64_t needed = 0, tile;
    if (!level->size)
        return true;
    for (int o = 0; o < NMC_MAP_OPERANDS; o++)
        if (!nmc_mul(traffic[o].capacity, problem->word[o], &tile) ||
            !nmc_add(needed, tile, &needed))
            needed = INT64_MAX;
    misfit->operands = keep;
    misfit->needed = needed;
    misfit->available = level->size;
    return needed <= level->size;
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

bool nmc_map_fits(const struct nmc_problem *problem, const struct nmc_machine *machine,
                  const struct nmc_nest *nest, const struct nmc_map_counts *counts,
                  struct nmc_misfit *misfit) {
    for (int i = 0; i < machine->level_count; i++) {
        *misfit = (struct nmc_misfit){.level = i};
        if (!level_fits(problem, &machine->levels[i], counts->traffic[i], nest->levels[i].keep,
                        misfit))
            return false;
        misfit->of_mesh = true;
        if (!mesh_fits(machine, nest, i, misfit))
            return false;
    }
    return true;
}
