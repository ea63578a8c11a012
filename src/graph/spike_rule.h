/*
 * spike_rule.h - how 0 and 1 pass through one operator: the `spike` column of the operator table.
 */
#ifndef NMC_SPIKE_RULE_H
#define NMC_SPIKE_RULE_H

#include "graph/graph.h"

/* A spike tensor, or a constant of nothing but 0 and 1. */
bool nmc_is_binary(const struct nmc_tensor *tensor);

/* Whether output `index` of a node holds nothing but 0 and 1 if such inputs of it do. */
bool nmc_keeps_binary(const struct nmc_node *node, int index);

/* Whether a loop writes every part of a value it carries, one in each iteration, so that the
 * initial value of this body input does not matter. */
bool nmc_is_overwritten(const struct nmc_node *loop, const struct nmc_tensor *carried);

#endif
