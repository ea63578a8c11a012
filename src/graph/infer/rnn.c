/* Recurrent layers: RNN, GRU, LSTM and the quantised LSTM. */
#include <string.h>

#include "graph/infer.h"

struct rnn {
    int gates;       /* matrices stacked in W and R */
    bool transposed; /* W is [D, input, gates x hidden] instead of [D, gates x hidden, input] */
    int64_t directions, layout;
    nmc_dim steps, batch, hidden;
};

static neuromc_status read_direction(struct nmc_infer *infer, const struct nmc_node *node,
                                     struct rnn *rnn) {
    const char *text;
    neuromc_status status = nmc_attr_string(infer, node, "direction", "forward", &text);
    rnn->directions = strcmp(text, "bidirectional") == 0 ? 2 : 1;
    if (status == NEUROMC_OK && rnn->directions == 1 && strcmp(text, "forward") != 0 &&
        strcmp(text, "reverse") != 0)
        return nmc_node_error(infer, node, "forward, reverse or bidirectional",
                              "direction \"%s\" is not known", text);
    return status;
}

static neuromc_status check_rank(struct nmc_infer *infer, const struct nmc_node *node, int input,
                                 const char *name) {
    const struct nmc_shape *shape = nmc_in_shape(node, input);
    if (shape && shape->rank != 3)
        return nmc_node_error(infer, node, NULL, "%s has %d axes, 3 wanted", name, shape->rank);
    return NEUROMC_OK;
}

/* From hidden_size, else from the recurrent weight, else from the rows of the input weight. */
static neuromc_status read_hidden(struct nmc_infer *infer, const struct nmc_node *node,
                                  struct rnn *rnn) {
    const struct nmc_shape *w = nmc_in_shape(node, 1), *r = nmc_in_shape(node, 2);
    int64_t said;
    neuromc_status status = nmc_attr_size(infer, node, "hidden_size", 0, &said);
    if (status != NEUROMC_OK)
        return status;
    nmc_dim columns = r ? r->dims[rnn->transposed ? 1 : 2] : 0;
    nmc_dim rows = w ? w->dims[rnn->transposed ? 2 : 1] : 0;
    if (said > 0)
        rnn->hidden = said;
    else if (r)
        rnn->hidden = columns;
    else if (w && nmc_dim_known(rows))
        rnn->hidden = rows / rnn->gates;
    else
        rnn->hidden = nmc_unknown(infer, node);
    if (r && !nmc_unify(infer, rnn->hidden, columns))
        return nmc_node_error(infer, node, NULL, "hidden_size is %lld, R has %lld",
                              (long long)rnn->hidden, (long long)columns);
    nmc_dim wanted;
    status = nmc_dim_mul(infer, node, rnn->gates, rnn->hidden, &wanted);
    if (status == NEUROMC_OK && w && !nmc_unify(infer, rows, wanted))
        return nmc_node_error(infer, node, NULL, "W has %lld rows, %d x hidden size %lld wanted",
                              (long long)rows, rnn->gates, (long long)rnn->hidden);
    return status;
}

static neuromc_status check_weight(struct nmc_infer *infer, const struct nmc_node *node,
                                   const struct rnn *rnn) {
    const struct nmc_shape *x = nmc_in_shape(node, 0), *w = nmc_in_shape(node, 1);
    if (!w)
        return NEUROMC_OK;
    if (!nmc_unify(infer, w->dims[0], rnn->directions))
        return nmc_node_error(infer, node, NULL, "W has %lld directions, %lld wanted",
                              (long long)w->dims[0], (long long)rnn->directions);
    nmc_dim wanted = w->dims[rnn->transposed ? 1 : 2];
    if (x && !nmc_unify(infer, x->dims[2], wanted))
        return nmc_node_error(infer, node, NULL, "input size is %lld, W wants %lld",
                              (long long)x->dims[2], (long long)wanted);
    return NEUROMC_OK;
}

static neuromc_status read_all(struct nmc_infer *infer, const struct nmc_node *node,
                               struct rnn *rnn) {
    static const char *const names[] = {"X", "W", "R"};
    neuromc_status status = read_direction(infer, node, rnn);
    if (status == NEUROMC_OK)
        status = nmc_attr_int(infer, node, "layout", 0, &rnn->layout);
    for (int i = 0; status == NEUROMC_OK && i < 3; i++)
        status = check_rank(infer, node, i, names[i]);
    if (status == NEUROMC_OK)
        status = read_hidden(infer, node, rnn);
    if (status == NEUROMC_OK)
        status = check_weight(infer, node, rnn);
    if (status != NEUROMC_OK)
        return status;
    const struct nmc_shape *x = nmc_in_shape(node, 0);
    rnn->steps = x ? x->dims[rnn->layout ? 1 : 0] : nmc_unknown(infer, node);
    rnn->batch = x ? x->dims[rnn->layout ? 0 : 1] : nmc_unknown(infer, node);
    return NEUROMC_OK;
}

/* Y of every step, then the last state (and the last cell). */
static neuromc_status recur(struct nmc_infer *infer, struct nmc_node *node, struct rnn *rnn) {
    enum nmc_elem type = nmc_in_type(node, 0);
    neuromc_status status = read_all(infer, node, rnn);
    if (status != NEUROMC_OK)
        return status;
    nmc_dim d = rnn->directions, s = rnn->steps, b = rnn->batch, h = rnn->hidden;
    const nmc_dim *every = rnn->layout ? (nmc_dim[]){b, s, d, h} : (nmc_dim[]){s, d, b, h};
    const nmc_dim *last = rnn->layout ? (nmc_dim[]){b, d, h} : (nmc_dim[]){d, b, h};
    status = nmc_out(infer, node, 0, type, 4, every);
    for (int i = 1; status == NEUROMC_OK && i < node->output_count; i++)
        status = nmc_out(infer, node, i, type, 3, last);
    return status;
}

neuromc_status nmc_infer_rnn(struct nmc_infer *infer, struct nmc_node *node) {
    return recur(infer, node, &(struct rnn){.gates = 1});
}

neuromc_status nmc_infer_gru(struct nmc_infer *infer, struct nmc_node *node) {
    return recur(infer, node, &(struct rnn){.gates = 3});
}

neuromc_status nmc_infer_lstm(struct nmc_infer *infer, struct nmc_node *node) {
    return recur(infer, node, &(struct rnn){.gates = 4});
}

neuromc_status nmc_infer_quantized_lstm(struct nmc_infer *infer, struct nmc_node *node) {
    return recur(infer, node, &(struct rnn){.gates = 4, .transposed = true});
}
