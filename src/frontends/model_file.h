/*
 * model_file.h - what neuromc_model_load opened: an ONNX network, or a trace that is read when
 * it is estimated.
 */
#ifndef NMC_MODEL_FILE_H
#define NMC_MODEL_FILE_H

#include "base/file.h"
#include "graph/graph.h"

struct neuromc_model {
    char *path;
    struct nmc_peek peek;
    bool spent;          /* a trace from a stream that was read */
    struct nmc_net *net; /* NULL: a trace */
};

/* neuromc_model_load for a path that was peeked at. The peek is taken over, also on failure. */
neuromc_status nmc_model_open(const char *path, struct nmc_peek *peek,
                              const neuromc_model_options *options, neuromc_model **out,
                              neuromc_diags *diags);

#endif
