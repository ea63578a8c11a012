/*
 * graph.h - the IR: a network of tensors and nodes. No file format, no energy.
 *
 * Ownership: everything lives in the net's arena and dies with it. Names are labels, never keys:
 * two nodes may share one, and edges are pointers.
 *
 * Invariants once nmc_net_finish has succeeded:
 *   - nodes of every graph are in topological order;
 *   - each tensor has at most one producer; tensors without one are graph inputs, body inputs or
 *     constants;
 *   - absent optional inputs and outputs are NULL;
 *   - `consumers` lists every node that reads a tensor, nodes with a body that captures it from
 *     an outer scope included (the capturing node inside the body is what is listed).
 */
#ifndef NMC_GRAPH_H
#define NMC_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/strbuf.h"
#include "graph/dim.h"

enum nmc_elem {
#define ELEM(name, code, bits, kind) NMC_ELEM_##name = code,
#include "graph/elem_types.def"
#undef ELEM
    NMC_ELEM_COUNT
};

const char *nmc_elem_name(enum nmc_elem type); /* "float32" */
int nmc_elem_bits(enum nmc_elem type);         /* storage width; 0 if not defined */
char nmc_elem_kind(enum nmc_elem type);        /* 'f' 'i' 'b' 'c' 's', 0 unknown */

struct nmc_shape {
    int rank; /* -1: not known; then dims is NULL */
    nmc_dim *dims;
};

/* Why a dim is not known; index is the symbol's id. */
struct nmc_symbol {
    const char *name;               /* as the file names it; NULL if it has none */
    const struct nmc_tensor *input; /* the graph input it belongs to, or NULL */
    int axis;                       /* of that input */
    const struct nmc_node *node;    /* the node whose output first needed it, or NULL */
};

/* What a tensor holds besides values: sequences and optionals are carried, with the element's
 * type and shape in the tensor's own fields. */
enum nmc_holds { NMC_HOLDS_TENSOR, NMC_HOLDS_SEQUENCE, NMC_HOLDS_OPTIONAL, NMC_HOLDS_MAP };

/* Where a tensor has time (time.h). */
enum nmc_time {
    NMC_TIME_UNKNOWN,
    NMC_TIME_STEP,  /* [B, ...]: one step */
    NMC_TIME_UNIT,  /* [1, B, ...]: one step, with an axis for it */
    NMC_TIME_SPLIT, /* [T, B, ...] */
    NMC_TIME_MERGED /* [T*B, ...] */
};

struct nmc_tensor {
    const char *name;
    uint32_t id; /* index in the net, stable */
    enum nmc_elem type;
    enum nmc_holds holds;
    int64_t length; /* of a sequence: its elements; -1 if not known */
    struct nmc_shape shape;
    struct nmc_shape declared; /* from value_info or a graph output; rank -1 if none */
    struct nmc_node *producer; /* NULL: an input or a constant */
    struct nmc_graph *graph;   /* the scope that owns it */
    struct nmc_node **consumers;
    int consumer_count;

    bool is_input;       /* input of the main graph (an initializer listed there is not one) */
    bool is_body_input;  /* input of a Loop, Scan or If body */
    bool is_output;      /* output of the main graph */
    bool is_initializer; /* stored in the file: a weight, if its payload was dropped */
    bool is_constant;    /* an initializer, or computed from initializers alone */

    bool spike;            /* all values are 0 or 1 (spike inference) */
    const char *spike_why; /* for people; NULL if not a spike tensor */

    enum nmc_time time;
    int64_t steps; /* T, if time is SPLIT or MERGED */

    /* Folded value, row-major, if small and known: ints for integer and boolean types (elements
     * may be symbols), reals for floating point (an element that is not known is NaN).
     * value_count is the element count. Of a sequence: the value that all its elements have. */
    int64_t value_count;
    nmc_dim *ints;
    double *reals;
};

enum nmc_attr_kind {
    NMC_ATTR_FLOAT = 1, /* ONNX AttributeProto.AttributeType codes */
    NMC_ATTR_INT = 2,
    NMC_ATTR_STRING = 3,
    NMC_ATTR_TENSOR = 4,
    NMC_ATTR_GRAPH = 5,
    NMC_ATTR_FLOATS = 6,
    NMC_ATTR_INTS = 7,
    NMC_ATTR_STRINGS = 8,
    NMC_ATTR_GRAPHS = 10,
    NMC_ATTR_OTHER = 0
};

struct nmc_attr {
    const char *name;
    enum nmc_attr_kind kind;
    int64_t count; /* of ints, floats, strings or graphs; bytes of a string */
    int64_t i;
    double f;
    const char *s;
    const int64_t *ints;
    const double *floats;
    const char *const *strings;
    struct nmc_graph **graphs; /* one for GRAPH */
    struct nmc_tensor *tensor; /* a constant not listed in any graph's initializers */
};

struct nmc_op;
struct nmc_soma;

/* A call of a function that was inlined. */
struct nmc_call {
    size_t file_at;                /* of the node that calls, as in a node */
    const struct nmc_call *around; /* the call whose function that node is in; NULL: none */
};

