/*
 * preset_find.h - where presets are looked for.
 */
#ifndef NMC_PRESET_FIND_H
#define NMC_PRESET_FIND_H

#include "base/arena.h"
#include "base/diag.h"

/* The file of a preset: name_or_path itself if it is a path (holds a '/' or ends in .yaml),
 * relative to the directory of `from` unless that is NULL; else NAME.yaml in the first directory
 * that has it; else a file of just that name. NULL after reporting; `place` is where the name was
 * read. */
const char *nmc_preset_find(struct nmc_arena *arena, const char *name_or_path,
                            const char *search_path, const char *from, struct nmc_place place,
                            neuromc_diags *diags);

/* The same for laws: NAME.yaml in `laws` below a directory of the user's, or among the shipped. */
const char *nmc_law_find(struct nmc_arena *arena, const char *name_or_path, const char *search_path,
                         const char *from, struct nmc_place place, neuromc_diags *diags);

/* NEUROMC_USAGE if the directory to look into first is none; NULL is good. */
neuromc_status nmc_preset_path_check(const char *search_path, neuromc_diags *diags);

/* Names of the presets in all directories, sorted, each once, and the file that each means.
 * False: out of memory. */
bool nmc_preset_names(struct nmc_arena *arena, const char *search_path, const char ***names,
                      const char ***files, size_t *count);

#endif
