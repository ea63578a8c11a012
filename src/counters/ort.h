/*
 * ort.h - ONNX Runtime, found at run time: one library, one session, tensors in and out.
 *
 * Nothing is linked against it and no header of it is needed. What a call refuses comes back as
 * NEUROMC_UNSUPPORTED with the runtime's own words.
 */
#ifndef NMC_ORT_H
#define NMC_ORT_H

#include "base/arena.h"
#include "base/diag.h"
#include "counters/ort_api.h"
#include "graph/graph.h"

struct nmc_ort {
    void *library;
    const struct nmc_ort_api *api;
    const char *version; /* "1.24.3", the library's own text */
};

/* The library at `path` (a file, or a folder that holds it), or where NEUROMC_ORT_LIB says, or
 * on the linker's path, or in build/ort/ of the source tree. NEUROMC_IO if there is none. */
neuromc_status nmc_ort_open(struct nmc_ort *ort, const char *path, neuromc_diags *diags);
void nmc_ort_close(struct nmc_ort *ort);

/* Takes a call's result: NEUROMC_OK, or the error it holds, which it releases. `what` was being
 * done. */
neuromc_status nmc_ort_take(const struct nmc_ort *ort, nmc_ort_result result, const char *what,
                            neuromc_diags *diags);

/* An input of the session. */
struct nmc_ort_input {
    const char *name;
    enum nmc_elem type;
    int rank;
    int64_t *dims; /* -1: open */
};

struct nmc_session {
    const struct nmc_ort *ort;
    struct nmc_arena arena;
    struct nmc_ort_env *env;
    struct nmc_ort_session *session;
    struct nmc_ort_memory *memory;
    struct nmc_ort_allocator *allocator;
    struct nmc_ort_input *inputs;
    size_t input_count, output_count;
    const char **input_names, **output_names;
    struct nmc_ort_value **values;  /* what goes in, set by nmc_session_set */
    struct nmc_ort_value **outputs; /* of the last run */
};

/* The model at `path`, or, if data is not NULL, these bytes, which are not needed afterwards. The
 * session must be closed also after a failure. */
neuromc_status nmc_session_open(struct nmc_session *session, const struct nmc_ort *ort,
                                const char *path, const void *data, size_t size, int threads,
                                neuromc_diags *diags);
void nmc_session_close(struct nmc_session *session);

/* Gives an input its tensor. data must stay where it is; NULL makes a tensor of empty strings. */
neuromc_status nmc_session_set(struct nmc_session *session, size_t input, void *data, size_t size,
                               const int64_t *dims, int rank, neuromc_diags *diags);
neuromc_status nmc_session_run(struct nmc_session *session, neuromc_diags *diags);

/* What a value holds; data NULL: not a tensor (then rank is -1), or one of strings. dims live in
 * the arena. value may be NULL. */
struct nmc_ort_tensor {
    enum nmc_elem type;
    int rank;
    const int64_t *dims;
    int64_t elements;
    const void *data;
};
neuromc_status nmc_session_tensor(const struct nmc_session *session, struct nmc_ort_value *value,
                                  struct nmc_arena *arena, struct nmc_ort_tensor *out,
                                  neuromc_diags *diags);

#endif
