/*
 * Aten GEMMs become units of work. In a backward stage the reference tells a weight gradient from
 * an input gradient by which operand requires a gradient, and gives an input gradient the spike
 * flag of the last forward GEMM of the mirrored shapes that it has not met yet.
 */
#include <string.h>

#include "base/checked.h"
#include "base/limits.h"
#include "base/memory.h"
#include "model/trace_args.h"
#include "model/trace_work.h"

/* batch times M x inner by inner x N. */
struct gemm {
    const struct nmc_trace_tensor *x, *y, *out;
    int64_t batch, m, inner, n;
    int64_t rows; /* batch * m */
};

/* ---- operands ----------------------------------------------------------------------------- */

static neuromc_status operand(const struct nmc_trace_work *work, size_t from_end, int rank,
                              const struct nmc_trace_tensor **out) {
    size_t count = work->event->args.count;
    size_t index = count < from_end ? 0 : count - from_end;
    neuromc_status status = nmc_arg_tensor(work, index, 0, out);
    if (!status && (count < from_end || (*out)->rank != rank))
        status = nmc_arg_error(work, index, "expected a tensor of %d dims", rank);
    return status;
}

/* The last two arguments are the operands, whatever comes before (the bias of addmm). */
static neuromc_status read_operands(const struct nmc_trace_work *work, int x_rank, int y_rank,
                                    struct gemm *gemm) {
    neuromc_status status = operand(work, 2, x_rank, &gemm->x);
    if (!status)
        status = operand(work, 1, y_rank, &gemm->y);
    if (!status)
        status = nmc_out_tensor(work, 0, &gemm->out);
    return status;
}

static neuromc_status read_matrices(const struct nmc_trace_work *work, bool batched,
                                    struct gemm *gemm) {
    int rank = batched ? 3 : 2;
    neuromc_status status = read_operands(work, rank, rank, gemm);
    if (status)
        return status;
    gemm->batch = batched ? gemm->x->dims[0] : 1;
    gemm->m = gemm->x->dims[rank - 2];
    gemm->inner = gemm->x->dims[rank - 1];
    gemm->n = gemm->y->dims[rank - 1];
    return NEUROMC_OK;
}

/* matrix times vector: the vector is the input, as in a linear layer on one sample. */
static neuromc_status read_vectors(const struct nmc_trace_work *work, bool dot, struct gemm *gemm) {
    neuromc_status status = read_operands(work, dot ? 1 : 2, 1, gemm);
    if (status)
        return status;
    const struct nmc_trace_tensor *first = gemm->x;
    if (!dot) {
        gemm->x = gemm->y;
        gemm->y = first;
    }
    gemm->batch = gemm->m = 1;
    gemm->inner = gemm->x->dims[0];
    gemm->n = dot ? 1 : first->dims[0];
    return NEUROMC_OK;
}

static neuromc_status read_gemm(const struct nmc_trace_work *work, struct gemm *gemm) {
    neuromc_status status;
    switch (work->event->op->aten) {
    case NMC_ATEN_MV_MORE: status = read_vectors(work, false, gemm); break;
    case NMC_ATEN_DOT_MORE: status = read_vectors(work, true, gemm); break;
    case NMC_ATEN_BMM:
    case NMC_ATEN_BMM_MORE: status = read_matrices(work, true, gemm); break;
    default: status = read_matrices(work, false, gemm); break;
    }
    if (!status && !nmc_mul(gemm->batch, gemm->m, &gemm->rows))
        status = nmc_arg_error(work, 0, "the rows do not fit 63 bits");
    return status;
}

/* ---- spike flags -------------------------------------------------------------------------- */

struct nmc_spike_stack {
    uint64_t *bits;
    size_t capacity; /* in words */
    uint64_t count;
};

void nmc_spike_stacks_release(struct nmc_spike_stacks *stacks) {
    for (size_t i = 0; i < stacks->keys.count; i++)
        nmc_free(stacks->stacks[i].bits);
    nmc_free(stacks->stacks);
    nmc_keys_release(&stacks->keys);
    *stacks = (struct nmc_spike_stacks){0};
}

/* The stack of an operator with forward shapes input -> output; NULL: memory ran out. */
static struct nmc_spike_stack *find_stack(struct nmc_spike_stacks *stacks, enum nmc_aten_kind op,
                                          const struct nmc_trace_tensor *input,
                                          const struct nmc_trace_tensor *output) {
    int64_t words[2 + 2 * NMC_LIMIT_RANK];
    size_t count = 0;
    words[count++] = op;
    words[count++] = input->rank;
    for (int i = 0; i < input->rank; i++)
        words[count++] = input->dims[i];
    for (int i = 0; i < output->rank; i++)
        words[count++] = output->dims[i];
    uint32_t number;
    bool added;
    if (!nmc_grow(&stacks->stacks, &stacks->capacity, stacks->keys.count + 1,
                  sizeof *stacks->stacks) ||
        !nmc_keys_number(&stacks->keys, words, count, &number, &added))
        return NULL;
    if (added)
        stacks->stacks[number] = (struct nmc_spike_stack){0};
    return &stacks->stacks[number];
}

