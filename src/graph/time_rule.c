/*
 * time_rule.c - the time axis through one operator. Every rule is a relation between a tensor
 * with one layout and its neighbour, told apart by shapes alone, so that it can be read both
 * ways.
 */
#include "graph/time_rule.h"

#include <string.h>

#include "base/checked.h"
#include "graph/infer.h"
#include "graph/ops.h"

static const struct nmc_timing unknown;

static struct nmc_timing timing(enum nmc_time time, int64_t steps) {
    bool several = time == NMC_TIME_SPLIT || time == NMC_TIME_MERGED;
    return (struct nmc_timing){time, several ? steps : 0};
}

static bool is_known(const struct nmc_tensor *tensor) {
    return tensor && nmc_shape_known(&tensor->shape);
}

static int64_t size(const struct nmc_tensor *tensor, int axis) {
    return axis < tensor->shape.rank ? tensor->shape.dims[axis] : 1;
}

/* Axes from `from` on are those of the other tensor from `other_from` on. */
static bool same_rest(const struct nmc_tensor *a, int from, const struct nmc_tensor *b,
                      int other_from) {
    if (a->shape.rank - from != b->shape.rank - other_from || a->shape.rank < from)
        return false;
    for (int i = from; i < a->shape.rank; i++)
        if (a->shape.dims[i] != b->shape.dims[i - from + other_from])
            return false;
    return true;
}

/* ---- reshaping ---- */

/* [T, B, rest] under another shape: first two axes merged, or kept. */
static struct nmc_timing reshaped_split(struct nmc_timing t, const struct nmc_tensor *from,
                                        const struct nmc_tensor *to) {
    int64_t lead, batch = size(from, 1);
    bool merged = nmc_mul(t.steps, batch, &lead) && size(to, 0) == lead;
    bool kept = to->shape.rank > 1 && size(to, 0) == t.steps && size(to, 1) == batch;
    if (merged && same_rest(from, 2, to, 1))
        return timing(NMC_TIME_MERGED, t.steps);
    if (kept)
        return t;
    return merged ? timing(NMC_TIME_MERGED, t.steps) : unknown;
}

static struct nmc_timing reshaped_merged(struct nmc_timing t, const struct nmc_tensor *from,
                                         const struct nmc_tensor *to) {
    int64_t lead = size(from, 0), batch = lead / t.steps;
    bool split = to->shape.rank > 1 && size(to, 0) == t.steps && size(to, 1) == batch;
    bool kept = size(to, 0) == lead;
    if (kept && same_rest(from, 1, to, 1))
        return t;
    if (split && (same_rest(from, 1, to, 2) || to->shape.rank > 2 || !kept))
        return timing(NMC_TIME_SPLIT, t.steps);
    return kept ? t : unknown;
}

static struct nmc_timing reshaped_unit(struct nmc_timing t, const struct nmc_tensor *from,
                                       const struct nmc_tensor *to) {
    bool dropped =
        same_rest(from, 1, to, 0) || size(to, 0) != 1 || to->shape.rank < from->shape.rank;
    return dropped ? timing(NMC_TIME_STEP, 0) : t;
}

static struct nmc_timing reshaped(struct nmc_timing t, const struct nmc_tensor *from,
                                  const struct nmc_tensor *to) {
    switch (t.time) {
    case NMC_TIME_SPLIT: return reshaped_split(t, from, to);
    case NMC_TIME_MERGED: return reshaped_merged(t, from, to);
    case NMC_TIME_UNIT: return reshaped_unit(t, from, to);
    case NMC_TIME_STEP:
        return same_rest(from, 0, to, 1) && size(to, 0) == 1 ? timing(NMC_TIME_UNIT, 0) : t;
    case NMC_TIME_UNKNOWN: break;
    }
    return unknown;
}

/* ---- a part of axis 0, or several parts put together ---- */

