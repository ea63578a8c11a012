#include "sweep/cache.h"

#include <string.h>

#include "base/memory.h"

struct nmc_cache_entry {
    struct nmc_cache_entry *next;
    struct nmc_cache_key key;
    void *value; /* NULL: being made */
    int holders;
};

void nmc_cache_init(struct nmc_cache *cache, size_t capacity, void (*destroy)(void *value)) {
    *cache = (struct nmc_cache){.capacity = capacity, .destroy = destroy};
    pthread_mutex_init(&cache->lock, NULL);
    pthread_cond_init(&cache->made, NULL);
}

static void drop(struct nmc_cache *cache, struct nmc_cache_entry **link) {
    struct nmc_cache_entry *entry = *link;
    *link = entry->next;
    if (entry->value)
        cache->destroy(entry->value);
    nmc_free(entry);
    cache->count--;
}

void nmc_cache_destroy(struct nmc_cache *cache) {
    while (cache->first)
        drop(cache, &cache->first);
    pthread_cond_destroy(&cache->made);
    pthread_mutex_destroy(&cache->lock);
}

static bool same_key(const struct nmc_cache_key *a, const struct nmc_cache_key *b) {
    return a->hash == b->hash && a->level_count == b->level_count &&
           memcmp(a->levels, b->levels, (size_t)a->level_count * sizeof *a->levels) == 0;
}

/* The entry of a key, moved to the front. */
static struct nmc_cache_entry *find(struct nmc_cache *cache, const struct nmc_cache_key *key) {
    struct nmc_cache_entry **link = &cache->first;
    while (*link && !same_key(&(*link)->key, key))
        link = &(*link)->next;
    struct nmc_cache_entry *entry = *link;
    if (entry) {
        *link = entry->next;
        entry->next = cache->first;
        cache->first = entry;
    }
    return entry;
}

static struct nmc_cache_entry *add(struct nmc_cache *cache, const struct nmc_cache_key *key) {
    struct nmc_cache_entry *entry = nmc_malloc(sizeof *entry);
    if (!entry)
        return NULL;
    *entry = (struct nmc_cache_entry){.next = cache->first, .key = *key};
    cache->first = entry;
    cache->count++;
    return entry;
}

/* Forgets the last one that nobody holds. */
static void trim(struct nmc_cache *cache) {
    struct nmc_cache_entry **last = NULL;
    for (struct nmc_cache_entry **link = &cache->first; *link; link = &(*link)->next)
        if ((*link)->holders == 0)
            last = link;
    if (last && cache->count > cache->capacity)
        drop(cache, last);
}

static void *make_value(struct nmc_cache *cache, struct nmc_cache_entry *entry,
                        void *(*make)(void *user), void *user) {
    pthread_mutex_unlock(&cache->lock);
    void *value = make(user);
    pthread_mutex_lock(&cache->lock);
    entry->value = value;
    pthread_cond_broadcast(&cache->made);
    if (value)
        return value;
    struct nmc_cache_entry **link = &cache->first;
    while (*link != entry)
        link = &(*link)->next;
    drop(cache, link);
    return NULL;
}

void *nmc_cache_take(struct nmc_cache *cache, const struct nmc_cache_key *key,
                     void *(*make)(void *user), void *user) {
    void *value = NULL;
    pthread_mutex_lock(&cache->lock);
    struct nmc_cache_entry *entry = find(cache, key);
    while (entry && !entry->value) {
        pthread_cond_wait(&cache->made, &cache->lock);
        entry = find(cache, key);
    }
    if (entry) {
        entry->holders++;
        value = entry->value;
    } else {
        entry = add(cache, key);
        if (entry) {
            entry->holders++;
            value = make_value(cache, entry, make, user);
        }
    }
    trim(cache);
    pthread_mutex_unlock(&cache->lock);
    return value;
}

void nmc_cache_give_back(struct nmc_cache *cache, const void *value) {
    pthread_mutex_lock(&cache->lock);
    for (struct nmc_cache_entry *entry = cache->first; value && entry; entry = entry->next)
        if (entry->value == value)
            entry->holders--;
    trim(cache);
    pthread_mutex_unlock(&cache->lock);
}

void *nmc_cache_find(struct nmc_cache *cache, bool (*like)(void *user, const void *value),
                     void *user) {
    void *value = NULL;
    pthread_mutex_lock(&cache->lock);
    for (struct nmc_cache_entry *entry = cache->first; entry && !value; entry = entry->next)
        if (entry->value && like(user, entry->value)) {
            entry->holders++;
            value = entry->value;
        }
    pthread_mutex_unlock(&cache->lock);
    return value;
}
