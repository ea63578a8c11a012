/*
 * checked.h - integer arithmetic that says when it overflows. gcc 12 has no <stdckdint.h>.
 *
 * Each stores the wrapped result in *out and returns true if the true result fits.
 */
#ifndef NMC_CHECKED_H
#define NMC_CHECKED_H

#include <stdbool.h>
#include <stdint.h>

static inline bool nmc_add(int64_t a, int64_t b, int64_t *out) {
    return !__builtin_add_overflow(a, b, out);
}

static inline bool nmc_sub(int64_t a, int64_t b, int64_t *out) {
    return !__builtin_sub_overflow(a, b, out);
}

static inline bool nmc_mul(int64_t a, int64_t b, int64_t *out) {
    return !__builtin_mul_overflow(a, b, out);
}

/* Product of count factors; 1 for none. */
static inline bool nmc_product(const int64_t *factors, int count, int64_t *out) {
    *out = 1;
    for (int i = 0; i < count; i++)
        if (factors[i] == 0) /* whatever the others come to */
            return *out = 0, true;
    for (int i = 0; i < count; i++)
        if (!nmc_mul(*out, factors[i], out))
            return false;
    return true;
}

/* Quotient rounded towards minus infinity, and towards plus infinity; b > 0. */
static inline int64_t nmc_div_floor(int64_t a, int64_t b) {
    /* cppcheck-suppress zerodivcond ; some callers compare b with 0 to see its sign */
    return a / b - (a % b < 0);
}

static inline int64_t nmc_div_ceil(int64_t a, int64_t b) {
    /* cppcheck-suppress zerodivcond */
    return a / b + (a % b > 0);
}

#endif
