#include "frontends/model_file.h"

#include <string.h>

#include "base/memory.h"
#include "frontends/onnx.h"
#include "frontends/own_files.h"
#include "graph/infer.h"
#include "graph/soma.h"
#include "graph/spike.h"
#include "graph/time.h"

static neuromc_status load_onnx(struct neuromc_model *model, const neuromc_model_options *options,
                                neuromc_diags *diags) {
    const struct nmc_infer_options infer = {
        .dims = options->dims,
        .dim_count = options->dim_count,
        .batch = options->batch,
        .trips = options->trips,
        .trip_count = options->trip_count,
        .soma_ops = options->soma_ops,
        .soma_op_count = options->soma_op_count,
    };
    const struct nmc_onnx_options onnx = {
        .soma_ops = options->soma_ops,
        .soma_op_count = options->soma_op_count,
        .peek = &model->peek,
    };
    const struct nmc_soma_options somas = {options->soma_ops, options->soma_op_count};
    const struct nmc_spike_options spikes = {options->spike_inputs, options->spike_input_count};
    neuromc_status status = nmc_onnx_load_with(model->path, &onnx, &model->net, diags);
    if (status == NEUROMC_OK)
        status = nmc_infer_net(model->net, &infer, diags);
    if (status == NEUROMC_OK)
        status = nmc_somas_find(model->net, &somas, diags);
    if (status == NEUROMC_OK)
        status = nmc_spikes_infer(model->net, &spikes, diags);
    return status == NEUROMC_OK ? nmc_time_infer(model->net, options->time_steps, diags) : status;
}

/* A trace starts with its header, an object; no ONNX file starts like that. */
static bool is_trace(const struct nmc_peek *peek) {
    size_t i = 0;
    while (i < peek->size && strchr(" \t\r\n", peek->bytes[i]) && peek->bytes[i])
        i++;
    return i < peek->size && peek->bytes[i] == '{';
}

/* A trace is read when it is estimated, event by event. */
static neuromc_status check_trace(const struct neuromc_model *model,
                                  const neuromc_model_options *options, neuromc_diags *diags) {
    if (!options->dim_count && !options->batch && !options->trip_count &&
        !options->spike_input_count && !options->soma_op_count && !options->time_steps)
        return NEUROMC_OK;
    return nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){.file = model->path},
                     "leave out the options about dims, trips, time, spikes and neurons",
                     "a trace says itself what ran, in which shapes");
}

static neuromc_status load(struct neuromc_model *model, const neuromc_model_options *options,
                           neuromc_diags *diags) {
    const struct nmc_own_file *own =
        nmc_own_file((const char *)model->peek.bytes, model->peek.size);
    if (own && is_trace(&model->peek))
        return nmc_error(diags, NEUROMC_BAD_INPUT, (struct nmc_place){.file = model->path},
                         own->where_to, "%s, not a model", own->what);
    return is_trace(&model->peek) ? check_trace(model, options, diags)
                                  : load_onnx(model, options, diags);
}

neuromc_status nmc_model_open(const char *path, struct nmc_peek *peek,
                              const neuromc_model_options *options, neuromc_model **out,
                              neuromc_diags *diags) {
    static const neuromc_model_options defaults = {0};
    *out = NULL;
    struct neuromc_model *model = nmc_malloc(sizeof *model);
    size_t size = strlen(path) + 1;
    char *copy = nmc_malloc(size);
    if (!model || !copy) {
        nmc_free(model);
        nmc_free(copy);
        nmc_peek_close(peek);
        return nmc_out_of_memory(diags);
    }
    memcpy(copy, path, size);
    *model = (struct neuromc_model){.path = copy, .peek = *peek};
    neuromc_status status = load(model, options ? options : &defaults, diags);
    if (status == NEUROMC_OK)
        *out = model;
    else
        neuromc_model_free(model);
    return status;
}

neuromc_status neuromc_model_load(const char *path, const neuromc_model_options *options,
                                  neuromc_model **out, neuromc_diags *diags) {
    struct nmc_peek peek;
    *out = NULL;
    neuromc_status status = nmc_file_peek(&peek, path, diags);
    return status == NEUROMC_OK ? nmc_model_open(path, &peek, options, out, diags) : status;
}

void neuromc_model_free(neuromc_model *model) {
    if (!model)
        return;
    nmc_net_free(model->net);
    nmc_peek_close(&model->peek);
    nmc_free(model->path);
    nmc_free(model);
}
