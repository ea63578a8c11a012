/* Attributes: every kind of value, references to those of a call, subgraphs. */
#include <limits.h>
#include <string.h>

#include "frontends/onnx_build.h"

/* ---- references ----------------------------------------------------------------------------- */

static const Onnx__AttributeProto *named(Onnx__AttributeProto *const *attrs, size_t count,
                                         const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(nmc_text(attrs[i]->name), name) == 0)
            return attrs[i];
    return NULL;
}

static bool is_reference(const Onnx__AttributeProto *attr) {
    return *nmc_text(attr->ref_attr_name) != '\0';
}

/* What an attribute inside a function refers to: the call's attribute, by way of the calls around
 * it, or its default; NULL if there is neither. *home becomes the scope the value was written in,
 * which is where the names of a subgraph belong. */
static const Onnx__AttributeProto *resolve(const Onnx__AttributeProto *attr,
                                           struct nmc_scope **home) {
    while (attr && is_reference(attr)) {
        const struct nmc_scope *scope = *home;
        if (!scope->call)
            return NULL;
        const char *name = attr->ref_attr_name;
        attr = named(scope->call->attribute, scope->call->n_attribute, name);
        if (attr) {
            *home = scope->caller;
            continue;
        }
        const Onnx__FunctionProto *function = scope->function;
        attr = named(function->attribute_proto, function->n_attribute_proto, name);
        return attr && !is_reference(attr) ? attr : NULL;
    }
    return attr;
}

