/* suite.c - a list of models to validate, read as strictly as a preset. */
#include <string.h>

#include "base/file.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/suggest.h"
#include "model/preset_bind.h"

struct neuromc_suite {
    struct nmc_arena arena;
    const char **labels, **paths;
    size_t count;
};

/* Relative paths start from where the file is. */
static const char *beside(struct nmc_arena *arena, const char *file, const char *path) {
    const char *slash = strrchr(file, '/');
    if (path[0] == '/' || !slash)
        return nmc_arena_strdup(arena, path);
    return nmc_arena_printf(arena, "%.*s/%s", (int)(slash - file), file, path);
}

static void read_models(struct neuromc_suite *suite, struct nmc_bind *bind,
                        const struct nmc_yaml *node) {
    size_t count = 0;
    if (node->kind != NMC_YAML_MAP || !node->first) {
        nmc_bind_error(bind, node, "resnet18: models/resnet18.onnx",
                       "expected a mapping of labels to files");
        return;
    }
    for (const struct nmc_yaml *item = node->first; item; item = item->next)
        count++;
    suite->labels = nmc_arena_array(&suite->arena, count, sizeof *suite->labels);
    suite->paths = nmc_arena_array(&suite->arena, count, sizeof *suite->paths);
    for (const struct nmc_yaml *item = node->first; item && suite->paths && suite->labels;
         item = item->next) {
        if (item->kind != NMC_YAML_SCALAR || !item->text[0]) {
            nmc_bind_error(bind, item, NULL, "expected the path of a model");
            continue;
        }
        suite->labels[suite->count] = nmc_arena_strdup(&suite->arena, item->key);
        suite->paths[suite->count++] = beside(&suite->arena, node->file, item->text);
    }
}

static void read_root(struct neuromc_suite *suite, struct nmc_bind *bind,
                      const struct nmc_yaml *root) {
    const struct nmc_yaml *schema = NULL, *models = NULL;
    if (root->kind != NMC_YAML_MAP) {
        nmc_bind_error(bind, root, "schema: neuromc-suite/1", "expected a mapping of keys");
        return;
    }
    for (const struct nmc_yaml *node = root->first; node; node = node->next)
        if (strcmp(node->key, "schema") == 0)
            schema = node;
        else if (strcmp(node->key, "models") == 0)
            models = node;
        else
            nmc_bind_error(bind, node, "a suite has schema and models", "unknown key");
    if (!schema || !nmc_yaml_is(schema, "neuromc-suite/1"))
        nmc_bind_error(bind, schema ? schema : root, NULL, "expected schema: neuromc-suite/1");
    if (models)
        read_models(suite, bind, models);
    else
        nmc_bind_error(bind, root, "models: {resnet18: models/resnet18.onnx}",
                       "missing key: models");
}

static neuromc_status read_file(struct neuromc_suite *suite, const char *path,
                                neuromc_diags *diags) {
    struct nmc_file file;
    struct nmc_yaml *root = NULL;
    neuromc_status status = nmc_file_open(&file, path, NMC_LIMIT_PRESET_BYTES, diags);
    if (status != NEUROMC_OK)
        return status;
    status = nmc_yaml_read(&suite->arena, (const char *)file.data, file.size, path, &root, diags);
    nmc_file_close(&file);
    struct nmc_bind bind = {.arena = &suite->arena, .root = root, .diags = diags};
    if (status == NEUROMC_OK && !root)
        return nmc_error(diags, NEUROMC_BAD_INPUT, (struct nmc_place){.file = path, .line = 1},
                         "schema: neuromc-suite/1", "the file is empty");
    if (root)
        read_root(suite, &bind, root);
    if (suite->arena.failed)
        return nmc_out_of_memory(diags);
    return bind.errors ? NEUROMC_BAD_INPUT : status;
}

neuromc_status neuromc_suite_load(const char *path, neuromc_suite **out, neuromc_diags *diags) {
    struct neuromc_suite *suite = nmc_malloc(sizeof *suite);
    *out = NULL;
    if (!suite)
        return nmc_out_of_memory(diags);
    *suite = (struct neuromc_suite){.count = 0};
    nmc_arena_init(&suite->arena, NMC_LIMIT_PRESET_MEMORY);
    neuromc_status status = read_file(suite, path, diags);
    if (status == NEUROMC_OK)
        *out = suite;
    else
        neuromc_suite_free(suite);
    return status;
}

void neuromc_suite_free(neuromc_suite *suite) {
    if (!suite)
        return;
    nmc_arena_release(&suite->arena);
    nmc_free(suite);
}

size_t neuromc_suite_count(const neuromc_suite *suite) {
    return suite->count;
}

const char *neuromc_suite_label(const neuromc_suite *suite, size_t index) {
    return suite->labels[index];
}

const char *neuromc_suite_path(const neuromc_suite *suite, size_t index) {
    return suite->paths[index];
}
