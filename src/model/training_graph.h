/*
 * training_graph.h - graphs that were exported with their backward pass and optimizer in them.
 */
#ifndef NMC_TRAINING_GRAPH_H
#define NMC_TRAINING_GRAPH_H

#include "graph/graph.h"
#include "model/preset.h"

/* By tensor id: whether it is a gradient, that is, made by a gradient operator (ReluGrad,
 * ConvGrad, SoftmaxCrossEntropyLossGrad, ...) or from one. NULL when memory runs out. */
bool *nmc_gradient_tensors(struct nmc_net *net);

/* Whether a graph input is a weight: a forward product or convolution has it as such. */
bool nmc_input_is_weight(const struct nmc_tensor *input, const bool *is_gradient);

/* Optimizer operators of the graph as optimizer fragments. Those whose parameters the file does
 * not list (tensor sequences) are warned about. */
neuromc_status nmc_emit_optimizer_nodes(const struct nmc_net *net, int bits,
                                        struct nmc_work_sink *sink, neuromc_diags *diags);

/* Elements of the parameters an optimizer operator updates, by rank; false if the file does not
 * say. */
bool nmc_optimizer_parameters(const struct nmc_node *node, int64_t *vectors, int64_t *matrices);

#endif
