/*
 * attention.c - fused attention: ai.onnx from version 23 and the forms of com.microsoft.
 *
 * B batch, S query positions, L key positions, N heads, h size of one head. Outputs are as wide as
 * the values; "present" keys and values are the past ones with the new behind them.
 */
#include "base/checked.h"
#include "graph/infer.h"

static nmc_dim open(struct nmc_infer *infer, const struct nmc_node *node) {
    return nmc_unknown(infer, node);
}

/* Size of an axis of an input, or an unknown one. */
static nmc_dim axis_of(struct nmc_infer *infer, const struct nmc_node *node, int input, int rank,
                       int axis) {
    const struct nmc_shape *shape = nmc_in_shape(node, input);
    return shape && shape->rank == rank && axis < rank ? shape->dims[axis] : open(infer, node);
}

static nmc_dim divide(struct nmc_infer *infer, const struct nmc_node *node, nmc_dim a, nmc_dim b) {
    bool exact = nmc_dim_known(a) && nmc_dim_known(b) && b > 0 && a % b == 0;
    return exact ? a / b : open(infer, node);
}

static int rank_of(const struct nmc_node *node, int input) {
    const struct nmc_shape *shape = nmc_in_shape(node, input);
    return shape ? shape->rank : -1;
}

/* [B, N, past + new, h]: what a later call takes as past. */
static neuromc_status present(struct nmc_infer *infer, struct nmc_node *node, int output, int past,
                              nmc_dim batch, nmc_dim heads, nmc_dim added, nmc_dim head) {
    nmc_dim total = added;
    neuromc_status status = NEUROMC_OK;
    if (nmc_in(node, past))
        status = nmc_dim_add(infer, node, axis_of(infer, node, past, 4, 2), added, &total);
    if (status != NEUROMC_OK)
        return status;
    return nmc_out(infer, node, output, nmc_in_type(node, 0), 4,
                   (nmc_dim[]){batch, heads, total, head});
}

/* ---- ai.onnx ---- */

struct heads {
    nmc_dim batch, queries, keys;
    nmc_dim query_heads, key_heads, key_head, value_head;
    bool split; /* operands are [B, N, S, h] rather than [B, S, N h] */
};

static neuromc_status read_heads(struct nmc_infer *infer, const struct nmc_node *node,
                                 struct heads *h) {
    int64_t q, kv;
    neuromc_status status = nmc_attr_size(infer, node, "q_num_heads", 0, &q);
    if (status == NEUROMC_OK)
        status = nmc_attr_size(infer, node, "kv_num_heads", 0, &kv);
    if (status != NEUROMC_OK)
        return status;
    int rank = rank_of(node, 0);
    h->split = rank == 4;
    if (rank != 3 && rank != 4)
        return nmc_node_error(infer, node, NULL, "Q has %d axes, 3 or 4 wanted", rank);
    if (!h->split && (q < 1 || kv < 1))
        return nmc_node_error(infer, node, NULL,
                              "q_num_heads and kv_num_heads are wanted with 3 axes");
    h->batch = axis_of(infer, node, 0, rank, 0);
    h->queries = axis_of(infer, node, 0, rank, rank - 2);
    h->keys = axis_of(infer, node, 1, rank, rank - 2);
    h->query_heads = h->split ? axis_of(infer, node, 0, 4, 1) : q;
    h->key_heads = h->split ? axis_of(infer, node, 1, 4, 1) : kv;
    nmc_dim key = axis_of(infer, node, 1, rank, rank - 1);
    nmc_dim value = axis_of(infer, node, 2, rank, rank - 1);
    h->key_head = h->split ? key : divide(infer, node, key, kv);
    h->value_head = h->split ? value : divide(infer, node, value, kv);
    return NEUROMC_OK;
}

static neuromc_status attention_output(struct nmc_infer *infer, struct nmc_node *node,
                                       const struct heads *h) {
    nmc_dim width;
    if (h->split)
        return nmc_out(infer, node, 0, nmc_in_type(node, 0), 4,
                       (nmc_dim[]){h->batch, h->query_heads, h->queries, h->value_head});
    neuromc_status status = nmc_dim_mul(infer, node, h->query_heads, h->value_head, &width);
    if (status != NEUROMC_OK)
        return status;
    return nmc_out(infer, node, 0, nmc_in_type(node, 0), 3,
                   (nmc_dim[]){h->batch, h->queries, width});
}

