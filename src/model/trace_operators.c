/* Aten convolutions and batch norms become units of work; GEMMs do so in trace_gemm.c. */
#include "model/trace_args.h"
#include "model/trace_work.h"

/* ---- convolution -------------------------------------------------------------------------- */

/* One product of an image, a kernel and an image, read as the reference reads it. */
struct conv {
    const struct nmc_trace_tensor *input, *weight, *output; /* output, or its gradient */
    int64_t channels, group_channels, groups;
    int64_t stride[3], dilation[3]; /* 0: not known */
    bool transposed;
};

static neuromc_status read_conv(const struct nmc_trace_work *work, size_t transposed, size_t groups,
                                struct conv *conv) {
    neuromc_status status = nmc_arg_bool(work, transposed, false, &conv->transposed);
    if (!status)
        status = nmc_arg_count(work, groups, 1, &conv->groups);
    if (status)
        return status;
    conv->channels = conv->input->dims[1];
    if (conv->groups < 1 || conv->channels % conv->groups)
        return nmc_arg_error(work, groups, "%lld groups do not divide %lld channels",
                             (long long)conv->groups, (long long)conv->channels);
    if (conv->input->rank > 5 || conv->output->rank > 5 || conv->weight->rank > 5)
        return nmc_arg_error(work, 0, "more than three axes");
    conv->group_channels = conv->channels / conv->groups;
    /* (..., stride, padding, dilation, transposed, output_padding, groups) */
    nmc_arg_steps(work, transposed - 3, conv->weight->rank - 2, conv->stride);
    nmc_arg_steps(work, transposed - 1, conv->weight->rank - 2, conv->dilation);
    return NEUROMC_OK;
}

static bool is_3d(const struct conv *conv) {
    return conv->input->rank > 4 || conv->output->rank > 4 || conv->weight->rank > 4;
}

/* Loop dims over the positions of `image`. */
static neuromc_status conv_dims(const struct nmc_trace_work *work, const struct conv *conv,
                                const struct nmc_trace_tensor *image, int64_t channels,
                                struct nmc_fragment *fragment) {
    int64_t position[2], tap[2];
    neuromc_status status = nmc_work_fold(work, "args", image->dims + 2, image->rank - 2, position);
    if (!status)
        status = nmc_work_fold(work, "args", conv->weight->dims + 2, conv->weight->rank - 2, tap);
    if (status)
        return status;
    const int64_t dims[NMC_LOOPS] = {
        conv->input->dims[0], 1,           channels, conv->output->dims[1],
        position[0],          position[1], tap[0],   tap[1]};
    fragment->groups = conv->groups;
    return nmc_work_dims(work, "args", dims, true, fragment);
}

static neuromc_status corrected_dims(const struct nmc_trace_work *work, const struct conv *conv,
                                     struct nmc_fragment *fragment) {
    const struct nmc_trace_tensor *image = conv->transposed ? conv->input : conv->output;
    const struct nmc_trace_tensor *wide = conv->transposed ? conv->output : conv->input;
    int axes = conv->weight->rank - 2;
    fragment->transposed = conv->transposed;
    nmc_fragment_slide(fragment, axes, conv->stride, conv->dilation,
                       wide->rank == axes + 2 ? wide->dims + 2 : NULL);
    return conv_dims(work, conv, image, conv->group_channels, fragment);
}

static struct nmc_fragment conv_fragment(const struct nmc_trace_work *work, const struct conv *conv,
                                         enum nmc_product product) {
    struct nmc_fragment fragment =
        nmc_work_fragment(work, work->event->op->text, work->stage->phase, NMC_FROM_TRACE);
    nmc_work_product(work, product, conv->input->spike, &fragment);
    fragment.input_elements = conv->input->elements;
    fragment.weight_elements = conv->weight->elements;
    fragment.output_elements = conv->output->elements;
    fragment.b_position = work->stage->b_position;
    fragment.t_position = work->stage->t_position;
    return fragment;
}

