/*
 * layer_linear.c - Gemm and MatMul: rows x C times C x K.
 *
 * With a weight on one side the other is the activation (linear.forward); B is the number of
 * rows of the activation, with every leading dim, K the weight's other dim. Two activations are
 * matmul.forward.
 */
#include "base/checked.h"
#include "model/layering.h"
#include "model/training_graph.h"

enum side { LEFT, RIGHT };

/* Which operand is the weight; false if both are activations. A constant is one. So is a graph
 * input where a weight belongs (a matrix at the right), as training graphs have them. */
static bool weight_side(const struct nmc_node *node, int left, int right, enum side *side) {
    struct nmc_tensor *a = nmc_weight_root(nmc_in(node, left));
    struct nmc_tensor *b = nmc_weight_root(nmc_in(node, right));
    bool matrix = nmc_in(node, right)->shape.rank == 2;
    *side = RIGHT;
    if (b && (b->is_constant || matrix))
        return true;
    *side = LEFT;
    return a && a->is_constant;
}

static bool is_weight(const struct nmc_layering *l, const struct nmc_tensor *operand,
                      const struct nmc_tensor *root) {
    return operand && root && (root->is_constant || nmc_input_is_weight(root, l->is_gradient));
}

/* A product with a gradient is a gradient itself: with a weight that of the layer's input, with
 * an activation that of its weight. i1 and i2 as the reference has them (see docs/model.md). */
static void set_gradient_role(struct nmc_layering *l, struct nmc_layer *layer) {
    bool first = l->is_gradient[layer->input->id], second = l->is_gradient[layer->weight->id];
    if (!first && !second)
        return;
    struct nmc_tensor *gradient = first ? layer->input : layer->weight;
    struct nmc_tensor *other = first ? layer->weight : layer->input;
    bool weighted = is_weight(l, other, nmc_weight_root(other));
    layer->kind = NMC_LAYER_LINEAR;
    layer->role = weighted ? NMC_ROLE_GRAD_INPUT : NMC_ROLE_GRAD_WEIGHT;
    layer->input = weighted ? gradient : other;
    layer->weight = weighted ? other : gradient;
}

/* dims: rows of the left matrix (batch included), C, columns of the right one. */
static void add_product(struct nmc_layering *l, struct nmc_node *node, int left, int right,
                        int64_t rows, int64_t inner, int64_t columns) {
    enum side side;
    bool weighted = weight_side(node, left, right, &side);
    bool swapped = weighted && side == LEFT;
    struct nmc_layer layer = nmc_layer_start(weighted ? NMC_LAYER_LINEAR : NMC_LAYER_MATMUL, node);
    layer.input = nmc_in(node, swapped ? right : left);
    layer.weight = nmc_in(node, swapped ? left : right);
    layer.output = node->outputs[0];
    layer.dims[NMC_B] = swapped ? columns : rows;
    layer.dims[NMC_C] = inner;
    layer.dims[NMC_K] = swapped ? rows : columns;
    set_gradient_role(l, &layer);
    nmc_layer_add(l, layer);
}

static int64_t attr(const struct nmc_node *node, const char *name) {
    const struct nmc_attr *found = nmc_attr_find(node, name);
    return found && found->kind == NMC_ATTR_INT ? found->i : 0;
}

static bool known(struct nmc_layering *l, struct nmc_node *node, int left, int right) {
    return nmc_layer_needs(l, node, nmc_in(node, left), "left operand") &&
           nmc_layer_needs(l, node, nmc_in(node, right), "right operand") &&
           nmc_layer_needs(l, node, node->output_count ? node->outputs[0] : NULL, "output");
}

void nmc_layer_gemm(struct nmc_layering *l, struct nmc_node *node) {
    int right = nmc_weight_index(node);
    if (!known(l, node, 0, right))
        return;
    const struct nmc_shape *a = nmc_in_shape(node, 0), *b = nmc_in_shape(node, right);
    if (a->rank != 2 || b->rank != 2)
        return;
    bool ta = attr(node, "transA") != 0, tb = attr(node, "transB") != 0;
    add_product(l, node, 0, right, a->dims[ta], a->dims[!ta], b->dims[!tb]);
}

/* A weight of a few bits, packed: its sizes are attributes, the rows those of the output. */
static void add_packed_product(struct nmc_layering *l, struct nmc_node *node) {
    const struct nmc_shape *y = &node->outputs[0]->shape;
    if (y->rank > 0)
        add_product(l, node, 0, 1, nmc_layer_product(l, node, y->dims, y->rank - 1),
                    attr(node, "K"), attr(node, "N"));
}

/* Columns of a matrix that may be transposed, and whose first axis may have changed places with
 * the batch. */
static int64_t columns_of(const struct nmc_shape *shape, bool turned, bool batch) {
    int last = shape->rank - 1, first = batch && shape->rank > 2 ? 0 : last - 1;
    return shape->dims[turned ? first : last];
}

/* MatMul of any rank: the output's size times the inner dim is the work, whatever was broadcast;
 * a 1-D operand stands for a row at the left or a column at the right. */
void nmc_layer_matmul(struct nmc_layering *l, struct nmc_node *node) {
    int right = nmc_weight_index(node);
    if (!known(l, node, 0, right))
        return;
    if (nmc_weight_is_packed(node)) {
        add_packed_product(l, node);
        return;
    }
    const struct nmc_shape *a = nmc_in_shape(node, 0), *b = nmc_in_shape(node, right);
    const struct nmc_shape *y = &node->outputs[0]->shape;
    if (a->rank < 1 || b->rank < 1)
        return;
    bool ta = attr(node, "transA") != 0 && a->rank > 1;
    bool tb = attr(node, "transB") != 0 && b->rank > 1;
    bool a_batch = attr(node, "transBatchA") != 0, b_batch = attr(node, "transBatchB") != 0;
    int64_t inner = a->rank == 1 ? a->dims[0] : columns_of(a, ta, a_batch);
    int64_t columns = b->rank == 1 ? 1 : columns_of(b, tb, b_batch);
    int row_dims = b->rank == 1 ? y->rank : y->rank - 1;
    int64_t rows = nmc_layer_product(l, node, y->dims, row_dims);
    if (a->rank == 2 && b->rank > 2) {
        /* The left matrix is broadcast: a weight there keeps its rows, the batch is columns. */
        enum side side;
        if (weight_side(node, 0, right, &side) && side == LEFT) {
            int64_t m = a->dims[ta];
            if (m > 0 && nmc_mul(rows / m, columns, &columns))
                rows = m;
        }
    }
    add_product(l, node, 0, right, rows, inner, columns);
}
