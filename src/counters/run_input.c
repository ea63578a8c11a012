/* Tensors for the model's inputs, made up in the shapes that the estimate has. */
#include <string.h>

#include "base/memory.h"
#include "counters/elements.h"
#include "counters/runner.h"
#include "frontends/model_file.h"

static const struct nmc_tensor *find_input(const struct neuromc_runner *runner, const char *name) {
    const struct nmc_graph *graph = runner->model->net->main;
    for (int i = 0; i < graph->input_count; i++)
        if (strcmp(graph->inputs[i]->name, name) == 0)
            return graph->inputs[i];
    return NULL;
}

static neuromc_status unbound(const struct neuromc_runner *runner, const struct nmc_tensor *tensor,
                              neuromc_diags *diags) {
    return nmc_error(diags, NEUROMC_BAD_INPUT,
                     (struct nmc_place){.file = runner->path, .where = tensor->name},
                     "bind them with --dim NAME=N, --dim INPUT:AXIS=N or --batch N",
                     "an input has dims that are not known: %s",
                     nmc_shape_text(runner->model->net, &tensor->shape));
}

static neuromc_status make_input(struct neuromc_runner *runner, size_t index,
                                 const struct nmc_tensor *tensor, neuromc_diags *diags) {
    const struct nmc_ort_input *input = &runner->session.inputs[index];
    int64_t elements, bytes = 0;
    if (!nmc_shape_elements(&tensor->shape, &elements))
        return unbound(runner, tensor, diags);
    bool text = input->type == NMC_ELEM_string;
    if (!text && !nmc_elements_bytes(input->type, elements, &bytes))
        return nmc_error(diags, NEUROMC_UNSUPPORTED,
                         (struct nmc_place){.file = runner->path, .where = input->name}, NULL,
                         "an input of %lld elements of type %d cannot be made up",
                         (long long)elements, (int)input->type);
    if (!text && !(runner->data[index] = nmc_malloc((size_t)bytes + 1)))
        return nmc_out_of_memory(diags);
    if (!text) {
        memset(runner->data[index], 0, (size_t)bytes + 1);
        nmc_input_fill(&runner->values, index, input->type, 0, elements, runner->data[index]);
    }
    return nmc_session_set(&runner->session, index, runner->data[index], (size_t)bytes,
                           tensor->shape.dims, tensor->shape.rank, diags);
}

neuromc_status nmc_runner_feed(struct neuromc_runner *runner, neuromc_diags *diags) {
    size_t count = runner->session.input_count;
    runner->data = nmc_arena_array(&runner->arena, count, sizeof *runner->data);
    neuromc_status status = runner->data ? NEUROMC_OK : nmc_out_of_memory(diags);
    for (size_t i = 0; status == NEUROMC_OK && i < count; i++) {
        const char *name = runner->session.inputs[i].name;
        const struct nmc_tensor *tensor = find_input(runner, name);
        if (tensor)
            status = make_input(runner, i, tensor, diags);
        else
            status = nmc_error(diags, NEUROMC_UNSUPPORTED,
                               (struct nmc_place){.file = runner->path, .where = name}, NULL,
                               "ONNX Runtime has an input that the model's file does not have");
    }
    return status;
}
