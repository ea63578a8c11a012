/* Resize and Upsample: some axes scaled by factors or brought to sizes, in every opset's form. */
#include <math.h>
#include <string.h>

#include "base/limits.h"
#include "base/number.h"
#include "graph/infer/shape_ops.h"

struct resize {
    struct nmc_list sizes, axes;
    const double *scales; /* NULL: not known */
    int64_t scale_count;  /* 0: none given; -1: not known how many */
};

/* ---- arguments ---- */

/* Opset 10 and Upsample have (X, scales), later ones (X, roi, scales, sizes). */
static int scales_input(const struct nmc_node *node) {
    return node->input_count > 2 ? 2 : 1;
}

static void read_scales_input(const struct nmc_node *node, struct resize *r) {
    const struct nmc_tensor *tensor = nmc_in(node, scales_input(node));
    if (!tensor)
        return;
    r->scale_count = -1;
    r->scales = nmc_in_reals(node, scales_input(node), &r->scale_count);
    if (!r->scales)
        r->scale_count = tensor->shape.rank == 1 && nmc_dim_known(tensor->shape.dims[0])
                             ? tensor->shape.dims[0]
                             : -1;
}

/* Upsample of opset 7 has them as an attribute, of opset 1 as height_scale and width_scale. */
static neuromc_status read_scales(struct nmc_infer *infer, const struct nmc_node *node,
                                  double old_scales[4], struct resize *r) {
    const struct nmc_attr *attr = nmc_attr_find(node, "scales");
    if (attr && attr->kind == NMC_ATTR_FLOATS) {
        r->scales = attr->floats;
        r->scale_count = attr->count;
    } else if (nmc_attr_find(node, "height_scale") || nmc_attr_find(node, "width_scale")) {
        neuromc_status status = nmc_attr_float(infer, node, "height_scale", 1, &old_scales[2]);
        old_scales[0] = old_scales[1] = 1;
        r->scales = old_scales;
        r->scale_count = 4;
        return status == NEUROMC_OK ? nmc_attr_float(infer, node, "width_scale", 1, &old_scales[3])
                                    : status;
    } else {
        read_scales_input(node, r);
    }
    return NEUROMC_OK;
}

/* ---- one axis ---- */

static neuromc_status bad_scale(struct nmc_infer *infer, const struct nmc_node *node, nmc_dim size,
                                double scale) {
    char text[NMC_NUMBER_SIZE] = "infinity";
    if (isfinite(scale))
        nmc_number_format(text, scale);
    return nmc_node_error(infer, node, NULL, "size %lld cannot be scaled by %s", (long long)size,
                          text);
}

/* floor(size * scale) in single precision, as runtimes do it. */
static neuromc_status scaled(struct nmc_infer *infer, const struct nmc_node *node, nmc_dim size,
                             double scale, nmc_dim *out) {
    *out = size;
    if (scale == 1)
        return NEUROMC_OK;
    if (isnan(scale) || !nmc_dim_known(size)) {
        *out = nmc_unknown(infer, node);
        return NEUROMC_OK;
    }
    double result = floor((double)((float)size * (float)scale));
    if (!(scale > 0) || result >= 0x1p62)
        return bad_scale(infer, node, size, scale);
    *out = (int64_t)result;
    return NEUROMC_OK;
}

/* One scale for all axes, the least or the greatest that the sizes ask for; NaN if not known. */
static double common_scale(const struct nmc_shape *shape, const struct resize *r, const int *axes,
                           bool greatest) {
    double scale = (double)NAN;
    for (int64_t i = 0; i < r->sizes.count; i++) {
        nmc_dim size = shape->dims[axes[i]], wanted = r->sizes.values[i];
        if (!nmc_dim_known(size) || !nmc_dim_known(wanted) || size == 0)
            return (double)NAN;
        double own = (double)wanted / (double)size;
        if (isnan(scale) || (greatest ? own > scale : own < scale))
            scale = own;
    }
    return scale;
}

/* Halves are rounded up. */
static nmc_dim rounded(struct nmc_infer *infer, const struct nmc_node *node, nmc_dim size,
                       double scale) {
    double result = floor((double)size * scale + 0.5);
    return result >= 0 && result < 0x1p62 ? (int64_t)result : nmc_unknown(infer, node);
}

