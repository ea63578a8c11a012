/* Matrix products: Gemm, MatMul and what is made like them (integer, quantised, fused). */
#include "base/limits.h"
#include "graph/infer.h"

/* ---- MatMul ---- */

/* A matrix, perhaps stacked: batch axes, rows, columns. */
struct matrix {
    nmc_dim batch[NMC_LIMIT_RANK];
    int batches;
    nmc_dim rows, columns;
    bool vector; /* made a matrix by an axis of 1 that the result does not have */
};

static struct matrix matrix_of(const struct nmc_shape *shape, bool left) {
    struct matrix m = {.vector = shape->rank == 1};
    if (m.vector) {
        m.rows = left ? 1 : shape->dims[0];
        m.columns = left ? shape->dims[0] : 1;
        return m;
    }
    m.batches = shape->rank - 2;
    for (int i = 0; i < m.batches; i++)
        m.batch[i] = shape->dims[i];
    m.rows = shape->dims[m.batches];
    m.columns = shape->dims[m.batches + 1];
    return m;
}

static void transpose(struct matrix *m) {
    nmc_dim rows = m->rows;
    m->rows = m->columns;
    m->columns = rows;
}

/* [d0, d1 .. dk, c] seen as batch [d1 .. dk] of [d0, c]. */
static void transpose_batch(struct matrix *m) {
    if (m->batches < 1)
        return;
    nmc_dim first = m->batch[0];
    for (int i = 0; i + 1 < m->batches; i++)
        m->batch[i] = m->batch[i + 1];
    m->batch[m->batches - 1] = m->rows;
    m->rows = first;
}

static neuromc_status multiply_batches(struct nmc_infer *infer, const struct nmc_node *node,
                                       const struct matrix *a, const struct matrix *b, nmc_dim *out,
                                       int *rank) {
    *rank = a->batches > b->batches ? a->batches : b->batches;
    for (int i = 0; i < *rank; i++) {
        int ia = i - (*rank - a->batches), ib = i - (*rank - b->batches);
        nmc_dim x = ia < 0 ? 1 : a->batch[ia], y = ib < 0 ? 1 : b->batch[ib];
        if (!nmc_broadcast_dim(infer, node, x, y, &out[i]))
            return nmc_node_error(infer, node, NULL, "batch dims %lld and %lld cannot broadcast",
                                  (long long)x, (long long)y);
    }
    return NEUROMC_OK;
}

static neuromc_status multiply(struct nmc_infer *infer, struct nmc_node *node,
                               const struct matrix *a, const struct matrix *b, enum nmc_elem type) {
    nmc_dim out[NMC_LIMIT_RANK];
    int rank;
    if (!nmc_unify(infer, a->columns, b->rows))
        return nmc_node_error(infer, node, NULL, "inner sizes differ (%lld and %lld)",
                              (long long)a->columns, (long long)b->rows);
    neuromc_status status = multiply_batches(infer, node, a, b, out, &rank);
    if (status != NEUROMC_OK)
        return status;
    if (!a->vector)
        out[rank++] = a->rows;
    if (!b->vector)
        out[rank++] = b->columns;
    return nmc_out(infer, node, 0, type, rank, out);
}

/* What the fused forms add: each operand transposed, or its first axis exchanged with the batch. */
struct transposes {
    int64_t a, b, batch_a, batch_b;
};

static neuromc_status product(struct nmc_infer *infer, struct nmc_node *node, int at_a, int at_b,
                              const struct transposes *transposes, enum nmc_elem type) {
    const struct nmc_shape *a = nmc_in_shape(node, at_a), *b = nmc_in_shape(node, at_b);
    nmc_out_type(node, 0, type);
    if ((a && a->rank < 1) || (b && b->rank < 1))
        return nmc_node_error(infer, node, NULL, "a scalar is no matrix");
    if (!a || !b)
        return NEUROMC_OK;
    struct matrix left = matrix_of(a, true), right = matrix_of(b, false);
    if (transposes->batch_a && !left.vector)
        transpose_batch(&left);
    if (transposes->batch_b && !right.vector)
        transpose_batch(&right);
    if (transposes->a && !left.vector)
        transpose(&left);
    if (transposes->b && !right.vector)
        transpose(&right);
    return multiply(infer, node, &left, &right, type);
}

static const struct transposes as_is;

neuromc_status nmc_infer_matmul(struct nmc_infer *infer, struct nmc_node *node) {
    return product(infer, node, 0, 1, &as_is, nmc_in_type(node, 0));
}

neuromc_status nmc_infer_matmul_integer(struct nmc_infer *infer, struct nmc_node *node) {
    return product(infer, node, 0, 1, &as_is, NMC_ELEM_int32);
}

/* a, its scale and zero point, b, its scale and zero point, y's scale and zero point */
neuromc_status nmc_infer_qlinear_matmul(struct nmc_infer *infer, struct nmc_node *node) {
    return product(infer, node, 0, 3, &as_is, nmc_in_type(node, 7));
}

