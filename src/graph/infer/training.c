/* Training graphs: losses, gradients, accumulators and optimizers. */
#include <string.h>

#include "base/limits.h"
#include "graph/infer.h"

/* ---- losses ---- */

static neuromc_status reduces(struct nmc_infer *infer, const struct nmc_node *node, bool *out) {
    const char *text;
    neuromc_status status = nmc_attr_string(infer, node, "reduction", "mean", &text);
    *out = strcmp(text, "none") != 0;
    return status;
}

/* One number, or a loss for each label; the second output is the scores' logarithm. */
neuromc_status nmc_infer_loss(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *labels = nmc_in_shape(node, 1);
    enum nmc_elem type = nmc_in_type(node, 0);
    bool one;
    neuromc_status status = reduces(infer, node, &one);
    nmc_out_type(node, 0, type);
    if (status == NEUROMC_OK)
        status = nmc_out_like(infer, node, 1, 0);
    if (status == NEUROMC_OK && one)
        return nmc_out(infer, node, 0, type, 0, NULL);
    if (status == NEUROMC_OK && labels)
        return nmc_out(infer, node, 0, type, labels->rank, labels->dims);
    return status;
}

/* dY, log_prob, labels, ...; some writers leave dY out. */
neuromc_status nmc_infer_loss_grad(struct nmc_infer *infer, struct nmc_node *node) {
    return nmc_out_like(infer, node, 0, node->input_count > 2 ? 1 : 0);
}

/* ---- gradients: each output has the shape of what it is the gradient of ---- */

neuromc_status nmc_infer_like_second(struct nmc_infer *infer, struct nmc_node *node) {
    return nmc_out_like(infer, node, 0, 1);
}

/* Output i like input first + i. */
static neuromc_status like_from(struct nmc_infer *infer, struct nmc_node *node, int first) {
    neuromc_status status = NEUROMC_OK;
    for (int i = 0; status == NEUROMC_OK && i < node->output_count; i++)
        status = nmc_out_like(infer, node, i, first + i);
    return status;
}

neuromc_status nmc_infer_like_each(struct nmc_infer *infer, struct nmc_node *node) {
    return like_from(infer, node, 0);
}

/* dY, X, W; the bias has one entry for each output channel. */
neuromc_status nmc_infer_conv_grad(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *w = nmc_in_shape(node, 2);
    neuromc_status status = nmc_out_like(infer, node, 0, 1);
    if (status == NEUROMC_OK)
        status = nmc_out_like(infer, node, 1, 2);
    if (status != NEUROMC_OK || !w || w->rank < 1)
        return status;
    return nmc_out(infer, node, 2, nmc_in_type(node, 2), 1, w->dims);
}

/* dY, X, scale, ...: gradients of X, scale and bias */
neuromc_status nmc_infer_norm_grad(struct nmc_infer *infer, struct nmc_node *node) {
    neuromc_status status = nmc_out_like(infer, node, 0, 1);
    if (status == NEUROMC_OK)
        status = nmc_out_like(infer, node, 1, 2);
    return status == NEUROMC_OK ? nmc_out_like(infer, node, 2, 2) : status;
}

/* The shape is the value of an input. */
static neuromc_status shape_from(struct nmc_infer *infer, struct nmc_node *node, int shape,
                                 int type) {
    int64_t count;
    const nmc_dim *dims = nmc_in_ints(node, shape, &count);
    nmc_out_type(node, 0, nmc_in_type(node, type));
    if (!dims || count > NMC_LIMIT_RANK)
        return NEUROMC_OK;
    return nmc_out(infer, node, 0, nmc_in_type(node, type), (int)count, dims);
}

/* dY, shape of the sliced or gathered tensor, ... */
neuromc_status nmc_infer_slice_grad(struct nmc_infer *infer, struct nmc_node *node) {
    return shape_from(infer, node, 1, 0);
}

/* shape of the gathered tensor, indices, dY */
neuromc_status nmc_infer_gather_grad(struct nmc_infer *infer, struct nmc_node *node) {
    return shape_from(infer, node, 0, 2);
}

/* ---- which axes a broadcast summed over ---- */

static neuromc_status set_axes(struct nmc_infer *infer, struct nmc_node *node, int output,
                               int64_t count, const nmc_dim *axes) {
    neuromc_status status = nmc_out(infer, node, output, NMC_ELEM_int64, 1, &(nmc_dim){count});
    return status == NEUROMC_OK ? nmc_out_ints(infer, node, output, count, axes) : status;
}

/* Axes of the common shape along which a was repeated to be as large as b; last first. False if a
 * symbol leaves that open. */
static bool repeated(const nmc_dim *a, int64_t na, const nmc_dim *b, int64_t nb, nmc_dim *axes,
                     int64_t *count) {
    int64_t rank = na > nb ? na : nb;
    *count = 0;
    for (int64_t i = rank - 1; i >= 0; i--) {
        int64_t ia = i - (rank - na), ib = i - (rank - nb);
        nmc_dim x = ia >= 0 ? a[ia] : 1, y = ib >= 0 ? b[ib] : 1;
        bool same = ia >= 0 && (x == y || y == 1);
        if (!same && (!nmc_dim_known(x) || !nmc_dim_known(y)) && ia >= 0)
            return false;
        if (!same)
            axes[(*count)++] = i;
    }
    return true;
}

