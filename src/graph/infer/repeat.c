/* Expand and Tile: elements repeated along axes. */
#include "base/limits.h"
#include "graph/infer/shape_ops.h"

/* A target of -1 keeps the size, as exporters mean it. */
static neuromc_status expand(struct nmc_infer *infer, struct nmc_node *node,
                             const struct nmc_shape *shape, const struct nmc_list *target) {
    nmc_dim wanted[NMC_LIMIT_RANK], dims[NMC_LIMIT_RANK];
    const struct nmc_shape to = {(int)target->count, wanted};
    int rank;
    for (int i = 0; i < to.rank; i++) {
        wanted[i] = target->values[i] == -1 ? 1 : target->values[i];
        if (nmc_dim_known(wanted[i]) && wanted[i] < 0)
            return nmc_node_error(infer, node, NULL, "target size %lld is negative",
                                  (long long)wanted[i]);
    }
    neuromc_status status = nmc_broadcast(infer, node, shape, &to, dims, &rank);
    return status == NEUROMC_OK ? nmc_out(infer, node, 0, nmc_in(node, 0)->type, rank, dims)
                                : status;
}

neuromc_status nmc_infer_expand(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *shape = nmc_in_shape(node, 0);
    struct nmc_list target;
    neuromc_status status = nmc_list(infer, node, NULL, 1, &target);
    if (status != NEUROMC_OK || !nmc_in(node, 0))
        return status;
    nmc_out_type(node, 0, nmc_in(node, 0)->type);
    if (!shape || target.count < 0)
        return NEUROMC_OK;
    if (target.count > NMC_LIMIT_RANK)
        return nmc_node_error(infer, node, NULL, "a shape of %lld axes; the limit is %d",
                              (long long)target.count, NMC_LIMIT_RANK);
    if (target.values)
        return expand(infer, node, shape, &target);
    int rank = shape->rank > target.count ? shape->rank : (int)target.count;
    return nmc_out_rank(infer, node, 0, nmc_in(node, 0)->type, rank);
}

/* Opset 1: a scalar number of tiles and the axis they repeat. */
static neuromc_status tile_one(struct nmc_infer *infer, struct nmc_node *node,
                               const struct nmc_shape *shape) {
    nmc_dim tiles, wanted, dims[NMC_LIMIT_RANK];
    int axis;
    neuromc_status status = nmc_scalar(infer, node, NULL, 1, 1, &tiles);
    if (status == NEUROMC_OK)
        status = nmc_scalar(infer, node, NULL, 2, 0, &wanted);
    if (status != NEUROMC_OK)
        return status;
    if (!nmc_dim_known(wanted))
        return nmc_out_rank(infer, node, 0, nmc_in(node, 0)->type, shape->rank);
    status = nmc_axis(infer, node, "axis", wanted, shape->rank, &axis);
    for (int i = 0; i < shape->rank; i++)
        dims[i] = shape->dims[i];
    if (status == NEUROMC_OK)
        status = nmc_dim_mul(infer, node, shape->dims[axis], tiles, &dims[axis]);
    return status == NEUROMC_OK ? nmc_out(infer, node, 0, nmc_in(node, 0)->type, shape->rank, dims)
                                : status;
}

neuromc_status nmc_infer_tile(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *shape = nmc_in_shape(node, 0);
    struct nmc_list repeats;
    nmc_dim dims[NMC_LIMIT_RANK];
    neuromc_status status = NEUROMC_OK;
    if (nmc_in(node, 0))
        nmc_out_type(node, 0, nmc_in(node, 0)->type);
    if (!shape)
        return NEUROMC_OK;
    if (nmc_in(node, 2))
        return tile_one(infer, node, shape);
    status = nmc_list(infer, node, NULL, 1, &repeats);
    if (status == NEUROMC_OK && repeats.count >= 0 && repeats.count != shape->rank)
        return nmc_node_error(infer, node, NULL, "%lld repeats for %d axes",
                              (long long)repeats.count, shape->rank);
    if (status == NEUROMC_OK && !repeats.values)
        return nmc_out_rank(infer, node, 0, nmc_in(node, 0)->type, shape->rank);
    for (int i = 0; status == NEUROMC_OK && i < shape->rank; i++)
        status = nmc_dim_mul(infer, node, shape->dims[i], repeats.values[i], &dims[i]);
    return status == NEUROMC_OK ? nmc_out(infer, node, 0, nmc_in(node, 0)->type, shape->rank, dims)
                                : status;
}
