/*
 * cache.h - things that are dear to make and wanted by several threads: each is made once, by the
 * first who asks, while the others wait. What nobody holds is forgotten, least recently used
 * first, when there are more than `capacity`.
 */
#ifndef NMC_CACHE_H
#define NMC_CACHE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sweep/axis.h"

struct nmc_cache_key {
    int32_t levels[NMC_MAX_AXES];
    int level_count;
    uint64_t hash;
};

struct nmc_cache_entry;

struct nmc_cache {
    pthread_mutex_t lock;
    pthread_cond_t made;
    struct nmc_cache_entry *first; /* most recently used */
    size_t count, capacity;
    void (*destroy)(void *value);
};

void nmc_cache_init(struct nmc_cache *cache, size_t capacity, void (*destroy)(void *value));
void nmc_cache_destroy(struct nmc_cache *cache);

/* The value of a key, held until it is given back. make may return NULL (memory): so does this. */
void *nmc_cache_take(struct nmc_cache *cache, const struct nmc_cache_key *key,
                     void *(*make)(void *user), void *user);
void nmc_cache_give_back(struct nmc_cache *cache, const void *value);

/* The most recently used value for which `like` says yes, held; NULL: none. */
void *nmc_cache_find(struct nmc_cache *cache, bool (*like)(void *user, const void *value),
                     void *user);

#endif
