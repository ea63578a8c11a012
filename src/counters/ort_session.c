/* A model in ONNX Runtime: opened, fed, run. */
#include <string.h>

#include "base/checked.h"
#include "base/limits.h"
#include "base/memory.h"
#include "counters/ort.h"

enum {
    SEVERITY_FATAL = 4, /* the runtime's own log says nothing that we do not */
    OPTIMIZE_ALL = 99,
    ARENA_ALLOCATOR = 1,
    MEMORY_DEFAULT = 0,
    MAX_PORTS = 65536 /* inputs or outputs; unrolled networks have some hundred states */
};

static neuromc_status open_model(struct nmc_session *s, const char *path, const void *data,
                                 size_t size, int threads, neuromc_diags *diags) {
    const struct nmc_ort_api *api = s->ort->api;
    struct nmc_ort_options *options = NULL;
    neuromc_status status =
        nmc_ort_take(s->ort, api->create_options(&options), "make options of a session", diags);
    if (status == NEUROMC_OK)
        status = nmc_ort_take(s->ort, api->set_optimization(options, OPTIMIZE_ALL),
                              "set its level of optimization", diags);
    if (status == NEUROMC_OK)
        status = nmc_ort_take(s->ort, api->set_intra_threads(options, threads),
                              "set its number of threads", diags);
    if (status == NEUROMC_OK)
        status = nmc_ort_take(s->ort, api->set_inter_threads(options, 1),
                              "set its number of threads", diags);
    if (status == NEUROMC_OK)
        status = nmc_ort_take(
            s->ort,
            data ? api->create_session_from_array(s->env, data, size, options, &s->session)
                 : api->create_session(s->env, path, options, &s->session),
            "load the model", diags);
    if (options)
        api->release_options(options);
    return status;
}

/* A name becomes ours, so that the runtime's allocator is out of the way. */
static neuromc_status take_name(struct nmc_session *s, nmc_ort_result result, char *name,
                                const char **out, neuromc_diags *diags) {
    neuromc_status status =
        nmc_ort_take(s->ort, result, "name the model's inputs and outputs", diags);
    if (status != NEUROMC_OK)
        return status;
    *out = nmc_arena_strdup(&s->arena, name ? name : "");
    status = *out ? NEUROMC_OK : nmc_out_of_memory(diags);
    neuromc_status freed =
        nmc_ort_take(s->ort, s->ort->api->allocator_free(s->allocator, name), "free a name", diags);
    return status == NEUROMC_OK ? freed : status;
}

/* Type and dims; dims are allocated. */
static neuromc_status read_shape(const struct nmc_ort *ort, const struct nmc_ort_shape *shape,
                                 struct nmc_arena *arena, enum nmc_elem *type, int *rank,
                                 int64_t **dims, neuromc_diags *diags) {
    static const char what[] = "describe a tensor";
    int code = 0;
    size_t axes = 0;
    neuromc_status status = nmc_ort_take(ort, ort->api->element_type(shape, &code), what, diags);
    if (status == NEUROMC_OK)
        status = nmc_ort_take(ort, ort->api->rank(shape, &axes), what, diags);
    if (status != NEUROMC_OK)
        return status;
    if (axes > NMC_LIMIT_RANK)
        return nmc_error(diags, NEUROMC_UNSUPPORTED, (struct nmc_place){0}, NULL,
                         "ONNX Runtime speaks of a tensor of %zu axes (NMC_LIMIT_RANK)", axes);
    *type = (enum nmc_elem)code;
    *rank = (int)axes;
    *dims = nmc_arena_array(arena, axes, sizeof **dims);
    if (!*dims)
        return nmc_out_of_memory(diags);
    return nmc_ort_take(ort, ort->api->dims(shape, *dims, axes), what, diags);
}

