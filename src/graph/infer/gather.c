/* Gather and its kin: elements picked by indices. */
#include "base/limits.h"
#include "graph/infer/shape_ops.h"

neuromc_status nmc_infer_gather(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *data = nmc_in_shape(node, 0), *indices = nmc_in_shape(node, 1);
    nmc_dim dims[NMC_LIMIT_RANK];
    int64_t wanted;
    int axis, rank = 0;
    neuromc_status status = nmc_attr_int(infer, node, "axis", 0, &wanted);
    if (status != NEUROMC_OK || !nmc_in(node, 0))
        return status;
    nmc_out_type(node, 0, nmc_in(node, 0)->type);
    if (!data || !indices)
        return NEUROMC_OK;
    status = nmc_axis(infer, node, "axis", wanted, data->rank, &axis);
    if (status != NEUROMC_OK)
        return status;
    if (data->rank - 1 > NMC_LIMIT_RANK - indices->rank)
        return nmc_node_error(infer, node, NULL, "its output would have %d axes; the limit is %d",
                              data->rank - 1 + indices->rank, NMC_LIMIT_RANK);
    for (int i = 0; i < axis; i++)
        dims[rank++] = data->dims[i];
    for (int i = 0; i < indices->rank; i++)
        dims[rank++] = indices->dims[i];
    for (int i = axis + 1; i < data->rank; i++)
        dims[rank++] = data->dims[i];
    return nmc_out(infer, node, 0, nmc_in(node, 0)->type, rank, dims);
}
