/* Names of tensors, scope by scope. */
#include <string.h>

#include "frontends/onnx_build.h"

/* Stands in the map for an input that a call left away. */
static struct nmc_tensor absent;

struct nmc_scope nmc_scope_inside(struct nmc_scope *outer, struct nmc_graph *graph) {
    struct nmc_scope scope = *outer;
    scope.outer = outer;
    scope.graph = graph;
    scope.tensors = (struct nmc_strmap){0};
    scope.depth++;
    return scope;
}

bool nmc_scope_has(const struct nmc_scope *scope, const char *name, struct nmc_tensor **out) {
    struct nmc_tensor *tensor = nmc_strmap_get(&scope->tensors, name);
    *out = tensor == &absent ? NULL : tensor;
    return tensor != NULL;
}

bool nmc_scope_find(const struct nmc_scope *scope, const char *name, struct nmc_tensor **out) {
    for (; scope; scope = scope->outer)
        if (nmc_scope_has(scope, name, out))
            return true;
    return false;
}

bool nmc_scope_bind(struct nmc_scope *scope, const char *name, struct nmc_tensor *tensor) {
    return nmc_strmap_put(&scope->tensors, name, tensor ? tensor : &absent);
}

struct nmc_tensor *nmc_scope_add(struct nmc_loader *loader, struct nmc_scope *scope,
                                 const char *name) {
    struct nmc_net *net = loader->net;
    size_t prefix = strlen(scope->prefix);
    const char *full = prefix ? nmc_arena_printf(&net->arena, "%s%s", scope->prefix, name) : name;
    struct nmc_tensor *tensor = full ? nmc_tensor_new(net, scope->graph, full) : NULL;
    if (!tensor || !*name)
        return tensor;
    /* The tensor's copy of the name outlives the message it came from. */
    if (nmc_scope_bind(scope, tensor->name + prefix, tensor))
        return tensor;
    net->arena.failed = true;
    return NULL;
}
