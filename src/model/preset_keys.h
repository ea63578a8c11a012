/*
 * preset_keys.h - the key table: what a preset file may hold, where, of what type and within
 * which bounds. Reading, writing, --set, messages and docs/presets.md all come from it.
 *
 * A section is the set of keys of one mapping. A row either fills a field of the section's
 * struct or opens another section.
 */
#ifndef NMC_PRESET_KEYS_H
#define NMC_PRESET_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/yaml.h"

enum nmc_section {
    NMC_IN_ROOT,
    NMC_IN_COUNT,
    NMC_IN_PRIMITIVES,
    NMC_IN_PRECISION,
    NMC_IN_MAC,
    NMC_IN_MAC_CORE,
    NMC_IN_MEMORY,
    NMC_IN_OPERANDS,
    NMC_IN_CORE_OPERANDS,
    NMC_IN_OPERAND,
    NMC_IN_WORK,
    NMC_IN_PHASES,
    NMC_IN_OPTIMIZERS,
    NMC_IN_PROCESS_WORK,
    NMC_IN_ARITHMETIC,
    NMC_IN_STATE,
    NMC_IN_MACHINE,
    NMC_IN_MACHINE_LEVEL,
    NMC_IN_LAW,
    NMC_IN_POINT,
    NMC_SECTIONS
};

enum nmc_key_type {
    NMC_KEY_TEXT,     /* const char * */
    NMC_KEY_NUMBER,   /* double */
    NMC_KEY_INTEGER,  /* int or int64_t, by the field's size */
    NMC_KEY_SIZE,     /* int64_t in bits; also "2 Ki", "128 KiB" */
    NMC_KEY_BOOL,     /* bool */
    NMC_KEY_NAME,     /* an enum, by its name */
    NMC_KEY_NAMES,    /* a list of them, each once: array of enums and int count */
    NMC_KEY_TEXTS,    /* a list: const char ** and int count */
    NMC_KEY_INSTANCE, /* int, index of the memory instance of that name; -1 for none */
    NMC_KEY_MAPPING,  /* another section, in the same struct from `offset` on */
    NMC_KEY_ENTRIES   /* NAME: section, any number: array of structs and int count */
};

enum {
    NMC_KEY_REQUIRED = 1, /* in every preset, or in what it extends */
    NMC_KEY_NONE = 2,     /* may be the word none */
    NMC_KEY_OWN = 4,      /* of the file itself: never taken from what it extends */
    NMC_KEY_PROSE = 8,    /* neither counts nor prices: not in the hash */
    NMC_KEY_FIXED = 16    /* --set cannot change it */
};

struct nmc_bind;

/* Looks at a value that has its type, and at the rest of the tree; reports what does not fit. */
typedef void nmc_key_check(struct nmc_bind *bind, struct nmc_yaml *node);

enum { NMC_NO_FIELD = -1 };

struct nmc_key {
    enum nmc_section in;
    const char *name;
    enum nmc_key_type type;
    unsigned flags;
    ptrdiff_t offset; /* of the field in the section's struct; NMC_NO_FIELD: not kept */
    size_t size;      /* of the field */
    size_t entry;     /* ENTRIES: size of one struct, which starts with its name */
    ptrdiff_t count;  /* lists, ENTRIES: offset of int; MAPPING: of bool, 0 if there is none */
    double least, most;
    const char *unit;
    const char *standard; /* the value if it is left out; NULL: required, or there is none */
    const char *const *names;
    int name_count;
    int level; /* INSTANCE: the level it must be on; -1: any */
    enum nmc_section section;
    nmc_key_check *check;
    const char *doc;
};

/* The rows of a section, contiguous; *count says how many. */
const struct nmc_key *nmc_section_keys(enum nmc_section section, int *count);
const struct nmc_key *nmc_section_key(enum nmc_section section, const char *name);
/* How docs and messages call it: "memory_instances.NAME". */
const char *nmc_section_title(enum nmc_section section);

/* "an integer from 1 to 65536 (bits)", for messages and docs. Writes at most size bytes. */
void nmc_key_expects(const struct nmc_key *key, char *out, size_t size);

#endif