int nmc_count_attrs(const struct nmc_scope *scope, const Onnx__NodeProto *from) {
    int count = 0;
    for (size_t i = 0; i < from->n_attribute && count < INT_MAX; i++) {
        /* The cast drops const: a look-up changes nothing. */
        struct nmc_scope *home = (struct nmc_scope *)(uintptr_t)scope;
        if (resolve(from->attribute[i], &home))
            count++;
    }
    return count;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Files older than IR version 2 leave the kind to be seen from the value. A sparse tensor is a
 * tensor here. */
static int kind_of(const Onnx__AttributeProto *from) {
    if (from->sparse_tensor)
        return NMC_ATTR_TENSOR;
    if (from->has_type && from->type)
        return from->type;
    return from->n_ints      ? NMC_ATTR_INTS
           : from->n_floats  ? NMC_ATTR_FLOATS
           : from->n_strings ? NMC_ATTR_STRINGS
           : from->n_graphs  ? NMC_ATTR_GRAPHS
           : from->t         ? NMC_ATTR_TENSOR
           : from->g         ? NMC_ATTR_GRAPH
           : from->has_s     ? NMC_ATTR_STRING
           : from->has_f     ? NMC_ATTR_FLOAT
           : from->has_i     ? NMC_ATTR_INT
                             : NMC_ATTR_OTHER;
}

static void read_floats(struct nmc_arena *arena, struct nmc_attr *attr,
                        const Onnx__AttributeProto *from) {
    double *floats = nmc_arena_array(arena, from->n_floats, sizeof *floats);
    for (size_t i = 0; floats && i < from->n_floats; i++)
        floats[i] = (double)from->floats[i];
    attr->floats = floats;
    attr->count = (int64_t)from->n_floats;
}

static void read_strings(struct nmc_arena *arena, struct nmc_attr *attr,
                         const Onnx__AttributeProto *from) {
    const char **strings = nmc_arena_array(arena, from->n_strings, sizeof *strings);
    for (size_t i = 0; strings && i < from->n_strings; i++)
        strings[i] =
            nmc_arena_strndup(arena, (const char *)from->strings[i].data, from->strings[i].len);
    attr->strings = strings;
    attr->count = (int64_t)from->n_strings;
}

/* A tensor, sparse or not, that belongs to an attribute and to no scope. */
static neuromc_status read_tensor(struct nmc_loader *loader, struct nmc_node *node,
                                  struct nmc_attr *attr, const Onnx__AttributeProto *from) {
    attr->tensor = nmc_tensor_new(loader->net, node->graph, attr->name);
    if (!attr->tensor)
        return nmc_loader_arena(loader, &loader->net->arena);
    return from->t ? nmc_read_tensor(loader, attr->tensor, from->t, "attribute")
                   : nmc_read_sparse(loader, attr->tensor, from->sparse_tensor, "attribute");
}

static neuromc_status read_graphs(struct nmc_loader *loader, struct nmc_scope *home,
                                  struct nmc_node *node, struct nmc_attr *attr,
                                  Onnx__GraphProto *const *from, size_t count) {
    struct nmc_net *net = loader->net;
    attr->graphs = nmc_arena_array(&net->arena, count, sizeof *attr->graphs);
    neuromc_status status = nmc_loader_arena(loader, &net->arena);
    for (size_t i = 0; !status && i < count; i++) {
        struct nmc_graph *graph = nmc_graph_new(net, nmc_text(from[i]->name), node->graph);
        if (!graph)
            return nmc_loader_arena(loader, &net->arena);
        graph->owner = node;
        attr->graphs[i] = graph;
        attr->count = (int64_t)i + 1;
        struct nmc_scope scope = nmc_scope_inside(home, graph);
        status = nmc_build_graph(loader, &scope, from[i]);
        nmc_strmap_release(&scope.tensors);
    }
    return status;
}

static neuromc_status holds_none(struct nmc_loader *loader, const struct nmc_attr *attr,
                                 const char *what) {
    return nmc_loader_error(loader, "attribute \"%s\" says that it is a %s, but holds none",
                            attr->name, what);
}

static neuromc_status read_value(struct nmc_loader *loader, struct nmc_scope *home,
                                 struct nmc_node *node, struct nmc_attr *attr,
                                 const Onnx__AttributeProto *from) {
    struct nmc_arena *arena = &loader->net->arena;
    attr->kind = (enum nmc_attr_kind)kind_of(from);
    switch (attr->kind) {
    case NMC_ATTR_FLOAT: attr->f = (double)from->f; break;
    case NMC_ATTR_INT: attr->i = from->i; break;
    case NMC_ATTR_STRING:
        attr->s = nmc_arena_strndup(arena, (const char *)from->s.data, from->s.len);
        attr->count = (int64_t)from->s.len;
        break;
    case NMC_ATTR_FLOATS: read_floats(arena, attr, from); break;
    case NMC_ATTR_INTS:
        attr->ints = nmc_arena_copy(arena, from->ints, from->n_ints * sizeof *from->ints);
        attr->count = (int64_t)from->n_ints;
        break;
    case NMC_ATTR_STRINGS: read_strings(arena, attr, from); break;
    case NMC_ATTR_GRAPHS:
        return read_graphs(loader, home, node, attr, from->graphs, from->n_graphs);
    case NMC_ATTR_GRAPH:
        return from->g ? read_graphs(loader, home, node, attr, &from->g, 1)
                       : holds_none(loader, attr, "graph");
    case NMC_ATTR_TENSOR:
        return from->t || from->sparse_tensor ? read_tensor(loader, node, attr, from)
                                              : holds_none(loader, attr, "tensor");
    default: attr->kind = NMC_ATTR_OTHER; break;
    }
    return nmc_loader_arena(loader, arena);
}

neuromc_status nmc_build_attrs(struct nmc_loader *loader, struct nmc_scope *scope,
                               struct nmc_node *node, const Onnx__NodeProto *from) {
    neuromc_status status = NEUROMC_OK;
    int next = 0;
    for (size_t i = 0; !status && i < from->n_attribute && next < node->attr_count; i++) {
        struct nmc_scope *home = scope;
        const Onnx__AttributeProto *value = resolve(from->attribute[i], &home);
        if (!value)
            continue;
        struct nmc_attr *attr = &node->attrs[next++];
        attr->name = nmc_arena_strdup(&loader->net->arena, nmc_text(from->attribute[i]->name));
        if (!attr->name)
            return nmc_loader_arena(loader, &loader->net->arena);
        status = read_value(loader, home, node, attr, value);
    }
    return status;
}