struct nmc_node {
    const char *name;        /* as the file has it, path of inlined calls in front; may be "" */
    const char *op_type;     /* never NULL */
    const char *domain;      /* "" is ai.onnx */
    int opset;               /* version of the domain in this scope; 0 if not imported */
    const struct nmc_op *op; /* the row of the operator table, or NULL: not known, carried */
    uint32_t id;             /* index in the net, stable */
    size_t file_at; /* first byte of its message in the file; 0: it is in no file. Nodes of a
                       function are there once for every call */
    const struct nmc_call *call; /* the innermost call that made it; NULL: none */
    struct nmc_graph *graph;
    struct nmc_tensor **inputs, **outputs;
    int input_count, output_count;
    struct nmc_attr *attrs;
    int attr_count;

    int64_t trips;          /* Loop and Scan after inference: iterations; -1 not known */
    struct nmc_graph *body; /* If after inference: the branch taken; Loop, Scan: the body */
    bool dead;              /* inside a branch that is not taken */
    struct nmc_soma *soma;  /* set by soma detection on every node that is part of a neuron */
};

struct nmc_graph {
    const char *name;
    struct nmc_graph *outer; /* NULL for the main graph */
    struct nmc_node *owner;  /* the node whose body this is; NULL for the main graph */
    struct nmc_node **nodes;
    struct nmc_tensor **inputs, **outputs;
    int node_count, input_count, output_count;
    size_t node_capacity, input_capacity, output_capacity;
};

struct nmc_net {
    struct nmc_arena arena;
    const char *file;
    const char *name, *producer; /* "" if the file does not say */
    int64_t ir_version;
    int opset; /* of the default domain */
    struct nmc_graph *main;
    struct nmc_node **nodes; /* of every graph, in creation order; index = id */
    struct nmc_tensor **tensors;
    struct nmc_symbol *symbols;
    struct nmc_soma **somas; /* neurons, once they are found; in execution order */
    uint32_t node_count, tensor_count, symbol_count, soma_count;
    size_t node_capacity, tensor_capacity, symbol_capacity, soma_capacity;
};

/* ---- building: used by frontends and tests. NULL means memory ran out. ------------------- */

struct nmc_net *nmc_net_new(const char *file);
void nmc_net_free(struct nmc_net *net);

struct nmc_graph *nmc_graph_new(struct nmc_net *net, const char *name, struct nmc_graph *outer);
struct nmc_tensor *nmc_tensor_new(struct nmc_net *net, struct nmc_graph *graph, const char *name);
/* Appends a node with room for its inputs, outputs and attributes (all zeroed, to be filled in).
 * op is looked up from domain and op_type. Connecting an output sets the tensor's producer. */
struct nmc_node *nmc_node_new(struct nmc_net *net, struct nmc_graph *graph, const char *domain,
                              const char *op_type, int inputs, int outputs, int attrs);
void nmc_node_set_output(struct nmc_node *node, int index, struct nmc_tensor *tensor);
bool nmc_graph_add_input(struct nmc_net *net, struct nmc_graph *graph, struct nmc_tensor *t);
bool nmc_graph_add_output(struct nmc_net *net, struct nmc_graph *graph, struct nmc_tensor *t);

/* Sorts every graph (Kahn, iterative, file order kept where it can be) and fills in consumers.
 * A cycle or an undefined tensor is NEUROMC_BAD_INPUT and names tensor and nodes. */
neuromc_status nmc_net_finish(struct nmc_net *net, neuromc_diags *diags);

/* A new symbol; a dim that is not known. NMC_DIM symbol 0 when memory runs out (arena failed). */
nmc_dim nmc_symbol_new(struct nmc_net *net, const char *name, const struct nmc_tensor *input,
                       int axis, const struct nmc_node *node);

bool nmc_shape_set(struct nmc_net *net, struct nmc_shape *shape, int rank, const nmc_dim *dims);

/* ---- reading -------------------------------------------------------------------------------- */

/* Elements of a tensor: true and *out if every dim is known and the product fits. */
bool nmc_shape_elements(const struct nmc_shape *shape, int64_t *out);
bool nmc_shape_known(const struct nmc_shape *shape); /* rank and all dims */

/* How messages name a node: `Conv "conv1"`, or `Conv #12` (its place) if it has no name. The
 * text lives in the net's arena. */
const char *nmc_node_label(struct nmc_net *net, const struct nmc_node *node);
struct nmc_place nmc_node_place(struct nmc_net *net, const struct nmc_node *node);

/* "[1, N, 224, 224]", "[?]" for unknown rank; symbols by name, or "?" */
const char *nmc_shape_text(struct nmc_net *net, const struct nmc_shape *shape);
void nmc_shape_write(const struct nmc_net *net, const struct nmc_shape *shape,
                     struct nmc_strbuf *out);

const struct nmc_attr *nmc_attr_find(const struct nmc_node *node, const char *name);

/* Whether the node is `domain`::`op_type`; domain "" is ai.onnx. */
bool nmc_node_is(const struct nmc_node *node, const char *op_type);

#endif
