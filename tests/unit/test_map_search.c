/* Search against trying every mapping there is. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "mapping/search.h"

enum { ALL = 7, W = 1 << NMC_MAP_WEIGHTS, I = 1 << NMC_MAP_INPUTS, O = 1 << NMC_MAP_OUTPUTS };
enum { PROBLEMS = 200 };

static uint32_t random_state = 11;

static int64_t random_below(uint32_t limit) {
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % limit;
}

/* ---- every mapping ------------------------------------------------------------------------ */

struct everything {
    const struct nmc_problem *problem;
    const struct nmc_machine *machine;
    enum nmc_map_objective objective;
    struct nmc_nest nest;
    double best, best_energy;
    long count;
};

static void look(struct everything *e) {
    struct nmc_map_counts counts;
    struct nmc_misfit misfit;
    assert_true(nmc_map_count(e->problem, e->machine, &e->nest, NMC_WALK_FULL, &counts));
    if (!nmc_map_fits(e->problem, e->machine, &e->nest, &counts, &misfit))
        return;
    double value = e->objective == NMC_MAP_ENERGY    ? counts.total_pj
                   : e->objective == NMC_MAP_LATENCY ? (double)counts.cycles
                                                     : counts.total_pj * (double)counts.cycles;
    if (value < e->best || (value == e->best && counts.total_pj < e->best_energy)) {
        e->best = value;
        e->best_energy = counts.total_pj;
    }
    e->count++;
}

/* All orders of the temporal loops of each level in turn. */
static void reorder(struct everything *e, int level, int fixed) {
    if (level == e->machine->level_count) {
        look(e);
        return;
    }
    struct nmc_loops *loops = &e->nest.levels[level].temporal;
    if (fixed >= loops->count) {
        reorder(e, level + 1, 0);
        return;
    }
    for (int k = fixed; k < loops->count; k++) {
        struct nmc_nest_loop first = loops->items[fixed];
        loops->items[fixed] = loops->items[k];
        loops->items[k] = first;
        reorder(e, level, fixed + 1);
        first = loops->items[fixed];
        loops->items[fixed] = loops->items[k];
        loops->items[k] = first;
    }
}

static void add(struct nmc_loops *loops, int dim, int64_t count) {
    if (count > 1)
        loops->items[loops->count++] = (struct nmc_nest_loop){(enum nmc_map_dim)dim, count};
}

static void cut(struct everything *e, int dim, int slot, int64_t left);

static void put(struct everything *e, int dim, int slot, int64_t left, int64_t count,
                struct nmc_loops *loops) {
    int before = loops->count;
    add(loops, dim, count);
    cut(e, dim, slot + 1, left / count);
    loops->count = before;
}

/* Divides a dim over the levels' temporal loops and meshes, slot by slot. */
static void cut(struct everything *e, int dim, int slot, int64_t left) {
    int levels = e->machine->level_count;
    if (dim == NMC_MAP_DIMS) {
        reorder(e, 0, 0);
        return;
    }
    if (slot == 3 * levels) {
        if (left == 1)
            cut(e, dim + 1, 0, dim + 1 < NMC_MAP_DIMS ? e->problem->size[dim + 1] : 1);
        return;
    }
    int level = slot / 3, mesh = slot % 3 - 1;
    for (int64_t count = 1; count <= left; count++) {
        if (left % count)
            continue;
        if (mesh < 0) {
            put(e, dim, slot, left, count, &e->nest.levels[level].temporal);
        } else if (count == 1 || (e->machine->levels[level].spread[mesh] & 1u << dim)) {
            put(e, dim, slot, left, count, &e->nest.levels[level].spatial[mesh]);
        }
    }
}

static struct everything try_all(const struct nmc_problem *problem,
                                 const struct nmc_machine *machine,
                                 enum nmc_map_objective objective) {
    struct everything e = {.problem = problem,
                           .machine = machine,
                           .objective = objective,
                           .best = INFINITY,
                           .best_energy = INFINITY};
    for (int i = 0; i < machine->level_count; i++)
        e.nest.levels[i].keep = machine->levels[i].can_keep;
    cut(&e, 0, 0, problem->size[0]);
    return e;
}

/* ---- random problems and machines --------------------------------------------------------- */

static struct nmc_problem random_problem(void) {
    static const int64_t sizes[] = {1, 1, 2, 2, 3, 4, 6};
    struct nmc_problem problem;
    int64_t macs;
    do {
        problem = nmc_problem_new();
        for (int d = 0; d < NMC_MAP_DIMS; d++)
            problem.size[d] = sizes[random_below(7)];
        assert_true(nmc_problem_macs(&problem, &macs));
    } while (macs > 96 || macs < 8);
    problem.role = (enum nmc_map_role)random_below(NMC_MAP_ROLES);
    for (int i = 0; i < 2; i++) {
        problem.stride[i] = 1 + random_below(3);
        problem.dilation[i] = 1 + random_below(2);
        problem.extent[i] = random_below(2) ? 0 : 1 + random_below(4);
    }
    for (int o = 0; o < NMC_MAP_OPERANDS; o++)
        problem.word[o] = (int64_t[]){1, 8, 16}[random_below(3)];
    problem.final_word = problem.word[NMC_MAP_OUTPUTS] > 8 ? 8 : problem.word[NMC_MAP_OUTPUTS];
    return problem;
}

