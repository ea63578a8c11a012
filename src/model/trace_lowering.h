/*
 * trace_lowering.h - the state of one lowering of a trace; private to trace_lower.c, which goes
 * through the events, and trace_finish.c, which does what is only known at the end.
 */
#ifndef NMC_TRACE_LOWERING_H
#define NMC_TRACE_LOWERING_H

#include "base/diag.h"
#include "model/trace_claims.h"
#include "model/trace_lower.h"
#include "model/trace_units.h"
#include "model/trace_work.h"

struct nmc_op_calls {
    const struct nmc_trace_name *op;
    int64_t calls;
};

struct nmc_lowering {
    struct nmc_trace *trace;
    const struct nmc_precision *precision;
    struct nmc_work_sink *sink;
    struct nmc_trace_summary *summary;
    neuromc_diags *diags;
    bool runtime, strict;
    bool any; /* a fragment was made */
    double spike_rate;
    bool driving; /* a fragment was made that spikes drive */

    struct nmc_trace_stage *stages; /* by id */
    struct nmc_last_input *inputs;  /* of modules, by id */
    struct nmc_op_calls *ops;       /* by id; op NULL: not seen */
    size_t stage_count, stage_capacity, input_count, input_capacity, op_count, op_capacity;

    struct nmc_keys signatures; /* of module fragments, as the runtime accounting makes them */
    struct nmc_spike_stacks spikes;
    struct nmc_claims claims;
    struct nmc_units units;
};

/* What both hand to the sink. */
neuromc_status nmc_lowering_emit(struct nmc_lowering *l, const struct nmc_fragment *fragment);
neuromc_status nmc_lowering_cover(struct nmc_lowering *l, const char *op,
                                  enum nmc_coverage_kind kind, int64_t elements);
neuromc_status nmc_lowering_differ(struct nmc_lowering *l, int rule,
                                   const struct nmc_fragment *runtime,
                                   const struct nmc_fragment *corrected);

/* Whether two fragments of the same event come to the same counts. */
bool nmc_lowering_same(const struct nmc_fragment *a, const struct nmc_fragment *b);

/* Refuses or lists what is not modelled, then emits what calls left of the aten operators. */
neuromc_status nmc_lowering_finish(struct nmc_lowering *l);

#endif