neuromc_status nmc_infer_broadcast_axes(struct nmc_infer *infer, struct nmc_node *node) {
    nmc_dim axes[NMC_LIMIT_RANK];
    int64_t na, nb, count;
    const nmc_dim *a = nmc_in_ints(node, 0, &na), *b = nmc_in_ints(node, 1, &nb);
    nmc_out_type(node, 0, NMC_ELEM_int64);
    nmc_out_type(node, 1, NMC_ELEM_int64);
    if (!a || !b || na > NMC_LIMIT_RANK || nb > NMC_LIMIT_RANK)
        return NEUROMC_OK;
    neuromc_status status = NEUROMC_OK;
    if (repeated(a, na, b, nb, axes, &count))
        status = set_axes(infer, node, 0, count, axes);
    if (status == NEUROMC_OK && repeated(b, nb, a, na, axes, &count))
        status = set_axes(infer, node, 1, count, axes);
    return status;
}

/* ---- the boundary between forward and backward ---- */

/* The gradient of each output of the module that has one. */
neuromc_status nmc_infer_yield(struct nmc_infer *infer, struct nmc_node *node) {
    const int64_t *without;
    int64_t count;
    neuromc_status status =
        nmc_attr_ints(infer, node, "non_differentiable_outputs", &without, &count);
    int output = 0;
    for (int i = 0; status == NEUROMC_OK && i < node->input_count; i++) {
        bool skipped = false;
        for (int64_t k = 0; k < count; k++)
            skipped |= without[k] == i;
        if (!skipped)
            status = nmc_out_like(infer, node, output++, i);
    }
    return status;
}

/* ---- accumulators: buffer, value, flag ---- */

neuromc_status nmc_infer_accumulate(struct nmc_infer *infer, struct nmc_node *node) {
    neuromc_status status = nmc_out(infer, node, 0, NMC_ELEM_bool, 1, &(nmc_dim){1});
    return status == NEUROMC_OK ? nmc_out_like(infer, node, 1, 0) : status;
}

neuromc_status nmc_infer_one_number(struct nmc_infer *infer, struct nmc_node *node) {
    return nmc_out(infer, node, 0, nmc_in_type(node, 0), 0, NULL);
}

/* ---- optimizers ---- */

/* ai.onnx.preview.training: rate and step, then `groups` runs of as many tensors as there are
 * parameters: parameters, gradients, states. Outputs are the parameters and states. */
static neuromc_status update(struct nmc_infer *infer, struct nmc_node *node, int groups) {
    int count = (node->input_count - 2) / groups;
    if (count < 1 || count * groups != node->input_count - 2)
        return nmc_node_error(infer, node, NULL,
                              "%d inputs are not a rate, a step and %d for each "
                              "parameter",
                              node->input_count, groups);
    neuromc_status status = NEUROMC_OK;
    for (int i = 0; status == NEUROMC_OK && i < node->output_count; i++) {
        int group = i / count;
        int input = 2 + (group ? group + 1 : 0) * count + i % count;
        status = nmc_out_like(infer, node, i, input);
    }
    return status;
}

neuromc_status nmc_infer_momentum(struct nmc_infer *infer, struct nmc_node *node) {
    return update(infer, node, 3);
}

neuromc_status nmc_infer_adam(struct nmc_infer *infer, struct nmc_node *node) {
    return update(infer, node, 4);
}

/* com.microsoft, on sequences: rate, step, parameters, gradients, two states; outputs a flag,
 * parameters, states. */
neuromc_status nmc_infer_adamw_sequences(struct nmc_infer *infer, struct nmc_node *node) {
    static const int inputs[] = {-1, 2, 4, 5};
    neuromc_status status = nmc_out(infer, node, 0, NMC_ELEM_bool, 1, &(nmc_dim){1});
    for (int i = 1; status == NEUROMC_OK && i < 4; i++) {
        status = nmc_out_like(infer, node, i, inputs[i]);
        if (i < node->output_count && node->outputs[i])
            node->outputs[i]->holds = NMC_HOLDS_SEQUENCE;
    }
    return status;
}

/* rate, parameters, gradients; outputs a flag and the parameters */
neuromc_status nmc_infer_sgd_sequences(struct nmc_infer *infer, struct nmc_node *node) {
    neuromc_status status = nmc_out(infer, node, 0, NMC_ELEM_bool, 1, &(nmc_dim){1});
    if (status == NEUROMC_OK)
        status = nmc_out_like(infer, node, 1, 1);
    if (node->output_count > 1 && node->outputs[1])
        node->outputs[1]->holds = NMC_HOLDS_SEQUENCE;
    return status;
}

/* rate, parameter, gradient: the new parameter, the new gradient */
neuromc_status nmc_infer_sgd(struct nmc_infer *infer, struct nmc_node *node) {
    return like_from(infer, node, 1);
}

/* rate, step, parameter, gradient, two states: step, states, parameter, gradient */
neuromc_status nmc_infer_adam_single(struct nmc_infer *infer, struct nmc_node *node) {
    static const int inputs[] = {1, 4, 5, 2, 3};
    neuromc_status status = NEUROMC_OK;
    for (int i = 0; status == NEUROMC_OK && i < 5; i++)
        status = nmc_out_like(infer, node, i, inputs[i]);
    return status;
}
