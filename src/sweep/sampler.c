#include "sweep/sampler.h"

static uint64_t hash(uint64_t seed, uint64_t index, uint64_t group) {
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);
    return nmc_mix(nmc_mix(nmc_mix(seed + golden) + index * golden) + (group + 1) * golden);
}

/* 0 to count - 1 from the upper half of a product. */
static int32_t scale(uint64_t bits, int64_t count) {
    return (int32_t)((bits >> 32) * (uint64_t)count >> 32);
}

struct polynomial {
    int degree;
    uint32_t inner;
    uint32_t first[7];
};

static const struct polynomial polynomials[] = {
#define SOBOL(degree, inner, ...) {degree, inner, {__VA_ARGS__}},
#include "sweep/sobol.def"
#undef SOBOL
};

/* Direction number `bit` of a dim, from the recurrence of its polynomial. */
static uint32_t direction(const struct polynomial *p, uint32_t *directions, int bit) {
    if (bit < p->degree)
        return p->first[bit] << (31 - bit);
    uint32_t value = directions[bit - p->degree];
    value ^= value >> p->degree;
    for (int k = 1; k < p->degree; k++)
        if (p->inner >> (p->degree - 1 - k) & 1)
            value ^= directions[bit - k];
    return value;
}

uint32_t nmc_sobol(int dim, uint32_t i) {
    uint32_t directions[32], sum = 0;
    for (int bit = 0; i >> bit; bit++) {
        directions[bit] =
            dim ? direction(&polynomials[dim - 1], directions, bit) : UINT32_C(1) << (31 - bit);
        if (i >> bit & 1)
            sum ^= directions[bit];
        if (bit == 31)
            break;
    }
    return sum;
}

void nmc_sample_levels(const struct nmc_plan *plan, int64_t index, int32_t levels[NMC_MAX_AXES]) {
    uint64_t seed = plan->space.seed;
    for (int g = 0; g < plan->group_count; g++) {
        uint64_t bits = hash(seed, (uint64_t)index, (uint64_t)g);
        if (plan->space.sampler == NEUROMC_SOBOL)
            bits = ((uint64_t)nmc_sobol(g, (uint32_t)index) << 32) ^
                   hash(seed, UINT64_MAX, (uint64_t)g);
        levels[g] = scale(bits, plan->groups[g].count);
    }
}
