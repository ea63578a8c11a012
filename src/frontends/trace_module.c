/* The `module` of an event and the `groups` of an optimizer step. */
#include <string.h>

#include "base/suggest.h"
#include "frontends/trace_read.h"

const char *const nmc_trace_module_type_names[NMC_MODULE_TYPES] = {
    "conv1d", "conv2d", "conv3d", "linear", "batch_norm1d", "batch_norm2d", "batch_norm3d", "soma",
};

/* ---- modules ------------------------------------------------------------------------------ */

/* What the object holds, before the type says which of it is needed; -1: not there. */
struct module_keys {
    struct nmc_scan_span type, name, step_mode;
    struct nmc_trace_tensor weight;
    int64_t in_channels, out_channels, in_features, out_features, groups;
    const char *kernel, *stride, *dilation;
};

static neuromc_status read_keys(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                const char **at, struct module_keys *out) {
    static const struct nmc_trace_field fields[] = {
        NMC_TRACE_FIELD("type", nmc_trace_read_text, struct module_keys, type, true),
        NMC_TRACE_FIELD("name", nmc_trace_read_text, struct module_keys, name, true),
        NMC_TRACE_FIELD("step_mode", nmc_trace_read_text, struct module_keys, step_mode, false),
        NMC_TRACE_FIELD("weight", nmc_trace_read_weight, struct module_keys, weight, false),
        NMC_TRACE_FIELD("in_channels", nmc_trace_read_count, struct module_keys, in_channels,
                        false),
        NMC_TRACE_FIELD("out_channels", nmc_trace_read_count, struct module_keys, out_channels,
                        false),
        NMC_TRACE_FIELD("kernel_size", nmc_trace_read_place, struct module_keys, kernel, false),
        NMC_TRACE_FIELD("stride", nmc_trace_read_place, struct module_keys, stride, false),
        NMC_TRACE_FIELD("dilation", nmc_trace_read_place, struct module_keys, dilation, false),
        NMC_TRACE_FIELD("groups", nmc_trace_read_count, struct module_keys, groups, false),
        NMC_TRACE_FIELD("in_features", nmc_trace_read_count, struct module_keys, in_features,
                        false),
        NMC_TRACE_FIELD("out_features", nmc_trace_read_count, struct module_keys, out_features,
                        false),
    };
    *out = (struct module_keys){
        .weight.rank = -1,
        .in_channels = -1,
        .out_channels = -1,
        .in_features = -1,
        .out_features = -1,
        .groups = -1,
    };
    return nmc_trace_read_object(trace, key, at, fields, sizeof fields / sizeof *fields, out);
}

static neuromc_status unknown_type(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                   struct nmc_scan_span span) {
    const char *text;
    neuromc_status status = nmc_trace_read_string(trace, key, span, &trace->scratch, &text);
    if (status)
        return status;
    struct nmc_suggest suggest;
    nmc_suggest_init(&suggest, text);
    for (int i = 0; i < NMC_MODULE_TYPES; i++)
        nmc_suggest_offer(&suggest, nmc_trace_module_type_names[i]);
    return nmc_trace_read_error(trace, key, span.start - 1, suggest.best,
                                "unknown module type \"%.80s\"", text);
}

static neuromc_status read_type(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                struct nmc_scan_span span, enum nmc_trace_module_type *out) {
    for (int i = 0; i < NMC_MODULE_TYPES; i++) {
        const char *name = nmc_trace_module_type_names[i];
        *out = (enum nmc_trace_module_type)i;
        if (nmc_scan_equals(span, name, strlen(name)))
            return NEUROMC_OK;
    }
    return unknown_type(trace, key, span);
}

static neuromc_status missing(struct nmc_trace *trace, const struct nmc_trace_key *key,
                              const char *name) {
    return nmc_trace_read_error(trace, &(struct nmc_trace_key){.up = key, .name = name}, NULL, NULL,
                                "missing");
}

static neuromc_status read_sizes(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                 const char *at, size_t axes, int64_t out[3]) {
    neuromc_status status = nmc_trace_read_expect(trace, key, at, NMC_SCAN_LIST);
    if (status)
        return status;
    size_t count = nmc_trace_read_length(at);
    if (count != axes)
        return nmc_trace_read_error(trace, key, at, NULL, "expected %zu sizes, got %zu", axes,
                                    count);
    struct nmc_trace_key item = {.up = key};
    for (bool more = nmc_scan_enter(&at); more && !status; more = nmc_scan_next(&at)) {
        status = nmc_trace_read_count(trace, &item, &at, &out[item.index]);
        item.index++;
    }
    return status;
}

