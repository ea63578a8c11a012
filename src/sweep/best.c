#include "sweep/best.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static bool is_worse(const struct nmc_best *a, const struct nmc_best *b) {
    return a->values[0] != b->values[0] ? a->values[0] > b->values[0] : a->index > b->index;
}

static void sift_up(struct nmc_top *top, size_t at) {
    struct nmc_best point = top->items[at];
    for (size_t parent; at > 0 && is_worse(&point, &top->items[parent = (at - 1) / 2]); at = parent)
        top->items[at] = top->items[parent];
    top->items[at] = point;
}

static void sift_down(struct nmc_top *top) {
    struct nmc_best point = top->items[0];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child + 1 < top->count && is_worse(&top->items[child + 1], &top->items[child]))
            child++;
        if (child >= top->count || !is_worse(&top->items[child], &point))
            break;
        top->items[at] = top->items[child];
        at = child;
    }
    top->items[at] = point;
}

bool nmc_top_offer(struct nmc_top *top, const struct nmc_best *point) {
    if (!top->wanted)
        return true;
    if (top->count == top->wanted) {
        if (is_worse(&top->items[0], point)) {
            top->items[0] = *point;
            sift_down(top);
        }
        return true;
    }
    if (!nmc_grow(&top->items, &top->capacity, top->count + 1, sizeof *top->items))
        return false;
    top->items[top->count++] = *point;
    sift_up(top, top->count - 1);
    return true;
}

static int by_value(const void *a, const void *b) {
    return is_worse(a, b) ? 1 : is_worse(b, a) ? -1 : 0;
}

void nmc_top_sort(struct nmc_top *top) {
    if (top->count)
        qsort(top->items, top->count, sizeof *top->items, by_value);
}
