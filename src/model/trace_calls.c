/* Module calls become fragments: convolution, linear, batch norm and soma, forward and back. */
#include <string.h>

#include "base/checked.h"
#include "model/trace_work.h"

struct call {
    const struct nmc_trace_work *work;
    const struct nmc_trace_module *module;
    const struct nmc_trace_event *event;
    const struct nmc_last_input *last;
    unsigned rules;
};

static bool rule(const struct call *call, enum nmc_rule number) {
    return call->rules & NMC_RULE_BIT(number);
}

static struct nmc_fragment fragment_of(const struct call *call, const char *op,
                                       enum nmc_phase phase) {
    struct nmc_fragment fragment = nmc_work_fragment(call->work, op, phase, NMC_FROM_MODULE);
    fragment.groups = call->module->groups;
    return fragment;
}

/* Only forward convolutions, linear layers and somas take the positions of their stage. */
static void set_positions(const struct call *call, struct nmc_fragment *fragment) {
    fragment->b_position = call->work->stage->b_position;
    fragment->t_position = call->work->stage->t_position;
}

static void set_elements(struct nmc_fragment *fragment, int64_t input, int64_t weight,
                         int64_t output) {
    fragment->input_elements = input;
    fragment->weight_elements = weight;
    fragment->output_elements = output;
}

/* ---- shapes ------------------------------------------------------------------------------- */

/* Layout of a convolution's tensor; one dim short of [N, C, ...] it has no batch. */
static neuromc_status conv_layout(const struct call *call, const char *where,
                                  const struct nmc_trace_tensor *tensor, struct nmc_layout *out) {
    int axes = call->module->axes;
    int lead = call->module->multi_step;
    neuromc_status status = nmc_work_layout(call->work, where, tensor, lead, call->rules, out);
    if (status || !rule(call, NMC_RULE_UNBATCHED) || tensor->rank != lead + 1 + axes)
        return status;
    out->b = 1;
    out->c = tensor->dims[lead];
    out->space = tensor->dims + lead + 1;
    out->axes = axes;
    return NEUROMC_OK;
}

/* Loop dims of a convolution with batch and time of `lead` and the positions of `out`. */
static neuromc_status conv_dims(const struct call *call, const char *where,
                                const struct nmc_layout *lead, const struct nmc_layout *out,
                                struct nmc_fragment *fragment) {
    const struct nmc_trace_module *module = call->module;
    int64_t channels = rule(call, NMC_RULE_GROUPS) ? module->in / module->groups : module->in;
    int64_t position[2], tap[2];
    int axes = out->axes < module->axes ? out->axes : module->axes;
    neuromc_status status = nmc_work_fold(call->work, where, out->space, axes, position);
    if (!status)
        status = nmc_work_fold(call->work, "module.kernel_size", module->kernel, module->axes, tap);
    if (status)
        return status;
    const int64_t dims[NMC_LOOPS] = {lead->b,     lead->t,     channels, module->out,
                                     position[0], position[1], tap[0],   tap[1]};
    return nmc_work_dims(call->work, where, dims, true, fragment);
}

/* Every dim between time and the features is batch. */
static neuromc_status linear_layout(const struct call *call, const char *where,
                                    const struct nmc_trace_tensor *tensor, struct nmc_layout *out) {
    int lead = call->module->multi_step;
    neuromc_status status = nmc_work_layout(call->work, where, tensor, lead, call->rules, out);
    if (status || !rule(call, NMC_RULE_ROWS) || tensor->rank < lead + 3)
        return status;
    if (!nmc_product(tensor->dims + lead, tensor->rank - lead - 1, &out->b))
        return nmc_trace_error(call->work->trace, NEUROMC_BAD_INPUT, where, NULL,
                               "the leading dims do not fit 63 bits");
    return NEUROMC_OK;
}

static neuromc_status linear_dims(const struct call *call, const char *where,
                                  const struct nmc_layout *layout, struct nmc_fragment *fragment) {
    const int64_t dims[NMC_LOOPS] = {
        layout->b, layout->t, call->module->in, call->module->out, 1, 1, 1, 1};
    return nmc_work_dims(call->work, where, dims, true, fragment);
}

/* ---- forward ------------------------------------------------------------------------------ */

