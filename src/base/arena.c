#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#if defined(__SANITIZE_ADDRESS__)
#define OBJECT_PER_CHUNK 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define OBJECT_PER_CHUNK 1
#endif
#endif
#ifndef OBJECT_PER_CHUNK
#define OBJECT_PER_CHUNK 0
#endif

enum { ALIGNMENT = 16, FIRST_CHUNK = 4096, LARGEST_CHUNK = 1 << 20 };

struct nmc_arena_chunk {
    struct nmc_arena_chunk *next;
    size_t size, used;
    _Alignas(ALIGNMENT) unsigned char data[];
};

void nmc_arena_init(struct nmc_arena *arena, size_t cap) {
    *arena = (struct nmc_arena){.cap = cap};
}

void nmc_arena_release(struct nmc_arena *arena) {
    struct nmc_arena_chunk *chunk = arena->head;
    while (chunk) {
        struct nmc_arena_chunk *next = chunk->next;
        nmc_free(chunk);
        chunk = next;
    }
    nmc_arena_init(arena, arena->cap);
}

static struct nmc_arena_chunk *add_chunk(struct nmc_arena *arena, size_t need) {
    size_t size = need;
    if (!OBJECT_PER_CHUNK) {
        size_t grown = arena->head ? arena->head->size * 2 : FIRST_CHUNK;
        if (grown > LARGEST_CHUNK)
            grown = LARGEST_CHUNK;
        if (size < grown)
            size = grown;
    }
    struct nmc_arena_chunk *chunk = nmc_malloc(sizeof *chunk + size);
    if (!chunk)
        return NULL;
    chunk->next = arena->head;
    chunk->size = size;
    chunk->used = 0;
    arena->head = chunk;
    return chunk;
}

void *nmc_arena_alloc(struct nmc_arena *arena, size_t size) {
    if (size > SIZE_MAX / 2)
        goto fail;
    size_t need = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (need == 0)
        need = ALIGNMENT;
    if (need > arena->cap - arena->used)
        goto fail;
    struct nmc_arena_chunk *chunk = arena->head;
    /* Exact sizes under AddressSanitizer: an overrun must leave the object. */
    size_t take = OBJECT_PER_CHUNK ? (size ? size : 1) : need;
    if (!chunk || take > chunk->size - chunk->used) {
        chunk = add_chunk(arena, take);
        if (!chunk)
            goto fail;
    }
    void *object = chunk->data + chunk->used;
    chunk->used += take;
    arena->used += need;
    memset(object, 0, size);
    return object;
fail:
    arena->failed = true;
    return NULL;
}

void *nmc_arena_array(struct nmc_arena *arena, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        arena->failed = true;
        return NULL;
    }
    return nmc_arena_alloc(arena, bytes);
}

void *nmc_arena_copy(struct nmc_arena *arena, const void *data, size_t size) {
    void *copy = nmc_arena_alloc(arena, size);
    if (copy && size)
        memcpy(copy, data, size);
    return copy;
}

char *nmc_arena_strndup(struct nmc_arena *arena, const char *text, size_t length) {
    char *copy = length < SIZE_MAX ? nmc_arena_alloc(arena, length + 1) : NULL;
    if (copy && length)
        memcpy(copy, text, length);
    return copy;
}

char *nmc_arena_strdup(struct nmc_arena *arena, const char *text) {
    return nmc_arena_strndup(arena, text, strlen(text));
}

char *nmc_arena_vprintf(struct nmc_arena *arena, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0 ? NULL : nmc_arena_alloc(arena, (size_t)length + 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, args);
    return text;
}

char *nmc_arena_printf(struct nmc_arena *arena, const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *text = nmc_arena_vprintf(arena, format, args);
    va_end(args);
    return text;
}
