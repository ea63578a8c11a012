/* Which nodes are costed, free by rule, or not modelled. */
#include "graph/ops.h"
#include "model/lower.h"

static bool all_folded(const struct nmc_node *node) {
    for (int i = 0; i < node->output_count; i++)
        if (node->outputs[i] && !node->outputs[i]->ints && !node->outputs[i]->reals &&
            !node->outputs[i]->is_constant)
            return false;
    return node->output_count > 0;
}

enum nmc_coverage_kind nmc_node_coverage(const struct nmc_node *node) {
    if (node->soma)
        return NMC_COVER_COSTED;
    if (!node->op)
        return NMC_COVER_UNMODELLED;
    if (node->op->work != NMC_WORK_NONE)
        return NMC_COVER_COSTED;
    if (node->op->cost != NMC_COST_UNMODELLED || all_folded(node))
        return NMC_COVER_FREE;
    return NMC_COVER_UNMODELLED;
}

static int64_t output_elements(const struct nmc_node *node) {
    int64_t elements;
    if (node->output_count > 0 && node->outputs[0] &&
        nmc_shape_elements(&node->outputs[0]->shape, &elements))
        return elements;
    return -1;
}

neuromc_status nmc_cover_net(const struct nmc_net *net, struct nmc_work_sink *sink) {
    neuromc_status status = NEUROMC_OK;
    for (uint32_t n = 0; status == NEUROMC_OK && n < net->node_count; n++) {
        const struct nmc_node *node = net->nodes[n];
        if (!node->dead)
            status = sink->coverage(sink->user, node->op_type, nmc_node_coverage(node),
                                    output_elements(node));
    }
    return status;
}
