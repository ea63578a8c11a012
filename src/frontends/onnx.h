/*
 * onnx.h - an ONNX file becomes a net.
 *
 * The stages: what the file is (onnx_sniff), the wire walk (onnx_slim), protobuf-c, the IR
 * (onnx_build and the files around it), order (graph/sort.c). Weights are dims and a type: their
 * values are not read, and external data need not exist. Shapes are as the file states them;
 * inferring the others is the graph's.
 */
#ifndef NMC_ONNX_H
#define NMC_ONNX_H

#include "base/file.h"
#include "graph/graph.h"

struct nmc_onnx_options {
    /* Further names of neurons (see graph/soma.h): calls of functions so named stay calls. */
    const char *const *soma_ops;
    size_t soma_op_count;
    const struct nmc_peek *peek; /* of the path, if it was looked at before; may be NULL */
};

/* path "-" is standard input. options may be NULL. On failure *out is NULL and diags says why. */
neuromc_status nmc_onnx_load_with(const char *path, const struct nmc_onnx_options *options,
                                  struct nmc_net **out, neuromc_diags *diags);
neuromc_status nmc_onnx_load(const char *path, struct nmc_net **out, neuromc_diags *diags);

/* The same from memory; name is what messages call the file. */
neuromc_status nmc_onnx_parse(const unsigned char *data, size_t size, const char *name,
                              struct nmc_net **out, neuromc_diags *diags);

#endif
