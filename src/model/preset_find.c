/* preset_find.c - the search path of presets. */
#include "model/preset_find.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "base/strmap.h"
#include "base/suggest.h"

static const char suffix[] = ".yaml";

static bool ends_in_yaml(const char *name) {
    size_t length = strlen(name);
    return length >= sizeof suffix - 1 && strcmp(name + length - (sizeof suffix - 1), suffix) == 0;
}

static const char *inside(struct nmc_arena *arena, const char *directory, size_t length,
                          const char *folder) {
    return nmc_arena_printf(arena, "%.*s%s%s", (int)length, directory, folder ? "/" : "",
                            folder ? folder : "");
}

/* folder: what to look into below the directories that a user names, or NULL. */
static const char **directories_of(struct nmc_arena *arena, const char *search_path,
                                   const char *folder, size_t *count) {
    const char *listed = getenv("NEUROMC_PRESET_PATH");
    size_t most = 4;
    for (const char *at = listed; at && *at; at++)
        most += *at == ':';
    const char **directories = nmc_arena_array(arena, most, sizeof *directories);
    *count = 0;
    if (!directories)
        return NULL;
    if (search_path)
        directories[(*count)++] = inside(arena, search_path, strlen(search_path), folder);
    while (listed && *listed) {
        size_t length = strcspn(listed, ":");
        if (length)
            directories[(*count)++] = inside(arena, listed, length, folder);
        listed += length + (listed[length] == ':');
    }
    const char *shipped = folder ? folder : "memory_presets";
    directories[(*count)++] = nmc_arena_printf(arena, "%s/%s", NMC_DATADIR, shipped);
    directories[(*count)++] = nmc_arena_printf(arena, "%s/configs/%s", NMC_SOURCE_DIR, shipped);
    return arena->failed ? NULL : directories;
}

static int by_name(const void *a, const void *b) {
    const char *const *x = a, *const *y = b;
    return strcmp(*x, *y);
}

/* Adds the presets of one directory that no earlier directory has. */
static bool add_names(struct nmc_arena *arena, const char *directory, struct nmc_strmap *known,
                      const char ***names, size_t *count, size_t *capacity) {
    DIR *dir = opendir(directory);
    bool good = true;
    if (!dir)
        return true;
    for (struct dirent *entry; good && (entry = readdir(dir));) {
        if (!ends_in_yaml(entry->d_name) || entry->d_name[0] == '.')
            continue;
        char *name =
            nmc_arena_strndup(arena, entry->d_name, strlen(entry->d_name) - (sizeof suffix - 1));
        char *file = nmc_arena_printf(arena, "%s/%s", directory, entry->d_name);
        if (!name || !file)
            good = false;
        else if (!nmc_strmap_get(known, name)) {
            good = nmc_strmap_put(known, name, file) &&
                   nmc_grow(names, capacity, *count + 1, sizeof **names);
            if (good)
                (*names)[(*count)++] = name;
        }
    }
    closedir(dir);
    return good;
}

static bool names_of(struct nmc_arena *arena, const char *search_path, const char *folder,
                     const char ***names, const char ***files, size_t *count) {
    size_t directory_count, capacity = 0;
    const char **directories = directories_of(arena, search_path, folder, &directory_count);
    struct nmc_strmap known = {0};
    const char **found = NULL;
    bool good = directories;
    *count = 0;
    for (size_t i = 0; good && i < directory_count; i++)
        good = add_names(arena, directories[i], &known, &found, count, &capacity);
    if (good && *count)
        qsort(found, *count, sizeof *found, by_name);
    *names = nmc_arena_array(arena, *count, sizeof **names);
    *files = nmc_arena_array(arena, *count, sizeof **files);
    good = good && *names && *files;
    for (size_t i = 0; good && i < *count; i++) {
        (*names)[i] = found[i];
        (*files)[i] = nmc_strmap_get(&known, found[i]);
    }
    nmc_strmap_release(&known);
    nmc_free(found);
    return good;
}

bool nmc_preset_names(struct nmc_arena *arena, const char *search_path, const char ***names,
                      const char ***files, size_t *count) {
    return names_of(arena, search_path, NULL, names, files, count);
}

static const char *relative(struct nmc_arena *arena, const char *path, const char *from) {
    const char *slash = from && path[0] != '/' ? strrchr(from, '/') : NULL;
    if (!slash)
        return nmc_arena_strdup(arena, path);
    return nmc_arena_printf(arena, "%.*s/%s", (int)(slash - from), from, path);
}

static void not_found(struct nmc_arena *arena, const char *name, const char *search_path,
                      const char *folder, struct nmc_place place, neuromc_diags *diags) {
    const char **names, **files, **directories;
    size_t count;
    struct nmc_suggest suggest;
    struct nmc_strbuf hint;
    nmc_strbuf_init(&hint);
    nmc_suggest_init(&suggest, name);
    if (names_of(arena, search_path, folder, &names, &files, &count))
        for (size_t i = 0; i < count; i++)
            nmc_suggest_offer(&suggest, names[i]);
    if (suggest.best)
        nmc_strbuf_printf(&hint, "did you mean %s? ", suggest.best);
    directories = directories_of(arena, search_path, folder, &count);
    nmc_strbuf_puts(&hint, "looked in");
    for (size_t i = 0; directories && i < count; i++)
        nmc_strbuf_printf(&hint, "%s %s", i ? "," : "", directories[i]);
    nmc_error(diags, place.file ? NEUROMC_BAD_INPUT : NEUROMC_USAGE, place, hint.text,
              "no %s is called \"%.64s\"", folder ? "law" : "preset", name);
    nmc_strbuf_release(&hint);
}

static bool is_file(const char *path) {
    struct stat info;
    return path && stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

neuromc_status nmc_preset_path_check(const char *search_path, neuromc_diags *diags) {
    struct stat info;
    if (!search_path || (stat(search_path, &info) == 0 && S_ISDIR(info.st_mode)))
        return NEUROMC_OK;
    return nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){.file = search_path},
                     "--preset-path takes a directory that has presets",
                     "there is no directory of that name to look for presets in");
}

static const char *find(struct nmc_arena *arena, const char *name_or_path, const char *search_path,
                        const char *folder, const char *from, struct nmc_place place,
                        neuromc_diags *diags) {
    if (strchr(name_or_path, '/') || ends_in_yaml(name_or_path))
        return relative(arena, name_or_path, from);
    size_t count;
    const char **directories = directories_of(arena, search_path, folder, &count);
    for (size_t i = 0; directories && i < count; i++) {
        const char *file = nmc_arena_printf(arena, "%s/%s%s", directories[i], name_or_path, suffix);
        if (file && access(file, F_OK) == 0)
            return file;
    }
    /* A file without the suffix, such as a.yml. */
    const char *file = relative(arena, name_or_path, from);
    if (is_file(file))
        return file;
    if (!arena->failed)
        not_found(arena, name_or_path, search_path, folder, place, diags);
    return NULL;
}

const char *nmc_preset_find(struct nmc_arena *arena, const char *name_or_path,
                            const char *search_path, const char *from, struct nmc_place place,
                            neuromc_diags *diags) {
    return find(arena, name_or_path, search_path, NULL, from, place, diags);
}

const char *nmc_law_find(struct nmc_arena *arena, const char *name_or_path, const char *search_path,
                         const char *from, struct nmc_place place, neuromc_diags *diags) {
    return find(arena, name_or_path, search_path, "laws", from, place, diags);
}
