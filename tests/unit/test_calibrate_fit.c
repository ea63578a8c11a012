/* Calibration against measurements made from known prices plus 1 % of noise. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "counters/calibrate_fit.h"

enum { POINTS = 60, SEEDS = 50 };

/* Normal, by Box and Muller. */
static double noise(uint64_t seed, uint64_t index) {
    double u = 1 - nmc_unit(nmc_draw(seed, 2 * index)), v = nmc_unit(nmc_draw(seed, 2 * index + 1));
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

/* Networks that each lean on another part, so that parts differ in share. */
static void make_parts(struct nmc_fit_point *points, uint64_t seed, unsigned present) {
    for (int i = 0; i < POINTS; i++) {
        points[i] = (struct nmc_fit_point){0};
        for (int p = 0; p < NMC_FIT_PARTS; p++)
            if (present >> p & 1)
                points[i].parts[p] = 0.02 + pow(nmc_unit(nmc_draw(seed, (uint64_t)(i * 8 + p))), 6);
    }
}

static void measure(struct nmc_fit_point *points, uint64_t seed, const double *truth) {
    for (int i = 0; i < POINTS; i++) {
        points[i].joules = 0;
        for (int p = 0; p < NMC_FIT_PARTS; p++)
            points[i].joules += truth[p] * points[i].parts[p];
        points[i].joules *= 1 + 0.01 * noise(seed + 77, (uint64_t)i);
    }
}

static const double truth[NMC_FIT_PARTS] = {1.7, 0.6, 2.5, 1.2, 0.8, 1.1, 3.0};

/* All that is called identifiable is within 5 %; here everything is. */
static void test_recovers(void **state) {
    (void)state;
    int told = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct nmc_fit_point points[POINTS];
        struct nmc_fit fit;
        double rest[POINTS];
        make_parts(points, seed, 0x7f);
        measure(points, seed, truth);
        assert_true(nmc_fit_prices(points, POINTS, &fit, rest));
        for (int p = 0; p < NMC_FIT_PARTS; p++)
            if (fit.factors[p].state == NMC_FIT_TOLD) {
                told++;
                if (fabs(fit.factors[p].value / truth[p] - 1) > 0.05)
                    fail_msg("%s: want %g, got %g", nmc_fit_names[p], truth[p],
                             fit.factors[p].value);
            }
        assert_true(fit.deviation > 0.005 && fit.deviation < 0.02);
    }
    assert_int_equal(told, SEEDS * NMC_FIT_PARTS);
}

/* The intervals hold the truth as often as they say, 95 of 100; here at least 90. */
static void test_intervals(void **state) {
    (void)state;
    int inside = 0, all = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct nmc_fit_point points[POINTS];
        struct nmc_fit fit;
        double rest[POINTS];
        make_parts(points, seed, 0x7f);
        measure(points, seed, truth);
        assert_true(nmc_fit_prices(points, POINTS, &fit, rest));
        for (int p = 0; p < NMC_FIT_PARTS; p++, all++)
            inside += fit.factors[p].low <= truth[p] && truth[p] <= fit.factors[p].high;
    }
    assert_true(inside * 100 >= all * 90);
    assert_true(inside < all);
}

/* Registers move in step with MACs, and no network has a NoC. */
static void test_names_what_cannot_be_told(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct nmc_fit_point points[POINTS];
        struct nmc_fit fit;
        double rest[POINTS];
        make_parts(points, seed, 0x7f & ~(1u << NMC_FIT_NOC));
        for (int i = 0; i < POINTS; i++)
            points[i].parts[NMC_FIT_REG] = 3 * points[i].parts[NMC_FIT_MAC];
        measure(points, seed, truth);
        assert_true(nmc_fit_prices(points, POINTS, &fit, rest));
        assert_int_equal(fit.factors[NMC_FIT_NOC].state, NMC_FIT_ABSENT);
        assert_int_equal(fit.factors[NMC_FIT_REG].state, NMC_FIT_TIED);
        assert_int_equal(fit.factors[NMC_FIT_MAC].state, NMC_FIT_TIED);
        assert_int_equal(fit.factors[NMC_FIT_REG].with, NMC_FIT_MAC);
        /* (1.7 + 3 * 1.1) / 4 */
        assert_true(fabs(fit.factors[NMC_FIT_MAC].value / 1.25 - 1) < 0.05);
        assert_int_equal(fit.factors[NMC_FIT_SRAM].state, NMC_FIT_TOLD);
        assert_true(fabs(fit.factors[NMC_FIT_SRAM].value / truth[NMC_FIT_SRAM] - 1) < 0.05);
    }
}

/* Few networks of very different kinds, and prices far from the preset's ratios: a ratio that the
 * measurements contradict must not be kept, for it would spoil what they do tell. */
