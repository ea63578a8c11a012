/*
 * own_files.h - files that neuromc writes or reads itself, recognised where something else is
 * expected.
 */
#ifndef NMC_OWN_FILES_H
#define NMC_OWN_FILES_H

#include <stddef.h>

struct nmc_own_file {
    const char *schema;   /* as the file names it */
    const char *what;     /* "a report of neuromc" */
    const char *where_to; /* which command takes it, as a hint */
};

/* What a text is by its schema, a line of YAML or the first member of JSON; NULL: nothing of
 * ours. It need not be whole. */
const struct nmc_own_file *nmc_own_file(const char *text, size_t size);

#endif