/* No module call runs a transposed convolution, so none claims it. */
static struct nmc_claim_key conv_key(const struct nmc_trace_work *work, const struct conv *conv,
                                     enum nmc_claim kind, const struct nmc_fragment *fragment) {
    if (conv->transposed)
        return (struct nmc_claim_key){.count = 0};
    return nmc_claim_shape(work->stage, kind, fragment);
}

static neuromc_status convolution(const struct nmc_trace_work *work, struct nmc_unit *unit,
                                  int *count, const char **refused) {
    struct conv conv;
    neuromc_status status = nmc_arg_tensor(work, 0, 2, &conv.input);
    if (!status)
        status = nmc_arg_tensor(work, 1, 2, &conv.weight);
    if (!status)
        status = nmc_out_tensor(work, 2, &conv.output);
    if (!status)
        status = read_conv(work, 6, 8, &conv);
    if (status)
        return status;
    bool forward = work->stage->phase == NMC_FORWARD; /* the reference looks at no other */
    if (forward && is_3d(&conv))
        *refused = "it has a convolution over three axes, which the reference does not model";
    unit->runtime = unit->corrected = conv_fragment(work, &conv, NMC_PRODUCT_FORWARD);
    unit->has_runtime = forward;
    unit->rule = !forward ? NMC_RULE_MORE : conv.transposed ? NMC_RULE_TRANSPOSED : NMC_RULE_GROUPS;
    status = conv_dims(work, &conv, conv.output, conv.channels, &unit->runtime);
    if (!status)
        status = corrected_dims(work, &conv, &unit->corrected);
    unit->key = conv_key(work, &conv, NMC_CLAIM_CONV, &unit->corrected);
    *count = 1;
    return status;
}

static neuromc_status gradient_unit(const struct nmc_trace_work *work, const struct conv *conv,
                                    enum nmc_claim kind, struct nmc_fragment fragment,
                                    struct nmc_unit *unit) {
    *unit = (struct nmc_unit){.corrected = fragment, .rule = NMC_RULE_MORE};
    neuromc_status status = corrected_dims(work, conv, &unit->corrected);
    unit->key = conv_key(work, conv, kind, &unit->corrected);
    return status;
}

/* Each gradient that was computed is work of its own; the reference refuses the operator. */
static neuromc_status convolution_backward(const struct nmc_trace_work *work, struct nmc_unit *out,
                                           int *count) {
    struct conv conv;
    const struct nmc_trace_tensor *grad_input, *grad_weight;
    neuromc_status status = nmc_arg_tensor(work, 0, 2, &conv.output);
    if (!status)
        status = nmc_arg_tensor(work, 1, 2, &conv.input);
    if (!status)
        status = nmc_arg_tensor(work, 2, 2, &conv.weight);
    if (!status)
        status = read_conv(work, 7, 9, &conv);
    if (!status)
        status = nmc_out_item(work, 0, &grad_input);
    if (!status)
        status = nmc_out_item(work, 1, &grad_weight);
    if (status)
        return status;
    if (grad_input) {
        struct nmc_fragment fragment = conv_fragment(work, &conv, NMC_PRODUCT_GRAD_INPUT);
        fragment.input_elements = conv.output->elements;
        fragment.output_elements = grad_input->elements;
        status = gradient_unit(work, &conv, NMC_CLAIM_CONV_GRAD_INPUT, fragment, &out[(*count)++]);
    }
    if (grad_weight && !status) {
        struct nmc_fragment fragment = conv_fragment(work, &conv, NMC_PRODUCT_GRAD_WEIGHT);
        fragment.weight_elements = conv.output->elements;
        fragment.output_elements = grad_weight->elements;
        status = gradient_unit(work, &conv, NMC_CLAIM_CONV_GRAD_WEIGHT, fragment, &out[(*count)++]);
    }
    return status;
}

/* ---- batch norm --------------------------------------------------------------------------- */

static neuromc_status bn_unit(const struct nmc_trace_work *work, const char *where,
                              const struct nmc_trace_tensor *tensor, enum nmc_phase phase,
                              bool spike, struct nmc_unit *unit) {
    struct nmc_layout layout;
    neuromc_status status = nmc_work_layout(work, where, tensor, false, 0, &layout);
    if (!status)
        status = nmc_work_bn(work, where, &layout, phase, spike, &unit->corrected);
    unit->rule = NMC_RULE_MORE;
    return status;
}

