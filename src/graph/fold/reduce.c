/* Folding of reductions: sums, products, least and greatest over some axes. */
#include <math.h>

#include "graph/fold/nary.h"
#include "graph/infer/shape_ops.h"

/* Strides of the output for the input's axes: 0 where an axis is reduced. */
static int64_t output_strides(const struct nmc_shape *in, const bool *reduced, int64_t *strides) {
    int64_t step = 1;
    for (int i = in->rank - 1; i >= 0; i--) {
        strides[i] = reduced[i] ? 0 : step;
        step *= reduced[i] ? 1 : in->dims[i];
    }
    return step;
}

static neuromc_status fold_ints(struct nmc_infer *infer, struct nmc_node *node,
                                const struct nmc_nary *op, const struct nmc_value *in,
                                const int64_t *strides, int64_t count) {
    nmc_dim out[NMC_LIMIT_FOLD_ELEMENTS];
    bool begun[NMC_LIMIT_FOLD_ELEMENTS] = {false};
    int holes = 0;
    for (int64_t i = 0; i < in->count; i++) {
        int64_t to = nmc_strided(in->shape, strides, i);
        out[to] = begun[to] ? nmc_nary_ints(infer, node, op, node->outputs[0]->type, out[to],
                                            in->ints[i], &holes)
                            : in->ints[i];
        begun[to] = true;
    }
    return holes > NMC_FOLD_HOLES ? NEUROMC_OK : nmc_out_ints(infer, node, 0, count, out);
}

static neuromc_status fold_reals(struct nmc_infer *infer, struct nmc_node *node,
                                 const struct nmc_nary *op, const struct nmc_value *in,
                                 const int64_t *strides, int64_t count) {
    double out[NMC_LIMIT_FOLD_ELEMENTS];
    bool begun[NMC_LIMIT_FOLD_ELEMENTS] = {false};
    for (int64_t i = 0; i < in->count; i++) {
        int64_t to = nmc_strided(in->shape, strides, i);
        out[to] = begun[to] ? nmc_nary_reals(op, node->outputs[0]->type, out[to], in->reals[i])
                            : in->reals[i];
        begun[to] = true;
    }
    return nmc_out_reals(infer, node, 0, count, out);
}

static neuromc_status fold(struct nmc_infer *infer, struct nmc_node *node,
                           const struct nmc_nary *op) {
    struct nmc_value in;
    bool reduced[NMC_LIMIT_RANK], known;
    int64_t strides[NMC_LIMIT_RANK], count;
    /* A reduction of nothing is the neutral element, or an error. */
    if (!nmc_fold_target(node, 0, &count) || !nmc_value_of(node, 0, &in) || in.count == 0)
        return NEUROMC_OK;
    neuromc_status status = nmc_reduced_axes(infer, node, in.shape->rank, reduced, &known);
    if (status != NEUROMC_OK || !known || output_strides(in.shape, reduced, strides) != count)
        return status;
    return in.ints ? fold_ints(infer, node, op, &in, strides, count)
                   : fold_reals(infer, node, op, &in, strides, count);
}

neuromc_status nmc_fold_reduce_sum(struct nmc_infer *infer, struct nmc_node *node) {
    return fold(infer, node, &nmc_nary_add);
}

neuromc_status nmc_fold_reduce_prod(struct nmc_infer *infer, struct nmc_node *node) {
    return fold(infer, node, &nmc_nary_mul);
}

neuromc_status nmc_fold_reduce_min(struct nmc_infer *infer, struct nmc_node *node) {
    return fold(infer, node, &nmc_nary_min);
}

neuromc_status nmc_fold_reduce_max(struct nmc_infer *infer, struct nmc_node *node) {
    return fold(infer, node, &nmc_nary_max);
}
