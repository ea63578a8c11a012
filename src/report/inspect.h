/*
 * inspect.h - what the files of `neuromc inspect` share.
 */
#ifndef NMC_INSPECT_H
#define NMC_INSPECT_H

#include "base/json_write.h"
#include "graph/graph.h"

/* The neurons: of what kind, which nodes are part of them, why they are neurons. */
void nmc_inspect_somas_json(struct nmc_json *json, struct nmc_net *net);
void nmc_inspect_somas_text(struct nmc_sink *sink, struct nmc_net *net, bool color);
/* The spike tensors between layers, and why they are. */
void nmc_inspect_spikes_text(struct nmc_sink *sink, struct nmc_net *net, bool color);

#endif
