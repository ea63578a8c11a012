#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local size_t asked, failing;

static bool must_fail(void) {
    return ++asked == failing;
}

void *nmc_malloc(size_t size) {
    return must_fail() ? NULL : malloc(size ? size : 1);
}

void *nmc_realloc(void *old, size_t size) {
    return must_fail() ? NULL : realloc(old, size ? size : 1);
}

void nmc_free(void *memory) {
    free(memory);
}

bool nmc_grow(void *array_pointer, size_t *capacity, size_t need, size_t size) {
    if (need <= *capacity)
        return true;
    size_t grown = *capacity < 8 ? 8 : *capacity + *capacity / 2;
    if (grown < need)
        grown = need;
    size_t bytes;
    if (__builtin_mul_overflow(grown, size, &bytes))
        return false;
    void *old;
    memcpy(&old, array_pointer, sizeof old);
    void *moved = nmc_realloc(old, bytes);
    if (!moved)
        return false;
    memcpy(array_pointer, &moved, sizeof moved);
    *capacity = grown;
    return true;
}

size_t nmc_memory_fail_at(size_t number) {
    size_t before = asked;
    asked = 0;
    failing = number;
    return before;
}
