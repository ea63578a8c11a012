/*
 * layer_attention.c - fused attention by its two products, q k' and p v, behind the projection
 * where the operator holds it.
 *
 * B batch, S query positions, L key positions (past ones included), N query heads, G key heads,
 * h and v the sizes of a key and a value head. q k': B N S rows, C = h, K = L. p v: B N S rows,
 * C = L, K = v. Softmax, masks and biases multiply no matrices.
 */
#include <string.h>

#include "base/checked.h"
#include "model/layering.h"

struct heads {
    int64_t batch, queries, keys, heads, key_heads, key_size, value_size;
};

static int64_t attr(const struct nmc_node *node, const char *name, int64_t absent) {
    const struct nmc_attr *found = nmc_attr_find(node, name);
    return found && found->kind == NMC_ATTR_INT ? found->i : absent;
}

static const nmc_dim *dims(const struct nmc_node *node, int input, int rank) {
    const struct nmc_shape *shape = nmc_in_shape(node, input);
    return shape && shape->rank == rank ? shape->dims : NULL;
}

/* Every operand that is there must be known; the first says what is missing. */
static bool known(struct nmc_layering *l, struct nmc_node *node, int operands) {
    for (int i = 0; i < operands; i++)
        if (nmc_in(node, i) && !nmc_layer_needs(l, node, nmc_in(node, i), "operand"))
            return false;
    return nmc_in(node, 0) != NULL;
}

/* Key positions with the past: what "present" says, else past and new together. */
static int64_t all_keys(const struct nmc_node *node, int present, int past, int64_t added) {
    const struct nmc_tensor *out = present < node->output_count ? node->outputs[present] : NULL;
    if (out && out->shape.rank == 4 && nmc_dim_known(out->shape.dims[2]))
        return out->shape.dims[2];
    const nmc_dim *before = dims(node, past, 4);
    return before && nmc_dim_known(before[2]) ? before[2] + added : added;
}

static bool add_products(struct nmc_layering *l, struct nmc_node *node, const struct heads *h) {
    struct nmc_layer scores = nmc_layer_start(NMC_LAYER_MATMUL, node), mix;
    int64_t rows;
    if (!nmc_product((int64_t[]){h->batch, h->heads, h->queries}, 3, &rows))
        return false;
    scores.dims[NMC_B] = rows;
    scores.dims[NMC_C] = h->key_size;
    scores.dims[NMC_K] = h->keys;
    mix = scores;
    mix.dims[NMC_C] = h->keys;
    mix.dims[NMC_K] = h->value_size;
    const int64_t key_rows[] = {h->batch, h->key_heads, h->keys, h->key_size};
    const int64_t value_rows[] = {h->batch, h->key_heads, h->keys, h->value_size};
    bool fits = nmc_mul(rows, h->key_size, &scores.input_elements) &&
                nmc_product(key_rows, 4, &scores.weight_elements) &&
                nmc_mul(rows, h->keys, &scores.output_elements) &&
                nmc_product(value_rows, 4, &mix.weight_elements) &&
                nmc_mul(rows, h->value_size, &mix.output_elements);
    mix.input_elements = scores.output_elements;
    scores.input = nmc_in(node, 0);
    if (fits) {
        nmc_layer_add(l, scores);
        nmc_layer_add(l, mix);
    }
    return fits;
}

/* ai.onnx: Q, K, V as [B, S, N h] with head counts in attributes, or [B, N, S, h]. */
static bool read_standard(const struct nmc_node *node, struct heads *h) {
    const nmc_dim *q = dims(node, 0, 4), *k = dims(node, 1, 4), *v = dims(node, 2, 4);
    if (q && k && v) {
        *h = (struct heads){q[0], q[2], k[2], q[1], k[1], q[3], v[3]};
    } else {
        int64_t heads = attr(node, "q_num_heads", 0), key_heads = attr(node, "kv_num_heads", 0);
        q = dims(node, 0, 3), k = dims(node, 1, 3), v = dims(node, 2, 3);
        if (!q || !k || !v || heads < 1 || key_heads < 1)
            return false;
        *h = (struct heads){q[0], q[1], k[1], heads, key_heads, q[2] / heads, v[2] / key_heads};
    }
    h->keys = all_keys(node, 1, 4, h->keys);
    return true;
}

