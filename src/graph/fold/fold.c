/* What the folding functions share: values of inputs, strides, and what an element can hold. */
#include "graph/fold/fold.h"

#include <math.h>

#include "base/checked.h"

/* A rank-1 tensor of n elements has value_count n; frontends and folds keep that, but a file may
 * disagree with itself. */
bool nmc_value_of(const struct nmc_node *node, int input, struct nmc_value *out) {
    const struct nmc_tensor *tensor = nmc_in(node, input);
    int64_t count;
    if (!tensor || tensor->holds != NMC_HOLDS_TENSOR || (!tensor->ints && !tensor->reals))
        return false;
    if (tensor->shape.rank > NMC_LIMIT_RANK || !nmc_shape_elements(&tensor->shape, &count) ||
        count != tensor->value_count || count > NMC_LIMIT_FOLD_ELEMENTS)
        return false;
    *out = (struct nmc_value){&tensor->shape, count, tensor->ints, tensor->reals};
    if (out->ints)
        out->reals = NULL;
    return true;
}

static const nmc_dim *int_holes(struct nmc_infer *infer, const struct nmc_node *node,
                                int64_t count) {
    nmc_dim *ints = nmc_arena_array(&infer->net->arena, (size_t)count, sizeof *ints);
    for (int64_t i = 0; ints && i < count; i++)
        ints[i] = nmc_unknown(infer, node);
    return ints;
}

static const double *real_holes(struct nmc_infer *infer, int64_t count) {
    double *reals = nmc_arena_array(&infer->net->arena, (size_t)count, sizeof *reals);
    for (int64_t i = 0; reals && i < count; i++)
        reals[i] = (double)NAN;
    return reals;
}

bool nmc_value_or_holes(struct nmc_infer *infer, const struct nmc_node *node, int input,
                        struct nmc_value *out) {
    const struct nmc_tensor *tensor = nmc_in(node, input);
    int64_t count;
    if (nmc_value_of(node, input, out))
        return true;
    if (!tensor || tensor->holds != NMC_HOLDS_TENSOR ||
        !nmc_shape_elements(&tensor->shape, &count) || count > NMC_FOLD_HOLES)
        return false;
    *out = (struct nmc_value){.shape = &tensor->shape, .count = count};
    char kind = nmc_elem_kind(tensor->type);
    if (kind == 'i' || kind == 'b')
        out->ints = int_holes(infer, node, count);
    else if (kind == 'f')
        out->reals = real_holes(infer, count);
    return out->ints || out->reals;
}

const struct nmc_shape *nmc_fold_target(const struct nmc_node *node, int output, int64_t *count) {
    const struct nmc_tensor *tensor = output < node->output_count ? node->outputs[output] : NULL;
    bool small = tensor && tensor->holds == NMC_HOLDS_TENSOR &&
                 nmc_shape_elements(&tensor->shape, count) && *count <= NMC_LIMIT_FOLD_ELEMENTS;
    return small ? &tensor->shape : NULL;
}

neuromc_status nmc_fold_pick(struct nmc_infer *infer, struct nmc_node *node, int output,
                             const struct nmc_value *from, int64_t count, const int64_t *source) {
    if (from->ints) {
        nmc_dim ints[NMC_LIMIT_FOLD_ELEMENTS];
        for (int64_t i = 0; i < count; i++)
            ints[i] = from->ints[source[i]];
        return nmc_out_ints(infer, node, output, count, ints);
    }
    double reals[NMC_LIMIT_FOLD_ELEMENTS];
    for (int64_t i = 0; i < count; i++)
        reals[i] = from->reals[source[i]];
    return nmc_out_reals(infer, node, output, count, reals);
}

int64_t nmc_fold_place(nmc_dim index, int64_t size) {
    if (!nmc_dim_known(index))
        return -1;
    if (index < 0)
        index += size;
    return index >= 0 && index < size ? index : -1;
}

/* ---- strides ---- */

void nmc_strides(const struct nmc_shape *shape, int64_t *strides) {
    int64_t step = 1;
    for (int i = shape->rank - 1; i >= 0; i--) {
        strides[i] = step;
        /* Beside a dim of 0 the others may be as large as they like; nothing is read then. */
        (void)nmc_mul(step, shape->dims[i], &step);
    }
}

int64_t nmc_strided(const struct nmc_shape *shape, const int64_t *strides, int64_t flat) {
    int64_t at = 0;
    for (int i = shape->rank - 1; i >= 0; i--) {
        at += flat % shape->dims[i] * strides[i];
        flat /= shape->dims[i];
    }
    return at;
}

bool nmc_broadcasts_to(const struct nmc_shape *from, const struct nmc_shape *to) {
    int skip = to->rank - from->rank;
    if (skip < 0)
        return false;
    for (int i = 0; i < from->rank; i++)
        if (from->dims[i] != 1 && from->dims[i] != to->dims[skip + i])
            return false;
    return true;
}

void nmc_broadcast_strides(const struct nmc_shape *from, const struct nmc_shape *to,
                           int64_t *strides) {
    int64_t own[NMC_LIMIT_RANK];
    nmc_strides(from, own);
    for (int i = 0; i < to->rank; i++) {
        int k = i - (to->rank - from->rank);
        strides[i] = k < 0 || from->dims[k] == 1 ? 0 : own[k];
    }
}

/* ---- what an element holds ---- */

/* Bits of precision, the hidden one included; 0 for types whose rounding is not followed. */
static int precision(enum nmc_elem type) {
    switch (type) {
    case NMC_ELEM_float64: return 53;
    case NMC_ELEM_float32: return 24;
    case NMC_ELEM_float16: return 11;
    case NMC_ELEM_bfloat16: return 8;
    default: return 0;
    }
}

static double largest(enum nmc_elem type) {
    return type == NMC_ELEM_float64   ? 0x1.fffffffffffffp1023
           : type == NMC_ELEM_float16 ? 0x1.ffcp15
                                      : 0x1.fffffep127;
}

double nmc_real_as(enum nmc_elem type, double value) {
    int bits = precision(type), exponent;
    if (!bits || !isfinite(value))
        return (double)NAN;
    double fraction = frexp(value, &exponent);
    double rounded = ldexp(rint(ldexp(fraction, bits)), exponent - bits);
    return fabs(rounded) <= largest(type) ? rounded : (double)NAN;
}

bool nmc_int_fits(enum nmc_elem type, int64_t value) {
    int bits = type == NMC_ELEM_bool ? 1 : nmc_elem_bits(type);
    bool is_unsigned = type == NMC_ELEM_bool || nmc_elem_name(type)[0] == 'u';
    if (!nmc_dim_known(value) || bits == 0)
        return false;
    if (is_unsigned)
        return value >= 0 && (bits >= 63 || value < INT64_C(1) << bits);
    return bits >= 64 || (value >= -(INT64_C(1) << (bits - 1)) && value < INT64_C(1) << (bits - 1));
}
