/* DRAM by reuse distance, held against a brute-force walk. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "model/dram.h"

enum { TENSORS = 9, TOUCHES = 300 };

static uint32_t random_state = 1;

static uint32_t random_below(uint32_t limit) {
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % limit;
}

static void add_times(struct nmc_dram *dram, uint32_t tensor, int64_t bits, bool made, bool output,
                      int64_t times) {
    const struct nmc_dram_use use = {.stage = "forward",
                                     .node = "n",
                                     .tensor = "t",
                                     .tensor_id = tensor,
                                     .bits = bits,
                                     .made = made,
                                     .output = output,
                                     .times = times};
    assert_true(nmc_dram_touch(dram, &use));
}

static void add(struct nmc_dram *dram, uint32_t tensor, int64_t bits, bool made, bool output) {
    add_times(dram, tensor, bits, made, output, 1);
}

static void random_touches(struct nmc_dram *dram) {
    for (int i = 0; i < TOUCHES; i++)
        add(dram, random_below(TENSORS), 1 + random_below(50), random_below(4) == 0,
            random_below(20) == 0);
    assert_int_equal(nmc_dram_measure(dram, NULL), NEUROMC_OK);
}

/* Bits of the distinct tensors touched since the last touch of the same one, at the width of
 * their latest touch, itself included. */
static int64_t brute_distance(const struct nmc_dram *dram, size_t at) {
    bool seen[TENSORS] = {false};
    int64_t distance = dram->uses[at].bits;
    for (size_t i = at; i-- > 0;) {
        const struct nmc_dram_use *use = &dram->uses[i];
        if (use->tensor_id == dram->uses[at].tensor_id)
            return distance;
        if (!seen[use->tensor_id])
            distance += use->bits;
        seen[use->tensor_id] = true;
    }
    return -1;
}

static void distances_equal_brute_force(void **state) {
    (void)state;
    for (int round = 0; round < 20; round++) {
        struct nmc_dram dram = {0};
        random_touches(&dram);
        for (size_t i = 0; i < dram.count; i++)
            assert_int_equal(dram.uses[i].distance, brute_distance(&dram, i));
        nmc_dram_release(&dram);
    }
}

static int64_t total_at(const struct nmc_dram *dram, int64_t capacity) {
    struct nmc_dram_traffic *traffic = nmc_dram_at(dram, capacity);
    int64_t total = 0;
    assert_non_null(traffic);
    for (size_t i = 0; i < dram->count; i++)
        total += traffic[i].read_bits + traffic[i].written_bits;
    nmc_free(traffic);
    return total;
}

static void traffic_never_rises_with_capacity(void **state) {
    (void)state;
    for (int round = 0; round < 20; round++) {
        struct nmc_dram dram = {0};
        random_touches(&dram);
        int64_t before = INT64_MAX;
        for (int64_t capacity = 0; capacity < 400; capacity += 7) {
            int64_t now = total_at(&dram, capacity);
            assert_true(now <= before);
            before = now;
        }
        nmc_dram_release(&dram);
    }
}

/* w (weight, 10 bits) and x (input, 4) make y (6); y makes z (8, output); y is used again after
 * a big tensor b (100). */
