/* Folding of operators that pick or replace single elements: GatherElements, GatherND,
 * ScatterElements, ScatterND, Compress, NonZero. */
#include "graph/fold/fold.h"

#include <string.h>

static bool axis_of(const struct nmc_node *node, int rank, int *axis) {
    const struct nmc_attr *attr = nmc_attr_find(node, "axis");
    *axis = (int)nmc_fold_place(attr ? nmc_dim_clamp(attr->i) : 0, rank);
    return *axis >= 0;
}

/* ---- along one axis ---- */

/* Where element `flat` of `indices` points to in `data`: its own place, but for one axis. */
static int64_t along_axis(const struct nmc_value *data, const struct nmc_value *indices, int axis,
                          int64_t flat) {
    int64_t strides[NMC_LIMIT_RANK], at = 0, rest = flat;
    nmc_strides(data->shape, strides);
    for (int i = data->shape->rank - 1; i >= 0; i--) {
        int64_t size = indices->shape->dims[i], own = rest % size;
        rest /= size;
        if (i == axis)
            own = nmc_fold_place(indices->ints[flat], data->shape->dims[i]);
        if (own < 0 || own >= data->shape->dims[i])
            return -1;
        at += own * strides[i];
    }
    return at;
}

neuromc_status nmc_fold_gather_elements(struct nmc_infer *infer, struct nmc_node *node) {
    struct nmc_value data, indices;
    int64_t source[NMC_LIMIT_FOLD_ELEMENTS], count;
    int axis;
    if (!nmc_fold_target(node, 0, &count) || !nmc_value_of(node, 0, &data) ||
        !nmc_value_of(node, 1, &indices) || !indices.ints || count != indices.count ||
        data.shape->rank != indices.shape->rank || !axis_of(node, data.shape->rank, &axis))
        return NEUROMC_OK;
    for (int64_t i = 0; i < count; i++) {
        source[i] = along_axis(&data, &indices, axis, i);
        if (source[i] < 0)
            return NEUROMC_OK;
    }
    return nmc_fold_pick(infer, node, 0, &data, count, source);
}

/* ---- by whole index vectors ---- */

/* The first element of data that index vector `row` points to, and how many follow it. */
static int64_t by_vector(const struct nmc_value *data, const struct nmc_value *indices, int64_t row,
                         int64_t *run) {
    const struct nmc_shape *shape = data->shape;
    int64_t strides[NMC_LIMIT_RANK], at = 0;
    int64_t depth = indices->shape->dims[indices->shape->rank - 1];
    nmc_strides(shape, strides);
    *run = data->count;
    for (int64_t i = 0; i < depth; i++) {
        int64_t own = nmc_fold_place(indices->ints[row * depth + i], shape->dims[i]);
        if (own < 0)
            return -1;
        at += own * strides[i];
        *run = strides[i];
    }
    return at;
}

/* Data and index vectors that fit together; *rows of them. */
static bool vectors(const struct nmc_node *node, struct nmc_value *data, struct nmc_value *indices,
                    int64_t *rows) {
    if (!nmc_value_of(node, 0, data) || !nmc_value_of(node, 1, indices) || !indices->ints ||
        indices->shape->rank < 1)
        return false;
    int64_t depth = indices->shape->dims[indices->shape->rank - 1];
    *rows = depth ? indices->count / depth : 0;
    return depth > 0 && depth <= data->shape->rank;
}

neuromc_status nmc_fold_gather_nd(struct nmc_infer *infer, struct nmc_node *node) {
    struct nmc_value data, indices;
    int64_t source[NMC_LIMIT_FOLD_ELEMENTS], count, rows, run, to = 0;
    const struct nmc_attr *batch = nmc_attr_find(node, "batch_dims");
    if (!nmc_fold_target(node, 0, &count) || !vectors(node, &data, &indices, &rows) ||
        (batch && batch->i))
        return NEUROMC_OK;
    for (int64_t row = 0; row < rows; row++) {
        int64_t from = by_vector(&data, &indices, row, &run);
        if (from < 0 || run > count - to)
            return NEUROMC_OK;
        for (int64_t i = 0; i < run; i++)
            source[to++] = from + i;
    }
    return to == count ? nmc_fold_pick(infer, node, 0, &data, count, source) : NEUROMC_OK;
}

/* ---- scattering ---- */

