/*
 * layering.h - what the per-family layer makers share. Private to layer_*.c.
 */
#ifndef NMC_LAYERING_H
#define NMC_LAYERING_H

#include "graph/infer.h"
#include "graph/ops.h"
#include "model/layer.h"

/* One reason why shapes are not known: told once, the nodes that wait for it are counted. */
struct nmc_open_shape {
    nmc_dim symbol;                 /* an unbound dim, or 0 */
    const struct nmc_node *lost_at; /* where the shape was lost, or NULL */
    int nodes;
    const char *more; /* names of the nodes after the first */
};

struct nmc_layering {
    struct nmc_layers *layers;
    struct nmc_net *net;
    neuromc_diags *diags;
    const bool *is_gradient;    /* by tensor id (training_graph.h) */
    int64_t times;              /* of the graph being walked */
    struct nmc_node *open_loop; /* the innermost loop around whose trip count is not known */
    const char *prefix;         /* labels of the nodes around, "" or "loop0/" */
    struct nmc_strmap labels;
    struct nmc_open_shape *open_shapes;
    size_t open_count, open_capacity;
    bool bad_lead;         /* time steps do not divide the rows of some tensor: said once */
    neuromc_status status; /* first failure; collection goes on to name every node */
};

/* Makes the layers of one node; in layer_*.c by family. */
typedef void nmc_layer_fn(struct nmc_layering *layering, struct nmc_node *node);
nmc_layer_fn nmc_layer_conv, nmc_layer_conv_transpose, nmc_layer_conv_grad;
nmc_layer_fn nmc_layer_gemm, nmc_layer_matmul, nmc_layer_einsum;
nmc_layer_fn nmc_layer_rnn, nmc_layer_attention, nmc_layer_batch_norm, nmc_layer_soma;

/* A layer with neutral dims for this node, not yet added. */
struct nmc_layer nmc_layer_start(enum nmc_layer_kind kind, struct nmc_node *node);
/* Appends it: fills in label and times, and element counts of the tensors it names (where they
 * are 0). Nothing is appended if a dim is 0: an empty tensor is no work. */
void nmc_layer_add(struct nmc_layering *layering, struct nmc_layer layer);

/* Whether the tensor's shape is fully known; if not, says so with the node as the place: which
 * dim of which input is unbound and how to bind it, or which node lost the shape. Of many nodes
 * that wait for the same dim the first is told so, the others are named once at the end. */
bool nmc_layer_needs(struct nmc_layering *layering, struct nmc_node *node,
                     const struct nmc_tensor *tensor, const char *what);
/* A failure of this node; collection goes on. */
void nmc_layer_fail(struct nmc_layering *layering, struct nmc_node *node, const char *hint,
                    const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Names the nodes that nmc_layer_needs has held back. */
void nmc_layer_tell_open_shapes(struct nmc_layering *layering);

/* Says that the time steps of a tensor do not divide its lead; false. */
bool nmc_layer_bad_lead(struct nmc_layering *layering, struct nmc_node *node,
                        const struct nmc_tensor *tensor, int64_t lead);

/* Product of count dims, or a failure of the node that says it overflows; 0 then. */
int64_t nmc_layer_product(struct nmc_layering *layering, struct nmc_node *node, const nmc_dim *dims,
                          int count);

#endif
