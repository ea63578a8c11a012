/* Which version of which operator set a model or function is written in. */
#include <string.h>

#include "frontends/onnx_build.h"

enum { NEWEST_OPSET = 23 };

static struct nmc_import *find(const struct nmc_imports *imports, const char *domain) {
    for (size_t i = 0; i < imports->count; i++)
        if (strcmp(imports->items[i].domain, domain) == 0)
            return &imports->items[i];
    return NULL;
}

int nmc_imports_find(const struct nmc_imports *imports, const char *domain) {
    const struct nmc_import *import = find(imports, domain);
    return import ? import->version : 0;
}

/* Several versions of one domain are not legal and do occur, in files put together from others.
 * The highest is taken: operators of older versions are mostly read alike. */
static void add(struct nmc_loader *loader, struct nmc_imports *imports,
                const Onnx__OperatorSetIdProto *from) {
    const char *domain = nmc_domain(from->domain);
    int version = from->version > 0 && from->version < INT32_MAX ? (int)from->version : 1;
    struct nmc_import *known = find(imports, domain);
    if (!known) {
        char *copy = nmc_arena_strdup(&loader->net->arena, domain);
        imports->items[imports->count++] = (struct nmc_import){copy ? copy : "", version};
        return;
    }
    int higher = version > known->version ? version : known->version;
    if (version != known->version)
        nmc_loader_warning(loader, "opsets %d and %d of %s are both imported: taking %d",
                           known->version, version, *domain ? domain : "ai.onnx", higher);
    known->version = higher;
}

neuromc_status nmc_imports_read(struct nmc_loader *loader, struct nmc_imports *imports,
                                Onnx__OperatorSetIdProto *const *from, size_t count) {
    struct nmc_arena *arena = &loader->net->arena;
    imports->items = nmc_arena_array(arena, count, sizeof *imports->items);
    if (!imports->items)
        return nmc_loader_arena(loader, arena);
    for (size_t i = 0; i < count; i++)
        add(loader, imports, from[i]);
    int version = nmc_imports_find(imports, "");
    if (version > NEWEST_OPSET && imports == &loader->imports) /* once, not for each function */
        nmc_loader_warning(loader, "opset %d is newer than the newest known: read as opset %d",
                           version, NEWEST_OPSET);
    return nmc_loader_arena(loader, arena);
}
