/* preset_list.c - all presets on the search path, for `neuromc presets`. */
#include "base/limits.h"
#include "model/preset.h"
#include "model/preset_find.h"

static const neuromc_diag *first_error(const neuromc_diags *diags) {
    size_t i = 0;
    while (i < neuromc_diags_count(diags) && neuromc_diags_at(diags, i)->severity != NEUROMC_ERROR)
        i++;
    return neuromc_diags_at(diags, i);
}

/* A file that cannot be used is listed as a warning with its first error. */
static bool visit_one(const char *name, const char *file, const char *search_path,
                      bool (*visit)(void *user, const neuromc_preset_info *info), void *user,
                      neuromc_diags *diags) {
    neuromc_preset_options options = {.search_path = search_path};
    neuromc_preset *preset;
    neuromc_diags *errors = neuromc_diags_new();
    bool go_on = true;
    if (neuromc_preset_load(file, &options, &preset, errors) == NEUROMC_OK) {
        neuromc_preset_info info = {.name = name,
                                    .path = file,
                                    .description = preset->description,
                                    .technology_nm = preset->technology_nm};
        go_on = visit(user, &info);
        neuromc_preset_free(preset);
    } else {
        const neuromc_diag *first = errors ? first_error(errors) : NULL;
        nmc_warning(diags, (struct nmc_place){.file = file, .line = first ? first->line : 0},
                    "`neuromc presets check` lists all errors", "not usable: %s",
                    first ? first->message : "memory ran out");
    }
    neuromc_diags_free(errors);
    return go_on;
}

neuromc_status neuromc_preset_list(const char *search_path,
                                   bool (*visit)(void *user, const neuromc_preset_info *info),
                                   void *user, neuromc_diags *diags) {
    struct nmc_arena arena;
    const char **names, **files;
    size_t count;
    nmc_arena_init(&arena, NMC_LIMIT_PRESET_MEMORY);
    neuromc_status status = nmc_preset_path_check(search_path, diags);
    if (status == NEUROMC_OK && !nmc_preset_names(&arena, search_path, &names, &files, &count))
        status = nmc_out_of_memory(diags);
    for (size_t i = 0; !status && i < count; i++)
        if (!visit_one(names[i], files[i], search_path, visit, user, diags))
            break;
    nmc_arena_release(&arena);
    return status;
}
