/* Folding of comparisons and logic. A symbol equals itself; the size of a graph input is not
 * negative; beyond that nothing is known of symbols. */
#include <math.h>

#include "graph/fold/nary.h"

/* Comparisons of reals, where nmc_nary works on one kind only. */
struct comparison {
    struct nmc_nary ints;
    bool (*reals)(double a, double b);
};

/* A symbol that is a size, on the left of a known negative number. */
static bool size_beside_negative(const struct nmc_infer *infer, nmc_dim size, nmc_dim number) {
    return !nmc_dim_known(size) && nmc_dim_known(number) && number < 0 &&
           infer->net->symbols[nmc_dim_id(size)].input != NULL;
}

/* Whether a is known to lie above b, or b above a. */
static int order(const struct nmc_infer *infer, nmc_dim a, nmc_dim b) {
    return size_beside_negative(infer, a, b) ? 1 : size_beside_negative(infer, b, a) ? -1 : 0;
}

#define COMPARISON(name, relation)                                                                 \
    static bool name(int64_t a, int64_t b, int64_t *out) {                                         \
        *out = a relation b;                                                                       \
        return true;                                                                               \
    }                                                                                              \
    static bool symbolic_##name(struct nmc_infer *infer, nmc_dim a, nmc_dim b, nmc_dim *out) {     \
        int above = order(infer, a, b);                                                            \
        *out = above relation 0;                                                                   \
        return above != 0 || a == b;                                                               \
    }                                                                                              \
    static bool real_##name(double a, double b) {                                                  \
        return a relation b;                                                                       \
    }                                                                                              \
    static const struct comparison comparison_##name = {{name, symbolic_##name, NULL}, real_##name};

/* clang-format off */
COMPARISON(equal, ==)
COMPARISON(less, <)
COMPARISON(less_equal, <=)
COMPARISON(greater, >)
COMPARISON(greater_equal, >=)
/* clang-format on */
#undef COMPARISON

static neuromc_status compare_reals(struct nmc_infer *infer, struct nmc_node *node,
                                    const struct comparison *op, const struct nmc_value *a,
                                    const struct nmc_value *b) {
    nmc_dim out[NMC_LIMIT_FOLD_ELEMENTS];
    int64_t of_a[NMC_LIMIT_RANK], of_b[NMC_LIMIT_RANK], count;
    const struct nmc_shape *shape = nmc_fold_target(node, 0, &count);
    if (!shape || !nmc_broadcasts_to(a->shape, shape) || !nmc_broadcasts_to(b->shape, shape))
        return NEUROMC_OK;
    nmc_broadcast_strides(a->shape, shape, of_a);
    nmc_broadcast_strides(b->shape, shape, of_b);
    for (int64_t i = 0; i < count; i++) {
        double x = a->reals[nmc_strided(shape, of_a, i)], y = b->reals[nmc_strided(shape, of_b, i)];
        if (isnan(x) || isnan(y))
            return NEUROMC_OK;
        out[i] = op->reals(x, y);
    }
    return nmc_out_ints(infer, node, 0, count, out);
}

static neuromc_status compare(struct nmc_infer *infer, struct nmc_node *node,
                              const struct comparison *op) {
    struct nmc_value a, b;
    if (!nmc_value_of(node, 0, &a) || !nmc_value_of(node, 1, &b) ||
        nmc_attr_find(node, "broadcast"))
        return NEUROMC_OK;
    if (a.reals && b.reals)
        return compare_reals(infer, node, op, &a, &b);
    return nmc_fold_nary(infer, node, &op->ints);
}

neuromc_status nmc_fold_equal(struct nmc_infer *infer, struct nmc_node *node) {
    return compare(infer, node, &comparison_equal);
}

neuromc_status nmc_fold_less(struct nmc_infer *infer, struct nmc_node *node) {
    return compare(infer, node, &comparison_less);
}

neuromc_status nmc_fold_less_equal(struct nmc_infer *infer, struct nmc_node *node) {
    return compare(infer, node, &comparison_less_equal);
}

neuromc_status nmc_fold_greater(struct nmc_infer *infer, struct nmc_node *node) {
    return compare(infer, node, &comparison_greater);
}

neuromc_status nmc_fold_greater_equal(struct nmc_infer *infer, struct nmc_node *node) {
    return compare(infer, node, &comparison_greater_equal);
}

/* ---- logic ---- */

static bool both(int64_t a, int64_t b, int64_t *out) {
    *out = a && b;
    return true;
}

static bool either(int64_t a, int64_t b, int64_t *out) {
    *out = a || b;
    return true;
}

static bool one_of(int64_t a, int64_t b, int64_t *out) {
    *out = !a != !b;
    return true;
}

/* With one side open, false decides And and true decides Or; a neutral one leaves the other. */
static bool decided(nmc_dim a, nmc_dim b, int64_t deciding, nmc_dim *out) {
    *out = a == deciding || b == deciding ? deciding : nmc_dim_known(a) ? b : a;
    return nmc_dim_known(a) || nmc_dim_known(b) || a == b;
}

static bool symbolic_both(struct nmc_infer *infer, nmc_dim a, nmc_dim b, nmc_dim *out) {
    (void)infer;
    return decided(a, b, 0, out);
}

static bool symbolic_either(struct nmc_infer *infer, nmc_dim a, nmc_dim b, nmc_dim *out) {
    (void)infer;
    return decided(a, b, 1, out);
}

static bool symbolic_one_of(struct nmc_infer *infer, nmc_dim a, nmc_dim b, nmc_dim *out) {
    (void)infer;
    *out = 0;
    return a == b;
}

neuromc_status nmc_fold_and(struct nmc_infer *infer, struct nmc_node *node) {
    static const struct nmc_nary op = {both, symbolic_both, NULL};
    return nmc_fold_nary(infer, node, &op);
}

neuromc_status nmc_fold_or(struct nmc_infer *infer, struct nmc_node *node) {
    static const struct nmc_nary op = {either, symbolic_either, NULL};
    return nmc_fold_nary(infer, node, &op);
}

neuromc_status nmc_fold_xor(struct nmc_infer *infer, struct nmc_node *node) {
    static const struct nmc_nary op = {one_of, symbolic_one_of, NULL};
    return nmc_fold_nary(infer, node, &op);
}
