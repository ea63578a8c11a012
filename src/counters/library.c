#include "counters/library.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

static const char *place_of(struct nmc_counter *counter, const char *path) {
    const char *root = counter->options.asked.library_root, *slash = strrchr(path, '/');
    if (!root)
        return path;
    return nmc_arena_printf(&counter->arena, "%s/%s", root, slash ? slash + 1 : path);
}

/* Not there, or there and broken. */
static bool not_opened(struct nmc_missing *missing, const char *path) {
    const char *error = dlerror();
    bool absent = strchr(path, '/') ? access(path, F_OK) != 0
                                    : error && strstr(error, "No such file") != NULL;
    if (absent)
        return nmc_lacks(missing, NMC_NOT_PRESENT, "there is no %s", path);
    return nmc_lacks(missing, NMC_UNREADABLE, "%s cannot be loaded: %s", path,
                     error ? error : "no reason given");
}

bool nmc_library_symbol(struct nmc_library *library, const struct nmc_symbol *symbol, void *table) {
    void *address = dlsym(library->handle, symbol->name);
    /* ISO C has no cast from an object's to a function's address. */
    memcpy((char *)table + symbol->offset, &address, sizeof address);
    return address;
}

bool nmc_library_symbols(struct nmc_library *library, const struct nmc_symbol *symbols,
                         size_t count, void *table, struct nmc_missing *missing) {
    for (size_t i = 0; i < count; i++) {
        if (nmc_library_symbol(library, &symbols[i], table))
            continue;
        nmc_library_close(library);
        return nmc_lacks(missing, NMC_UNSUPPORTED, "%s has no %s", library->path, symbols[i].name);
    }
    return true;
}

bool nmc_library_open(struct nmc_counter *counter, struct nmc_library *library, const char *path,
                      const struct nmc_symbol *symbols, size_t count, void *table,
                      struct nmc_missing *missing) {
    library->path = place_of(counter, path);
    if (!library->path)
        return false;
    library->handle = dlopen(library->path, RTLD_NOW | RTLD_LOCAL);
    if (!library->handle)
        return not_opened(missing, library->path);
    return nmc_library_symbols(library, symbols, count, table, missing);
}

void nmc_library_close(struct nmc_library *library) {
    if (library->handle)
        dlclose(library->handle);
    library->handle = NULL;
}
