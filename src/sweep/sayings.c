#include "sweep/sayings.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Where a text is, or would be. */
static size_t find(const struct nmc_sayings *s, const char *text) {
    size_t low = 0, high = s->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (strcmp(s->items[middle].text, text) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static char *copy(const char *text) {
    size_t size = strlen(text) + 1;
    char *made = nmc_malloc(size);
    return made ? memcpy(made, text, size) : NULL;
}

void nmc_sayings_add_other(struct nmc_sayings *s, int64_t count, int64_t first) {
    if (!s->other_count || first < s->other_first)
        s->other_first = first;
    s->other_count += count;
}

static void drop_last(struct nmc_sayings *s) {
    struct nmc_saying *last = &s->items[--s->count];
    nmc_sayings_add_other(s, last->count, last->first);
    nmc_free(last->text);
}

static bool insert(struct nmc_sayings *s, size_t at, const char *text, int64_t count,
                   int64_t first) {
    if (s->count == s->most)
        drop_last(s);
    char *kept = copy(text);
    if (!kept || !nmc_grow(&s->items, &s->capacity, s->count + 1, sizeof *s->items)) {
        nmc_free(kept);
        return false;
    }
    memmove(&s->items[at + 1], &s->items[at], (s->count - at) * sizeof *s->items);
    s->items[at] = (struct nmc_saying){kept, count, first};
    s->count++;
    return true;
}

bool nmc_sayings_add(struct nmc_sayings *s, const char *text, int64_t count, int64_t first) {
    size_t at = find(s, text);
    if (at < s->count && strcmp(s->items[at].text, text) == 0) {
        struct nmc_saying *known = &s->items[at];
        known->count += count;
        known->first = first < known->first ? first : known->first;
        return true;
    }
    if (at < s->most)
        return insert(s, at, text, count, first);
    nmc_sayings_add_other(s, count, first);
    return true;
}

bool nmc_sayings_merge(struct nmc_sayings *s, const struct nmc_sayings *other) {
    for (size_t i = 0; i < other->count; i++)
        if (!nmc_sayings_add(s, other->items[i].text, other->items[i].count, other->items[i].first))
            return false;
    if (other->other_count)
        nmc_sayings_add_other(s, other->other_count, other->other_first);
    return true;
}

static int by_point(const void *a, const void *b) {
    const struct nmc_saying *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

void nmc_sayings_by_point(struct nmc_sayings *s) {
    if (s->count)
        qsort(s->items, s->count, sizeof *s->items, by_point);
}

void nmc_sayings_release(struct nmc_sayings *s) {
    for (size_t i = 0; i < s->count; i++)
        nmc_free(s->items[i].text);
    nmc_free(s->items);
    *s = (struct nmc_sayings){.most = s->most};
}
