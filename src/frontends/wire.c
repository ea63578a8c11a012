/* The protobuf wire format, read and (varints) written. */
#include "frontends/wire.h"

enum nmc_wire_fault nmc_wire_varint(struct nmc_wire *wire, uint64_t *out) {
    uint64_t value = 0;
    if (wire->at < wire->end && wire->data[wire->at] < 0x80) { /* most are this short */
        *out = wire->data[wire->at++];
        return NMC_WIRE_OK;
    }
    for (size_t i = 0; i < NMC_WIRE_VARINT_SIZE; i++) {
        if (wire->end - wire->at <= i)
            return NMC_WIRE_TRUNCATED;
        unsigned char byte = wire->data[wire->at + i];
        /* the tenth byte holds bit 63 alone */
        if (i == NMC_WIRE_VARINT_SIZE - 1 && byte > 1)
            return NMC_WIRE_BAD_VARINT;
        value |= (uint64_t)(byte & 0x7f) << (7 * i);
        if (byte < 0x80) {
            wire->at += i + 1;
            *out = value;
            return NMC_WIRE_OK;
        }
    }
    return NMC_WIRE_BAD_VARINT;
}

static enum nmc_wire_fault read_fixed(struct nmc_wire *wire, size_t size, uint64_t *out) {
    if (wire->end - wire->at < size)
        return NMC_WIRE_TRUNCATED;
    *out = 0;
    for (size_t i = 0; i < size; i++)
        *out |= (uint64_t)wire->data[wire->at + i] << (8 * i);
    wire->at += size;
    return NMC_WIRE_OK;
}

static enum nmc_wire_fault read_bytes(struct nmc_wire *wire, struct nmc_wire_field *field) {
    size_t before = wire->at;
    enum nmc_wire_fault fault = nmc_wire_varint(wire, &field->value);
    if (fault)
        return fault;
    if (field->value > wire->end - wire->at)
        return NMC_WIRE_LENGTH;
    if (wire->at - before > NMC_WIRE_SHORT_VARINT_SIZE)
        return NMC_WIRE_BAD_VARINT;
    field->from = wire->at;
    wire->at += (size_t)field->value;
    return NMC_WIRE_OK;
}

static enum nmc_wire_fault read_field(struct nmc_wire *wire, struct nmc_wire_field *field) {
    uint64_t tag;
    enum nmc_wire_fault fault = nmc_wire_varint(wire, &tag);
    if (fault)
        return fault;
    if (wire->at - field->start > NMC_WIRE_SHORT_VARINT_SIZE)
        return NMC_WIRE_BAD_VARINT;
    if (tag >> 3 == 0 || tag >> 3 > (UINT32_C(1) << 29) - 1)
        return NMC_WIRE_FIELD_NUMBER;
    field->number = (uint32_t)(tag >> 3);
    field->type = (int)(tag & 7);
    switch (field->type) {
    case NMC_WIRE_VARINT: return nmc_wire_varint(wire, &field->value);
    case NMC_WIRE_64: return read_fixed(wire, 8, &field->value);
    case NMC_WIRE_32: return read_fixed(wire, 4, &field->value);
    case NMC_WIRE_BYTES: return read_bytes(wire, field);
    default: return NMC_WIRE_TYPE;
    }
}

enum nmc_wire_fault nmc_wire_next(struct nmc_wire *wire, struct nmc_wire_field *field) {
    *field = (struct nmc_wire_field){.start = wire->at};
    enum nmc_wire_fault fault = read_field(wire, field);
    if (fault)
        wire->at = field->start;
    return fault;
}

size_t nmc_wire_put_varint(unsigned char out[NMC_WIRE_VARINT_SIZE], uint64_t value) {
    size_t size = 0;
    for (; value >= 0x80; value >>= 7)
        out[size++] = (unsigned char)(value | 0x80);
    out[size++] = (unsigned char)value;
    return size;
}