/* Data with some elements replaced: data is picked from itself, updates from behind it. */
static neuromc_status replace(struct nmc_infer *infer, struct nmc_node *node,
                              const struct nmc_value *data, const struct nmc_value *updates,
                              const int64_t *source) {
    union {
        nmc_dim ints[2 * NMC_LIMIT_FOLD_ELEMENTS];
        double reals[2 * NMC_LIMIT_FOLD_ELEMENTS];
    } both;
    struct nmc_value joined = {.count = data->count + updates->count};
    if (data->ints && updates->ints) {
        memcpy(both.ints, data->ints, (size_t)data->count * sizeof *both.ints);
        memcpy(both.ints + data->count, updates->ints, (size_t)updates->count * sizeof *both.ints);
        joined.ints = both.ints;
    } else if (data->reals && updates->reals) {
        memcpy(both.reals, data->reals, (size_t)data->count * sizeof *both.reals);
        memcpy(both.reals + data->count, updates->reals,
               (size_t)updates->count * sizeof *both.reals);
        joined.reals = both.reals;
    } else {
        return NEUROMC_OK;
    }
    return nmc_fold_pick(infer, node, 0, &joined, data->count, source);
}

/* Updates that add to what is there are not followed. */
static bool replaces(const struct nmc_node *node) {
    const struct nmc_attr *reduction = nmc_attr_find(node, "reduction");
    return !reduction || (reduction->kind == NMC_ATTR_STRING && strcmp(reduction->s, "none") == 0);
}

neuromc_status nmc_fold_scatter_elements(struct nmc_infer *infer, struct nmc_node *node) {
    struct nmc_value data, indices, updates;
    int64_t source[NMC_LIMIT_FOLD_ELEMENTS], count;
    int axis;
    if (!nmc_fold_target(node, 0, &count) || !nmc_value_of(node, 0, &data) ||
        !nmc_value_of(node, 1, &indices) || !indices.ints ||
        !nmc_value_or_holes(infer, node, 2, &updates) || updates.count != indices.count ||
        count != data.count || data.shape->rank != indices.shape->rank || !replaces(node) ||
        !axis_of(node, data.shape->rank, &axis))
        return NEUROMC_OK;
    for (int64_t i = 0; i < count; i++)
        source[i] = i;
    for (int64_t i = 0; i < indices.count; i++) {
        int64_t at = along_axis(&data, &indices, axis, i);
        if (at < 0)
            return NEUROMC_OK;
        source[at] = count + i;
    }
    return replace(infer, node, &data, &updates, source);
}

neuromc_status nmc_fold_scatter_nd(struct nmc_infer *infer, struct nmc_node *node) {
    struct nmc_value data, indices, updates;
    int64_t source[NMC_LIMIT_FOLD_ELEMENTS], count, rows, run;
    if (!nmc_fold_target(node, 0, &count) || !vectors(node, &data, &indices, &rows) ||
        !nmc_value_or_holes(infer, node, 2, &updates) || count != data.count || !replaces(node))
        return NEUROMC_OK;
    for (int64_t i = 0; i < count; i++)
        source[i] = i;
    for (int64_t row = 0; row < rows; row++) {
        int64_t at = by_vector(&data, &indices, row, &run);
        if (at < 0 || (row + 1) * run > updates.count)
            return NEUROMC_OK;
        for (int64_t i = 0; i < run; i++)
            source[at + i] = count + row * run + i;
    }
    return replace(infer, node, &data, &updates, source);
}

/* ---- by condition ---- */

/* Of a list; along an axis of more is not followed. */
neuromc_status nmc_fold_compress(struct nmc_infer *infer, struct nmc_node *node) {
    struct nmc_value data, condition;
    int64_t source[NMC_LIMIT_FOLD_ELEMENTS], count, to = 0;
    if (!nmc_fold_target(node, 0, &count) || !nmc_value_of(node, 0, &data) ||
        !nmc_value_of(node, 1, &condition) || !condition.ints ||
        (nmc_attr_find(node, "axis") && data.shape->rank != 1))
        return NEUROMC_OK;
    for (int64_t i = 0; i < condition.count && i < data.count && to < count; i++)
        if (condition.ints[i])
            source[to++] = i;
    return to == count ? nmc_fold_pick(infer, node, 0, &data, count, source) : NEUROMC_OK;
}

/* Column k of the output is where the k-th element that is not 0 lies. */
neuromc_status nmc_fold_non_zero(struct nmc_infer *infer, struct nmc_node *node) {
    struct nmc_value in;
    nmc_dim out[NMC_LIMIT_FOLD_ELEMENTS];
    int64_t count, column = 0;
    const struct nmc_shape *shape = nmc_fold_target(node, 0, &count);
    if (!shape || !nmc_value_of(node, 0, &in))
        return NEUROMC_OK;
    int64_t rank = shape->dims[0], found = shape->dims[1];
    for (int64_t i = 0; i < in.count && column < found; i++) {
        int64_t rest = i;
        if (in.ints ? in.ints[i] == 0 : in.reals[i] == 0)
            continue;
        for (int64_t k = rank - 1; k >= 0; k--) {
            int64_t size = in.shape->rank ? in.shape->dims[k] : 1;
            out[k * found + column] = rest % size;
            rest /= size;
        }
        column++;
    }
    return column == found ? nmc_out_ints(infer, node, 0, count, out) : NEUROMC_OK;
}
