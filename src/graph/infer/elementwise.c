/* Operators that work element by element: broadcasting of the inputs, and the type of the result.
 */
#include <strings.h>

#include "base/limits.h"
#include "graph/infer/shape_ops.h"

static enum nmc_elem first_type(const struct nmc_node *node) {
    for (int i = 0; i < node->input_count; i++)
        if (nmc_in(node, i) && nmc_in(node, i)->type != NMC_ELEM_undefined)
            return nmc_in(node, i)->type;
    return NMC_ELEM_undefined;
}

/* Up to opset 6 the second input of a binary operator broadcasts to the first, from `axis` on. */
static bool broadcasts_one_way(const struct nmc_node *node) {
    return node->opset < 7 && nmc_attr_find(node, "broadcast") != NULL;
}

/* The common shape of inputs [from, input_count); not known unless all of them are. */
static neuromc_status broadcast_all(struct nmc_infer *infer, struct nmc_node *node, int from,
                                    enum nmc_elem type) {
    nmc_dim dims[NMC_LIMIT_RANK];
    struct nmc_shape all = {0, dims};
    nmc_out_type(node, 0, type);
    for (int i = from; i < node->input_count; i++) {
        const struct nmc_shape *shape = nmc_in_shape(node, i);
        if (!shape)
            return NEUROMC_OK;
        nmc_dim next[NMC_LIMIT_RANK];
        int rank;
        neuromc_status status = nmc_broadcast(infer, node, &all, shape, next, &rank);
        if (status != NEUROMC_OK)
            return status;
        for (int k = 0; k < rank; k++)
            dims[k] = next[k];
        all.rank = rank;
    }
    return nmc_out(infer, node, 0, type, all.rank, dims);
}

static neuromc_status like_first(struct nmc_infer *infer, struct nmc_node *node,
                                 enum nmc_elem type) {
    const struct nmc_shape *shape = nmc_in_shape(node, 0);
    nmc_out_type(node, 0, type);
    return shape ? nmc_out(infer, node, 0, type, shape->rank, shape->dims) : NEUROMC_OK;
}

neuromc_status nmc_infer_broadcast(struct nmc_infer *infer, struct nmc_node *node) {
    enum nmc_elem type = first_type(node);
    return broadcasts_one_way(node) ? like_first(infer, node, type)
                                    : broadcast_all(infer, node, 0, type);
}

/* Comparisons and logic. */
neuromc_status nmc_infer_compare(struct nmc_infer *infer, struct nmc_node *node) {
    return broadcasts_one_way(node) ? like_first(infer, node, NMC_ELEM_bool)
                                    : broadcast_all(infer, node, 0, NMC_ELEM_bool);
}

/* One input, boolean output. */
neuromc_status nmc_infer_predicate(struct nmc_infer *infer, struct nmc_node *node) {
    return like_first(infer, node, NMC_ELEM_bool);
}

neuromc_status nmc_infer_where(struct nmc_infer *infer, struct nmc_node *node) {
    enum nmc_elem type = nmc_in(node, 1) ? nmc_in(node, 1)->type : NMC_ELEM_undefined;
    if (type == NMC_ELEM_undefined && nmc_in(node, 2))
        type = nmc_in(node, 2)->type;
    return broadcast_all(infer, node, 0, type);
}

neuromc_status nmc_elem_attr(struct nmc_infer *infer, const struct nmc_node *node, const char *name,
                             enum nmc_elem absent, enum nmc_elem *out) {
    int64_t code;
    neuromc_status status = nmc_attr_int(infer, node, name, absent, &code);
    *out = code > 0 && code < NMC_ELEM_COUNT ? (enum nmc_elem)code : NMC_ELEM_undefined;
    return status;
}

/* Up to opset 5 the type is spelled: "FLOAT", "INT64", ... */
static enum nmc_elem spelled_type(const char *text) {
    for (int code = 1; code < NMC_ELEM_COUNT; code++)
        if (strcasecmp(text, nmc_elem_name((enum nmc_elem)code)) == 0)
            return (enum nmc_elem)code;
    if (strcasecmp(text, "FLOAT") == 0)
        return NMC_ELEM_float32;
    return strcasecmp(text, "DOUBLE") == 0 ? NMC_ELEM_float64 : NMC_ELEM_undefined;
}

neuromc_status nmc_infer_cast(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_attr *to = nmc_attr_find(node, "to");
    enum nmc_elem type = NMC_ELEM_undefined;
    if (to && to->kind == NMC_ATTR_STRING)
        return like_first(infer, node, spelled_type(to->s));
    neuromc_status status = nmc_elem_attr(infer, node, "to", NMC_ELEM_undefined, &type);
    return status == NEUROMC_OK ? like_first(infer, node, type) : status;
}

/* The type of input 1, which is read for nothing else. */
neuromc_status nmc_infer_cast_like(struct nmc_infer *infer, struct nmc_node *node) {
    return like_first(infer, node, nmc_in(node, 1) ? nmc_in(node, 1)->type : NMC_ELEM_undefined);
}

/* Output 1 is the mask; it has the data's type up to opset 9. */
neuromc_status nmc_infer_dropout(struct nmc_infer *infer, struct nmc_node *node) {
    neuromc_status status = nmc_out_like(infer, node, 0, 0);
    if (status == NEUROMC_OK)
        status = nmc_out_like(infer, node, 1, 0);
    if (node->opset >= 10)
        nmc_out_type(node, 1, NMC_ELEM_bool);
    return status;
}