static void causes_by_hand(void **state) {
    (void)state;
    struct nmc_dram dram = {0};
    add(&dram, 0, 10, false, false);  /* w */
    add(&dram, 1, 4, false, false);   /* x */
    add(&dram, 2, 6, true, false);    /* y made */
    add(&dram, 2, 6, false, false);   /* y used at once: distance 6 */
    add(&dram, 3, 8, true, true);     /* z made, output */
    add(&dram, 4, 100, false, false); /* b */
    add(&dram, 2, 6, false, false);   /* y again: 6 + 8 + 100 */
    add(&dram, 4, 100, false, false); /* b again: 100 + 6 */
    assert_int_equal(nmc_dram_measure(&dram, NULL), NEUROMC_OK);
    assert_int_equal(dram.uses[0].distance, -1);
    assert_int_equal(dram.uses[3].distance, 6);
    assert_int_equal(dram.uses[6].distance, 114);
    assert_int_equal(dram.uses[7].distance, 106);

    struct nmc_dram_traffic *t = nmc_dram_at(&dram, 50);
    assert_int_equal(t[0].read_bits, 10);
    assert_int_equal(t[0].cause, NMC_COMPULSORY);
    assert_int_equal(t[2].written_bits, 6); /* y misses later */
    assert_int_equal(t[2].cause, NMC_SPILL);
    assert_int_equal(t[3].read_bits, 0);
    assert_int_equal(t[4].written_bits, 8);
    assert_int_equal(t[4].cause, NMC_COMPULSORY);
    assert_int_equal(t[6].read_bits, 6);
    assert_int_equal(t[6].cause, NMC_SPILL);
    assert_int_equal(t[7].read_bits, 100);
    assert_int_equal(t[7].cause, NMC_STREAM);
    nmc_free(t);

    t = nmc_dram_at(&dram, 200); /* all stays: compulsory alone */
    assert_int_equal(t[2].written_bits, 0);
    assert_int_equal(t[6].read_bits, 0);
    assert_int_equal(t[7].read_bits, 0);
    nmc_free(t);
    nmc_dram_release(&dram);
}

static void a_distance_equal_to_the_capacity_hits(void **state) {
    (void)state;
    struct nmc_dram dram = {0};
    add(&dram, 0, 5, false, false);
    add(&dram, 1, 7, false, false);
    add(&dram, 0, 5, false, false);
    assert_int_equal(nmc_dram_measure(&dram, NULL), NEUROMC_OK);
    assert_int_equal(total_at(&dram, 12), 12);
    assert_int_equal(total_at(&dram, 11), 17);
    nmc_dram_release(&dram);
}

static void random_run(struct nmc_dram *dram, uint32_t seed, int64_t times) {
    random_state = seed;
    for (int i = 0; i < 12; i++)
        add_times(dram, random_below(TENSORS), 1 + random_below(50), random_below(3) == 0, false,
                  times);
}

/* Something, then the same `rounds` times, then something else. */
static void a_loop(struct nmc_dram *dram, uint32_t seed, int64_t rounds, bool folded) {
    random_run(dram, seed, 1);
    for (int64_t i = 0; i < rounds; i++) {
        bool alike = folded && i > 0 && i < rounds - 1;
        if (!alike || i == 1)
            random_run(dram, seed + 1000, alike ? rounds - 2 : 1);
    }
    random_run(dram, seed + 2000, 1);
    assert_int_equal(nmc_dram_measure(dram, NULL), NEUROMC_OK);
}

static void rounds_that_are_alike_count_as_often(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 50; seed++) {
        struct nmc_dram long_way = {0}, folded = {0};
        a_loop(&long_way, seed, 3 + seed % 9, false);
        a_loop(&folded, seed, 3 + seed % 9, true);
        assert_int_equal(folded.count, 5 * 12);
        for (int64_t capacity = 0; capacity < 300; capacity += 3)
            assert_int_equal(total_at(&long_way, capacity), total_at(&folded, capacity));
        nmc_dram_release(&long_way);
        nmc_dram_release(&folded);
    }
}

static void nothing_touched_is_no_traffic(void **state) {
    (void)state;
    struct nmc_dram dram = {0};
    assert_int_equal(nmc_dram_measure(&dram, NULL), NEUROMC_OK);
    assert_int_equal(total_at(&dram, 0), 0);
    nmc_dram_release(&dram);
}

static void sums_beyond_the_range_are_refused(void **state) {
    (void)state;
    struct nmc_dram dram = {0};
    add(&dram, 0, INT64_C(1) << 61, false, false);
    add(&dram, 1, INT64_C(1) << 61, false, false);
    assert_int_equal(nmc_dram_measure(&dram, NULL), NEUROMC_BAD_INPUT);
    nmc_dram_release(&dram);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_equal_brute_force),
        cmocka_unit_test(traffic_never_rises_with_capacity),
        cmocka_unit_test(causes_by_hand),
        cmocka_unit_test(a_distance_equal_to_the_capacity_hits),
        cmocka_unit_test(rounds_that_are_alike_count_as_often),
        cmocka_unit_test(nothing_touched_is_no_traffic),
        cmocka_unit_test(sums_beyond_the_range_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
