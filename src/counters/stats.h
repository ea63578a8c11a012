/*
 * stats.h - the statistics of a measurement: few values, no assumption about their distribution.
 */
#ifndef NMC_STATS_H
#define NMC_STATS_H

#include <stdbool.h>
#include <stddef.h>

double nmc_mean(const double *values, size_t count);
/* Sample standard deviation (n - 1); 0 for fewer than two values. */
double nmc_deviation(const double *values, size_t count);

/* values sorted, count > 0. Quantile by linear interpolation between order statistics: type 7 of
 * Hyndman and Fan (1996). p from 0 to 1. */
double nmc_quantile(const double *sorted, size_t count, double p);
void nmc_sort(double *values, size_t count);

/* An interval for the median between two order statistics, exact whatever the distribution: it
 * covers the true median with this probability (of the binomial of 1/2). */
struct nmc_median_interval {
    double low, high, coverage;
    bool reaches; /* the coverage wanted; six values are the least for 95 % */
};
/* The narrowest symmetric interval that covers at least `wanted`, else the widest there is. */
struct nmc_median_interval nmc_median_interval(const double *sorted, size_t count, double wanted);

/* What is said of a quantity over the rounds. */
struct nmc_summary {
    size_t count;
    double median, q1, q3, least, most;
    struct nmc_median_interval interval; /* 95 % */
};
/* Sorts its own copy in `scratch`, which has room for `count`; count > 0. */
struct nmc_summary nmc_summarize(const double *values, size_t count, double *scratch);

/* Modified z-score, 0.6745 (x - median) / MAD (Iglewicz and Hoaglin 1993): beyond 3.5 an outlier.
 * With a MAD of 0 any other value is one. out[i]: whether values[i] is an outlier. */
void nmc_outliers(const double *values, size_t count, double *scratch, bool *out);

/* Correlation of pairs, -1 to 1; NAN for fewer than two pairs or a constant side. Spearman's is
 * Pearson's of the ranks, ties sharing their mean rank; scratch has room for 2 * count. */
double nmc_pearson(const double *x, const double *y, size_t count);
double nmc_spearman(const double *x, const double *y, size_t count, double *scratch);

#endif
