/*
 * carry.c - handing values into and out of bodies, and the fixed point of carried values.
 *
 * A body is inferred on the initial shapes and values; every dim or element that its outputs do
 * not leave as it was becomes unknown, until nothing changes. Each can change once, so this ends;
 * a budget of node visits keeps nested loops from multiplying.
 */
#include "graph/infer/carry.h"

#include <string.h>

#include "base/checked.h"
#include "base/limits.h"

/* ---- bodies ---- */

neuromc_status nmc_body(struct nmc_infer *infer, const struct nmc_node *node, const char *name,
                        struct nmc_graph **out) {
    const struct nmc_attr *attr = nmc_attr_find(node, name);
    *out = attr && attr->graphs && attr->count > 0 ? attr->graphs[0] : NULL;
    return *out ? NEUROMC_OK : nmc_node_error(infer, node, NULL, "attribute %s is missing", name);
}

void nmc_mark_dead(struct nmc_graph *graph, bool dead) {
    for (int n = 0; n < graph->node_count; n++) {
        struct nmc_node *node = graph->nodes[n];
        node->dead = dead;
        for (int a = 0; a < node->attr_count; a++)
            for (int64_t g = 0; node->attrs[a].graphs && g < node->attrs[a].count; g++)
                nmc_mark_dead(node->attrs[a].graphs[g], dead);
    }
}

neuromc_status nmc_try_graph(struct nmc_infer *infer, struct nmc_graph *graph) {
    neuromc_diags *diags = infer->diags;
    infer->diags = NULL;
    infer->assuming++;
    neuromc_status status = nmc_infer_graph(infer, graph);
    infer->assuming--;
    infer->diags = diags;
    return status;
}

/* ---- handing over ---- */

void nmc_assign(struct nmc_infer *infer, struct nmc_tensor *to, const struct nmc_tensor *from) {
    if (!to || !from)
        return;
    if (from->type != NMC_ELEM_undefined)
        to->type = from->type;
    to->holds = from->holds;
    nmc_shape_set(infer->net, &to->shape, from->shape.rank, from->shape.dims);
    to->ints = from->ints;
    to->reals = from->reals;
    to->value_count = from->value_count;
    to->length = from->length;
    to->is_constant = from->is_constant;
}

void nmc_forget_values(struct nmc_tensor *tensor) {
    tensor->ints = NULL;
    tensor->reals = NULL;
    tensor->value_count = 0;
    tensor->is_constant = false;
}

void nmc_remove_axis(struct nmc_tensor *tensor, int axis) {
    struct nmc_shape *shape = &tensor->shape;
    if (axis >= shape->rank)
        return;
    for (int i = axis; i + 1 < shape->rank; i++)
        shape->dims[i] = shape->dims[i + 1];
    shape->rank--;
}

neuromc_status nmc_insert_axis(struct nmc_infer *infer, const struct nmc_node *node,
                               struct nmc_tensor *tensor, int axis, nmc_dim size) {
    nmc_dim dims[NMC_LIMIT_RANK];
    int rank = tensor->shape.rank;
    if (rank < 0)
        return NEUROMC_OK;
    if (rank + 1 > NMC_LIMIT_RANK)
        return nmc_node_error(infer, node, NULL, "its output would have more than %d axes",
                              NMC_LIMIT_RANK);
    for (int i = 0; i <= rank; i++)
        dims[i] = i == axis ? size : tensor->shape.dims[i - (i > axis)];
    return nmc_shape_set(infer->net, &tensor->shape, rank + 1, dims) ? NEUROMC_OK : NEUROMC_IO;
}

int nmc_truth(const struct nmc_tensor *tensor) {
    if (!tensor || !tensor->ints || tensor->value_count != 1 || !nmc_dim_known(tensor->ints[0]))
        return -1;
    return tensor->ints[0] != 0;
}

/* ---- meeting: what two values have in common ---- */

/* Made by this node, so already as open as can be. */
static bool is_open(const struct nmc_infer *infer, const struct nmc_node *node, nmc_dim d) {
    return !nmc_dim_known(d) && infer->net->symbols[nmc_dim_id(d)].node == node;
}

