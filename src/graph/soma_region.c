/*
 * soma_region.c - what follows from a potential: every elementwise operator downstream that
 * depends on these neurons and on constants alone.
 *
 * A tensor of the region is a potential, or spikes if it depends on the potential by firing
 * alone. The region ends where a tensor meets another: there spikes leave, or the potential joins
 * the next step's current.
 */
#include "graph/soma_find.h"

struct nmc_item *nmc_region_item(struct nmc_finder *f, const struct nmc_tensor *tensor) {
    return tensor && f->listed[tensor->id] == f->listing ? &f->region.items[f->item_of[tensor->id]]
                                                         : NULL;
}

/* The same at every step, and known beforehand. */
static bool is_fixed(const struct nmc_finder *f, const struct nmc_tensor *tensor) {
    return tensor->is_constant || (f->traced[tensor->id] == f->round && f->flags[tensor->id] == 0);
}

static void clear(struct nmc_finder *f) {
    f->listing++;
    f->region.count = 0;
}

static void add(struct nmc_finder *f, struct nmc_item item) {
    struct nmc_region *r = &f->region;
    if (!item.tensor || nmc_region_item(f, item.tensor) || r->count == NMC_LIMIT_SOMA_NODES)
        return;
    f->listed[item.tensor->id] = f->listing;
    f->item_of[item.tensor->id] = r->count;
    r->items[r->count++] = item;
}

/* ---- what a node makes of potential and spikes ---- */

enum { MOST_INPUTS = 8 };

struct inputs {
    struct nmc_item *items[MOST_INPUTS]; /* NULL: fixed, absent or foreign */
    struct nmc_span spans[MOST_INPUTS];
    int count;
    bool foreign; /* one is neither of the region nor fixed */
};

static bool well_formed(enum nmc_part part, const struct inputs *in) {
    switch (part) {
    case NMC_PART_DIFFERENCE:
    case NMC_PART_SCALE: return in->count == 2;
    case NMC_PART_CHOICE: return in->count == 3;
    default: return in->count >= 1;
    }
}

/* Where with its condition, Clip with its bounds; a longer Sum is not a neuron's. */
static bool read_inputs(struct nmc_finder *f, const struct nmc_node *node, enum nmc_part part,
                        struct inputs *in) {
    bool first_alone = part == NMC_PART_VIEW || part == NMC_PART_CAST || part == NMC_PART_STEP;
    *in = (struct inputs){.count = first_alone ? 1 : node->input_count};
    if (in->count > MOST_INPUTS)
        return false;
    for (int i = 0; i < in->count; i++) {
        const struct nmc_tensor *tensor = node->inputs[i];
        if (!tensor)
            continue;
        in->items[i] = nmc_region_item(f, tensor);
        in->spans[i] = in->items[i] ? in->items[i]->span : nmc_span_of(tensor);
        in->foreign |= !in->items[i] && !is_fixed(f, tensor);
    }
    return well_formed(part, in);
}

/* Spikes meet a constant in the shape of a state: other neurons, right behind these. */
static bool starts_others(const struct nmc_node *node, enum nmc_part part,
                          const struct inputs *in) {
    bool full;
    if ((part != NMC_PART_SUM && part != NMC_PART_DIFFERENCE) || in->count != 2)
        return false;
    for (int i = 0; i < 2; i++)
        if (!in->items[i] && in->items[1 - i] && in->items[1 - i]->spikes &&
            nmc_state_constant(node->inputs[i], node->outputs[0], &full))
            return full || part == NMC_PART_SUM;
    return false;
}

/* The potential that was reset meets what it was before again: the current of the next step. */
static bool starts_next_step(enum nmc_part part, const struct inputs *in) {
    if ((part != NMC_PART_SUM && part != NMC_PART_DIFFERENCE) || in->count != 2)
        return false;
    for (int i = 0; i < 2; i++)
        if (in->items[i] && !in->items[i]->node && in->items[1 - i] && in->items[1 - i]->reset)
            return true;
    return false;
}

static bool depends_on_potential(const struct inputs *in) {
    for (int i = 0; i < in->count; i++)
        if (in->items[i] && !in->items[i]->spikes)
            return true;
    return false;
}

static int sense_of(const struct inputs *in, int i) {
    return in->items[i] ? in->items[i]->sense : 0;
}

static int joint_sense(int a, int b) {
    return a == 0 ? b : b == 0 || a == b ? a : 0;
}

static int flipped(int sense, bool flip) {
    return flip ? -sense : sense;
}