static void test_contradicted_ratios(void **state) {
    (void)state;
    enum { FEW = 30 };
    static const double skewed[NMC_FIT_PARTS] = {1.5, 3, 0.5, 0.1, 2, 7, 0.2};
    int told = 0, wrong = 0, rough = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct nmc_fit_point points[POINTS];
        struct nmc_fit fit;
        double rest[POINTS];
        for (int i = 0; i < POINTS; i++)
            for (int p = 0; p < NMC_FIT_PARTS; p++)
                points[i].parts[p] = pow(10, 3 * nmc_unit(nmc_draw(seed, (uint64_t)(i * 8 + p))));
        measure(points, seed, skewed);
        assert_true(nmc_fit_prices(points, FEW, &fit, rest));
        for (int p = 0; p < NMC_FIT_PARTS; p++) {
            const struct nmc_fit_factor *f = &fit.factors[p];
            told += f->state == NMC_FIT_TOLD && !f->rough;
            rough += f->rough;
            wrong += f->state == NMC_FIT_TOLD && !f->rough && fabs(f->value / skewed[p] - 1) > 0.05;
        }
        assert_true(fit.deviation < 0.02);
    }
    assert_true(told > SEEDS * 4 && rough > 0);
    assert_true(wrong * 20 <= told); /* "within 5 %" is said at 95 % */
}

/* Arithmetic that seems to cost less than nothing: MACs are made of it, so it is not set to 0. */
static void test_free_arithmetic(void **state) {
    (void)state;
    const double less[NMC_FIT_PARTS] = {1.7, -0.02, 2.5, 1.2, 0.8, 1.1, 3.0};
    for (int macs = 0; macs < 2; macs++) {
        struct nmc_fit_point points[POINTS];
        struct nmc_fit fit;
        double rest[POINTS];
        make_parts(points, 3, macs ? 0x7f : 0x7f & ~(1u << NMC_FIT_MAC));
        measure(points, 3, less);
        assert_true(nmc_fit_prices(points, POINTS, &fit, rest));
        assert_int_equal(fit.factors[NMC_FIT_OTHER].state, macs ? NMC_FIT_TIED : NMC_FIT_NOT_TOLD);
        assert_int_equal(fit.factors[NMC_FIT_MAC].state, macs ? NMC_FIT_TIED : NMC_FIT_ABSENT);
        assert_int_equal(fit.factors[NMC_FIT_OTHER].with, macs ? NMC_FIT_MAC : NMC_FIT_OTHER);
        assert_true(!macs || fit.factors[NMC_FIT_MAC].value > 0);
        assert_int_equal(fit.factors[NMC_FIT_DRAM].state, NMC_FIT_TOLD);
    }
}

/* All networks take time in proportion to all else: constant power cannot be told. */
static void test_power_in_step(void **state) {
    (void)state;
    struct nmc_fit_point points[POINTS];
    struct nmc_fit fit;
    double rest[POINTS];
    make_parts(points, 1, 1u << NMC_FIT_MAC);
    for (int i = 0; i < POINTS; i++)
        points[i].parts[NMC_FIT_POWER] = 2 * points[i].parts[NMC_FIT_MAC];
    measure(points, 1, truth);
    assert_true(nmc_fit_prices(points, POINTS, &fit, rest));
    assert_int_equal(fit.factors[NMC_FIT_POWER].state, NMC_FIT_NOT_TOLD);
    assert_int_equal(fit.factors[NMC_FIT_MAC].state, NMC_FIT_TOLD);
}

/* A host that takes the same power whatever it does, and fewer networks than parts: that power is
 * what the measurements tell. */
static void test_power_alone(void **state) {
    (void)state;
    enum { FEW = 5 };
    static const double idle[NMC_FIT_PARTS] = {0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 13};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct nmc_fit_point points[POINTS];
        struct nmc_fit fit;
        double rest[POINTS];
        make_parts(points, seed, 0x7f);
        measure(points, seed, idle);
        assert_true(nmc_fit_prices(points, FEW, &fit, rest));
        assert_int_equal(fit.factors[NMC_FIT_POWER].state, NMC_FIT_TOLD);
        assert_true(fabs(fit.factors[NMC_FIT_POWER].value / 13 - 1) < 0.05);
        assert_true(fit.deviation < 0.05);
    }
}

/* One measurement of several parts: one factor for all, and nothing said of noise. */
static void test_one_point(void **state) {
    (void)state;
    const struct nmc_fit_point point = {.joules = 6, .parts = {1, 0, 0, 0, 1, 1, 0}};
    struct nmc_fit fit;
    double rest;
    assert_true(nmc_fit_prices(&point, 1, &fit, &rest));
    assert_int_equal(fit.factors[NMC_FIT_MAC].state, NMC_FIT_TIED);
    assert_true(fabs(fit.factors[NMC_FIT_REG].value - 2) < 1e-12);
    assert_int_equal(fit.degrees, 0);
    assert_true(isinf(fit.factors[NMC_FIT_MAC].high));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recovers),
        cmocka_unit_test(test_intervals),
        cmocka_unit_test(test_one_point),
        cmocka_unit_test(test_names_what_cannot_be_told),
        cmocka_unit_test(test_contradicted_ratios),
        cmocka_unit_test(test_power_alone),
        cmocka_unit_test(test_power_in_step),
        cmocka_unit_test(test_free_arithmetic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
