#include "frontends/onnx.h"

#include <string.h>

#include "base/file.h"
#include "base/limits.h"
#include "frontends/onnx_build.h"
#include "frontends/onnx_slim.h"
#include "frontends/onnx_sniff.h"

static neuromc_status unpack_and_build(struct nmc_loader *loader, struct nmc_slim *slim) {
    struct nmc_arena arena;
    nmc_arena_init(&arena, NMC_LIMIT_MODEL_BYTES);
    const Onnx__ModelProto *model =
        nmc_unpack(&onnx__model_proto__descriptor, &arena,
                   (ProtobufCBinaryData){.len = slim->size, .data = slim->data});
    nmc_slim_release(slim);
    neuromc_status status =
        model ? nmc_build_model(loader, model) : nmc_loader_arena(loader, &arena);
    nmc_strmap_release(&loader->symbols);
    nmc_strmap_release(&loader->functions);
    nmc_arena_release(&arena);
    return status;
}

static neuromc_status parse(const struct nmc_file *file, const char *name,
                            const struct nmc_onnx_options *options, struct nmc_net **out,
                            neuromc_diags *diags) {
    static const struct nmc_onnx_options none;
    struct nmc_slim slim;
    neuromc_status status = nmc_onnx_sniff(file, name, diags);
    if (!status)
        status = nmc_slim_make(&slim, file, name, diags);
    if (status)
        return status;
    struct nmc_loader loader = {
        .net = nmc_net_new(name), .diags = diags, .options = options ? options : &none};
    if (!loader.net) {
        nmc_slim_release(&slim);
        return nmc_out_of_memory(diags);
    }
    status = unpack_and_build(&loader, &slim);
    if (!status)
        status = nmc_net_finish(loader.net, diags);
    if (status)
        nmc_net_free(loader.net);
    else
        *out = loader.net;
    return status;
}

/* A stream is looked at before all of it is read: /dev/zero has no end. */
static neuromc_status sniff_stream(const struct nmc_peek *peek, const char *name,
                                   neuromc_diags *diags) {
    if (!peek || !peek->taken || !peek->size)
        return NEUROMC_OK;
    const struct nmc_file start = {.data = peek->bytes, .size = peek->size};
    return nmc_onnx_sniff(&start, name, diags);
}

neuromc_status nmc_onnx_load_with(const char *path, const struct nmc_onnx_options *options,
                                  struct nmc_net **out, neuromc_diags *diags) {
    struct nmc_file file;
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    const struct nmc_peek *peek = options ? options->peek : NULL;
    *out = NULL;
    neuromc_status status = sniff_stream(peek, name, diags);
    if (!status)
        status = nmc_file_open_peeked(&file, path, peek, NMC_LIMIT_STDIN_BYTES, diags);
    if (status)
        return status;
    status = parse(&file, name, options, out, diags);
    nmc_file_close(&file);
    return status;
}

neuromc_status nmc_onnx_load(const char *path, struct nmc_net **out, neuromc_diags *diags) {
    return nmc_onnx_load_with(path, NULL, out, diags);
}

neuromc_status nmc_onnx_parse(const unsigned char *data, size_t size, const char *name,
                              struct nmc_net **out, neuromc_diags *diags) {
    struct nmc_file file = {.data = data, .size = size};
    *out = NULL;
    return parse(&file, name, NULL, out, diags);
}
