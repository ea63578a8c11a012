/* preset_load.c - from a name to a preset: find, read, extend, assign, bind. */
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/limits.h"
#include "base/memory.h"
#include "frontends/own_files.h"
#include "model/preset_bind.h"
#include "model/preset_effective.h"
#include "model/preset_find.h"
#include "model/preset_merge.h"

/* The files that extend one another, the one asked for first. */
struct chain {
    struct nmc_arena *arena;
    const char *search_path;
    neuromc_diags *diags;
    const char *files[NMC_LIMIT_EXTENDS_DEPTH + 1];
    int count;
};

static neuromc_status read_file(struct chain *chain, const char *path, struct nmc_yaml **root);

static struct nmc_place place_of(const struct nmc_yaml *node) {
    return (struct nmc_place){
        .file = node->file, .line = node->line, .column = node->column, .where = "extends"};
}

static bool same_file(const char *a, const char *b) {
    struct stat x, y;
    return strcmp(a, b) == 0 ||
           (stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino);
}

static neuromc_status check_chain(const struct chain *chain, const struct nmc_yaml *extends,
                                  const char *file) {
    for (int i = 0; i < chain->count; i++)
        if (same_file(chain->files[i], file))
            return nmc_error(chain->diags, NEUROMC_BAD_INPUT, place_of(extends), NULL,
                             "%s extends itself", extends->text);
    if (chain->count > NMC_LIMIT_EXTENDS_DEPTH)
        return nmc_error(chain->diags, NEUROMC_BAD_INPUT, place_of(extends), NULL,
                         "more than %d presets extend one another", NMC_LIMIT_EXTENDS_DEPTH);
    return NEUROMC_OK;
}

/* Lays root over what it extends, if anything. Without its base a file cannot be judged: then
 * *root becomes NULL. */
static neuromc_status extend(struct chain *chain, struct nmc_yaml **root) {
    struct nmc_yaml *over = *root, *base = NULL;
    const struct nmc_yaml *extends = nmc_yaml_get(over, "extends");
    if (!extends || extends->kind != NMC_YAML_SCALAR || !extends->text[0])
        return NEUROMC_OK; /* of the wrong type: binding says so */
    *root = NULL;
    const char *file = nmc_preset_find(chain->arena, extends->text, chain->search_path, over->file,
                                       place_of(extends), chain->diags);
    if (!file)
        return chain->arena->failed ? nmc_out_of_memory(chain->diags) : NEUROMC_BAD_INPUT;
    neuromc_status status = check_chain(chain, extends, file);
    if (!status)
        status = read_file(chain, file, &base);
    if (!base)
        return status;
    nmc_yaml_remove(over, "extends");
    nmc_preset_merge(chain->arena, base, over);
    *root = base;
    return status;
}

/* What a text says with all that it extends. A failure may leave *root for further checks. */
static neuromc_status read_text(struct chain *chain, const char *data, size_t size,
                                const char *path, struct nmc_yaml **root) {
    if (size > NMC_LIMIT_PRESET_BYTES)
        return nmc_error(chain->diags, NEUROMC_BAD_INPUT, (struct nmc_place){.file = path}, NULL,
                         "longer than %zu bytes", NMC_LIMIT_PRESET_BYTES);
    const struct nmc_own_file *own = nmc_own_file(data, size);
    if (own && strcmp(own->schema, "neuromc-preset") != 0)
        return nmc_error(chain->diags, NEUROMC_BAD_INPUT, (struct nmc_place){.file = path},
                         own->where_to, "%s, not a preset", own->what);
    chain->files[chain->count++] = path;
    neuromc_status status = nmc_yaml_read(chain->arena, data, size, path, root, chain->diags);
    if (!*root || (*root)->kind != NMC_YAML_MAP)
        return status;
    nmc_preset_cover(*root);
    neuromc_status extended = extend(chain, root);
    return status ? status : extended;
}

static neuromc_status read_file(struct chain *chain, const char *path, struct nmc_yaml **root) {
    struct nmc_file file;
    neuromc_status status = nmc_file_open(&file, path, NMC_LIMIT_PRESET_BYTES, chain->diags);
    if (status)
        return status;
    status = read_text(chain, (const char *)file.data, file.size, path, root);
    nmc_file_close(&file);
    return status;
}

static neuromc_status assign_all(struct neuromc_preset *preset, struct nmc_yaml *root,
                                 const neuromc_preset_options *options, neuromc_diags *diags) {
    neuromc_status status = NEUROMC_OK;
    for (size_t i = 0; options && i < options->assignment_count; i++) {
        neuromc_status one =
            nmc_preset_assign(&preset->arena, root, options->assignments[i], diags);
        status = status ? status : one;
    }
    return status;
}

/* The works of a preset are a fixed set; the order is that of the key table. */
static void name_works(struct neuromc_preset *preset) {
    static const struct nmc_process_work works[NMC_WORKS] = {
        {.process = NMC_WITH_NOTHING, .phase = NMC_FORWARD},
        {.process = NMC_WITH_NOTHING, .phase = NMC_BACKWARD},
        {.process = NMC_WITH_SG, .phase = NMC_FORWARD},
        {.process = NMC_WITH_SG, .phase = NMC_BACKWARD},
        {.process = NMC_WITH_BN, .phase = NMC_FORWARD},
        {.process = NMC_WITH_BN, .phase = NMC_BACKWARD},
        {.process = NMC_WITH_OPT, .phase = NMC_OPTIMIZER, .optimizer = "adam"},
        {.process = NMC_WITH_OPT, .phase = NMC_OPTIMIZER, .optimizer = "adamw"},
        {.process = NMC_WITH_OPT, .phase = NMC_OPTIMIZER, .optimizer = "sgd"},
    };
    memcpy(preset->works, works, sizeof works);
    preset->work_count = NMC_WORKS;
}

