/*
 * proto_bytes.h - protobuf written byte by byte, right or wrong.
 */
#ifndef PROTO_BYTES_H
#define PROTO_BYTES_H

#include <stdint.h>

#include "base/strbuf.h"

void proto_varint(struct nmc_strbuf *out, uint64_t value);
void proto_tag(struct nmc_strbuf *out, uint32_t number, int wire_type);
void proto_int(struct nmc_strbuf *out, uint32_t number, uint64_t value);
void proto_bytes(struct nmc_strbuf *out, uint32_t number, const void *data, size_t size);
void proto_text(struct nmc_strbuf *out, uint32_t number, const char *text);
/* A message as a field of another; released. */
void proto_put(struct nmc_strbuf *out, uint32_t number, struct nmc_strbuf *message);

/* A NodeProto: names are separated by blanks. */
struct nmc_strbuf proto_node(const char *op_type, const char *inputs, const char *outputs);
/* A ValueInfoProto of one float tensor of unknown shape. */
struct nmc_strbuf proto_info(const char *name);
/* A ModelProto of IR version 8 and opset 13 around a GraphProto; the graph is released. */
struct nmc_strbuf proto_model(struct nmc_strbuf *graph);

#endif
