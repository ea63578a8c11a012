/*
 * touching.h - what the passes over tensor touches share. Private to touch*.c.
 *
 * Tensors are numbered for dram.h: forward tensor t is t, its gradient is count + t, the
 * optimizer's state of parameter t is 2 * count + t and 3 * count + t.
 */
#ifndef NMC_TOUCHING_H
#define NMC_TOUCHING_H

#include "graph/gradient.h"
#include "model/dram.h"
#include "model/lower.h"

struct nmc_toucher {
    struct nmc_net *net;
    const struct nmc_precision *precision;
    const struct nmc_layer **layer_of; /* by node id; NULL without work */
    bool *is_output;                   /* by tensor id: it, or a view of it, leaves the graph */
    struct nmc_work_sink *sink;
    neuromc_diags *diags;
    size_t touches;
    int64_t times; /* of the rounds of all loops around that are alike */
    /* of the pass under way */
    const char *stage;
    enum nmc_phase phase;
    const struct nmc_gradient *gradient;
    bool *accumulates; /* by tensor id: its gradient has been made once */
};

neuromc_status nmc_toucher_init(struct nmc_toucher *toucher, const struct nmc_layers *layers,
                                const struct nmc_precision *precision, struct nmc_work_sink *sink,
                                neuromc_diags *diags);

enum nmc_touch { NMC_TOUCH_USE, NMC_TOUCH_MAKE };

/* `copy` 0: the tensor, 1: its gradient, 2 and 3: its optimizer state. node NULL: the optimizer. */
neuromc_status nmc_touch(struct nmc_toucher *toucher, const struct nmc_node *node,
                         const struct nmc_tensor *tensor, unsigned copy, int bits,
                         enum nmc_touch kind);

/* The rounds of a node's body; none if it has no body. All but the first, which finds what stood
 * before, and the last, which leaves what comes after, are alike: the second stands for them. */
typedef neuromc_status nmc_touch_body(struct nmc_toucher *toucher, const struct nmc_graph *graph);
neuromc_status nmc_touch_rounds(struct nmc_toucher *toucher, const struct nmc_node *node,
                                nmc_touch_body *touch_body);

/* Whether the node moves tensors: no view, no shape arithmetic, no control flow. */
bool nmc_touches_tensors(const struct nmc_node *node);
/* Bits of an element of a tensor that the node reads (or, output, writes). */
int nmc_touch_bits(const struct nmc_toucher *toucher, const struct nmc_node *node,
                   const struct nmc_tensor *tensor, bool output);
/* The tensor that this one is a view of; NULL if it is none. And behind all views. */
const struct nmc_tensor *nmc_view_of(const struct nmc_tensor *tensor);
const struct nmc_tensor *nmc_unviewed(const struct nmc_tensor *tensor);

neuromc_status nmc_touch_forward(struct nmc_toucher *toucher);
neuromc_status nmc_touch_backward(struct nmc_toucher *toucher, const struct nmc_gradient *gradient);
neuromc_status nmc_touch_optimizer(struct nmc_toucher *toucher, const struct nmc_gradient *gradient,
                                   const neuromc_estimate_options *options);

#endif
