#include "sweep/best.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* ---- the first K ---- */

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

/* ---- the front ---- */

static bool at_least_as_good(const double *a, const double *b, int objectives) {
    for (int o = 0; o < objectives; o++)
        if (a[o] > b[o])
            return false;
    return true;
}

/* Of two objectives: the first member whose first value is above x. */
static size_t first_above(const struct nmc_front *front, double x) {
    size_t low = 0, high = front->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (front->items[middle].values[0] <= x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A member that is at least as good everywhere, or NULL. */
static struct nmc_best *find_better(const struct nmc_front *front, const double *values) {
    if (front->objectives == 2) {
        size_t above = first_above(front, values[0]);
        struct nmc_best *before = above ? &front->items[above - 1] : NULL;
        return before && before->values[1] <= values[1] ? before : NULL;
    }
    for (size_t i = 0; i < front->count; i++)
        if (at_least_as_good(front->items[i].values, values, front->objectives))
            return &front->items[i];
    return NULL;
}

bool nmc_front_covers(const struct nmc_front *front, const double *values) {
    return front->objectives == 0 || find_better(front, values);
}

static void remove_worse(struct nmc_front *front, const double *values) {
    size_t kept = 0;
    for (size_t i = 0; i < front->count; i++)
        if (!at_least_as_good(values, front->items[i].values, front->objectives))
            front->items[kept++] = front->items[i];
    front->count = kept;
}

/* Of two objectives, those that the point makes worse lie in one stretch. */
static size_t make_place(struct nmc_front *front, const struct nmc_best *point) {
    size_t from = first_above(front, point->values[0]), to = from;
    if (from > 0 && front->items[from - 1].values[0] == point->values[0])
        from--;
    while (to < front->count && front->items[to].values[1] >= point->values[1])
        to++;
    memmove(&front->items[from + 1], &front->items[to], (front->count - to) * sizeof *front->items);
    front->count -= to - from;
    return from;
}

static bool insert(struct nmc_front *front, const struct nmc_best *point) {
    if (!nmc_grow(&front->items, &front->capacity, front->count + 1, sizeof *front->items))
        return false;
    size_t at;
    if (front->objectives == 2) {
        at = make_place(front, point);
    } else {
        remove_worse(front, point->values);
        at = front->count;
    }
    front->items[at] = *point;
    front->count++;
    if (front->count > NMC_FRONT_CAP) {
        front->overflowed = true;
        front->count--;
    }
    return true;
}

bool nmc_front_offer(struct nmc_front *front, const struct nmc_best *point) {
    if (!front->objectives)
        return true;
    struct nmc_best *better = find_better(front, point->values);
    if (!better)
        return insert(front, point);
    if (point->index < better->index &&
        at_least_as_good(point->values, better->values, front->objectives))
        better->index = point->index;
    return true;
}

static _Thread_local int compared; /* objectives, for qsort */

static int by_objectives(const void *a, const void *b) {
    const struct nmc_best *x = a, *y = b;
    for (int o = 0; o < compared; o++)
        if (x->values[o] != y->values[o])
            return x->values[o] > y->values[o] ? 1 : -1;
    return (x->index > y->index) - (x->index < y->index);
}

void nmc_front_sort(struct nmc_front *front) {
    compared = front->objectives;
    if (front->count)
        qsort(front->items, front->count, sizeof *front->items, by_objectives);
}
