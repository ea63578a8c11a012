/*
 * network.h - the graph of a network as a report draws it: what works, and which of it feeds which.
 *
 * Constants and shape arithmetic are left out; a neuron is one node, whatever operators it is made
 * of. Bodies of loops and of branches that are taken stand in place of the nodes they belong to, as
 * one round of them.
 */
#ifndef NMC_NETWORK_H
#define NMC_NETWORK_H

#include "base/diag.h"
#include "base/json_write.h"
#include "model/ledger.h"

struct nmc_layers;

struct nmc_network_node {
    const char *label; /* as the report's lines call it */
    const char *op;
    const uint32_t *inputs; /* indices of the nodes that feed it, each once */
    uint32_t input_count;
};

struct nmc_network {
    struct nmc_network_node *nodes; /* in execution order */
    uint32_t count;
};

/* Copies what is drawn into the ledger's arena; layers give nodes their labels. */
neuromc_status nmc_network_keep(struct nmc_network *network, const struct nmc_layers *layers,
                                struct nmc_ledger *ledger, neuromc_diags *diags);

/* {nodes: [{label, op, inputs: [index, ...]}, ...]} */
void nmc_network_json(const struct nmc_network *network, struct nmc_json *json);

#endif
