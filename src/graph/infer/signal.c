/* Operators on signals: DFT, STFT, window functions, MelWeightMatrix. */
#include "base/checked.h"
#include "base/limits.h"
#include "graph/infer/shape_ops.h"

/* Different frequencies of `length` real samples. */
static nmc_dim half(struct nmc_infer *infer, const struct nmc_node *node, nmc_dim length) {
    return nmc_dim_known(length) ? length / 2 + 1 : nmc_unknown(infer, node);
}

/* Samples that so many frequencies stand for, if nobody says. */
static nmc_dim doubled(struct nmc_infer *infer, const struct nmc_node *node, nmc_dim count) {
    nmc_dim out;
    bool fits = nmc_dim_known(count) && count > 0 && nmc_mul(count - 1, 2, &out);
    return fits ? out : nmc_unknown(infer, node);
}

/* ---- DFT ---- */

/* The axis is an attribute with default 1 up to opset 19, then an input with default -2. */
static neuromc_status dft_axis(struct nmc_infer *infer, const struct nmc_node *node, int rank,
                               int *axis, bool *known) {
    nmc_dim wanted;
    bool old = nmc_before(node, 20) || nmc_attr_find(node, "axis");
    neuromc_status status = nmc_scalar(infer, node, "axis", 2, old ? 1 : -2, &wanted);
    *known = nmc_dim_known(wanted);
    if (status != NEUROMC_OK || !*known)
        return status;
    return nmc_axis(infer, node, "axis", wanted, rank, axis);
}

neuromc_status nmc_infer_dft(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *shape = nmc_in_shape(node, 0);
    nmc_dim dims[NMC_LIMIT_RANK], length;
    int64_t onesided, inverse;
    int axis = 0;
    bool known;
    neuromc_status status = nmc_attr_int(infer, node, "onesided", 0, &onesided);
    if (status == NEUROMC_OK)
        status = nmc_attr_int(infer, node, "inverse", 0, &inverse);
    if (status == NEUROMC_OK)
        status = nmc_scalar(infer, node, NULL, 1, -1, &length);
    nmc_out_type(node, 0, nmc_in_type(node, 0));
    if (status != NEUROMC_OK || !shape)
        return status;
    status = dft_axis(infer, node, shape->rank, &axis, &known);
    if (status != NEUROMC_OK)
        return status;
    if (!known)
        return nmc_out_rank(infer, node, 0, nmc_in_type(node, 0), shape->rank);
    for (int i = 0; i < shape->rank; i++)
        dims[i] = shape->dims[i];
    bool real = onesided && inverse;
    if (nmc_in(node, 1))
        dims[axis] = length;
    else if (real)
        dims[axis] = doubled(infer, node, dims[axis]);
    if (onesided && !inverse)
        dims[axis] = half(infer, node, dims[axis]);
    /* Real and imaginary part. */
    dims[shape->rank - 1] = real ? 1 : 2;
    return nmc_out(infer, node, 0, nmc_in_type(node, 0), shape->rank, dims);
}

/* ---- STFT ---- */

/* How many frames of `length` fit when each starts `step` later. */
static neuromc_status count_frames(struct nmc_infer *infer, const struct nmc_node *node,
                                   nmc_dim samples, nmc_dim length, nmc_dim step, nmc_dim *out) {
    if (nmc_dim_known(step) && step < 1)
        return nmc_node_error(infer, node, NULL, "frame_step is %lld", (long long)step);
    *out = nmc_unknown(infer, node);
    if (!nmc_dim_known(samples) || !nmc_dim_known(length) || !nmc_dim_known(step))
        return NEUROMC_OK;
    if (length > samples)
        return nmc_node_error(infer, node, NULL, "a frame of %lld in %lld samples",
                              (long long)length, (long long)samples);
    *out = (samples - length) / step + 1;
    return NEUROMC_OK;
}

/* signal [batch, samples, 1 or 2]: [batch, frames, frequencies, 2]. */
neuromc_status nmc_infer_stft(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *signal = nmc_in_shape(node, 0), *window = nmc_in_shape(node, 2);
    nmc_dim step, length;
    int64_t onesided;
    neuromc_status status = nmc_attr_int(infer, node, "onesided", 1, &onesided);
    if (status == NEUROMC_OK)
        status = nmc_scalar(infer, node, NULL, 1, 1, &step);
    if (status == NEUROMC_OK)
        status = nmc_scalar(infer, node, NULL, 3, -1, &length);
    if (status != NEUROMC_OK)
        return status;
    nmc_out_type(node, 0, nmc_in_type(node, 0));
    if (!nmc_in(node, 3))
        length = window && window->rank == 1 ? window->dims[0] : nmc_unknown(infer, node);
    if (nmc_dim_known(length) && length < 1)
        return nmc_node_error(infer, node, NULL, "frame_length is %lld", (long long)length);
    if (!signal)
        return NEUROMC_OK;
    if (signal->rank < 2)
        return nmc_node_error(infer, node, NULL, "a signal of %d axes, 3 wanted", signal->rank);
    nmc_dim dims[4] = {signal->dims[0], 0, length, 2};
    status = count_frames(infer, node, signal->dims[1], length, step, &dims[1]);
    if (onesided)
        dims[2] = half(infer, node, length);
    return status == NEUROMC_OK ? nmc_out(infer, node, 0, nmc_in_type(node, 0), 4, dims) : status;
}

/* ---- what is made from sizes ---- */

/* HannWindow and its kin: [size]. */
neuromc_status nmc_infer_window(struct nmc_infer *infer, struct nmc_node *node) {
    enum nmc_elem type;
    nmc_dim size;
    neuromc_status status = nmc_elem_attr(infer, node, "output_datatype", NMC_ELEM_float32, &type);
    if (status == NEUROMC_OK)
        status = nmc_scalar(infer, node, NULL, 0, 0, &size);
    return status == NEUROMC_OK ? nmc_out(infer, node, 0, type, 1, &size) : status;
}

/* [frequencies, mel bins]. */
neuromc_status nmc_infer_mel_weight_matrix(struct nmc_infer *infer, struct nmc_node *node) {
    enum nmc_elem type;
    nmc_dim bins, length;
    neuromc_status status = nmc_elem_attr(infer, node, "output_datatype", NMC_ELEM_float32, &type);
    if (status == NEUROMC_OK)
        status = nmc_scalar(infer, node, NULL, 0, 0, &bins);
    if (status == NEUROMC_OK)
        status = nmc_scalar(infer, node, NULL, 1, 0, &length);
    if (status != NEUROMC_OK)
        return status;
    if (nmc_dim_known(length) && length < 0)
        return nmc_node_error(infer, node, NULL, "dft_length is %lld", (long long)length);
    nmc_dim dims[2] = {half(infer, node, length), bins};
    return nmc_out(infer, node, 0, type, 2, dims);
}
