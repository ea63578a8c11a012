/*
 * wire.h - the protobuf wire format, one field at a time, every length checked against what is
 * left. Nothing is copied and nothing recurses.
 */
#ifndef NMC_WIRE_H
#define NMC_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum nmc_wire_type { NMC_WIRE_VARINT = 0, NMC_WIRE_64 = 1, NMC_WIRE_BYTES = 2, NMC_WIRE_32 = 5 };

enum nmc_wire_fault {
    NMC_WIRE_OK,
    NMC_WIRE_TRUNCATED,    /* the bytes end inside a field */
    NMC_WIRE_BAD_VARINT,   /* more than 64 bits, or padded beyond 5 bytes in a tag or length */
    NMC_WIRE_FIELD_NUMBER, /* 0, or above 2^29 - 1 */
    NMC_WIRE_TYPE,         /* a group (deprecated, ONNX has none) or no wire type at all */
    NMC_WIRE_LENGTH        /* a declared length beyond the end of the message */
};

/* Reads data[at..end). After a fault `at` is the first byte of the field at fault. */
struct nmc_wire {
    const unsigned char *data;
    size_t at, end;
};

struct nmc_wire_field {
    uint32_t number;
    int type;       /* enum nmc_wire_type, or what the file has instead */
    uint64_t value; /* of a varint or fixed field; the declared length of a bytes field */
    size_t start;   /* where the field starts */
    size_t from;    /* where a bytes field's content starts */
};

/* The next field; `at` moves behind it, past the content of a bytes field too. Not to be called
 * at the end. The field is filled in as far as it could be read. */
enum nmc_wire_fault nmc_wire_next(struct nmc_wire *wire, struct nmc_wire_field *field);

/* A bare varint, as in packed fields; `at` moves behind it unless there is a fault. */
enum nmc_wire_fault nmc_wire_varint(struct nmc_wire *wire, uint64_t *out);

/* Longest forms of 64 and of 32 bits; protobuf-c reads no more than these. */
enum { NMC_WIRE_VARINT_SIZE = 10, NMC_WIRE_SHORT_VARINT_SIZE = 5 };

/* Writes a varint in its shortest form; returns its length. */
size_t nmc_wire_put_varint(unsigned char out[NMC_WIRE_VARINT_SIZE], uint64_t value);

#endif
