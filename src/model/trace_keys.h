/*
 * trace_keys.h - tuples of integers, numbered in the order in which they are first seen.
 *
 * What a trace repeats is kept once: signatures, shapes, whole fragments. Memory grows with
 * distinct tuples.
 */
#ifndef NMC_TRACE_KEYS_H
#define NMC_TRACE_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nmc_keys {
    int64_t *words;
    size_t word_count, word_capacity;
    struct nmc_keys_entry *entries;
    size_t count, capacity;
    uint32_t *slots; /* entry number + 1, or 0; open addressing */
    size_t slot_count;
};

/* A zeroed struct is empty. */
void nmc_keys_release(struct nmc_keys *keys);

/* The number of a tuple, added if it is new (then *added). False: memory ran out. */
bool nmc_keys_number(struct nmc_keys *keys, const int64_t *words, size_t count, uint32_t *number,
                     bool *added);
bool nmc_keys_has(const struct nmc_keys *keys, const int64_t *words, size_t count);

#endif
