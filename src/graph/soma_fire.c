/*
 * soma_fire.c - where spikes leave the neurons: for the next layer, a stack of steps, an output.
 *
 * Spikes that only meet their own potential again do not count: they reset it, or they are the
 * mask of a smooth function. If none leave, those of a reset whose potential lives on do.
 */
#include "graph/soma_find.h"

enum { NEAR = 32 }; /* nodes looked at upstream of an operand */

static bool is_in_region(struct nmc_finder *f, const struct nmc_node *node) {
    return node->output_count > 0 && nmc_region_item(f, node->outputs[0]);
}

/* Whether the region's potential flows into a tensor elementwise. */
static bool holds_potential(struct nmc_finder *f, const struct nmc_tensor *tensor, int *left) {
    const struct nmc_item *item = nmc_region_item(f, tensor);
    if (item)
        return !item->spikes;
    const struct nmc_node *node = tensor->producer;
    enum nmc_part part = node ? (enum nmc_part)f->part[node->id] : NMC_PART_NONE;
    if (part == NMC_PART_NONE || nmc_part_fires(part) || tensor->is_constant || (*left)-- <= 0)
        return false;
    for (int i = 0; i < node->input_count; i++)
        if (node->inputs[i] && holds_potential(f, node->inputs[i], left))
            return true;
    return false;
}

/* A node outside the region that brings spikes and potential of the same neurons together. */
static bool meets_potential(struct nmc_finder *f, const struct nmc_node *node,
                            const struct nmc_tensor *spikes) {
    enum nmc_part part = (enum nmc_part)f->part[node->id];
    int left = NEAR;
    if (part == NMC_PART_NONE || part == NMC_PART_VIEW)
        return false;
    for (int i = 0; i < node->input_count; i++)
        if (node->inputs[i] && node->inputs[i] != spikes &&
            holds_potential(f, node->inputs[i], &left))
            return true;
    f->looks -= NEAR - left;
    return false;
}

/* Conditions of loops and masks for other comparisons are no spikes. */
static bool takes_booleans(const struct nmc_finder *f, const struct nmc_node *node) {
    enum nmc_part part = (enum nmc_part)f->part[node->id];
    return part == NMC_PART_CHOICE || part == NMC_PART_LOGIC;
}

static bool spikes_leave(struct nmc_finder *f, const struct nmc_item *item) {
    const struct nmc_tensor *t = item->tensor;
    bool boolean = nmc_elem_kind(t->type) == 'b';
    if (f->is_result[t->id] && !boolean)
        return true;
    for (int c = 0; c < t->consumer_count; c++) {
        const struct nmc_node *node = t->consumers[c];
        if (is_in_region(f, node) || (boolean && !takes_booleans(f, node)))
            continue;
        if (!meets_potential(f, node, t))
            return true;
    }
    return false;
}

bool nmc_item_leaves(struct nmc_finder *f, const struct nmc_item *item) {
    if (f->is_result[item->tensor->id] || item->tensor->consumer_count == 0)
        return true;
    for (int c = 0; c < item->tensor->consumer_count; c++)
        if (!is_in_region(f, item->tensor->consumers[c]))
            return true;
    return false;
}

/* The only tensor of the region that a node reads. */
static struct nmc_item *only_input(struct nmc_finder *f, const struct nmc_item *item) {
    struct nmc_item *only = NULL;
    for (int i = 0; item->node && i < item->node->input_count; i++) {
        struct nmc_item *input = nmc_region_item(f, item->node->inputs[i]);
        if (input && only)
            return NULL;
        only = input ? input : only;
    }
    return only;
}

/* Back over scaling and casts to where the spikes are made. */
static struct nmc_item *source_of(struct nmc_finder *f, struct nmc_item *item) {
    for (;;) {
        struct nmc_item *before = only_input(f, item);
        if (!before || !before->spikes || nmc_elem_kind(before->tensor->type) == 'b' ||
            (nmc_span_is_binary(item->span) && !nmc_span_is_binary(before->span)))
            return item;
        item = before;
    }
}

static bool comes_before(const struct nmc_finder *f, const struct nmc_item *a,
                         const struct nmc_item *b) {
    return !b || f->place[a->node->id] < f->place[b->node->id];
}

struct nmc_item *nmc_spikes_leave(struct nmc_finder *f) {
    struct nmc_item *first = NULL;
    for (int i = 0; i < f->region.count; i++) {
        struct nmc_item *item = &f->region.items[i];
        if (item->node && item->spikes && item->sense >= 0 && comes_before(f, item, first) &&
            spikes_leave(f, item))
            first = item;
    }
    return first ? source_of(f, first) : NULL;
}

struct nmc_item *nmc_spikes_reset(struct nmc_finder *f) {
    struct nmc_item *first = NULL;
    bool lives_on = false;
    for (int i = 0; i < f->region.count; i++) {
        struct nmc_item *item = &f->region.items[i];
        lives_on |= item->reset && nmc_item_leaves(f, item);
        if (item->node && item->spikes && item->sense > 0 && nmc_span_is_binary(item->span) &&
            comes_before(f, item, first))
            first = item;
    }
    return lives_on ? first : NULL;
}
