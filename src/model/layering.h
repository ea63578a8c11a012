/*
 * layering.h - what the per-family layer makers share. Private to layer_*.c.
 */
#ifndef NMC_LAYERING_H
#define NMC_LAYERING_H

#include "graph/infer.h"
#include "graph/ops.h"
#include "model/layer.h"

struct nmc_layering {
    struct nmc_layers *layers;
    struct nmc_net *net;
    neuromc_diags *diags;
    int64_t times;              /* of the graph being walked */
    struct nmc_node *open_loop; /* the innermost loop around whose trip count is not known */
    const char *prefix;         /* labels of the nodes around, "" or "loop0/" */
    struct nmc_strmap labels;
    neuromc_status status; /* first failure; collection goes on to name every node */
};

/* Makes the layers of one node; in layer_*.c by family. */
typedef void nmc_layer_fn(struct nmc_layering *layering, struct nmc_node *node);
nmc_layer_fn nmc_layer_conv, nmc_layer_conv_transpose, nmc_layer_conv_grad;
nmc_layer_fn nmc_layer_gemm, nmc_layer_matmul, nmc_layer_einsum;
nmc_layer_fn nmc_layer_rnn, nmc_layer_attention, nmc_layer_batch_norm;

/* A layer with neutral dims for this node, not yet added. */
struct nmc_layer nmc_layer_start(enum nmc_layer_kind kind, struct nmc_node *node);
/* Appends it: fills in label and times, and element counts of the tensors it names (where they
 * are 0). Nothing is appended if a dim is 0: an empty tensor is no work. */
void nmc_layer_add(struct nmc_layering *layering, struct nmc_layer layer);

/* Whether the tensor's shape is fully known; if not, says so with the node as the place: which
 * dim of which input is unbound and how to bind it, or which node lost the shape. */
bool nmc_layer_needs(struct nmc_layering *layering, struct nmc_node *node,
                     const struct nmc_tensor *tensor, const char *what);
/* A failure of this node; collection goes on. */
void nmc_layer_fail(struct nmc_layering *layering, struct nmc_node *node, const char *hint,
                    const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Product of count dims, or a failure of the node that says it overflows; 0 then. */
int64_t nmc_layer_product(struct nmc_layering *layering, struct nmc_node *node,
                          const nmc_dim *dims, int count);

#endif