/* Q, K, V, mask, past key, past value */
neuromc_status nmc_infer_attention(struct nmc_infer *infer, struct nmc_node *node) {
    struct heads h = {0};
    nmc_dim total;
    if (rank_of(node, 0) < 0)
        return NEUROMC_OK;
    neuromc_status status = read_heads(infer, node, &h);
    if (status == NEUROMC_OK)
        status = attention_output(infer, node, &h);
    if (status == NEUROMC_OK)
        status = present(infer, node, 1, 4, h.batch, h.key_heads, h.keys, h.key_head);
    if (status == NEUROMC_OK)
        status = present(infer, node, 2, 5, h.batch, h.key_heads, h.keys, h.value_head);
    if (status != NEUROMC_OK || node->output_count < 4)
        return status;
    total = h.keys;
    if (nmc_in(node, 4))
        status = nmc_dim_add(infer, node, axis_of(infer, node, 4, 4, 2), h.keys, &total);
    return status == NEUROMC_OK ? nmc_out(infer, node, 3, nmc_in_type(node, 0), 4,
                                          (nmc_dim[]){h.batch, h.query_heads, h.queries, total})
                                : status;
}

/* ---- com.microsoft: input [B, S, I] and one weight [I, 3 N h] for all three projections ---- */

static neuromc_status value_width(struct nmc_infer *infer, const struct nmc_node *node,
                                  nmc_dim *width) {
    const int64_t *sizes;
    int64_t count;
    neuromc_status status = nmc_attr_ints(infer, node, "qkv_hidden_sizes", &sizes, &count);
    if (status != NEUROMC_OK)
        return status;
    if (count == 3 && sizes[2] < 0)
        return nmc_node_error(infer, node, NULL, "qkv_hidden_sizes must not be negative");
    *width = count == 3 ? sizes[2] : divide(infer, node, axis_of(infer, node, 1, 2, 1), 3);
    return NEUROMC_OK;
}

static neuromc_status projected(struct nmc_infer *infer, struct nmc_node *node, int past) {
    const struct nmc_shape *x = nmc_in_shape(node, 0), *w = nmc_in_shape(node, 1);
    nmc_dim width = 0, total;
    int64_t heads;
    if (!x || x->rank < 2)
        return NEUROMC_OK;
    if (w && w->rank == 2 && !nmc_unify(infer, x->dims[x->rank - 1], w->dims[0]))
        return nmc_node_error(infer, node, NULL, "inner sizes differ (%lld and %lld)",
                              (long long)x->dims[x->rank - 1], (long long)w->dims[0]);
    neuromc_status status = value_width(infer, node, &width);
    if (status == NEUROMC_OK)
        status = nmc_attr_size(infer, node, "num_heads", 0, &heads);
    if (status != NEUROMC_OK)
        return status;
    nmc_dim out[3] = {x->dims[0], x->rank == 3 ? x->dims[1] : width, width};
    status = nmc_out(infer, node, 0, nmc_in_type(node, 0), x->rank == 3 ? 3 : 2, out);
    if (status != NEUROMC_OK || x->rank != 3 || past < 0)
        return status;
    total = x->dims[1];
    if (nmc_in(node, past))
        status = nmc_dim_add(infer, node, axis_of(infer, node, past, 5, 3), x->dims[1], &total);
    return status == NEUROMC_OK ? nmc_out(infer, node, 1, nmc_in_type(node, 0), 5,
                                          (nmc_dim[]){2, x->dims[0], heads, total,
                                                      divide(infer, node, width, heads)})
                                : status;
}

neuromc_status nmc_infer_projected_attention(struct nmc_infer *infer, struct nmc_node *node) {
    return projected(infer, node, 4);
}

neuromc_status nmc_infer_quantized_attention(struct nmc_infer *infer, struct nmc_node *node) {
    return projected(infer, node, 8);
}

/* Tokens without padding: [tokens, I]. */
neuromc_status nmc_infer_packed_attention(struct nmc_infer *infer, struct nmc_node *node) {
    return projected(infer, node, -1);
}

/* ---- com.microsoft: query, key and value, perhaps packed into one tensor ---- */

struct parts {
    nmc_dim batch, queries, keys, heads, key_head, value_head, width;
};

/* Query [B, S, N h]; or query, key and value together [B, S, N, 3, h]; or key and value together
 * [B, L, N, 2, h]; or keys of before [B, N, L, h]. */
static neuromc_status read_parts(struct nmc_infer *infer, const struct nmc_node *node,
                                 struct parts *p) {
    int query = rank_of(node, 0), key = rank_of(node, 1), value = rank_of(node, 2);
    p->batch = axis_of(infer, node, 0, query, 0);
    p->queries = axis_of(infer, node, 0, query, 1);
    p->keys = key == 4 ? axis_of(infer, node, 1, 4, 2) : axis_of(infer, node, 1, key, 1);
    if (!nmc_in(node, 1))
        p->keys = p->queries;
    p->key_head = query == 5 ? axis_of(infer, node, 0, 5, 4)
                             : divide(infer, node, axis_of(infer, node, 0, 3, 2), p->heads);
    p->value_head = value == 4   ? axis_of(infer, node, 2, 4, 3)
                    : value == 3 ? divide(infer, node, axis_of(infer, node, 2, 3, 2), p->heads)
                                 : p->key_head;
    if (value == 3) {
        p->width = axis_of(infer, node, 2, 3, 2);
        return NEUROMC_OK;
    }
    if (query == 3 && value < 0) {
        p->width = axis_of(infer, node, 0, 3, 2);
        return NEUROMC_OK;
    }
    return nmc_dim_mul(infer, node, p->heads, p->value_head, &p->width);
}

