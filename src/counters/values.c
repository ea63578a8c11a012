#include "counters/values.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "counters/elements.h"

static uint64_t stream_seed(uint64_t seed, uint64_t stream) {
    return nmc_mix(nmc_draw(seed, stream));
}

/* Codes of 8 bits whose top exponent bit and sign are 0 are small positive numbers in every
 * format of floating point that has 8. */
static uint64_t tame(enum nmc_elem type, uint64_t bits) {
    return nmc_elem_kind(type) == 'f' && nmc_elem_bits(type) == 8 ? bits & 0x3f : bits;
}

static bool is_narrow(enum nmc_elem type) {
    return nmc_elem_kind(type) != 'b' && nmc_elem_bits(type) <= 8;
}

static bool is_real(enum nmc_elem type) {
    char kind = nmc_elem_kind(type);
    return (kind == 'f' || kind == 'c') && !is_narrow(type);
}

void nmc_input_fill(const struct nmc_input_values *values, uint64_t stream, enum nmc_elem type,
                    int64_t first, int64_t count, void *data) {
    uint64_t seed = stream_seed(values->seed, stream);
    int64_t bytes = 0;
    if (values->kind == NEUROMC_INPUTS_ZEROS && nmc_elements_bytes(type, count, &bytes))
        memset(data, 0, (size_t)bytes);
    for (int64_t i = 0; values->kind != NEUROMC_INPUTS_ZEROS && i < count; i++) {
        uint64_t bits = nmc_draw(seed, (uint64_t)(first + i));
        double unit = nmc_unit(bits);
        if (values->kind == NEUROMC_INPUTS_SPIKES)
            nmc_element_put(data, type, i, unit < values->rate ? 1 : 0);
        else if (is_narrow(type))
            nmc_element_put_bits(data, type, i, tame(type, bits >> 32));
        else
            nmc_element_put(data, type, i, is_real(type) ? 2 * unit - 1 : (double)(bits >> 63));
    }
}

/* Half the width of the uniform distribution whose variance is 1 / fan. */
static double reach(const int64_t *dims, int rank) {
    double outputs = (double)dims[0], inputs = 1;
    for (int i = 1; i < rank; i++)
        inputs *= (double)dims[i];
    double fan = inputs > outputs ? inputs : outputs;
    return fan > 0 ? sqrt(3 / fan) : 0;
}

void nmc_weight_fill(uint64_t seed, uint64_t stream, enum nmc_elem type, const int64_t *dims,
                     int rank, int64_t first, int64_t count, void *data) {
    uint64_t from = stream_seed(seed, stream);
    double half = rank < 2 ? 0.5 : reach(dims, rank), middle = rank < 2 ? 1 : 0;
    for (int64_t i = 0; i < count; i++) {
        uint64_t bits = nmc_draw(from, (uint64_t)(first + i));
        if (is_narrow(type))
            nmc_element_put_bits(data, type, i, tame(type, bits >> 32));
        else
            nmc_element_put(data, type, i,
                            is_real(type) ? middle + half * (2 * nmc_unit(bits) - 1) : 0);
    }
}
