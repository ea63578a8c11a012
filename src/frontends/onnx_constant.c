/* Constant nodes: the value in the attribute is the output's. */
#include <string.h>

#include "frontends/onnx_build.h"

static bool is_value(const char *name) {
    static const char *const values[] = {"value",        "sparse_value", "value_int",
                                         "value_ints",   "value_float",  "value_floats",
                                         "value_string", "value_strings"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (strcmp(name, values[i]) == 0)
            return true;
    return false;
}

static void set_list(struct nmc_net *net, struct nmc_tensor *out, enum nmc_elem type, int rank,
                     int64_t count) {
    out->type = type;
    out->value_count = count;
    nmc_shape_set(net, &out->shape, rank, &count);
}

static void copy_tensor(struct nmc_net *net, struct nmc_tensor *out,
                        const struct nmc_tensor *value) {
    out->type = value->type;
    out->value_count = value->value_count;
    out->ints = value->ints;
    out->reals = value->reals;
    nmc_shape_set(net, &out->shape, value->shape.rank, value->shape.dims);
}

static void copy_ints(struct nmc_net *net, struct nmc_tensor *out, const int64_t *ints, int rank,
                      int64_t count) {
    set_list(net, out, NMC_ELEM_int64, rank, count);
    out->ints = nmc_arena_array(&net->arena, (size_t)count, sizeof *out->ints);
    for (int64_t i = 0; out->ints && i < count; i++)
        out->ints[i] = ints[i] < NMC_DIM_LEAST ? NMC_DIM_LEAST : ints[i];
}

static void copy_reals(struct nmc_net *net, struct nmc_tensor *out, const double *reals, int rank,
                       int64_t count) {
    set_list(net, out, NMC_ELEM_float32, rank, count);
    out->reals = nmc_arena_copy(&net->arena, reals, (size_t)count * sizeof *reals);
}

neuromc_status nmc_build_constant(struct nmc_loader *loader, struct nmc_node *node) {
    struct nmc_net *net = loader->net;
    struct nmc_tensor *out = node->output_count ? node->outputs[0] : NULL;
    const struct nmc_attr *attr = NULL;
    for (int i = 0; i < node->attr_count && !attr; i++)
        if (is_value(node->attrs[i].name))
            attr = &node->attrs[i];
    if (!out || !attr)
        return NEUROMC_OK;
    out->is_constant = true;
    switch (attr->kind) {
    case NMC_ATTR_TENSOR:
        if (attr->tensor)
            copy_tensor(net, out, attr->tensor);
        break;
    case NMC_ATTR_INT: copy_ints(net, out, &attr->i, 0, 1); break;
    case NMC_ATTR_INTS: copy_ints(net, out, attr->ints, 1, attr->count); break;
    case NMC_ATTR_FLOAT: copy_reals(net, out, &attr->f, 0, 1); break;
    case NMC_ATTR_FLOATS: copy_reals(net, out, attr->floats, 1, attr->count); break;
    case NMC_ATTR_STRING: set_list(net, out, NMC_ELEM_string, 0, 1); break;
    case NMC_ATTR_STRINGS: set_list(net, out, NMC_ELEM_string, 1, attr->count); break;
    default: break;
    }
    return nmc_loader_arena(loader, &net->arena);
}
