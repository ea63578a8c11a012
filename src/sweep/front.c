/* front.c - the Pareto front of the points so far, in bounded memory. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "sweep/best.h"

/* The first boxes are a sixteenth of the value wide; the last tell three kinds of values apart,
 * whose fronts are below any cap. */
enum { FIRST_DROPPED = 48, STEP = 2, MOST_DROPPED = NMC_FRONT_MOST_DROPPED };

/* A value without its low bits; never falls where values rise. */
static double without(int bits, double value) {
    uint64_t image;
    memcpy(&image, &value, sizeof image);
    image &= ~UINT64_C(0) << bits;
    memcpy(&value, &image, sizeof value);
    return value;
}

static bool at_least_as_good(const struct nmc_front *front, int bits, const double *a,
                             const double *b) {
    for (int o = 0; o < front->objectives; o++)
        if (without(bits, a[o]) > without(bits, b[o]))
            return false;
    return true;
}

/* Of two objectives: the first member whose first value is above x. */
static size_t first_above(const struct nmc_front *front, int bits, double x) {
    size_t low = 0, high = front->count;
    x = without(bits, x);
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (without(bits, front->items[middle].values[0]) <= x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A member that is at least as good everywhere, or NULL. */
static struct nmc_best *find_better(const struct nmc_front *front, int bits, const double *values) {
    if (front->objectives == 2) {
        size_t above = first_above(front, bits, values[0]);
        struct nmc_best *before = above ? &front->items[above - 1] : NULL;
        return before && at_least_as_good(front, bits, before->values, values) ? before : NULL;
    }
    for (size_t i = 0; i < front->count; i++)
        if (at_least_as_good(front, bits, front->items[i].values, values))
            return &front->items[i];
    return NULL;
}

/* Values, not boxes: a point of a member's box may yet come before it. */
bool nmc_front_covers(const struct nmc_front *front, const double *values) {
    return front->objectives == 0 || find_better(front, 0, values);
}

static void remove_worse(struct nmc_front *front, const double *values) {
    size_t kept = 0;
    for (size_t i = 0; i < front->count; i++)
        if (!at_least_as_good(front, front->dropped_bits, values, front->items[i].values))
            front->items[kept++] = front->items[i];
    front->count = kept;
}

/* Of two objectives, those that the point makes worse lie in one stretch. */
static size_t make_place(struct nmc_front *front, const struct nmc_best *point) {
    int bits = front->dropped_bits;
    size_t to = first_above(front, bits, point->values[0]), from = to;
    if (from > 0 && at_least_as_good(front, bits, point->values, front->items[from - 1].values))
        from--;
    while (to < front->count &&
           at_least_as_good(front, bits, point->values, front->items[to].values))
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
    return true;
}

/* By the first objective that differs without its low bits. */
static int compare(int bits, const struct nmc_best *a, const struct nmc_best *b, int objectives) {
    for (int o = 0; o < objectives; o++) {
        double x = without(bits, a->values[o]), y = without(bits, b->values[o]);
        if (x != y)
            return x > y ? 1 : -1;
    }
    return 0;
}

/* From the widest boxes down to values: what lies in a better box of any width comes first, so
 * that nothing was dropped that would come first in a wider one. */
static bool comes_before(const struct nmc_best *a, const struct nmc_best *b, int objectives) {
    for (int bits = MOST_DROPPED; bits >= FIRST_DROPPED; bits -= STEP) {
        int order = compare(bits, a, b, objectives);
        if (order)
            return order < 0;
    }
    int order = compare(0, a, b, objectives);
    return order ? order < 0 : a->index < b->index;
}

static bool place(struct nmc_front *front, const struct nmc_best *point) {
    int bits = front->dropped_bits;
    struct nmc_best *better = find_better(front, bits, point->values);
    if (!better)
        return insert(front, point);
    bool same_box = at_least_as_good(front, bits, point->values, better->values);
    if (same_box && comes_before(point, better, front->objectives))
        *better = *point;
    return true;
}

/* Members go through a front with larger boxes, in the memory of their own. */
static bool enlarge_boxes(struct nmc_front *front, int dropped_bits) {
    size_t count = front->count;
    bool good = true;
    front->count = 0;
    front->dropped_bits = dropped_bits;
    for (size_t i = 0; good && i < count; i++) {
        const struct nmc_best point = front->items[i];
        good = place(front, &point);
    }
    return good;
}

bool nmc_front_offer(struct nmc_front *front, const struct nmc_best *point) {
    bool good = !front->objectives || place(front, point);
    while (good && front->count > front->cap && front->dropped_bits < MOST_DROPPED)
        good =
            enlarge_boxes(front, front->dropped_bits ? front->dropped_bits + STEP : FIRST_DROPPED);
    return good;
}

bool nmc_front_merge(struct nmc_front *front, const struct nmc_front *other) {
    bool good = true;
    if (front->dropped_bits < other->dropped_bits)
        good = enlarge_boxes(front, other->dropped_bits);
    for (size_t i = 0; good && i < other->count; i++)
        good = nmc_front_offer(front, &other->items[i]);
    return good;
}

static _Thread_local int compared; /* objectives, for qsort */

static int by_objectives(const void *a, const void *b) {
    const struct nmc_best *x = a, *y = b;
    int order = compare(0, a, b, compared);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

void nmc_front_sort(struct nmc_front *front) {
    compared = front->objectives;
    if (front->count)
        qsort(front->items, front->count, sizeof *front->items, by_objectives);
}
