/*
 * trace_work.h - one event of a trace becomes fragments; private to the lowering of traces.
 *
 * Each builder makes fragments as the reference profiler does, and as corrected by any set of the
 * rules of accounting (docs/accounting.md). An empty set is the runtime accounting.
 */
#ifndef NMC_TRACE_WORK_H
#define NMC_TRACE_WORK_H

#include "frontends/trace.h"
#include "model/fragment.h"
#include "model/preset.h"
#include "model/trace_keys.h"
#include "model/trace_stage.h"

/* Numbers of the rules; they are what accounting notes call them. */
enum nmc_rule {
    NMC_RULE_GROUPS = 1,     /* C is the channels of one group */
    NMC_RULE_ROWS = 2,       /* a linear layer works on every leading dim */
    NMC_RULE_ONCE = 3,       /* an operator inside a module call is that call's work */
    NMC_RULE_TRANSPOSED = 4, /* a transposed convolution works on input positions */
    NMC_RULE_MORE = 5,       /* operators the reference refuses are costed where they can be */
    NMC_RULE_UNBATCHED = 6   /* an input without a batch dim has a batch of 1 */
};
#define NMC_RULE_BIT(rule)  (1u << (rule))
#define NMC_RULES_CORRECTED (~0u)

/* What fragments are made from. */
struct nmc_trace_work {
    struct nmc_trace *trace; /* for the place of errors */
    const struct nmc_trace_event *event;
    const struct nmc_trace_stage *stage;
    const struct nmc_precision *precision;
};

/* ---- module calls (trace_calls.c) --------------------------------------------------------- */

/* The last forward input of a module, which its backward event needs. */
struct nmc_last_input {
    int64_t elements;
    bool spike;
    int64_t extent[2]; /* of a convolution's input, as in a fragment */
};

enum { NMC_CALL_FRAGMENTS = 2 };

/* Fragments of a module event, in report order. */
neuromc_status nmc_call_fragments(const struct nmc_trace_work *work,
                                  const struct nmc_last_input *last, unsigned rules,
                                  struct nmc_fragment out[NMC_CALL_FRAGMENTS], int *count);

/* ---- optimizer steps (trace_steps.c) ------------------------------------------------------ */

enum { NMC_STEP_FRAGMENTS = 16 }; /* three flags, and parameters of rank <= 1 or not */

neuromc_status nmc_step_fragments(const struct nmc_trace_work *work,
                                  struct nmc_fragment out[NMC_STEP_FRAGMENTS], int *count);

/* ---- aten operators (trace_operators.c, trace_gemm.c) ------------------------------------- */

/* What kind of call can claim an operator's work as its own (rule 3). */
enum nmc_claim {
    NMC_CLAIM_GEMM,
    NMC_CLAIM_CONV,
    NMC_CLAIM_CONV_GRAD_INPUT,
    NMC_CLAIM_CONV_GRAD_WEIGHT,
    NMC_CLAIM_BN,
    NMC_CLAIM_BN_BACKWARD
};

/* Stage, kind and shape: equal keys may claim each other. No words: nobody claims it. */
struct nmc_claim_key {
    int64_t words[11];
    size_t count;
};

/* A GEMM of M x inner x N, in either operand order. */
struct nmc_claim_key nmc_claim_gemm(const struct nmc_trace_stage *stage, int64_t rows,
                                    int64_t inner, int64_t columns);
/* Anything else by the dims of its corrected fragment. */
struct nmc_claim_key nmc_claim_shape(const struct nmc_trace_stage *stage, enum nmc_claim kind,
                                     const struct nmc_fragment *fragment);
/* The key of a module call's corrected fragment. */
struct nmc_claim_key nmc_claim_of_call(const struct nmc_trace_stage *stage,
                                       const struct nmc_trace_module *module,
                                       const struct nmc_fragment *fragment);

/* Work of one operator under both accountings. */
struct nmc_unit {
    bool has_runtime; /* false: the reference makes nothing of it */
    bool first;       /* of its operator's units */
    uint32_t stage;   /* id */
    int rule;         /* why runtime and corrected differ, if they do */
    struct nmc_fragment runtime, corrected;
    struct nmc_claim_key key;
};

enum { NMC_OPERATOR_UNITS = 2 };

/* Spike flags of forward GEMMs, popped by backward ones: a stack per operator and shapes, one bit
 * per GEMM that no backward GEMM has met. */
struct nmc_spike_stacks {
    struct nmc_keys keys;
    struct nmc_spike_stack *stacks;
    size_t capacity;
};
void nmc_spike_stacks_release(struct nmc_spike_stacks *stacks);

/* Units of an aten event, in report order; none if it is not modelled. *refused: why the
 * reference refuses the trace over this operator, or NULL. */
neuromc_status nmc_operator_units(const struct nmc_trace_work *work,
                                  struct nmc_spike_stacks *stacks,
                                  struct nmc_unit out[NMC_OPERATOR_UNITS], int *count,
                                  const char **refused);
/* The same for a GEMM. */
neuromc_status nmc_gemm_unit(const struct nmc_trace_work *work, struct nmc_spike_stacks *stacks,
                             struct nmc_unit *unit);

/* ---- shared (trace_work.c) ---------------------------------------------------------------- */

/* A fragment of this event, of batch norm or soma unless nmc_work_product says otherwise. */
struct nmc_fragment nmc_work_fragment(const struct nmc_trace_work *work, const char *op,
                                      enum nmc_phase phase, enum nmc_source source);

/* The three products of a layer: core type and precision of operands. */
enum nmc_product { NMC_PRODUCT_FORWARD, NMC_PRODUCT_GRAD_INPUT, NMC_PRODUCT_GRAD_WEIGHT };
void nmc_work_product(const struct nmc_trace_work *work, enum nmc_product product, bool spike,
                      struct nmc_fragment *fragment);

/* Sets the loop dims, each at least 1, and checks their product; `where` names the key in case it
 * overflows. MACs are the product, or 0 for work that is not multiply-accumulate. */
neuromc_status nmc_work_dims(const struct nmc_trace_work *work, const char *where,
                             const int64_t dims[NMC_LOOPS], bool macs,
                             struct nmc_fragment *fragment);

/* The loop dims Y and X of up to three axes of an image or kernel: depth is folded into Y. */
neuromc_status nmc_work_fold(const struct nmc_trace_work *work, const char *where,
                             const int64_t *sizes, int axes, int64_t yx[2]);

/* How the reference reads [N, C, ...] or, multi_step, [T, N, C, ...]. */
struct nmc_layout {
    int64_t t, b, c;
    const int64_t *space; /* what follows C */
    int axes;
    int64_t area; /* product of space, at least 1 */
};
neuromc_status nmc_work_layout(const struct nmc_trace_work *work, const char *where,
                               const struct nmc_trace_tensor *tensor, bool multi_step,
                               unsigned rules, struct nmc_layout *out);

/* Batch norm of a tensor with that layout. */
neuromc_status nmc_work_bn(const struct nmc_trace_work *work, const char *where,
                           const struct nmc_layout *layout, enum nmc_phase phase, bool spike,
                           struct nmc_fragment *fragment);

#endif
