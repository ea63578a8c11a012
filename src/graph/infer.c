/* What the inference functions of all families share: reading inputs and attributes, setting
 * outputs, arithmetic on dims. */
#include "graph/infer.h"

#include <string.h>

#include "base/checked.h"
#include "base/limits.h"

neuromc_status nmc_infer_none(struct nmc_infer *infer, struct nmc_node *node) {
    (void)infer, (void)node;
    return NEUROMC_OK;
}

neuromc_status nmc_infer_like(struct nmc_infer *infer, struct nmc_node *node) {
    return nmc_out_like(infer, node, 0, 0);
}

neuromc_status nmc_fold_none(struct nmc_infer *infer, struct nmc_node *node) {
    (void)infer, (void)node;
    return NEUROMC_OK;
}

neuromc_status nmc_node_error(struct nmc_infer *infer, const struct nmc_node *node,
                              const char *hint, const char *format, ...) {
    if (!infer->diags) /* a branch is being tried */
        return NEUROMC_BAD_INPUT;
    va_list args;
    va_start(args, format);
    const char *text = nmc_arena_vprintf(&infer->net->arena, format, args);
    va_end(args);
    if (!hint && infer->batch_bound)
        hint = nmc_node_is(node, "Reshape")
                   ? "--batch changed the leading dim; this Reshape hard-codes another batch"
                   : "--batch changed the leading dim of the model's inputs; does a node before "
                     "this one hard-code another batch?";
    return nmc_error(infer->diags, NEUROMC_BAD_INPUT, nmc_node_place(infer->net, node), hint, "%s",
                     text ? text : format);
}

/* ---- inputs ---- */

struct nmc_tensor *nmc_in(const struct nmc_node *node, int index) {
    return index < node->input_count ? node->inputs[index] : NULL;
}

enum nmc_elem nmc_in_type(const struct nmc_node *node, int index) {
    const struct nmc_tensor *tensor = nmc_in(node, index);
    return tensor ? tensor->type : NMC_ELEM_undefined;
}

const struct nmc_shape *nmc_in_shape(const struct nmc_node *node, int index) {
    const struct nmc_tensor *tensor = nmc_in(node, index);
    /* Inference functions keep dims in arrays of the largest rank; more axes cannot be followed. */
    bool usable = tensor && tensor->shape.rank >= 0 && tensor->shape.rank <= NMC_LIMIT_RANK;
    return usable ? &tensor->shape : NULL;
}

const nmc_dim *nmc_in_ints(const struct nmc_node *node, int index, int64_t *count) {
    const struct nmc_tensor *tensor = nmc_in(node, index);
    *count = tensor && tensor->ints ? tensor->value_count : 0;
    return tensor ? tensor->ints : NULL;
}

const double *nmc_in_reals(const struct nmc_node *node, int index, int64_t *count) {
    const struct nmc_tensor *tensor = nmc_in(node, index);
    *count = tensor && tensor->reals ? tensor->value_count : 0;
    return tensor ? tensor->reals : NULL;
}

bool nmc_before(const struct nmc_node *node, int opset) {
    return node->opset > 0 && node->opset < opset;
}

/* ---- attributes ---- */

static neuromc_status find(struct nmc_infer *infer, const struct nmc_node *node, const char *name,
                           enum nmc_attr_kind kind, const struct nmc_attr **out) {
    *out = nmc_attr_find(node, name);
    if (!*out || (*out)->kind == kind)
        return NEUROMC_OK;
    return nmc_node_error(infer, node, NULL, "attribute %s has the wrong type", name);
}

neuromc_status nmc_attr_int(struct nmc_infer *infer, const struct nmc_node *node, const char *name,
                            int64_t absent, int64_t *out) {
    const struct nmc_attr *attr;
    neuromc_status status = find(infer, node, name, NMC_ATTR_INT, &attr);
    *out = attr && status == NEUROMC_OK ? attr->i : absent;
    return status;
}

neuromc_status nmc_attr_size(struct nmc_infer *infer, const struct nmc_node *node, const char *name,
                             int64_t absent, int64_t *out) {
    neuromc_status status = nmc_attr_int(infer, node, name, absent, out);
    if (status == NEUROMC_OK && *out < 0)
        return nmc_node_error(infer, node, NULL, "attribute %s is %lld", name, (long long)*out);
    return status;
}

