/*
 * infer.h - what the per-family inference functions share.
 *
 * A function reads the shapes, types and folded values of its node's inputs and sets those of its
 * outputs. An input that is not known leaves outputs unknown, which is no error; inputs that
 * contradict each other or the attributes are NEUROMC_BAD_INPUT with the node as the place.
 * Functions are called with node->op->min_inputs..max_inputs already checked and may be called
 * again (Loop bodies until their carried shapes stand still), so they only set, never append.
 */
#ifndef NMC_INFER_H
#define NMC_INFER_H

#include "graph/graph.h"
#include "graph/ops.h"

struct nmc_infer_options {
    const neuromc_dim_binding *dims;
    size_t dim_count;
    int64_t batch; /* 0: as the file says */
    const neuromc_dim_binding *trips;
    size_t trip_count;
    const char *const *soma_ops; /* further names of neurons, see graph/soma.h */
    size_t soma_op_count;
};

struct nmc_infer {
    struct nmc_net *net;
    const struct nmc_infer_options *options;
    neuromc_diags *diags;
    bool batch_bound;  /* declared shapes were made for another batch and are not to be trusted */
    int64_t old_batch; /* that other one */

    /* The driver's own (infer_net.c, infer_bind.c, infer/control.c). */
    nmc_dim *bound;         /* by symbol id: the number or symbol it equals, or itself */
    uint32_t bound_count;   /* symbols of the file; later ones are made anew in each round */
    bool unified;           /* a symbol was bound in this round, so shapes before it are stale */
    int assuming;           /* > 0 within a branch that may not be taken: nothing is unified */
    int64_t steps_left;     /* node visits before loops are no longer iterated, see fixed_point */
    unsigned char *remarks; /* by node id: what to warn of at the end, once */
};

/* The whole pass: binds dims, walks every graph in order, folds, falls back on declared shapes
 * (warns where they disagree), resolves If branches and trip counts. After it every tensor has
 * the best shape that could be found. */
neuromc_status nmc_infer_net(struct nmc_net *net, const struct nmc_infer_options *options,
                             neuromc_diags *diags);

/* One graph; for the functions of control-flow operators. */
neuromc_status nmc_infer_graph(struct nmc_infer *infer, struct nmc_graph *graph);

/* What the rows of the operator table name; none does nothing. */
nmc_infer_fn nmc_infer_none, nmc_fold_none;
#define OP(domain, name, least, most, infer, fold, work, cost, spike, doc)                         \
    nmc_infer_fn nmc_infer_##infer, nmc_fold_##fold;
#include "graph/ops.def"
#undef OP

/* Output 0 has the type and shape of input 0: activations and whatever else works in place. */
nmc_infer_fn nmc_infer_like;

/* ---- inputs ---------------------------------------------------------------------------------- */

/* NULL if the input is absent. */
struct nmc_tensor *nmc_in(const struct nmc_node *node, int index);
enum nmc_elem nmc_in_type(const struct nmc_node *node, int index); /* undefined if absent */
/* NULL if the input is absent or its rank is not known. */
const struct nmc_shape *nmc_in_shape(const struct nmc_node *node, int index);
/* Folded integers of an input, *count of them; NULL if not known. Elements may be symbols. */
const nmc_dim *nmc_in_ints(const struct nmc_node *node, int index, int64_t *count);
const double *nmc_in_reals(const struct nmc_node *node, int index, int64_t *count);

/* Whether the node follows a version of its domain before `opset`. */
bool nmc_before(const struct nmc_node *node, int opset);

/* ---- attributes: a wrong type is an error that names node and attribute ---------------------- */

neuromc_status nmc_attr_int(struct nmc_infer *infer, const struct nmc_node *node, const char *name,
                            int64_t absent, int64_t *out);
/* A size or a count: a negative one is an error. */
neuromc_status nmc_attr_size(struct nmc_infer *infer, const struct nmc_node *node, const char *name,
                             int64_t absent, int64_t *out);
neuromc_status nmc_attr_float(struct nmc_infer *infer, const struct nmc_node *node,
                              const char *name, double absent, double *out);
/* NULL and count 0 if absent. */
neuromc_status nmc_attr_ints(struct nmc_infer *infer, const struct nmc_node *node, const char *name,
                             const int64_t **out, int64_t *count);
neuromc_status nmc_attr_string(struct nmc_infer *infer, const struct nmc_node *node,
                               const char *name, const char *absent, const char **out);

