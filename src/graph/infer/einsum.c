/* Einsum: the size of every letter from the operands, the output's from its letters. */
#include "graph/einsum.h"
#include "graph/infer.h"

/* What letters and ellipsis stand for; the axes of an ellipsis are aligned at the last. */
struct sizes {
    nmc_dim letters[NMC_EINSUM_LETTERS];
    bool known[NMC_EINSUM_LETTERS];
    nmc_dim hidden[NMC_LIMIT_RANK]; /* last first */
    int hidden_count;
    bool complete; /* every operand's rank is known */
};

static neuromc_status meet_letter(struct nmc_infer *infer, const struct nmc_node *node,
                                  struct sizes *sizes, unsigned char letter, nmc_dim size) {
    nmc_dim before = sizes->letters[letter];
    if (!sizes->known[letter]) {
        sizes->known[letter] = true;
        sizes->letters[letter] = size;
        return NEUROMC_OK;
    }
    if (before != 1 && size != 1)
        nmc_unify(infer, before, size);
    if (!nmc_broadcast_dim(infer, node, before, size, &sizes->letters[letter]))
        return nmc_node_error(infer, node, NULL, "\"%c\" is %lld and %lld",
                              nmc_einsum_letter(letter), (long long)before, (long long)size);
    return NEUROMC_OK;
}

static neuromc_status meet_hidden(struct nmc_infer *infer, const struct nmc_node *node,
                                  struct sizes *sizes, int from_last, nmc_dim size) {
    nmc_dim *hidden = &sizes->hidden[from_last];
    nmc_dim before = from_last < sizes->hidden_count ? *hidden : 1;
    if (!nmc_broadcast_dim(infer, node, before, size, hidden))
        return nmc_node_error(infer, node, NULL, "sizes %lld and %lld of \"...\" cannot broadcast",
                              (long long)before, (long long)size);
    return NEUROMC_OK;
}

static neuromc_status read_operand(struct nmc_infer *infer, const struct nmc_node *node,
                                   struct sizes *sizes, const struct nmc_einsum_term *term,
                                   const struct nmc_shape *shape) {
    int hidden = nmc_einsum_hidden(term, shape->rank), axis = 0;
    if (hidden < 0)
        return nmc_node_error(infer, node, NULL, "a term names %d axes, its operand has %d",
                              term->count, shape->rank);
    neuromc_status status = NEUROMC_OK;
    for (int i = 0; status == NEUROMC_OK && i <= term->count; i++) {
        for (int k = 0; status == NEUROMC_OK && i == term->ellipsis && k < hidden; k++)
            status = meet_hidden(infer, node, sizes, hidden - 1 - k, shape->dims[axis++]);
        if (status == NEUROMC_OK && i < term->count)
            status = meet_letter(infer, node, sizes, term->letters[i], shape->dims[axis++]);
    }
    if (hidden > sizes->hidden_count)
        sizes->hidden_count = hidden;
    return status;
}

static neuromc_status set_output(struct nmc_infer *infer, struct nmc_node *node,
                                 const struct sizes *sizes, const struct nmc_einsum_term *out) {
    nmc_dim dims[2 * NMC_LIMIT_RANK];
    int rank = 0;
    for (int i = 0; i <= out->count; i++) {
        for (int k = sizes->hidden_count; i == out->ellipsis && k-- > 0;)
            dims[rank++] = sizes->hidden[k];
        if (i < out->count)
            dims[rank++] = sizes->known[out->letters[i]] ? sizes->letters[out->letters[i]]
                                                         : nmc_unknown(infer, node);
    }
    return nmc_out(infer, node, 0, nmc_in_type(node, 0), rank, dims);
}

neuromc_status nmc_infer_einsum(struct nmc_infer *infer, struct nmc_node *node) {
    struct nmc_einsum einsum;
    struct sizes sizes = {.complete = true};
    const char *equation, *problem;
    nmc_out_type(node, 0, nmc_in_type(node, 0));
    neuromc_status status = nmc_attr_string(infer, node, "equation", "", &equation);
    if (status != NEUROMC_OK)
        return status;
    problem = nmc_einsum_parse(equation, &einsum);
    if (problem)
        return nmc_node_error(infer, node, NULL, "equation \"%.80s\": %s", equation, problem);
    if (einsum.count != node->input_count)
        return nmc_node_error(infer, node, NULL, "equation \"%.80s\" has %d terms, %d operands",
                              equation, einsum.count, node->input_count);
    for (int t = 0; status == NEUROMC_OK && t < einsum.count; t++) {
        const struct nmc_shape *shape = nmc_in_shape(node, t);
        sizes.complete &= shape != NULL;
        if (shape)
            status = read_operand(infer, node, &sizes, &einsum.terms[t], shape);
    }
    if (status != NEUROMC_OK || (!sizes.complete && einsum.out.ellipsis >= 0))
        return status;
    return set_output(infer, node, &sizes, &einsum.out);
}
