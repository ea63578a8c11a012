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

#endif
