/*
 * memory.h - the one door to the heap, so that tests can make any single allocation fail.
 */
#ifndef NMC_MEMORY_H
#define NMC_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

void *nmc_malloc(size_t size);
void *nmc_realloc(void *old, size_t size);
void nmc_free(void *memory);

/* Grows *array (elements of `size` bytes, *capacity of them) to hold `need` elements; contents
 * are kept, new elements are not initialised. False, and nothing changed, if memory runs out. */
bool nmc_grow(void *array_pointer, size_t *capacity, size_t need, size_t size);

/* For tests: the allocation with this number (from 1, counted from this call on) fails; 0 turns
 * it off. Returns how many allocations were asked for since the last call. */
size_t nmc_memory_fail_at(size_t number);

#endif