/* A list of integers that is an attribute in some opsets and an input in others. */
struct nmc_list {
    bool given;
    int64_t count;         /* -1: not known */
    const nmc_dim *values; /* NULL: not known; elements may be symbols */
};

/* The attribute wins where a node has both. attr may be NULL and input -1. */
neuromc_status nmc_list(struct nmc_infer *infer, const struct nmc_node *node, const char *attr,
                        int input, struct nmc_list *out);
/* Values there, none of them a symbol. */
bool nmc_list_known(const struct nmc_list *list);

/* A scalar of the same kind; `absent` if it is not there, a symbol if it is not known. */
neuromc_status nmc_scalar(struct nmc_infer *infer, const struct nmc_node *node, const char *attr,
                          int input, int64_t absent, nmc_dim *out);

/* A possibly negative axis made to lie in [0, rank); else an error. `what` names the attribute. */
neuromc_status nmc_axis(struct nmc_infer *infer, const struct nmc_node *node, const char *what,
                        int64_t axis, int rank, int *out);
/* A list of axes, all known, as a set. */
neuromc_status nmc_axis_set(struct nmc_infer *infer, const struct nmc_node *node,
                            const struct nmc_list *axes, int rank, bool set[]);

/* ---- outputs --------------------------------------------------------------------------------- */

/* Sets output `index` (ignored if absent). Dims below 0 that are no symbols are an error. */
neuromc_status nmc_out(struct nmc_infer *infer, struct nmc_node *node, int index,
                       enum nmc_elem type, int rank, const nmc_dim *dims);
/* The type alone, shape not known. */
void nmc_out_type(struct nmc_node *node, int index, enum nmc_elem type);
/* A rank with unknown dims. */
neuromc_status nmc_out_rank(struct nmc_infer *infer, struct nmc_node *node, int index,
                            enum nmc_elem type, int rank);
/* Same type and shape as an input. */
neuromc_status nmc_out_like(struct nmc_infer *infer, struct nmc_node *node, int index, int input);
/* The folded value of an output; copied. count must equal the element count. */
neuromc_status nmc_out_ints(struct nmc_infer *infer, struct nmc_node *node, int index,
                            int64_t count, const nmc_dim *values);
neuromc_status nmc_out_reals(struct nmc_infer *infer, struct nmc_node *node, int index,
                             int64_t count, const double *values);

/* ---- dims ------------------------------------------------------------------------------------ */

/* A fresh unknown made by this node. */
nmc_dim nmc_unknown(struct nmc_infer *infer, const struct nmc_node *node);
/* Arithmetic on dims: a fresh unknown if an operand is one (x*1, x+0, x/1 keep the symbol);
 * overflow is an error naming the node. */
neuromc_status nmc_dim_mul(struct nmc_infer *infer, const struct nmc_node *node, nmc_dim a,
                           nmc_dim b, nmc_dim *out);
neuromc_status nmc_dim_add(struct nmc_infer *infer, const struct nmc_node *node, nmc_dim a,
                           nmc_dim b, nmc_dim *out);
/* Two sizes that must be equal. An open dim of the file becomes what the other is, and the net is
 * walked anew. False if both are numbers and differ. */
bool nmc_unify(struct nmc_infer *infer, nmc_dim a, nmc_dim b);
/* numpy broadcasting of two sizes; false if they cannot. */
bool nmc_broadcast_dim(struct nmc_infer *infer, const struct nmc_node *node, nmc_dim a, nmc_dim b,
                       nmc_dim *out);
/* Product of dims: 1 for none, the symbol if all others are 1. */
neuromc_status nmc_dim_product(struct nmc_infer *infer, const struct nmc_node *node,
                               const nmc_dim *dims, int count, nmc_dim *out);
/* Two dims that must be the same size, `axis` of the output: the one that is known. */
neuromc_status nmc_dim_unify(struct nmc_infer *infer, const struct nmc_node *node, int axis,
                             nmc_dim a, nmc_dim b, nmc_dim *out);
/* numpy broadcasting of two shapes into out (room for the larger rank); *out_rank its rank. */
neuromc_status nmc_broadcast(struct nmc_infer *infer, const struct nmc_node *node,
                             const struct nmc_shape *a, const struct nmc_shape *b, nmc_dim *out,
                             int *out_rank);

/* NEUROMC_BAD_INPUT with the node as the place. */
neuromc_status nmc_node_error(struct nmc_infer *infer, const struct nmc_node *node,
                              const char *hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
