/*
 * layer_einsum.c - Einsum: the product of the sizes of all letters is the work.
 *
 * C: letters that are summed; K: letters of the last operand alone; B: all others. An equation
 * with one operand moves or sums elements and multiplies nothing.
 */
#include "base/checked.h"
#include "graph/einsum.h"
#include "model/layering.h"

/* Letters, then the axes of an ellipsis counted from the right. */
enum { SLOTS = NMC_EINSUM_LETTERS + NMC_LIMIT_RANK };

struct letter {
    bool used, in_output, in_last, in_others;
    int64_t size;
};

static void use(struct letter *letter, int64_t size, bool last) {
    letter->used = true;
    if (size > letter->size || size == 0)
        letter->size = size; /* axes of an ellipsis may be 1 in one operand */
    if (last)
        letter->in_last = true;
    else
        letter->in_others = true;
}

static bool read_term(const struct nmc_einsum_term *term, const struct nmc_shape *shape, bool last,
                      struct letter *letters) {
    int hidden = nmc_einsum_hidden(term, shape->rank), axis = 0;
    if (hidden < 0)
        return false;
    for (int i = 0; i <= term->count; i++) {
        for (int h = term->ellipsis == i ? hidden : 0; h > 0; h--)
            use(&letters[NMC_EINSUM_LETTERS + h - 1], shape->dims[axis++], last);
        if (i < term->count)
            use(&letters[term->letters[i]], shape->dims[axis++], last);
    }
    return true;
}

static bool read_operands(struct nmc_layering *l, struct nmc_node *node,
                          const struct nmc_einsum *equation, struct letter *letters) {
    for (int i = 0; i < node->input_count; i++) {
        struct nmc_tensor *operand = nmc_in(node, i);
        if (!nmc_layer_needs(l, node, operand, "operand") ||
            !read_term(&equation->terms[i], &operand->shape, i == node->input_count - 1, letters))
            return false;
    }
    for (int i = 0; i < equation->out.count; i++)
        letters[equation->out.letters[i]].in_output = true;
    for (int s = NMC_EINSUM_LETTERS; s < SLOTS; s++)
        letters[s].in_output = equation->out.ellipsis >= 0;
    return true;
}

static enum nmc_loop loop_of(const struct letter *letter) {
    if (!letter->in_output)
        return NMC_C;
    return letter->in_last && !letter->in_others ? NMC_K : NMC_B;
}

void nmc_layer_einsum(struct nmc_layering *l, struct nmc_node *node) {
    const struct nmc_attr *attr = nmc_attr_find(node, "equation");
    struct nmc_einsum equation;
    struct letter letters[SLOTS] = {0};
    if (!attr || attr->kind != NMC_ATTR_STRING || node->output_count < 1 ||
        nmc_einsum_parse(attr->s, &equation) || equation.count != node->input_count ||
        equation.count < 2 || !read_operands(l, node, &equation, letters))
        return;
    const struct nmc_tensor *root = nmc_weight_root(nmc_in(node, 1));
    struct nmc_layer layer =
        nmc_layer_start(root && root->is_constant ? NMC_LAYER_LINEAR : NMC_LAYER_MATMUL, node);
    layer.input = nmc_in(node, 0);
    layer.weight = nmc_in(node, 1);
    layer.output = node->outputs[0];
    for (int s = 0; s < SLOTS; s++) {
        int64_t *dim = &layer.dims[loop_of(&letters[s])];
        if (letters[s].used && !nmc_mul(*dim, letters[s].size, dim)) {
            nmc_layer_fail(l, node, NULL, "the product of its letters does not fit 64 bits");
            return;
        }
    }
    if (nmc_layer_needs(l, node, layer.output, "output"))
        nmc_layer_add(l, layer);
}