/* One of the steps in `all`. */
static struct nmc_timing part_of(struct nmc_timing all, const struct nmc_tensor *whole,
                                 const struct nmc_tensor *part) {
    bool one_step = all.time == NMC_TIME_SPLIT && size(part, 0) == 1;
    bool one_batch = all.time == NMC_TIME_MERGED && size(part, 0) * all.steps == size(whole, 0);
    if (one_step)
        return timing(NMC_TIME_UNIT, 0);
    return one_batch ? timing(NMC_TIME_STEP, 0) : unknown;
}

/* What holds a step as one of its parts. */
static struct nmc_timing whole_of(struct nmc_timing part, const struct nmc_tensor *one,
                                  const struct nmc_tensor *whole) {
    int64_t length = size(one, 0);
    if (length < 1 || size(whole, 0) <= length || size(whole, 0) % length)
        return unknown;
    int64_t parts = size(whole, 0) / length;
    if (part.time == NMC_TIME_UNIT)
        return timing(NMC_TIME_SPLIT, parts);
    return part.time == NMC_TIME_STEP ? timing(NMC_TIME_MERGED, parts) : unknown;
}

/* A step without its axis and the sequence it is gathered from, or the stack of all. */
static struct nmc_timing step_of(struct nmc_timing all) {
    return all.time == NMC_TIME_SPLIT ? timing(NMC_TIME_STEP, 0) : unknown;
}

static struct nmc_timing sequence_of(struct nmc_timing step, const struct nmc_tensor *sequence) {
    return step.time == NMC_TIME_STEP ? timing(NMC_TIME_SPLIT, size(sequence, 0)) : unknown;
}

/* ---- which rule ---- */

enum rule {
    RULE_NONE,
    RULE_LEAD, /* axis 0 stays, if both have the same size there */
    RULE_RESHAPE,
    RULE_PART,    /* of axis 0 */
    RULE_GATHER,  /* one step of axis 0, which goes */
    RULE_JOIN,    /* along axis 0 */
    RULE_REPEAT,  /* along axis 0 */
    RULE_REDUCE,  /* over axis 0, which goes */
    RULE_ELEMENT, /* of a sequence: the sequence has the layout of its elements */
    RULE_STACK    /* a sequence along a new axis 0 */
};

static int64_t axis_of(const struct nmc_node *node, int64_t absent, int rank) {
    const struct nmc_attr *attr = nmc_attr_find(node, "axis");
    int64_t axis = attr && attr->kind == NMC_ATTR_INT ? attr->i : absent;
    return axis < 0 ? axis + rank : axis;
}

static bool is(const struct nmc_node *node, const char *const *names) {
    for (; *names; names++)
        if (nmc_node_is(node, *names))
            return true;
    return false;
}

static bool keeps_axis_0(const struct nmc_node *node) {
    const struct nmc_attr *perm = nmc_attr_find(node, "perm");
    return perm && perm->kind == NMC_ATTR_INTS && perm->count > 0 && perm->ints[0] == 0;
}

static bool is_set(const struct nmc_node *node, const char *name) {
    const struct nmc_attr *attr = nmc_attr_find(node, name);
    return attr && attr->kind == NMC_ATTR_INT && attr->i != 0;
}

static enum rule gather_rule(const struct nmc_node *node) {
    const struct nmc_tensor *data = nmc_in(node, 0), *index = nmc_in(node, 1);
    if (!index || axis_of(node, 0, data->shape.rank) != 0 || data->is_constant)
        return RULE_LEAD;
    if (index->shape.rank == 0)
        return RULE_GATHER;
    return index->shape.rank == 1 ? RULE_PART : RULE_NONE;
}

static enum rule repeat_rule(const struct nmc_tensor *from, const struct nmc_tensor *to) {
    bool repeats = to->shape.rank > from->shape.rank || size(to, 0) != size(from, 0);
    return repeats ? RULE_REPEAT : RULE_LEAD;
}

