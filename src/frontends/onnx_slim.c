#include "frontends/onnx_slim.h"

#include <string.h>

#include "base/diag.h"
#include "base/limits.h"
#include "base/memory.h"
#include "frontends/onnx_payload.h"
#include "frontends/onnx_walk.h"
#include "frontends/wire.h"
#include "onnx.pb-c.h"

enum {
    NODE_FILE_AT = 50000,  /* the number in onnx.proto of NodeProto.file_at */
    LENGTH_BYTES = 5,      /* the room for a length that is not known yet */
    FORGET_BYTES = 1 << 22 /* this often, passed pages are let go */
};

/* ---- the slim message ----------------------------------------------------------------------- */

static neuromc_status put(struct nmc_walk *w, const void *bytes, size_t size) {
    struct nmc_slim *slim = w->slim;
    if (size > NMC_LIMIT_SLIM_BYTES - slim->size)
        return nmc_walk_refuse(w, NULL,
                               "more than %zu bytes besides the weights (NMC_LIMIT_SLIM_BYTES)",
                               NMC_LIMIT_SLIM_BYTES);
    if (!nmc_grow(&slim->data, &slim->capacity, slim->size + size, 1))
        return nmc_out_of_memory(w->diags);
    if (size)
        memcpy(slim->data + slim->size, bytes, size);
    slim->size += size;
    return NEUROMC_OK;
}

static neuromc_status put_tag(struct nmc_walk *w, uint32_t number, int type) {
    unsigned char bytes[NMC_WIRE_VARINT_SIZE];
    return put(w, bytes, nmc_wire_put_varint(bytes, (uint64_t)number << 3 | (unsigned)type));
}

static neuromc_status put_varint(struct nmc_walk *w, uint64_t value) {
    unsigned char bytes[NMC_WIRE_VARINT_SIZE];
    return put(w, bytes, nmc_wire_put_varint(bytes, value));
}

/* A padded varint of fixed size takes the length of a message once it is known. */
static void patch_length(struct nmc_walk *w, size_t at) {
    size_t length = w->slim->size - at - LENGTH_BYTES;
    unsigned char *out = w->slim->data + at;
    for (int i = 0; i < LENGTH_BYTES; i++, length >>= 7)
        out[i] = (unsigned char)((length & 0x7f) | (i + 1 < LENGTH_BYTES ? 0x80 : 0));
}

/* ---- fields --------------------------------------------------------------------------------- */

/* The message type of a field, nodes included, which onnx.proto has as bytes; or NULL. */
static const ProtobufCMessageDescriptor *message_of(const ProtobufCMessageDescriptor *type,
                                                    const ProtobufCFieldDescriptor *field) {
    bool holds_nodes =
        type == &onnx__graph_proto__descriptor || type == &onnx__function_proto__descriptor;
    if (holds_nodes && strcmp(field->name, "node") == 0)
        return &onnx__node_proto__descriptor;
    return field->type == PROTOBUF_C_TYPE_MESSAGE ? field->descriptor : NULL;
}

static int wire_type_of(ProtobufCType type) {
    switch (type) {
    case PROTOBUF_C_TYPE_MESSAGE:
    case PROTOBUF_C_TYPE_STRING:
    case PROTOBUF_C_TYPE_BYTES: return NMC_WIRE_BYTES;
    case PROTOBUF_C_TYPE_FLOAT: return NMC_WIRE_32;
    case PROTOBUF_C_TYPE_DOUBLE: return NMC_WIRE_64;
    default: return NMC_WIRE_VARINT;
    }
}

static bool packed_well(const struct nmc_walk *w, const struct nmc_wire_field *got, int element) {
    if (element != NMC_WIRE_VARINT)
        return got->value % (element == NMC_WIRE_64 ? 8 : 4) == 0;
    struct nmc_wire wire = {w->wire.data, got->from, got->from + (size_t)got->value};
    uint64_t value;
    while (wire.at < wire.end)
        if (nmc_wire_varint(&wire, &value))
            return false;
    return true;
}

