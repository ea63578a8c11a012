/*
 * trace_text.h - traces written down in a test: text becomes a file that is read and removed.
 */
#ifndef TRACE_TEXT_H
#define TRACE_TEXT_H

#include "model/trace_lower.h"

#define TRACE_HEADER "{\"format\":\"neuromc-trace\",\"version\":1,\"core_type\":\"fp_soma\"}\n"

/* What became of a trace. */
struct trace_result {
    neuromc_status status;
    neuromc_diags *diags;
    struct nmc_trace_summary summary;
    struct nmc_fragment fragments[64]; /* stage, op and node are not to be looked at */
    size_t count;
    int warnings, differences[8]; /* by rule */
    int64_t runtime_macs[8], corrected_macs[8];
    int costed, free, unmodelled;
    int64_t unmodelled_elements;
};

/* What traces are lowered with: that of neuromc_like_v1, unless a test says otherwise. */
extern struct nmc_precision trace_precision;

struct trace_result trace_lower(const char *text, size_t size,
                                const neuromc_estimate_options *options);
void trace_release(struct trace_result *result);

/* The first error, or NULL. */
const neuromc_diag *trace_error(const struct trace_result *result);

#endif
