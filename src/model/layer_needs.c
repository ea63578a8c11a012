/*
 * layer_needs.c - shapes that work needs and that are not known: which dim of which input is not
 * bound, or which node lost the shape. Each reason is told once.
 */
#include "base/memory.h"
#include "model/layering.h"

enum { MOST_NAMED = 8 };

/* Upstream of a node with an input of unknown rank, the node that lost it. */
static const struct nmc_node *upstream(const struct nmc_node *node) {
    for (int steps = 0; node && steps < 100000; steps++) {
        const struct nmc_node *before = NULL;
        for (int i = 0; i < node->input_count && !before; i++)
            if (node->inputs[i] && node->inputs[i]->shape.rank < 0)
                before = node->inputs[i]->producer;
        if (!before)
            break;
        node = before;
    }
    return node;
}

/* The entry of a reason; *is_new if it was not met before. NULL when memory runs out. */
static struct nmc_open_shape *find(struct nmc_layering *l, nmc_dim symbol,
                                   const struct nmc_node *lost, bool *is_new) {
    *is_new = false;
    for (size_t i = 0; i < l->open_count; i++)
        if (l->open_shapes[i].symbol == symbol && l->open_shapes[i].lost_at == lost)
            return &l->open_shapes[i];
    if (!nmc_grow(&l->open_shapes, &l->open_capacity, l->open_count + 1, sizeof *l->open_shapes))
        return NULL;
    *is_new = true;
    struct nmc_open_shape *open = &l->open_shapes[l->open_count++];
    *open = (struct nmc_open_shape){.symbol = symbol, .lost_at = lost, .more = ""};
    return open;
}

/* True if the node is the first that waits for this reason, so that it must be told. */
static bool hold_back(struct nmc_layering *l, struct nmc_node *node, nmc_dim symbol,
                      const struct nmc_node *lost) {
    bool is_new;
    struct nmc_open_shape *open = find(l, symbol, lost, &is_new);
    if (!open) {
        l->status = nmc_out_of_memory(l->diags);
        return false;
    }
    open->nodes++;
    if (!is_new && open->nodes <= MOST_NAMED + 1) {
        const char *more = nmc_arena_printf(&l->net->arena, "%s%s%s", open->more,
                                            *open->more ? ", " : "", nmc_node_label(l->net, node));
        open->more = more ? more : open->more;
    }
    return is_new;
}

static void tell_symbol(struct nmc_layering *l, struct nmc_node *node, const char *what,
                        const struct nmc_symbol *symbol) {
    struct nmc_arena *arena = &l->net->arena;
    const char *name = symbol->name ? symbol->name : "?", *hint, *origin = "";
    if (!symbol->name && symbol->input)
        name = nmc_arena_printf(arena, "%s:%d", symbol->input->name, symbol->axis);
    if (symbol->input)
        origin = nmc_arena_printf(arena, " (axis %d of input \"%s\")", symbol->axis,
                                  symbol->input->name);
    hint = nmc_arena_printf(arena, "bind it: --dim %s=1%s", name,
                            symbol->input && symbol->axis == 0 ? ", or --batch 1" : "");
    nmc_layer_fail(l, node, hint, "its %s needs dim \"%s\"%s, which is not bound", what, name,
                   origin ? origin : "");
}

static void unbound(struct nmc_layering *l, struct nmc_node *node, const char *what, nmc_dim d) {
    const struct nmc_symbol *symbol = &l->net->symbols[nmc_dim_id(d)];
    bool made = !symbol->name && !symbol->input && symbol->node;
    const struct nmc_node *lost = made ? upstream(symbol->node) : NULL;
    if (!hold_back(l, node, made ? 0 : d, lost))
        return;
    if (made)
        nmc_layer_fail(l, node, "name the shape in the file's value_info",
                       "the shape of its %s is not known: it depends on data or an operator not "
                       "known, %s",
                       what, nmc_node_label(l->net, lost));
    else
        tell_symbol(l, node, what, symbol);
}

static void unranked(struct nmc_layering *l, struct nmc_node *node, const char *what,
                     const struct nmc_tensor *tensor) {
    const struct nmc_node *lost = upstream(tensor->producer);
    if (!hold_back(l, node, 0, lost))
        return;
    nmc_layer_fail(l, node, "name the shape in the file's value_info",
                   "the shape of its %s \"%s\" is not known%s%s", what, tensor->name,
                   lost ? ": it depends on data or an operator not known, " : "",
                   lost ? nmc_node_label(l->net, lost) : "");
}

bool nmc_layer_needs(struct nmc_layering *l, struct nmc_node *node, const struct nmc_tensor *tensor,
                     const char *what) {
    if (!tensor) {
        nmc_layer_fail(l, node, NULL, "its %s is missing", what);
        return false;
    }
    if (tensor->shape.rank < 0)
        unranked(l, node, what, tensor);
    for (int i = 0; i < tensor->shape.rank; i++)
        if (!nmc_dim_known(tensor->shape.dims[i])) {
            unbound(l, node, what, tensor->shape.dims[i]);
            return false;
        }
    return tensor->shape.rank >= 0;
}

void nmc_layer_tell_open_shapes(struct nmc_layering *l) {
    for (size_t i = 0; i < l->open_count; i++) {
        const struct nmc_open_shape *open = &l->open_shapes[i];
        int further = open->nodes - 1;
        if (further > 0)
            nmc_note(l->diags, (struct nmc_place){.file = l->net->file},
                     "%d more node%s wait%s for the same: %s%s", further, further == 1 ? "" : "s",
                     further == 1 ? "s" : "", open->more, further > MOST_NAMED ? ", ..." : "");
    }
}