static neuromc_status copy_field(struct nmc_walk *w, const ProtobufCFieldDescriptor *field,
                                 const struct nmc_wire_field *got) {
    int wanted = wire_type_of(field->type);
    bool packed = field->label == PROTOBUF_C_LABEL_REPEATED && wanted != NMC_WIRE_BYTES &&
                  got->type == NMC_WIRE_BYTES;
    if (got->type != wanted && !packed)
        return nmc_walk_refuse_field(w, field, "has the wrong wire type");
    if (packed && !packed_well(w, got, wanted))
        return nmc_walk_refuse_field(w, field, "is badly packed");
    /* Names become C strings. */
    if (field->type == PROTOBUF_C_TYPE_STRING &&
        memchr(w->wire.data + got->from, 0, (size_t)got->value))
        return nmc_walk_refuse_field(w, field, "holds a NUL byte");
    return put(w, w->wire.data + got->start, w->wire.at - got->start);
}

/* ---- messages in messages ------------------------------------------------------------------- */

static neuromc_status check_limits(struct nmc_walk *w, const ProtobufCMessageDescriptor *type) {
    if (w->depth == NMC_LIMIT_PROTO_DEPTH)
        return nmc_walk_refuse(w, NULL,
                               "messages nested too deep: more than %d (NMC_LIMIT_PROTO_DEPTH)",
                               NMC_LIMIT_PROTO_DEPTH);
    if (type == &onnx__graph_proto__descriptor && w->graphs++ > NMC_LIMIT_GRAPH_DEPTH)
        return nmc_walk_refuse(w, NULL,
                               "subgraphs nested too deep: more than %d (NMC_LIMIT_GRAPH_DEPTH)",
                               NMC_LIMIT_GRAPH_DEPTH);
    if (type == &onnx__node_proto__descriptor && w->nodes++ == NMC_LIMIT_NODES)
        return nmc_walk_refuse(w, NULL, "more than %d nodes (NMC_LIMIT_NODES)", NMC_LIMIT_NODES);
    return NEUROMC_OK;
}

static neuromc_status enter_tensor(struct nmc_walk *w, struct nmc_frame *frame) {
    struct nmc_payload payload;
    struct nmc_wire wire = {w->wire.data, w->wire.at, frame->end};
    struct nmc_wire_field field;
    enum nmc_wire_fault fault = nmc_payload_scan(&payload, &wire, &field);
    if (fault) {
        w->wire.at = wire.at;
        return nmc_walk_refuse_fault(w, fault, &field);
    }
    frame->keeps_payload = nmc_payload_wanted(&payload, &w->payload);
    if (!payload.has_raw)
        return NEUROMC_OK;
    neuromc_status status = put_tag(w, NMC_PAYLOAD_RAW_BYTES, NMC_WIRE_VARINT);
    return status ? status : put_varint(w, payload.raw_bytes);
}

static neuromc_status enter_node(struct nmc_walk *w, const struct nmc_wire_field *got) {
    neuromc_status status = put_tag(w, NODE_FILE_AT, NMC_WIRE_VARINT);
    return status ? status : put_varint(w, got->from);
}

