/*
 * onnx_payload.h - which tensors keep their values: those small enough to be folded. Weights are
 * dims and a type.
 */
#ifndef NMC_ONNX_PAYLOAD_H
#define NMC_ONNX_PAYLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "frontends/wire.h"

enum { NMC_PAYLOAD_RAW_BYTES = 50000 }; /* the number of TensorProto.raw_bytes in onnx.proto */

/* A TensorProto as far as this choice needs it. */
struct nmc_payload {
    int data_type;
    uint64_t elements; /* UINT64_MAX: negative dims, or too many to count */
    uint64_t bytes;    /* of all payload fields */
    uint64_t raw_bytes;
    bool has_raw;
};

/* Whether a field of TensorProto holds values. */
bool nmc_payload_is(uint32_t number);

/* Reads over one TensorProto. A fault leaves wire->at on the bad field, and *field filled in. */
enum nmc_wire_fault nmc_payload_scan(struct nmc_payload *payload, struct nmc_wire *wire,
                                     struct nmc_wire_field *field);

/* *kept counts the bytes kept so far, against NMC_LIMIT_KEPT_BYTES. */
bool nmc_payload_wanted(const struct nmc_payload *payload, size_t *kept);

#endif
