/*
 * onnx_build.h - what the parts of the ONNX builder share: the loader, scopes of names, and the
 * functions by which protobuf messages become parts of a net.
 */
#ifndef NMC_ONNX_BUILD_H
#define NMC_ONNX_BUILD_H

#include "base/strmap.h"
#include "frontends/onnx.h"
#include "onnx.pb-c.h"

/* The operator sets a model or function imports. */
struct nmc_imports {
    struct nmc_import {
        const char *domain; /* "" is ai.onnx */
        int version;
    } * items;
    size_t count;
};

struct nmc_loader {
    struct nmc_net *net;
    neuromc_diags *diags;
    const struct nmc_onnx_options *options;
    struct nmc_imports imports;  /* the model's */
    struct nmc_strmap symbols;   /* names of dims; the value is the symbol's id + 1 */
    struct nmc_strmap functions; /* see onnx_function.h */
    size_t spent;                /* nodes built and calls made, against NMC_LIMIT_NODES */
    const struct nmc_node *at;   /* the node being built, for messages; or NULL */
    size_t unpacked;             /* bytes of unpacked nodes, against NMC_LIMIT_MODEL_BYTES */
    neuromc_status status;       /* of an error after which building went on */
};

/* Where names are looked up: a graph's, then those around it. A function's scope is closed. */
struct nmc_scope {
    struct nmc_scope *outer;
    struct nmc_graph *graph;
    struct nmc_strmap tensors; /* by the name the file uses */
    const struct nmc_imports *imports;
    const char *prefix; /* "" or "call/": goes in front of names inside an inlined function */
    int depth;          /* subgraphs and calls around */

    /* Inside a function: the call, where its attributes were written, and their defaults. */
    const Onnx__NodeProto *call;
    const struct nmc_call *made_by; /* the same for the nodes that are made */
    struct nmc_scope *caller;
    const Onnx__FunctionProto *function;
};

/* ---- the loader (onnx_build.c) -------------------------------------------------------------- */

neuromc_status nmc_build_model(struct nmc_loader *loader, const Onnx__ModelProto *model);

/* NEUROMC_BAD_INPUT at the file, and at the node that is being built. */
neuromc_status nmc_loader_error(struct nmc_loader *loader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void nmc_loader_warning(struct nmc_loader *loader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* NEUROMC_OK, or what became of an arena that failed: memory ran out, or the limit was met. */
neuromc_status nmc_loader_arena(struct nmc_loader *loader, const struct nmc_arena *arena);

/* Unpacks one message into an arena; NULL: nmc_loader_arena says why. */
void *nmc_unpack(const ProtobufCMessageDescriptor *type, struct nmc_arena *arena,
                 ProtobufCBinaryData bytes);

/* Unpacks nodes one after the other and shows each to `visit`, until it fails. The node is gone
 * after its visit. */
typedef neuromc_status nmc_visit_fn(struct nmc_loader *loader, void *user,
                                    const Onnx__NodeProto *node);
neuromc_status nmc_each_node(struct nmc_loader *loader, const ProtobufCBinaryData *nodes,
                             size_t count, nmc_visit_fn *visit, void *user);

/* "" for NULL; and "" for "ai.onnx". */
const char *nmc_text(const char *text);
const char *nmc_domain(const char *domain);

/* ---- scopes (onnx_scope.c) ------------------------------------------------------------------ */

/* A scope inside another: a subgraph's. */
struct nmc_scope nmc_scope_inside(struct nmc_scope *outer, struct nmc_graph *graph);
/* True if the name is known; *out is NULL where a call left an input of its function away. */
bool nmc_scope_find(const struct nmc_scope *scope, const char *name, struct nmc_tensor **out);
/* In this scope alone. */
bool nmc_scope_has(const struct nmc_scope *scope, const char *name, struct nmc_tensor **out);
/* Lets a name stand for a tensor, or for none. The name must outlive the scope. */
bool nmc_scope_bind(struct nmc_scope *scope, const char *name, struct nmc_tensor *tensor);
/* A new tensor of this scope under a name; NULL when memory runs out. "" is not bound. */
struct nmc_tensor *nmc_scope_add(struct nmc_loader *loader, struct nmc_scope *scope,
                                 const char *name);

/* ---- operator sets (onnx_imports.c) --------------------------------------------------------- */

neuromc_status nmc_imports_read(struct nmc_loader *loader, struct nmc_imports *imports,
                                Onnx__OperatorSetIdProto *const *from, size_t count);
/* 0 if the domain is not imported. */
int nmc_imports_find(const struct nmc_imports *imports, const char *domain);

/* ---- types and values (onnx_type.c, onnx_tensor.c) ------------------------------------------ */

enum nmc_elem nmc_elem_of(int data_type);

/* What a value_info says about a tensor goes into its type and `declared`, or, for an input of
 * the main graph, into its shape, where a dim of 0 or below is a placeholder. */
neuromc_status nmc_read_type(struct nmc_loader *loader, struct nmc_tensor *tensor,
                             const Onnx__TypeProto *type, bool graph_input);

/* Type, shape and, where they are small and there, values of a constant. what is "initializer"
 * or "attribute", for messages. */
neuromc_status nmc_read_tensor(struct nmc_loader *loader, struct nmc_tensor *tensor,
                               const Onnx__TensorProto *from, const char *what);
neuromc_status nmc_read_sparse(struct nmc_loader *loader, struct nmc_tensor *tensor,
                               const Onnx__SparseTensorProto *from, const char *what);

/* ---- graphs, nodes, attributes --------------------------------------------------- */

neuromc_status nmc_build_graph(struct nmc_loader *loader, struct nmc_scope *scope,
                               const Onnx__GraphProto *from);
/* What value_infos say about tensors of this scope that are no graph inputs. */
neuromc_status nmc_declare_types(struct nmc_loader *loader, struct nmc_scope *scope,
                                 Onnx__ValueInfoProto *const *infos, size_t count);
/* Makes the tensors that the nodes write, then the nodes. */
neuromc_status nmc_build_nodes(struct nmc_loader *loader, struct nmc_scope *scope,
                               const ProtobufCBinaryData *nodes, size_t count);
neuromc_status nmc_build_attrs(struct nmc_loader *loader, struct nmc_scope *scope,
                               struct nmc_node *node, const Onnx__NodeProto *from);
/* How many attributes are left once those that refer to nothing are gone. */
int nmc_count_attrs(const struct nmc_scope *scope, const Onnx__NodeProto *from);
/* A tensor that has a producer already, or needs none, is an error. */
neuromc_status nmc_connect_output(struct nmc_loader *loader, struct nmc_node *node, int index,
                                  struct nmc_tensor *tensor);
/* The output of a Constant node takes the node's value. */
neuromc_status nmc_build_constant(struct nmc_loader *loader, struct nmc_node *node);

#endif
