/*
 * onnx_walk.h - where the wire walk is: the messages around it, and errors that say the place.
 */
#ifndef NMC_ONNX_WALK_H
#define NMC_ONNX_WALK_H

#include "base/file.h"
#include "base/limits.h"
#include "frontends/onnx_slim.h"
#include "frontends/wire.h"
#include "onnx.pb-c.h"

enum { NMC_WALK_FIELDS = 24 }; /* of one message type; onnx.proto's largest has 15 */

/* A message that is being walked. */
struct nmc_frame {
    const ProtobufCMessageDescriptor *type;
    const ProtobufCFieldDescriptor *via; /* the field it is; NULL for the model */
    uint32_t index;                      /* among the parent's fields of that name */
    size_t end;                          /* in the file */
    size_t length_at;                    /* in the slim message: where its length goes */
    bool keeps_payload;                  /* of a tensor */
    uint32_t seen[NMC_WALK_FIELDS];      /* how often each field came, by descriptor index */
};

struct nmc_walk {
    struct nmc_wire wire;
    struct nmc_slim *slim;
    const struct nmc_file *file;
    size_t forgotten;
    struct nmc_frame frames[NMC_LIMIT_PROTO_DEPTH];
    int depth;      /* frames in use */
    int graphs;     /* GraphProtos among them */
    size_t nodes;   /* seen so far */
    size_t payload; /* bytes kept so far, of those that count (onnx_payload.h) */
    const char *name;
    neuromc_diags *diags;
};

/* Each returns NEUROMC_BAD_INPUT, with "graph.node[12].attribute[0], byte 345" as the place. */
neuromc_status nmc_walk_refuse(const struct nmc_walk *walk, const char *hint, const char *format,
                               ...) __attribute__((format(printf, 3, 4)));
neuromc_status nmc_walk_refuse_fault(const struct nmc_walk *walk, enum nmc_wire_fault fault,
                                     const struct nmc_wire_field *field);
neuromc_status nmc_walk_refuse_field(const struct nmc_walk *walk,
                                     const ProtobufCFieldDescriptor *field, const char *what);

#endif