/* A weight that is not as the module says: one of the two is wrong, and both are counted from. */
static neuromc_status check_weight(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                   const struct nmc_trace_module *module) {
    const struct nmc_trace_key weight = {.up = key, .name = "weight"};
    int64_t wanted[2 + 3] = {module->out, module->in / module->groups};
    int rank = 2 + module->axes;
    for (int i = 0; i < module->axes; i++)
        wanted[2 + i] = module->kernel[i];
    if (module->weight.rank != rank)
        return nmc_trace_read_error(trace, &weight, NULL, NULL, "has %d axes, not %d",
                                    module->weight.rank, rank);
    for (int i = 0; i < rank; i++)
        if (module->weight.dims[i] != wanted[i])
            return nmc_trace_read_error(trace, &weight, NULL, NULL,
                                        "axis %d is %lld long, but the module says %lld", i,
                                        (long long)module->weight.dims[i], (long long)wanted[i]);
    return NEUROMC_OK;
}

neuromc_status nmc_trace_check_features(struct nmc_trace *trace, const char *name,
                                        const struct nmc_trace_module *module,
                                        const struct nmc_trace_tensor *tensor, int64_t wanted) {
    const struct nmc_trace_key key = {.name = name};
    int axis = tensor->rank - module->axes - 1;
    if (!wanted || tensor->rank < 0)
        return NEUROMC_OK;
    if (axis < 0)
        return nmc_trace_read_error(trace, &key, NULL, NULL, "has %d axes, too few for a %s",
                                    tensor->rank, nmc_trace_module_type_names[module->type]);
    if (tensor->dims[axis] != wanted)
        return nmc_trace_read_error(trace, &key, NULL, NULL,
                                    "axis %d is %lld long, but the module says %lld", axis,
                                    (long long)tensor->dims[axis], (long long)wanted);
    return NEUROMC_OK;
}

static neuromc_status finish_convolution(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                         const struct module_keys *keys,
                                         struct nmc_trace_module *module) {
    const struct nmc_trace_key groups = {.up = key, .name = "groups"};
    const struct nmc_trace_key kernel = {.up = key, .name = "kernel_size"};
    const struct nmc_trace_key stride = {.up = key, .name = "stride"};
    const struct nmc_trace_key dilation = {.up = key, .name = "dilation"};
    if (keys->in_channels < 0)
        return missing(trace, key, "in_channels");
    if (keys->out_channels < 0)
        return missing(trace, key, "out_channels");
    if (keys->groups < 0)
        return missing(trace, key, "groups");
    if (!keys->kernel)
        return missing(trace, key, "kernel_size");
    if (keys->weight.rank < 0)
        return missing(trace, key, "weight");
    module->in = keys->in_channels;
    module->out = keys->out_channels;
    module->groups = keys->groups;
    if (!module->groups || module->in % module->groups)
        return nmc_trace_read_error(trace, &groups, NULL, NULL,
                                    "%lld groups do not divide %lld channels",
                                    (long long)module->groups, (long long)module->in);
    module->axes = 1 + (int)(module->type - NMC_MODULE_CONV1D);
    neuromc_status status =
        read_sizes(trace, &kernel, keys->kernel, (size_t)module->axes, module->kernel);
    if (!status && keys->stride)
        status = read_sizes(trace, &stride, keys->stride, (size_t)module->axes, module->stride);
    if (!status && keys->dilation)
        status =
            read_sizes(trace, &dilation, keys->dilation, (size_t)module->axes, module->dilation);
    return status ? status : check_weight(trace, key, module);
}

static neuromc_status finish_linear(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                    const struct module_keys *keys,
                                    struct nmc_trace_module *module) {
    if (keys->in_features < 0)
        return missing(trace, key, "in_features");
    if (keys->out_features < 0)
        return missing(trace, key, "out_features");
    if (keys->weight.rank < 0)
        return missing(trace, key, "weight");
    module->in = keys->in_features;
    module->out = keys->out_features;
    return check_weight(trace, key, module);
}

static neuromc_status read_step_mode(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                     struct nmc_scan_span span, bool *multi_step) {
    *multi_step = span.start && nmc_scan_equals(span, "m", 1);
    if (!span.start || *multi_step || nmc_scan_equals(span, "s", 1))
        return NEUROMC_OK;
    return nmc_trace_read_error(trace, &(struct nmc_trace_key){.up = key, .name = "step_mode"},
                                span.start - 1, NULL, "expected \"s\" or \"m\"");
}