neuromc_status nmc_attr_float(struct nmc_infer *infer, const struct nmc_node *node,
                              const char *name, double absent, double *out) {
    const struct nmc_attr *attr;
    neuromc_status status = find(infer, node, name, NMC_ATTR_FLOAT, &attr);
    *out = attr && status == NEUROMC_OK ? attr->f : absent;
    return status;
}

neuromc_status nmc_attr_ints(struct nmc_infer *infer, const struct nmc_node *node, const char *name,
                             const int64_t **out, int64_t *count) {
    const struct nmc_attr *attr;
    neuromc_status status = find(infer, node, name, NMC_ATTR_INTS, &attr);
    bool there = attr && status == NEUROMC_OK;
    *out = there ? attr->ints : NULL;
    *count = there ? attr->count : 0;
    return status;
}

neuromc_status nmc_attr_string(struct nmc_infer *infer, const struct nmc_node *node,
                               const char *name, const char *absent, const char **out) {
    const struct nmc_attr *attr;
    neuromc_status status = find(infer, node, name, NMC_ATTR_STRING, &attr);
    *out = attr && status == NEUROMC_OK ? attr->s : absent;
    return status;
}

static neuromc_status clamped_list(struct nmc_infer *infer, const int64_t *ints,
                                   struct nmc_list *list) {
    nmc_dim *values = nmc_arena_array(&infer->net->arena, (size_t)list->count, sizeof *values);
    if (!values)
        return nmc_out_of_memory(infer->diags);
    for (int64_t i = 0; i < list->count; i++)
        values[i] = nmc_dim_clamp(ints[i]);
    list->values = values;
    return NEUROMC_OK;
}

/* Attributes are as the file has them; values are clamped like those of constants. */
static neuromc_status attribute_list(struct nmc_infer *infer, const struct nmc_node *node,
                                     const char *name, struct nmc_list *out) {
    const int64_t *ints;
    neuromc_status status = nmc_attr_ints(infer, node, name, &ints, &out->count);
    out->values = ints;
    for (int64_t i = 0; status == NEUROMC_OK && i < out->count; i++)
        if (!nmc_dim_known(ints[i]))
            return clamped_list(infer, ints, out);
    return status;
}

neuromc_status nmc_list(struct nmc_infer *infer, const struct nmc_node *node, const char *attr,
                        int input, struct nmc_list *out) {
    *out = (struct nmc_list){.given = true, .count = -1};
    if (attr && nmc_attr_find(node, attr))
        return attribute_list(infer, node, attr, out);
    const struct nmc_tensor *tensor = input >= 0 ? nmc_in(node, input) : NULL;
    out->given = tensor != NULL;
    if (!tensor)
        return NEUROMC_OK;
    if (tensor->shape.rank > 1)
        return nmc_node_error(infer, node, NULL, "input %d must be a list, not of shape %s", input,
                              nmc_shape_text(infer->net, &tensor->shape));
    if (tensor->ints) {
        out->values = tensor->ints;
        out->count = tensor->value_count;
    } else if (tensor->shape.rank == 0 ||
               (tensor->shape.rank == 1 && nmc_dim_known(tensor->shape.dims[0]))) {
        out->count = tensor->shape.rank ? tensor->shape.dims[0] : 1;
    }
    return NEUROMC_OK;
}

bool nmc_list_known(const struct nmc_list *list) {
    for (int64_t i = 0; i < list->count; i++)
        if (!list->values || !nmc_dim_known(list->values[i]))
            return false;
    return list->values != NULL;
}

neuromc_status nmc_scalar(struct nmc_infer *infer, const struct nmc_node *node, const char *attr,
                          int input, int64_t absent, nmc_dim *out) {
    *out = absent;
    if (attr && nmc_attr_find(node, attr)) {
        neuromc_status status = nmc_attr_int(infer, node, attr, absent, out);
        *out = nmc_dim_clamp(*out);
        return status;
    }
    const struct nmc_tensor *tensor = input >= 0 ? nmc_in(node, input) : NULL;
    if (tensor && tensor->ints && tensor->value_count == 1)
        *out = tensor->ints[0];
    else if (tensor)
        *out = nmc_unknown(infer, node);
    return NEUROMC_OK;
}

