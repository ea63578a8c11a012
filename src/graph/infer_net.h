/*
 * infer_net.h - what the files of the inference driver share: binding of symbols, what to warn of
 * at the end, the values that control flow hands over.
 */
#ifndef NMC_INFER_NET_H
#define NMC_INFER_NET_H

#include "graph/infer.h"

/* Reads the options: unifies symbols of one name, binds dims and batch, checks that every name
 * the caller gave exists. Allocates infer->bound. */
neuromc_status nmc_bind_options(struct nmc_infer *infer);
/* Replaces every bound symbol in the net's shapes and values. */
void nmc_bind_apply(struct nmc_infer *infer);

/* Remarks on a node, kept until the walk is over, since a node may be visited often. */
enum { NMC_REMARK_BRANCH = 1, NMC_REMARK_TRIPS = 2 };

/* Turns remarks and contradictions of declared shapes into warnings. */
void nmc_infer_warn(struct nmc_infer *infer);

/* Nodes that carry work in a graph and its bodies, dead ones not counted. */
double nmc_graph_work(const struct nmc_graph *graph);

#endif
