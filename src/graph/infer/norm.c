/* Normalisation: all keep the shape of their input; some give statistics beside it. */
#include "base/limits.h"
#include "graph/infer.h"

/* ---- batch normalisation ---- */

/* Channels are axis 1; a symbolic count is that of the scale. Before version 9 `spatial` = 0
 * normalises each feature on its own. */
static neuromc_status check_channels(struct nmc_infer *infer, const struct nmc_node *node,
                                     const struct nmc_shape *x, const struct nmc_shape *scale) {
    int64_t spatial;
    neuromc_status status = nmc_attr_int(infer, node, "spatial", 1, &spatial);
    if (status == NEUROMC_OK && spatial && x && x->rank >= 2 && scale && scale->rank == 1 &&
        !nmc_unify(infer, x->dims[1], scale->dims[0]))
        return nmc_node_error(infer, node, NULL, "input has %lld channels, scale %lld",
                              (long long)x->dims[1], (long long)scale->dims[0]);
    return status;
}

/* Y, then two or four statistics of the channels. */
neuromc_status nmc_infer_batch_norm(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *scale = nmc_in_shape(node, 1);
    neuromc_status status = check_channels(infer, node, nmc_in_shape(node, 0), scale);
    if (status == NEUROMC_OK)
        status = nmc_out_like(infer, node, 0, 0);
    for (int i = 1; status == NEUROMC_OK && i < node->output_count; i++)
        status = nmc_out_like(infer, node, i, node->input_count > 3 ? 3 : 1);
    return status;
}
