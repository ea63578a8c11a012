/*
 * gradient.h - where gradient flows on a backward pass.
 *
 * Forward from the trainable parameters: a tensor needs gradient if one lies upstream of it.
 * Backward from the graph's outputs: a tensor gets gradient if a path on which gradient passes
 * leads to one. Gradient stops at whatever is not floating point, except inside a soma, whose
 * surrogate passes it on.
 *
 * A parameter is a float initializer, or a float graph input that only feeds weight operands,
 * that gradient reaches, is not frozen, and is used elsewhere than inside a soma (a PLIF weight
 * behind its Sigmoid counts as used elsewhere). An Identity of an initializer is a parameter of
 * its own: exporters store equal values once.
 */
#ifndef NMC_GRADIENT_H
#define NMC_GRADIENT_H

#include "graph/graph.h"

struct nmc_gradient {
    bool *needs;        /* by tensor id: a parameter or asked-for input lies upstream */
    bool *gets;         /* by tensor id: a path to a graph output */
    bool *is_parameter; /* by tensor id: trainable */
};

struct nmc_gradient_options {
    const char *const *freeze; /* globs of parameter names (fnmatch) */
    size_t freeze_count;
    const char *const *inputs; /* graph inputs that need a gradient */
    size_t input_count;
};

/* Arrays live in the net's arena. A glob or name that matches nothing is NEUROMC_USAGE. */
neuromc_status nmc_gradient_flow(struct nmc_net *net, const struct nmc_gradient_options *options,
                                 struct nmc_gradient *out, neuromc_diags *diags);

/* Whether the backward pass computes the gradient of this tensor. */
static inline bool nmc_has_gradient(const struct nmc_gradient *g, const struct nmc_tensor *t) {
    return t && g->needs[t->id] && g->gets[t->id];
}

/* Whether gradient that reaches the node's output passes on to input `index`. */
bool nmc_passes_gradient(const struct nmc_node *node, int index);

#endif
