/*
 * lower.h - a network becomes fragments and coverage, in report order.
 */
#ifndef NMC_LOWER_H
#define NMC_LOWER_H

#include "graph/graph.h"
#include "model/layer.h"
#include "model/preset.h"

/* Corrected accounting (accounting.md): forward, then, as options->stages asks, backward and
 * optimizer. The preset gives precisions alone. */
neuromc_status nmc_lower_net(struct nmc_net *net, const struct neuromc_preset *preset,
                             const neuromc_estimate_options *options, struct nmc_work_sink *sink,
                             neuromc_diags *diags);

/* The forward fragment of a layer, and what the runtime profiler would have made of it with the
 * rule (accounting.md) that tells them apart; rule 0: the two agree. */
neuromc_status nmc_forward_fragment(const struct nmc_layer *layer,
                                    const struct nmc_precision *precision,
                                    struct nmc_fragment *out);
const char *nmc_layer_op_name(enum nmc_layer_kind kind, enum nmc_role role);
int nmc_runtime_fragment(const struct nmc_layer *layer, const struct nmc_fragment *corrected,
                         struct nmc_fragment *out);

/* Whether a node is costed, free by rule, or not modelled. has_layer: work was found in it;
 * elementwise: --elementwise count. */
enum nmc_coverage_kind nmc_node_coverage(const struct nmc_node *node, bool has_layer,
                                         bool elementwise);

/* Hands every node to sink->coverage: costed, free by rule, or not modelled. */
neuromc_status nmc_cover_net(const struct nmc_layers *layers, bool elementwise,
                             struct nmc_work_sink *sink, neuromc_diags *diags);

#endif
