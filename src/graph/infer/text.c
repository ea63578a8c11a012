/* Operators on strings: StringConcat, StringSplit, StringNormalizer, TfIdfVectorizer. */
#include "base/checked.h"
#include "base/limits.h"
#include "graph/infer/shape_ops.h"

/* One more axis for the pieces, and how many each string has. */
neuromc_status nmc_infer_string_split(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *shape = nmc_in_shape(node, 0);
    nmc_dim dims[NMC_LIMIT_RANK + 1];
    nmc_out_type(node, 0, NMC_ELEM_string);
    nmc_out_type(node, 1, NMC_ELEM_int64);
    if (!shape)
        return NEUROMC_OK;
    for (int i = 0; i < shape->rank; i++)
        dims[i] = shape->dims[i];
    dims[shape->rank] = nmc_unknown(infer, node);
    neuromc_status status = nmc_out(infer, node, 0, NMC_ELEM_string, shape->rank + 1, dims);
    return status == NEUROMC_OK ? nmc_out(infer, node, 1, NMC_ELEM_int64, shape->rank, shape->dims)
                                : status;
}

/* Stop words are dropped: the last axis shrinks by as many as there are, but not below 1. */
neuromc_status nmc_infer_string_normalizer(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *shape = nmc_in_shape(node, 0);
    const struct nmc_attr *words = nmc_attr_find(node, "stopwords");
    nmc_dim dims[NMC_LIMIT_RANK];
    nmc_out_type(node, 0, NMC_ELEM_string);
    if (!shape)
        return NEUROMC_OK;
    for (int i = 0; i < shape->rank; i++)
        dims[i] = shape->dims[i];
    if (shape->rank > 0 && words && words->count > 0)
        dims[shape->rank - 1] = nmc_unknown(infer, node);
    return nmc_out(infer, node, 0, NMC_ELEM_string, shape->rank, dims);
}

/* The last axis becomes one number for each n-gram of the vocabulary. */
neuromc_status nmc_infer_tf_idf_vectorizer(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *shape = nmc_in_shape(node, 0);
    struct nmc_list indices;
    nmc_dim dims[NMC_LIMIT_RANK], grams = 0;
    neuromc_status status = nmc_list(infer, node, "ngram_indexes", -1, &indices);
    nmc_out_type(node, 0, NMC_ELEM_float32);
    if (status != NEUROMC_OK || !shape)
        return status;
    for (int64_t i = 0; i < indices.count; i++)
        if (!nmc_add(indices.values[i], 1, &dims[0]) || dims[0] < 0)
            return nmc_node_error(infer, node, NULL, "ngram_indexes holds %lld",
                                  (long long)indices.values[i]);
        else if (dims[0] > grams)
            grams = dims[0];
    int rank = shape->rank ? shape->rank : 1;
    for (int i = 0; i + 1 < rank; i++)
        dims[i] = shape->dims[i];
    dims[rank - 1] = grams;
    return nmc_out(infer, node, 0, NMC_ELEM_float32, rank, dims);
}
