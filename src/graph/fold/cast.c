/* Folding of Cast: between integers a symbol is kept, between kinds it becomes a hole. */
#include <math.h>

#include "graph/fold/fold.h"

/* True and *out if it can be told what the integer is as `type`. */
static bool int_as(enum nmc_elem type, nmc_dim value, nmc_dim *out) {
    bool known = nmc_dim_known(value);
    *out = type == NMC_ELEM_bool && known ? (value != 0) : value;
    return known ? nmc_int_fits(type, *out) : type != NMC_ELEM_bool;
}

/* Truncated, as runtimes do; to bool whatever is not 0 is true. */
static bool real_as(enum nmc_elem type, double value, nmc_dim *out) {
    if (isnan(value) || fabs(value) >= 0x1p62)
        return false;
    *out = type == NMC_ELEM_bool ? value != 0 : (int64_t)value;
    return nmc_int_fits(type, *out);
}

static neuromc_status to_ints(struct nmc_infer *infer, struct nmc_node *node,
                              const struct nmc_value *in) {
    nmc_dim out[NMC_LIMIT_FOLD_ELEMENTS];
    enum nmc_elem type = node->outputs[0]->type;
    int holes = 0;
    for (int64_t i = 0; i < in->count; i++) {
        bool done =
            in->ints ? int_as(type, in->ints[i], &out[i]) : real_as(type, in->reals[i], &out[i]);
        if (!done && ++holes > NMC_FOLD_HOLES)
            return NEUROMC_OK;
        if (!done)
            out[i] = nmc_unknown(infer, node);
    }
    return nmc_out_ints(infer, node, 0, in->count, out);
}

static neuromc_status to_reals(struct nmc_infer *infer, struct nmc_node *node,
                               const struct nmc_value *in) {
    double out[NMC_LIMIT_FOLD_ELEMENTS];
    for (int64_t i = 0; i < in->count; i++) {
        double value = in->reals                    ? in->reals[i]
                       : nmc_dim_known(in->ints[i]) ? (double)in->ints[i]
                                                    : (double)NAN;
        out[i] = nmc_real_as(node->outputs[0]->type, value);
    }
    return nmc_out_reals(infer, node, 0, in->count, out);
}

/* The type is the output's, so CastLike folds the same way. */
neuromc_status nmc_fold_cast(struct nmc_infer *infer, struct nmc_node *node) {
    struct nmc_value in;
    int64_t count;
    if (!nmc_fold_target(node, 0, &count) || !nmc_value_of(node, 0, &in) || count != in.count)
        return NEUROMC_OK;
    switch (nmc_elem_kind(node->outputs[0]->type)) {
    case 'i':
    case 'b': return to_ints(infer, node, &in);
    case 'f': return to_reals(infer, node, &in);
    default: return NEUROMC_OK;
    }
}
