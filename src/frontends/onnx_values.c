#include "frontends/onnx_values.h"

#include <math.h>
#include <string.h>

#include "base/limits.h"

/* ---- floating point by bits ----------------------------------------------------------------- */

static double from_bits32(uint32_t bits) {
    float f;
    memcpy(&f, &bits, sizeof f);
    return (double)f;
}

static double from_bits64(uint64_t bits) {
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

/* IEEE 754 binary16: 1 sign, 5 exponent, 10 fraction bits. */
static double from_half(uint16_t bits) {
    int exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ff;
    double value;
    if (exponent == 0x1f)
        value = fraction ? NAN : INFINITY;
    else if (exponent == 0)
        value = ldexp(fraction, -24);
    else
        value = ldexp(fraction + 1024, exponent - 25);
    return bits & 0x8000 ? -value : value;
}

static double real_of(enum nmc_elem type, uint64_t bits) {
    switch (type) {
    case NMC_ELEM_float16: return from_half((uint16_t)bits);
    case NMC_ELEM_bfloat16: return from_bits32((uint32_t)(bits & 0xffff) << 16);
    case NMC_ELEM_float32: return from_bits32((uint32_t)bits);
    default: return from_bits64(bits);
    }
}

/* ---- integers by bits ----------------------------------------------------------------------- */

static bool is_unsigned(enum nmc_elem type) {
    switch (type) {
    case NMC_ELEM_bool:
    case NMC_ELEM_uint4:
    case NMC_ELEM_uint8:
    case NMC_ELEM_uint16:
    case NMC_ELEM_uint32:
    case NMC_ELEM_uint64: return true;
    default: return false;
    }
}

/* The low `width` bits as an integer of the type, clamped to what a folded element may be. */
static nmc_dim int_of(enum nmc_elem type, int width, uint64_t bits) {
    if (width < 64) {
        uint64_t sign = UINT64_C(1) << (width - 1), mask = 2 * sign - 1;
        bits &= mask;
        return is_unsigned(type) ? (nmc_dim)bits : (nmc_dim)((bits ^ sign) - sign);
    }
    if (is_unsigned(type))
        return bits > INT64_MAX ? INT64_MAX : (nmc_dim)bits;
    return (nmc_dim)bits < NMC_DIM_LEAST ? NMC_DIM_LEAST : (nmc_dim)bits;
}

/* ---- where the bits are --------------------------------------------------------------------- */

/* raw_data is little-endian; elements below 8 bits are packed from the low end of each byte. */
static uint64_t raw_bits(const uint8_t *data, int width, size_t index) {
    if (width < 8) {
        size_t bit = index * (size_t)width;
        return (uint64_t)data[bit / 8] >> (bit % 8);
    }
    size_t size = (size_t)width / 8;
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++)
        bits |= (uint64_t)data[index * size + i] << (8 * i);
    return bits;
}

/* Which field holds a type when raw_data does not, and how many elements are there. */
static size_t typed_count(enum nmc_elem type, const Onnx__TensorProto *from) {
    switch (type) {
    case NMC_ELEM_float32: return from->n_float_data;
    case NMC_ELEM_float64: return from->n_double_data;
    case NMC_ELEM_int64: return from->n_int64_data;
    case NMC_ELEM_uint32:
    case NMC_ELEM_uint64: return from->n_uint64_data;
    case NMC_ELEM_int32:
    case NMC_ELEM_int16:
    case NMC_ELEM_int8:
    case NMC_ELEM_uint16:
    case NMC_ELEM_uint8:
    case NMC_ELEM_bool:
    case NMC_ELEM_float16:
    case NMC_ELEM_bfloat16: return from->n_int32_data;
    default: return 0;
    }
}

static uint64_t typed_bits(enum nmc_elem type, const Onnx__TensorProto *from, size_t index) {
    uint32_t single;
    uint64_t twice;
    switch (type) {
    case NMC_ELEM_float32: memcpy(&single, &from->float_data[index], sizeof single); return single;
    case NMC_ELEM_float64: memcpy(&twice, &from->double_data[index], sizeof twice); return twice;
    case NMC_ELEM_int64: return (uint64_t)from->int64_data[index];
    case NMC_ELEM_uint32:
    case NMC_ELEM_uint64: return from->uint64_data[index];
    default: return (uint64_t)(int64_t)from->int32_data[index];
    }
}

static uint64_t bits_at(const struct nmc_tensor *tensor, const Onnx__TensorProto *from, int width,
                        size_t index) {
    return from->has_raw_data ? raw_bits(from->raw_data.data, width, index)
                              : typed_bits(tensor->type, from, index);
}

static bool is_complete(const struct nmc_tensor *tensor, const Onnx__TensorProto *from, int width) {
    size_t count = (size_t)tensor->value_count;
    if (from->has_raw_data)
        return from->raw_data.len == (count * (size_t)width + 7) / 8;
    return typed_count(tensor->type, from) == count;
}

static bool is_decoded(enum nmc_elem type) {
    char kind = nmc_elem_kind(type);
    return kind == 'i' || kind == 'b' || (kind == 'f' && nmc_elem_bits(type) >= 16);
}

void nmc_read_values(struct nmc_arena *arena, struct nmc_tensor *tensor,
                     const Onnx__TensorProto *from) {
    int width = nmc_elem_bits(tensor->type);
    if (tensor->value_count > NMC_LIMIT_FOLD_ELEMENTS || !is_decoded(tensor->type) ||
        !is_complete(tensor, from, width))
        return;
    size_t count = (size_t)tensor->value_count;
    if (nmc_elem_kind(tensor->type) == 'f') {
        double *reals = tensor->reals = nmc_arena_array(arena, count, sizeof *reals);
        for (size_t i = 0; reals && i < count; i++)
            reals[i] = real_of(tensor->type, bits_at(tensor, from, width, i));
    } else {
        nmc_dim *ints = tensor->ints = nmc_arena_array(arena, count, sizeof *ints);
        for (size_t i = 0; ints && i < count; i++)
            ints[i] = int_of(tensor->type, width, bits_at(tensor, from, width, i));
    }
}
