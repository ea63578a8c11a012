/* What module calls and aten operators share in becoming fragments. */
#include "model/trace_work.h"

#include "base/checked.h"

struct nmc_fragment nmc_work_fragment(const struct nmc_trace_work *work, const char *op,
                                      enum nmc_phase phase, enum nmc_source source) {
    const struct nmc_precision *precision = work->precision;
    struct nmc_fragment fragment = nmc_fragment_new();
    fragment.stage = work->stage->name;
    fragment.op = op;
    fragment.phase = phase;
    fragment.source = source;
    bool forward = phase == NMC_FORWARD;
    fragment.input_bits = forward ? precision->activation_bits : precision->gradient_bits;
    fragment.weight_bits = precision->weight_bits;
    fragment.output_bits = forward ? precision->output_bits : precision->gradient_bits;
    return fragment;
}

void nmc_work_product(const struct nmc_trace_work *work, enum nmc_product product, bool spike,
                      struct nmc_fragment *fragment) {
    const struct nmc_precision *precision = work->precision;
    int input = spike ? precision->spike_bits : precision->activation_bits;
    switch (product) {
    case NMC_PRODUCT_FORWARD:
        fragment->core = spike ? NMC_CORE_FP_SOMA : NMC_CORE_ANN_FE;
        fragment->input_bits = input;
        fragment->weight_bits = precision->weight_bits;
        fragment->output_bits = precision->output_bits;
        break;
    case NMC_PRODUCT_GRAD_INPUT:
        fragment->core = spike ? NMC_CORE_BP_GRAD : NMC_CORE_ANN_BE;
        fragment->input_bits = precision->gradient_bits;
        fragment->weight_bits = precision->weight_bits;
        fragment->output_bits = precision->gradient_bits;
        break;
    case NMC_PRODUCT_GRAD_WEIGHT:
        fragment->core = spike ? NMC_CORE_WG : NMC_CORE_ANN_WE;
        fragment->input_bits = input;
        fragment->weight_bits = precision->gradient_bits;
        fragment->output_bits = precision->weight_bits;
        break;
    }
}

neuromc_status nmc_work_dims(const struct nmc_trace_work *work, const char *where,
                             const int64_t dims[NMC_LOOPS], bool macs,
                             struct nmc_fragment *fragment) {
    int64_t product = 1;
    for (int i = 0; i < NMC_LOOPS; i++) {
        fragment->dims[i] = dims[i] > 1 ? dims[i] : 1;
        /* K equals C where there are no MACs; the product of the others is the element count. */
        if (!macs && i == NMC_K)
            continue;
        if (!nmc_mul(product, fragment->dims[i], &product))
            return nmc_trace_error(work->trace, NEUROMC_BAD_INPUT, where, NULL,
                                   "the work of this event does not fit 63 bits");
    }
    fragment->macs = macs ? product : 0;
    return NEUROMC_OK;
}

neuromc_status nmc_work_fold(const struct nmc_trace_work *work, const char *where,
                             const int64_t *sizes, int axes, int64_t yx[2]) {
    yx[0] = axes > 0 ? sizes[0] : 1;
    yx[1] = axes > 1 ? sizes[1] : 1;
    if (axes < 3)
        return NEUROMC_OK;
    yx[1] = sizes[2];
    if (nmc_mul(sizes[0], sizes[1], &yx[0]))
        return NEUROMC_OK;
    return nmc_trace_error(work->trace, NEUROMC_BAD_INPUT, where, NULL,
                           "depth times height does not fit 63 bits");
}

static neuromc_status measure_space(const struct nmc_trace_work *work, const char *where,
                                    struct nmc_layout *layout) {
    if (!nmc_product(layout->space, layout->axes, &layout->area))
        return nmc_trace_error(work->trace, NEUROMC_BAD_INPUT, where, NULL,
                               "the dims after the channels do not fit 63 bits");
    if (layout->area < 1)
        layout->area = 1;
    return NEUROMC_OK;
}

neuromc_status nmc_work_layout(const struct nmc_trace_work *work, const char *where,
                               const struct nmc_trace_tensor *tensor, bool multi_step,
                               unsigned rules, struct nmc_layout *out) {
    const int64_t *dims = tensor->dims;
    int rank = tensor->rank;
    if (rank < 0)
        return nmc_trace_error(work->trace, NEUROMC_BAD_INPUT, where, NULL,
                               "expected a tensor, got null");
    *out = (struct nmc_layout){.t = 1, .b = 1, .c = tensor->elements, .space = dims};
    if (multi_step) {
        if (rank < 3)
            return nmc_trace_error(work->trace, NEUROMC_UNSUPPORTED, where, NULL,
                                   "step mode \"m\" needs a shape [T, N, C, ...], got %d dims",
                                   rank);
        out->t = dims[0];
        dims++;
        rank--;
    }
    if (rank >= 2) {
        out->b = dims[0];
        out->c = dims[1];
        out->space = dims + 2;
        out->axes = rank - 2;
    } else if (rank == 1 && !(rules & NMC_RULE_BIT(NMC_RULE_UNBATCHED))) {
        out->b = dims[0];
    }
    return measure_space(work, where, out);
}

neuromc_status nmc_work_bn(const struct nmc_trace_work *work, const char *where,
                           const struct nmc_layout *layout, enum nmc_phase phase, bool spike,
                           struct nmc_fragment *fragment) {
    if (phase == NMC_FORWARD) {
        *fragment = nmc_work_fragment(work, "bn.forward", phase, NMC_FROM_MODULE);
        fragment->core = spike ? NMC_CORE_FP_BN : NMC_CORE_ANN_BN;
    } else {
        *fragment = nmc_work_fragment(work, "bn.backward", phase, NMC_FROM_MODULE);
        fragment->core = spike ? NMC_CORE_BP_BN : NMC_CORE_ANN_BN_BP;
        fragment->without_bn_arithmetic = work->stage->without_bp_bn;
    }
    fragment->process = NMC_WITH_BN;
    if (!nmc_mul(layout->c, 2, &fragment->weight_elements))
        fragment->weight_elements = INT64_MAX; /* nothing is counted from it */
    const int64_t dims[NMC_LOOPS] = {layout->b,    layout->t, layout->c, layout->c,
                                     layout->area, 1,         1,         1};
    return nmc_work_dims(work, where, dims, false, fragment);
}