neuromc_status nmc_trace_read_module(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                     const char **at, void *out) {
    struct nmc_trace_module *module = out;
    struct module_keys keys;
    const struct nmc_trace_key type = {.up = key, .name = "type"},
                               name = {.up = key, .name = "name"};
    neuromc_status status = read_keys(trace, key, at, &keys);
    if (!status)
        status = read_type(trace, &type, keys.type, &module->type);
    if (!status)
        status = read_step_mode(trace, key, keys.step_mode, &module->multi_step);
    struct nmc_trace_name *interned;
    bool added;
    if (!status)
        status = nmc_trace_read_intern(trace, &name, &trace->modules, keys.name, &interned, &added);
    if (status)
        return status;
    module->name = interned->text;
    module->id = interned->id;
    module->weight = keys.weight;
    module->groups = 1;
    switch (module->type) {
    case NMC_MODULE_CONV1D:
    case NMC_MODULE_CONV2D:
    case NMC_MODULE_CONV3D: return finish_convolution(trace, key, &keys, module);
    case NMC_MODULE_LINEAR: return finish_linear(trace, key, &keys, module);
    default: return NEUROMC_OK;
    }
}

/* ---- optimizer groups --------------------------------------------------------------------- */

struct parameter_keys {
    struct nmc_trace_tensor shape;
    bool has_grad, has_momentum_buffer;
};

static neuromc_status read_parameter(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                     const char **at, struct nmc_trace_parameter *out) {
    static const struct nmc_trace_field fields[] = {
        NMC_TRACE_FIELD("shape", nmc_trace_read_shape, struct parameter_keys, shape, true),
        NMC_TRACE_FIELD("has_grad", nmc_trace_read_bool, struct parameter_keys, has_grad, true),
        NMC_TRACE_FIELD("has_momentum_buffer", nmc_trace_read_bool, struct parameter_keys,
                        has_momentum_buffer, false),
    };
    struct parameter_keys keys = {0};
    neuromc_status status = nmc_trace_read_object(trace, key, at, fields, 3, &keys);
    *out = (struct nmc_trace_parameter){
        .rank = keys.shape.rank,
        .elements = keys.shape.elements,
        .has_grad = keys.has_grad,
        .has_momentum_buffer = keys.has_momentum_buffer,
    };
    return status;
}

static neuromc_status read_parameters(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                      const char **at, void *out) {
    struct nmc_trace_group *group = out;
    neuromc_status status = nmc_trace_read_expect(trace, key, *at, NMC_SCAN_LIST);
    if (status)
        return status;
    group->parameter_count = nmc_trace_read_length(*at);
    struct nmc_trace_parameter *items =
        nmc_arena_array(&trace->scratch, group->parameter_count, sizeof *items);
    if (!items)
        return nmc_out_of_memory(trace->diags);
    group->parameters = items;
    struct nmc_trace_key item = {.up = key};
    for (bool more = nmc_scan_enter(at); more && !status; more = nmc_scan_next(at)) {
        status = read_parameter(trace, &item, at, &items[item.index]);
        item.index++;
    }
    return status;
}

static neuromc_status read_group(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                 const char **at, struct nmc_trace_group *out) {
    static const struct nmc_trace_field fields[] = {
        NMC_TRACE_FIELD("momentum", nmc_trace_read_real, struct nmc_trace_group, momentum, false),
        NMC_TRACE_FIELD("weight_decay", nmc_trace_read_real, struct nmc_trace_group, weight_decay,
                        false),
        NMC_TRACE_FIELD("dampening", nmc_trace_read_real, struct nmc_trace_group, dampening, false),
        NMC_TRACE_FIELD("nesterov", nmc_trace_read_bool, struct nmc_trace_group, nesterov, false),
        NMC_TRACE_FIELD("maximize", nmc_trace_read_bool, struct nmc_trace_group, maximize, false),
        {"params", sizeof "params" - 1, read_parameters, 0, true},
    };
    return nmc_trace_read_object(trace, key, at, fields, sizeof fields / sizeof *fields, out);
}

neuromc_status nmc_trace_read_groups(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                     const char **at, void *out) {
    struct nmc_trace_event *event = out;
    neuromc_status status = nmc_trace_read_expect(trace, key, *at, NMC_SCAN_LIST);
    if (status)
        return status;
    event->group_count = nmc_trace_read_length(*at);
    struct nmc_trace_group *items =
        nmc_arena_array(&trace->scratch, event->group_count, sizeof *items);
    if (!items)
        return nmc_out_of_memory(trace->diags);
    event->groups = items;
    struct nmc_trace_key item = {.up = key};
    for (bool more = nmc_scan_enter(at); more && !status; more = nmc_scan_next(at)) {
        status = read_group(trace, &item, at, &items[item.index]);
        item.index++;
    }
    return status;
}
