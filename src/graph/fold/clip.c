/* Folding of Clip: bounds are attributes up to opset 10, inputs since. */
#include <math.h>

#include "graph/fold/fold.h"

/* A bound that is not there leaves open; one that is there must be known. */
static bool bound(const struct nmc_node *node, const char *attr, int input, double open_real,
                  int64_t open_int, double *real, int64_t *whole) {
    const struct nmc_attr *said = nmc_attr_find(node, attr);
    struct nmc_value value;
    *real = said && said->kind == NMC_ATTR_FLOAT ? said->f : open_real;
    *whole = open_int;
    if (!nmc_in(node, input))
        return true;
    if (!nmc_value_of(node, input, &value) || value.count != 1)
        return false;
    *real = value.reals ? value.reals[0] : open_real;
    *whole = value.ints ? value.ints[0] : open_int;
    return value.reals ? !isnan(*real) : nmc_dim_known(*whole);
}

neuromc_status nmc_fold_clip(struct nmc_infer *infer, struct nmc_node *node) {
    struct nmc_value in;
    nmc_dim ints[NMC_LIMIT_FOLD_ELEMENTS];
    double reals[NMC_LIMIT_FOLD_ELEMENTS], low, high;
    int64_t count, least, most;
    if (!nmc_fold_target(node, 0, &count) || !nmc_value_of(node, 0, &in) || count != in.count ||
        !bound(node, "min", 1, -HUGE_VAL, NMC_DIM_LEAST, &low, &least) ||
        !bound(node, "max", 2, HUGE_VAL, INT64_MAX, &high, &most))
        return NEUROMC_OK;
    for (int64_t i = 0; in.reals && i < count; i++)
        reals[i] = isnan(in.reals[i]) ? in.reals[i] : fmin(fmax(in.reals[i], low), high);
    if (in.reals)
        return nmc_out_reals(infer, node, 0, count, reals);
    for (int64_t i = 0; i < count; i++) {
        if (!nmc_dim_known(in.ints[i]))
            return NEUROMC_OK;
        ints[i] = in.ints[i] < least ? least : in.ints[i];
        ints[i] = ints[i] > most ? most : ints[i];
    }
    return nmc_out_ints(infer, node, 0, count, ints);
}
