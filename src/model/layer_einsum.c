/*
 * layer_einsum.c - Einsum: the product of the sizes of all letters is the work.
 *
 * C: letters that are summed; K: letters of the last operand alone; B: all others. An equation
 * with one operand moves or sums elements and multiplies nothing.
 */
#include <ctype.h>
#include <string.h>

#include "base/checked.h"
#include "base/limits.h"
#include "model/layering.h"

enum { LETTERS = 52, SLOTS = LETTERS + NMC_LIMIT_EINSUM_AXES };

struct letter {
    bool used, in_output, in_last, in_others;
    int64_t size;
};

struct equation {
    struct letter letters[SLOTS]; /* 52 letters, then the axes of an ellipsis from the right */
    int operands;
};

static int slot(char c) {
    return islower((unsigned char)c) ? c - 'a' : c - 'A' + 26;
}

static void use(struct letter *letter, int64_t size, bool last) {
    letter->used = true;
    if (size > letter->size)
        letter->size = size; /* broadcast axes of an ellipsis may be 1 in one operand */
    if (last)
        letter->in_last = true;
    else
        letter->in_others = true;
}

/* One operand's term against its shape; false if they do not match. */
static bool read_term(struct equation *e, const char *term, size_t length,
                      const struct nmc_shape *shape, bool last) {
    int named = 0, axis = 0;
    for (size_t i = 0; i < length; i++)
        named += isalpha((unsigned char)term[i]) != 0;
    int hidden = shape->rank - named;
    if (hidden < 0 || hidden > NMC_LIMIT_EINSUM_AXES)
        return false;
    for (size_t i = 0; i < length; i++) {
        if (isalpha((unsigned char)term[i])) {
            use(&e->letters[slot(term[i])], shape->dims[axis++], last);
        } else if (term[i] == '.') {
            for (int h = hidden; h > 0; h--)
                use(&e->letters[LETTERS + h - 1], shape->dims[axis++], last);
            hidden = 0;
            while (i + 1 < length && term[i + 1] == '.')
                i++;
        }
    }
    return axis == shape->rank;
}

/* The letters behind "->"; without an arrow, those that occur once over all operands, and the
 * ellipsis always. */
static void read_output(struct equation *e, const char *equation) {
    const char *arrow = strstr(equation, "->");
    for (int s = LETTERS; s < SLOTS; s++)
        e->letters[s].in_output = true;
    for (const char *c = arrow ? arrow + 2 : equation; *c; c++)
        if (isalpha((unsigned char)*c)) {
            bool once = !strchr(c + 1, *c) && !memchr(equation, *c, (size_t)(c - equation));
            e->letters[slot(*c)].in_output = arrow || once;
        }
    if (arrow && !strchr(arrow, '.'))
        for (int s = LETTERS; s < SLOTS; s++)
            e->letters[s].in_output = false;
}

static bool read_equation(struct nmc_layering *l, struct nmc_node *node, const char *equation,
                          struct equation *e) {
    const char *arrow = strstr(equation, "->"), *at = equation;
    const char *end = arrow ? arrow : equation + strlen(equation);
    for (int i = 0; i < node->input_count; i++) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        size_t length = (size_t)((comma ? comma : end) - at);
        struct nmc_tensor *operand = nmc_in(node, i);
        if (!nmc_layer_needs(l, node, operand, "operand") ||
            !read_term(e, at, length, &operand->shape, i == node->input_count - 1))
            return false;
        e->operands++;
        at = comma ? comma + 1 : end;
    }
    read_output(e, equation);
    return true;
}

void nmc_layer_einsum(struct nmc_layering *l, struct nmc_node *node) {
    const struct nmc_attr *attr = nmc_attr_find(node, "equation");
    struct equation e = {0};
    if (!attr || attr->kind != NMC_ATTR_STRING || node->output_count < 1 ||
        !read_equation(l, node, attr->s, &e) || e.operands < 2)
        return;
    bool weighted = nmc_weight_root(nmc_in(node, 1)) && nmc_weight_root(nmc_in(node, 1))->is_constant;
    struct nmc_layer layer =
        nmc_layer_start(weighted ? NMC_LAYER_LINEAR : NMC_LAYER_MATMUL, node);
    layer.input = nmc_in(node, 0);
    layer.weight = nmc_in(node, 1);
    layer.output = node->outputs[0];
    for (int s = 0; s < SLOTS; s++) {
        const struct letter *letter = &e.letters[s];
        enum nmc_loop loop = !letter->in_output                         ? NMC_C
                             : letter->in_last && !letter->in_others ? NMC_K
                                                                        : NMC_B;
        if (letter->used && !nmc_mul(layer.dims[loop], letter->size, &layer.dims[loop])) {
            nmc_layer_fail(l, node, NULL, "the product of its letters does not fit 64 bits");
            return;
        }
    }
    if (nmc_layer_needs(l, node, layer.output, "output"))
        nmc_layer_add(l, layer);
}
