/* Folding of Where: each element from one of two values, the other of which may be unknown. */
#include <math.h>

#include "graph/fold/fold.h"

struct operand {
    struct nmc_value value;
    int64_t strides[NMC_LIMIT_RANK];
};

static bool operand(struct nmc_infer *infer, const struct nmc_node *node, int input,
                    const struct nmc_shape *shape, struct operand *out) {
    if (!nmc_value_or_holes(infer, node, input, &out->value) ||
        !nmc_broadcasts_to(out->value.shape, shape))
        return false;
    nmc_broadcast_strides(out->value.shape, shape, out->strides);
    return true;
}

static neuromc_status select_ints(struct nmc_infer *infer, struct nmc_node *node,
                                  const struct nmc_shape *shape, int64_t count,
                                  const struct operand in[3]) {
    nmc_dim out[NMC_LIMIT_FOLD_ELEMENTS];
    int holes = 0;
    for (int64_t i = 0; i < count; i++) {
        nmc_dim condition = in[0].value.ints[nmc_strided(shape, in[0].strides, i)];
        nmc_dim a = in[1].value.ints[nmc_strided(shape, in[1].strides, i)];
        nmc_dim b = in[2].value.ints[nmc_strided(shape, in[2].strides, i)];
        out[i] = condition ? a : b;
        if (nmc_dim_known(condition) || a == b)
            continue;
        if (++holes > NMC_FOLD_HOLES)
            return NEUROMC_OK;
        out[i] = nmc_unknown(infer, node);
    }
    return nmc_out_ints(infer, node, 0, count, out);
}

static neuromc_status select_reals(struct nmc_infer *infer, struct nmc_node *node,
                                   const struct nmc_shape *shape, int64_t count,
                                   const struct operand in[3]) {
    double out[NMC_LIMIT_FOLD_ELEMENTS];
    for (int64_t i = 0; i < count; i++) {
        nmc_dim condition = in[0].value.ints[nmc_strided(shape, in[0].strides, i)];
        double a = in[1].value.reals[nmc_strided(shape, in[1].strides, i)];
        double b = in[2].value.reals[nmc_strided(shape, in[2].strides, i)];
        out[i] = nmc_dim_known(condition) ? (condition ? a : b) : a == b ? a : (double)NAN;
    }
    return nmc_out_reals(infer, node, 0, count, out);
}

neuromc_status nmc_fold_where(struct nmc_infer *infer, struct nmc_node *node) {
    struct operand in[3];
    int64_t count;
    const struct nmc_shape *shape = nmc_fold_target(node, 0, &count);
    if (!shape)
        return NEUROMC_OK;
    for (int i = 0; i < 3; i++)
        if (!operand(infer, node, i, shape, &in[i]))
            return NEUROMC_OK;
    if (!in[0].value.ints || (in[1].value.ints != NULL) != (in[2].value.ints != NULL))
        return NEUROMC_OK;
    return in[1].value.ints ? select_ints(infer, node, shape, count, in)
                            : select_reals(infer, node, shape, count, in);
}
