/*
 * diag.h - what went wrong, where, and what to do about it: the filling side of neuromc_diags.
 *
 * An error is described once, where it is found, and travels up as a bare status. A list that
 * runs out of memory keeps what it has and says so in its last entry.
 */
#ifndef NMC_DIAG_H
#define NMC_DIAG_H

#include "neuromc.h"

/* The place of a message; all fields may be 0 or NULL. Strings are copied. */
struct nmc_place {
    const char *file;
    int line, column;
    const char *where;
};

/* Each returns its status, so that `return nmc_error(...)` is the usual way out. hint may be
 * NULL; message is a printf format. diags may be NULL, which drops the text. */
neuromc_status nmc_error(neuromc_diags *diags, neuromc_status status, struct nmc_place place,
                         const char *hint, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
neuromc_status nmc_out_of_memory(neuromc_diags *diags);
void nmc_warning(neuromc_diags *diags, struct nmc_place place, const char *hint, const char *format,
                 ...) __attribute__((format(printf, 4, 5)));
void nmc_note(neuromc_diags *diags, struct nmc_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

size_t nmc_diags_errors(const neuromc_diags *diags);

#endif
