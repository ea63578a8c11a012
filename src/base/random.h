/*
 * random.h - numbers that are a function of a seed and an index alone, the same everywhere.
 */
#ifndef NMC_RANDOM_H
#define NMC_RANDOM_H

#include <stdint.h>

/* A good hash of 64 bits (the finaliser of SplitMix64, Steele et al. 2014). */
static inline uint64_t nmc_mix(uint64_t value) {
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

/* The index-th of 64 bits drawn from a seed: SplitMix64 entered at any place. */
static inline uint64_t nmc_draw(uint64_t seed, uint64_t index) {
    return nmc_mix(seed + (index + 1) * UINT64_C(0x9e3779b97f4a7c15));
}

/* The upper 53 bits of a draw as a number from 0 to 1, 1 left out. */
static inline double nmc_unit(uint64_t bits) {
    return (double)(bits >> 11) / 9007199254740992.0;
}

#endif
