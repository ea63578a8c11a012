/*
 * Local functions, found by name and looked through before the first call is inlined. Looking
 * through is linear in the file, whatever the calls would expand to, so a recursion or a chain of
 * functions that doubles at every level is refused before anything grows.
 */
#include "frontends/onnx_function.h"

#include <inttypes.h>

#include "base/limits.h"
#include "base/strbuf.h"
#include "graph/ops.h"
#include "graph/soma.h"

/* ---- the table ------------------------------------------------------------------------------ */

static bool make_key(struct nmc_strbuf *key, const char *domain, const char *name,
                     const char *overload) {
    nmc_strbuf_printf(key, "%s%s%s", nmc_domain(domain), *nmc_domain(domain) ? "::" : "",
                      nmc_text(name));
    if (*nmc_text(overload))
        nmc_strbuf_printf(key, ":%s", overload);
    return !key->failed;
}

static neuromc_status add_function(struct nmc_loader *loader, struct nmc_function *function,
                                   const Onnx__FunctionProto *proto) {
    struct nmc_arena *arena = &loader->net->arena;
    struct nmc_strbuf key;
    nmc_strbuf_init(&key);
    bool made = make_key(&key, proto->domain, proto->name, proto->overload);
    function->proto = proto;
    function->label = made ? nmc_arena_strndup(arena, key.text, key.length) : NULL;
    nmc_strbuf_release(&key);
    if (!function->label)
        return nmc_out_of_memory(loader->diags);
    if (nmc_strmap_get(&loader->functions, function->label)) {
        nmc_loader_warning(loader, "function %s is in the file twice: the first is taken",
                           function->label);
        return NEUROMC_OK;
    }
    if (!nmc_strmap_put(&loader->functions, function->label, function))
        return nmc_out_of_memory(loader->diags);
    return nmc_imports_read(loader, &function->imports, proto->opset_import, proto->n_opset_import);
}

neuromc_status nmc_functions_read(struct nmc_loader *loader, const Onnx__ModelProto *model) {
    struct nmc_arena *arena = &loader->net->arena;
    struct nmc_function *functions = nmc_arena_array(arena, model->n_functions, sizeof *functions);
    neuromc_status status = nmc_loader_arena(loader, arena);
    for (size_t i = 0; !status && i < model->n_functions; i++)
        status = add_function(loader, &functions[i], model->functions[i]);
    return status;
}

static neuromc_status find(struct nmc_loader *loader, const Onnx__NodeProto *call,
                           struct nmc_function **out) {
    struct nmc_strbuf key;
    *out = NULL;
    if (loader->functions.count == 0)
        return NEUROMC_OK;
    nmc_strbuf_init(&key);
    bool made = make_key(&key, call->domain, call->op_type, call->overload);
    if (made)
        *out = nmc_strmap_get(&loader->functions, key.text);
    nmc_strbuf_release(&key);
    return made ? NEUROMC_OK : nmc_out_of_memory(loader->diags);
}

/* ---- looking through ------------------------------------------------------------------------ */

static neuromc_status look_through(struct nmc_loader *loader, struct nmc_function *function,
                                   int depth);
static neuromc_status look_at_nodes(struct nmc_loader *loader, struct nmc_function *function,
                                    const ProtobufCBinaryData *nodes, size_t count, int depth);

static bool is_work(const Onnx__NodeProto *node) {
    const struct nmc_op *op = nmc_op_find(nmc_domain(node->domain), nmc_text(node->op_type));
    return op && op->work != NMC_WORK_NONE && op->work != NMC_WORK_SOMA;
}

static void add_nodes(struct nmc_function *function, int64_t nodes) {
    function->nodes += nodes;
    if (function->nodes > NMC_LIMIT_NODES)
        function->nodes = (int64_t)NMC_LIMIT_NODES + 1;
}

static neuromc_status look_at_bodies(struct nmc_loader *loader, struct nmc_function *function,
                                     const Onnx__NodeProto *node, int depth) {
    neuromc_status status = NEUROMC_OK;
    for (size_t a = 0; a < node->n_attribute; a++) {
        const Onnx__AttributeProto *attr = node->attribute[a];
        if (!status && attr->g)
            status = look_at_nodes(loader, function, attr->g->node, attr->g->n_node, depth + 1);
        for (size_t i = 0; !status && i < attr->n_graphs; i++)
            status = look_at_nodes(loader, function, attr->graphs[i]->node, attr->graphs[i]->n_node,
                                   depth + 1);
    }
    return status;
}

struct look {
    struct nmc_function *function;
    int depth;
};

static neuromc_status look_at_node(struct nmc_loader *loader, void *user,
                                   const Onnx__NodeProto *node) {
    const struct look *look = user;
    struct nmc_function *callee, *function = look->function;
    neuromc_status status = find(loader, node, &callee);
    add_nodes(function, 1);
    if (!status && callee)
        status = look_through(loader, callee, look->depth + 1);
    if (status)
        return status;
    if (callee)
        add_nodes(function, callee->nodes);
    if (callee ? callee->works : is_work(node))
        function->works = true;
    return look_at_bodies(loader, function, node, look->depth);
}

static neuromc_status look_at_nodes(struct nmc_loader *loader, struct nmc_function *function,
                                    const ProtobufCBinaryData *nodes, size_t count, int depth) {
    struct look look = {function, depth};
    if (depth > NMC_LIMIT_GRAPH_DEPTH)
        return nmc_loader_error(loader, "function %s: calls nested too deep: more than %d (%s)",
                                function->label, NMC_LIMIT_GRAPH_DEPTH, "NMC_LIMIT_GRAPH_DEPTH");
    return nmc_each_node(loader, nodes, count, look_at_node, &look);
}

static neuromc_status look_through(struct nmc_loader *loader, struct nmc_function *function,
                                   int depth) {
    if (function->state == NMC_FUNCTION_BUSY)
        return nmc_loader_error(loader, "recursive function %s", function->label);
    if (function->state == NMC_FUNCTION_KNOWN)
        return NEUROMC_OK;
    function->state = NMC_FUNCTION_BUSY;
    neuromc_status status =
        look_at_nodes(loader, function, function->proto->node, function->proto->n_node, depth);
    function->state = NMC_FUNCTION_KNOWN;
    return status;
}

/* A neuron's function stays a call, so that it is still seen to be a neuron; one that holds
 * products as well is inlined, or they would be lost. */
neuromc_status nmc_function_called(struct nmc_loader *loader, const Onnx__NodeProto *call,
                                   struct nmc_function **out) {
    neuromc_status status = find(loader, call, out);
    if (!status && *out)
        status = look_through(loader, *out, 1);
    if (status || !*out || (*out)->works)
        return status;
    const struct nmc_onnx_options *options = loader->options;
    if (nmc_soma_named(nmc_text(call->op_type), options->soma_ops, options->soma_op_count))
        *out = NULL;
    return NEUROMC_OK;
}
