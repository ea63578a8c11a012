/* Exact sums: any order gives the same bits, and the nearest double of the true sum. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sweep/sum.h"

__extension__ typedef __int128 wide;

static uint64_t random_state = 88172645463325252u;

static uint64_t random_bits(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static double random_double(void) {
    double value = ldexp((double)(random_bits() >> 11), (int)(random_bits() % 200) - 150);
    return random_bits() & 1 ? value : -value;
}

/* A double is its own sum, whatever its exponent. */
static void one_value_comes_back(void **state) {
    (void)state;
    static const double special[] = {0,        5e-324, DBL_MIN, DBL_MAX,
                                     -DBL_MAX, 1,      -1,      0x1.fffffffffffffp0};
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = random_bits();
        double value;
        memcpy(&value, &bits, sizeof value);
        if ((size_t)i < sizeof special / sizeof *special)
            value = special[i];
        if (!isfinite(value))
            continue;
        struct nmc_sum sum = {0};
        nmc_sum_add(&sum, value);
        assert_true(nmc_sum_value(&sum) == value);
    }
}

/* Integers below 2^53 times powers of two: their sum in 128 bits is known. */
static void sums_are_exact(void **state) {
    (void)state;
    for (int round = 0; round < 300; round++) {
        struct nmc_sum sum = {0};
        wide truth = 0;
        for (int i = 0; i < 50; i++) {
            int64_t whole = (int64_t)(random_bits() >> 12);
            int shift = (int)(random_bits() % 50);
            if (random_bits() & 1)
                whole = -whole;
            nmc_sum_add(&sum, ldexp((double)whole, shift - 60));
            truth += (wide)whole * ((wide)1 << shift);
        }
        /* conversion of a 128-bit integer rounds to nearest even */
        assert_true(nmc_sum_value(&sum) == ldexp((double)truth, -60));
    }
}

static void half_way_goes_to_even(void **state) {
    (void)state;
    struct nmc_sum sum = {0};
    nmc_sum_add(&sum, 1);
    nmc_sum_add(&sum, 0x1p-53);
    assert_true(nmc_sum_value(&sum) == 1);
    nmc_sum_add(&sum, 0x1p-1000);
    assert_true(nmc_sum_value(&sum) == 1 + DBL_EPSILON);
    nmc_sum_add(&sum, -0x1p-999);
    assert_true(nmc_sum_value(&sum) == 1);
}

static void order_and_splitting_do_not_matter(void **state) {
    (void)state;
    enum { COUNT = 5000 };
    static double values[COUNT];
    struct nmc_sum forward = {0}, backward = {0}, halves[2] = {{{0}, 0}, {{0}, 0}}, back;
    char a[NMC_SUM_TEXT], b[NMC_SUM_TEXT], c[NMC_SUM_TEXT];
    for (int i = 0; i < COUNT; i++)
        values[i] = random_double();
    for (int i = 0; i < COUNT; i++) {
        nmc_sum_add(&forward, values[i]);
        nmc_sum_add(&backward, values[COUNT - 1 - i]);
        nmc_sum_add(&halves[i % 2], values[i]);
    }
    nmc_sum_merge(&halves[0], &halves[1]);
    nmc_sum_write(&forward, a);
    nmc_sum_write(&backward, b);
    nmc_sum_write(&halves[0], c);
    assert_string_equal(a, b);
    assert_string_equal(a, c);
    assert_true(nmc_sum_read(&back, a));
    nmc_sum_write(&back, b);
    assert_string_equal(a, b);
    assert_true(nmc_sum_value(&back) == nmc_sum_value(&forward));
}

static void what_cancels_is_zero(void **state) {
    (void)state;
    struct nmc_sum sum = {0};
    char text[NMC_SUM_TEXT];
    for (int i = 0; i < 100; i++)
        nmc_sum_add(&sum, (i % 2 ? -1 : 1) * ldexp(1, i / 2));
    assert_true(nmc_sum_value(&sum) == 0);
    nmc_sum_write(&sum, text);
    assert_string_equal(text, "0p0");
    assert_true(nmc_sum_read(&sum, text));
    assert_false(nmc_sum_read(&sum, "12"));
    assert_false(nmc_sum_read(&sum, "12p99"));
    assert_false(nmc_sum_read(&sum, "xp1"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_value_comes_back),
        cmocka_unit_test(sums_are_exact),
        cmocka_unit_test(half_way_goes_to_even),
        cmocka_unit_test(order_and_splitting_do_not_matter),
        cmocka_unit_test(what_cancels_is_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
