#include "base/strmap.h"

#include <stdint.h>
#include <string.h>

#include "base/memory.h"

struct nmc_strmap_slot {
    const char *key;
    void *value;
    uint64_t hash;
};

/* FNV-1a (Fowler, Noll, Vo) with a final mix, since the table uses the low bits. */
static uint64_t hash_text(const char *text) {
    uint64_t hash = 14695981039346656037u;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 1099511628211u;
    return hash ^ hash >> 32;
}

/* The slot that holds the key, or the empty one where it belongs. */
static struct nmc_strmap_slot *find(const struct nmc_strmap *map, const char *key, uint64_t hash) {
    size_t mask = map->capacity - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        struct nmc_strmap_slot *slot = &map->slots[i];
        if (!slot->key || (slot->hash == hash && strcmp(slot->key, key) == 0))
            return slot;
    }
}

static bool resize(struct nmc_strmap *map, size_t capacity) {
    struct nmc_strmap bigger = {.count = map->count, .capacity = capacity};
    bigger.slots = nmc_malloc(capacity * sizeof *bigger.slots);
    if (!bigger.slots)
        return false;
    memset(bigger.slots, 0, capacity * sizeof *bigger.slots);
    for (size_t i = 0; i < map->capacity; i++)
        if (map->slots[i].key)
            *find(&bigger, map->slots[i].key, map->slots[i].hash) = map->slots[i];
    nmc_free(map->slots);
    *map = bigger;
    return true;
}

void nmc_strmap_release(struct nmc_strmap *map) {
    nmc_free(map->slots);
    *map = (struct nmc_strmap){0};
}

void *nmc_strmap_get(const struct nmc_strmap *map, const char *key) {
    return map->capacity ? find(map, key, hash_text(key))->value : NULL;
}

bool nmc_strmap_put(struct nmc_strmap *map, const char *key, void *value) {
    if (map->count * 4 >= map->capacity * 3 && !resize(map, map->capacity ? map->capacity * 2 : 16))
        return false;
    uint64_t hash = hash_text(key);
    struct nmc_strmap_slot *slot = find(map, key, hash);
    if (!slot->key)
        map->count++;
    *slot = (struct nmc_strmap_slot){.key = key, .value = value, .hash = hash};
    return true;
}
