#include "proto_bytes.h"

#include <string.h>

#include "frontends/wire.h"

void proto_varint(struct nmc_strbuf *out, uint64_t value) {
    unsigned char bytes[NMC_WIRE_VARINT_SIZE];
    size_t size = nmc_wire_put_varint(bytes, value);
    nmc_strbuf_add(out, (const char *)bytes, size);
}

void proto_tag(struct nmc_strbuf *out, uint32_t number, int wire_type) {
    proto_varint(out, (uint64_t)number << 3 | (unsigned)wire_type);
}

void proto_int(struct nmc_strbuf *out, uint32_t number, uint64_t value) {
    proto_tag(out, number, NMC_WIRE_VARINT);
    proto_varint(out, value);
}

void proto_bytes(struct nmc_strbuf *out, uint32_t number, const void *data, size_t size) {
    proto_tag(out, number, NMC_WIRE_BYTES);
    proto_varint(out, size);
    nmc_strbuf_add(out, data, size);
}

void proto_text(struct nmc_strbuf *out, uint32_t number, const char *text) {
    proto_bytes(out, number, text, strlen(text));
}

void proto_put(struct nmc_strbuf *out, uint32_t number, struct nmc_strbuf *message) {
    proto_bytes(out, number, message->text, message->length);
    nmc_strbuf_release(message);
}

static void put_words(struct nmc_strbuf *out, uint32_t number, const char *words) {
    while (*words) {
        size_t length = strcspn(words, " ");
        proto_bytes(out, number, words, length);
        words += length + (words[length] == ' ');
    }
}

struct nmc_strbuf proto_node(const char *op_type, const char *inputs, const char *outputs) {
    struct nmc_strbuf node;
    nmc_strbuf_init(&node);
    put_words(&node, 1, inputs);
    put_words(&node, 2, outputs);
    proto_text(&node, 4, op_type);
    return node;
}

struct nmc_strbuf proto_info(const char *name) {
    struct nmc_strbuf info, type, tensor;
    nmc_strbuf_init(&info);
    nmc_strbuf_init(&type);
    nmc_strbuf_init(&tensor);
    proto_int(&tensor, 1, 1);
    proto_put(&type, 1, &tensor);
    proto_text(&info, 1, name);
    proto_put(&info, 2, &type);
    return info;
}

struct nmc_strbuf proto_model(struct nmc_strbuf *graph) {
    struct nmc_strbuf model, opset;
    nmc_strbuf_init(&model);
    nmc_strbuf_init(&opset);
    proto_int(&model, 1, 8);
    proto_int(&opset, 2, 13);
    proto_put(&model, 8, &opset);
    proto_put(&model, 7, graph);
    return model;
}
