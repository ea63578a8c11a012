/* The worked examples of docs/mapping.md, figure by figure. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mapping/count.h"

enum { ALL = 7, W = 1 << NMC_MAP_WEIGHTS, I = 1 << NMC_MAP_INPUTS, O = 1 << NMC_MAP_OUTPUTS };

static struct nmc_problem conv1d(int64_t k, int64_t c, int64_t p, int64_t r, int64_t stride) {
    struct nmc_problem problem = nmc_problem_new();
    problem.size[NMC_MAP_K] = k;
    problem.size[NMC_MAP_C] = c;
    problem.size[NMC_MAP_P] = p;
    problem.size[NMC_MAP_R] = r;
    problem.stride[0] = stride;
    return problem;
}

/* DRAM and one buffer, or DRAM, a buffer and `width` registers files in a row. */
static struct nmc_machine machine(int levels, int64_t width) {
    struct nmc_machine m = {.name = "toy", .level_count = levels, .mac_pj = 1};
    static const char *const names[] = {"DRAM", "GLB", "RF"};
    for (int i = 0; i < levels; i++)
        m.levels[i] = (struct nmc_machine_level){.name = names[i],
                                                 .can_keep = ALL,
                                                 .read_width = i < 2 ? 4 : 1,
                                                 .write_width = i < 2 ? 4 : 1,
                                                 .mesh = {i < 2 ? 1 : width, 1},
                                                 .read_pj = i ? 20 : 512,
                                                 .fill_pj = i ? 18 : 512,
                                                 .update_pj = i ? 18 : 512};
    m.mac_mesh[0] = width;
    m.mac_mesh[1] = 1;
    return m;
}

static void add(struct nmc_loops *loops, enum nmc_map_dim dim, int64_t count) {
    loops->items[loops->count++] = (struct nmc_nest_loop){dim, count};
}

static struct nmc_map_counts count(const struct nmc_problem *problem, const struct nmc_machine *m,
                                   const struct nmc_nest *nest) {
    struct nmc_map_counts counts;
    assert_true(nmc_map_count(problem, m, nest, NMC_WALK_EXTRAPOLATED, &counts));
    return counts;
}

static void check(const struct nmc_traffic *t, int64_t reads, int64_t fills, int64_t updates) {
    assert_int_equal(t->reads, reads);
    assert_int_equal(t->fills, fills);
    assert_int_equal(t->updates, updates);
}

/* K2 C2 P4 R3: C outside P, so psums spill to DRAM; the inputs slide. */
static void psums_spill(void **state) {
    (void)state;
    struct nmc_problem problem = conv1d(2, 2, 4, 3, 1);
    struct nmc_machine m = machine(2, 1);
    struct nmc_nest nest = {.levels = {{.keep = ALL}, {.keep = ALL}}};
    add(&nest.levels[0].temporal, NMC_MAP_K, 2);
    add(&nest.levels[0].temporal, NMC_MAP_C, 2);
    add(&nest.levels[0].temporal, NMC_MAP_P, 2);
    add(&nest.levels[1].temporal, NMC_MAP_P, 2);
    add(&nest.levels[1].temporal, NMC_MAP_R, 3);
    struct nmc_map_counts counts = count(&problem, &m, &nest);
    assert_int_equal(counts.macs, 48);
    check(&counts.traffic[0][NMC_MAP_WEIGHTS], 12, 0, 0);
    check(&counts.traffic[0][NMC_MAP_INPUTS], 24, 0, 0);
    check(&counts.traffic[0][NMC_MAP_OUTPUTS], 8, 0, 16);
    check(&counts.traffic[1][NMC_MAP_WEIGHTS], 48, 12, 0);
    check(&counts.traffic[1][NMC_MAP_INPUTS], 48, 24, 0);
    check(&counts.traffic[1][NMC_MAP_OUTPUTS], 40, 8, 48);
    assert_true(counts.traffic[0][NMC_MAP_OUTPUTS].energy_pj == 3072);
    assert_int_equal(counts.cycles, 48);
}

/* Stride 2: a window of three inputs moves by two. */
static void halo_with_stride(void **state) {
    (void)state;
    struct nmc_problem problem = conv1d(2, 1, 4, 3, 2);
    struct nmc_machine m = machine(2, 1);
    struct nmc_nest nest = {.levels = {{.keep = ALL}, {.keep = ALL}}};
    add(&nest.levels[0].temporal, NMC_MAP_P, 4);
    add(&nest.levels[1].temporal, NMC_MAP_K, 2);
    add(&nest.levels[1].temporal, NMC_MAP_R, 3);
    struct nmc_map_counts counts = count(&problem, &m, &nest);
    check(&counts.traffic[0][NMC_MAP_INPUTS], 9, 0, 0);
    check(&counts.traffic[0][NMC_MAP_OUTPUTS], 0, 0, 8);
    check(&counts.traffic[1][NMC_MAP_OUTPUTS], 16, 0, 24);
    assert_true(counts.traffic[0][NMC_MAP_INPUTS].energy_pj == 1536);
}

