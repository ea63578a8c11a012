/*
 * sayings.h - texts and how many points each is about, in bounded memory. Of too many, those that
 * come first in the order of their bytes stay, which are the same in whatever order they come.
 */
#ifndef NMC_SAYINGS_H
#define NMC_SAYINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nmc_saying {
    char *text;
    int64_t count, first; /* points, and the lowest index of them */
};

enum { NMC_MOST_REASONS = 1024, NMC_MOST_WARNINGS = 64 };

struct nmc_sayings {
    struct nmc_saying *items; /* in the order of their texts */
    size_t count, capacity, most;
    int64_t other_count, other_first; /* of those that did not stay; 0: all did */
};

/* False: out of memory. */
bool nmc_sayings_add(struct nmc_sayings *sayings, const char *text, int64_t count, int64_t first);
bool nmc_sayings_merge(struct nmc_sayings *sayings, const struct nmc_sayings *other);
/* What did not stay, by its counts alone. */
void nmc_sayings_add_other(struct nmc_sayings *sayings, int64_t count, int64_t first);
/* Puts them in the order of their first points; nothing is added afterwards. */
void nmc_sayings_by_point(struct nmc_sayings *sayings);
void nmc_sayings_release(struct nmc_sayings *sayings);

#endif
