/*
 * window.h - a window that slides over spatial axes: what convolutions and pools share.
 */
#ifndef NMC_INFER_WINDOW_H
#define NMC_INFER_WINDOW_H

#include "base/limits.h"
#include "graph/infer.h"

enum nmc_auto_pad { NMC_PAD_NOTSET, NMC_PAD_VALID, NMC_PAD_SAME };

struct nmc_window {
    int axes; /* spatial ones */
    enum nmc_auto_pad auto_pad;
    bool ceil_mode;
    nmc_dim kernel[NMC_LIMIT_RANK]; /* may be unknown */
    int64_t stride[NMC_LIMIT_RANK], dilation[NMC_LIMIT_RANK];
    int64_t pad_begin[NMC_LIMIT_RANK], pad_end[NMC_LIMIT_RANK];
};

/* Reads auto_pad, strides, dilations, pads, ceil_mode and kernel_shape; where the last is absent
 * the kernel is that of `weight`, spatial axes of a weight tensor, which may be NULL. */
neuromc_status nmc_window_read(struct nmc_infer *infer, const struct nmc_node *node, int axes,
                               const nmc_dim *weight, struct nmc_window *window);

/* Spatial output sizes of a window over `input`, and of a transposed convolution. An input or
 * kernel that is not known leaves its axis unknown. */
neuromc_status nmc_window_slide(struct nmc_infer *infer, const struct nmc_node *node,
                                const struct nmc_window *window, const nmc_dim *input,
                                nmc_dim *output);
neuromc_status nmc_window_spread(struct nmc_infer *infer, const struct nmc_node *node,
                                 const struct nmc_window *window, const nmc_dim *input,
                                 nmc_dim *output);

/* An attribute of one entry per spatial axis, absent ones filled in; entries below `least` are an
 * error. */
neuromc_status nmc_axis_values(struct nmc_infer *infer, const struct nmc_node *node,
                               const char *name, int axes, int64_t absent, int64_t least,
                               int64_t *out);

#endif
