#include "frontends/onnx_payload.h"

#include "base/limits.h"
#include "graph/graph.h"

/* TensorProto's field numbers, as in onnx.proto */
enum {
    DIMS = 1,
    DATA_TYPE = 2,
    FLOAT_DATA = 4,
    INT32_DATA = 5,
    INT64_DATA = 7,
    RAW_DATA = 9,
    DOUBLE_DATA = 10,
    UINT64_DATA = 11
};

bool nmc_payload_is(uint32_t number) {
    switch (number) {
    case FLOAT_DATA:
    case INT32_DATA:
    case INT64_DATA:
    case RAW_DATA:
    case DOUBLE_DATA:
    case UINT64_DATA: return true;
    default: return false;
    }
}

static void add_dim(struct nmc_payload *payload, uint64_t dim) {
    if (payload->elements == UINT64_MAX || dim > INT64_MAX ||
        __builtin_mul_overflow(payload->elements, dim, &payload->elements))
        payload->elements = UINT64_MAX;
}

static enum nmc_wire_fault add_dims(struct nmc_payload *payload, const struct nmc_wire *wire,
                                    const struct nmc_wire_field *field) {
    if (field->type == NMC_WIRE_VARINT)
        add_dim(payload, field->value);
    if (field->type != NMC_WIRE_BYTES)
        return NMC_WIRE_OK;
    struct nmc_wire packed = {wire->data, field->from, field->from + (size_t)field->value};
    while (packed.at < packed.end) {
        uint64_t dim;
        enum nmc_wire_fault fault = nmc_wire_varint(&packed, &dim);
        if (fault)
            return fault;
        add_dim(payload, dim);
    }
    return NMC_WIRE_OK;
}

static void add_payload(struct nmc_payload *payload, const struct nmc_wire_field *field) {
    uint64_t bytes = field->type == NMC_WIRE_BYTES ? field->value : NMC_WIRE_VARINT_SIZE;
    payload->bytes += bytes;
    if (field->number == RAW_DATA) {
        payload->has_raw = true;
        payload->raw_bytes = bytes;
    }
}

enum nmc_wire_fault nmc_payload_scan(struct nmc_payload *payload, struct nmc_wire *wire,
                                     struct nmc_wire_field *field) {
    *payload = (struct nmc_payload){.elements = 1};
    while (wire->at < wire->end) {
        enum nmc_wire_fault fault = nmc_wire_next(wire, field);
        if (!fault && field->number == DIMS)
            fault = add_dims(payload, wire, field);
        if (fault)
            return fault;
        if (field->number == DATA_TYPE)
            payload->data_type = (int)field->value;
        if (nmc_payload_is(field->number))
            add_payload(payload, field);
    }
    return NMC_WIRE_OK;
}

/* Shapes, axes and index lists are 32 or 64 bits wide and always kept. Others (thresholds,
 * scales, masks, quantised weights) stay as long as there are few: a large model has so many bias
 * vectors that keeping each would cost more than the graph. */
bool nmc_payload_wanted(const struct nmc_payload *payload, size_t *kept) {
    if (payload->elements > NMC_LIMIT_FOLD_ELEMENTS ||
        payload->bytes > (uint64_t)NMC_LIMIT_PAYLOAD_BYTES)
        return false;
    if (payload->data_type == NMC_ELEM_int64 || payload->data_type == NMC_ELEM_int32)
        return true;
    char kind = nmc_elem_kind((enum nmc_elem)payload->data_type);
    if ((kind != 'i' && kind != 'b' && kind != 'f') ||
        payload->bytes > NMC_LIMIT_KEPT_BYTES - *kept)
        return false;
    *kept += (size_t)payload->bytes;
    return true;
}
