/* ai.onnx.ml: models that are not neural networks. Their parameters are attributes; what matters
 * is which shape they hand on. */
#include "base/limits.h"
#include "graph/infer.h"

/* Rows of the input; an input of one axis is one row. */
static nmc_dim rows(struct nmc_infer *infer, const struct nmc_node *node) {
    const struct nmc_shape *x = nmc_in_shape(node, 0);
    if (x && x->rank == 1)
        return 1;
    return x && x->rank == 2 ? x->dims[0] : nmc_unknown(infer, node);
}

/* Labels are given as texts or as integers. */
static int64_t label_count(const struct nmc_node *node, enum nmc_elem *type) {
    static const char *const names[] = {"classlabels_strings", "classlabels_ints",
                                        "classlabels_int64s"};
    for (int i = 0; i < 3; i++) {
        const struct nmc_attr *attr = nmc_attr_find(node, names[i]);
        if (attr && attr->count > 0) {
            *type = i ? NMC_ELEM_int64 : NMC_ELEM_string;
            return attr->count;
        }
    }
    *type = NMC_ELEM_undefined;
    return -1;
}

/* The label of each row, and a score for each row and class. */
neuromc_status nmc_infer_classifier(struct nmc_infer *infer, struct nmc_node *node) {
    enum nmc_elem type;
    int64_t classes = label_count(node, &type);
    nmc_dim out[2] = {rows(infer, node), classes >= 0 ? classes : nmc_unknown(infer, node)};
    neuromc_status status = nmc_out(infer, node, 0, type, 1, out);
    return status == NEUROMC_OK ? nmc_out(infer, node, 1, NMC_ELEM_float32, 2, out) : status;
}

/* A number for each row and target. */
static neuromc_status regress(struct nmc_infer *infer, struct nmc_node *node, const char *name) {
    int64_t targets;
    neuromc_status status = nmc_attr_size(infer, node, name, 1, &targets);
    if (status != NEUROMC_OK)
        return status;
    return nmc_out(infer, node, 0, NMC_ELEM_float32, 2, (nmc_dim[]){rows(infer, node), targets});
}

neuromc_status nmc_infer_linear_regressor(struct nmc_infer *infer, struct nmc_node *node) {
    return regress(infer, node, "targets");
}

neuromc_status nmc_infer_regressor(struct nmc_infer *infer, struct nmc_node *node) {
    return regress(infer, node, "n_targets");
}

/* Columns of the last axis picked by an index list. */
neuromc_status nmc_infer_feature_extractor(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *x = nmc_in_shape(node, 0), *y = nmc_in_shape(node, 1);
    nmc_dim out[NMC_LIMIT_RANK];
    int64_t picked;
    nmc_out_type(node, 0, nmc_in_type(node, 0));
    if (!x || x->rank < 1 || !y)
        return NEUROMC_OK;
    for (int i = 0; i < x->rank; i++)
        out[i] = x->dims[i];
    out[x->rank - 1] = nmc_shape_elements(y, &picked) ? picked : nmc_unknown(infer, node);
    /* A list of values is one row. */
    nmc_dim row[2] = {1, out[0]};
    return x->rank == 1 ? nmc_out(infer, node, 0, nmc_in_type(node, 0), 2, row)
                        : nmc_out(infer, node, 0, nmc_in_type(node, 0), x->rank, out);
}

/* One more axis: a 1 at the place of the category. */
neuromc_status nmc_infer_one_hot_encoder(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *x = nmc_in_shape(node, 0);
    const struct nmc_attr *ints = nmc_attr_find(node, "cats_int64s");
    const struct nmc_attr *texts = nmc_attr_find(node, "cats_strings");
    nmc_dim out[NMC_LIMIT_RANK + 1];
    nmc_out_type(node, 0, NMC_ELEM_float32);
    if (!x || (!ints && !texts))
        return NEUROMC_OK;
    for (int i = 0; i < x->rank; i++)
        out[i] = x->dims[i];
    out[x->rank] = ints && ints->count ? ints->count : texts ? texts->count : 0;
    return nmc_out(infer, node, 0, NMC_ELEM_float32, x->rank + 1, out);
}

/* The shape stays, the type follows the attributes. */
neuromc_status nmc_infer_label_encoder(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *x = nmc_in_shape(node, 0);
    enum nmc_elem from = nmc_in_type(node, 0);
    enum nmc_elem type = from == NMC_ELEM_string ? NMC_ELEM_int64 : NMC_ELEM_string;
    if (nmc_attr_find(node, "values_floats"))
        type = NMC_ELEM_float32;
    else if (nmc_attr_find(node, "values_int64s"))
        type = NMC_ELEM_int64;
    nmc_out_type(node, 0, type);
    return x ? nmc_out(infer, node, 0, type, x->rank, x->dims) : NEUROMC_OK;
}

/* Whatever comes in, numbers of the same shape come out. */
neuromc_status nmc_infer_to_float(struct nmc_infer *infer, struct nmc_node *node) {
    neuromc_status status = nmc_out_like(infer, node, 0, 0);
    nmc_out_type(node, 0, NMC_ELEM_float32);
    return status;
}

/* All inputs side by side: [rows, sum of their widths]. */
neuromc_status nmc_infer_feature_vectorizer(struct nmc_infer *infer, struct nmc_node *node) {
    nmc_dim out[2] = {rows(infer, node), 0};
    neuromc_status status = NEUROMC_OK;
    for (int i = 0; status == NEUROMC_OK && i < node->input_count; i++) {
        const struct nmc_shape *x = nmc_in_shape(node, i);
        nmc_dim width = x && x->rank >= 1 ? x->dims[x->rank - 1] : nmc_unknown(infer, node);
        status = nmc_dim_add(infer, node, out[1], width, &out[1]);
    }
    return status == NEUROMC_OK ? nmc_out(infer, node, 0, NMC_ELEM_float32, 2, out) : status;
}
