/* Reshape: the same elements under a target shape that may copy dims (0), leave one open (-1) and
 * hold symbols. */
#include "base/checked.h"
#include "base/limits.h"
#include "graph/infer.h"

/* Input dims against target dims after the symbols that both sides share are cancelled. */
struct balance {
    int64_t input, target; /* products of the dims that are known */
    int input_symbols, target_symbols;
    nmc_dim symbol; /* the last symbol left over on the input's side */
    int place;      /* of the last symbol left over in the target */
    int open;       /* place of the target's -1, or -1 */
};

static neuromc_status mismatch(struct nmc_infer *infer, struct nmc_node *node,
                               const struct nmc_shape *from, int rank, nmc_dim *target) {
    const struct nmc_shape to = {rank, target};
    int64_t elements;
    if (nmc_shape_elements(from, &elements))
        return nmc_node_error(infer, node, NULL, "%lld elements cannot become %s",
                              (long long)elements, nmc_shape_text(infer->net, &to));
    return nmc_node_error(infer, node, NULL, "%s cannot become %s",
                          nmc_shape_text(infer->net, from), nmc_shape_text(infer->net, &to));
}

/* Whether the target holds `symbol` where no other input dim has been matched with it yet. */
static bool cancel(nmc_dim symbol, int rank, const nmc_dim *target, bool *matched) {
    for (int i = 0; i < rank; i++)
        if (!matched[i] && target[i] == symbol) {
            matched[i] = true;
            return true;
        }
    return false;
}

static bool weigh(const struct nmc_shape *from, int rank, const nmc_dim *target,
                  struct balance *out) {
    bool matched[NMC_LIMIT_RANK] = {false}, fits = true;
    *out = (struct balance){.input = 1, .target = 1, .open = -1};
    for (int i = 0; i < from->rank; i++) {
        nmc_dim d = from->dims[i];
        if (nmc_dim_known(d)) {
            fits = nmc_mul(out->input, d, &out->input) && fits;
        } else if (!cancel(d, rank, target, matched)) {
            out->input_symbols++;
            out->symbol = d;
        }
    }
    for (int i = 0; i < rank; i++) {
        if (target[i] == -1) {
            out->open = i;
        } else if (nmc_dim_known(target[i])) {
            fits = nmc_mul(out->target, target[i], &out->target) && fits;
        } else if (!matched[i]) {
            out->target_symbols++;
            out->place = i;
        }
    }
    return fits;
}

/* What the one open place must be: the -1, or the only symbol of a target without one. */
static bool solve(struct nmc_infer *infer, struct nmc_node *node, const struct balance *b,
                  nmc_dim *out) {
    if (b->input_symbols == 1 && b->input == b->target) {
        *out = b->symbol;
    } else if (b->input_symbols || b->target == 0) {
        if (b->open >= 0)
            *out = nmc_unknown(infer, node);
    } else if (b->input % b->target == 0) {
        *out = b->input / b->target;
    } else {
        return false;
    }
    return true;
}

/* A target of known dims: it fits if the symbols left over in the input can make up for the rest.
 */
static bool may_equal(const struct balance *b) {
    if (!b->input_symbols || b->input == 0)
        return b->input == b->target;
    return b->target % b->input == 0;
}

static neuromc_status settle(struct nmc_infer *infer, struct nmc_node *node,
                             const struct nmc_shape *from, int rank, nmc_dim *target) {
    struct balance b;
    bool solved = true;
    if (!weigh(from, rank, target, &b))
        return nmc_node_error(infer, node, NULL, "the number of elements of %s overflows",
                              nmc_shape_text(infer->net, from));
    if (b.open >= 0 && b.target_symbols)
        target[b.open] = nmc_unknown(infer, node);
    else if (b.open >= 0)
        solved = solve(infer, node, &b, &target[b.open]);
    else if (b.target_symbols == 1)
        solved = solve(infer, node, &b, &target[b.place]);
    else if (!b.target_symbols)
        solved = may_equal(&b);
    return solved ? NEUROMC_OK : mismatch(infer, node, from, rank, target);
}

/* The dims a target asks for, zeros copied. With an input of unknown rank what is copied or left
 * open stays unknown. */
static neuromc_status read_target(struct nmc_infer *infer, struct nmc_node *node,
                                  const struct nmc_shape *from, const struct nmc_list *list,
                                  bool allowzero, nmc_dim *target) {
    int open = 0;
    for (int i = 0; i < list->count; i++) {
        nmc_dim d = list->values[i];
        if (nmc_dim_known(d) && d < -1)
            return nmc_node_error(infer, node, NULL, "target size %lld is negative", (long long)d);
        if (d == 0 && !allowzero) {
            if (from && i >= from->rank)
                return nmc_node_error(infer, node, NULL,
                                      "target axis %d copies the input's, which has %d axes", i,
                                      from->rank);
            d = from ? from->dims[i] : nmc_unknown(infer, node);
        }
        if (d == -1 && open++)
            return nmc_node_error(infer, node, NULL, "the target shape holds -1 twice");
        target[i] = d == -1 && !from ? nmc_unknown(infer, node) : d;
    }
    return NEUROMC_OK;
}

neuromc_status nmc_infer_reshape(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_tensor *input = nmc_in(node, 0);
    struct nmc_list list;
    int64_t allowzero;
    neuromc_status status = nmc_list(infer, node, "shape", 1, &list);
    if (status == NEUROMC_OK)
        status = nmc_attr_int(infer, node, "allowzero", 0, &allowzero);
    if (status != NEUROMC_OK || !input)
        return status;
    nmc_out_type(node, 0, input->type);
    if (list.count > NMC_LIMIT_RANK)
        return nmc_node_error(infer, node, NULL, "a shape of %lld axes; the limit is %d",
                              (long long)list.count, NMC_LIMIT_RANK);
    if (list.count < 0)
        return NEUROMC_OK;
    if (!list.values)
        return nmc_out_rank(infer, node, 0, input->type, (int)list.count);
    nmc_dim target[NMC_LIMIT_RANK] = {0};
    const struct nmc_shape *from = nmc_in_shape(node, 0);
    status = read_target(infer, node, from, &list, allowzero != 0, target);
    if (status == NEUROMC_OK && from)
        status = settle(infer, node, from, (int)list.count, target);
    if (status != NEUROMC_OK)
        return status;
    return nmc_out(infer, node, 0, input->type, (int)list.count, target);
}