static neuromc_status read_input(struct nmc_session *s, size_t index, neuromc_diags *diags) {
    const struct nmc_ort_api *api = s->ort->api;
    struct nmc_ort_input *input = &s->inputs[index];
    struct nmc_ort_type *type = NULL;
    const struct nmc_ort_shape *shape = NULL;
    char *name = NULL;
    nmc_ort_result named = api->input_name(s->session, index, s->allocator, &name);
    neuromc_status status = take_name(s, named, name, &input->name, diags);
    s->input_names[index] = input->name;
    if (status == NEUROMC_OK)
        status =
            nmc_ort_take(s->ort, api->input_type(s->session, index, &type), "type an input", diags);
    if (status == NEUROMC_OK)
        status = nmc_ort_take(s->ort, api->cast_to_tensor(type, &shape), "type an input", diags);
    if (status == NEUROMC_OK && !shape)
        status = nmc_error(diags, NEUROMC_UNSUPPORTED, (struct nmc_place){.where = input->name},
                           NULL, "the model's input is no tensor; only tensors can be made up");
    if (status == NEUROMC_OK)
        status =
            read_shape(s->ort, shape, &s->arena, &input->type, &input->rank, &input->dims, diags);
    if (type)
        api->release_type(type);
    return status;
}

static neuromc_status read_outputs(struct nmc_session *s, neuromc_diags *diags) {
    neuromc_status status = NEUROMC_OK;
    for (size_t i = 0; status == NEUROMC_OK && i < s->output_count; i++) {
        char *name = NULL;
        nmc_ort_result named = s->ort->api->output_name(s->session, i, s->allocator, &name);
        status = take_name(s, named, name, &s->output_names[i], diags);
    }
    return status;
}

static neuromc_status read_ports(struct nmc_session *s, neuromc_diags *diags) {
    static const char what[] = "count the model's inputs and outputs";
    const struct nmc_ort_api *api = s->ort->api;
    size_t inputs = 0, outputs = 0;
    neuromc_status status =
        nmc_ort_take(s->ort, api->input_count(s->session, &inputs), what, diags);
    if (status == NEUROMC_OK)
        status = nmc_ort_take(s->ort, api->output_count(s->session, &outputs), what, diags);
    if (status != NEUROMC_OK)
        return status;
    if (inputs > MAX_PORTS || outputs > MAX_PORTS)
        return nmc_error(diags, NEUROMC_UNSUPPORTED, (struct nmc_place){0}, NULL,
                         "the model has %zu inputs and %zu outputs; %d can be served", inputs,
                         outputs, MAX_PORTS);
    if (!outputs)
        return nmc_error(diags, NEUROMC_UNSUPPORTED, (struct nmc_place){0}, NULL,
                         "the model has no output, so running it computes nothing");
    s->inputs = nmc_arena_array(&s->arena, inputs, sizeof *s->inputs);
    s->values = nmc_arena_array(&s->arena, inputs, sizeof *s->values);
    s->input_names = nmc_arena_array(&s->arena, inputs, sizeof *s->input_names);
    s->outputs = nmc_arena_array(&s->arena, outputs, sizeof *s->outputs);
    s->output_names = nmc_arena_array(&s->arena, outputs, sizeof *s->output_names);
    if (s->arena.failed)
        return nmc_out_of_memory(diags);
    s->input_count = inputs;
    s->output_count = outputs;
    for (size_t i = 0; status == NEUROMC_OK && i < inputs; i++)
        status = read_input(s, i, diags);
    return status == NEUROMC_OK ? read_outputs(s, diags) : status;
}

neuromc_status nmc_session_open(struct nmc_session *s, const struct nmc_ort *ort, const char *path,
                                const void *data, size_t size, int threads, neuromc_diags *diags) {
    const struct nmc_ort_api *api = ort->api;
    *s = (struct nmc_session){.ort = ort};
    nmc_arena_init(&s->arena, NMC_LIMIT_MODEL_BYTES);
    neuromc_status status =
        nmc_ort_take(ort, api->create_env(SEVERITY_FATAL, "neuromc", &s->env), "start", diags);
    if (status == NEUROMC_OK)
        status = open_model(s, path, data, size, threads, diags);
    if (status == NEUROMC_OK)
        status =
            nmc_ort_take(ort, api->create_cpu_memory(ARENA_ALLOCATOR, MEMORY_DEFAULT, &s->memory),
                         "describe memory", diags);
    if (status == NEUROMC_OK)
        status =
            nmc_ort_take(ort, api->default_allocator(&s->allocator), "offer an allocator", diags);
    return status == NEUROMC_OK ? read_ports(s, diags) : status;
}

