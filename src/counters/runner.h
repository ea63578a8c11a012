/*
 * runner.h - a model, its session in ONNX Runtime, its made-up inputs: what the parts of
 * neuromc_runner share.
 */
#ifndef NMC_RUNNER_H
#define NMC_RUNNER_H

#include "counters/ort.h"
#include "counters/values.h"

/* Weights that were made up. */
struct nmc_made_up {
    int64_t tensors, elements;
};

struct neuromc_runner {
    struct nmc_arena arena;
    const char *path;
    neuromc_model *model;
    struct nmc_ort ort;
    struct nmc_session session;
    struct nmc_input_values values;
    int threads;
    bool random_weights;
    uint64_t weight_seed;
    struct nmc_made_up made_up;
    void **data; /* of each input; owned */
    int64_t macs, load_ns;
    bool ran;
};

/* Monotonic, in nanoseconds. */
int64_t nmc_now_ns(void);

/* run_model.c: opens the session, with made-up weights if they were asked for; says what is
 * missing if they were not. */
neuromc_status nmc_runner_open(struct neuromc_runner *runner, const neuromc_runner_options *options,
                               neuromc_diags *diags);
/* run_input.c: every input gets its tensor, in the shape that the estimate has. */
neuromc_status nmc_runner_feed(struct neuromc_runner *runner, neuromc_diags *diags);

#endif
