/* The loader: what all parts of the builder lean on, and the model as a whole. */
#include "frontends/onnx_build.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "frontends/onnx_function.h"

const char *nmc_text(const char *text) {
    return text ? text : "";
}

const char *nmc_domain(const char *domain) {
    return !domain || strcmp(domain, "ai.onnx") == 0 ? "" : domain;
}

/* ---- messages -------------------------------------------------------------------------------- */

static struct nmc_place place(struct nmc_loader *loader) {
    return loader->at ? nmc_node_place(loader->net, loader->at)
                      : (struct nmc_place){.file = loader->net->file};
}

neuromc_status nmc_loader_error(struct nmc_loader *loader, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = nmc_arena_vprintf(&loader->net->arena, format, args);
    va_end(args);
    if (!text)
        return nmc_loader_arena(loader, &loader->net->arena);
    return nmc_error(loader->diags, NEUROMC_BAD_INPUT, place(loader), NULL, "%s", text);
}

void nmc_loader_warning(struct nmc_loader *loader, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = nmc_arena_vprintf(&loader->net->arena, format, args);
    va_end(args);
    if (text)
        nmc_warning(loader->diags, place(loader), NULL, "%s", text);
}

neuromc_status nmc_loader_arena(struct nmc_loader *loader, const struct nmc_arena *arena) {
    if (!arena->failed)
        return NEUROMC_OK;
    if (arena->used < arena->cap / 2)
        return nmc_out_of_memory(loader->diags);
    return nmc_error(loader->diags, NEUROMC_BAD_INPUT,
                     (struct nmc_place){.file = loader->net->file}, NULL,
                     "the model takes more than %zu bytes of memory (NMC_LIMIT_MODEL_BYTES)",
                     NMC_LIMIT_MODEL_BYTES);
}

/* ---- protobuf-c ------------------------------------------------------------------------------ */

static void *take(void *arena, size_t size) {
    return nmc_arena_alloc(arena, size);
}

/* The arena goes as a whole. */
static void give(void *arena, void *memory) {
    (void)arena, (void)memory;
}

void *nmc_unpack(const ProtobufCMessageDescriptor *type, struct nmc_arena *arena,
                 ProtobufCBinaryData bytes) {
    ProtobufCAllocator allocator = {.alloc = take, .free = give, .allocator_data = arena};
    void *message = protobuf_c_message_unpack(type, &allocator, bytes.len, bytes.data);
    if (!message)
        arena->failed = true; /* nothing else can be wrong behind the wire walk */
    return message;
}

/* A node with a subgraph is still there while the nodes inside are unpacked; all of them together
 * stay below the limit. */
neuromc_status nmc_each_node(struct nmc_loader *loader, const ProtobufCBinaryData *nodes,
                             size_t count, nmc_visit_fn *visit, void *user) {
    struct nmc_arena scratch;
    neuromc_status status = NEUROMC_OK;
    nmc_arena_init(&scratch, NMC_LIMIT_MODEL_BYTES - loader->unpacked);
    for (size_t i = 0; !status && i < count; i++) {
        const Onnx__NodeProto *node = nmc_unpack(&onnx__node_proto__descriptor, &scratch, nodes[i]);
        size_t used = scratch.used;
        loader->unpacked += used;
        status = node ? visit(loader, user, node) : nmc_loader_arena(loader, &scratch);
        loader->unpacked -= used;
        nmc_arena_release(&scratch);
    }
    return status;
}

/* ---- the model ------------------------------------------------------------------------------- */

enum { NEWEST_IR = 13, FIRST_IR_WITH_OPSETS = 3 };

static neuromc_status read_imports(struct nmc_loader *loader, const Onnx__ModelProto *model) {
    if (model->ir_version > NEWEST_IR)
        nmc_loader_warning(loader, "IR version %" PRId64 " is newer than the newest known, %d",
                           model->ir_version, NEWEST_IR);
    neuromc_status status =
        nmc_imports_read(loader, &loader->imports, model->opset_import, model->n_opset_import);
    if (status)
        return status;
    loader->net->opset = nmc_imports_find(&loader->imports, "");
    if (loader->net->opset)
        return NEUROMC_OK;
    loader->net->opset = 1;
    if (model->ir_version >= FIRST_IR_WITH_OPSETS && model->n_opset_import == 0)
        nmc_loader_warning(loader, "the model does not say which opset it uses: taking opset 1");
    return NEUROMC_OK;
}

static void read_header(struct nmc_net *net, const Onnx__ModelProto *model) {
    const char *producer = nmc_text(model->producer_name);
    const char *version = nmc_text(model->producer_version);
    const char *text = nmc_arena_printf(&net->arena, "%s%s%s", producer,
                                        *producer && *version ? " " : "", version);
    const char *name = nmc_arena_strdup(&net->arena, nmc_text(model->graph->name));
    net->producer = text ? text : "";
    net->name = name ? name : "";
    net->ir_version = model->ir_version;
}

neuromc_status nmc_build_model(struct nmc_loader *loader, const Onnx__ModelProto *model) {
    const Onnx__GraphProto *graph = model->graph;
    if (!graph)
        return nmc_loader_error(loader, "the model has no graph");
    if (graph->n_node == 0) /* what is left when an exporter folds everything away */
        nmc_loader_warning(loader, "the graph has no nodes: there is nothing to cost");
    read_header(loader->net, model);
    neuromc_status status = read_imports(loader, model);
    if (!status)
        status = nmc_functions_read(loader, model);
    struct nmc_scope scope = {
        .graph = loader->net->main, .imports = &loader->imports, .prefix = ""};
    loader->net->main->name = loader->net->name;
    if (!status)
        status = nmc_build_graph(loader, &scope, graph);
    nmc_strmap_release(&scope.tensors);
    return status ? status : loader->status;
}
