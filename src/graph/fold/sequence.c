/* Folding of questions about sequences and optionals: how long, whether there. */
#include "graph/fold/fold.h"

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