static enum rule rule_of(const struct nmc_node *node, const struct nmc_tensor *in,
                         const struct nmc_tensor *out) {
    static const char *const reshapes[] = {"Reshape", "Flatten", "Squeeze", "Unsqueeze", NULL};
    static const char *const parts[] = {"Slice", "Split", NULL};
    static const char *const sequences[] = {"SequenceInsert", "SequenceConstruct", "SequenceAt",
                                            "SequenceErase", NULL};
    if (is(node, reshapes))
        return RULE_RESHAPE;
    if (is(node, parts))
        return size(in, 0) == size(out, 0) ? RULE_LEAD : RULE_PART;
    if (is(node, sequences))
        return RULE_ELEMENT;
    if (nmc_node_is(node, "ConcatFromSequence"))
        return axis_of(node, 0, out->shape.rank) != 0 ? RULE_NONE
               : is_set(node, "new_axis")             ? RULE_STACK
                                                      : RULE_JOIN;
    if (nmc_node_is(node, "Concat"))
        return axis_of(node, 1, out->shape.rank) == 0 ? RULE_JOIN : RULE_LEAD;
    if (nmc_node_is(node, "Gather"))
        return gather_rule(node);
    if (nmc_node_is(node, "Tile") || nmc_node_is(node, "Expand"))
        return repeat_rule(in, out);
    if (nmc_node_is(node, "Transpose"))
        return keeps_axis_0(node) ? RULE_LEAD : RULE_NONE;
    if (strncmp(node->op_type, "Reduce", 6) == 0 && out->shape.rank < in->shape.rank)
        return same_rest(in, 1, out, 0) ? RULE_REDUCE : RULE_LEAD;
    if (node->op && (node->op->cost == NMC_COST_SHAPE || node->op->cost == NMC_COST_CONTROL))
        return RULE_NONE;
    return RULE_LEAD;
}

/* ---- which inputs ---- */

static bool is_elementwise(const struct nmc_node *node) {
    return node->op && (node->op->infer == nmc_infer_broadcast ||
                        node->op->infer == nmc_infer_compare || node->op->infer == nmc_infer_where);
}

/* Whether the input is an activation whose axis 0 the output has. */
static bool takes_part(const struct nmc_node *node, int index) {
    static const char *const joins[] = {"Concat", "SequenceConstruct", "SequenceInsert", NULL};
    const struct nmc_tensor *input = node->inputs[index];
    if (!is_known(input) || input->is_constant || input->shape.rank < 1)
        return false;
    enum nmc_work work = node->op ? node->op->work : NMC_WORK_NONE;
    if (work == NMC_WORK_GEMM)
        return index == 0 && !is_set(node, "transA");
    if (work == NMC_WORK_MATMUL)
        return index == 0 || (index == 1 && input->shape.rank > 2);
    if (nmc_node_is(node, "Gather") && node->inputs[0] && node->inputs[0]->is_constant)
        return index == 1;
    if (nmc_node_is(node, "ScatterND"))
        return index == 0 || index == 2;
    return index == 0 || is_elementwise(node) || is(node, joins);
}

/* ---- both ways ---- */

/* Broadcast against all steps, an operand without their axis is one step for each. */
static struct nmc_timing lead_up(struct nmc_timing t, const struct nmc_tensor *in,
                                 const struct nmc_tensor *out) {
    if (size(in, 0) == size(out, 0) && in->shape.rank >= out->shape.rank)
        return t;
    if (t.time == NMC_TIME_SPLIT && in->shape.rank == out->shape.rank && size(in, 0) == 1)
        return timing(NMC_TIME_UNIT, 0);
    if (t.time == NMC_TIME_SPLIT && in->shape.rank + 1 == out->shape.rank)
        return timing(NMC_TIME_STEP, 0);
    return size(in, 0) == size(out, 0) && in->shape.rank > 1 ? t : unknown;
}

