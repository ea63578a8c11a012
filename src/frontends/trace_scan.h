/*
 * trace_scan.h - JSON text walked where it lies, without building a tree.
 *
 * Two steps. nmc_scan_check holds a whole text against the grammar (RFC 8259, well-formed UTF-8,
 * limited nesting). Everything else walks text that passed, so it cannot fail and allocates
 * nothing. `at` always points at the first byte of a value, past blanks, unless said otherwise.
 * The text must be followed by a NUL, which ends every loop.
 */
#ifndef NMC_TRACE_SCAN_H
#define NMC_TRACE_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/limits.h"

enum nmc_scan_kind {
    NMC_SCAN_NULL,
    NMC_SCAN_BOOL,
    NMC_SCAN_NUMBER,
    NMC_SCAN_TEXT,
    NMC_SCAN_LIST,
    NMC_SCAN_OBJECT
};
extern const char *const nmc_scan_kind_names[]; /* with article: "a number" */

/* The bytes of a string between its quotes, or of a number. */
struct nmc_scan_span {
    const char *start;
    size_t length;
    bool escaped; /* a string that holds a backslash */
};

/* The keys of a text's outermost object and where their values start, noted in passing. */
struct nmc_scan_members {
    struct {
        const char *key, *value; /* key: its opening quote */
    } items[NMC_LIMIT_EVENT_KEYS];
    size_t count;
};

/* Checks that text[0..length) is one JSON object with nothing but blanks around it. NULL if so;
 * else what is wrong, and *at is where. */
const char *nmc_scan_check(const char *text, size_t length, struct nmc_scan_members *members,
                           const char **at);

const char *nmc_scan_blanks(const char *at);
enum nmc_scan_kind nmc_scan_kind(const char *at);

/* Past the value at `at`, and past blanks. */
const char *nmc_scan_skip(const char *at);

/* Enter a list or object: *at moves to its first element or key. False, and *at moves past the
 * closing bracket, if it is empty. */
bool nmc_scan_enter(const char **at);
/* After a value: *at moves to the next element or key, or past the closing bracket (false). */
bool nmc_scan_next(const char **at);

/* A string or number; *at moves past it and past blanks. */
struct nmc_scan_span nmc_scan_take(const char **at);
/* A key; *at moves to its value. */
struct nmc_scan_span nmc_scan_key(const char **at);

/* Resolves the escapes of a string into out, which has room for span.length + 1 bytes. False if
 * the text cannot be held as one: a NUL or half a surrogate pair. */
bool nmc_scan_unescape(struct nmc_scan_span span, char *out);

/* Whether the string, escapes resolved, is `text`. */
bool nmc_scan_equals(struct nmc_scan_span span, const char *text, size_t length);

#endif
