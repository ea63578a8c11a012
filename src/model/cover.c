/* Which nodes are costed, free by rule, or not modelled. */
#include "graph/ops.h"
#include "model/elementwise.h"
#include "model/lower.h"
#include "model/training_graph.h"

static bool all_folded(const struct nmc_node *node) {
    for (int i = 0; i < node->output_count; i++)
        if (node->outputs[i] && !node->outputs[i]->ints && !node->outputs[i]->reals &&
            !node->outputs[i]->is_constant)
            return false;
    return node->output_count > 0;
}

enum nmc_coverage_kind nmc_node_coverage(const struct nmc_node *node, bool has_layer,
                                         bool elementwise) {
    int64_t vectors, matrices;
    if (node->soma || has_layer)
        return NMC_COVER_COSTED;
    if (!node->op)
        return NMC_COVER_UNMODELLED;
    if (node->op->work == NMC_WORK_OPTIMIZER && nmc_optimizer_parameters(node, &vectors, &matrices))
        return NMC_COVER_COSTED;
    bool free = node->op->cost != NMC_COST_UNMODELLED && node->op->cost != NMC_COST_WORK;
    if (free || all_folded(node))
        return NMC_COVER_FREE;
    return elementwise && nmc_is_elementwise(node) ? NMC_COVER_COSTED : NMC_COVER_UNMODELLED;
}

static int64_t output_elements(const struct nmc_node *node) {
    int64_t elements;
    if (node->output_count > 0 && node->outputs[0] &&
        nmc_shape_elements(&node->outputs[0]->shape, &elements))
        return elements;
    return -1;
}

neuromc_status nmc_cover_net(const struct nmc_layers *layers, bool elementwise,
                             struct nmc_work_sink *sink, neuromc_diags *diags) {
    struct nmc_net *net = layers->net;
    bool *has_layer = nmc_arena_array(&net->arena, net->node_count, sizeof *has_layer);
    if (!has_layer)
        return nmc_out_of_memory(diags);
    for (size_t i = 0; i < layers->count; i++)
        has_layer[layers->items[i].node->id] = true;
    neuromc_status status = NEUROMC_OK;
    for (uint32_t n = 0; status == NEUROMC_OK && n < net->node_count; n++) {
        const struct nmc_node *node = net->nodes[n];
        if (!node->dead)
            status = sink->coverage(sink->user, node->op_type,
                                    nmc_node_coverage(node, has_layer[n], elementwise),
                                    output_elements(node));
    }
    return status;
}
