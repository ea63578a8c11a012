#include "base/hash.h"

#include <string.h>

uint64_t nmc_hash_bytes(uint64_t hash, const void *data, size_t size) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

uint64_t nmc_hash_text(uint64_t hash, const char *text) {
    return nmc_hash_bytes(hash, text, strlen(text));
}
