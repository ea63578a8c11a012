/* Operators that pick single elements or put some back: GatherElements, GatherND, Compress, TopK,
 * Unique, NonZero, OneHot, NonMaxSuppression. */
#include <math.h>

#include "base/checked.h"
#include "base/limits.h"
#include "graph/infer/shape_ops.h"

/* Output 0 has the type of input 0 and the shape of input 1. */
neuromc_status nmc_infer_gather_elements(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *data = nmc_in_shape(node, 0), *indices = nmc_in_shape(node, 1);
    enum nmc_elem type = nmc_in_type(node, 0);
    nmc_out_type(node, 0, type);
    if (!indices)
        return NEUROMC_OK;
    if (data && data->rank != indices->rank)
        return nmc_node_error(infer, node, NULL, "data has %d axes, indices have %d", data->rank,
                              indices->rank);
    return nmc_out(infer, node, 0, type, indices->rank, indices->dims);
}

/* indices [b..., i..., n] pick data [b..., n axes, rest...]: [b..., i..., rest...]. */
neuromc_status nmc_infer_gather_nd(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *data = nmc_in_shape(node, 0), *indices = nmc_in_shape(node, 1);
    nmc_dim dims[2 * NMC_LIMIT_RANK];
    int64_t batch;
    int rank = 0;
    enum nmc_elem type = nmc_in_type(node, 0);
    neuromc_status status = nmc_attr_int(infer, node, "batch_dims", 0, &batch);
    nmc_out_type(node, 0, type);
    if (status != NEUROMC_OK || !data || !indices)
        return status;
    nmc_dim depth = indices->rank ? indices->dims[indices->rank - 1] : 0;
    if (indices->rank < 1 || batch < 0 || batch >= indices->rank || batch > data->rank ||
        (nmc_dim_known(depth) && depth > data->rank - batch))
        return nmc_node_error(infer, node, NULL,
                              "indices %s with %lld batch axes cannot pick from %s",
                              nmc_shape_text(infer->net, indices), (long long)batch,
                              nmc_shape_text(infer->net, data));
    if (!nmc_dim_known(depth))
        return NEUROMC_OK;
    for (int i = 0; i < indices->rank - 1; i++)
        dims[rank++] = indices->dims[i];
    for (int i = (int)(batch + depth); i < data->rank; i++)
        dims[rank++] = data->dims[i];
    return nmc_out(infer, node, 0, type, rank, dims);
}

/* ---- Compress ---- */

/* How many of the conditions hold; not known if one of them is not. */
static nmc_dim count_true(struct nmc_infer *infer, const struct nmc_node *node) {
    int64_t count, kept = 0;
    const nmc_dim *values = nmc_in_ints(node, 1, &count);
    for (int64_t i = 0; i < count; i++)
        if (!nmc_dim_known(values[i]))
            return nmc_unknown(infer, node);
        else
            kept += values[i] != 0;
    return values ? kept : nmc_unknown(infer, node);
}

neuromc_status nmc_infer_compress(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *shape = nmc_in_shape(node, 0);
    nmc_dim dims[NMC_LIMIT_RANK], kept = count_true(infer, node);
    enum nmc_elem type = nmc_in_type(node, 0);
    int64_t wanted;
    int axis;
    nmc_out_type(node, 0, type);
    if (!nmc_attr_find(node, "axis"))
        return nmc_out(infer, node, 0, type, 1, &kept);
    neuromc_status status = nmc_attr_int(infer, node, "axis", 0, &wanted);
    if (status != NEUROMC_OK || !shape)
        return status;
    status = nmc_axis(infer, node, "axis", wanted, shape->rank, &axis);
    for (int i = 0; i < shape->rank; i++)
        dims[i] = i == axis ? kept : shape->dims[i];
    return status == NEUROMC_OK ? nmc_out(infer, node, 0, type, shape->rank, dims) : status;
}

/* ---- TopK ---- */

neuromc_status nmc_infer_top_k(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *shape = nmc_in_shape(node, 0);
    nmc_dim dims[NMC_LIMIT_RANK], k;
    int64_t wanted;
    int axis;
    enum nmc_elem type = nmc_in_type(node, 0);
    nmc_out_type(node, 0, type);
    nmc_out_type(node, 1, NMC_ELEM_int64);
    neuromc_status status = nmc_attr_int(infer, node, "axis", -1, &wanted);
    if (status == NEUROMC_OK)
        status = nmc_scalar(infer, node, "k", 1, -1, &k);
    if (status != NEUROMC_OK || !shape)
        return status;
    status = nmc_axis(infer, node, "axis", wanted, shape->rank, &axis);
    if (status != NEUROMC_OK)
        return status;
    nmc_dim size = shape->dims[axis];
    if (nmc_dim_known(k) && (k < 0 || (nmc_dim_known(size) && k > size)))
        return nmc_node_error(infer, node, NULL, "k is %lld; the axis has size %lld", (long long)k,
                              (long long)(nmc_dim_known(size) ? size : -1));
    for (int i = 0; i < shape->rank; i++)
        dims[i] = i == axis ? k : shape->dims[i];
    status = nmc_out(infer, node, 0, type, shape->rank, dims);
    return status == NEUROMC_OK ? nmc_out(infer, node, 1, NMC_ELEM_int64, shape->rank, dims)
                                : status;
}

/* ---- how many there are depends on the values ---- */