neuromc_status nmc_axis(struct nmc_infer *infer, const struct nmc_node *node, const char *what,
                        int64_t axis, int rank, int *out) {
    int64_t at = axis < 0 ? axis + rank : axis;
    *out = 0;
    if (at < 0 || at >= rank)
        return nmc_node_error(infer, node, NULL, "%s %lld does not exist: the input has %d axes",
                              what, (long long)axis, rank);
    *out = (int)at;
    return NEUROMC_OK;
}

neuromc_status nmc_axis_set(struct nmc_infer *infer, const struct nmc_node *node,
                            const struct nmc_list *axes, int rank, bool set[]) {
    for (int i = 0; i < rank; i++)
        set[i] = false;
    for (int64_t i = 0; i < axes->count; i++) {
        int axis;
        neuromc_status status = nmc_axis(infer, node, "axis", axes->values[i], rank, &axis);
        if (status != NEUROMC_OK)
            return status;
        set[axis] = true;
    }
    return NEUROMC_OK;
}

/* ---- outputs ---- */

static struct nmc_tensor *output(struct nmc_node *node, int index) {
    return index < node->output_count ? node->outputs[index] : NULL;
}

static neuromc_status memory_status(struct nmc_infer *infer) {
    return infer->net->arena.failed ? nmc_out_of_memory(infer->diags) : NEUROMC_OK;
}

/* A type that is not known does not displace one that the file declares. */
void nmc_out_type(struct nmc_node *node, int index, enum nmc_elem type) {
    struct nmc_tensor *tensor = output(node, index);
    if (tensor && type != NMC_ELEM_undefined)
        tensor->type = type;
}

neuromc_status nmc_out(struct nmc_infer *infer, struct nmc_node *node, int index,
                       enum nmc_elem type, int rank, const nmc_dim *dims) {
    struct nmc_tensor *tensor = output(node, index);
    if (!tensor)
        return NEUROMC_OK;
    if (rank > NMC_LIMIT_RANK)
        return nmc_node_error(infer, node, NULL, "its output would have %d axes; the limit is %d",
                              rank, NMC_LIMIT_RANK);
    for (int i = 0; i < rank; i++)
        if (nmc_dim_known(dims[i]) && dims[i] < 0)
            return nmc_node_error(infer, node, NULL, "size of output axis %d would be %lld", i,
                                  (long long)dims[i]);
    nmc_out_type(node, index, type);
    nmc_shape_set(infer->net, &tensor->shape, rank, dims);
    int64_t elements;
    if (nmc_shape_known(&tensor->shape) && !nmc_shape_elements(&tensor->shape, &elements))
        return nmc_node_error(infer, node, NULL, "its output would have more than 2^63 elements");
    return memory_status(infer);
}

neuromc_status nmc_out_rank(struct nmc_infer *infer, struct nmc_node *node, int index,
                            enum nmc_elem type, int rank) {
    nmc_dim dims[NMC_LIMIT_RANK];
    for (int i = 0; i < rank && i < NMC_LIMIT_RANK; i++)
        dims[i] = nmc_unknown(infer, node);
    return nmc_out(infer, node, index, type, rank, dims);
}

neuromc_status nmc_out_like(struct nmc_infer *infer, struct nmc_node *node, int index, int input) {
    const struct nmc_tensor *tensor = nmc_in(node, input);
    if (!tensor)
        return NEUROMC_OK;
    if (output(node, index)) {
        output(node, index)->holds = tensor->holds;
        output(node, index)->length = tensor->length;
    }
    if (tensor->shape.rank >= 0)
        return nmc_out(infer, node, index, tensor->type, tensor->shape.rank, tensor->shape.dims);
    nmc_out_type(node, index, tensor->type);
    return NEUROMC_OK;
}

neuromc_status nmc_out_ints(struct nmc_infer *infer, struct nmc_node *node, int index,
                            int64_t count, const nmc_dim *values) {
    struct nmc_tensor *tensor = output(node, index);
    if (!tensor || count > NMC_LIMIT_FOLD_ELEMENTS)
        return NEUROMC_OK;
    tensor->ints = nmc_arena_copy(&infer->net->arena, values, (size_t)count * sizeof *values);
    tensor->value_count = count;
    return memory_status(infer);
}

