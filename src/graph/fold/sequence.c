/* Folding of sequences: how long, whether there, and a value that all elements have. */
#include "graph/fold/fold.h"

/* Whether the integers are all the same, so that equal pieces of them are. */
static bool is_uniform(const struct nmc_value *value) {
    for (int64_t i = 1; i < value->count; i++)
        if (value->ints[i] != value->ints[0])
            return false;
    return value->count > 0;
}

/* torch splits the repeats of repeat_interleave into a sequence. */
neuromc_status nmc_fold_split_to_sequence(struct nmc_infer *infer, struct nmc_node *node) {
    struct nmc_value in;
    nmc_dim out[NMC_LIMIT_FOLD_ELEMENTS];
    int64_t count;
    const struct nmc_tensor *sequence = node->output_count ? node->outputs[0] : NULL;
    if (!sequence || !nmc_value_of(node, 0, &in) || !in.ints || !is_uniform(&in) ||
        !nmc_shape_elements(&sequence->shape, &count) || count > in.count)
        return NEUROMC_OK;
    for (int64_t i = 0; i < count; i++)
        out[i] = in.ints[0];
    return nmc_out_ints(infer, node, 0, count, out);
}

neuromc_status nmc_fold_sequence_at(struct nmc_infer *infer, struct nmc_node *node) {
    int64_t count;
    const nmc_dim *ints = nmc_in_ints(node, 0, &count);
    return ints ? nmc_out_ints(infer, node, 0, count, ints) : NEUROMC_OK;
}

neuromc_status nmc_fold_sequence_length(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_tensor *sequence = nmc_in(node, 0);
    nmc_dim length = sequence ? sequence->length : -1;
    return length < 0 ? NEUROMC_OK : nmc_out_ints(infer, node, 0, 1, &length);
}

/* An optional is there or not as the Optional that made it says; anything else is there. */
neuromc_status nmc_fold_optional_has_element(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_tensor *input = nmc_in(node, 0);
    nmc_dim there = input != NULL;
    if (input && input->holds == NMC_HOLDS_OPTIONAL) {
        if (!input->producer || !nmc_node_is(input->producer, "Optional"))
            return NEUROMC_OK;
        there = nmc_in(input->producer, 0) != NULL;
    }
    return nmc_out_ints(infer, node, 0, 1, &there);
}
