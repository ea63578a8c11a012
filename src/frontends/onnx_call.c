/*
 * Inlining a call: the names of the function's inputs and outputs stand for the call's tensors,
 * everything else in it is made anew, under "call/name".
 */
#include <inttypes.h>

#include "base/limits.h"
#include "frontends/onnx_function.h"

static neuromc_status check_call(struct nmc_loader *loader, const struct nmc_scope *scope,
                                 const Onnx__NodeProto *call, const struct nmc_function *function) {
    const Onnx__FunctionProto *proto = function->proto;
    const char *name = nmc_text(call->name);
    if (call->n_input > proto->n_input)
        return nmc_loader_error(loader, "call \"%s\": %zu inputs, function %s takes %zu", name,
                                call->n_input, function->label, proto->n_input);
    if (call->n_output > proto->n_output)
        return nmc_loader_error(loader, "call \"%s\": %zu outputs, function %s has %zu", name,
                                call->n_output, function->label, proto->n_output);
    if (scope->depth + 1 > NMC_LIMIT_GRAPH_DEPTH)
        return nmc_loader_error(
            loader, "call \"%s\": subgraphs and calls nested too deep: more than %d (%s)", name,
            NMC_LIMIT_GRAPH_DEPTH, "NMC_LIMIT_GRAPH_DEPTH");
    if (function->nodes > NMC_LIMIT_NODES - (int64_t)loader->spent)
        return nmc_loader_error(loader,
                                "call \"%s\": more than %d nodes once function %s is inlined (%s)",
                                name, NMC_LIMIT_NODES, function->label, "NMC_LIMIT_NODES");
    return NEUROMC_OK;
}

static neuromc_status bind_inputs(struct nmc_loader *loader, struct nmc_scope *inner,
                                  const Onnx__NodeProto *call, const Onnx__FunctionProto *proto) {
    for (size_t i = 0; i < proto->n_input; i++) {
        struct nmc_tensor *tensor = NULL;
        const char *name = i < call->n_input ? call->input[i] : "";
        if (*name && !nmc_scope_find(inner->caller, name, &tensor))
            loader->status =
                nmc_loader_error(loader, "call \"%s\" of %s reads \"%s\", which is not defined",
                                 nmc_text(call->name), nmc_text(call->op_type), name);
        if (!nmc_scope_bind(inner, proto->input[i], tensor))
            return nmc_out_of_memory(loader->diags);
    }
    return NEUROMC_OK;
}

/* The call's tensor for an output of the function; NULL if the call does not want it. */
static struct nmc_tensor *wanted_output(const struct nmc_scope *inner, size_t index) {
    struct nmc_tensor *tensor = NULL;
    const Onnx__NodeProto *call = inner->call;
    if (index < call->n_output && *call->output[index])
        nmc_scope_has(inner->caller, call->output[index], &tensor);
    return tensor;
}

/* An output that is an input too, or an output before, keeps that meaning; see finish_outputs. */
static neuromc_status bind_outputs(struct nmc_loader *loader, struct nmc_scope *inner) {
    const Onnx__FunctionProto *proto = inner->function;
    for (size_t i = 0; i < proto->n_output; i++) {
        struct nmc_tensor *known, *tensor = wanted_output(inner, i);
        if (tensor && !nmc_scope_has(inner, proto->output[i], &known) &&
            !nmc_scope_bind(inner, proto->output[i], tensor))
            return nmc_out_of_memory(loader->diags);
    }
    return NEUROMC_OK;
}

static neuromc_status add_identity(struct nmc_loader *loader, struct nmc_scope *inner,
                                   struct nmc_tensor *from, struct nmc_tensor *to) {
    struct nmc_node *node = nmc_node_new(loader->net, inner->graph, "", "Identity", 1, 1, 0);
    if (!node)
        return nmc_loader_arena(loader, &loader->net->arena);
    node->opset = loader->net->opset;
    node->inputs[0] = from;
    return nmc_connect_output(loader, node, 0, to);
}

/* Outputs that are merely inputs passed on get an Identity. */
static neuromc_status finish_outputs(struct nmc_loader *loader, struct nmc_scope *inner,
                                     const struct nmc_function *function) {
    neuromc_status status = NEUROMC_OK;
    for (size_t i = 0; !status && i < function->proto->n_output; i++) {
        struct nmc_tensor *made = NULL, *wanted = wanted_output(inner, i);
        if (!wanted)
            continue;
        nmc_scope_has(inner, function->proto->output[i], &made);
        if (made && made != wanted)
            status = add_identity(loader, inner, made, wanted);
        else if (!made || !made->producer)
            status = nmc_loader_error(loader, "function %s does not make its output \"%s\"",
                                      function->label, function->proto->output[i]);
    }
    return status;
}

static neuromc_status fill_call(struct nmc_loader *loader, struct nmc_scope *inner,
                                const struct nmc_function *function) {
    const Onnx__FunctionProto *proto = function->proto;
    neuromc_status status = bind_inputs(loader, inner, inner->call, proto);
    if (!status)
        status = bind_outputs(loader, inner);
    if (!status)
        status = nmc_build_nodes(loader, inner, proto->node, proto->n_node);
    if (!status)
        status = nmc_declare_types(loader, inner, proto->value_info, proto->n_value_info);
    return status ? status : finish_outputs(loader, inner, function);
}

neuromc_status nmc_build_call(struct nmc_loader *loader, struct nmc_scope *scope,
                              const Onnx__NodeProto *call, const struct nmc_function *function) {
    neuromc_status status = check_call(loader, scope, call, function);
    if (status)
        return status;
    const char *name = *nmc_text(call->name) ? call->name : nmc_text(call->op_type);
    const struct nmc_call made_by = {.file_at = (size_t)call->file_at, .around = scope->made_by};
    struct nmc_scope inner = {
        .graph = scope->graph,
        .imports = &function->imports,
        .prefix = nmc_arena_printf(&loader->net->arena, "%s%s/", scope->prefix, name),
        .depth = scope->depth + 1,
        .call = call,
        .made_by = nmc_arena_copy(&loader->net->arena, &made_by, sizeof made_by),
        .caller = scope,
        .function = function->proto,
    };
    status = inner.prefix && inner.made_by ? fill_call(loader, &inner, function)
                                           : nmc_loader_arena(loader, &loader->net->arena);
    nmc_strmap_release(&inner.tensors);
    return status;
}
