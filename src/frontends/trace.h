/*
 * trace.h - an operator trace as a stream of events (docs/trace.md).
 *
 * One line is in memory at a time, and only what counting needs is decoded: operators that cost
 * nothing pass by their name, their arguments are checked as JSON and not looked into. Every
 * error names file, line, column and key path.
 *
 * Stage, operator and module names are interned: the same name has the same pointer and the same
 * id, dense from 0, as long as the trace is open. All else in an event lives until the next one.
 */
#ifndef NMC_TRACE_H
#define NMC_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/file.h"

struct nmc_trace;

/* Dims are >= 0 and their product fits. rank -1: null, which is no tensor. */
struct nmc_trace_tensor {
    int rank;
    const int64_t *dims;
    int64_t elements; /* 0 if null */
    bool spike, requires_grad;
};

enum nmc_trace_value_kind {
    NMC_VALUE_NULL,
    NMC_VALUE_BOOL,
    NMC_VALUE_INTEGER,
    NMC_VALUE_REAL,
    NMC_VALUE_TEXT, /* the text itself is not kept */
    NMC_VALUE_TENSOR,
    NMC_VALUE_LIST
};

/* An argument or result of an operator. */
struct nmc_trace_value {
    enum nmc_trace_value_kind kind;
    union {
        bool truth;
        int64_t integer;
        double real;
        struct nmc_trace_tensor tensor;
        struct nmc_trace_list {
            const struct nmc_trace_value *items;
            size_t count;
        } list;
    } as;
};

enum nmc_trace_module_type {
    NMC_MODULE_CONV1D,
    NMC_MODULE_CONV2D,
    NMC_MODULE_CONV3D, /* not in the reference */
    NMC_MODULE_LINEAR,
    NMC_MODULE_BATCH_NORM1D,
    NMC_MODULE_BATCH_NORM2D,
    NMC_MODULE_BATCH_NORM3D,
    NMC_MODULE_SOMA,
    NMC_MODULE_TYPES
};
extern const char *const nmc_trace_module_type_names[NMC_MODULE_TYPES];

struct nmc_trace_module {
    enum nmc_trace_module_type type;
    const char *name;
    uint32_t id;
    bool multi_step;                /* tensors are [T, N, C, ...] */
    struct nmc_trace_tensor weight; /* rank -1 if it has none */
    int64_t in, out;                /* channels or features; 0 of other modules */
    int64_t kernel[3];              /* of a convolution, as many as it has axes */
    int64_t stride[3], dilation[3]; /* the same; 0: not stated */
    int axes;                       /* of a convolution: 1 to 3; else 0 */
    int64_t groups;                 /* divides in; 1 of what has none */
};

struct nmc_trace_parameter {
    int rank;
    int64_t elements;
    bool has_grad, has_momentum_buffer;
};

struct nmc_trace_group {
    double momentum, weight_decay, dampening; /* 0 if not stated */
    bool nesterov, maximize;
    const struct nmc_trace_parameter *parameters;
    size_t parameter_count;
};

/* What an aten operator is to counting. The MORE kinds are refused by the reference. */
enum nmc_aten_kind {
    NMC_ATEN_FREE,
    NMC_ATEN_CONVOLUTION,
    NMC_ATEN_CONVOLUTION_BACKWARD,
    NMC_ATEN_MM,
    NMC_ATEN_ADDMM,
    NMC_ATEN_BMM,
    NMC_ATEN_BMM_MORE,
    NMC_ATEN_MV_MORE,
    NMC_ATEN_DOT_MORE,
    NMC_ATEN_BATCH_NORM,
    NMC_ATEN_BATCH_NORM_BACKWARD,
    NMC_ATEN_BATCH_NORM_MORE,
    NMC_ATEN_BATCH_NORM_BACKWARD_MORE,
    NMC_ATEN_UNKNOWN
};

struct nmc_trace_name {
    const char *text;
    uint32_t id;
    enum nmc_aten_kind aten; /* of an operator's name */
};

enum nmc_trace_kind { NMC_TRACE_FORWARD, NMC_TRACE_BACKWARD, NMC_TRACE_ATEN, NMC_TRACE_STEP };

struct nmc_trace_event {
    enum nmc_trace_kind kind;
    const struct nmc_trace_name *stage;
    /* FORWARD, BACKWARD */
    struct nmc_trace_module module;
    struct nmc_trace_tensor input, output;           /* FORWARD */
    struct nmc_trace_tensor grad_input, grad_output; /* BACKWARD */
    /* ATEN; of UNKNOWN operators only `out` is decoded, of FREE ones neither */
    const struct nmc_trace_name *op;
    struct nmc_trace_list args;
    struct nmc_trace_value out;
    /* STEP */
    const char *optimizer;
    const struct nmc_trace_group *groups;
    size_t group_count;
};

struct nmc_trace_header {
    const char *producer;  /* "" if not stated */
    const char *core_type; /* "fp_soma" if not stated */
};

/* Opens a trace and reads its header; "-" is standard input, and peek (may be NULL) is what was
 * already taken from it. Under strict an unknown event is an error, else a warning. `path` and
 * `diags` must outlive the trace. */
neuromc_status nmc_trace_open(struct nmc_trace **out, const char *path, const struct nmc_peek *peek,
                              bool strict, neuromc_diags *diags);
void nmc_trace_close(struct nmc_trace *trace);
const struct nmc_trace_header *nmc_trace_header(const struct nmc_trace *trace);

/* The next event, or NULL at the end. */
neuromc_status nmc_trace_next(struct nmc_trace *trace, const struct nmc_trace_event **event);

/* An error at the current line, if the trace has not ended; `where` is a key path
 * ("args[1].shape"), or NULL. */
neuromc_status nmc_trace_error(struct nmc_trace *trace, neuromc_status status, const char *where,
                               const char *hint, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
neuromc_status nmc_trace_no_memory(struct nmc_trace *trace);

#endif
