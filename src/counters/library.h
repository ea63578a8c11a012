/*
 * library.h - libraries that only some machines have, opened at run time: nothing of them is
 * needed to build.
 */
#ifndef NMC_LIBRARY_H
#define NMC_LIBRARY_H

#include "counters/kind.h"

/* A function of a library and where its address goes in a struct of function pointers. */
struct nmc_symbol {
    const char *name;
    size_t offset;
};

struct nmc_library {
    void *handle;
    const char *path;
};

/* Opens a library (below --library-root by its last name, if that is given) and fills the table.
 * False: `missing` says why; nothing stays open. */
bool nmc_library_open(struct nmc_counter *counter, struct nmc_library *library, const char *path,
                      const struct nmc_symbol *symbols, size_t count, void *table,
                      struct nmc_missing *missing);
/* A function of an open library that it may lack; false if it does: the table has NULL. */
bool nmc_library_symbol(struct nmc_library *library, const struct nmc_symbol *symbol, void *table);
/* More functions of an open library; a missing one closes it. */
bool nmc_library_symbols(struct nmc_library *library, const struct nmc_symbol *symbols,
                         size_t count, void *table, struct nmc_missing *missing);
void nmc_library_close(struct nmc_library *library);

#endif