/* How the output moves when the neurons fire, or, of a potential, when it grows. */
static int sense_through(enum nmc_part part, const struct inputs *in) {
    switch (part) {
    case NMC_PART_SUM:
    case NMC_PART_LOGIC:
    case NMC_PART_LIMIT:
        if (in->count < 2)
            return sense_of(in, 0);
        return joint_sense(sense_of(in, 0), sense_of(in, 1));
    case NMC_PART_SCALE: {
        bool negative =
            (!in->items[0] && in->spans[0].hi < 0) || (!in->items[1] && in->spans[1].hi < 0);
        return flipped(joint_sense(sense_of(in, 0), sense_of(in, 1)), negative);
    }
    case NMC_PART_DIFFERENCE:
    case NMC_PART_ABOVE:
        if (in->count < 2)
            return sense_of(in, 0);
        return joint_sense(sense_of(in, 0), flipped(sense_of(in, 1), true));
    case NMC_PART_BELOW: return joint_sense(flipped(sense_of(in, 0), true), sense_of(in, 1));
    case NMC_PART_NEGATION: return flipped(sense_of(in, 0), true);
    case NMC_PART_CHOICE:
        if (in->items[1] || in->items[2])
            return 0;
        return flipped(sense_of(in, 0), in->spans[1].hi < in->spans[2].lo);
    default: return sense_of(in, 0);
    }
}

/* ---- resets ---- */

static bool is_potential(const struct nmc_item *item) {
    return item && !item->spikes && !item->shaped && !item->gated;
}

static bool pulls(const struct nmc_item *item, int sense) {
    return item && (item->spikes || item->gated) && item->sense == sense;
}

/* Where(h > 6, 6, h) is a bound, not a reset. */
static bool is_threshold(const struct nmc_item *fired, struct nmc_span value) {
    const struct nmc_node *node = fired->node;
    for (int i = 0; node && i < node->input_count; i++) {
        struct nmc_span bound = node->inputs[i] ? nmc_span_of(node->inputs[i]) : value;
        if (node->inputs[i] && bound.lo == bound.hi && bound.lo == value.lo && value.lo == value.hi)
            return true;
    }
    return false;
}

/* Where(fired, low, potential) */
static bool chooses_reset(const struct inputs *in) {
    int fired = sense_of(in, 0) > 0 ? 1 : 2, kept = 3 - fired;
    return in->items[0] && in->items[0]->spikes && sense_of(in, 0) != 0 && !in->items[fired] &&
           is_potential(in->items[kept]) && !is_threshold(in->items[0], in->spans[fired]);
}

/* (1 - s) h; h - s c; h - s h */
static bool resets(enum nmc_part part, const struct inputs *in) {
    for (int i = 0; i < 2 && in->count == 2; i++) {
        const struct nmc_item *other = in->items[1 - i];
        if (!is_potential(in->items[i]))
            continue;
        if (part == NMC_PART_SCALE && other && other->spikes && other->sense < 0)
            return true;
        if (part == NMC_PART_SUM && pulls(other, -1))
            return true;
        if (part == NMC_PART_DIFFERENCE && i == 0 && pulls(other, 1))
            return true;
    }
    return part == NMC_PART_CHOICE && chooses_reset(in);
}

static void set_potential(struct nmc_item *item, enum nmc_part part, const struct inputs *in) {
    bool spikes = false, bent = part == NMC_PART_FUNCTION, gated = false;
    for (int i = 0; i < in->count; i++) {
        spikes |= in->items[i] && in->items[i]->spikes;
        bent |= in->items[i] && in->items[i]->shaped;
        gated |= in->items[i] && in->items[i]->gated;
        item->reset |= in->items[i] && in->items[i]->reset;
    }
    bool reset = resets(part, in);
    item->reset |= reset;
    item->shaped = bent;
    item->gated = !reset && (gated || (spikes && part == NMC_PART_SCALE));
    if (item->gated) {
        for (int i = 0; i < in->count; i++)
            if (pulls(in->items[i], 1) || pulls(in->items[i], -1))
                item->sense = in->items[i]->sense;
    } else if (item->sense == 0 || reset) {
        item->sense = 1;
    }
}

/* ---- growing ---- */

static struct nmc_item make_item(struct nmc_node *node, enum nmc_part part,
                                 const struct inputs *in) {
    struct nmc_item item = {.tensor = node->outputs[0], .node = node};
    item.spikes = nmc_part_fires(part) || !(in->foreign || depends_on_potential(in));
    item.span = nmc_span_through(node, part, in->spans, in->count);
    item.sense = sense_through(part, in);
    if (!item.spikes)
        set_potential(&item, part, in);
    return item;
}

