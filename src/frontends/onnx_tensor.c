/* Constants: type, shape and checks. Their values are in onnx_values.c. */
#include <inttypes.h>

#include "base/checked.h"
#include "base/limits.h"
#include "frontends/onnx_build.h"
#include "frontends/onnx_values.h"

static neuromc_status read_dims(struct nmc_loader *loader, struct nmc_tensor *tensor,
                                const int64_t *dims, size_t rank, const char *what) {
    if (rank > NMC_LIMIT_RANK)
        return nmc_loader_error(loader, "%s \"%s\": %zu axes, more than %d (NMC_LIMIT_RANK)", what,
                                tensor->name, rank, NMC_LIMIT_RANK);
    bool empty = false;
    int64_t elements, bits;
    for (size_t i = 0; i < rank; i++) {
        if (dims[i] < 0)
            return nmc_loader_error(loader, "%s \"%s\": negative dimension %" PRId64, what,
                                    tensor->name, dims[i]);
        empty = empty || dims[i] == 0;
    }
    bool fits = nmc_product(dims, (int)rank, &elements) &&
                nmc_mul(elements, nmc_elem_bits(tensor->type), &bits);
    if (!fits && !empty)
        return nmc_loader_error(loader, "%s \"%s\": element count overflows", what, tensor->name);
    tensor->value_count = empty ? 0 : elements;
    nmc_shape_set(loader->net, &tensor->shape, (int)rank, dims);
    return nmc_loader_arena(loader, &loader->net->arena);
}

/* Models are passed on without their weights, so no data at all is fine; another amount is not
 * what the writer meant. */
static bool has_right_size(struct nmc_loader *loader, const struct nmc_tensor *tensor,
                           const Onnx__TensorProto *from, const char *what) {
    int bits = nmc_elem_bits(tensor->type);
    if (!from->has_raw_bytes || from->raw_bytes == 0 || bits == 0)
        return true;
    uint64_t wanted = ((uint64_t)tensor->value_count * (uint64_t)bits + 7) / 8;
    if (from->raw_bytes == wanted)
        return true;
    nmc_loader_warning(loader,
                       "%s \"%s\": raw_data holds %" PRIu64 " bytes, its shape wants %" PRIu64,
                       what, tensor->name, from->raw_bytes, wanted);
    return false;
}

neuromc_status nmc_read_tensor(struct nmc_loader *loader, struct nmc_tensor *tensor,
                               const Onnx__TensorProto *from, const char *what) {
    tensor->type = nmc_elem_of(from->data_type);
    tensor->is_constant = true;
    neuromc_status status = read_dims(loader, tensor, from->dims, from->n_dims, what);
    if (status)
        return status;
    /* A segment is a part of a tensor split over several messages; nobody writes it. */
    bool whole = !from->segment && from->data_location == 0;
    if (whole && has_right_size(loader, tensor, from, what))
        nmc_read_values(&loader->net->arena, tensor, from);
    return nmc_loader_arena(loader, &loader->net->arena);
}

neuromc_status nmc_read_sparse(struct nmc_loader *loader, struct nmc_tensor *tensor,
                               const Onnx__SparseTensorProto *from, const char *what) {
    tensor->type = from->values ? nmc_elem_of(from->values->data_type) : NMC_ELEM_undefined;
    tensor->is_constant = true;
    return read_dims(loader, tensor, from->dims, from->n_dims, what);
}