static bool meet_dims(struct nmc_infer *infer, const struct nmc_node *node, nmc_dim *dims,
                      const nmc_dim *others, int64_t count) {
    bool changed = false;
    for (int64_t i = 0; i < count; i++)
        if (dims[i] != others[i] && !is_open(infer, node, dims[i])) {
            dims[i] = nmc_unknown(infer, node);
            changed = true;
        }
    return changed;
}

static bool meet_shape(struct nmc_infer *infer, const struct nmc_node *node, struct nmc_tensor *to,
                       const struct nmc_tensor *from) {
    struct nmc_shape *shape = &to->shape;
    if (shape->rank < 0) {
        /* An empty sequence has elements of no shape yet. */
        if (to->holds != NMC_HOLDS_SEQUENCE || to->length != 0 || from->shape.rank < 0)
            return false;
        nmc_shape_set(infer->net, shape, from->shape.rank, from->shape.dims);
        return true;
    }
    if (shape->rank != from->shape.rank) {
        nmc_shape_set(infer->net, shape, -1, NULL);
        return true;
    }
    return meet_dims(infer, node, shape->dims, from->shape.dims, shape->rank);
}

static bool same_reals(const struct nmc_tensor *a, const struct nmc_tensor *b) {
    return b->reals && a->value_count == b->value_count &&
           memcmp(a->reals, b->reals, (size_t)a->value_count * sizeof *a->reals) == 0;
}

static bool meet_ints(struct nmc_infer *infer, const struct nmc_node *node, struct nmc_tensor *to,
                      const struct nmc_tensor *from) {
    size_t bytes = (size_t)to->value_count * sizeof *to->ints;
    if (!from->ints || from->value_count != to->value_count) {
        to->ints = NULL;
        return true;
    }
    if (memcmp(to->ints, from->ints, bytes) == 0)
        return false;
    /* The array may be shared with the initial value. */
    to->ints = nmc_arena_copy(&infer->net->arena, to->ints, bytes);
    return !to->ints || meet_dims(infer, node, to->ints, from->ints, to->value_count);
}

bool nmc_meet_values(struct nmc_infer *infer, const struct nmc_node *node, struct nmc_tensor *to,
                     const struct nmc_tensor *from) {
    bool changed = to->is_constant && !from->is_constant;
    to->is_constant &= from->is_constant;
    if (to->length >= 0 && to->length != from->length) {
        to->length = -1;
        changed = true;
    }
    if (to->reals && !same_reals(to, from)) {
        to->reals = NULL;
        changed = true;
    }
    if (to->ints)
        changed |= meet_ints(infer, node, to, from);
    return changed;
}

/* ---- loops ---- */

int64_t nmc_stated_trips(const struct nmc_infer *infer, const struct nmc_node *node) {
    for (size_t i = infer->options->trip_count; i-- > 0;)
        if (strcmp(infer->options->trips[i].name, node->name) == 0)
            return infer->options->trips[i].value;
    return -1;
}

neuromc_status nmc_check_trips(struct nmc_infer *infer, const struct nmc_node *node,
                               int64_t known) {
    int64_t stated = nmc_stated_trips(infer, node);
    if (stated < 0 || known < 0 || stated == known)
        return NEUROMC_OK;
    return nmc_error(infer->diags, NEUROMC_USAGE, nmc_node_place(infer->net, node),
                     "leave out --trip for this node",
                     "%lld trips stated, but the model makes %lld", (long long)stated,
                     (long long)known);
}

neuromc_status nmc_loop_check(struct nmc_infer *infer, const struct nmc_loop *loop, int inputs,
                              int outputs) {
    if (loop->body->input_count != inputs)
        return nmc_node_error(infer, loop->node, NULL, "its body has %d inputs, %d wanted",
                              loop->body->input_count, inputs);
    if (loop->body->output_count < outputs)
        return nmc_node_error(infer, loop->node, NULL, "its body has %d outputs, %d wanted",
                              loop->body->output_count, outputs);
    return NEUROMC_OK;
}

static struct nmc_tensor *carried(const struct nmc_loop *loop, int k) {
    return loop->body->inputs[loop->body_in + k];
}

