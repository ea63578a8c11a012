/*
 * carry.h - what the control-flow operators share: bodies, handing values over, and the fixed
 * point of values carried from one iteration to the next.
 */
#ifndef NMC_INFER_CARRY_H
#define NMC_INFER_CARRY_H

#include "graph/infer_net.h"

/* The graph of an attribute; an error if it is missing. */
neuromc_status nmc_body(struct nmc_infer *infer, const struct nmc_node *node, const char *name,
                        struct nmc_graph **out);

/* Marks every node inside, bodies included. */
void nmc_mark_dead(struct nmc_graph *graph, bool dead);

/* Infers a body that may never run: its errors are not the model's and are not reported, and it
 * binds no symbols. NEUROMC_IO still means that memory ran out. */
neuromc_status nmc_try_graph(struct nmc_infer *infer, struct nmc_graph *graph);

/* Everything known of `from` becomes known of `to`; nothing happens if either is NULL. */
void nmc_assign(struct nmc_infer *infer, struct nmc_tensor *to, const struct nmc_tensor *from);
void nmc_forget_values(struct nmc_tensor *tensor);
/* Takes an axis out of a shape, or puts one in; nothing happens if the rank is not known. */
void nmc_remove_axis(struct nmc_tensor *tensor, int axis);
neuromc_status nmc_insert_axis(struct nmc_infer *infer, const struct nmc_node *node,
                               struct nmc_tensor *tensor, int axis, nmc_dim size);

/* `to` keeps only the values that `from` has as well; whether it changed. */
bool nmc_meet_values(struct nmc_infer *infer, const struct nmc_node *node, struct nmc_tensor *to,
                     const struct nmc_tensor *from);

/* A boolean that is known: 0 or 1; else -1. */
int nmc_truth(const struct nmc_tensor *tensor);

/* A loop. Item k of what it carries is input `node_in + k` of the node, input `body_in + k` and
 * output `body_out + k` of the body, output k of the node. */
struct nmc_loop {
    struct nmc_node *node;
    struct nmc_graph *body;
    int count, node_in, body_in, body_out;
    const struct nmc_tensor *go_on; /* the body's condition for one more iteration, or NULL */
    int64_t trips;                  /* -1: not known */
    int64_t *grown; /* by item: elements that the first iteration added to a sequence, or -1 */
};

/* The trip count a caller stated for the node, or -1. */
int64_t nmc_stated_trips(const struct nmc_infer *infer, const struct nmc_node *node);
/* That trips stated for a node are the `known` of the file (negative: the file leaves them open).
 */
neuromc_status nmc_check_trips(struct nmc_infer *infer, const struct nmc_node *node, int64_t known);

neuromc_status nmc_loop_check(struct nmc_infer *infer, const struct nmc_loop *loop, int inputs,
                              int outputs);
/* Initial values go into the body. */
void nmc_loop_start(struct nmc_infer *infer, const struct nmc_loop *loop);
/* Infers the body until what is carried stands still. Lowers trips to 1 if the condition is
 * false after the first iteration. */
neuromc_status nmc_loop_settle(struct nmc_infer *infer, struct nmc_loop *loop);
/* Carried values go to the node's outputs. */
void nmc_loop_finish(struct nmc_infer *infer, const struct nmc_loop *loop);

#endif
