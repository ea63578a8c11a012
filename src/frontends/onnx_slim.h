/*
 * onnx_slim.h - the wire walk before protobuf-c: a model file becomes a slim message that is safe
 * to unpack.
 *
 * protobuf-c recurses without limit, copies every byte and says nothing about what is wrong. The
 * walk goes first, without recursion: it checks every length, depth and count, copies the fields
 * that proto/onnx.proto names and leaves out the rest, above all the payloads of tensors. Small
 * payloads stay (integers feed shapes); the pages of others are never touched.
 */
#ifndef NMC_ONNX_SLIM_H
#define NMC_ONNX_SLIM_H

#include "base/file.h"

/* A ModelProto that protobuf-c can unpack: at most 2 GiB, NMC_LIMIT_PROTO_DEPTH messages deep, no
 * field of the wrong wire type, no malformed packed field, no singular message twice, no NUL in a
 * string. */
struct nmc_slim {
    unsigned char *data;
    size_t size, capacity;
};

/* name is the file's in messages. */
neuromc_status nmc_slim_make(struct nmc_slim *slim, const struct nmc_file *file, const char *name,
                             neuromc_diags *diags);
void nmc_slim_release(struct nmc_slim *slim);

#endif
