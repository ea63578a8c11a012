/* law_expand.c - the files that `from:` names become part of the laws that name them. */
#include <string.h>

#include "base/file.h"
#include "base/limits.h"
#include "model/law.h"
#include "model/preset_find.h"
#include "model/preset_merge.h"

static struct nmc_place place_of(struct nmc_arena *arena, const struct nmc_yaml *node) {
    return (struct nmc_place){.file = node->file,
                              .line = node->line,
                              .column = node->column,
                              .where = nmc_yaml_path(arena, node)};
}

static neuromc_status read_law(struct nmc_arena *arena, const char *path, struct nmc_yaml **root,
                               neuromc_diags *diags) {
    struct nmc_file file;
    neuromc_status status = nmc_file_open(&file, path, NMC_LIMIT_PRESET_BYTES, diags);
    if (status != NEUROMC_OK)
        return status;
    status = nmc_yaml_read(arena, (const char *)file.data, file.size, path, root, diags);
    nmc_file_close(&file);
    if (status == NEUROMC_OK && !nmc_yaml_is(nmc_yaml_get(*root, "schema"), "neuromc-law/1"))
        status = nmc_error(diags, NEUROMC_BAD_INPUT, (struct nmc_place){.file = path, .line = 1},
                           NULL, "expected a law: schema: neuromc-law/1");
    return status;
}

static neuromc_status expand_one(struct nmc_arena *arena, struct nmc_yaml *law,
                                 const char *search_path, neuromc_diags *diags) {
    static const char *const own[] = {"schema", "name", "description"};
    const struct nmc_yaml *from = nmc_yaml_get(law, "from");
    if (!from || from->kind != NMC_YAML_SCALAR)
        return NEUROMC_OK; /* of the wrong type: binding says so */
    const char *path =
        nmc_law_find(arena, from->text, search_path, from->file, place_of(arena, from), diags);
    struct nmc_yaml *base;
    if (!path)
        return arena->failed ? nmc_out_of_memory(diags) : NEUROMC_BAD_INPUT;
    neuromc_status status = read_law(arena, path, &base, diags);
    if (status != NEUROMC_OK)
        return status;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        nmc_yaml_remove(base, own[i]);
    nmc_preset_cover(base);
    nmc_yaml_remove(law, "from");
    nmc_preset_lay_over(arena, base, law);
    base->key = law->key;
    base->file = law->file;
    base->line = law->line;
    base->column = law->column;
    base->key_line = law->key_line;
    base->key_column = law->key_column;
    nmc_yaml_replace(law, base);
    return NEUROMC_OK;
}

neuromc_status nmc_laws_expand(struct nmc_arena *arena, struct nmc_yaml *root,
                               const char *search_path, neuromc_diags *diags) {
    const struct nmc_yaml *laws = nmc_yaml_get(root, "laws");
    neuromc_status status = NEUROMC_OK;
    struct nmc_yaml *next;
    for (struct nmc_yaml *law = laws ? laws->first : NULL; law; law = next) {
        next = law->next;
        neuromc_status one = expand_one(arena, law, search_path, diags);
        status = status ? status : one;
    }
    return status;
}
