/*
 * sum.h - exact sums of doubles: a long integer wide enough for every one of them (Kulisch 1971,
 * in the small form of Neal 2015). Any order of adding and any way of splitting the work gives
 * the same bits, so shards merge to what one run gives.
 */
#ifndef NMC_SUM_H
#define NMC_SUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Digit i weighs 2^(32 i - 1074). Digits overlap: each holds sums of 32-bit parts, of either
 * sign, until they are carried. */
enum { NMC_SUM_DIGITS = 68, NMC_SUM_TEXT = 8 * NMC_SUM_DIGITS + 16 };

struct nmc_sum {
    int64_t digits[NMC_SUM_DIGITS];
    uint32_t pending; /* additions since the last carry */
};

/* A zeroed struct is 0. value must be finite. */
void nmc_sum_add(struct nmc_sum *sum, double value);
void nmc_sum_merge(struct nmc_sum *sum, const struct nmc_sum *other);

/* The nearest double, ties to even. */
double nmc_sum_value(const struct nmc_sum *sum);

/* One text for one value: [-]HEXpN is HEX * 2^(32 N - 1074). */
void nmc_sum_write(const struct nmc_sum *sum, char out[NMC_SUM_TEXT]);
bool nmc_sum_read(struct nmc_sum *sum, const char *text);

#endif
