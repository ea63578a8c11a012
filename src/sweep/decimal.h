/*
 * decimal.h - decimal numbers as people write them, exactly: mantissa / 10^decimals.
 */
#ifndef NMC_DECIMAL_H
#define NMC_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nmc_exact {
    int64_t mantissa;
    int decimals; /* 0 to 18 */
};

/* Reads [-]digits[.digits][e[-]digits] from the front of a text; returns how much of it that is,
 * 0 if it does not start with a number or has more digits than fit. */
size_t nmc_exact_read(const char *text, struct nmc_exact *out);

/* False: the result does not fit. */
bool nmc_exact_multiply(struct nmc_exact a, struct nmc_exact b, struct nmc_exact *out);
/* a and b with the same number of decimals. */
bool nmc_exact_align(struct nmc_exact *a, struct nmc_exact *b);

/* The nearest double. */
double nmc_exact_double(struct nmc_exact value);

#endif