static struct neuromc_preset *new_preset(void) {
    struct neuromc_preset *preset = nmc_malloc(sizeof *preset);
    if (!preset)
        return NULL;
    *preset = (struct neuromc_preset){.dram_memory = -1};
    nmc_arena_init(&preset->arena, NMC_LIMIT_PRESET_MEMORY);
    for (int core = 0; core < NMC_CORES; core++)
        for (int role = 0; role < NMC_OPERANDS; role++)
            preset->operands[core][role] = (struct nmc_operand){.reg = -1, .sram = -1};
    name_works(preset);
    return preset;
}

/* Everything after the text has become a tree. */
static neuromc_status complete(struct neuromc_preset *preset, struct nmc_yaml *root,
                               const neuromc_preset_options *options, enum nmc_laws laws,
                               neuromc_diags *diags) {
    neuromc_status status = assign_all(preset, root, options, diags);
    neuromc_status expanded =
        nmc_laws_expand(&preset->arena, root, options ? options->search_path : NULL, diags);
    status = status ? status : expanded;
    neuromc_status bound = nmc_preset_bind(preset, root, diags);
    status = status ? status : bound;
    if (!status)
        status = nmc_laws_bind(preset, root, diags);
    if (!status && laws == NMC_LAWS_NOW)
        status = nmc_laws_obey(preset, root, diags);
    if (status)
        return status;
    preset->file = root->file;
    preset->tree = root;
    return nmc_preset_describe(preset) ? NEUROMC_OK : nmc_out_of_memory(diags);
}

static neuromc_status hand_out(struct neuromc_preset *preset, struct nmc_yaml *root,
                               neuromc_status status, const neuromc_preset_options *options,
                               enum nmc_laws laws, neuromc_preset **out, neuromc_diags *diags) {
    /* A tree that reading refused in part, or whose base is missing, may have more to say. */
    if (root && !preset->arena.failed && status != NEUROMC_IO) {
        neuromc_status completed = complete(preset, root, options, laws, diags);
        status = status ? status : completed;
    }
    if (status)
        neuromc_preset_free(preset);
    else
        *out = preset;
    return status;
}

neuromc_status nmc_preset_read(const char *data, size_t size, const char *file,
                               const neuromc_preset_options *options, neuromc_preset **out,
                               neuromc_diags *diags) {
    *out = NULL;
    struct neuromc_preset *preset = new_preset();
    if (!preset)
        return nmc_out_of_memory(diags);
    struct chain chain = {.arena = &preset->arena, .diags = diags};
    chain.search_path = options ? options->search_path : NULL;
    struct nmc_yaml *root = NULL;
    neuromc_status status = read_text(&chain, data, size, file, &root);
    return hand_out(preset, root, status, options, NMC_LAWS_NOW, out, diags);
}

/* As nmc_preset_open, in the preset's own chain; *root may be there after a failure. */
static neuromc_status open_chain(struct nmc_arena *arena, const char *name_or_path,
                                 const char *search_path, struct nmc_yaml **root,
                                 neuromc_diags *diags) {
    struct chain chain = {.arena = arena, .search_path = search_path, .diags = diags};
    if (nmc_preset_path_check(search_path, diags) != NEUROMC_OK)
        return NEUROMC_USAGE;
    const char *path =
        nmc_preset_find(arena, name_or_path, search_path, NULL, (struct nmc_place){0}, diags);
    if (path)
        return read_file(&chain, path, root);
    return arena->failed ? nmc_out_of_memory(diags) : NEUROMC_USAGE;
}

neuromc_status neuromc_preset_load(const char *name_or_path, const neuromc_preset_options *options,
                                   neuromc_preset **out, neuromc_diags *diags) {
    *out = NULL;
    struct neuromc_preset *preset = new_preset();
    if (!preset)
        return nmc_out_of_memory(diags);
    struct nmc_yaml *root = NULL;
    neuromc_status status = open_chain(&preset->arena, name_or_path,
                                       options ? options->search_path : NULL, &root, diags);
    return hand_out(preset, root, status, options, NMC_LAWS_NOW, out, diags);
}

neuromc_status nmc_preset_open(struct nmc_arena *arena, const char *name_or_path,
                               const char *search_path, struct nmc_yaml **root,
                               neuromc_diags *diags) {
    *root = NULL;
    neuromc_status status = open_chain(arena, name_or_path, search_path, root, diags);
    if (status == NEUROMC_OK)
        status = nmc_laws_expand(arena, *root, search_path, diags);
    return status;
}

neuromc_status nmc_preset_build(const struct nmc_yaml *root, const neuromc_preset_options *options,
                                enum nmc_laws laws, neuromc_preset **out, neuromc_diags *diags) {
    *out = NULL;
    struct neuromc_preset *preset = new_preset();
    if (!preset)
        return nmc_out_of_memory(diags);
    struct nmc_yaml *copy = nmc_yaml_copy(&preset->arena, root);
    neuromc_status status = copy ? NEUROMC_OK : nmc_out_of_memory(diags);
    return hand_out(preset, copy, status, options, laws, out, diags);
}