static struct nmc_machine random_machine(void) {
    struct nmc_machine m = {.level_count = 2 + (int)random_below(2), .mac_pj = 1};
    m.counting = random_below(3) ? NMC_COUNT_WORDS : NMC_COUNT_PORTS;
    m.count_first_reads = random_below(2);
    m.count_drains = random_below(2);
    int64_t width = 1 + random_below(3), height = 1 + random_below(2);
    for (int i = 0; i < m.level_count; i++) {
        struct nmc_machine_level *level = &m.levels[i];
        bool inside = i > 0 && i + 1 == m.level_count && random_below(2);
        *level = (struct nmc_machine_level){
            .name = "level",
            .can_keep = i ? 1 + (unsigned)random_below(ALL) : ALL,
            .size = i ? 8 * (1 + random_below(80)) : 0,
            .read_width = (int64_t[]){8, 16, 24, 64}[random_below(4)],
            .write_width = (int64_t[]){8, 16, 64}[random_below(3)],
            .mesh = {inside ? width : 1, inside ? height : 1},
            .read_pj = 1 + (double)random_below(100) / (i + 1),
            .fill_pj = 1 + (double)random_below(100) / (i + 1),
            .update_pj = 1 + (double)random_below(100) / (i + 1),
            .read_rate = random_below(3) ? 0 : (double)(1 + random_below(16)),
            .write_rate = random_below(3) ? 0 : (double)(1 + random_below(16)),
        };
        level->read_least = level->write_least = 8;
        if (m.counting == NMC_COUNT_WORDS && !random_below(3)) {
            level->down_width = level->up_width = 8;
            level->down_pj = (double)random_below(5);
            level->up_pj = (double)random_below(5);
        }
    }
    m.mac_mesh[0] = width;
    m.mac_mesh[1] = height;
    for (int i = 0; i < m.level_count; i++)
        for (int mesh = 0; mesh < NMC_MESHES; mesh++)
            if (nmc_machine_fanout(&m, i, (enum nmc_mesh)mesh) > 1)
                m.levels[i].spread[mesh] = (unsigned)random_below(1 << NMC_MAP_DIMS);
    return m;
}

static double value_of(const struct nmc_map_counts *counts, enum nmc_map_objective objective) {
    switch (objective) {
    case NMC_MAP_LATENCY: return (double)counts->cycles;
    case NMC_MAP_EDP: return counts->total_pj * (double)counts->cycles;
    default: return counts->total_pj;
    }
}

/* The mapping that search found, counted exactly. */
static bool find(const struct nmc_problem *problem, const struct nmc_machine *machine,
                 const struct nmc_search_options *options, struct nmc_map_counts *counts,
                 struct nmc_search_result *result) {
    static struct nmc_nest nest;
    struct nmc_misfit misfit;
    assert_int_equal(nmc_search(problem, machine, options, result, NULL), NEUROMC_OK);
    if (!result->found)
        return false;
    nmc_plan_nest(&result->plan, machine, &nest);
    assert_true(nmc_map_count(problem, machine, &nest, NMC_WALK_FULL, counts));
    if (!nmc_map_fits(problem, machine, &nest, counts, &misfit))
        fail_msg("level %d of %d: mesh %d, needs %lld of %lld", misfit.level, machine->level_count,
                 misfit.of_mesh, (long long)misfit.needed, (long long)misfit.available);
    return true;
}

static void best_found_is_best_there_is(void **state) {
    (void)state;
    int found = 0, none = 0;
    long mappings = 0;
    for (int i = 0; i < PROBLEMS; i++) {
        struct nmc_problem problem = random_problem();
        struct nmc_machine machine = random_machine();
        struct nmc_search_options options = {.objective =
                                                 (enum nmc_map_objective)(i % NMC_MAP_OBJECTIVES)};
        struct nmc_search_result result;
        struct nmc_map_counts counts;
        struct everything all = try_all(&problem, &machine, options.objective);
        mappings += all.count;
        bool any = find(&problem, &machine, &options, &counts, &result);
        assert_int_equal(any, all.count > 0);
        if (!any) {
            none++;
            continue;
        }
        found++;
        assert_int_equal(result.reach, NMC_REACH_ALL);
        double value = value_of(&counts, options.objective);
        if (fabs(value - all.best) > 1e-9 * all.best)
            fail_msg("problem %d: found %.17g, best %.17g of %ld", i, value, all.best, all.count);
        if (options.objective != NMC_MAP_EDP &&
            fabs(counts.total_pj - all.best_energy) > 1e-9 * all.best_energy)
            fail_msg("problem %d: found %.17g pJ, best %.17g", i, counts.total_pj, all.best_energy);
    }
    print_message("# %d problems, %d without a mapping, %ld mappings\n", found, none, mappings);
    assert_true(found > PROBLEMS / 2 && none > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(best_found_is_best_there_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
