/* Operators on images and grids: DepthToSpace, SpaceToDepth, GridSample, AffineGrid, Col2Im,
 * ImageDecoder, Det. */
#include <string.h>

#include "base/checked.h"
#include "base/limits.h"
#include "graph/infer/shape_ops.h"

static neuromc_status divide(struct nmc_infer *infer, const struct nmc_node *node, nmc_dim size,
                             int64_t by, nmc_dim *out) {
    *out = size;
    if (by == 1)
        return NEUROMC_OK;
    if (!nmc_dim_known(size)) {
        *out = nmc_unknown(infer, node);
        return NEUROMC_OK;
    }
    if (size % by)
        return nmc_node_error(infer, node, NULL, "size %lld is no multiple of %lld",
                              (long long)size, (long long)by);
    *out = size / by;
    return NEUROMC_OK;
}

/* ---- blocks between channels and space ---- */

static neuromc_status read_block(struct nmc_infer *infer, const struct nmc_node *node,
                                 const struct nmc_shape *shape, int64_t *block, int64_t *area) {
    neuromc_status status = nmc_attr_int(infer, node, "blocksize", 0, block);
    if (status == NEUROMC_OK && (*block < 1 || !nmc_mul(*block, *block, area)))
        return nmc_node_error(infer, node, NULL, "blocksize is %lld", (long long)*block);
    if (status == NEUROMC_OK && shape && shape->rank != 4)
        return nmc_node_error(infer, node, NULL, "its input has %d axes, 4 wanted", shape->rank);
    return status;
}

neuromc_status nmc_infer_depth_to_space(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *shape = nmc_in_shape(node, 0);
    enum nmc_elem type = nmc_in_type(node, 0);
    int64_t block = 1, area = 1;
    neuromc_status status = read_block(infer, node, shape, &block, &area);
    nmc_out_type(node, 0, type);
    if (status != NEUROMC_OK || !shape)
        return status;
    nmc_dim dims[4] = {shape->dims[0]};
    status = divide(infer, node, shape->dims[1], area, &dims[1]);
    for (int i = 2; status == NEUROMC_OK && i < 4; i++)
        status = nmc_dim_mul(infer, node, shape->dims[i], block, &dims[i]);
    return status == NEUROMC_OK ? nmc_out(infer, node, 0, type, 4, dims) : status;
}

neuromc_status nmc_infer_space_to_depth(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *shape = nmc_in_shape(node, 0);
    enum nmc_elem type = nmc_in_type(node, 0);
    int64_t block = 1, area = 1;
    neuromc_status status = read_block(infer, node, shape, &block, &area);
    nmc_out_type(node, 0, type);
    if (status != NEUROMC_OK || !shape)
        return status;
    nmc_dim dims[4] = {shape->dims[0]};
    status = nmc_dim_mul(infer, node, shape->dims[1], area, &dims[1]);
    for (int i = 2; status == NEUROMC_OK && i < 4; i++)
        status = divide(infer, node, shape->dims[i], block, &dims[i]);
    return status == NEUROMC_OK ? nmc_out(infer, node, 0, type, 4, dims) : status;
}

/* ---- sampling ---- */

/* X [N, C, ...], grid [N, places..., axes]: [N, C, places...]. */
neuromc_status nmc_infer_grid_sample(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *x = nmc_in_shape(node, 0), *grid = nmc_in_shape(node, 1);
    nmc_dim dims[NMC_LIMIT_RANK];
    nmc_out_type(node, 0, nmc_in_type(node, 0));
    if (!x || !grid)
        return NEUROMC_OK;
    if (x->rank < 3 || grid->rank != x->rank)
        return nmc_node_error(infer, node, NULL, "%s cannot be sampled at %s",
                              nmc_shape_text(infer->net, x), nmc_shape_text(infer->net, grid));
    neuromc_status status = nmc_dim_unify(infer, node, 0, x->dims[0], grid->dims[0], &dims[0]);
    dims[1] = x->dims[1];
    for (int i = 2; i < x->rank; i++)
        dims[i] = grid->dims[i - 1];
    return status == NEUROMC_OK ? nmc_out(infer, node, 0, nmc_in_type(node, 0), x->rank, dims)
                                : status;
}

