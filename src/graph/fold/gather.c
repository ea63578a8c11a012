/* Folding of operators that pick or join elements: Gather, Concat. */
#include "graph/fold/fold.h"

/* A tensor of at least one element seen from one axis: outer x size x inner elements. */
struct around {
    int64_t outer, size, inner;
};

static struct around around(const struct nmc_shape *shape, int axis) {
    struct around a = {1, shape->dims[axis], 1};
    for (int i = 0; i < axis; i++)
        a.outer *= shape->dims[i];
    for (int i = axis + 1; i < shape->rank; i++)
        a.inner *= shape->dims[i];
    return a;
}

neuromc_status nmc_fold_gather(struct nmc_infer *infer, struct nmc_node *node) {
    struct nmc_value data, indices;
    int64_t source[NMC_LIMIT_FOLD_ELEMENTS], count, wanted, at = 0;
    int axis;
    if (!nmc_fold_target(node, 0, &count) || !nmc_value_of(node, 0, &data) ||
        !nmc_value_of(node, 1, &indices) || !indices.ints)
        return NEUROMC_OK;
    if (count == 0)
        return nmc_fold_pick(infer, node, 0, &data, 0, NULL);
    neuromc_status status = nmc_attr_int(infer, node, "axis", 0, &wanted);
    if (status == NEUROMC_OK)
        status = nmc_axis(infer, node, "axis", wanted, data.shape->rank, &axis);
    if (status != NEUROMC_OK)
        return status;
    struct around a = around(data.shape, axis);
    if (count != a.outer * indices.count * a.inner)
        return NEUROMC_OK;
    for (int64_t o = 0; o < a.outer; o++)
        for (int64_t i = 0; i < indices.count; i++) {
            int64_t index = nmc_fold_place(indices.ints[i], a.size);
            if (index < 0)
                return NEUROMC_OK;
            for (int64_t k = 0; k < a.inner; k++)
                source[at++] = (o * a.size + index) * a.inner + k;
        }
    return nmc_fold_pick(infer, node, 0, &data, count, source);
}

/* ---- Concat ---- */

/* Reals and integers are moved alike. */
union elements {
    nmc_dim ints[NMC_LIMIT_FOLD_ELEMENTS];
    double reals[NMC_LIMIT_FOLD_ELEMENTS];
};

/* Puts `size` elements of each outer index of an input at `begin` of the output's `stride`. */
static void interleave(union elements *out, const struct nmc_value *in, int64_t outer, int64_t size,
                       int64_t stride, int64_t begin) {
    for (int64_t o = 0; o < outer; o++)
        for (int64_t i = 0; i < size; i++) {
            if (in->ints)
                out->ints[o * stride + begin + i] = in->ints[o * size + i];
            else if (in->reals)
                out->reals[o * stride + begin + i] = in->reals[o * size + i];
        }
}

static bool any_value(const struct nmc_node *node) {
    struct nmc_value value;
    for (int i = 0; i < node->input_count; i++)
        if (nmc_value_of(node, i, &value) && value.count)
            return true;
    return false;
}

/* False if an input is not known at all, or shapes and values do not match. */
static bool join(struct nmc_infer *infer, const struct nmc_node *node, struct around a, bool real,
                 union elements *out) {
    int64_t begin = 0, stride = a.size * a.inner;
    for (int i = 0; i < node->input_count; i++) {
        struct nmc_value in;
        if (!nmc_value_or_holes(infer, node, i, &in) || (in.reals != NULL) != real)
            return false;
        int64_t size = in.count / a.outer;
        if (in.count % a.outer || size > stride - begin)
            return false;
        interleave(out, &in, a.outer, size, stride, begin);
        begin += size;
    }
    return begin == stride;
}

neuromc_status nmc_fold_concat(struct nmc_infer *infer, struct nmc_node *node) {
    union elements out;
    int64_t count, wanted;
    int axis = 0;
    const struct nmc_shape *shape = nmc_fold_target(node, 0, &count);
    struct nmc_value first;
    if (!shape || !nmc_value_or_holes(infer, node, 0, &first))
        return NEUROMC_OK;
    if (count == 0)
        return nmc_fold_pick(infer, node, 0, &first, 0, NULL);
    neuromc_status status = nmc_attr_int(infer, node, "axis", 1, &wanted);
    if (status == NEUROMC_OK)
        status = nmc_axis(infer, node, "axis", wanted, shape->rank, &axis);
    bool real = first.reals != NULL;
    if (status != NEUROMC_OK || !any_value(node) ||
        !join(infer, node, around(shape, axis), real, &out))
        return status;
    return real ? nmc_out_reals(infer, node, 0, count, out.reals)
                : nmc_out_ints(infer, node, 0, count, out.ints);
}
