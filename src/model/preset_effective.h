/*
 * preset_effective.h - the effective preset: what is left after extends and --set, value by
 * value in the order of the key table.
 */
#ifndef NMC_PRESET_EFFECTIVE_H
#define NMC_PRESET_EFFECTIVE_H

#include "model/preset.h"
#include "model/preset_keys.h"

/* Sees every node below the root; of a named entry, key is the row of its ENTRIES. */
typedef void nmc_preset_visit(void *user, const struct nmc_key *key, const struct nmc_yaml *node,
                              int depth);

void nmc_preset_walk(const struct nmc_yaml *root, nmc_preset_visit *visit, void *user);

/* Fills provenance and hash from the tree. False: out of memory. */
bool nmc_preset_describe(struct neuromc_preset *preset);

/* "neuromc_like_v1.yaml:41", "--set" */
const char *nmc_preset_origin(struct nmc_arena *arena, const struct nmc_yaml *node);

#endif
