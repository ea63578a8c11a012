/* A graph's names, then its nodes. */
#include <string.h>

#include "base/limits.h"
#include "base/strbuf.h"
#include "frontends/onnx_function.h"
#include "frontends/wire.h"

static const char *scope_word(const struct nmc_scope *scope) {
    return scope->outer ? "subgraph" : "graph";
}

/* ---- initializers and inputs ---------------------------------------------------------------- */

/* The same name twice is harmless as long as both say the same shape. */
static neuromc_status add_initializer(struct nmc_loader *loader, struct nmc_scope *scope,
                                      const char *name, const Onnx__TensorProto *dense,
                                      const Onnx__SparseTensorProto *sparse) {
    struct nmc_tensor *before;
    bool twice = *name && nmc_scope_has(scope, name, &before);
    struct nmc_tensor *tensor = nmc_scope_add(loader, scope, name);
    if (!tensor)
        return nmc_loader_arena(loader, &loader->net->arena);
    tensor->is_initializer = true;
    neuromc_status status = sparse ? nmc_read_sparse(loader, tensor, sparse, "initializer")
                                   : nmc_read_tensor(loader, tensor, dense, "initializer");
    if (status || !twice)
        return status;
    if (before->type == tensor->type && before->shape.rank == tensor->shape.rank &&
        memcmp(before->shape.dims, tensor->shape.dims,
               (size_t)tensor->shape.rank * sizeof *tensor->shape.dims) == 0) {
        nmc_loader_warning(loader, "initializer \"%s\" is in the file twice", tensor->name);
        return NEUROMC_OK;
    }
    return nmc_loader_error(loader,
                            "initializer \"%s\" is in the file twice, with different "
                            "types or shapes",
                            tensor->name);
}

static neuromc_status add_initializers(struct nmc_loader *loader, struct nmc_scope *scope,
                                       const Onnx__GraphProto *from) {
    neuromc_status status = NEUROMC_OK;
    for (size_t i = 0; !status && i < from->n_initializer; i++) {
        const Onnx__TensorProto *dense = from->initializer[i];
        status = add_initializer(loader, scope, nmc_text(dense->name), dense, NULL);
    }
    for (size_t i = 0; !status && i < from->n_sparse_initializer; i++) {
        const Onnx__SparseTensorProto *sparse = from->sparse_initializer[i];
        const char *name = sparse->values ? nmc_text(sparse->values->name) : "";
        status = add_initializer(loader, scope, name, NULL, sparse);
    }
    return status;
}

/* Before IR version 4 every initializer had to be listed among the inputs too; since then, one
 * that is has a default value. Either way it is a weight. */
static neuromc_status add_input(struct nmc_loader *loader, struct nmc_scope *scope,
                                const Onnx__ValueInfoProto *from) {
    bool main_graph = !scope->graph->outer;
    const char *name = nmc_text(from->name);
    struct nmc_tensor *tensor = NULL;
    bool known = *name && nmc_scope_has(scope, name, &tensor);
    if (known && !tensor->is_initializer)
        return nmc_loader_error(loader, "%s input \"%s\" is listed twice", scope_word(scope), name);
    if (known && main_graph)
        return nmc_read_type(loader, tensor, from->type, false);
    if (!known)
        tensor = nmc_scope_add(loader, scope, name);
    if (!tensor || !nmc_graph_add_input(loader->net, scope->graph, tensor))
        return nmc_loader_arena(loader, &loader->net->arena);
    tensor->is_input = main_graph;
    tensor->is_body_input = !main_graph;
    return nmc_read_type(loader, tensor, from->type, main_graph);
}

/* ---- declared types ------------------------------------------------------------------------- */

neuromc_status nmc_declare_types(struct nmc_loader *loader, struct nmc_scope *scope,
                                 Onnx__ValueInfoProto *const *infos, size_t count) {
    neuromc_status status = NEUROMC_OK;
    for (size_t i = 0; !status && i < count; i++) {
        struct nmc_tensor *tensor;
        if (nmc_scope_has(scope, nmc_text(infos[i]->name), &tensor) && tensor && !tensor->is_input)
            status = nmc_read_type(loader, tensor, infos[i]->type, false);
    }
    return status;
}

