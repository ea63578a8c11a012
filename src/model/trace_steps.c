/* Optimizer steps become fragments: parameters of rank <= 1 go to K, others to FX. */
#include <string.h>

#include "base/checked.h"
#include "model/trace_work.h"

/* Parameters that cost the same, in the order in which the groups first show them. */
struct bucket {
    bool momentum, weight_decay, momentum_buffer, is_vector;
    int64_t elements;
};

static neuromc_status add(const struct nmc_trace_work *work, int64_t elements, int64_t *sum) {
    if (nmc_add(*sum, elements, sum))
        return NEUROMC_OK;
    return nmc_trace_error(work->trace, NEUROMC_BAD_INPUT, "groups", NULL,
                           "the parameters do not fit 63 bits");
}

static struct nmc_fragment step_fragment(const struct nmc_trace_work *work, const char *op,
                                         int64_t vectors, int64_t matrices) {
    struct nmc_fragment fragment = nmc_work_fragment(work, op, NMC_OPTIMIZER, NMC_FROM_OPTIMIZER);
    fragment.core = NMC_CORE_BP_GRAD_OPT;
    fragment.process = NMC_WITH_OPT;
    fragment.dims[NMC_K] = vectors;
    fragment.dims[NMC_FX] = matrices;
    fragment.input_bits = fragment.weight_bits = fragment.output_bits =
        work->precision->optimizer_bits;
    fragment.input_elements = vectors;
    fragment.weight_elements = matrices;
    return fragment;
}

static neuromc_status adam_fragment(const struct nmc_trace_work *work, const char *op,
                                    struct nmc_fragment *out) {
    int64_t vectors = 0, matrices = 0, all = 0;
    for (size_t g = 0; g < work->event->group_count; g++) {
        const struct nmc_trace_group *group = &work->event->groups[g];
        for (size_t p = 0; p < group->parameter_count; p++) {
            const struct nmc_trace_parameter *parameter = &group->parameters[p];
            if (!parameter->has_grad)
                continue;
            neuromc_status status =
                add(work, parameter->elements, parameter->rank <= 1 ? &vectors : &matrices);
            if (status)
                return status;
        }
    }
    neuromc_status status = add(work, vectors, &all);
    if (!status)
        status = add(work, matrices, &all);
    *out = step_fragment(work, op, vectors, matrices);
    out->output_elements = all;
    return status;
}

static neuromc_status refuse(const struct nmc_trace_work *work, const char *what) {
    return nmc_trace_error(work->trace, NEUROMC_UNSUPPORTED, "groups", NULL,
                           "the reference models sgd only with %s", what);
}

static neuromc_status check_sgd(const struct nmc_trace_work *work,
                                const struct nmc_trace_group *group) {
    if (group->nesterov)
        return refuse(work, "nesterov=false");
    if (group->dampening != 0)
        return refuse(work, "dampening=0");
    if (group->maximize)
        return refuse(work, "maximize=false");
    return NEUROMC_OK;
}

static struct bucket *find_bucket(struct bucket *buckets, int *count, struct bucket wanted) {
    for (int i = 0; i < *count; i++)
        if (buckets[i].momentum == wanted.momentum &&
            buckets[i].weight_decay == wanted.weight_decay &&
            buckets[i].momentum_buffer == wanted.momentum_buffer &&
            buckets[i].is_vector == wanted.is_vector)
            return &buckets[i];
    buckets[*count] = wanted;
    return &buckets[(*count)++];
}

static neuromc_status fill_buckets(const struct nmc_trace_work *work,
                                   struct bucket buckets[NMC_STEP_FRAGMENTS], int *count) {
    for (size_t g = 0; g < work->event->group_count; g++) {
        const struct nmc_trace_group *group = &work->event->groups[g];
        neuromc_status status = check_sgd(work, group);
        for (size_t p = 0; p < group->parameter_count && !status; p++) {
            const struct nmc_trace_parameter *parameter = &group->parameters[p];
            if (!parameter->has_grad)
                continue;
            bool momentum = group->momentum > 0;
            struct bucket *bucket = find_bucket(
                buckets, count,
                (struct bucket){.momentum = momentum,
                                .weight_decay = group->weight_decay > 0,
                                .momentum_buffer = momentum && parameter->has_momentum_buffer,
                                .is_vector = parameter->rank <= 1});
            status = add(work, parameter->elements, &bucket->elements);
        }
        if (status)
            return status;
    }
    return NEUROMC_OK;
}

static neuromc_status sgd_fragments(const struct nmc_trace_work *work,
                                    struct nmc_fragment out[NMC_STEP_FRAGMENTS], int *count) {
    struct bucket buckets[NMC_STEP_FRAGMENTS];
    int bucket_count = 0;
    neuromc_status status = fill_buckets(work, buckets, &bucket_count);
    for (int i = 0; i < bucket_count && !status; i++) {
        const struct bucket *bucket = &buckets[i];
        if (!bucket->elements)
            continue;
        struct nmc_fragment *fragment = &out[(*count)++];
        *fragment = step_fragment(work, "sgd", bucket->is_vector ? bucket->elements : 0,
                                  bucket->is_vector ? 0 : bucket->elements);
        fragment->output_elements = bucket->elements;
        fragment->momentum = bucket->momentum;
        fragment->weight_decay = bucket->weight_decay;
        fragment->momentum_buffer = bucket->momentum_buffer;
    }
    return status;
}

neuromc_status nmc_step_fragments(const struct nmc_trace_work *work,
                                  struct nmc_fragment out[NMC_STEP_FRAGMENTS], int *count) {
    const char *optimizer = work->event->optimizer;
    *count = 0;
    if (strcmp(optimizer, "sgd") == 0)
        return sgd_fragments(work, out, count);
    *count = 1;
    if (strcmp(optimizer, "adam") == 0)
        return adam_fragment(work, "adam", out);
    if (strcmp(optimizer, "adamw") == 0)
        return adam_fragment(work, "adamw", out);
    return nmc_trace_error(work->trace, NEUROMC_UNSUPPORTED, "optimizer", NULL,
                           "the reference models adam, adamw and sgd, not \"%.80s\"", optimizer);
}