static neuromc_status several_heads(struct nmc_infer *infer, struct nmc_node *node, int past) {
    struct parts p;
    int64_t heads;
    int rank = rank_of(node, 0);
    if (rank != 3 && rank != 5)
        return NEUROMC_OK;
    neuromc_status status = nmc_attr_size(infer, node, "num_heads", 0, &heads);
    p.heads = heads;
    if (status == NEUROMC_OK)
        status = read_parts(infer, node, &p);
    if (status == NEUROMC_OK)
        status = nmc_out(infer, node, 0, nmc_in_type(node, 0), 3,
                         (nmc_dim[]){p.batch, p.queries, p.width});
    if (status == NEUROMC_OK)
        status = present(infer, node, 1, past, p.batch, heads, p.keys, p.key_head);
    return status == NEUROMC_OK
               ? present(infer, node, 2, past + 1, p.batch, heads, p.keys, p.value_head)
               : status;
}

/* query, key, value, bias, padding mask, attention bias, past key, past value */
neuromc_status nmc_infer_multi_head_attention(struct nmc_infer *infer, struct nmc_node *node) {
    return several_heads(infer, node, 6);
}

/* query, key, value, mask, attention bias, past key, past value */
neuromc_status nmc_infer_decoder_attention(struct nmc_infer *infer, struct nmc_node *node) {
    return several_heads(infer, node, 5);
}

/* query, key, value, past key, past value, ...; without key and value the query holds all three,
 * (N + 2 key heads) h wide. The buffers of the past may be the present ones, already long enough,
 * which the shapes do not tell. */
neuromc_status nmc_infer_grouped_attention(struct nmc_infer *infer, struct nmc_node *node) {
    int64_t heads, key_heads;
    neuromc_status status = nmc_attr_size(infer, node, "num_heads", 0, &heads);
    if (status == NEUROMC_OK)
        status = nmc_attr_size(infer, node, "kv_num_heads", heads, &key_heads);
    int rank = rank_of(node, 0);
    if (status != NEUROMC_OK || rank < 2 || rank > 3)
        return status;
    if (heads < 1 || key_heads < 1 || heads > INT32_MAX || key_heads > INT32_MAX)
        return nmc_node_error(infer, node, NULL, "num_heads and kv_num_heads must be positive");
    bool packed = !nmc_in(node, 1);
    nmc_dim out[3], width = axis_of(infer, node, 0, rank, rank - 1);
    nmc_dim head = divide(infer, node, width, packed ? heads + 2 * key_heads : heads);
    for (int i = 0; i + 1 < rank; i++)
        out[i] = axis_of(infer, node, 0, rank, i);
    out[rank - 1] = width;
    if (packed)
        status = nmc_dim_mul(infer, node, heads, head, &out[rank - 1]);
    if (status == NEUROMC_OK)
        status = nmc_out(infer, node, 0, nmc_in_type(node, 0), rank, out);
    for (int i = 1; status == NEUROMC_OK && rank == 3 && i < 3; i++)
        status = nmc_out(infer, node, i, nmc_in_type(node, 0), 4,
                         (nmc_dim[]){out[0], key_heads, open(infer, node), head});
    return status;
}

/* query [tokens, N h] or [tokens, N, 3, h], key, value; no padding */
neuromc_status nmc_infer_packed_heads(struct nmc_infer *infer, struct nmc_node *node) {
    nmc_dim out[2];
    neuromc_status status = NEUROMC_OK;
    int rank = rank_of(node, 0);
    if (rank != 2 && rank != 4)
        return NEUROMC_OK;
    out[0] = axis_of(infer, node, 0, rank, 0);
    if (rank == 4)
        status = nmc_dim_mul(infer, node, axis_of(infer, node, 0, 4, 1),
                             axis_of(infer, node, 0, 4, 3), &out[1]);
    else
        out[1] = axis_of(infer, node, nmc_in(node, 2) ? 2 : 0, 2, 1);
    return status == NEUROMC_OK ? nmc_out(infer, node, 0, nmc_in_type(node, 0), 2, out) : status;
}

/* ---- biases by position ---- */

/* table [buckets, N], query and key lengths */
neuromc_status nmc_infer_position_bias(struct nmc_infer *infer, struct nmc_node *node) {
    int64_t q, k;
    const nmc_dim *queries = nmc_in_ints(node, 1, &q), *keys = nmc_in_ints(node, 2, &k);
    nmc_dim dims[4] = {1, axis_of(infer, node, 0, 2, 1),
                       queries && q == 1 ? queries[0] : open(infer, node),
                       keys && k == 1 ? keys[0] : open(infer, node)};
    return nmc_out(infer, node, 0, nmc_in_type(node, 0), 4, dims);
}
