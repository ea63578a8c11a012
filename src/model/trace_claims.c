/* Stacks of unclaimed operators, and what makes two pieces of work the same. */
#include "model/trace_claims.h"

#include "base/memory.h"

/* ---- keys --------------------------------------------------------------------------------- */

struct nmc_claim_key nmc_claim_gemm(const struct nmc_trace_stage *stage, int64_t rows,
                                    int64_t inner, int64_t columns) {
    int64_t small = rows < columns ? rows : columns, large = rows < columns ? columns : rows;
    return (struct nmc_claim_key){
        .words = {stage->id, NMC_CLAIM_GEMM, small > 1 ? small : 1, inner > 1 ? inner : 1,
                  large > 1 ? large : 1},
        .count = 5,
    };
}

struct nmc_claim_key nmc_claim_shape(const struct nmc_trace_stage *stage, enum nmc_claim kind,
                                     const struct nmc_fragment *fragment) {
    const int64_t *dims = fragment->dims;
    /* Of a shape whose elements were counted, so B * T fits. */
    return (struct nmc_claim_key){
        .words = {stage->id, kind, dims[NMC_B] * dims[NMC_T], dims[NMC_C], dims[NMC_K],
                  dims[NMC_OY], dims[NMC_OX], dims[NMC_FY], dims[NMC_FX], fragment->groups},
        .count = 10,
    };
}

static struct nmc_claim_key claim_of_linear(const struct nmc_trace_stage *stage,
                                            const struct nmc_fragment *fragment) {
    const int64_t *dims = fragment->dims;
    int64_t rows = dims[NMC_B] * dims[NMC_T], c = dims[NMC_C], k = dims[NMC_K];
    if (fragment->phase == NMC_FORWARD)
        return nmc_claim_gemm(stage, rows, c, k);
    if (fragment->core == NMC_CORE_BP_GRAD || fragment->core == NMC_CORE_ANN_BE)
        return nmc_claim_gemm(stage, rows, k, c);
    return nmc_claim_gemm(stage, k, rows, c);
}

static enum nmc_claim claim_of_conv(const struct nmc_fragment *fragment) {
    if (fragment->phase == NMC_FORWARD)
        return NMC_CLAIM_CONV;
    if (fragment->core == NMC_CORE_BP_GRAD || fragment->core == NMC_CORE_ANN_BE)
        return NMC_CLAIM_CONV_GRAD_INPUT;
    return NMC_CLAIM_CONV_GRAD_WEIGHT;
}

struct nmc_claim_key nmc_claim_of_call(const struct nmc_trace_stage *stage,
                                       const struct nmc_trace_module *module,
                                       const struct nmc_fragment *fragment) {
    switch (module->type) {
    case NMC_MODULE_LINEAR: return claim_of_linear(stage, fragment);
    case NMC_MODULE_CONV1D:
    case NMC_MODULE_CONV2D:
    case NMC_MODULE_CONV3D: return nmc_claim_shape(stage, claim_of_conv(fragment), fragment);
    case NMC_MODULE_BATCH_NORM1D:
    case NMC_MODULE_BATCH_NORM2D:
    case NMC_MODULE_BATCH_NORM3D:
        return nmc_claim_shape(
            stage, fragment->phase == NMC_FORWARD ? NMC_CLAIM_BN : NMC_CLAIM_BN_BACKWARD, fragment);
    default: return (struct nmc_claim_key){.count = 0};
    }
}

/* ---- queues ------------------------------------------------------------------------------- */

struct run {
    uint32_t handle, count;
};

/* Calls wait only while no operator does, and the other way round. */
struct nmc_claim_queue {
    uint64_t waiting_calls;
    struct run *runs; /* waiting operators, the latest last */
    size_t count, capacity;
};

void nmc_claims_release(struct nmc_claims *claims) {
    for (size_t i = 0; i < claims->keys.count; i++)
        nmc_free(claims->queues[i].runs);
    nmc_free(claims->queues);
    nmc_keys_release(&claims->keys);
    *claims = (struct nmc_claims){0};
}

static struct nmc_claim_queue *find(struct nmc_claims *claims, const struct nmc_claim_key *key) {
    uint32_t number;
    bool added;
    if (!nmc_grow(&claims->queues, &claims->capacity, claims->keys.count + 1,
                  sizeof *claims->queues) ||
        !nmc_keys_number(&claims->keys, key->words, key->count, &number, &added))
        return NULL;
    if (added)
        claims->queues[number] = (struct nmc_claim_queue){0};
    return &claims->queues[number];
}

static bool push(struct nmc_claim_queue *queue, uint32_t handle) {
    struct run *top = queue->count ? &queue->runs[queue->count - 1] : NULL;
    if (top && top->handle == handle && top->count < UINT32_MAX) {
        top->count++;
        return true;
    }
    if (!nmc_grow(&queue->runs, &queue->capacity, queue->count + 1, sizeof *queue->runs))
        return false;
    queue->runs[queue->count++] = (struct run){.handle = handle, .count = 1};
    return true;
}

bool nmc_claims_offer(struct nmc_claims *claims, const struct nmc_claim_key *key, uint32_t handle,
                      bool *claimed) {
    *claimed = false;
    if (!key->count)
        return true;
    struct nmc_claim_queue *queue = find(claims, key);
    if (!queue)
        return false;
    *claimed = queue->waiting_calls > 0;
    if (!*claimed)
        return push(queue, handle);
    queue->waiting_calls--;
    return true;
}

bool nmc_claims_take(struct nmc_claims *claims, const struct nmc_claim_key *key, bool *found,
                     uint32_t *handle) {
    *found = false;
    if (!key->count)
        return true;
    struct nmc_claim_queue *queue = find(claims, key);
    if (!queue)
        return false;
    if (!queue->count) {
        queue->waiting_calls++;
        return true;
    }
    struct run *top = &queue->runs[queue->count - 1];
    *found = true;
    *handle = top->handle;
    if (!--top->count)
        queue->count--;
    return true;
}
