/*
 * preset_merge.h - one tree laid over another: what `extends` and --set do.
 */
#ifndef NMC_PRESET_MERGE_H
#define NMC_PRESET_MERGE_H

#include "model/preset_keys.h"

/* Tells each value of a file which `source:` text covers it: the nearest one around it. */
void nmc_preset_cover(struct nmc_yaml *root);

/* Changes `base` to what `over` says on top of it; mappings merge, all else is replaced. `over`
 * is used up; its place becomes the place of the result. */
void nmc_preset_merge(struct nmc_arena *arena, struct nmc_yaml *base, struct nmc_yaml *over);

/* The same without a thought of what belongs to which file. */
void nmc_preset_lay_over(struct nmc_arena *arena, struct nmc_yaml *base, struct nmc_yaml *over);

/* What an assigned value has for its file. */
#define NMC_SET_FILE "--set"

/* "path=value", the value in YAML. */
neuromc_status nmc_preset_assign(struct nmc_arena *arena, struct nmc_yaml *root,
                                 const char *assignment, neuromc_diags *diags);

/* The value as one line: a scalar's text, "[a, b]" of a list, NULL of a mapping. */
const char *nmc_preset_value_text(struct nmc_arena *arena, const struct nmc_yaml *node);

#endif