static neuromc_status add_outputs(struct nmc_loader *loader, struct nmc_scope *scope,
                                  const Onnx__GraphProto *from) {
    bool main_graph = !scope->graph->outer;
    for (size_t i = 0; i < from->n_output; i++) {
        const char *name = nmc_text(from->output[i]->name);
        struct nmc_tensor *tensor;
        if (!nmc_scope_find(scope, name, &tensor) || !tensor)
            return nmc_loader_error(loader, "%s output \"%s\" is not defined", scope_word(scope),
                                    name);
        if (!nmc_graph_add_output(loader->net, scope->graph, tensor))
            return nmc_loader_arena(loader, &loader->net->arena);
        tensor->is_output = tensor->is_output || main_graph;
    }
    return NEUROMC_OK;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* Nodes may come in any order, and bodies read what is made after them, so what the nodes write is
 * known before the first is built. Only the names are needed: they are read off the wire. */
static neuromc_status declare_outputs(struct nmc_loader *loader, struct nmc_scope *scope,
                                      ProtobufCBinaryData bytes, struct nmc_strbuf *name) {
    enum { OUTPUT = 2 }; /* NodeProto.output in onnx.proto */
    struct nmc_wire wire = {bytes.data, 0, bytes.len};
    struct nmc_wire_field field;
    while (wire.at < wire.end) {
        if (nmc_wire_next(&wire, &field))
            return nmc_loader_error(loader, "a node cannot be unpacked");
        if (field.number != OUTPUT || field.value == 0)
            continue;
        struct nmc_tensor *known;
        nmc_strbuf_clear(name);
        nmc_strbuf_add(name, (const char *)bytes.data + field.from, (size_t)field.value);
        if (name->failed)
            return nmc_out_of_memory(loader->diags);
        if (!nmc_scope_has(scope, name->text, &known) && !nmc_scope_add(loader, scope, name->text))
            return nmc_loader_arena(loader, &loader->net->arena);
    }
    return NEUROMC_OK;
}

/* Every name that is not known is reported, not only the first. */
static void connect_inputs(struct nmc_loader *loader, const struct nmc_scope *scope,
                           struct nmc_node *node, const Onnx__NodeProto *from) {
    for (int i = 0; i < node->input_count; i++) {
        const char *name = from->input[i];
        if (!*name || nmc_scope_find(scope, name, &node->inputs[i]))
            continue;
        loader->status = nmc_loader_error(loader, "reads \"%s\", which is not defined", name);
    }
}

neuromc_status nmc_connect_output(struct nmc_loader *loader, struct nmc_node *node, int index,
                                  struct nmc_tensor *tensor) {
    if (tensor->producer)
        return nmc_loader_error(loader, "makes \"%s\", which %s makes too", tensor->name,
                                nmc_node_label(loader->net, tensor->producer));
    if (tensor->is_input || tensor->is_body_input || tensor->is_initializer)
        return nmc_loader_error(loader, "makes \"%s\", which is an %s", tensor->name,
                                tensor->is_initializer ? "initializer" : "input");
    nmc_node_set_output(node, index, tensor);
    return NEUROMC_OK;
}

static neuromc_status connect_outputs(struct nmc_loader *loader, const struct nmc_scope *scope,
                                      struct nmc_node *node, const Onnx__NodeProto *from) {
    neuromc_status status = NEUROMC_OK;
    for (int i = 0; !status && i < node->output_count; i++) {
        struct nmc_tensor *tensor = NULL;
        if (!*from->output[i])
            continue;
        nmc_scope_has(scope, from->output[i], &tensor);
        status = tensor ? nmc_connect_output(loader, node, i, tensor)
                        : nmc_loader_error(loader, "makes \"%s\", an input of its function",
                                           from->output[i]);
    }
    return status;
}

static const char *node_name(struct nmc_loader *loader, const struct nmc_scope *scope,
                             const char *name) {
    struct nmc_arena *arena = &loader->net->arena;
    const char *full = !*name           ? ""
                       : *scope->prefix ? nmc_arena_printf(arena, "%s%s", scope->prefix, name)
                                        : nmc_arena_strdup(arena, name);
    return full ? full : "";
}

/* A function that does not import a domain is read as the model is. */
static int opset_of(const struct nmc_loader *loader, const struct nmc_scope *scope,
                    const char *domain) {
    int version = nmc_imports_find(scope->imports, domain);
    if (!version)
        version = nmc_imports_find(&loader->imports, domain);
    return version || *domain ? version : loader->net->opset;
}

static neuromc_status fill_node(struct nmc_loader *loader, struct nmc_scope *scope,
                                struct nmc_node *node, const Onnx__NodeProto *from) {
    node->name = node_name(loader, scope, nmc_text(from->name));
    node->opset = opset_of(loader, scope, node->domain);
    connect_inputs(loader, scope, node, from);
    neuromc_status status = connect_outputs(loader, scope, node, from);
    if (!status)
        status = nmc_build_attrs(loader, scope, node, from);
    if (!status && nmc_node_is(node, "Constant"))
        status = nmc_build_constant(loader, node);
    return status;
}

static neuromc_status build_node(struct nmc_loader *loader, struct nmc_scope *scope,
                                 const Onnx__NodeProto *from) {
    struct nmc_node *node =
        nmc_node_new(loader->net, scope->graph, nmc_domain(from->domain), nmc_text(from->op_type),
                     (int)from->n_input, (int)from->n_output, nmc_count_attrs(scope, from));
    if (!node)
        return nmc_loader_arena(loader, &loader->net->arena);
    const struct nmc_node *around = loader->at;
    loader->at = node;
    node->file_at = (size_t)from->file_at;
    node->call = scope->made_by;
    neuromc_status status = fill_node(loader, scope, node, from);
    loader->at = around;
    return status;
}

static neuromc_status build_node_or_call(struct nmc_loader *loader, void *user,
                                         const Onnx__NodeProto *from) {
    struct nmc_scope *scope = user;
    if (loader->spent++ == NMC_LIMIT_NODES)
        return nmc_loader_error(loader, "more than %d nodes (NMC_LIMIT_NODES)", NMC_LIMIT_NODES);
    if (!*nmc_text(from->op_type))
        return nmc_loader_error(loader, "node \"%s\" does not say which operator it is",
                                nmc_text(from->name));
    struct nmc_function *function;
    neuromc_status status = nmc_function_called(loader, from, &function);
    if (status)
        return status;
    return function ? nmc_build_call(loader, scope, from, function)
                    : build_node(loader, scope, from);
}

neuromc_status nmc_build_nodes(struct nmc_loader *loader, struct nmc_scope *scope,
                               const ProtobufCBinaryData *nodes, size_t count) {
    neuromc_status status = NEUROMC_OK;
    struct nmc_strbuf name;
    nmc_strbuf_init(&name);
    for (size_t i = 0; !status && i < count; i++)
        status = declare_outputs(loader, scope, nodes[i], &name);
    nmc_strbuf_release(&name);
    return status ? status : nmc_each_node(loader, nodes, count, build_node_or_call, scope);
}

neuromc_status nmc_build_graph(struct nmc_loader *loader, struct nmc_scope *scope,
                               const Onnx__GraphProto *from) {
    if (scope->depth > NMC_LIMIT_GRAPH_DEPTH)
        return nmc_loader_error(loader,
                                "subgraphs nested too deep: more than %d "
                                "(NMC_LIMIT_GRAPH_DEPTH)",
                                NMC_LIMIT_GRAPH_DEPTH);
    neuromc_status status = add_initializers(loader, scope, from);
    for (size_t i = 0; !status && i < from->n_input; i++)
        status = add_input(loader, scope, from->input[i]);
    if (!status)
        status = nmc_build_nodes(loader, scope, from->node, from->n_node);
    if (!status)
        status = nmc_declare_types(loader, scope, from->value_info, from->n_value_info);
    if (!status)
        status = nmc_declare_types(loader, scope, from->output, from->n_output);
    if (!status)
        status = add_outputs(loader, scope, from);
    return status;
}
