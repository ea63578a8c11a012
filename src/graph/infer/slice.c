/* Slice: a range of some axes, with steps; attributes up to opset 9, inputs since. */
#include "base/checked.h"
#include "base/limits.h"
#include "graph/infer/shape_ops.h"

struct slice_arguments {
    struct nmc_list starts, ends, axes, steps;
};

static neuromc_status same_length(struct nmc_infer *infer, const struct nmc_node *node,
                                  const struct nmc_list *starts, const struct nmc_list *other,
                                  const char *what) {
    if (!other->given || other->count < 0 || starts->count < 0 || other->count == starts->count)
        return NEUROMC_OK;
    return nmc_node_error(infer, node, NULL, "%lld starts but %lld %s", (long long)starts->count,
                          (long long)other->count, what);
}

static neuromc_status read_arguments(struct nmc_infer *infer, const struct nmc_node *node,
                                     struct slice_arguments *a) {
    neuromc_status status = nmc_list(infer, node, "starts", 1, &a->starts);
    if (status == NEUROMC_OK)
        status = nmc_list(infer, node, "ends", 2, &a->ends);
    if (status == NEUROMC_OK)
        status = nmc_list(infer, node, "axes", 3, &a->axes);
    if (status == NEUROMC_OK)
        status = nmc_list(infer, node, "steps", 4, &a->steps);
    if (status == NEUROMC_OK && (!a->starts.given || !a->ends.given))
        return nmc_node_error(infer, node, NULL, "has no starts or no ends");
    if (status == NEUROMC_OK)
        status = same_length(infer, node, &a->starts, &a->ends, "ends");
    if (status == NEUROMC_OK)
        status = same_length(infer, node, &a->starts, &a->axes, "axes");
    if (status == NEUROMC_OK)
        status = same_length(infer, node, &a->starts, &a->steps, "steps");
    return status;
}

static int64_t clamp(int64_t value, int64_t least, int64_t most) {
    return value < least ? least : value > most ? most : value;
}

/* Everything known. */
static struct nmc_slice slice_known(int64_t size, int64_t start, int64_t end, int64_t step) {
    if (size == 0)
        return (struct nmc_slice){0, step, 0};
    start = start < 0 ? start + size : start;
    end = end < 0 ? end + size : end;
    int64_t count;
    if (step > 0) {
        start = clamp(start, 0, size);
        count = nmc_div_ceil(clamp(end, 0, size) - start, step);
    } else {
        start = clamp(start, 0, size - 1);
        count = nmc_div_ceil(start - clamp(end, -1, size - 1), -step);
    }
    return (struct nmc_slice){start, step, count < 0 ? 0 : count};
}

/* What can be said while size, start or end is open. A symbol is a size or computed from sizes;
 * ends from 2^31 - 1 on are how exporters write "to the end". */
static struct nmc_slice slice_open(struct nmc_infer *infer, const struct nmc_node *node,
                                   nmc_dim size, nmc_dim start, nmc_dim end, int64_t step) {
    struct nmc_slice slice = {start, step, 0};
    bool to_end = nmc_dim_known(end) && end >= INT32_MAX;
    if (start == end)
        slice.size = 0;
    else if (step == 1 && start == 0 && (to_end || end == size))
        slice.size = size;
    else if (step == 1 && start == -1 && to_end)
        slice.size = 1;
    else if (step == 1 && nmc_dim_known(start) && start != -1 && start < INT32_MAX &&
             end == start + 1)
        slice.size = 1;
    else if (step == -1 && start == -1 && end <= -INT32_MAX && nmc_dim_known(end))
        slice.size = size;
    else
        slice.size = nmc_unknown(infer, node);
    return slice;
}

static neuromc_status slice_axis(struct nmc_infer *infer, const struct nmc_node *node,
                                 const struct slice_arguments *a, int64_t at, nmc_dim size,
                                 struct nmc_slice *out) {
    nmc_dim step = !a->steps.given ? 1 : a->steps.values ? a->steps.values[at] : 0;
    if (a->steps.given && a->steps.values && step == 0)
        return nmc_node_error(infer, node, NULL, "step 0");
    if (!a->starts.values || !a->ends.values || step == 0 || !nmc_dim_known(step)) {
        *out = (struct nmc_slice){nmc_unknown(infer, node), 1, nmc_unknown(infer, node)};
        return NEUROMC_OK;
    }
    nmc_dim start = a->starts.values[at], end = a->ends.values[at];
    bool known = nmc_dim_known(size) && nmc_dim_known(start) && nmc_dim_known(end);
    *out = known ? slice_known(size, start, end, step)
                 : slice_open(infer, node, size, start, end, step);
    return NEUROMC_OK;
}

/* Axes of unknown place: any axis may be cut. */
static void cut_anywhere(struct nmc_infer *infer, const struct nmc_node *node, int rank,
                         struct nmc_slice *slices) {
    for (int i = 0; i < rank; i++)
        slices[i] = (struct nmc_slice){nmc_unknown(infer, node), 1, nmc_unknown(infer, node)};
}

neuromc_status nmc_slices(struct nmc_infer *infer, const struct nmc_node *node,
                          const struct nmc_shape *shape, struct nmc_slice *slices) {
    struct slice_arguments a;
    neuromc_status status = read_arguments(infer, node, &a);
    if (status != NEUROMC_OK)
        return status;
    for (int i = 0; i < shape->rank; i++)
        slices[i] = (struct nmc_slice){0, 1, shape->dims[i]};
    if (a.starts.count < 0 || (a.axes.given && !nmc_list_known(&a.axes))) {
        cut_anywhere(infer, node, shape->rank, slices);
        return NEUROMC_OK;
    }
    for (int64_t i = 0; status == NEUROMC_OK && i < a.starts.count; i++) {
        int axis;
        status =
            nmc_axis(infer, node, "axis", a.axes.given ? a.axes.values[i] : i, shape->rank, &axis);
        if (status == NEUROMC_OK)
            status = slice_axis(infer, node, &a, i, shape->dims[axis], &slices[axis]);
    }
    return status;
}

neuromc_status nmc_infer_slice(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *shape = nmc_in_shape(node, 0);
    struct nmc_slice slices[NMC_LIMIT_RANK];
    nmc_dim dims[NMC_LIMIT_RANK];
    if (nmc_in(node, 0))
        nmc_out_type(node, 0, nmc_in(node, 0)->type);
    if (!shape)
        return NEUROMC_OK;
    neuromc_status status = nmc_slices(infer, node, shape, slices);
    if (status != NEUROMC_OK)
        return status;
    for (int i = 0; i < shape->rank; i++)
        dims[i] = slices[i].size;
    return nmc_out(infer, node, 0, nmc_in(node, 0)->type, shape->rank, dims);
}
