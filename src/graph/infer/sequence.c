/* Sequences and optionals. A sequence carries what its elements have in common in its own type
 * and shape; one without elements has no shape yet. */
#include "base/checked.h"
#include "base/limits.h"
#include "graph/infer/shape_ops.h"

static struct nmc_tensor *output(struct nmc_node *node) {
    return node->output_count ? node->outputs[0] : NULL;
}

static void set_sequence(struct nmc_node *node, enum nmc_elem type, int64_t length) {
    if (output(node)) {
        output(node)->holds = NMC_HOLDS_SEQUENCE;
        output(node)->length = length;
    }
    nmc_out_type(node, 0, type);
}

static int64_t plus(int64_t length, int64_t change) {
    return length < 0 || length + change < 0 ? -1 : length + change;
}

/* What a shape and one more element's have in common; rank -1 if nothing. */
static void meet(struct nmc_infer *infer, const struct nmc_node *node, struct nmc_shape *common,
                 const struct nmc_shape *more) {
    if (common->rank != more->rank) {
        common->rank = -1;
        return;
    }
    for (int i = 0; i < common->rank; i++)
        if (common->dims[i] != more->dims[i])
            common->dims[i] = nmc_unknown(infer, node);
}

static neuromc_status set_elements(struct nmc_infer *infer, struct nmc_node *node,
                                   enum nmc_elem type, const struct nmc_shape *shape) {
    return shape->rank < 0 ? NEUROMC_OK : nmc_out(infer, node, 0, type, shape->rank, shape->dims);
}

static bool copy_shape(struct nmc_shape *to, const struct nmc_shape *from) {
    if (!from)
        return false;
    to->rank = from->rank;
    for (int i = 0; i < from->rank; i++)
        to->dims[i] = from->dims[i];
    return true;
}

/* ---- making sequences ---- */

neuromc_status nmc_infer_sequence_empty(struct nmc_infer *infer, struct nmc_node *node) {
    enum nmc_elem type;
    neuromc_status status = nmc_elem_attr(infer, node, "dtype", NMC_ELEM_float32, &type);
    set_sequence(node, type, 0);
    return status;
}

neuromc_status nmc_infer_sequence_construct(struct nmc_infer *infer, struct nmc_node *node) {
    nmc_dim dims[NMC_LIMIT_RANK];
    struct nmc_shape common = {-1, dims};
    set_sequence(node, nmc_in_type(node, 0), node->input_count);
    if (!copy_shape(&common, nmc_in_shape(node, 0)))
        return NEUROMC_OK;
    for (int i = 1; i < node->input_count; i++) {
        if (!nmc_in_shape(node, i))
            return NEUROMC_OK;
        meet(infer, node, &common, nmc_in_shape(node, i));
    }
    return set_elements(infer, node, nmc_in_type(node, 0), &common);
}

neuromc_status nmc_infer_sequence_insert(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_tensor *sequence = nmc_in(node, 0);
    const struct nmc_shape *element = nmc_in_shape(node, 1);
    nmc_dim dims[NMC_LIMIT_RANK];
    struct nmc_shape common = {-1, dims};
    enum nmc_elem type = nmc_in_type(node, 1);
    set_sequence(node, type != NMC_ELEM_undefined ? type : nmc_in_type(node, 0),
                 sequence ? plus(sequence->length, 1) : -1);
    if (!copy_shape(&common, element))
        return NEUROMC_OK;
    if (sequence && sequence->length != 0)
        meet(infer, node, &common, &sequence->shape);
    return set_elements(infer, node, type, &common);
}

neuromc_status nmc_infer_sequence_erase(struct nmc_infer *infer, struct nmc_node *node) {
    neuromc_status status = nmc_out_like(infer, node, 0, 0);
    if (nmc_in(node, 0))
        set_sequence(node, nmc_in_type(node, 0), plus(nmc_in(node, 0)->length, -1));
    return status;
}

/* ---- SplitToSequence ---- */

/* The length of the sequence and the size that its elements have along the axis. */
struct pieces {
    int64_t length;
    nmc_dim size;
};

static struct pieces by_size(struct nmc_infer *infer, const struct nmc_node *node, nmc_dim total,
                             nmc_dim size) {
    struct pieces p = {-1, size};
    if (nmc_dim_known(total) && nmc_dim_known(size))
        p.length = nmc_div_ceil(total, size);
    if (!nmc_dim_known(total) || !nmc_dim_known(size) || total % size)
        p.size = size == 1 ? 1 : nmc_unknown(infer, node);
    return p;
}

static struct pieces by_list(struct nmc_infer *infer, const struct nmc_node *node,
                             const struct nmc_list *list) {
    struct pieces p = {list->count, nmc_unknown(infer, node)};
    if (!list->values || list->count < 1)
        return p;
    for (int64_t i = 1; i < list->count; i++)
        if (list->values[i] != list->values[0])
            return p;
    p.size = list->values[0];
    return p;
}

