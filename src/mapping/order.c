#include "mapping/order.h"

#include <string.h>

enum {
    N = 1 << NMC_MAP_N,
    K = 1 << NMC_MAP_K,
    C = 1 << NMC_MAP_C,
    P = 1 << NMC_MAP_P,
    Q = 1 << NMC_MAP_Q,
    R = 1 << NMC_MAP_R,
    S = 1 << NMC_MAP_S
};

/* Dims irrelevant to one tensor each. */
static const unsigned blocks[] = {N | P | Q, K, C | R | S};
enum { BLOCKS = sizeof blocks / sizeof *blocks };

struct orders {
    struct nmc_order *out;
    int count;
};

/* Appends what is missing, innermost last, and keeps the order if it is new. `inner` lists the
 * innermost dims, innermost first. */
static void keep(struct orders *orders, unsigned present, const int *inner, int inner_count) {
    struct nmc_order *order = &orders->out[orders->count];
    unsigned placed = 0;
    *order = (struct nmc_order){0};
    for (int i = 0; i < inner_count; i++)
        placed |= 1u << inner[i];
    for (int d = 0; d < NMC_MAP_DIMS; d++)
        if (present & ~placed & 1u << d)
            order->dims[order->count++] = (unsigned char)d;
    for (int i = inner_count - 1; i >= 0; i--)
        order->dims[order->count++] = (unsigned char)inner[i];
    for (int i = 0; i < orders->count; i++)
        if (orders->out[i].count == order->count &&
            memcmp(orders->out[i].dims, order->dims, (size_t)order->count) == 0)
            return;
    orders->count++;
}

/* The dim that slides along the same axis, or none (0). */
static unsigned partner(int dim) {
    switch (dim) {
    case NMC_MAP_P: return R;
    case NMC_MAP_Q: return S;
    case NMC_MAP_R: return P;
    case NMC_MAP_S: return Q;
    default: return 0;
    }
}

static void push(unsigned dims, int *list, int *count) {
    for (int d = 0; d < NMC_MAP_DIMS; d++) {
        bool listed = false;
        for (int i = 0; i < *count; i++)
            listed = listed || list[i] == d;
        if (dims & 1u << d && !listed)
            list[(*count)++] = d;
    }
}

static int bits(unsigned mask) {
    return __builtin_popcount(mask);
}

/* Dims that share words between neighbours, if there are any; else all. */
static unsigned sliding_first(unsigned dims) {
    return dims & (P | Q | R | S) ? dims & (P | Q | R | S) : dims;
}

/* What stands around the dims of `list`: each of `dims` in turn with its partner, or nothing. */
static void keep_around(struct orders *orders, unsigned present, const int *list, int count,
                        unsigned dims) {
    for (int d = 0; d < NMC_MAP_DIMS; d++) {
        int longer[NMC_MAP_DIMS], length = count;
        if (!(dims & 1u << d))
            continue;
        memcpy(longer, list, (size_t)count * sizeof *list);
        push(1u << d, longer, &length);
        push(partner(d) & present, longer, &length);
        keep(orders, present, longer, length);
    }
    if (!dims)
        keep(orders, present, list, count);
}

/* A block innermost. Of its dims one that slides is the very innermost. A block that moves no
 * inputs leaves that to the dim around it; one dim alone goes on with its partner. */
static void keep_block(struct orders *orders, unsigned present, unsigned block) {
    unsigned first = present & block, others = present & ~block;
    for (int d = 0; d < NMC_MAP_DIMS; d++) {
        int list[NMC_MAP_DIMS], count = 0;
        if (!(sliding_first(first) & 1u << d))
            continue;
        push(1u << d, list, &count);
        push(first, list, &count);
        if (block == K)
            keep_around(orders, present, list, count, sliding_first(others));
        else
            keep_around(orders, present, list, count, bits(first) == 1 ? partner(d) & present : 0);
    }
}

/* Dims of one axis innermost, whatever else is free then. */
static void keep_pairs(struct orders *orders, unsigned present) {
    for (int d = NMC_MAP_P; d <= NMC_MAP_S; d++) {
        const int list[] = {d};
        if ((present & 1u << d) && (present & partner(d)))
            keep_around(orders, present, list, 1, partner(d));
    }
}

static void permute(struct orders *orders, unsigned left, struct nmc_order *now) {
    if (!left) {
        orders->out[orders->count++] = *now;
        return;
    }
    for (int d = 0; d < NMC_MAP_DIMS; d++) {
        if (!(left & 1u << d))
            continue;
        now->dims[now->count++] = (unsigned char)d;
        permute(orders, left & ~(1u << d), now);
        now->dims[--now->count] = 0;
    }
}

int nmc_orders(unsigned present, bool all, struct nmc_order *out) {
    struct orders orders = {.out = out};
    struct nmc_order now = {.count = 0};
    if (all || !(present & (present - 1))) { /* one dim or none has one order */
        permute(&orders, present, &now);
        return orders.count;
    }
    for (int b = 0; b < BLOCKS; b++)
        keep_block(&orders, present, blocks[b]);
    keep_pairs(&orders, present);
    return orders.count;
}

int nmc_orders_fixed(unsigned present, bool all, const struct nmc_order *fixed,
                     struct nmc_order *out) {
    struct orders orders = {.out = out};
    struct nmc_order now = {.count = 0}, inside = {.count = 0};
    unsigned named = 0;
    for (int i = 0; i < fixed->count; i++) {
        if (present & 1u << fixed->dims[i])
            inside.dims[inside.count++] = fixed->dims[i];
        named |= 1u << fixed->dims[i];
    }
    if (!inside.count)
        return nmc_orders(present, all, out);
    permute(&orders, present & ~named, &now);
    for (int i = 0; i < orders.count; i++)
        for (int k = 0; k < inside.count; k++)
            out[i].dims[out[i].count++] = inside.dims[k];
    return orders.count;
}