/* Integer operands, but a real result. */
neuromc_status nmc_infer_matmul_to_float(struct nmc_infer *infer, struct nmc_node *node) {
    return product(infer, node, 0, 1, &as_is, NMC_ELEM_float32);
}

neuromc_status nmc_infer_fused_matmul(struct nmc_infer *infer, struct nmc_node *node) {
    struct transposes transposes;
    neuromc_status status = nmc_attr_int(infer, node, "transA", 0, &transposes.a);
    if (status == NEUROMC_OK)
        status = nmc_attr_int(infer, node, "transB", 0, &transposes.b);
    if (status == NEUROMC_OK)
        status = nmc_attr_int(infer, node, "transBatchA", 0, &transposes.batch_a);
    if (status == NEUROMC_OK)
        status = nmc_attr_int(infer, node, "transBatchB", 0, &transposes.batch_b);
    if (status != NEUROMC_OK)
        return status;
    return product(infer, node, 0, 1, &transposes, nmc_in_type(node, 0));
}

/* A packed weight: its true sizes K and N are attributes. */
neuromc_status nmc_infer_matmul_packed(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_shape *a = nmc_in_shape(node, 0);
    int64_t rows, columns;
    nmc_out_type(node, 0, nmc_in_type(node, 0));
    neuromc_status status = nmc_attr_size(infer, node, "K", 0, &rows);
    if (status == NEUROMC_OK)
        status = nmc_attr_size(infer, node, "N", 0, &columns);
    if (status != NEUROMC_OK)
        return status;
    if (rows < 1 || columns < 1)
        return nmc_node_error(infer, node, NULL, "K and N must be positive");
    if (!a || a->rank < 1)
        return NEUROMC_OK;
    struct matrix left = matrix_of(a, true);
    struct matrix right = {.rows = rows, .columns = columns};
    return multiply(infer, node, &left, &right, nmc_in_type(node, 0));
}

/* ---- Gemm ---- */

static neuromc_status check_addend(struct nmc_infer *infer, const struct nmc_node *node,
                                   const struct nmc_shape *c, const nmc_dim *out) {
    for (int i = 0; c && i < c->rank; i++) {
        nmc_dim size = c->dims[c->rank - 1 - i], wanted = i < 2 ? out[1 - i] : 1;
        if (nmc_dim_known(size) && nmc_dim_known(wanted) && size != wanted && size != 1)
            return nmc_node_error(
                infer, node, NULL, "C %s cannot broadcast to %s", nmc_shape_text(infer->net, c),
                nmc_shape_text(infer->net, &(struct nmc_shape){2, (nmc_dim[]){out[0], out[1]}}));
    }
    return NEUROMC_OK;
}

static neuromc_status gemm(struct nmc_infer *infer, struct nmc_node *node, int at_b, int at_c,
                           enum nmc_elem type) {
    const struct nmc_shape *a = nmc_in_shape(node, 0), *b = nmc_in_shape(node, at_b);
    int64_t turn_a, turn_b;
    nmc_out_type(node, 0, type);
    neuromc_status status = nmc_attr_int(infer, node, "transA", 0, &turn_a);
    if (status == NEUROMC_OK)
        status = nmc_attr_int(infer, node, "transB", 0, &turn_b);
    if (status != NEUROMC_OK)
        return status;
    if ((a && a->rank != 2) || (b && b->rank != 2))
        return nmc_node_error(infer, node, NULL, "%s has %d axes, 2 wanted",
                              a && a->rank != 2 ? "A" : "B", a && a->rank != 2 ? a->rank : b->rank);
    if (a && b && !nmc_unify(infer, a->dims[!turn_a], b->dims[!!turn_b]))
        return nmc_node_error(infer, node, NULL, "inner sizes differ (%lld and %lld)",
                              (long long)a->dims[!turn_a], (long long)b->dims[!!turn_b]);
    nmc_dim out[2] = {a ? a->dims[!!turn_a] : nmc_unknown(infer, node),
                      b ? b->dims[!turn_b] : nmc_unknown(infer, node)};
    status = check_addend(infer, node, nmc_in_shape(node, at_c), out);
    return status == NEUROMC_OK ? nmc_out(infer, node, 0, type, 2, out) : status;
}

neuromc_status nmc_infer_gemm(struct nmc_infer *infer, struct nmc_node *node) {
    return gemm(infer, node, 1, 2, nmc_in_type(node, 0));
}

/* A, its scale and zero point, B, its scale and zero point, C, y's scale and zero point; without
 * the last two the result is real. */
neuromc_status nmc_infer_qgemm(struct nmc_infer *infer, struct nmc_node *node) {
    return gemm(infer, node, 3, 6, nmc_in(node, 8) ? nmc_in_type(node, 8) : NMC_ELEM_float32);
}
