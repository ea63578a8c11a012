/*
 * spike.h - which tensors hold nothing but 0 and 1, and why (accounting.md, "spike tensor").
 */
#ifndef NMC_SPIKE_H
#define NMC_SPIKE_H

#include "graph/graph.h"

struct nmc_spike_options {
    const char *const *inputs; /* graph inputs whose values are all 0 or 1 */
    size_t input_count;
};

/* Sets tensor->spike and spike_why of every tensor, along the edges in execution order: neurons
 * are found. A name that no graph input has is NEUROMC_USAGE. options may be NULL. */
neuromc_status nmc_spikes_infer(struct nmc_net *net, const struct nmc_spike_options *options,
                                neuromc_diags *diags);

#endif
