/* A hash table over tuples that lie one behind the other. */
#include "model/trace_keys.h"

#include <string.h>

#include "base/memory.h"

struct nmc_keys_entry {
    uint64_t hash;
    size_t at, count;
};

void nmc_keys_release(struct nmc_keys *keys) {
    nmc_free(keys->words);
    nmc_free(keys->entries);
    nmc_free(keys->slots);
    *keys = (struct nmc_keys){0};
}

/* Multiply and fold each word (as in wyhash), since words are small numbers in high order. */
static uint64_t hash_words(const int64_t *words, size_t count) {
    uint64_t hash = 0x9E3779B97F4A7C15u ^ count;
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ (uint64_t)words[i]) * 0xD6E8FEB86659FD93u;
        hash ^= hash >> 32;
    }
    return hash;
}

/* The slot that holds the tuple, or the empty one where it belongs. */
static uint32_t *find(const struct nmc_keys *keys, const int64_t *words, size_t count,
                      uint64_t hash) {
    size_t mask = keys->slot_count - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        uint32_t *slot = &keys->slots[i];
        if (!*slot)
            return slot;
        const struct nmc_keys_entry *entry = &keys->entries[*slot - 1];
        if (entry->hash == hash && entry->count == count &&
            memcmp(keys->words + entry->at, words, count * sizeof *words) == 0)
            return slot;
    }
}

static bool grow_slots(struct nmc_keys *keys) {
    if (keys->count * 4 < keys->slot_count * 3)
        return true;
    size_t size = keys->slot_count ? keys->slot_count * 2 : 64;
    uint32_t *slots = nmc_malloc(size * sizeof *slots);
    if (!slots)
        return false;
    memset(slots, 0, size * sizeof *slots);
    for (size_t n = 0; n < keys->count; n++) {
        size_t i = keys->entries[n].hash & (size - 1);
        while (slots[i])
            i = (i + 1) & (size - 1);
        slots[i] = (uint32_t)n + 1;
    }
    nmc_free(keys->slots);
    keys->slots = slots;
    keys->slot_count = size;
    return true;
}

bool nmc_keys_number(struct nmc_keys *keys, const int64_t *words, size_t count, uint32_t *number,
                     bool *added) {
    if (!grow_slots(keys))
        return false;
    uint64_t hash = hash_words(words, count);
    uint32_t *slot = find(keys, words, count, hash);
    *added = !*slot;
    if (*added) {
        if (keys->count >= UINT32_MAX - 1 ||
            !nmc_grow(&keys->words, &keys->word_capacity, keys->word_count + count,
                      sizeof *keys->words) ||
            !nmc_grow(&keys->entries, &keys->capacity, keys->count + 1, sizeof *keys->entries))
            return false;
        memcpy(keys->words + keys->word_count, words, count * sizeof *words);
        keys->entries[keys->count++] =
            (struct nmc_keys_entry){.hash = hash, .at = keys->word_count, .count = count};
        keys->word_count += count;
        *slot = (uint32_t)keys->count;
    }
    *number = *slot - 1;
    return true;
}

bool nmc_keys_has(const struct nmc_keys *keys, const int64_t *words, size_t count) {
    return keys->slot_count && *find(keys, words, count, hash_words(words, count));
}
