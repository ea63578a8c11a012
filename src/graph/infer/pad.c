/* Pad and its kin: elements added or cut off at the ends of axes. */
#include "base/checked.h"
#include "base/limits.h"
#include "graph/infer/shape_ops.h"

/* The axes that the pads are for, in their order; all axes if not given. */
static neuromc_status padded_axes(struct nmc_infer *infer, const struct nmc_node *node, int rank,
                                  const struct nmc_list *list, int *axes, int *count) {
    neuromc_status status = NEUROMC_OK;
    if (list->given && list->count > rank)
        return nmc_node_error(infer, node, NULL, "names %lld axes of %d", (long long)list->count,
                              rank);
    *count = list->given ? (int)list->count : rank;
    for (int i = 0; status == NEUROMC_OK && i < *count; i++) {
        axes[i] = i;
        if (list->given)
            status = nmc_axis(infer, node, "axis", list->values[i], rank, &axes[i]);
    }
    return status;
}

static neuromc_status pad_axis(struct nmc_infer *infer, const struct nmc_node *node, nmc_dim begin,
                               nmc_dim end, nmc_dim *size) {
    neuromc_status status = nmc_dim_add(infer, node, *size, begin, size);
    return status == NEUROMC_OK ? nmc_dim_add(infer, node, *size, end, size) : status;
}

/* Opset 1 calls the attribute paddings, later ones pads, until it becomes an input. */
static neuromc_status read_pads(struct nmc_infer *infer, const struct nmc_node *node,
                                struct nmc_list *pads, struct nmc_list *axes) {
    bool old = nmc_attr_find(node, "paddings") != NULL;
    neuromc_status status = nmc_list(infer, node, old ? "paddings" : "pads", 1, pads);
    if (status == NEUROMC_OK)
        status = nmc_list(infer, node, NULL, 3, axes);
    if (status == NEUROMC_OK && !pads->given)
        return nmc_node_error(infer, node, NULL, "has no pads");
    return status;
}

neuromc_status nmc_infer_pad(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *shape = nmc_in_shape(node, 0);
    struct nmc_list pads, list;
    nmc_dim dims[NMC_LIMIT_RANK];
    int axes[NMC_LIMIT_RANK] = {0}, count = 0;
    enum nmc_elem type = nmc_in_type(node, 0);
    neuromc_status status = read_pads(infer, node, &pads, &list);
    nmc_out_type(node, 0, type);
    if (status != NEUROMC_OK || !shape)
        return status;
    if (!pads.values || (list.given && !nmc_list_known(&list)))
        return nmc_out_rank(infer, node, 0, type, shape->rank);
    status = padded_axes(infer, node, shape->rank, &list, axes, &count);
    if (status == NEUROMC_OK && pads.count != 2 * (int64_t)count)
        return nmc_node_error(infer, node, NULL, "%lld pads for %d axes: two each wanted",
                              (long long)pads.count, count);
    for (int i = 0; i < shape->rank; i++)
        dims[i] = shape->dims[i];
    for (int i = 0; status == NEUROMC_OK && i < count; i++)
        status = pad_axis(infer, node, pads.values[i], pads.values[i + count], &dims[axes[i]]);
    return status == NEUROMC_OK ? nmc_out(infer, node, 0, type, shape->rank, dims) : status;
}

/* Target sizes of some axes, padded or cut as it needs. */
neuromc_status nmc_infer_center_crop_pad(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *shape = nmc_in_shape(node, 0);
    struct nmc_list target, list;
    nmc_dim dims[NMC_LIMIT_RANK];
    int axes[NMC_LIMIT_RANK] = {0}, count = 0;
    enum nmc_elem type = nmc_in_type(node, 0);
    neuromc_status status = nmc_list(infer, node, NULL, 1, &target);
    if (status == NEUROMC_OK)
        status = nmc_list(infer, node, "axes", -1, &list);
    nmc_out_type(node, 0, type);
    if (status != NEUROMC_OK || !shape)
        return status;
    status = padded_axes(infer, node, shape->rank, &list, axes, &count);
    if (status == NEUROMC_OK && target.count >= 0 && target.count != count)
        return nmc_node_error(infer, node, NULL, "%lld sizes for %d axes", (long long)target.count,
                              count);
    for (int i = 0; i < shape->rank; i++)
        dims[i] = shape->dims[i];
    for (int i = 0; status == NEUROMC_OK && i < count; i++)
        dims[axes[i]] = target.values ? target.values[i] : nmc_unknown(infer, node);
    return status == NEUROMC_OK ? nmc_out(infer, node, 0, type, shape->rank, dims) : status;
}

/* Crop of opset 1: [left, top, right, bottom] are cut, or what remains is `scale`. */
neuromc_status nmc_infer_crop(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *shape = nmc_in_shape(node, 0);
    struct nmc_list border, scale;
    enum nmc_elem type = nmc_in_type(node, 0);
    neuromc_status status = nmc_list(infer, node, "border", -1, &border);
    if (status == NEUROMC_OK)
        status = nmc_list(infer, node, "scale", -1, &scale);
    nmc_out_type(node, 0, type);
    if (status != NEUROMC_OK || !shape)
        return status;
    if (shape->rank != 4 || border.count != 4 || (scale.given && scale.count != 2))
        return nmc_node_error(infer, node, NULL,
                              "crops the last two of four axes by a border of four");
    nmc_dim dims[4] = {shape->dims[0], shape->dims[1], shape->dims[2], shape->dims[3]};
    for (int i = 0; status == NEUROMC_OK && i < 2; i++) {
        if (scale.given)
            dims[2 + i] = scale.values[i];
        else
            status = pad_axis(infer, node, nmc_dim_clamp(-border.values[1 - i]),
                              nmc_dim_clamp(-border.values[3 - i]), &dims[2 + i]);
    }
    return status == NEUROMC_OK ? nmc_out(infer, node, 0, type, 4, dims) : status;
}
