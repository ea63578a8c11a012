/* Statistics of a measurement, against values worked by hand or by other programs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "counters/stats.h"

static bool close_to(double a, double b) {
    return fabs(a - b) <= 1e-12 * fmax(1, fabs(b));
}

static void mean_and_deviation(void **state) {
    (void)state;
    const double values[] = {2, 4, 4, 4, 5, 5, 7, 9};
    assert_true(close_to(nmc_mean(values, 8), 5));
    assert_true(close_to(nmc_deviation(values, 8), sqrt(32.0 / 7)));
    assert_true(nmc_deviation(values, 1) == 0);
}

/* R: quantile(c(1, 2, 4, 8, 16), c(.25, .5, .75, .9), type = 7) */
static void quantiles_are_of_type_7(void **state) {
    (void)state;
    const double sorted[] = {1, 2, 4, 8, 16};
    assert_true(close_to(nmc_quantile(sorted, 5, 0.25), 2));
    assert_true(close_to(nmc_quantile(sorted, 5, 0.5), 4));
    assert_true(close_to(nmc_quantile(sorted, 5, 0.75), 8));
    assert_true(close_to(nmc_quantile(sorted, 5, 0.9), 12.8));
    assert_true(close_to(nmc_quantile(sorted, 5, 1), 16));
    assert_true(close_to(nmc_quantile(sorted, 1, 0.3), 1));
}

/* Six values: all of them cover with 1 - 2/64; five only with 1 - 2/32. Of ten, the second and the
 * ninth cover with 1 - 2 * 11/1024. */
static void median_intervals_are_exact(void **state) {
    (void)state;
    const double sorted[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    struct nmc_median_interval i = nmc_median_interval(sorted, 6, 0.95);
    assert_true(i.reaches && i.low == 1 && i.high == 6 && close_to(i.coverage, 1 - 2.0 / 64));
    i = nmc_median_interval(sorted, 5, 0.95);
    assert_true(!i.reaches && i.low == 1 && i.high == 5 && close_to(i.coverage, 1 - 2.0 / 32));
    i = nmc_median_interval(sorted, 10, 0.95);
    assert_true(i.reaches && i.low == 2 && i.high == 9 && close_to(i.coverage, 1 - 22.0 / 1024));
    i = nmc_median_interval(sorted, 1, 0.95);
    assert_true(!i.reaches && i.low == 1 && i.high == 1 && i.coverage == 0);
}

/* Of many values the ends are near n/2 -+ 0.98 sqrt(n), as the normal law has it; 2^-n is less than
 * any double. */
static void median_intervals_of_many_values(void **state) {
    (void)state;
    enum { MANY = 3000 };
    static double sorted[MANY];
    for (int i = 0; i < MANY; i++)
        sorted[i] = i;
    struct nmc_median_interval i = nmc_median_interval(sorted, MANY, 0.95);
    double middle = MANY, half = 0.98 * sqrt(middle);
    middle /= 2;
    assert_true(i.reaches && i.coverage >= 0.95 && i.coverage < 0.955);
    assert_true(fabs(i.low - (middle - half)) < 2 && fabs(i.high - (middle + half)) < 2);
}

static void outliers_are_flagged(void **state) {
    (void)state;
    const double values[] = {10, 10.1, 9.9, 10.2, 9.8, 14};
    const double flat[] = {1, 1, 1, 1, 2};
    double scratch[6];
    bool out[6];
    nmc_outliers(values, 6, scratch, out);
    assert_true(!out[0] && !out[1] && !out[2] && !out[3] && !out[4] && out[5]);
    nmc_outliers(flat, 5, scratch, out);
    assert_true(!out[0] && out[4]);
}

static void correlations(void **state) {
    (void)state;
    const double x[] = {1, 2, 3, 4}, y[] = {1, 4, 9, 16}, ties[] = {1, 2, 2, 3},
                 flat[] = {5, 5, 5, 5};
    double scratch[8];
    assert_true(close_to(nmc_spearman(x, y, 4, scratch), 1));
    assert_true(close_to(nmc_pearson(x, y, 4), 25 / sqrt(5.0 * 129)));
    /* ranks 0, 1.5, 1.5, 3 against 0, 1, 2, 3 */
    assert_true(close_to(nmc_spearman(ties, x, 4, scratch), 4.5 / sqrt(4.5 * 5)));
    assert_true(isnan(nmc_pearson(x, flat, 4)));
    assert_true(isnan(nmc_pearson(x, y, 1)));
}

static void summaries(void **state) {
    (void)state;
    const double values[] = {5, 1, 3, 2, 4, 6, 7};
    double scratch[7];
    struct nmc_summary s = nmc_summarize(values, 7, scratch);
    assert_true(s.median == 4 && s.q1 == 2.5 && s.q3 == 5.5 && s.least == 1 && s.most == 7);
    assert_true(s.interval.low == 1 && s.interval.high == 7 &&
                close_to(s.interval.coverage, 1 - 2.0 / 128));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mean_and_deviation),
        cmocka_unit_test(quantiles_are_of_type_7),
        cmocka_unit_test(median_intervals_are_exact),
        cmocka_unit_test(median_intervals_of_many_values),
        cmocka_unit_test(outliers_are_flagged),
        cmocka_unit_test(correlations),
        cmocka_unit_test(summaries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