static bool push(struct nmc_spike_stack *stack, bool spike) {
    size_t word = stack->count / 64;
    uint64_t bit = UINT64_C(1) << stack->count % 64;
    if (!nmc_grow(&stack->bits, &stack->capacity, word + 1, sizeof *stack->bits))
        return false;
    stack->bits[word] = (stack->count % 64 ? stack->bits[word] & ~bit : 0) | (spike ? bit : 0);
    stack->count++;
    return true;
}

static bool pop(struct nmc_spike_stack *stack) {
    stack->count--;
    return stack->bits[stack->count / 64] >> stack->count % 64 & 1;
}

/* mm and addmm are the same product: what one pushed the other may pop. */
static enum nmc_aten_kind alternate(enum nmc_aten_kind op) {
    return op == NMC_ATEN_MM ? NMC_ATEN_ADDMM : op == NMC_ATEN_ADDMM ? NMC_ATEN_MM : op;
}

/* The flag for an input gradient; dense if no forward GEMM is left. False: memory ran out. */
static bool pop_mirrored(struct nmc_spike_stacks *stacks, enum nmc_aten_kind op,
                         const struct gemm *gemm, bool *spike) {
    *spike = false;
    struct nmc_spike_stack *stack = find_stack(stacks, op, gemm->out, gemm->x);
    if (stack && !stack->count)
        stack = find_stack(stacks, alternate(op), gemm->out, gemm->x);
    if (stack && stack->count)
        *spike = pop(stack);
    return stack != NULL;
}

/* ---- the unit ----------------------------------------------------------------------------- */

static neuromc_status set_kind(const struct nmc_trace_work *work, struct nmc_spike_stacks *stacks,
                               const struct gemm *gemm, struct nmc_fragment *fragment) {
    enum nmc_aten_kind op = work->event->op->aten;
    enum nmc_product product = NMC_PRODUCT_GRAD_INPUT;
    bool spike = gemm->x->spike, stored = true;
    if (work->stage->phase == NMC_FORWARD) {
        struct nmc_spike_stack *stack = find_stack(stacks, op, gemm->x, gemm->out);
        stored = stack && push(stack, spike);
        product = NMC_PRODUCT_FORWARD;
    } else if (gemm->x->requires_grad && !gemm->y->requires_grad) {
        product = NMC_PRODUCT_GRAD_WEIGHT;
    } else {
        stored = pop_mirrored(stacks, op, gemm, &spike);
    }
    nmc_work_product(work, product, spike, fragment);
    return stored ? NEUROMC_OK : nmc_trace_no_memory(work->trace);
}

static neuromc_status set_dims(const struct nmc_trace_work *work, const struct gemm *gemm,
                               struct nmc_fragment *fragment) {
    bool weight = fragment->core == NMC_CORE_WG || fragment->core == NMC_CORE_ANN_WE;
    int64_t b = gemm->rows, c = gemm->inner;
    if (weight) {
        c = gemm->m;
        if (!nmc_mul(gemm->batch, gemm->inner, &b))
            return nmc_arg_error(work, 0, "the rows do not fit 63 bits");
    }
    const int64_t dims[NMC_LOOPS] = {b, 1, c, gemm->n, 1, 1, 1, 1};
    return nmc_work_dims(work, "args", dims, true, fragment);
}

static bool is_more(enum nmc_aten_kind kind) {
    return kind == NMC_ATEN_BMM_MORE || kind == NMC_ATEN_MV_MORE || kind == NMC_ATEN_DOT_MORE;
}

neuromc_status nmc_gemm_unit(const struct nmc_trace_work *work, struct nmc_spike_stacks *stacks,
                             struct nmc_unit *unit) {
    struct gemm gemm;
    neuromc_status status = read_gemm(work, &gemm);
    if (status)
        return status;
    struct nmc_fragment *fragment = &unit->corrected;
    *fragment = nmc_work_fragment(work, work->event->op->text, work->stage->phase, NMC_FROM_TRACE);
    fragment->input_elements = gemm.x->elements;
    fragment->weight_elements = gemm.y->elements;
    fragment->output_elements = gemm.out->elements;
    fragment->b_position = work->stage->b_position;
    fragment->t_position = work->stage->t_position;
    status = set_kind(work, stacks, &gemm, fragment);
    if (!status)
        status = set_dims(work, &gemm, fragment);
    unit->runtime = *fragment;
    unit->has_runtime = !is_more(work->event->op->aten);
    unit->rule = NMC_RULE_MORE;
    unit->key = nmc_claim_gemm(work->stage, gemm.rows, gemm.inner, gemm.n);
    return status;
}