static void start(struct nmc_finder *f, struct nmc_tensor *potential) {
    add(f, (struct nmc_item){.tensor = potential, .sense = 1, .span = nmc_span_of(potential)});
}

/* A second state of the same neurons, which only holds spikes back: Greater(refractory, 0). True
 * if the tensor is part of the region now. */
static bool adopt(struct nmc_finder *f, struct nmc_tensor *tensor, int *left) {
    struct nmc_node *node = tensor->producer;
    struct inputs in;
    if (is_fixed(f, tensor) || nmc_region_item(f, tensor))
        return true;
    if (!node && nmc_is_own_state(f, tensor))
        start(f, tensor);
    if (!node || node->soma || f->soma_of[tensor->id] || f->part[node->id] == NMC_PART_NONE ||
        (*left)-- <= 0)
        return nmc_region_item(f, tensor);
    for (int i = 0; i < node->input_count; i++)
        if (node->inputs[i] && !adopt(f, node->inputs[i], left))
            return false;
    enum nmc_part part = (enum nmc_part)f->part[node->id];
    if (read_inputs(f, node, part, &in) && !in.foreign)
        add(f, make_item(node, part, &in));
    return nmc_region_item(f, tensor);
}

/* Spikes times a mask. */
static bool adopt_mask(struct nmc_finder *f, const struct nmc_node *node, enum nmc_part part,
                       struct inputs *in) {
    enum { MOST_NODES = 16 };
    bool spikes = false;
    if ((part != NMC_PART_SCALE && part != NMC_PART_LOGIC) || in->count != 2)
        return false;
    for (int i = 0; i < 2; i++)
        spikes |= in->items[i] && in->items[i]->spikes;
    for (int i = 0; spikes && i < 2; i++) {
        int left = MOST_NODES;
        if (!adopt(f, node->inputs[i], &left))
            return false;
    }
    return read_inputs(f, node, part, in) && !in->foreign && !depends_on_potential(in);
}

static void try_node(struct nmc_finder *f, struct nmc_node *node) {
    enum nmc_part part = (enum nmc_part)f->part[node->id];
    struct inputs in;
    if (part == NMC_PART_NONE || node->soma || nmc_region_item(f, node->outputs[0]) ||
        !read_inputs(f, node, part, &in) || starts_others(node, part, &in) ||
        starts_next_step(part, &in))
        return;
    if (in.foreign && !adopt_mask(f, node, part, &in))
        return;
    struct nmc_item item = make_item(node, part, &in);
    bool goes_elsewhere = item.spikes && part == NMC_PART_VIEW && !nmc_node_is(node, "Identity");
    if (!goes_elsewhere)
        add(f, item);
}

static void grow(struct nmc_finder *f) {
    for (int i = 0; i < f->region.count; i++) {
        const struct nmc_tensor *tensor = f->region.items[i].tensor;
        for (int c = 0; c < tensor->consumer_count && f->looks > 0; c++) {
            struct nmc_node *node = tensor->consumers[c];
            f->looks--;
            if (node->graph == tensor->graph)
                try_node(f, node);
        }
    }
}

void nmc_region_from(struct nmc_finder *f, struct nmc_tensor *potential) {
    clear(f);
    start(f, potential);
    grow(f);
}

/* A potential grows with its current, however the state before enters. */
static bool joins(enum nmc_part part, const struct inputs *in) {
    int open = in->foreign;
    for (int i = 0; i < in->count; i++)
        open += in->items[i] != NULL;
    return (part == NMC_PART_SUM || part == NMC_PART_DIFFERENCE) && open > 1;
}

void nmc_region_from_trace(struct nmc_finder *f) {
    const struct nmc_trace *t = &f->trace;
    struct inputs in;
    clear(f);
    for (int i = 0; i < t->leaf_count; i++)
        if (f->flags[t->leaves[i]->id] & NMC_TRACE_STATE && !f->soma_of[t->leaves[i]->id])
            start(f, t->leaves[i]);
    for (int n = 0; n < t->node_count; n++) {
        struct nmc_node *node = t->nodes[n];
        enum nmc_part part = (enum nmc_part)f->part[node->id];
        unsigned flags = nmc_trace_flags(f, node->outputs[0]);
        if (!(flags & NMC_TRACE_STATE) || !read_inputs(f, node, part, &in))
            continue;
        struct nmc_item item = make_item(node, part, &in);
        if (joins(part, &in) && !item.spikes)
            item.sense = 1;
        add(f, item);
    }
    grow(f);
}
