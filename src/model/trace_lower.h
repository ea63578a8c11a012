/*
 * trace_lower.h - an operator trace becomes fragments, in either accounting (accounting.md).
 *
 * The trace is read once, from front to back. Fragments of module and optimizer events reach the
 * sink as they are read; those that only aten operators show follow at the end. Both accountings
 * are lowered at once: the sink's fragments are those of options->accounting, its differences
 * are all there is between the two, so that
 *
 *     energy(corrected) - energy(runtime) = sum over differences of (corrected - runtime)
 *
 * With options->no_mapping equal aten fragments come one behind the other, a difference between
 * equal fragments comes once with their number in `times`, and memory does not grow with events
 * (see trace_claims.h and trace_work.h for what it does grow with: an unclaimed operator between
 * different ones of its shape takes 8 bytes, a forward GEMM without a backward one takes a bit).
 */
#ifndef NMC_TRACE_LOWER_H
#define NMC_TRACE_LOWER_H

#include "base/diag.h"
#include "base/file.h"
#include "model/fragment.h"
#include "model/preset.h"

struct nmc_trace_summary {
    enum nmc_core core_type; /* of the header; it enters no count */
    int64_t events;
    /* Why the runtime accounting refuses this trace, or NULL. Only under corrected: then the
     * differences stand for nothing. Static text that goes on after "because ". */
    const char *runtime_refusal;
};

/* path and peek as in nmc_trace_open; precision is the preset's. Uses accounting, strict,
 * no_mapping and spike_rate of the options (NULL: the defaults); spike_rate is one number and not
 * for the runtime accounting. NEUROMC_BAD_INPUT if the trace is malformed; NEUROMC_UNSUPPORTED if
 * it is refused. */
neuromc_status nmc_trace_lower(const char *path, const struct nmc_peek *peek,
                               const struct nmc_precision *precision,
                               const neuromc_estimate_options *options, struct nmc_work_sink *sink,
                               struct nmc_trace_summary *summary, neuromc_diags *diags);

#endif
