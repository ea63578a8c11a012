#include "counters/stats.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double outlier_score = 3.5, mad_to_deviation = 0.6745;

double nmc_mean(const double *values, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return count ? sum / (double)count : 0;
}

double nmc_deviation(const double *values, size_t count) {
    double mean = nmc_mean(values, count), sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (values[i] - mean) * (values[i] - mean);
    return count > 1 ? sqrt(sum / (double)(count - 1)) : 0;
}

static int by_value(const void *a, const void *b) {
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

void nmc_sort(double *values, size_t count) {
    if (count)
        qsort(values, count, sizeof *values, by_value);
}

double nmc_quantile(const double *sorted, size_t count, double p) {
    double at = p * (double)(count - 1), whole = floor(at);
    size_t below = (size_t)whole;
    if (below + 1 >= count)
        return sorted[count - 1];
    return sorted[below] + (at - whole) * (sorted[below + 1] - sorted[below]);
}

/* With k values left out at each end, P(median outside) = 2 P(B <= k), B binomial of n and 1/2.
 * The power of two is kept apart: 2^-n alone would vanish from 1075 values on. */
struct nmc_median_interval nmc_median_interval(const double *sorted, size_t count, double wanted) {
    struct nmc_median_interval best = {sorted[0], sorted[count - 1], 0, false};
    double term = 1, tail = 0;
    long power = -(long)count;
    for (size_t k = 0; 2 * k + 1 < count; k++) {
        tail += ldexp(term, power > INT_MIN ? (int)power : INT_MIN);
        int exponent;
        term = frexp(term * (double)(count - k) / (double)(k + 1), &exponent);
        power += exponent;
        double coverage = 1 - 2 * tail;
        if (k > 0 && coverage < wanted)
            break;
        best = (struct nmc_median_interval){sorted[k], sorted[count - 1 - k], coverage,
                                            coverage >= wanted};
    }
    return best;
}

struct nmc_summary nmc_summarize(const double *values, size_t count, double *scratch) {
    const double wanted = 0.95;
    memcpy(scratch, values, count * sizeof *values);
    nmc_sort(scratch, count);
    return (struct nmc_summary){
        .count = count,
        .median = nmc_quantile(scratch, count, 0.5),
        .q1 = nmc_quantile(scratch, count, 0.25),
        .q3 = nmc_quantile(scratch, count, 0.75),
        .least = scratch[0],
        .most = scratch[count - 1],
        .interval = nmc_median_interval(scratch, count, wanted),
    };
}

void nmc_outliers(const double *values, size_t count, double *scratch, bool *out) {
    if (!count)
        return;
    memcpy(scratch, values, count * sizeof *values);
    nmc_sort(scratch, count);
    double median = nmc_quantile(scratch, count, 0.5);
    for (size_t i = 0; i < count; i++)
        scratch[i] = fabs(values[i] - median);
    nmc_sort(scratch, count);
    double mad = nmc_quantile(scratch, count, 0.5);
    for (size_t i = 0; i < count; i++)
        out[i] = mad_to_deviation * fabs(values[i] - median) > outlier_score * mad;
}

double nmc_pearson(const double *x, const double *y, size_t count) {
    double mx = nmc_mean(x, count), my = nmc_mean(y, count), xx = 0, yy = 0, xy = 0;
    for (size_t i = 0; i < count; i++) {
        xx += (x[i] - mx) * (x[i] - mx);
        yy += (y[i] - my) * (y[i] - my);
        xy += (x[i] - mx) * (y[i] - my);
    }
    return count > 1 && xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : (double)NAN;
}

/* The mean rank of a value among all: how many are less, and half of those that are equal. */
static void rank(const double *values, size_t count, double *out) {
    for (size_t i = 0; i < count; i++) {
        size_t less = 0, equal = 0;
        for (size_t k = 0; k < count; k++) {
            less += values[k] < values[i];
            equal += values[k] == values[i];
        }
        out[i] = (double)less + ((double)equal - 1) / 2;
    }
}

double nmc_spearman(const double *x, const double *y, size_t count, double *scratch) {
    rank(x, count, scratch);
    rank(y, count, scratch + count);
    return nmc_pearson(scratch, scratch + count, count);
}
