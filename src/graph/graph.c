/* Building and reading the IR. */
#include "graph/graph.h"

#include <string.h>

#include "base/checked.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "graph/ops.h"

struct nmc_net *nmc_net_new(const char *file) {
    struct nmc_net *net = nmc_malloc(sizeof *net);
    if (!net)
        return NULL;
    *net = (struct nmc_net){.name = "", .producer = ""};
    nmc_arena_init(&net->arena, NMC_LIMIT_MODEL_BYTES);
    net->file = nmc_arena_strdup(&net->arena, file);
    net->main = net->file ? nmc_graph_new(net, "", NULL) : NULL;
    nmc_symbol_new(net, NULL, NULL, 0, NULL); /* what stands in when memory runs out */
    if (!net->main || !net->symbol_count) {
        nmc_net_free(net);
        return NULL;
    }
    return net;
}

void nmc_net_free(struct nmc_net *net) {
    if (!net)
        return;
    nmc_arena_release(&net->arena);
    nmc_free(net->nodes);
    nmc_free(net->tensors);
    nmc_free(net->symbols);
    nmc_free(net->somas);
    nmc_free(net);
}

/* Arrays that grow live in the arena: doubling leaves at most as much behind as is in use. */
static bool grow(struct nmc_net *net, void *array_pointer, size_t *capacity, size_t need,
                 size_t size) {
    if (need <= *capacity)
        return true;
    size_t grown = *capacity ? *capacity * 2 : 4;
    void *old, *moved = nmc_arena_array(&net->arena, grown, size);
    if (!moved)
        return false;
    memcpy(&old, array_pointer, sizeof old);
    if (old)
        memcpy(moved, old, *capacity * size);
    memcpy(array_pointer, &moved, sizeof moved);
    *capacity = grown;
    return true;
}

struct nmc_graph *nmc_graph_new(struct nmc_net *net, const char *name, struct nmc_graph *outer) {
    struct nmc_graph *graph = nmc_arena_alloc(&net->arena, sizeof *graph);
    if (!graph)
        return NULL;
    graph->name = nmc_arena_strdup(&net->arena, name);
    graph->outer = outer;
    return graph->name ? graph : NULL;
}

struct nmc_tensor *nmc_tensor_new(struct nmc_net *net, struct nmc_graph *graph, const char *name) {
    struct nmc_tensor *tensor = nmc_arena_alloc(&net->arena, sizeof *tensor);
    if (!tensor || !nmc_grow(&net->tensors, &net->tensor_capacity, net->tensor_count + (size_t)1,
                             sizeof *net->tensors)) {
        net->arena.failed = true;
        return NULL;
    }
    tensor->name = nmc_arena_strdup(&net->arena, name);
    tensor->graph = graph;
    tensor->shape.rank = tensor->declared.rank = -1;
    tensor->length = -1;
    tensor->id = net->tensor_count;
    net->tensors[net->tensor_count++] = tensor;
    return tensor->name ? tensor : NULL;
}

struct nmc_node *nmc_node_new(struct nmc_net *net, struct nmc_graph *graph, const char *domain,
                              const char *op_type, int inputs, int outputs, int attrs) {
    struct nmc_arena *arena = &net->arena;
    struct nmc_node *node = nmc_arena_alloc(arena, sizeof *node);
    if (!node ||
        !nmc_grow(&net->nodes, &net->node_capacity, net->node_count + (size_t)1,
                  sizeof *net->nodes) ||
        !grow(net, &graph->nodes, &graph->node_capacity, (size_t)graph->node_count + 1,
              sizeof *graph->nodes)) {
        arena->failed = true;
        return NULL;
    }
    /* Most nodes spell both the same; names of operators repeat by the thousand. */
    node->op = nmc_op_find(domain, op_type);
    node->op_type = node->op ? node->op->name : nmc_arena_strdup(arena, op_type);
    node->domain = node->op ? node->op->domain : nmc_arena_strdup(arena, domain);
    node->name = "";
    node->trips = -1;
    node->graph = graph;
    node->inputs = nmc_arena_array(arena, (size_t)inputs, sizeof *node->inputs);
    node->outputs = nmc_arena_array(arena, (size_t)outputs, sizeof *node->outputs);
    node->attrs = nmc_arena_array(arena, (size_t)attrs, sizeof *node->attrs);
    if (arena->failed)
        return NULL;
    node->input_count = inputs;
    node->output_count = outputs;
    node->attr_count = attrs;
    node->id = net->node_count;
    net->nodes[net->node_count++] = node;
    graph->nodes[graph->node_count++] = node;
    return node;
}

void nmc_node_set_output(struct nmc_node *node, int index, struct nmc_tensor *tensor) {
    node->outputs[index] = tensor;
    if (tensor)
        tensor->producer = node;
}