/* K2 on X: inputs are read once for both register files, weights for each. */
static void multicast(void **state) {
    (void)state;
    struct nmc_problem problem = conv1d(2, 2, 4, 3, 1);
    struct nmc_machine m = machine(3, 2);
    struct nmc_nest nest = {.levels = {{.keep = ALL}, {.keep = ALL}, {.keep = ALL}}};
    add(&nest.levels[1].temporal, NMC_MAP_P, 4);
    add(&nest.levels[1].temporal, NMC_MAP_C, 2);
    add(&nest.levels[1].spatial[NMC_MESH_X], NMC_MAP_K, 2);
    add(&nest.levels[2].temporal, NMC_MAP_R, 3);
    struct nmc_map_counts counts = count(&problem, &m, &nest);
    assert_int_equal(counts.macs_used, 2);
    assert_int_equal(counts.compute_cycles, 24);
    check(&counts.traffic[1][NMC_MAP_INPUTS], 24, 12, 0);
    check(&counts.traffic[2][NMC_MAP_INPUTS], 24, 24, 0);
    assert_int_equal(counts.traffic[1][NMC_MAP_WEIGHTS].reads, 48);
    assert_int_equal(counts.traffic[2][NMC_MAP_WEIGHTS].fills, 24);
    assert_int_equal(counts.traffic[1][NMC_MAP_OUTPUTS].updates, 8);
    check(&counts.traffic[2][NMC_MAP_OUTPUTS], 20, 0, 24);
    assert_int_equal(counts.spread[1][NMC_MAP_INPUTS].largest, 2);
    assert_int_equal(counts.spread[1][NMC_MAP_WEIGHTS].largest, 1);
}

/* C2 on X and outputs bypass the register files: pairs of psums are added on the way. */
static void spatial_reduction(void **state) {
    (void)state;
    struct nmc_problem problem = conv1d(2, 2, 4, 3, 1);
    struct nmc_machine m = machine(3, 2);
    struct nmc_nest nest = {.levels = {{.keep = ALL}, {.keep = ALL}, {.keep = W | I}}};
    add(&nest.levels[1].temporal, NMC_MAP_K, 2);
    add(&nest.levels[1].temporal, NMC_MAP_P, 4);
    add(&nest.levels[1].spatial[NMC_MESH_X], NMC_MAP_C, 2);
    add(&nest.levels[2].temporal, NMC_MAP_R, 3);
    struct nmc_map_counts counts = count(&problem, &m, &nest);
    check(&counts.traffic[1][NMC_MAP_OUTPUTS], 16, 0, 24);
    assert_int_equal(counts.spatial_reductions[1], 24);
    check(&counts.traffic[2][NMC_MAP_OUTPUTS], 0, 0, 0);
    assert_int_equal(counts.traffic[1][NMC_MAP_INPUTS].reads, 24);
    assert_int_equal(counts.traffic[2][NMC_MAP_INPUTS].fills, 12);
    assert_int_equal(counts.traffic[1][NMC_MAP_WEIGHTS].reads, 12);
    assert_int_equal(counts.traffic[2][NMC_MAP_WEIGHTS].fills, 6);
}

/* A tile that fits exactly, and one word less of room. */
static void fits(void **state) {
    (void)state;
    struct nmc_problem problem = conv1d(2, 1, 4, 3, 2);
    struct nmc_machine m = machine(2, 1);
    struct nmc_nest nest = {.levels = {{.keep = ALL}, {.keep = W | O}}};
    struct nmc_misfit misfit;
    add(&nest.levels[1].temporal, NMC_MAP_P, 4);
    add(&nest.levels[1].temporal, NMC_MAP_K, 2);
    add(&nest.levels[1].temporal, NMC_MAP_R, 3);
    struct nmc_map_counts counts = count(&problem, &m, &nest);
    m.levels[1].size = 14; /* 6 weights, 8 outputs; inputs take no place */
    assert_true(nmc_map_fits(&problem, &m, &nest, &counts, &misfit));
    m.levels[1].size = 13;
    assert_false(nmc_map_fits(&problem, &m, &nest, &counts, &misfit));
    assert_int_equal(misfit.level, 1);
    assert_int_equal(misfit.operands, W | O);
    assert_int_equal(misfit.needed, 14);
    assert_int_equal(misfit.available, 13);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(psums_spill), cmocka_unit_test(halo_with_stride),
        cmocka_unit_test(multicast),   cmocka_unit_test(spatial_reduction),
        cmocka_unit_test(fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