static neuromc_status enter(struct nmc_walk *w, const ProtobufCMessageDescriptor *type,
                            const ProtobufCFieldDescriptor *field,
                            const struct nmc_wire_field *got) {
    const struct nmc_frame *around = &w->frames[w->depth - 1];
    uint32_t seen = around->seen[field - around->type->fields];
    if (got->type != NMC_WIRE_BYTES)
        return nmc_walk_refuse_field(w, field, "has the wrong wire type");
    /* Merging two halves of a message is legal protobuf that no exporter writes. */
    if (field->label != PROTOBUF_C_LABEL_REPEATED && seen > 1)
        return nmc_walk_refuse_field(w, field, "comes twice");
    size_t end = w->wire.at;
    w->wire.at = got->from;
    neuromc_status status = check_limits(w, type);
    if (!status)
        status = put_tag(w, got->number, NMC_WIRE_BYTES);
    if (status)
        return status;
    struct nmc_frame *frame = &w->frames[w->depth];
    *frame = (struct nmc_frame){
        .type = type, .via = field, .index = seen - 1, .end = end, .length_at = w->slim->size};
    status = put(w, (const unsigned char[LENGTH_BYTES]){0}, LENGTH_BYTES);
    if (status)
        return status;
    w->depth++;
    w->wire.end = end;
    if (type == &onnx__node_proto__descriptor)
        return enter_node(w, got);
    return type == &onnx__tensor_proto__descriptor ? enter_tensor(w, frame) : NEUROMC_OK;
}

static void leave(struct nmc_walk *w) {
    const struct nmc_frame *frame = &w->frames[--w->depth];
    if (frame->type == &onnx__graph_proto__descriptor)
        w->graphs--;
    if (w->depth == 0)
        return;
    patch_length(w, frame->length_at);
    w->wire.end = w->frames[w->depth - 1].end;
}

/* ---- the walk ------------------------------------------------------------------------------- */

static neuromc_status take_field(struct nmc_walk *w) {
    struct nmc_frame *frame = &w->frames[w->depth - 1];
    struct nmc_wire_field got;
    enum nmc_wire_fault fault = nmc_wire_next(&w->wire, &got);
    if (fault)
        return nmc_walk_refuse_fault(w, fault, &got);
    const ProtobufCFieldDescriptor *field =
        protobuf_c_message_descriptor_get_field(frame->type, got.number);
    if (!field)
        return NEUROMC_OK;
    if (frame->type == &onnx__node_proto__descriptor && got.number == NODE_FILE_AT)
        return NEUROMC_OK;
    if (frame->type == &onnx__tensor_proto__descriptor) {
        bool payload = nmc_payload_is(got.number);
        if ((payload && !frame->keeps_payload) || got.number == NMC_PAYLOAD_RAW_BYTES)
            return NEUROMC_OK;
    }
    frame->seen[field - frame->type->fields]++;
    const ProtobufCMessageDescriptor *message = message_of(frame->type, field);
    return message ? enter(w, message, field, &got) : copy_field(w, field, &got);
}

/* The kernel maps neighbouring pages at each fault; those behind us are let go in time. */
static void forget_passed(struct nmc_walk *w) {
    if (w->wire.at < w->forgotten || w->wire.at - w->forgotten < FORGET_BYTES)
        return;
    nmc_file_forget(w->file, w->forgotten, w->wire.at);
    w->forgotten = w->wire.at;
}

neuromc_status nmc_slim_make(struct nmc_slim *slim, const struct nmc_file *file, const char *name,
                             neuromc_diags *diags) {
    *slim = (struct nmc_slim){0};
    struct nmc_walk *w = nmc_malloc(sizeof *w);
    if (!w)
        return nmc_out_of_memory(diags);
    *w = (struct nmc_walk){.wire = {file->data, 0, file->size},
                           .slim = slim,
                           .file = file,
                           .depth = 1,
                           .name = name,
                           .diags = diags};
    w->frames[0] = (struct nmc_frame){.type = &onnx__model_proto__descriptor, .end = file->size};
    neuromc_status status = NEUROMC_OK;
    while (!status && w->depth) {
        if (w->wire.at == w->wire.end)
            leave(w);
        else
            status = take_field(w);
        forget_passed(w);
    }
    nmc_file_forget(file, w->forgotten, file->size);
    nmc_free(w);
    if (status)
        nmc_slim_release(slim);
    return status;
}

void nmc_slim_release(struct nmc_slim *slim) {
    nmc_free(slim->data);
    *slim = (struct nmc_slim){0};
}
