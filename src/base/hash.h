/*
 * hash.h - FNV-1a, 64 bits (Fowler, Noll, Vo): tells contents apart, keeps no secrets.
 */
#ifndef NMC_HASH_H
#define NMC_HASH_H

#include <stddef.h>
#include <stdint.h>

#define NMC_HASH_START UINT64_C(0xcbf29ce484222325)

/* What `hash` becomes behind these bytes, or behind a text without its NUL. */
uint64_t nmc_hash_bytes(uint64_t hash, const void *data, size_t size);
uint64_t nmc_hash_text(uint64_t hash, const char *text);

#endif