static void finish_forward(const struct call *call, struct nmc_fragment *fragment) {
    const struct nmc_trace_event *event = call->event;
    nmc_work_product(call->work, NMC_PRODUCT_FORWARD, event->input.spike, fragment);
    set_elements(fragment, event->input.elements, call->module->weight.elements,
                 event->output.elements);
    set_positions(call, fragment);
}

static neuromc_status conv_forward(const struct call *call, struct nmc_fragment *out) {
    struct nmc_layout input, output;
    neuromc_status status = conv_layout(call, "input", &call->event->input, &input);
    if (!status)
        status = conv_layout(call, "output", &call->event->output, &output);
    if (status)
        return status;
    *out = fragment_of(call, "conv.forward", NMC_FORWARD);
    finish_forward(call, out);
    nmc_fragment_slide(out, call->module->axes, call->module->stride, call->module->dilation,
                       input.axes == call->module->axes ? input.space : NULL);
    return conv_dims(call, "output", &input, &output, out);
}

static neuromc_status linear_forward(const struct call *call, struct nmc_fragment *out) {
    struct nmc_layout input;
    neuromc_status status = linear_layout(call, "input", &call->event->input, &input);
    if (status)
        return status;
    *out = fragment_of(call, "linear.forward", NMC_FORWARD);
    finish_forward(call, out);
    return linear_dims(call, "input", &input, out);
}

static neuromc_status bn_forward(const struct call *call, struct nmc_fragment *out) {
    const struct nmc_trace_event *event = call->event;
    struct nmc_layout input;
    neuromc_status status = nmc_work_layout(call->work, "input", &event->input,
                                            call->module->multi_step, call->rules, &input);
    if (!status)
        status = nmc_work_bn(call->work, "input", &input, NMC_FORWARD, event->input.spike, out);
    if (status)
        return status;
    out->input_elements = event->input.elements;
    out->output_elements = event->output.elements;
    return NEUROMC_OK;
}

/* What one neuron update per element of a tensor comes to. */
static neuromc_status soma_dims(const struct call *call, const char *where,
                                const struct nmc_trace_tensor *tensor,
                                struct nmc_fragment *fragment) {
    struct nmc_layout layout = {.t = 1, .b = 1, .c = 1, .area = 1};
    neuromc_status status = NEUROMC_OK;
    if (tensor->rank >= 0)
        status = nmc_work_layout(call->work, where, tensor, call->module->multi_step, call->rules,
                                 &layout);
    if (status)
        return status;
    const int64_t dims[NMC_LOOPS] = {layout.b, layout.t, layout.c, layout.c, layout.area, 1, 1, 1};
    return nmc_work_dims(call->work, where, dims, false, fragment);
}

static neuromc_status soma_forward(const struct call *call, struct nmc_fragment *out) {
    const struct nmc_trace_event *event = call->event;
    *out = fragment_of(call, "soma.forward", NMC_FORWARD);
    out->core = NMC_CORE_FP_SOMA;
    out->process = NMC_WITH_SG;
    out->output_bits = call->work->precision->spike_bits;
    set_elements(out, event->input.elements, 0, event->output.elements);
    set_positions(call, out);
    return soma_dims(call, "output", &event->output, out);
}

/* ---- backward ----------------------------------------------------------------------------- */

/* The fragments of a convolution or linear layer whose loop dims are those of `base`: one for
 * each gradient that exists. */
static int gradients(const struct call *call, const char *grad_input, const char *grad_weight,
                     const struct nmc_fragment *base, struct nmc_fragment *out) {
    const struct nmc_trace_event *event = call->event;
    int64_t weight = call->module->weight.elements;
    int count = 0;
    if (event->grad_input.rank >= 0) {
        struct nmc_fragment *fragment = &out[count++];
        *fragment = *base;
        fragment->op = grad_input;
        nmc_work_product(call->work, NMC_PRODUCT_GRAD_INPUT, call->last->spike, fragment);
        set_elements(fragment, event->grad_output.elements, weight, event->grad_input.elements);
    }
    if (call->module->weight.requires_grad) {
        struct nmc_fragment *fragment = &out[count++];
        *fragment = *base;
        fragment->op = grad_weight;
        nmc_work_product(call->work, NMC_PRODUCT_GRAD_WEIGHT, call->last->spike, fragment);
        set_elements(fragment, call->last->elements, event->grad_output.elements, weight);
    }
    return count;
}

