/* Folding of arithmetic on two or more inputs. Integer overflow leaves a hole. */
#include <math.h>

#include "base/checked.h"
#include "graph/fold/nary.h"

/* ---- what can be told about symbols ---- */

static bool symbolic_add(struct nmc_infer *infer, nmc_dim a, nmc_dim b, nmc_dim *out) {
    (void)infer;
    *out = a == 0 ? b : a;
    return a == 0 || b == 0;
}

static bool symbolic_sub(struct nmc_infer *infer, nmc_dim a, nmc_dim b, nmc_dim *out) {
    (void)infer;
    *out = a == b ? 0 : a;
    return a == b || b == 0;
}

static bool symbolic_mul(struct nmc_infer *infer, nmc_dim a, nmc_dim b, nmc_dim *out) {
    (void)infer;
    *out = a == 0 || b == 0 ? 0 : a == 1 ? b : a;
    return a == 0 || b == 0 || a == 1 || b == 1;
}

static bool symbolic_div(struct nmc_infer *infer, nmc_dim a, nmc_dim b, nmc_dim *out) {
    (void)infer;
    *out = a == b ? 1 : a;
    return a == b || b == 1;
}

static bool symbolic_mod(struct nmc_infer *infer, nmc_dim a, nmc_dim b, nmc_dim *out) {
    (void)infer;
    *out = 0;
    return a == b || b == 1;
}

static bool symbolic_pow(struct nmc_infer *infer, nmc_dim a, nmc_dim b, nmc_dim *out) {
    (void)infer;
    *out = a;
    return b == 1;
}

static bool symbolic_same(struct nmc_infer *infer, nmc_dim a, nmc_dim b, nmc_dim *out) {
    (void)infer;
    *out = a;
    return a == b;
}

/* ---- integers ---- */

static bool divide(int64_t a, int64_t b, int64_t *out) {
    *out = b ? a / b : 0;
    return b != 0;
}

/* The sign of the divisor, as Mod has it for integers, and of the dividend (fmod = 1). */
static bool modulo(int64_t a, int64_t b, int64_t *out) {
    int64_t rest = b ? a % b : 0;
    *out = rest && (rest < 0) != (b < 0) ? rest + b : rest;
    return b != 0;
}

static bool remainder_of(int64_t a, int64_t b, int64_t *out) {
    *out = b ? a % b : 0;
    return b != 0;
}

static bool power(int64_t a, int64_t b, int64_t *out) {
    *out = 1;
    if (b < 0 || (b > 62 && a != 0 && a != 1 && a != -1))
        return false;
    if (b > 62)
        b = 62 + b % 2;
    while (b-- > 0)
        if (!nmc_mul(*out, a, out))
            return false;
    return true;
}

static bool least(int64_t a, int64_t b, int64_t *out) {
    *out = a < b ? a : b;
    return true;
}

static bool most(int64_t a, int64_t b, int64_t *out) {
    *out = a > b ? a : b;
    return true;
}

/* ---- reals ---- */

static double real_add(double a, double b) {
    return a + b;
}

static double real_sub(double a, double b) {
    return a - b;
}

static double real_mul(double a, double b) {
    return a * b;
}

static double real_div(double a, double b) {
    return b != 0 ? a / b : (double)NAN;
}

const struct nmc_nary nmc_nary_add = {nmc_add, symbolic_add, real_add};
const struct nmc_nary nmc_nary_mul = {nmc_mul, symbolic_mul, real_mul};
const struct nmc_nary nmc_nary_min = {least, symbolic_same, fmin};
const struct nmc_nary nmc_nary_max = {most, symbolic_same, fmax};

neuromc_status nmc_fold_add(struct nmc_infer *infer, struct nmc_node *node) {
    return nmc_fold_nary(infer, node, &nmc_nary_add);
}

neuromc_status nmc_fold_sub(struct nmc_infer *infer, struct nmc_node *node) {
    static const struct nmc_nary op = {nmc_sub, symbolic_sub, real_sub};
    return nmc_fold_nary(infer, node, &op);
}

neuromc_status nmc_fold_mul(struct nmc_infer *infer, struct nmc_node *node) {
    return nmc_fold_nary(infer, node, &nmc_nary_mul);
}

/* Integers are truncated. */
neuromc_status nmc_fold_div(struct nmc_infer *infer, struct nmc_node *node) {
    static const struct nmc_nary op = {divide, symbolic_div, real_div};
    return nmc_fold_nary(infer, node, &op);
}

neuromc_status nmc_fold_mod(struct nmc_infer *infer, struct nmc_node *node) {
    static const struct nmc_nary by_divisor = {modulo, symbolic_mod, fmod},
                                 by_dividend = {remainder_of, symbolic_mod, fmod};
    int64_t is_fmod;
    neuromc_status status = nmc_attr_int(infer, node, "fmod", 0, &is_fmod);
    if (status != NEUROMC_OK)
        return status;
    return nmc_fold_nary(infer, node, is_fmod ? &by_dividend : &by_divisor);
}

/* The result has the type of the base; integers to a real power are not folded. */
neuromc_status nmc_fold_pow(struct nmc_infer *infer, struct nmc_node *node) {
    static const struct nmc_nary op = {power, symbolic_pow, pow};
    return nmc_fold_nary(infer, node, &op);
}

neuromc_status nmc_fold_min(struct nmc_infer *infer, struct nmc_node *node) {
    return nmc_fold_nary(infer, node, &nmc_nary_min);
}

neuromc_status nmc_fold_max(struct nmc_infer *infer, struct nmc_node *node) {
    return nmc_fold_nary(infer, node, &nmc_nary_max);
}