static void release_values(struct nmc_session *s, struct nmc_ort_value **values, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (values[i]) {
            s->ort->api->release_value(values[i]);
            values[i] = NULL;
        }
}

void nmc_session_close(struct nmc_session *s) {
    if (!s->ort)
        return;
    const struct nmc_ort_api *api = s->ort->api;
    release_values(s, s->values, s->input_count);
    release_values(s, s->outputs, s->output_count);
    if (s->memory)
        api->release_memory(s->memory);
    if (s->session)
        api->release_session(s->session);
    if (s->env)
        api->release_env(s->env);
    nmc_arena_release(&s->arena);
    *s = (struct nmc_session){0};
}

neuromc_status nmc_session_set(struct nmc_session *s, size_t input, void *data, size_t size,
                               const int64_t *dims, int rank, neuromc_diags *diags) {
    const struct nmc_ort_api *api = s->ort->api;
    int type = (int)s->inputs[input].type;
    struct nmc_ort_value **value = &s->values[input];
    nmc_ort_result made =
        data ? api->create_tensor_with_data(s->memory, data, size, dims, (size_t)rank, type, value)
             : api->create_tensor(s->allocator, dims, (size_t)rank, type, value);
    return nmc_ort_take(s->ort, made, "make an input", diags);
}

neuromc_status nmc_session_run(struct nmc_session *s, neuromc_diags *diags) {
    release_values(s, s->outputs, s->output_count);
    const struct nmc_ort_value *const *values = (const void *)s->values;
    return nmc_ort_take(s->ort,
                        s->ort->api->run(s->session, NULL, s->input_names, values, s->input_count,
                                         s->output_names, s->output_count, s->outputs),
                        "run the model", diags);
}

static bool count_elements(struct nmc_ort_tensor *out) {
    for (int i = 0; i < out->rank; i++)
        if (out->dims[i] < 0)
            return false;
    return nmc_product(out->dims, out->rank, &out->elements);
}

neuromc_status nmc_session_tensor(const struct nmc_session *s, struct nmc_ort_value *value,
                                  struct nmc_arena *arena, struct nmc_ort_tensor *out,
                                  neuromc_diags *diags) {
    const struct nmc_ort_api *api = s->ort->api;
    struct nmc_ort_shape *shape = NULL;
    int is_tensor = 0;
    void *data = NULL;
    int64_t *dims = NULL;
    *out = (struct nmc_ort_tensor){.rank = -1};
    neuromc_status status = NEUROMC_OK;
    if (value)
        status = nmc_ort_take(s->ort, api->is_tensor(value, &is_tensor), "look at a tensor", diags);
    if (status != NEUROMC_OK || !is_tensor)
        return status;
    status = nmc_ort_take(s->ort, api->tensor_shape(value, &shape), "look at a tensor", diags);
    if (status == NEUROMC_OK)
        status = read_shape(s->ort, shape, arena, &out->type, &out->rank, &dims, diags);
    if (shape)
        api->release_shape(shape);
    out->dims = dims;
    if (status == NEUROMC_OK && !count_elements(out))
        status = nmc_error(diags, NEUROMC_UNSUPPORTED, (struct nmc_place){0}, NULL,
                           "ONNX Runtime says dims of a tensor that cannot be");
    if (status == NEUROMC_OK && out->type != NMC_ELEM_string)
        status = nmc_ort_take(s->ort, api->tensor_data(value, &data), "read a tensor", diags);
    out->data = data;
    return status;
}
