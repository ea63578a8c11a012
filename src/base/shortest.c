/*
 * Schubfach (Giulietti 2020, "The Schubfach way to render doubles"): the bounds of the interval
 * that rounds to the value are scaled by one power of ten so that at most two candidates of each
 * length remain, and three multiplications decide between them. About 30 times faster than
 * printf and strtod.
 */
#include "base/shortest.h"

#include <stdbool.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

struct pow10 {
    uint64_t high, low;
};

enum { POW10_FIRST = -292 };

static const struct pow10 powers[] = {
#define POW10(high, low) {high, low},
#include "base/pow10.def"
#undef POW10
};

/* Logarithms of the exponents that occur, exact after rounding down. */
static int floor_log10_of_pow2(int e) {
    return (e * 1262611) >> 22;
}

static int floor_log10_of_three_quarters_pow2(int e) {
    return (e * 1262611 - 524031) >> 22;
}

static int floor_log2_of_pow10(int e) {
    return (e * 1741647) >> 19;
}

/* The upper half of power * factor; its last bit is set if anything is lost. */
static uint64_t scale(struct pow10 power, uint64_t factor) {
    wide low = (wide)power.low * factor;
    wide high = (wide)power.high * factor + (uint64_t)(low >> 64);
    return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

/* All in units of a quarter of the last place: below, value and above are the scaled interval. */
static struct nmc_decimal choose(uint64_t below, uint64_t value, uint64_t above, int exponent) {
    uint64_t s = value / 4;
    if (s >= 10) {
        uint64_t tens = s / 10;
        bool down = below <= 40 * tens, up = 40 * tens + 40 <= above;
        if (down != up)
            return (struct nmc_decimal){tens + up, exponent + 1};
    }
    bool down = below <= 4 * s, up = 4 * s + 4 <= above;
    if (down != up)
        return (struct nmc_decimal){s + up, exponent};
    uint64_t middle = 4 * s + 2;
    bool round_up = value > middle || (value == middle && (s & 1));
    return (struct nmc_decimal){s + round_up, exponent};
}

static struct nmc_decimal without_zeros(struct nmc_decimal d) {
    while (d.digits % 100000000 == 0) {
        d.digits /= 100000000;
        d.exponent += 8;
    }
    while (d.digits % 10 == 0) {
        d.digits /= 10;
        d.exponent++;
    }
    return d;
}

struct nmc_decimal nmc_shortest(double value) {
    const uint64_t hidden = UINT64_C(1) << 52;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t fraction = bits & (hidden - 1);
    int biased = (int)(bits >> 52 & 0x7FF);
    uint64_t c = biased ? fraction | hidden : fraction;
    int q = (biased ? biased : 1) - 1075;
    /* At a power of two the next double below is only half as far as the next above. */
    bool closer_below = fraction == 0 && biased > 1;
    int k = closer_below ? floor_log10_of_three_quarters_pow2(q) : floor_log10_of_pow2(q);
    int shift = q + floor_log2_of_pow10(-k) + 1;
    struct pow10 power = powers[-k - POW10_FIRST];
    uint64_t below = scale(power, (4 * c - 2 + closer_below) << shift);
    uint64_t middle = scale(power, (4 * c) << shift);
    uint64_t above = scale(power, (4 * c + 2) << shift);
    /* The ends round to the value only if its significand is even. */
    uint64_t odd = c & 1;
    return without_zeros(choose(below + odd, middle, above - odd, k));
}
