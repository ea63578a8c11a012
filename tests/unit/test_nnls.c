/* Least squares with coefficients that are not negative, against answers found another way. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "counters/nnls.h"

static void near(double want, double got, double tolerance) {
    if (!(fabs(want - got) <= tolerance))
        fail_msg("want %.17g, got %.17g", want, got);
}

/* Without a bound in play the answer is that of plain least squares: (1, 2) by hand. */
static void test_inside(void **state) {
    (void)state;
    const double a[] = {1, 0, 0, 1, 1, 1}, b[] = {1, 2, 3};
    double x[2];
    assert_true(nmc_nnls(a, b, 3, 2, x));
    near(1, x[0], 1e-12);
    near(2, x[1], 1e-12);
}

/* Plain least squares would give the second column -1; bound at 0, the first is b.a / a.a. */
static void test_bound(void **state) {
    (void)state;
    const double a[] = {1, 0, 1, 1, 1, 0}, b[] = {2, 1, 2};
    double x[2];
    assert_true(nmc_nnls(a, b, 3, 2, x));
    near(5.0 / 3, x[0], 1e-12);
    near(0, x[1], 0);
}

static void test_zero_column(void **state) {
    (void)state;
    const double a[] = {1, 0, 2, 0, 3, 0}, b[] = {2, 4, 6};
    double x[2];
    assert_true(nmc_nnls(a, b, 3, 2, x));
    near(2, x[0], 1e-12);
    near(0, x[1], 0);
}

/* The conditions of Karush, Kuhn and Tucker decide of any answer whether it is the least. */
static void test_conditions(void **state) {
    (void)state;
    enum { ROWS = 20, COLUMNS = 7, CASES = 200 };
    for (uint64_t seed = 0; seed < CASES; seed++) {
        double a[ROWS * COLUMNS], b[ROWS], x[COLUMNS];
        for (int i = 0; i < ROWS * COLUMNS; i++)
            a[i] = nmc_unit(nmc_draw(seed, (uint64_t)i));
        for (int i = 0; i < ROWS; i++)
            b[i] = nmc_unit(nmc_draw(seed, 1000 + (uint64_t)i)) * 2 - 0.5;
        assert_true(nmc_nnls(a, b, ROWS, COLUMNS, x));
        for (int j = 0; j < COLUMNS; j++) {
            double slope = 0;
            for (int i = 0; i < ROWS; i++) {
                double rest = b[i];
                for (int k = 0; k < COLUMNS; k++)
                    rest -= a[i * COLUMNS + k] * x[k];
                slope += a[i * COLUMNS + j] * rest;
            }
            assert_true(x[j] >= 0);
            assert_true(slope <= 1e-9);
            near(0, x[j] > 0 ? slope : 0, 1e-9);
        }
    }
}

/* The inverse of [[2, 1], [1, 2]] is [[2, -1], [-1, 2]] / 3; a doubled column has none. */
static void test_spread(void **state) {
    (void)state;
    const double a[] = {1, 0, 0, 1, 1, 1}, doubled[] = {1, 2, 2, 4, 3, 6};
    const bool use[] = {true, true}, one[] = {true, false};
    double out[2];
    assert_true(nmc_nnls_spread(a, 3, 2, use, out));
    near(2.0 / 3, out[0], 1e-12);
    near(2.0 / 3, out[1], 1e-12);
    assert_true(nmc_nnls_spread(doubled, 3, 2, use, out));
    assert_true(isinf(out[0]) && isinf(out[1]));
    assert_true(nmc_nnls_spread(doubled, 3, 2, one, out));
    near(1.0 / 14, out[0], 1e-12);
    near(0, out[1], 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inside),      cmocka_unit_test(test_bound),
        cmocka_unit_test(test_zero_column), cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_spread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
