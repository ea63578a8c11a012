#include "counters/elements.h"

#include <math.h>
#include <string.h>

#include "base/checked.h"

bool nmc_elements_bytes(enum nmc_elem type, int64_t count, int64_t *out) {
    int64_t bits = nmc_elem_bits(type);
    if (bits < 8)
        return bits == 4 && count >= 0 && nmc_add(count, 1, out) && (*out /= 2, true);
    return count >= 0 && nmc_mul(count, bits / 8, out);
}

/* ---- floating point of 16 bits ---- */

/* A positive finite value with `fraction` bits behind the point and exponents from `least` on,
 * as an integer whose order is that of the values. */
static uint64_t small_float(double value, int fraction, int least, uint64_t infinity) {
    int exponent;
    frexp(value, &exponent); /* value = [0.5, 1) * 2^exponent */
    exponent -= 1;
    if (value == 0)
        return 0;
    if (exponent < least)
        exponent = least;
    /* nearbyint rounds ties to even; a carry runs into the exponent, as it should */
    double scaled = nearbyint(ldexp(value, fraction - exponent));
    double code = scaled + ldexp((double)(exponent - least), fraction);
    return code < (double)infinity ? (uint64_t)code : infinity;
}

static uint64_t to_16_bits(double value, int fraction, int least, uint64_t infinity) {
    uint64_t sign = signbit(value) ? 0x8000 : 0;
    if (isnan(value))
        return sign | infinity | 1;
    return sign | (isinf(value) ? infinity : small_float(fabs(value), fraction, least, infinity));
}

static double from_16_bits(uint64_t bits, int fraction, int least, uint64_t infinity) {
    uint64_t code = bits & 0x7fff;
    int biased = (int)(code >> fraction);
    double part = (double)(code & ((UINT64_C(1) << fraction) - 1));
    double value;
    if (code >= infinity)
        value = code == infinity ? (double)INFINITY : (double)NAN;
    else if (biased == 0)
        value = ldexp(part, least - fraction);
    else
        value = ldexp(part + ldexp(1, fraction), biased - 1 + least - fraction);
    return bits & 0x8000 ? -value : value;
}

enum { HALF_FRACTION = 10, HALF_LEAST = -14, HALF_INFINITY = 0x7c00 };
enum { BFLOAT_FRACTION = 7, BFLOAT_LEAST = -126, BFLOAT_INFINITY = 0x7f80 };

/* ---- all types ---- */

/* The code of 1 in types whose other values are not made. */
static uint64_t one_of(enum nmc_elem type) {
    switch (type) {
    case NMC_ELEM_float8e4m3fn: return 0x38;
    case NMC_ELEM_float8e5m2: return 0x3c;
    case NMC_ELEM_float8e4m3fnuz:
    case NMC_ELEM_float8e5m2fnuz: return 0x40;
    default: return 0x2; /* float4e2m1 */
    }
}

static uint64_t bits_of(enum nmc_elem type, double value) {
    uint64_t bits = 0;
    float single = (float)value;
    switch (type) {
    case NMC_ELEM_complex64:
    case NMC_ELEM_float32: memcpy(&bits, &single, sizeof single); break;
    case NMC_ELEM_complex128:
    case NMC_ELEM_float64: memcpy(&bits, &value, sizeof value); break;
    case NMC_ELEM_float16: return to_16_bits(value, HALF_FRACTION, HALF_LEAST, HALF_INFINITY);
    case NMC_ELEM_bfloat16:
        return to_16_bits(value, BFLOAT_FRACTION, BFLOAT_LEAST, BFLOAT_INFINITY);
    case NMC_ELEM_bool: return value != 0;
    default:
        if (nmc_elem_kind(type) == 'f')
            return value != 0 ? one_of(type) : 0;
        return (uint64_t)(int64_t)value;
    }
    return bits;
}

/* Where an element lies: a byte's half, or bytes. */
static size_t width_of(enum nmc_elem type) {
    return (size_t)nmc_elem_bits(type) / 8;
}

void nmc_element_put_bits(void *data, enum nmc_elem type, int64_t index, uint64_t bits) {
    unsigned char *bytes = data;
    size_t width = width_of(type),
           part = width > 8 || nmc_elem_kind(type) == 'c' ? width / 2 : width;
    if (nmc_elem_bits(type) == 4) {
        unsigned char *byte = &bytes[index / 2];
        int shift = index % 2 ? 4 : 0;
        *byte = (unsigned char)((*byte & ~(0xf << shift)) | (int)(bits & 0xf) << shift);
        return;
    }
    bytes += (size_t)index * width;
    memset(bytes, 0, width);
    memcpy(bytes, &bits, part);
}

void nmc_element_put(void *data, enum nmc_elem type, int64_t index, double value) {
    nmc_element_put_bits(data, type, index, bits_of(type, value));
}

uint64_t nmc_element_bits(const void *data, enum nmc_elem type, int64_t index) {
    const unsigned char *bytes = data;
    size_t width = width_of(type);
    uint64_t bits = 0;
    if (nmc_elem_bits(type) == 4)
        return bytes[index / 2] >> (index % 2 ? 4 : 0) & 0xf;
    memcpy(&bits, bytes + (size_t)index * width, width < 8 ? width : 8);
    return bits;
}

static bool is_signed(enum nmc_elem type) {
    return type == NMC_ELEM_int4 || type == NMC_ELEM_int8 || type == NMC_ELEM_int16 ||
           type == NMC_ELEM_int32;
}

bool nmc_element_get(const void *data, enum nmc_elem type, int64_t index, double *out) {
    uint64_t bits = nmc_element_bits(data, type, index);
    int width = nmc_elem_bits(type);
    float single;
    switch (type) {
    case NMC_ELEM_float32:
        memcpy(&single, &bits, sizeof single);
        *out = (double)single;
        return true;
    case NMC_ELEM_float64: memcpy(out, &bits, sizeof *out); return true;
    case NMC_ELEM_float16:
        *out = from_16_bits(bits, HALF_FRACTION, HALF_LEAST, HALF_INFINITY);
        return true;
    case NMC_ELEM_bfloat16:
        *out = from_16_bits(bits, BFLOAT_FRACTION, BFLOAT_LEAST, BFLOAT_INFINITY);
        return true;
    default: break;
    }
    char kind = nmc_elem_kind(type);
    if (kind != 'i' && kind != 'b')
        return false;
    *out = (double)bits;
    if (is_signed(type) && bits >> (width - 1))
        *out -= ldexp(1, width);
    return true;
}