void nmc_loop_start(struct nmc_infer *infer, const struct nmc_loop *loop) {
    nmc_mark_dead(loop->body, false);
    loop->node->body = loop->body;
    infer->remarks[loop->node->id] = 0;
    for (int i = 0; i < loop->body->input_count; i++)
        loop->body->inputs[i]->is_body_input = true;
    for (int k = 0; k < loop->count; k++)
        nmc_assign(infer, carried(loop, k), nmc_in(loop->node, loop->node_in + k));
}

static bool meet_all(struct nmc_infer *infer, const struct nmc_loop *loop) {
    bool changed = false;
    for (int k = 0; k < loop->count; k++) {
        const struct nmc_tensor *result = loop->body->outputs[loop->body_out + k];
        if (!result)
            continue;
        changed |= meet_shape(infer, loop->node, carried(loop, k), result);
        changed |= nmc_meet_values(infer, loop->node, carried(loop, k), result);
    }
    return changed;
}

/* Nothing is known of anything carried, however the loop goes. */
static void open_all(struct nmc_infer *infer, const struct nmc_loop *loop) {
    for (int k = 0; k < loop->count; k++) {
        nmc_shape_set(infer->net, &carried(loop, k)->shape, -1, NULL);
        nmc_forget_values(carried(loop, k));
    }
}

/* A sequence that a loop adds to is longer after each iteration by as much as after the first. */
static void note_growth(struct nmc_infer *infer, struct nmc_loop *loop) {
    loop->grown = nmc_arena_array(&infer->net->arena, (size_t)loop->count, sizeof *loop->grown);
    for (int k = 0; loop->grown && k < loop->count; k++) {
        const struct nmc_tensor *before = carried(loop, k);
        const struct nmc_tensor *after = loop->body->outputs[loop->body_out + k];
        bool both = after && before->length >= 0 && after->length >= before->length;
        loop->grown[k] = both ? after->length - before->length : -1;
    }
}

/* The length after all iterations, where the body itself cannot tell. */
static void grow(const struct nmc_loop *loop, int k, struct nmc_tensor *output) {
    const struct nmc_tensor *initial = nmc_in(loop->node, loop->node_in + k);
    int64_t added, length;
    if (output->holds != NMC_HOLDS_SEQUENCE || output->length >= 0 || !initial || !loop->grown ||
        initial->length < 0 || loop->grown[k] < 0 || loop->trips < 0)
        return;
    if (nmc_mul(loop->trips, loop->grown[k], &added) && nmc_add(initial->length, added, &length))
        output->length = length;
}

/* A change takes one round per carried item to pass through a delay line, and one per axis. */
static int most_rounds(const struct nmc_loop *loop) {
    int rank = 0;
    for (int k = 0; k < loop->count; k++)
        if (carried(loop, k)->shape.rank > rank)
            rank = carried(loop, k)->shape.rank;
    return rank + loop->count + 2;
}

neuromc_status nmc_loop_settle(struct nmc_infer *infer, struct nmc_loop *loop) {
    int rounds = most_rounds(loop);
    bool spent = infer->steps_left < 0 && loop->trips != 1;
    if (spent)
        open_all(infer, loop);
    neuromc_status status = nmc_infer_graph(infer, loop->body);
    if (spent)
        return status;
    note_growth(infer, loop);
    if (nmc_truth(loop->go_on) == 0)
        loop->trips = 1;
    if (loop->trips == 1)
        return status; /* the one round is exact */
    while (status == NEUROMC_OK && meet_all(infer, loop)) {
        bool last = rounds-- <= 0 || infer->steps_left < 0;
        if (last)
            open_all(infer, loop);
        status = nmc_infer_graph(infer, loop->body);
        if (last)
            break;
    }
    return status;
}

void nmc_loop_finish(struct nmc_infer *infer, const struct nmc_loop *loop) {
    for (int k = 0; k < loop->count && k < loop->node->output_count; k++) {
        struct nmc_tensor *output = loop->node->outputs[k];
        /* The carried tensor stands for the initial value too: it may never run. */
        nmc_assign(infer, output,
                   loop->trips > 0 ? loop->body->outputs[loop->body_out + k] : carried(loop, k));
        if (!output)
            continue;
        output->is_constant = false;
        grow(loop, k, output);
    }
}