static struct nmc_timing lead_down(const struct nmc_node *node, struct nmc_timing t,
                                   const struct nmc_tensor *in, const struct nmc_tensor *out) {
    bool repeated = is_elementwise(node) && in->shape.rank < out->shape.rank;
    return size(in, 0) == size(out, 0) && !repeated ? t : unknown;
}

/* Updates of a ScatterND are steps of what they are written into. */
static bool is_update(const struct nmc_node *node, int input) {
    return nmc_node_is(node, "ScatterND") && input == 2;
}

static bool updates_steps(const struct nmc_tensor *update, const struct nmc_tensor *all) {
    return size(update, 0) == 1 && same_rest(update, 1, all, 1);
}

struct nmc_timing nmc_time_down(const struct nmc_node *node, int input, int output) {
    const struct nmc_tensor *in = node->inputs[input], *out = node->outputs[output];
    if (!takes_part(node, input) || !is_known(out) || out->shape.rank < 1)
        return unknown;
    struct nmc_timing t = nmc_timing_of(in);
    if (is_update(node, input))
        return updates_steps(in, out) ? whole_of(t, in, out) : unknown;
    switch (rule_of(node, in, out)) {
    case RULE_LEAD: return lead_down(node, t, in, out);
    case RULE_RESHAPE: return reshaped(t, in, out);
    case RULE_PART: return part_of(t, in, out);
    case RULE_GATHER:
    case RULE_REDUCE: return step_of(t);
    case RULE_JOIN:
    case RULE_REPEAT:
        return out->shape.rank > in->shape.rank ? sequence_of(t, out) : whole_of(t, in, out);
    case RULE_ELEMENT: return t;
    case RULE_STACK: return sequence_of(t, out);
    case RULE_NONE: break;
    }
    return unknown;
}

struct nmc_timing nmc_time_up(const struct nmc_node *node, int output, int input) {
    const struct nmc_tensor *in = node->inputs[input], *out = node->outputs[output];
    if (!takes_part(node, input) || !is_known(out) || out->shape.rank < 1)
        return unknown;
    struct nmc_timing t = nmc_timing_of(out);
    if (is_update(node, input))
        return updates_steps(in, out) ? part_of(t, out, in) : unknown;
    switch (rule_of(node, in, out)) {
    case RULE_LEAD: return lead_up(t, in, out);
    case RULE_RESHAPE: return reshaped(t, out, in);
    case RULE_PART: return whole_of(t, out, in);
    case RULE_GATHER: return sequence_of(t, in);
    case RULE_JOIN:
    case RULE_REPEAT: return out->shape.rank > in->shape.rank ? step_of(t) : part_of(t, out, in);
    case RULE_ELEMENT: return t;
    case RULE_STACK: return step_of(t);
    case RULE_REDUCE:
    case RULE_NONE: break;
    }
    return unknown;
}

bool nmc_time_creates(const struct nmc_node *node, struct nmc_timing *made) {
    bool repeats = nmc_node_is(node, "Tile") || nmc_node_is(node, "Expand");
    if (!repeats || !takes_part(node, 0) || !is_known(node->outputs[0]))
        return false;
    const struct nmc_tensor *in = node->inputs[0], *out = node->outputs[0];
    if (out->shape.rank == in->shape.rank + 1 && same_rest(in, 0, out, 1))
        *made = timing(NMC_TIME_SPLIT, size(out, 0));
    else if (size(in, 0) == 1 && in->shape.rank > 2 && same_rest(in, 1, out, 1))
        *made = timing(NMC_TIME_SPLIT, size(out, 0));
    else if (size(in, 0) > 0 && size(out, 0) > size(in, 0) && same_rest(in, 1, out, 1) &&
             size(out, 0) % size(in, 0) == 0)
        *made = timing(NMC_TIME_MERGED, size(out, 0) / size(in, 0));
    else
        return false;
    return made->steps > 1;
}