static neuromc_status split_pieces(struct nmc_infer *infer, const struct nmc_node *node,
                                   nmc_dim total, struct pieces *out) {
    struct nmc_list list;
    neuromc_status status = nmc_list(infer, node, NULL, 1, &list);
    const struct nmc_shape *shape = nmc_in_shape(node, 1);
    if (status != NEUROMC_OK)
        return status;
    for (int64_t i = 0; list.values && i < list.count; i++)
        if (nmc_dim_known(list.values[i]) && list.values[i] < !(shape && shape->rank))
            return nmc_node_error(infer, node, NULL, "a piece of size %lld",
                                  (long long)list.values[i]);
    if (!list.given)
        *out = by_size(infer, node, total, 1);
    else if (shape && shape->rank == 0 && list.values && list.count == 1)
        *out = by_size(infer, node, total, list.values[0]);
    else if (shape && shape->rank == 1)
        *out = by_list(infer, node, &list);
    else
        *out = (struct pieces){-1, nmc_unknown(infer, node)};
    return NEUROMC_OK;
}

neuromc_status nmc_infer_split_to_sequence(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *shape = nmc_in_shape(node, 0);
    nmc_dim dims[NMC_LIMIT_RANK];
    struct pieces pieces = {-1, 0};
    int64_t wanted, keep;
    int axis, rank = 0;
    neuromc_status status = nmc_attr_int(infer, node, "axis", 0, &wanted);
    if (status == NEUROMC_OK)
        status = nmc_attr_int(infer, node, "keepdims", 1, &keep);
    set_sequence(node, nmc_in_type(node, 0), -1);
    if (status != NEUROMC_OK || !shape)
        return status;
    status = nmc_axis(infer, node, "axis", wanted, shape->rank, &axis);
    if (status == NEUROMC_OK)
        status = split_pieces(infer, node, shape->dims[axis], &pieces);
    if (status != NEUROMC_OK)
        return status;
    set_sequence(node, nmc_in_type(node, 0), pieces.length);
    bool drop = !keep && !nmc_in(node, 1);
    for (int i = 0; i < shape->rank; i++)
        if (i != axis || !drop)
            dims[rank++] = i == axis ? pieces.size : shape->dims[i];
    return nmc_out(infer, node, 0, nmc_in_type(node, 0), rank, dims);
}

/* ---- reading sequences ---- */

neuromc_status nmc_infer_sequence_at(struct nmc_infer *infer, struct nmc_node *node) {
    neuromc_status status = nmc_out_like(infer, node, 0, 0);
    if (output(node))
        output(node)->holds = NMC_HOLDS_TENSOR;
    return status;
}

static nmc_dim elements_of(struct nmc_infer *infer, const struct nmc_node *node) {
    int64_t length = nmc_in(node, 0)->length;
    return length >= 0 ? length : nmc_unknown(infer, node);
}

neuromc_status nmc_infer_concat_from_sequence(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *shape = nmc_in_shape(node, 0);
    nmc_dim dims[NMC_LIMIT_RANK + 1];
    int64_t wanted, stack;
    int axis, from = 0;
    neuromc_status status = nmc_attr_int(infer, node, "axis", 0, &wanted);
    if (status == NEUROMC_OK)
        status = nmc_attr_int(infer, node, "new_axis", 0, &stack);
    nmc_out_type(node, 0, nmc_in_type(node, 0));
    if (status != NEUROMC_OK || !shape)
        return status;
    int rank = shape->rank + (stack != 0);
    status = nmc_axis(infer, node, "axis", wanted, rank, &axis);
    if (status != NEUROMC_OK)
        return status;
    for (int i = 0; i < rank; i++)
        dims[i] = stack && i == axis ? 1 : shape->dims[from++];
    status = nmc_dim_mul(infer, node, dims[axis], elements_of(infer, node), &dims[axis]);
    return status == NEUROMC_OK ? nmc_out(infer, node, 0, nmc_in_type(node, 0), rank, dims)
                                : status;
}

/* ---- optionals ---- */

/* An optional sequence is carried as the sequence. */
neuromc_status nmc_infer_optional(struct nmc_infer *infer, struct nmc_node *node) {
    neuromc_status status = nmc_out_like(infer, node, 0, 0);
    const struct nmc_tensor *input = nmc_in(node, 0);
    if (output(node) && (!input || input->holds == NMC_HOLDS_TENSOR))
        output(node)->holds = NMC_HOLDS_OPTIONAL;
    return status;
}

neuromc_status nmc_infer_optional_get_element(struct nmc_infer *infer, struct nmc_node *node) {
    neuromc_status status = nmc_out_like(infer, node, 0, 0);
    if (output(node) && output(node)->holds == NMC_HOLDS_OPTIONAL)
        output(node)->holds = NMC_HOLDS_TENSOR;
    return status;
}

neuromc_status nmc_infer_optional_has_element(struct nmc_infer *infer, struct nmc_node *node) {
    return nmc_out(infer, node, 0, NMC_ELEM_bool, 0, NULL);
}
