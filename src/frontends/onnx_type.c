/* Declared types: element types, shapes, symbolic dims. */
#include <string.h>

#include "base/limits.h"
#include "frontends/onnx_build.h"

enum nmc_elem nmc_elem_of(int data_type) {
    return data_type > 0 && data_type < NMC_ELEM_COUNT ? (enum nmc_elem)data_type
                                                       : NMC_ELEM_undefined;
}

/* Some exporters write these for every dim they do not know; two of them are not the same size. */
static bool is_placeholder(const char *name) {
    static const char *const placeholders[] = {"", "?", "*", "-1", "None"};
    for (size_t i = 0; i < sizeof placeholders / sizeof *placeholders; i++)
        if (strcmp(name, placeholders[i]) == 0)
            return true;
    return false;
}

/* The same name is the same size everywhere in the model. */
static nmc_dim named_symbol(struct nmc_loader *loader, const char *name,
                            const struct nmc_tensor *input, int axis) {
    void *known = nmc_strmap_get(&loader->symbols, name);
    if (known)
        return nmc_dim_symbol((uint32_t)((uintptr_t)known - 1));
    struct nmc_arena *arena = &loader->net->arena;
    char *copy = nmc_arena_strdup(arena, name);
    nmc_dim symbol = nmc_symbol_new(loader->net, copy, input, axis, NULL);
    if (!copy ||
        !nmc_strmap_put(&loader->symbols, copy, (void *)((uintptr_t)nmc_dim_id(symbol) + 1)))
        arena->failed = true;
    return symbol;
}

static nmc_dim read_dim(struct nmc_loader *loader, const struct nmc_tensor *tensor, int axis,
                        const Onnx__TensorShapeProto__Dimension *dim, bool graph_input) {
    const struct nmc_tensor *input = graph_input ? tensor : NULL;
    switch (dim->value_case) {
    case ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE:
        if (dim->dim_value > 0 || (dim->dim_value == 0 && !graph_input))
            return dim->dim_value;
        break;
    case ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM:
        if (!is_placeholder(dim->dim_param))
            return named_symbol(loader, dim->dim_param, input, axis);
        break;
    default: break;
    }
    /* "INPUT:AXIS" is what --dim can bind. */
    struct nmc_net *net = loader->net;
    const char *name = input ? nmc_arena_printf(&net->arena, "%s:%d", tensor->name, axis) : NULL;
    return nmc_symbol_new(net, name, input, axis, NULL);
}

static neuromc_status read_shape(struct nmc_loader *loader, struct nmc_tensor *tensor,
                                 const Onnx__TensorShapeProto *shape, bool graph_input) {
    nmc_dim dims[NMC_LIMIT_RANK];
    if (shape->n_dim > NMC_LIMIT_RANK)
        return nmc_loader_error(loader, "tensor \"%s\": %zu axes, more than %d (NMC_LIMIT_RANK)",
                                tensor->name, shape->n_dim, NMC_LIMIT_RANK);
    int rank = (int)shape->n_dim;
    for (int i = 0; i < rank; i++)
        dims[i] = read_dim(loader, tensor, i, shape->dim[i], graph_input);
    nmc_shape_set(loader->net, graph_input ? &tensor->shape : &tensor->declared, rank, dims);
    return nmc_loader_arena(loader, &loader->net->arena);
}

/* Containers are read through to their elements; the outermost says what the tensor holds. */
neuromc_status nmc_read_type(struct nmc_loader *loader, struct nmc_tensor *tensor,
                             const Onnx__TypeProto *type, bool graph_input) {
    enum nmc_holds holds = NMC_HOLDS_TENSOR;
    while (type) {
        enum nmc_holds here = NMC_HOLDS_TENSOR;
        const Onnx__TypeProto__Tensor *leaf = NULL;
        switch (type->value_case) {
        case ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE: leaf = type->tensor_type; break;
        case ONNX__TYPE_PROTO__VALUE_SPARSE_TENSOR_TYPE: leaf = type->sparse_tensor_type; break;
        case ONNX__TYPE_PROTO__VALUE_SEQUENCE_TYPE:
            here = NMC_HOLDS_SEQUENCE;
            type = type->sequence_type->elem_type;
            break;
        case ONNX__TYPE_PROTO__VALUE_OPTIONAL_TYPE:
            here = NMC_HOLDS_OPTIONAL;
            type = type->optional_type->elem_type;
            break;
        case ONNX__TYPE_PROTO__VALUE_MAP_TYPE:
            here = NMC_HOLDS_MAP;
            type = type->map_type->value_type;
            break;
        default: type = NULL; break;
        }
        if (holds == NMC_HOLDS_TENSOR)
            tensor->holds = holds = here;
        if (!leaf)
            continue;
        if (!tensor->type) /* an initializer knows better */
            tensor->type = nmc_elem_of(leaf->elem_type);
        return leaf->shape ? read_shape(loader, tensor, leaf->shape, graph_input) : NEUROMC_OK;
    }
    return NEUROMC_OK;
}
