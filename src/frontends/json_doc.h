/*
 * json_doc.h - a JSON document read whole: typed values by tables of fields, errors that name
 * line, column and key path.
 *
 * The text is held against the grammar when it is opened, so that walking it cannot fail. A
 * reader takes one value at *at, leaves *at behind it, and stores what it read in `out`; on a
 * value it cannot take it reports the key path and returns NEUROMC_BAD_INPUT.
 */
#ifndef NMC_JSON_DOC_H
#define NMC_JSON_DOC_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "frontends/trace_scan.h"

struct nmc_doc {
    const char *file;       /* for messages; borrowed */
    char *text;             /* one object, NUL at its end */
    struct nmc_arena arena; /* what readers keep */
    neuromc_diags *diags;
};

/* "-" is standard input. The document must be released also after a failure. */
neuromc_status nmc_doc_open(struct nmc_doc *doc, const char *path, size_t cap,
                            neuromc_diags *diags);
/* For a path that was peeked at. peek may be NULL. */
neuromc_status nmc_doc_open_peeked(struct nmc_doc *doc, const char *path,
                                   const struct nmc_peek *peek, size_t cap, neuromc_diags *diags);
void nmc_doc_release(struct nmc_doc *doc);

/* One step of a key path: a name, or an index if name is NULL. */
struct nmc_doc_key {
    const struct nmc_doc_key *up;
    const char *name;
    size_t index;
};

typedef neuromc_status nmc_doc_read(struct nmc_doc *doc, const struct nmc_doc_key *key,
                                    const char **at, void *out);

struct nmc_doc_field {
    const char *name;
    nmc_doc_read *read;
    size_t offset; /* in `out` */
    bool required;
};

/* An object by its table of fields (32 at most). Unknown keys are passed over; a known key that
 * comes twice, or a required one that does not come, is an error. */
neuromc_status nmc_doc_object(struct nmc_doc *doc, const struct nmc_doc_key *key, const char **at,
                              const struct nmc_doc_field *fields, int count, void *out);

/* Refuses any other kind of value. */
neuromc_status nmc_doc_expect(struct nmc_doc *doc, const struct nmc_doc_key *key, const char *at,
                              enum nmc_scan_kind kind);

nmc_doc_read nmc_doc_positive; /* int64_t >= 1 */
nmc_doc_read nmc_doc_count;    /* int64_t >= 0 */
nmc_doc_read nmc_doc_real;     /* double >= 0, finite */
nmc_doc_read nmc_doc_text;     /* const char *, in the arena */
nmc_doc_read nmc_doc_place;    /* const char *: where the value is; to be read later */

/* NEUROMC_BAD_INPUT at a key; `at` gives line and column. */
neuromc_status nmc_doc_error(struct nmc_doc *doc, const struct nmc_doc_key *key, const char *at,
                             const char *hint, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