static neuromc_status conv_backward(const struct call *call, struct nmc_fragment *out, int *count) {
    struct nmc_layout layout;
    struct nmc_fragment base = fragment_of(call, "", NMC_BACKWARD);
    nmc_fragment_slide(&base, call->module->axes, call->module->stride, call->module->dilation,
                       NULL);
    memcpy(base.extent, call->last->extent, sizeof base.extent);
    neuromc_status status = conv_layout(call, "grad_output", &call->event->grad_output, &layout);
    if (!status)
        status = conv_dims(call, "grad_output", &layout, &layout, &base);
    if (!status)
        *count =
            gradients(call, "conv.backward.grad_input", "conv.backward.grad_weight", &base, out);
    return status;
}

static neuromc_status linear_backward(const struct call *call, struct nmc_fragment *out,
                                      int *count) {
    struct nmc_layout layout;
    struct nmc_fragment base = fragment_of(call, "", NMC_BACKWARD);
    neuromc_status status = linear_layout(call, "grad_output", &call->event->grad_output, &layout);
    if (!status)
        status = linear_dims(call, "grad_output", &layout, &base);
    if (!status)
        *count = gradients(call, "linear.backward.grad_input", "linear.backward.grad_weight", &base,
                           out);
    return status;
}

static neuromc_status bn_backward(const struct call *call, struct nmc_fragment *out) {
    const struct nmc_trace_event *event = call->event;
    struct nmc_layout layout;
    neuromc_status status = nmc_work_layout(call->work, "grad_output", &event->grad_output,
                                            call->module->multi_step, call->rules, &layout);
    if (!status)
        status =
            nmc_work_bn(call->work, "grad_output", &layout, NMC_BACKWARD, call->last->spike, out);
    if (status)
        return status;
    out->input_elements = event->grad_output.elements;
    out->output_elements = event->grad_input.elements;
    return NEUROMC_OK;
}

static neuromc_status soma_backward(const struct call *call, struct nmc_fragment *out) {
    const struct nmc_trace_event *event = call->event;
    bool has_input = event->grad_input.rank >= 0;
    const struct nmc_trace_tensor *tensor = has_input ? &event->grad_input : &event->grad_output;
    const char *where = has_input ? "grad_input" : "grad_output";
    if (tensor->rank < 0)
        return nmc_trace_error(call->work->trace, NEUROMC_BAD_INPUT, where, NULL,
                               "expected a tensor, got null");
    *out = fragment_of(call, "soma.backward", NMC_BACKWARD);
    out->core = NMC_CORE_BP_GRAD;
    out->process = NMC_WITH_SG;
    set_elements(out, event->grad_output.elements, 0, tensor->elements);
    return soma_dims(call, where, tensor, out);
}

/* ---- dispatch ----------------------------------------------------------------------------- */

neuromc_status nmc_call_fragments(const struct nmc_trace_work *work,
                                  const struct nmc_last_input *last, unsigned rules,
                                  struct nmc_fragment out[NMC_CALL_FRAGMENTS], int *count) {
    const struct nmc_trace_event *event = work->event;
    const struct call call = {work, &event->module, event, last, rules};
    bool forward = event->kind == NMC_TRACE_FORWARD;
    neuromc_status status = NEUROMC_OK;
    *count = 1;
    switch (event->module.type) {
    case NMC_MODULE_CONV1D:
    case NMC_MODULE_CONV2D:
    case NMC_MODULE_CONV3D:
        status = forward ? conv_forward(&call, out) : conv_backward(&call, out, count);
        break;
    case NMC_MODULE_LINEAR:
        status = forward ? linear_forward(&call, out) : linear_backward(&call, out, count);
        break;
    case NMC_MODULE_BATCH_NORM1D:
    case NMC_MODULE_BATCH_NORM2D:
    case NMC_MODULE_BATCH_NORM3D:
        status = forward ? bn_forward(&call, out) : bn_backward(&call, out);
        break;
    default: status = forward ? soma_forward(&call, out) : soma_backward(&call, out); break;
    }
    for (int i = 0; i < *count && !status; i++)
        out[i].node = event->module.name;
    return status;
}
