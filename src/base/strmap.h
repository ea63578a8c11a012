/*
 * strmap.h - from text to a pointer: open addressing, no removal, keys borrowed.
 */
#ifndef NMC_STRMAP_H
#define NMC_STRMAP_H

#include <stdbool.h>
#include <stddef.h>

struct nmc_strmap_slot;

struct nmc_strmap {
    struct nmc_strmap_slot *slots;
    size_t count, capacity; /* capacity is 0 or a power of two */
};

/* A zeroed struct is an empty map. */
void nmc_strmap_release(struct nmc_strmap *map);
void *nmc_strmap_get(const struct nmc_strmap *map, const char *key); /* NULL: not there */
/* Sets or replaces; value must not be NULL; key must outlive the map. False: out of memory. */
bool nmc_strmap_put(struct nmc_strmap *map, const char *key, void *value);

#endif