/* com.microsoft: query [B, S, N h] with key and value beside it or packed into it. */
static bool read_multi_head(const struct nmc_node *node, int past, struct heads *h) {
    int64_t heads = attr(node, "num_heads", 0);
    const nmc_dim *q = dims(node, 0, 3), *packed = dims(node, 0, 5), *k = dims(node, 1, 3);
    const nmc_dim *pair = dims(node, 1, 5), *cached = dims(node, 1, 4);
    const nmc_dim *v = dims(node, 2, 3), *values = dims(node, 2, 4);
    if (heads < 1 || (!q && !packed))
        return false;
    int64_t size = packed ? packed[4] : q[2] / heads;
    const nmc_dim *whole = packed ? packed : q;
    *h = (struct heads){whole[0], whole[1], whole[1], heads, heads, size, size};
    if (k || pair || cached)
        h->keys = k ? k[1] : pair ? pair[1] : cached[2];
    if (v)
        h->value_size = v[2] / heads;
    else if (values)
        h->value_size = values[3];
    if (!cached)
        h->keys = all_keys(node, 1, past, h->keys);
    return true;
}

/* com.microsoft: fewer key heads; without key the query holds all three. */
static bool read_grouped(const struct nmc_node *node, struct heads *h) {
    int64_t heads = attr(node, "num_heads", 0), key_heads = attr(node, "kv_num_heads", heads);
    const nmc_dim *q = dims(node, 0, 3), *k = dims(node, 1, 3);
    if (!q || heads < 1 || key_heads < 1)
        return false;
    int64_t size = k ? q[2] / heads : q[2] / (heads + 2 * key_heads);
    *h = (struct heads){q[0], q[1], k ? k[1] : q[1], heads, key_heads, size, size};
    h->keys = all_keys(node, 1, 3, h->keys);
    return true;
}

/* com.microsoft: input [B, S, I] and one weight [I, 3 N h] for all three projections. */
static bool read_projected(struct nmc_layering *l, struct nmc_node *node, int past,
                           struct heads *h) {
    const nmc_dim *x = dims(node, 0, 3), *w = dims(node, 1, 2), *before = dims(node, past, 5);
    int64_t heads = attr(node, "num_heads", 0);
    const struct nmc_attr *sizes = nmc_attr_find(node, "qkv_hidden_sizes");
    if (!x || !w || heads < 1)
        return false;
    bool own = sizes && sizes->kind == NMC_ATTR_INTS && sizes->count == 3;
    int64_t keys = own ? sizes->ints[1] : w[1] / 3, values = own ? sizes->ints[2] : w[1] / 3;
    *h = (struct heads){x[0], x[1], x[1], heads, heads, keys / heads, values / heads};
    if (before && nmc_dim_known(before[3]))
        h->keys += before[3];
    struct nmc_layer layer = nmc_layer_start(NMC_LAYER_LINEAR, node);
    layer.input = nmc_in(node, 0);
    layer.weight = nmc_in(node, 1);
    layer.dims[NMC_B] = nmc_layer_product(l, node, x, 2);
    layer.dims[NMC_C] = w[0];
    layer.dims[NMC_K] = w[1];
    if (!nmc_mul(layer.dims[NMC_B], w[1], &layer.output_elements))
        return false;
    nmc_layer_add(l, layer);
    return true;
}

static bool is(const struct nmc_node *node, const char *op_type) {
    return strcmp(node->op_type, op_type) == 0;
}

static bool read(struct nmc_layering *l, struct nmc_node *node, struct heads *h) {
    if (!*node->domain)
        return read_standard(node, h);
    if (is(node, "MultiHeadAttention"))
        return read_multi_head(node, 6, h);
    if (is(node, "DecoderMaskedMultiHeadAttention"))
        return read_multi_head(node, 5, h);
    if (is(node, "GroupQueryAttention") || is(node, "SparseAttention"))
        return read_grouped(node, h);
    if (is(node, "QAttention"))
        return read_projected(l, node, 8, h);
    if (is(node, "Attention") || is(node, "DecoderMaskedSelfAttention"))
        return read_projected(l, node, 4, h);
    return false;
}

void nmc_layer_attention(struct nmc_layering *l, struct nmc_node *node) {
    struct heads h;
    if (!known(l, node, 3))
        return;
    if (!read(l, node, &h))
        nmc_layer_fail(l, node, NULL,
                       "its work cannot be counted: it depends on data (lengths of packed "
                       "sequences), or its operands do not fit together");
    else if (!add_products(l, node, &h))
        nmc_layer_fail(l, node, NULL, "its dims do not fit 64 bits");
}