/* size [N, C, H, W] or [N, C, D, H, W]: [N, H, W, 2] or [N, D, H, W, 3]. */
neuromc_status nmc_infer_affine_grid(struct nmc_infer *infer, struct nmc_node *node) {
    struct nmc_list size;
    nmc_dim dims[5];
    neuromc_status status = nmc_list(infer, node, NULL, 1, &size);
    nmc_out_type(node, 0, nmc_in_type(node, 0));
    if (status != NEUROMC_OK || size.count < 0)
        return status;
    if (size.count != 4 && size.count != 5)
        return nmc_node_error(infer, node, NULL, "a size of %lld axes, 4 or 5 wanted",
                              (long long)size.count);
    int rank = (int)size.count;
    if (!size.values)
        return nmc_out_rank(infer, node, 0, nmc_in_type(node, 0), rank);
    dims[0] = size.values[0];
    for (int i = 2; i < rank; i++)
        dims[i - 1] = size.values[i];
    dims[rank - 1] = rank - 2;
    return nmc_out(infer, node, 0, nmc_in_type(node, 0), rank, dims);
}

/* [N, C * block, places] and the image's sizes: [N, C, image...]. */
neuromc_status nmc_infer_col2im(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *shape = nmc_in_shape(node, 0);
    struct nmc_list image, block;
    nmc_dim dims[NMC_LIMIT_RANK], area;
    neuromc_status status = nmc_list(infer, node, NULL, 1, &image);
    if (status == NEUROMC_OK)
        status = nmc_list(infer, node, NULL, 2, &block);
    nmc_out_type(node, 0, nmc_in_type(node, 0));
    if (status != NEUROMC_OK || !shape || image.count < 0)
        return status;
    if (shape->rank != 3 || image.count > NMC_LIMIT_RANK - 2 ||
        (block.count >= 0 && block.count != image.count))
        return nmc_node_error(infer, node, NULL, "%s cannot become an image of %lld axes",
                              nmc_shape_text(infer->net, shape), (long long)image.count);
    int axes = (int)image.count;
    dims[0] = shape->dims[0];
    dims[1] = nmc_unknown(infer, node);
    if (block.values) {
        status = nmc_dim_product(infer, node, block.values, axes, &area);
        if (status == NEUROMC_OK && nmc_dim_known(area) && area > 0)
            status = divide(infer, node, shape->dims[1], area, &dims[1]);
    }
    for (int i = 0; i < axes; i++)
        dims[2 + i] = image.values ? image.values[i] : nmc_unknown(infer, node);
    return status == NEUROMC_OK ? nmc_out(infer, node, 0, nmc_in_type(node, 0), axes + 2, dims)
                                : status;
}

/* [height, width, channels]; the sizes are in the data. */
neuromc_status nmc_infer_image_decoder(struct nmc_infer *infer, struct nmc_node *node) {
    const char *format;
    neuromc_status status = nmc_attr_string(infer, node, "pixel_format", "RGB", &format);
    nmc_dim dims[3] = {nmc_unknown(infer, node), nmc_unknown(infer, node), 3};
    if (status == NEUROMC_OK && strcmp(format, "Grayscale") == 0)
        dims[2] = 1;
    return status == NEUROMC_OK ? nmc_out(infer, node, 0, NMC_ELEM_uint8, 3, dims) : status;
}

/* [..., M, M]: [...]. */
neuromc_status nmc_infer_det(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *shape = nmc_in_shape(node, 0);
    nmc_out_type(node, 0, nmc_in_type(node, 0));
    if (!shape)
        return NEUROMC_OK;
    if (shape->rank < 2 ||
        !nmc_unify(infer, shape->dims[shape->rank - 2], shape->dims[shape->rank - 1]))
        return nmc_node_error(infer, node, NULL, "%s holds no square matrices",
                              nmc_shape_text(infer->net, shape));
    return nmc_out(infer, node, 0, nmc_in_type(node, 0), shape->rank - 2, shape->dims);
}
