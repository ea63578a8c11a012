/* Tensors of random numbers, and fills by attribute: RandomNormal, Multinomial, EyeLike, ... */
#include "base/limits.h"
#include "graph/infer/shape_ops.h"

/* The `shape` attribute. */
neuromc_status nmc_infer_random(struct nmc_infer *infer, struct nmc_node *node) {
    struct nmc_list shape;
    enum nmc_elem type;
    neuromc_status status = nmc_list(infer, node, "shape", -1, &shape);
    if (status == NEUROMC_OK)
        status = nmc_elem_attr(infer, node, "dtype", NMC_ELEM_float32, &type);
    if (status != NEUROMC_OK)
        return status;
    nmc_out_type(node, 0, type);
    if (!shape.given)
        return nmc_node_error(infer, node, NULL, "has no shape");
    if (shape.count > NMC_LIMIT_RANK)
        return nmc_node_error(infer, node, NULL, "a shape of %lld axes; the limit is %d",
                              (long long)shape.count, NMC_LIMIT_RANK);
    return nmc_out(infer, node, 0, type, (int)shape.count, shape.values);
}

/* The shape of input 0; its type too, unless dtype says another. */
neuromc_status nmc_infer_typed_like(struct nmc_infer *infer, struct nmc_node *node) {
    enum nmc_elem type;
    neuromc_status status = nmc_elem_attr(infer, node, "dtype", nmc_in_type(node, 0), &type);
    if (status == NEUROMC_OK)
        status = nmc_out_like(infer, node, 0, 0);
    nmc_out_type(node, 0, type);
    return status;
}

neuromc_status nmc_infer_random_like(struct nmc_infer *infer, struct nmc_node *node) {
    return nmc_infer_typed_like(infer, node);
}

/* [batch, classes]: [batch, sample_size]. */
neuromc_status nmc_infer_multinomial(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *shape = nmc_in_shape(node, 0);
    enum nmc_elem type;
    nmc_dim dims[2];
    neuromc_status status = nmc_elem_attr(infer, node, "dtype", NMC_ELEM_int32, &type);
    if (status == NEUROMC_OK)
        status = nmc_attr_size(infer, node, "sample_size", 1, &dims[1]);
    if (status != NEUROMC_OK)
        return status;
    if (shape && shape->rank != 2)
        return nmc_node_error(infer, node, NULL, "its input has %d axes, 2 wanted", shape->rank);
    dims[0] = shape ? shape->dims[0] : nmc_unknown(infer, node);
    return nmc_out(infer, node, 0, type, 2, dims);
}

/* ConstantFill and GivenTensorFill of opset 1: the shape is an attribute, an input's value, or an
 * input's own; extra_shape is appended. */
neuromc_status nmc_infer_fill(struct nmc_infer *infer, struct nmc_node *node) {
    struct nmc_list shape, extra;
    enum nmc_elem type;
    int64_t by_value;
    nmc_dim dims[2 * NMC_LIMIT_RANK];
    neuromc_status status = nmc_attr_int(infer, node, "input_as_shape", 0, &by_value);
    if (status == NEUROMC_OK)
        status = nmc_elem_attr(infer, node, "dtype", NMC_ELEM_float32, &type);
    if (status == NEUROMC_OK)
        status = nmc_list(infer, node, "shape", by_value ? 0 : -1, &shape);
    if (status == NEUROMC_OK)
        status = nmc_list(infer, node, "extra_shape", -1, &extra);
    if (status != NEUROMC_OK)
        return status;
    nmc_out_type(node, 0, type);
    const struct nmc_shape *like = shape.given ? NULL : nmc_in_shape(node, 0);
    if (like)
        shape = (struct nmc_list){true, like->rank, like->dims};
    if (!shape.values)
        return NEUROMC_OK;
    if (shape.count > NMC_LIMIT_RANK || extra.count > NMC_LIMIT_RANK)
        return nmc_node_error(infer, node, NULL, "a shape of more than %d axes", NMC_LIMIT_RANK);
    int rank = 0;
    for (int64_t i = 0; i < shape.count; i++)
        dims[rank++] = shape.values[i];
    for (int64_t i = 0; i < extra.count; i++)
        dims[rank++] = extra.values[i];
    return nmc_out(infer, node, 0, type, rank, dims);
}