neuromc_status nmc_out_reals(struct nmc_infer *infer, struct nmc_node *node, int index,
                             int64_t count, const double *values) {
    struct nmc_tensor *tensor = output(node, index);
    if (!tensor || count > NMC_LIMIT_FOLD_ELEMENTS)
        return NEUROMC_OK;
    tensor->reals = nmc_arena_copy(&infer->net->arena, values, (size_t)count * sizeof *values);
    tensor->value_count = count;
    return memory_status(infer);
}

/* ---- dims ---- */

nmc_dim nmc_unknown(struct nmc_infer *infer, const struct nmc_node *node) {
    return nmc_symbol_new(infer->net, NULL, NULL, 0, node);
}

static neuromc_status dim_operation(struct nmc_infer *infer, const struct nmc_node *node, nmc_dim a,
                                    nmc_dim b, int64_t neutral,
                                    bool (*apply)(int64_t, int64_t, int64_t *), nmc_dim *out) {
    if (a == neutral)
        *out = b;
    else if (b == neutral)
        *out = a;
    else if (!nmc_dim_known(a) || !nmc_dim_known(b))
        *out = nmc_unknown(infer, node);
    else if (!apply(a, b, out) || !nmc_dim_known(*out))
        return nmc_node_error(infer, node, NULL, "a size overflows (%lld and %lld)", (long long)a,
                              (long long)b);
    return NEUROMC_OK;
}

neuromc_status nmc_dim_mul(struct nmc_infer *infer, const struct nmc_node *node, nmc_dim a,
                           nmc_dim b, nmc_dim *out) {
    return dim_operation(infer, node, a, b, 1, nmc_mul, out);
}

neuromc_status nmc_dim_add(struct nmc_infer *infer, const struct nmc_node *node, nmc_dim a,
                           nmc_dim b, nmc_dim *out) {
    return dim_operation(infer, node, a, b, 0, nmc_add, out);
}

neuromc_status nmc_dim_product(struct nmc_infer *infer, const struct nmc_node *node,
                               const nmc_dim *dims, int count, nmc_dim *out) {
    *out = 1;
    for (int i = 0; i < count; i++)
        if (dims[i] == 0) {
            *out = 0;
            return NEUROMC_OK;
        }
    for (int i = 0; i < count; i++) {
        neuromc_status status = nmc_dim_mul(infer, node, *out, dims[i], out);
        if (status != NEUROMC_OK)
            return status;
    }
    return NEUROMC_OK;
}

neuromc_status nmc_dim_unify(struct nmc_infer *infer, const struct nmc_node *node, int axis,
                             nmc_dim a, nmc_dim b, nmc_dim *out) {
    *out = nmc_dim_known(a) ? a : b;
    if (nmc_unify(infer, a, b))
        return NEUROMC_OK;
    return nmc_node_error(infer, node, NULL, "sizes %lld and %lld of axis %d must be the same",
                          (long long)a, (long long)b, axis);
}

/* One axis of a broadcast. An unknown against a number other than 1 must be that number or 1, so
 * the number it is. */
bool nmc_broadcast_dim(struct nmc_infer *infer, const struct nmc_node *node, nmc_dim a, nmc_dim b,
                       nmc_dim *out) {
    if (a == b || b == 1)
        *out = a;
    else if (a == 1)
        *out = b;
    else if (!nmc_dim_known(a) && !nmc_dim_known(b))
        *out = nmc_unknown(infer, node);
    else if (!nmc_dim_known(a) || !nmc_dim_known(b))
        *out = nmc_dim_known(a) ? a : b;
    else
        return false;
    return true;
}

neuromc_status nmc_broadcast(struct nmc_infer *infer, const struct nmc_node *node,
                             const struct nmc_shape *a, const struct nmc_shape *b, nmc_dim *out,
                             int *out_rank) {
    int rank = a->rank > b->rank ? a->rank : b->rank;
    for (int i = 0; i < rank; i++) {
        int ia = i - (rank - a->rank), ib = i - (rank - b->rank);
        nmc_dim x = ia >= 0 ? a->dims[ia] : 1, y = ib >= 0 ? b->dims[ib] : 1;
        if (!nmc_broadcast_dim(infer, node, x, y, &out[i]))
            return nmc_node_error(infer, node, NULL, "shapes %s and %s cannot broadcast",
                                  nmc_shape_text(infer->net, a), nmc_shape_text(infer->net, b));
    }
    *out_rank = rank;
    return NEUROMC_OK;
}
