/*
 * layer.h - the forward work of a network, node by node: the link between graph and fragments.
 *
 * A layer is one convolution, product, batch norm or neuron with its loop dims and the tensors it
 * joins. Forward fragments follow from layers one to one, backward ones from the same layers in
 * reverse, DRAM traffic from the tensors they touch.
 */
#ifndef NMC_LAYER_H
#define NMC_LAYER_H

#include "base/strmap.h"
#include "graph/graph.h"
#include "model/fragment.h"

enum nmc_layer_kind {
    NMC_LAYER_CONV,
    NMC_LAYER_LINEAR, /* activation x weight */
    NMC_LAYER_MATMUL, /* activation x activation */
    NMC_LAYER_BN,
    NMC_LAYER_SOMA,
    NMC_LAYER_KINDS
};

/* What a layer computes. Gradients stand in a graph only if it was exported with its backward
 * pass; those of --train are derived from forward layers. */
enum nmc_role { NMC_ROLE_FORWARD, NMC_ROLE_GRAD_INPUT, NMC_ROLE_GRAD_WEIGHT, NMC_ROLES };

struct nmc_layer {
    enum nmc_layer_kind kind;
    enum nmc_role role;
    struct nmc_node *node;
    const char *label; /* unique in the network */
    /* input is the activation, weight the parameter or the second activation; NULL where a fused
     * operator has no such tensor. */
    struct nmc_tensor *input, *weight, *output;
    int64_t dims[NMC_LOOPS], groups;
    int64_t stride[2], dilation[2], extent[2]; /* as in a fragment */
    bool transposed;
    int64_t input_elements, weight_elements, output_elements;
    int64_t times; /* iterations of the loops around the node */
};

struct nmc_layers {
    struct nmc_net *net;
    struct nmc_layer *items;
    size_t count, capacity;
};

/* Every layer of the network in execution order. Dims that work needs and nobody bound are
 * NEUROMC_BAD_INPUT, one message for each node that needs them. */
neuromc_status nmc_layers_collect(struct nmc_net *net, struct nmc_layers *out,
                                  neuromc_diags *diags);
void nmc_layers_release(struct nmc_layers *layers);

/* The initializer or graph input behind a weight operand, through Identity, Cast, Transpose,
 * Reshape, DequantizeLinear and the like; NULL if the operand is an activation. */
struct nmc_tensor *nmc_weight_root(struct nmc_tensor *operand);

#endif