static void finish_bn(const struct nmc_trace_work *work, int64_t input, int64_t output,
                      enum nmc_claim kind, struct nmc_unit *unit) {
    unit->corrected.input_elements = input;
    unit->corrected.output_elements = output;
    unit->runtime = unit->corrected;
    unit->key = nmc_claim_shape(work->stage, kind, &unit->corrected);
}

static neuromc_status batch_norm(const struct nmc_trace_work *work, struct nmc_unit *unit,
                                 int *count, const char **refused) {
    const struct nmc_trace_tensor *input, *output;
    neuromc_status status = nmc_arg_tensor(work, 0, 0, &input);
    if (!status)
        status = nmc_out_item(work, 0, &output);
    if (!status)
        status = bn_unit(work, "args[0]", input, NMC_FORWARD, input->spike, unit);
    if (status)
        return status;
    unit->has_runtime =
        work->stage->phase == NMC_FORWARD && work->event->op->aten == NMC_ATEN_BATCH_NORM;
    if (unit->has_runtime && input->rank > 4)
        *refused = "it has a batch norm of more than four dims, which the reference does not "
                   "model as an operator";
    finish_bn(work, input->elements, output ? output->elements : 0, NMC_CLAIM_BN, unit);
    *count = 1;
    return NEUROMC_OK;
}

/* The reference reads the shape from the gradient that comes out and never sees a spike. */
static neuromc_status batch_norm_backward(const struct nmc_trace_work *work, struct nmc_unit *unit,
                                          int *count, const char **refused) {
    const struct nmc_trace_tensor *grad_output, *grad_input;
    neuromc_status status = nmc_arg_tensor(work, 0, 0, &grad_output);
    if (!status)
        status = nmc_out_item(work, 0, &grad_input);
    if (status)
        return status;
    unit->has_runtime = work->event->op->aten == NMC_ATEN_BATCH_NORM_BACKWARD;
    if (!grad_input && unit->has_runtime)
        *refused = "it has a batch norm backward without a gradient of its input, which the "
                   "reference cannot read";
    const struct nmc_trace_tensor *tensor = grad_input ? grad_input : grad_output;
    status = bn_unit(work, grad_input ? "out[0]" : "args[0]", tensor, NMC_BACKWARD, false, unit);
    if (status)
        return status;
    finish_bn(work, tensor->elements, grad_output->elements, NMC_CLAIM_BN_BACKWARD, unit);
    *count = 1;
    return NEUROMC_OK;
}

/* ---- dispatch ----------------------------------------------------------------------------- */

neuromc_status nmc_operator_units(const struct nmc_trace_work *work,
                                  struct nmc_spike_stacks *stacks,
                                  struct nmc_unit out[NMC_OPERATOR_UNITS], int *count,
                                  const char **refused) {
    neuromc_status status = NEUROMC_OK;
    *count = 0;
    *refused = NULL;
    for (int i = 0; i < NMC_OPERATOR_UNITS; i++)
        out[i] = (struct nmc_unit){0};
    switch (work->event->op->aten) {
    case NMC_ATEN_FREE:
    case NMC_ATEN_UNKNOWN: return NEUROMC_OK;
    case NMC_ATEN_CONVOLUTION: status = convolution(work, out, count, refused); break;
    case NMC_ATEN_CONVOLUTION_BACKWARD: status = convolution_backward(work, out, count); break;
    case NMC_ATEN_BATCH_NORM:
    case NMC_ATEN_BATCH_NORM_MORE: status = batch_norm(work, out, count, refused); break;
    case NMC_ATEN_BATCH_NORM_BACKWARD:
    case NMC_ATEN_BATCH_NORM_BACKWARD_MORE:
        status = batch_norm_backward(work, out, count, refused);
        break;
    default:
        *count = 1;
        status = nmc_gemm_unit(work, stacks, out);
        break;
    }
    out[0].first = true;
    out[0].stage = out[1].stage = work->stage->id;
    return status;
}
