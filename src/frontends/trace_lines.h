/*
 * trace_lines.h - a file or standard input, one line at a time.
 *
 * Memory is one line and one read ahead; the file is never held whole. A line ends with a newline
 * or with the file.
 */
#ifndef NMC_TRACE_LINES_H
#define NMC_TRACE_LINES_H

#include "base/diag.h"
#include "base/file.h"

struct nmc_lines {
    int fd;
    bool owned;       /* fd is closed at the end */
    const char *name; /* for messages; borrowed */
    char *buffer;
    size_t capacity;
    size_t start, end; /* bytes read and not yet handed out */
    size_t scanned;    /* bytes from start known to hold no newline */
    size_t number;     /* of the line handed out last, from 1 */
    bool at_end;
};

/* path "-" is standard input; peek (may be NULL) holds what was already taken from it. */
neuromc_status nmc_lines_open(struct nmc_lines *lines, const char *path,
                              const struct nmc_peek *peek, neuromc_diags *diags);
void nmc_lines_close(struct nmc_lines *lines);

/* The next line, NUL in place of its newline; valid until the next call. NULL at the end. */
neuromc_status nmc_lines_next(struct nmc_lines *lines, char **text, size_t *length,
                              neuromc_diags *diags);

#endif
