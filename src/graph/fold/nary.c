/* Folding element by element over several inputs that broadcast. */
#include "graph/fold/nary.h"

#include <math.h>

nmc_dim nmc_nary_ints(struct nmc_infer *infer, const struct nmc_node *node,
                      const struct nmc_nary *op, enum nmc_elem type, nmc_dim a, nmc_dim b,
                      int *holes) {
    nmc_dim out;
    if (nmc_dim_known(a) && nmc_dim_known(b)) {
        if (op->apply(a, b, &out) && nmc_int_fits(type, out))
            return out;
    } else if (op->symbolic && op->symbolic(infer, a, b, &out)) {
        return out;
    }
    return ++*holes > NMC_FOLD_HOLES ? a : nmc_unknown(infer, node);
}

double nmc_nary_reals(const struct nmc_nary *op, enum nmc_elem type, double a, double b) {
    return isnan(a) || isnan(b) ? (double)NAN : nmc_real_as(type, op->real(a, b));
}

static neuromc_status fold_ints(struct nmc_infer *infer, struct nmc_node *node,
                                const struct nmc_nary *op, const struct nmc_shape *shape,
                                int64_t count) {
    nmc_dim out[NMC_LIMIT_FOLD_ELEMENTS];
    int64_t strides[NMC_LIMIT_RANK];
    int holes = 0;
    for (int k = 0; k < node->input_count; k++) {
        struct nmc_value in;
        if (!nmc_value_of(node, k, &in) || !in.ints)
            return NEUROMC_OK;
        nmc_broadcast_strides(in.shape, shape, strides);
        for (int64_t i = 0; i < count; i++) {
            nmc_dim next = in.ints[nmc_strided(shape, strides, i)];
            out[i] =
                k ? nmc_nary_ints(infer, node, op, node->outputs[0]->type, out[i], next, &holes)
                  : next;
        }
    }
    return holes > NMC_FOLD_HOLES ? NEUROMC_OK : nmc_out_ints(infer, node, 0, count, out);
}

/* Pow may have an integer exponent. */
static double real_of(const struct nmc_value *value, int64_t at) {
    if (value->reals)
        return value->reals[at];
    return nmc_dim_known(value->ints[at]) ? (double)value->ints[at] : (double)NAN;
}

static neuromc_status fold_reals(struct nmc_infer *infer, struct nmc_node *node,
                                 const struct nmc_nary *op, const struct nmc_shape *shape,
                                 int64_t count) {
    double out[NMC_LIMIT_FOLD_ELEMENTS];
    int64_t strides[NMC_LIMIT_RANK];
    for (int k = 0; k < node->input_count; k++) {
        struct nmc_value in;
        if (!nmc_value_of(node, k, &in))
            return NEUROMC_OK;
        nmc_broadcast_strides(in.shape, shape, strides);
        for (int64_t i = 0; i < count; i++) {
            double next = real_of(&in, nmc_strided(shape, strides, i));
            out[i] = k ? nmc_nary_reals(op, node->outputs[0]->type, out[i], next) : next;
        }
    }
    return nmc_out_reals(infer, node, 0, count, out);
}

/* Opsets before 7 lay the second input along an axis of the first; not worth following. */
static bool is_numpy_broadcast(const struct nmc_node *node, const struct nmc_shape *shape) {
    for (int k = 0; k < node->input_count; k++)
        if (!nmc_in_shape(node, k) || !nmc_broadcasts_to(nmc_in_shape(node, k), shape))
            return false;
    return !nmc_attr_find(node, "broadcast");
}

neuromc_status nmc_fold_nary(struct nmc_infer *infer, struct nmc_node *node,
                             const struct nmc_nary *op) {
    int64_t count;
    const struct nmc_shape *shape = nmc_fold_target(node, 0, &count);
    struct nmc_value first;
    if (!shape || !nmc_value_of(node, 0, &first) || !is_numpy_broadcast(node, shape))
        return NEUROMC_OK;
    if (first.ints)
        return fold_ints(infer, node, op, shape, count);
    return op->real ? fold_reals(infer, node, op, shape, count) : NEUROMC_OK;
}
