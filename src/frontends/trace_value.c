/* Tensors, and the nested lists of values that an aten operator takes and gives. */
#include <string.h>

#include "base/checked.h"
#include "base/limits.h"
#include "base/number.h"
#include "frontends/trace_read.h"

static const struct nmc_trace_tensor no_tensor = {.rank = -1};

size_t nmc_trace_read_length(const char *at) {
    size_t count = 0;
    for (bool more = nmc_scan_enter(&at); more; more = nmc_scan_next(&at)) {
        at = nmc_scan_skip(at);
        count++;
    }
    return count;
}

/* A dim of 0 makes any product 0, whatever the others are. */
static bool count_elements(struct nmc_trace_tensor *tensor) {
    for (int i = 0; i < tensor->rank; i++)
        if (tensor->dims[i] == 0)
            return true;
    return nmc_product(tensor->dims, tensor->rank, &tensor->elements);
}

neuromc_status nmc_trace_read_shape(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                    const char **at, void *out) {
    struct nmc_trace_tensor *tensor = out;
    const char *start = *at;
    neuromc_status status = nmc_trace_read_expect(trace, key, start, NMC_SCAN_LIST);
    if (status)
        return status;
    size_t rank = nmc_trace_read_length(start);
    if (rank > NMC_LIMIT_RANK)
        return nmc_trace_read_error(trace, key, start, NULL, "%zu dims; the limit is %d", rank,
                                    NMC_LIMIT_RANK);
    int64_t *dims = nmc_arena_array(&trace->scratch, rank, sizeof *dims);
    if (!dims)
        return nmc_out_of_memory(trace->diags);
    struct nmc_trace_key item = {.up = key};
    for (bool more = nmc_scan_enter(at); more; more = nmc_scan_next(at), item.index++) {
        status = nmc_trace_read_count(trace, &item, at, &dims[item.index]);
        if (status)
            return status;
    }
    tensor->rank = (int)rank;
    tensor->dims = dims;
    tensor->elements = 0;
    if (!count_elements(tensor))
        return nmc_trace_read_error(trace, key, start, NULL,
                                    "the tensor has more than 2^63 elements");
    return NEUROMC_OK;
}

/* The tensor's own key holds rank, dims and elements, so `shape` reads into offset 0. */
static neuromc_status read_fields(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                  const char **at, bool with_spike, void *out) {
    static const struct nmc_trace_field fields[] = {
        NMC_TRACE_FIELD("shape", nmc_trace_read_shape, struct nmc_trace_tensor, rank, true),
        NMC_TRACE_FIELD("requires_grad", nmc_trace_read_bool, struct nmc_trace_tensor,
                        requires_grad, true),
        NMC_TRACE_FIELD("spike", nmc_trace_read_bool, struct nmc_trace_tensor, spike, true),
    };
    *(struct nmc_trace_tensor *)out = no_tensor;
    if (nmc_scan_kind(*at) == NMC_SCAN_NULL) {
        *at = nmc_scan_skip(*at);
        return NEUROMC_OK;
    }
    return nmc_trace_read_object(trace, key, at, fields, with_spike ? 3 : 2, out);
}

neuromc_status nmc_trace_read_tensor(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                     const char **at, void *out) {
    return read_fields(trace, key, at, true, out);
}

neuromc_status nmc_trace_read_weight(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                     const char **at, void *out) {
    return read_fields(trace, key, at, false, out);
}

static neuromc_status read_number(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                  const char **at, struct nmc_trace_value *value) {
    const char *rest = *at;
    struct nmc_scan_span span = nmc_scan_take(&rest);
    if (nmc_integer_parse(span.start, span.length, &value->as.integer)) {
        value->kind = NMC_VALUE_INTEGER;
        *at = rest;
        return NEUROMC_OK;
    }
    value->kind = NMC_VALUE_REAL;
    return nmc_trace_read_real(trace, key, at, &value->as.real);
}

neuromc_status nmc_trace_read_args(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                   const char **at, void *out) {
    struct nmc_trace_list *list = out;
    neuromc_status status = nmc_trace_read_expect(trace, key, *at, NMC_SCAN_LIST);
    if (status)
        return status;
    list->count = nmc_trace_read_length(*at);
    struct nmc_trace_value *items =
        nmc_arena_array(&trace->scratch, list->count, sizeof *list->items);
    if (!items)
        return nmc_out_of_memory(trace->diags);
    list->items = items;
    struct nmc_trace_key item = {.up = key};
    for (bool more = nmc_scan_enter(at); more; more = nmc_scan_next(at), item.index++) {
        status = nmc_trace_read_value(trace, &item, at, &items[item.index]);
        if (status)
            return status;
    }
    return NEUROMC_OK;
}

neuromc_status nmc_trace_read_value(struct nmc_trace *trace, const struct nmc_trace_key *key,
                                    const char **at, void *out) {
    struct nmc_trace_value *value = out;
    switch (nmc_scan_kind(*at)) {
    case NMC_SCAN_BOOL:
        value->kind = NMC_VALUE_BOOL;
        return nmc_trace_read_bool(trace, key, at, &value->as.truth);
    case NMC_SCAN_NUMBER: return read_number(trace, key, at, value);
    case NMC_SCAN_LIST:
        value->kind = NMC_VALUE_LIST;
        return nmc_trace_read_args(trace, key, at, &value->as.list);
    case NMC_SCAN_OBJECT:
        value->kind = NMC_VALUE_TENSOR;
        return nmc_trace_read_tensor(trace, key, at, &value->as.tensor);
    case NMC_SCAN_TEXT: value->kind = NMC_VALUE_TEXT; break;
    case NMC_SCAN_NULL: value->kind = NMC_VALUE_NULL; break;
    }
    *at = nmc_scan_skip(*at);
    return NEUROMC_OK;
}
