/* Tensors made from nothing but a shape, scalars or an attribute: Shape, Size, Constant,
 * ConstantOfShape, Range. */
#include <math.h>

#include "base/checked.h"
#include "base/limits.h"
#include "graph/infer/shape_ops.h"

static int clamp_axis(int64_t axis, int rank) {
    if (axis < 0)
        axis = axis < -rank ? 0 : axis + rank;
    return axis > rank ? rank : (int)axis;
}

neuromc_status nmc_shape_range(struct nmc_infer *infer, const struct nmc_node *node, int rank,
                               int *begin, int *end) {
    int64_t from, to;
    neuromc_status status = nmc_attr_int(infer, node, "start", 0, &from);
    if (status == NEUROMC_OK)
        status = nmc_attr_int(infer, node, "end", rank, &to);
    if (status != NEUROMC_OK)
        return status;
    *begin = clamp_axis(from, rank);
    *end = clamp_axis(to, rank);
    if (*end < *begin)
        *end = *begin;
    return NEUROMC_OK;
}

neuromc_status nmc_infer_shape(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *shape = nmc_in_shape(node, 0);
    int begin, end;
    if (!shape)
        return nmc_out_rank(infer, node, 0, NMC_ELEM_int64, 1);
    neuromc_status status = nmc_shape_range(infer, node, shape->rank, &begin, &end);
    nmc_dim count = status == NEUROMC_OK ? end - begin : 0;
    return status == NEUROMC_OK ? nmc_out(infer, node, 0, NMC_ELEM_int64, 1, &count) : status;
}

/* Size, and whatever else yields one integer. */
neuromc_status nmc_infer_int_scalar(struct nmc_infer *infer, struct nmc_node *node) {
    return nmc_out(infer, node, 0, NMC_ELEM_int64, 0, NULL);
}

const struct nmc_attr *nmc_constant_value(const struct nmc_node *node) {
    static const char *const names[] = {"value",         "value_int",    "value_ints",
                                        "value_float",   "value_floats", "value_string",
                                        "value_strings", "sparse_value"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (nmc_attr_find(node, names[i]))
            return nmc_attr_find(node, names[i]);
    return NULL;
}

neuromc_status nmc_infer_constant(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_attr *value = nmc_constant_value(node);
    if (!value)
        return nmc_node_error(infer, node, NULL, "has no value");
    switch (value->kind) {
    case NMC_ATTR_INT: return nmc_out(infer, node, 0, NMC_ELEM_int64, 0, NULL);
    case NMC_ATTR_FLOAT: return nmc_out(infer, node, 0, NMC_ELEM_float32, 0, NULL);
    case NMC_ATTR_STRING: return nmc_out(infer, node, 0, NMC_ELEM_string, 0, NULL);
    case NMC_ATTR_INTS: return nmc_out(infer, node, 0, NMC_ELEM_int64, 1, &value->count);
    case NMC_ATTR_FLOATS: return nmc_out(infer, node, 0, NMC_ELEM_float32, 1, &value->count);
    case NMC_ATTR_STRINGS: return nmc_out(infer, node, 0, NMC_ELEM_string, 1, &value->count);
    case NMC_ATTR_TENSOR:
        nmc_out_type(node, 0, value->tensor->type);
        return value->tensor->shape.rank < 0
                   ? NEUROMC_OK
                   : nmc_out(infer, node, 0, value->tensor->type, value->tensor->shape.rank,
                             value->tensor->shape.dims);
    default: return NEUROMC_OK;
    }
}

/* ---- ConstantOfShape ---- */

neuromc_status nmc_infer_constant_of_shape(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_attr *value = nmc_attr_find(node, "value");
    bool typed = value && value->kind == NMC_ATTR_TENSOR;
    enum nmc_elem type = typed ? value->tensor->type : NMC_ELEM_float32;
    struct nmc_list shape;
    neuromc_status status = nmc_list(infer, node, NULL, 0, &shape);
    nmc_out_type(node, 0, type);
    if (status != NEUROMC_OK || shape.count < 0)
        return status;
    if (shape.count > NMC_LIMIT_RANK)
        return nmc_node_error(infer, node, NULL, "a shape of %lld axes; the limit is %d",
                              (long long)shape.count, NMC_LIMIT_RANK);
    return shape.values ? nmc_out(infer, node, 0, type, (int)shape.count, shape.values)
                        : nmc_out_rank(infer, node, 0, type, (int)shape.count);
}

/* ---- Range ---- */

/* ceil((limit - start) / delta), at least 0. */
static neuromc_status count_ints(struct nmc_infer *infer, struct nmc_node *node,
                                 const nmc_dim of[3], nmc_dim *count) {
    int64_t span;
    *count = of[0] == of[1] ? 0 : of[0] == 0 && of[2] == 1 ? of[1] : nmc_unknown(infer, node);
    if (of[2] == 0)
        return nmc_node_error(infer, node, NULL, "delta is 0");
    if (!nmc_dim_known(of[0]) || !nmc_dim_known(of[1]) || !nmc_dim_known(of[2]) ||
        !nmc_sub(of[1], of[0], &span) || span == INT64_MIN)
        return NEUROMC_OK;
    if ((span < 0) != (of[2] < 0))
        *count = 0;
    else
        *count = of[2] > 0 ? nmc_div_ceil(span, of[2]) : nmc_div_ceil(-span, -of[2]);
    return NEUROMC_OK;
}

static neuromc_status count_reals(struct nmc_infer *infer, struct nmc_node *node,
                                  const double of[3], nmc_dim *count) {
    double steps = of[2] != 0 ? ceil((of[1] - of[0]) / of[2]) : (double)NAN;
    if (of[2] == 0)
        return nmc_node_error(infer, node, NULL, "delta is 0");
    if (isnan(steps) || steps > 0x1p62)
        *count = nmc_unknown(infer, node);
    else
        *count = steps > 0 ? (int64_t)steps : 0;
    return NEUROMC_OK;
}

bool nmc_range_ints(const struct nmc_node *node, nmc_dim of[3]) {
    for (int i = 0; i < 3; i++) {
        int64_t count;
        const nmc_dim *value = nmc_in_ints(node, i, &count);
        if (!value || count != 1)
            return false;
        of[i] = *value;
    }
    return true;
}

bool nmc_range_reals(const struct nmc_node *node, double of[3]) {
    for (int i = 0; i < 3; i++) {
        int64_t count;
        const double *value = nmc_in_reals(node, i, &count);
        if (!value || count != 1)
            return false;
        of[i] = *value;
    }
    return true;
}

neuromc_status nmc_infer_range(struct nmc_infer *infer, struct nmc_node *node) {
    nmc_dim ints[3], count;
    double reals[3];
    neuromc_status status = NEUROMC_OK;
    enum nmc_elem type = nmc_in(node, 0) ? nmc_in(node, 0)->type : NMC_ELEM_undefined;
    if (nmc_range_ints(node, ints))
        status = count_ints(infer, node, ints, &count);
    else if (nmc_range_reals(node, reals))
        status = count_reals(infer, node, reals, &count);
    else
        count = nmc_unknown(infer, node);
    return status == NEUROMC_OK ? nmc_out(infer, node, 0, type, 1, &count) : status;
}