/* ---- all of them ---- */

static neuromc_status by_sizes(struct nmc_infer *infer, const struct nmc_node *node,
                               const struct nmc_shape *shape, const struct resize *r,
                               const int *axes, nmc_dim *dims) {
    const char *policy;
    neuromc_status status =
        nmc_attr_string(infer, node, "keep_aspect_ratio_policy", "stretch", &policy);
    bool least = strcmp(policy, "not_larger") == 0, most = strcmp(policy, "not_smaller") == 0;
    if (status != NEUROMC_OK)
        return status;
    double scale = least || most ? common_scale(shape, r, axes, most) : 0;
    for (int64_t i = 0; i < r->sizes.count; i++)
        dims[axes[i]] =
            least || most ? rounded(infer, node, shape->dims[axes[i]], scale) : r->sizes.values[i];
    return NEUROMC_OK;
}

static neuromc_status by_scales(struct nmc_infer *infer, const struct nmc_node *node,
                                const struct nmc_shape *shape, const struct resize *r,
                                const int *axes, nmc_dim *dims) {
    neuromc_status status = NEUROMC_OK;
    for (int64_t i = 0; status == NEUROMC_OK && i < r->scale_count; i++)
        status = scaled(infer, node, shape->dims[axes[i]], r->scales[i], &dims[axes[i]]);
    return status;
}

/* The axes that scales or sizes are for, all if not said. `count` of them are wanted. */
static neuromc_status resized_axes(struct nmc_infer *infer, const struct nmc_node *node, int rank,
                                   const struct resize *r, int64_t count, int *axes) {
    neuromc_status status = NEUROMC_OK;
    int64_t named = r->axes.given ? r->axes.count : rank;
    if (count != named || named > rank)
        return nmc_node_error(infer, node, NULL, "%lld scales or sizes for %lld axes",
                              (long long)count, (long long)named);
    for (int i = 0; status == NEUROMC_OK && i < (int)named; i++) {
        axes[i] = i;
        if (r->axes.given)
            status = nmc_axis(infer, node, "axis", r->axes.values[i], rank, &axes[i]);
    }
    return status;
}

static neuromc_status resize(struct nmc_infer *infer, struct nmc_node *node,
                             const struct nmc_shape *shape, const struct resize *r, bool sizes) {
    nmc_dim dims[NMC_LIMIT_RANK];
    int axes[NMC_LIMIT_RANK] = {0};
    neuromc_status status =
        resized_axes(infer, node, shape->rank, r, sizes ? r->sizes.count : r->scale_count, axes);
    for (int i = 0; i < shape->rank; i++)
        dims[i] = shape->dims[i];
    if (status == NEUROMC_OK)
        status = sizes ? by_sizes(infer, node, shape, r, axes, dims)
                       : by_scales(infer, node, shape, r, axes, dims);
    return status == NEUROMC_OK ? nmc_out(infer, node, 0, nmc_in_type(node, 0), shape->rank, dims)
                                : status;
}

neuromc_status nmc_infer_resize(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *shape = nmc_in_shape(node, 0);
    struct resize r = {.scale_count = 0};
    double old_scales[4];
    neuromc_status status = read_scales(infer, node, old_scales, &r);
    if (status == NEUROMC_OK)
        status = nmc_list(infer, node, NULL, 3, &r.sizes);
    if (status == NEUROMC_OK)
        status = nmc_list(infer, node, "axes", -1, &r.axes);
    nmc_out_type(node, 0, nmc_in_type(node, 0));
    if (status != NEUROMC_OK || !shape)
        return status;
    if (r.scale_count == 0 && !r.sizes.given)
        return nmc_node_error(infer, node, NULL, "has neither scales nor sizes");
    /* One of the two may be there and empty. */
    bool sizes = r.sizes.values && (r.sizes.count > 0 || r.scale_count == 0);
    if (sizes || (r.scales && r.scale_count > 0))
        return resize(infer, node, shape, &r, sizes);
    return nmc_out_rank(infer, node, 0, nmc_in_type(node, 0), shape->rank);
}
