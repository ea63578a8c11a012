/*
 * yaml.h - YAML text becomes a tree of nodes that know their place.
 *
 * Stricter than YAML: one document, UTF-8, keys are texts and differ, no anchors, aliases or
 * tags, no control characters. What is not allowed is reported and reading goes on, so that one
 * look at a file finds all of it; only a syntax error or a limit ends it.
 */
#ifndef NMC_YAML_H
#define NMC_YAML_H

#include "base/arena.h"
#include "base/diag.h"

enum nmc_yaml_kind {
    NMC_YAML_SCALAR,
    NMC_YAML_LIST,
    NMC_YAML_MAP,
    NMC_YAML_REFUSED /* was reported; nobody needs to complain again */
};

struct nmc_yaml {
    enum nmc_yaml_kind kind;
    bool plain;       /* SCALAR: written without quotes */
    const char *text; /* SCALAR */
    struct nmc_yaml *parent, *first, *last, *next;
    const char *key; /* in a mapping; NULL in a list and at the root */
    const char *file;
    int line, column; /* from 1, in characters; 0: not from a file */
    int key_line, key_column;
    const char *source;   /* the `source:` text of its file that covers it, or NULL */
    const char *replaced; /* what stood here before it was overridden, or NULL */
};

/* Reads data; `file` is the name for messages. *root is the top node, or NULL if nothing can be
 * made of the text. Anything but NEUROMC_OK means that errors were reported; *root may then
 * still be there, to look for more. */
neuromc_status nmc_yaml_read(struct nmc_arena *arena, const char *data, size_t size,
                             const char *file, struct nmc_yaml **root, neuromc_diags *diags);

/* The same for files that are written by us and may be long: at most `most` values, and texts may
 * have control characters as escapes, for they are the names of a model. */
neuromc_status nmc_yaml_read_long(struct nmc_arena *arena, const char *data, size_t size,
                                  const char *file, int most, struct nmc_yaml **root,
                                  neuromc_diags *diags);

struct nmc_yaml *nmc_yaml_get(const struct nmc_yaml *map, const char *key); /* NULL: none */
bool nmc_yaml_is(const struct nmc_yaml *node, const char *plain_text);
/* A tree of its own with the same texts; it hangs nowhere. NULL when memory runs out. */
struct nmc_yaml *nmc_yaml_copy(struct nmc_arena *arena, const struct nmc_yaml *node);
void nmc_yaml_append(struct nmc_yaml *parent, struct nmc_yaml *child);
/* Puts `with` where `old` is. */
void nmc_yaml_replace(struct nmc_yaml *old, struct nmc_yaml *with);
void nmc_yaml_remove(struct nmc_yaml *map, const char *key);

/* "memory_instances.sram_2MB.size_bits"; "" for the root. NULL when memory runs out. */
const char *nmc_yaml_path(struct nmc_arena *arena, const struct nmc_yaml *node);

#endif