/* Values, first places, inverse, counts; without an axis the input is taken as flat. */
neuromc_status nmc_infer_unique(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *shape = nmc_in_shape(node, 0);
    nmc_dim dims[NMC_LIMIT_RANK], found = nmc_unknown(infer, node), from;
    enum nmc_elem type = nmc_in_type(node, 0);
    int64_t wanted;
    int axis = 0, rank = 1;
    neuromc_status status = nmc_attr_int(infer, node, "axis", 0, &wanted);
    bool flat = !nmc_attr_find(node, "axis");
    nmc_out_type(node, 0, type);
    for (int i = 1; i < 4; i++)
        nmc_out_type(node, i, NMC_ELEM_int64);
    if (status != NEUROMC_OK || !shape)
        return status;
    status = flat ? nmc_dim_product(infer, node, shape->dims, shape->rank, &from)
                  : nmc_axis(infer, node, "axis", wanted, shape->rank, &axis);
    if (status != NEUROMC_OK)
        return status;
    for (int i = 0; !flat && i < shape->rank; i++)
        dims[i] = shape->dims[i];
    if (!flat) {
        rank = shape->rank;
        from = dims[axis];
    }
    dims[axis] = found;
    status = nmc_out(infer, node, 0, type, rank, dims);
    for (int i = 1; status == NEUROMC_OK && i < 4; i++)
        status = nmc_out(infer, node, i, NMC_ELEM_int64, 1, i == 2 ? &from : &found);
    return status;
}

/* Elements that are not 0, as far as values are known. */
static bool count_non_zero(const struct nmc_node *node, nmc_dim *found) {
    int64_t count;
    const nmc_dim *ints = nmc_in_ints(node, 0, &count);
    *found = 0;
    for (int64_t i = 0; ints && i < count; i++) {
        if (!nmc_dim_known(ints[i]))
            return false;
        *found += ints[i] != 0;
    }
    if (ints)
        return true;
    const double *reals = nmc_in_reals(node, 0, &count);
    for (int64_t i = 0; reals && i < count; i++) {
        if (isnan(reals[i]))
            return false;
        *found += reals[i] != 0;
    }
    return reals != NULL;
}

/* ConstantOfShape with anything but 0: how exporters counted up to a size before there was Range.
 */
static bool is_filled(const struct nmc_tensor *tensor) {
    const struct nmc_node *producer = tensor ? tensor->producer : NULL;
    if (!producer || !nmc_node_is(producer, "ConstantOfShape"))
        return false;
    const struct nmc_attr *attr = nmc_attr_find(producer, "value");
    const struct nmc_tensor *value = attr && attr->kind == NMC_ATTR_TENSOR ? attr->tensor : NULL;
    if (!value || value->value_count != 1)
        return false;
    return value->ints ? value->ints[0] != 0 : value->reals && value->reals[0] != 0;
}

/* [axes of the input, non-zero elements]; a scalar counts as a list of one. */
neuromc_status nmc_infer_non_zero(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *shape = nmc_in_shape(node, 0);
    neuromc_status status = NEUROMC_OK;
    nmc_dim dims[2];
    if (shape && is_filled(nmc_in(node, 0)))
        status = nmc_dim_product(infer, node, shape->dims, shape->rank, &dims[1]);
    else if (!count_non_zero(node, &dims[1]))
        dims[1] = nmc_unknown(infer, node);
    if (status != NEUROMC_OK)
        return status;
    dims[0] = !shape ? nmc_unknown(infer, node) : shape->rank ? shape->rank : 1;
    return nmc_out(infer, node, 0, NMC_ELEM_int64, 2, dims);
}

/* Rows of (batch, class, box). */
neuromc_status nmc_infer_non_max_suppression(struct nmc_infer *infer, struct nmc_node *node) {
    const nmc_dim dims[2] = {nmc_unknown(infer, node), 3};
    return nmc_out(infer, node, 0, NMC_ELEM_int64, 2, dims);
}

/* ---- OneHot ---- */

/* The depth may be of any number type. */
static nmc_dim one_hot_depth(struct nmc_infer *infer, const struct nmc_node *node) {
    int64_t count;
    const nmc_dim *ints = nmc_in_ints(node, 1, &count);
    if (ints && count == 1)
        return ints[0];
    const double *reals = nmc_in_reals(node, 1, &count);
    bool usable = reals && count == 1 && reals[0] >= 0 && reals[0] < 0x1p62;
    return usable ? (int64_t)reals[0] : nmc_unknown(infer, node);
}

neuromc_status nmc_infer_one_hot(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *indices = nmc_in_shape(node, 0);
    nmc_dim dims[NMC_LIMIT_RANK + 1];
    int64_t wanted;
    int axis, from = 0;
    enum nmc_elem type = nmc_in_type(node, 2);
    neuromc_status status = nmc_attr_int(infer, node, "axis", -1, &wanted);
    nmc_out_type(node, 0, type);
    if (status != NEUROMC_OK || !indices)
        return status;
    status = nmc_axis(infer, node, "axis", wanted, indices->rank + 1, &axis);
    for (int i = 0; i <= indices->rank; i++)
        dims[i] = i == axis ? one_hot_depth(infer, node) : indices->dims[from++];
    return status == NEUROMC_OK ? nmc_out(infer, node, 0, type, indices->rank + 1, dims) : status;
}
