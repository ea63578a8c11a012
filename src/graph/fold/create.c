/* Folding of tensors made from a shape or an attribute: Shape, Size, Constant,
 * ConstantOfShape, Range. */
#include "base/checked.h"
#include "graph/fold/fold.h"
#include "graph/infer/shape_ops.h"

neuromc_status nmc_fold_shape(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *shape = nmc_in_shape(node, 0);
    int begin, end;
    if (!shape)
        return NEUROMC_OK;
    neuromc_status status = nmc_shape_range(infer, node, shape->rank, &begin, &end);
    return status == NEUROMC_OK ? nmc_out_ints(infer, node, 0, end - begin, shape->dims + begin)
                                : status;
}

neuromc_status nmc_fold_size(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *shape = nmc_in_shape(node, 0);
    nmc_dim size;
    int64_t elements;
    if (!shape || (nmc_shape_known(shape) && !nmc_shape_elements(shape, &elements)))
        return NEUROMC_OK;
    neuromc_status status = nmc_dim_product(infer, node, shape->dims, shape->rank, &size);
    return status == NEUROMC_OK ? nmc_out_ints(infer, node, 0, 1, &size) : status;
}

static neuromc_status clamped(struct nmc_infer *infer, struct nmc_node *node, const int64_t *ints,
                              int64_t count) {
    nmc_dim out[NMC_LIMIT_FOLD_ELEMENTS];
    if (count > NMC_LIMIT_FOLD_ELEMENTS)
        return NEUROMC_OK;
    for (int64_t i = 0; i < count; i++)
        out[i] = nmc_dim_clamp(ints[i]);
    return nmc_out_ints(infer, node, 0, count, out);
}

static void share(struct nmc_node *node, const struct nmc_tensor *value) {
    node->outputs[0]->ints = value->ints;
    node->outputs[0]->reals = value->reals;
    node->outputs[0]->value_count = value->value_count;
}

neuromc_status nmc_fold_constant(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_attr *value = nmc_constant_value(node);
    if (!value || !node->output_count || !node->outputs[0])
        return NEUROMC_OK;
    switch (value->kind) {
    case NMC_ATTR_INT: return clamped(infer, node, &value->i, 1);
    case NMC_ATTR_INTS: return clamped(infer, node, value->ints, value->count);
    case NMC_ATTR_FLOAT: return nmc_out_reals(infer, node, 0, 1, &value->f);
    case NMC_ATTR_FLOATS: return nmc_out_reals(infer, node, 0, value->count, value->floats);
    case NMC_ATTR_TENSOR: share(node, value->tensor); return NEUROMC_OK;
    default: return NEUROMC_OK;
    }
}

/* The one element of the value attribute; 0 without one. Large outputs get their shape only. */
neuromc_status nmc_fold_constant_of_shape(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_attr *attr = nmc_attr_find(node, "value");
    const struct nmc_tensor *value = attr && attr->kind == NMC_ATTR_TENSOR ? attr->tensor : NULL;
    int64_t source[NMC_LIMIT_FOLD_ELEMENTS] = {0}, count;
    const double zero = 0;
    struct nmc_value one = {.count = 1, .reals = &zero};
    if (!nmc_fold_target(node, 0, &count))
        return NEUROMC_OK;
    if (value && (value->value_count != 1 || (!value->ints && !value->reals)))
        return NEUROMC_OK;
    if (value)
        one = (struct nmc_value){.count = 1, .ints = value->ints, .reals = value->reals};
    return nmc_fold_pick(infer, node, 0, &one, count, source);
}

neuromc_status nmc_fold_range(struct nmc_infer *infer, struct nmc_node *node) {
    nmc_dim ints[3], out[NMC_LIMIT_FOLD_ELEMENTS];
    double reals[3], real_out[NMC_LIMIT_FOLD_ELEMENTS];
    int64_t count;
    if (!nmc_fold_target(node, 0, &count))
        return NEUROMC_OK;
    if (nmc_range_ints(node, ints)) {
        /* Whatever lies between start and limit fits. */
        bool known = nmc_dim_known(ints[0]) && nmc_dim_known(ints[2]);
        for (int64_t i = 0; known && i < count; i++)
            out[i] = ints[0] + i * ints[2];
        return known ? nmc_out_ints(infer, node, 0, count, out) : NEUROMC_OK;
    }
    if (!nmc_range_reals(node, reals))
        return NEUROMC_OK;
    for (int64_t i = 0; i < count; i++)
        real_out[i] = nmc_real_as(node->outputs[0]->type, reals[0] + (double)i * reals[2]);
    return nmc_out_reals(infer, node, 0, count, real_out);
}
