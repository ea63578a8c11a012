/*
 * shortest.h - the shortest decimal that reads back as the same double.
 */
#ifndef NMC_SHORTEST_H
#define NMC_SHORTEST_H

#include <stdint.h>

/* |value| = digits * 10^exponent, digits > 0 without zeros at its end; of the shortest decimals
 * that read back equal the one nearest to value. value must be finite and not 0. */
struct nmc_decimal {
    uint64_t digits;
    int exponent;
};

struct nmc_decimal nmc_shortest(double value);

#endif
