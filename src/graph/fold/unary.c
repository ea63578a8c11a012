/* Folding of operators on one input: signs, rounding, roots, Not, Cast. */
#include <math.h>

#include "graph/fold/fold.h"

/* NULL: the operator has no form for that kind. The integer function gets known elements only. */
struct unary {
    bool (*ints)(int64_t a, int64_t *out);
    double (*reals)(double a);
};

static neuromc_status fold_ints(struct nmc_infer *infer, struct nmc_node *node,
                                bool (*apply)(int64_t, int64_t *), const struct nmc_value *in) {
    nmc_dim out[NMC_LIMIT_FOLD_ELEMENTS];
    int holes = 0;
    for (int64_t i = 0; i < in->count; i++) {
        bool done = nmc_dim_known(in->ints[i]) && apply(in->ints[i], &out[i]) &&
                    nmc_int_fits(node->outputs[0]->type, out[i]);
        if (!done && ++holes > NMC_FOLD_HOLES)
            return NEUROMC_OK;
        if (!done)
            out[i] = nmc_unknown(infer, node);
    }
    return nmc_out_ints(infer, node, 0, in->count, out);
}

static neuromc_status fold_reals(struct nmc_infer *infer, struct nmc_node *node,
                                 double (*apply)(double), const struct nmc_value *in) {
    double out[NMC_LIMIT_FOLD_ELEMENTS];
    for (int64_t i = 0; i < in->count; i++)
        out[i] = isnan(in->reals[i]) ? (double)NAN
                                     : nmc_real_as(node->outputs[0]->type, apply(in->reals[i]));
    return nmc_out_reals(infer, node, 0, in->count, out);
}

static neuromc_status fold(struct nmc_infer *infer, struct nmc_node *node, const struct unary *op) {
    struct nmc_value in;
    int64_t count;
    if (!nmc_fold_target(node, 0, &count) || !nmc_value_of(node, 0, &in) || count != in.count)
        return NEUROMC_OK;
    if (in.ints)
        return op->ints ? fold_ints(infer, node, op->ints, &in) : NEUROMC_OK;
    return op->reals ? fold_reals(infer, node, op->reals, &in) : NEUROMC_OK;
}

static bool negate(int64_t a, int64_t *out) {
    *out = -a;
    return true;
}

static bool magnitude(int64_t a, int64_t *out) {
    *out = a < 0 ? -a : a;
    return true;
}

static bool sign(int64_t a, int64_t *out) {
    *out = (a > 0) - (a < 0);
    return true;
}

static bool positive(int64_t a, int64_t *out) {
    *out = a > 0 ? a : 0;
    return true;
}

static bool negation(int64_t a, int64_t *out) {
    *out = !a;
    return true;
}

static double real_negate(double a) {
    return -a;
}

static double real_sign(double a) {
    return (a > 0) - (a < 0);
}

static double real_positive(double a) {
    return a > 0 ? a : 0;
}

static double reciprocal(double a) {
    return a != 0 ? 1 / a : (double)NAN;
}

#define FOLD(name, ints, reals)                                                                    \
    neuromc_status nmc_fold_##name(struct nmc_infer *infer, struct nmc_node *node) {               \
        static const struct unary op = {ints, reals};                                              \
        return fold(infer, node, &op);                                                             \
    }
/* clang-format off */
FOLD(neg, negate, real_negate)
FOLD(abs, magnitude, fabs)
FOLD(sign, sign, real_sign)
FOLD(relu, positive, real_positive)
FOLD(not, negation, NULL)
FOLD(floor, NULL, floor)
FOLD(ceil, NULL, ceil)
FOLD(round, NULL, rint)
FOLD(sqrt, NULL, sqrt)
FOLD(reciprocal, NULL, reciprocal)
FOLD(exp, NULL, exp)
FOLD(log, NULL, log)
/* clang-format on */
#undef FOLD
