/*
 * arena.h - memory that lives and dies together.
 *
 * Invariants: everything allocated is zeroed and 16-byte aligned; nothing is freed one by one;
 * the bytes handed out never exceed `cap`. An allocation that fails (memory or cap) returns NULL
 * and sets `failed`, which stays set, so a builder may check once at its end as long as it does
 * not write through a NULL on the way. Under AddressSanitizer each object is its own
 * allocation, so overruns show.
 */
#ifndef NMC_ARENA_H
#define NMC_ARENA_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct nmc_arena_chunk;

struct nmc_arena {
    struct nmc_arena_chunk *head;
    size_t used; /* bytes handed out, rounding included */
    size_t cap;  /* most bytes ever handed out */
    bool failed;
};

void nmc_arena_init(struct nmc_arena *arena, size_t cap);
void nmc_arena_release(struct nmc_arena *arena);

void *nmc_arena_alloc(struct nmc_arena *arena, size_t size);
/* count * size, checked. A count of 0 gives a unique non-NULL pointer. */
void *nmc_arena_array(struct nmc_arena *arena, size_t count, size_t size);
void *nmc_arena_copy(struct nmc_arena *arena, const void *data, size_t size);
char *nmc_arena_strndup(struct nmc_arena *arena, const char *text, size_t length);
char *nmc_arena_strdup(struct nmc_arena *arena, const char *text);
char *nmc_arena_printf(struct nmc_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
char *nmc_arena_vprintf(struct nmc_arena *arena, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

#endif
