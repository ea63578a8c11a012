/*
 * soma.h - spiking neurons.
 *
 * A soma is one update of one layer of neurons: charge (a current joins the membrane potential),
 * fire (the potential meets a threshold), reset. It is one node with a name that says so, or the
 * plain operators that an exporter left, found by what they compute: docs/spiking.md.
 */
#ifndef NMC_SOMA_H
#define NMC_SOMA_H

#include "graph/graph.h"

enum nmc_soma_kind {
    NMC_SOMA_IF,    /* the potential is a sum */
    NMC_SOMA_LIF,   /* it leaks */
    NMC_SOMA_PLIF,  /* it leaks at a rate that is learned, behind a Sigmoid */
    NMC_SOMA_OTHER, /* exponential, quadratic, ... */
    NMC_SOMA_NAMED, /* an operator or a function; what it computes is not in the file */
    NMC_SOMA_KINDS
};

extern const char *const nmc_soma_kind_names[NMC_SOMA_KINDS];

struct nmc_soma {
    uint32_t id; /* index in the net */
    enum nmc_soma_kind kind;
    bool multi_spike;      /* the output is not 0 or 1 alone: several spikes at once, or a rate */
    struct nmc_node *node; /* makes the output: its place in execution order */
    struct nmc_tensor *input, *output; /* current, spikes */
    struct nmc_tensor **states;        /* potentials it starts from */
    struct nmc_node **nodes;           /* that are part of it, in execution order */
    int state_count, node_count;
    int64_t elements;        /* neurons updated; -1 if the shape is not known */
    struct nmc_soma *before; /* the same neurons a time step earlier, where steps are unrolled */
    struct nmc_soma *after;  /* ... and a step later */
    const char *why;         /* what made it a neuron, for people */
};

struct nmc_soma_options {
    const char *const *names; /* further operators that are neurons */
    size_t name_count;
};

/* Fills net->somas and node->soma, in execution order. Shapes are known as far as they can be.
 * A name that no node has is NEUROMC_USAGE. options may be NULL. */
neuromc_status nmc_somas_find(struct nmc_net *net, const struct nmc_soma_options *options,
                              neuromc_diags *diags);

/* ---- names ---- */

/* Whether an operator or function so named is a neuron, in whatever domain: "LIF", "IFNode",
 * "lif_stateful". Case does not matter, except that "If" is ONNX's operator with two branches. */
bool nmc_soma_name(const char *op_type);

/* The same, with the user's own names (--soma-op) beside the built-in ones. */
bool nmc_soma_named(const char *op_type, const char *const *more, size_t count);

/* Whether a neuron so named gives out other numbers than 0 and 1. */
bool nmc_soma_is_graded(const char *op_type);

/* Whether a node is by its name the step that makes spikes of a potential, as an exporter leaves
 * it that knows only that there is a surrogate gradient. */
bool nmc_node_is_spike_function(const struct nmc_node *node);

/* Whether a node is a neuron by its name. An operator of the table is one only if the user says
 * so. */
bool nmc_node_is_soma(const struct nmc_node *node, const char *const *more, size_t count);

#endif
