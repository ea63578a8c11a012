/*
 * net_builder.h - graphs by hand, for tests of what works on the IR.
 *
 * Shapes are written as text, "1,3,N,?": numbers, names (one name is one symbol) and ? for a
 * nameless symbol; "" is a scalar, NULL an unknown rank. Every function asserts that memory is
 * there.
 */
#ifndef NET_BUILDER_H
#define NET_BUILDER_H

#include "graph/infer.h"

struct net_builder {
    struct nmc_net *net;
    struct nmc_graph *graph; /* where tensors and nodes go: set it to build a body */
    int opset;
    neuromc_diags *diags;
};

void nb_init(struct net_builder *b, int opset);
void nb_free(struct net_builder *b);

struct nmc_tensor *nb_input(struct net_builder *b, const char *name, const char *shape);
struct nmc_tensor *nb_weight(struct net_builder *b, const char *name, const char *shape);
/* int64 constants, as a vector and as a scalar */
struct nmc_tensor *nb_ints(struct net_builder *b, const char *name, int count,
                           const int64_t *values);
struct nmc_tensor *nb_int(struct net_builder *b, const char *name, int64_t value);
struct nmc_tensor *nb_bool(struct net_builder *b, const char *name, bool value);
void nb_declare(struct net_builder *b, struct nmc_tensor *tensor, const char *shape);
void nb_output(struct net_builder *b, struct nmc_tensor *tensor);

/* A node with `outputs` outputs named NAME.0, NAME.1 ...; op_type may be "domain::Type". */
struct nmc_node *nb_node(struct net_builder *b, const char *op_type, const char *name, int inputs,
                         struct nmc_tensor *const *input, int outputs);
/* The same with up to three inputs and one output, which it returns. */
struct nmc_tensor *nb_op(struct net_builder *b, const char *op_type, const char *name,
                         struct nmc_tensor *x, struct nmc_tensor *y, struct nmc_tensor *z);
struct nmc_attr *nb_attr_int(struct net_builder *b, struct nmc_node *node, const char *name,
                             int64_t value);
struct nmc_attr *nb_attr_ints(struct net_builder *b, struct nmc_node *node, const char *name,
                              const char *values);
struct nmc_attr *nb_attr_text(struct net_builder *b, struct nmc_node *node, const char *name,
                              const char *text);
struct nmc_attr *nb_attr_float(struct net_builder *b, struct nmc_node *node, const char *name,
                               double value);
/* A body: becomes b->graph, until nb_end_body makes it the outer graph again. */
struct nmc_graph *nb_body(struct net_builder *b, struct nmc_node *owner, const char *name);
void nb_end_body(struct net_builder *b);

/* Finishes the net and infers; options may be NULL. */
neuromc_status nb_infer(struct net_builder *b, const struct nmc_infer_options *options);

/* The message of the first entry of a kind; "" if there is none. */
const char *nb_error(const struct net_builder *b);
const char *nb_warning(const struct net_builder *b);

void nb_assert_shape(struct net_builder *b, const struct nmc_tensor *tensor, const char *shape);
void nb_assert_fails(struct net_builder *b, const char *where, const char *message);

/* ---- one node in a sentence -----------------------------------------------------------------
 *
 * Inputs and outputs are shapes with " | " between them: "-" is absent, "*" of unknown rank, "()"
 * a scalar. Attributes are words "name=value": 3 is an int, [1,2] ints, 0.5 a float, SAME a text.
 */
void nb_attributes(struct net_builder *b, struct nmc_node *node, const char *attributes);
void nb_gives(int opset, const char *op_type, const char *inputs, const char *attributes,
              const char *outputs);
void nb_refuses(int opset, const char *op_type, const char *inputs, const char *attributes,
                const char *message);

#endif