bool nmc_graph_add_input(struct nmc_net *net, struct nmc_graph *graph, struct nmc_tensor *t) {
    if (!grow(net, &graph->inputs, &graph->input_capacity, (size_t)graph->input_count + 1,
              sizeof *graph->inputs))
        return false;
    graph->inputs[graph->input_count++] = t;
    return true;
}

bool nmc_graph_add_output(struct nmc_net *net, struct nmc_graph *graph, struct nmc_tensor *t) {
    if (!grow(net, &graph->outputs, &graph->output_capacity, (size_t)graph->output_count + 1,
              sizeof *graph->outputs))
        return false;
    graph->outputs[graph->output_count++] = t;
    return true;
}

nmc_dim nmc_symbol_new(struct nmc_net *net, const char *name, const struct nmc_tensor *input,
                       int axis, const struct nmc_node *node) {
    if (net->symbol_count >= NMC_LIMIT_SYMBOLS ||
        !nmc_grow(&net->symbols, &net->symbol_capacity, net->symbol_count + (size_t)1,
                  sizeof *net->symbols)) {
        net->arena.failed = true;
        return nmc_dim_symbol(0);
    }
    net->symbols[net->symbol_count] =
        (struct nmc_symbol){.name = name, .input = input, .axis = axis, .node = node};
    return nmc_dim_symbol(net->symbol_count++);
}

bool nmc_shape_set(struct nmc_net *net, struct nmc_shape *shape, int rank, const nmc_dim *dims) {
    /* Inference runs again over loop bodies: a shape of the same rank is overwritten in place. */
    if (rank >= 0 && (shape->rank != rank || !shape->dims)) {
        shape->dims = nmc_arena_array(&net->arena, (size_t)rank, sizeof *dims);
        if (!shape->dims) {
            shape->rank = -1;
            return false;
        }
    }
    shape->rank = rank < 0 ? -1 : rank;
    if (rank < 0)
        shape->dims = NULL;
    for (int i = 0; i < rank; i++)
        shape->dims[i] = dims[i];
    return true;
}

bool nmc_shape_known(const struct nmc_shape *shape) {
    for (int i = 0; i < shape->rank; i++)
        if (!nmc_dim_known(shape->dims[i]))
            return false;
    return shape->rank >= 0;
}

bool nmc_shape_elements(const struct nmc_shape *shape, int64_t *out) {
    return nmc_shape_known(shape) && nmc_product(shape->dims, shape->rank, out);
}

const char *nmc_node_label(struct nmc_net *net, const struct nmc_node *node) {
    const char *colons = *node->domain ? "::" : "";
    const char *text = *node->name ? nmc_arena_printf(&net->arena, "%s%s%s \"%s\"", node->domain,
                                                      colons, node->op_type, node->name)
                                   : nmc_arena_printf(&net->arena, "%s%s%s #%u", node->domain,
                                                      colons, node->op_type, node->id);
    return text ? text : node->op_type;
}

struct nmc_place nmc_node_place(struct nmc_net *net, const struct nmc_node *node) {
    return (struct nmc_place){.file = net->file, .where = nmc_node_label(net, node)};
}

void nmc_shape_write(const struct nmc_net *net, const struct nmc_shape *shape,
                     struct nmc_strbuf *out) {
    if (shape->rank < 0) {
        nmc_strbuf_puts(out, "[?]");
        return;
    }
    nmc_strbuf_putc(out, '[');
    for (int i = 0; i < shape->rank; i++) {
        nmc_dim d = shape->dims[i];
        const char *comma = i ? ", " : "";
        if (nmc_dim_known(d)) {
            nmc_strbuf_printf(out, "%s%lld", comma, (long long)d);
        } else {
            const char *name = net->symbols[nmc_dim_id(d)].name;
            nmc_strbuf_printf(out, "%s%s", comma, name ? name : "?");
        }
    }
    nmc_strbuf_putc(out, ']');
}

const char *nmc_shape_text(struct nmc_net *net, const struct nmc_shape *shape) {
    struct nmc_strbuf buffer;
    nmc_strbuf_init(&buffer);
    nmc_shape_write(net, shape, &buffer);
    const char *text = nmc_arena_strndup(&net->arena, buffer.text, buffer.length);
    nmc_strbuf_release(&buffer);
    return text ? text : "[...]";
}

const struct nmc_attr *nmc_attr_find(const struct nmc_node *node, const char *name) {
    for (int i = 0; i < node->attr_count; i++)
        if (strcmp(node->attrs[i].name, name) == 0)
            return &node->attrs[i];
    return NULL;
}

bool nmc_node_is(const struct nmc_node *node, const char *op_type) {
    return !*node->domain && strcmp(node->op_type, op_type) == 0;
}
