#include "mapping/mapping_file.h"

#include <string.h>

#include "base/checked.h"
#include "base/file.h"
#include "base/number.h"
#include "base/suggest.h"
#include "frontends/own_files.h"
#include "model/preset_bind.h"

/* A file for a deep network has some thousands. */
enum { MOST_VALUES = 1 << 20 };

struct reader {
    struct nmc_mapping_file *file;
    const struct neuromc_preset *preset;
    struct nmc_bind bind;
    bool failed; /* memory */
};

/* ---- loops -------------------------------------------------------------------------------- */

/* The dim that a text starts with, and its number; NMC_MAP_DIMS if it is no "K 2". */
static int parse_loop(const char *text, int64_t *count) {
    size_t name = strcspn(text, " "), gap = strspn(text + name, " ");
    const char *number = text + name + gap;
    int dim = 0;
    while (dim < NMC_MAP_DIMS && (strlen(nmc_map_dim_names[dim]) != name ||
                                  strncmp(nmc_map_dim_names[dim], text, name) != 0))
        dim++;
    bool good = gap && nmc_integer_parse(number, strlen(number), count) && *count >= 1;
    return good ? dim : NMC_MAP_DIMS;
}

/* A list of loops into counts by dim, and their order unless that is NULL. */
static void read_loops(struct reader *r, const struct nmc_yaml *list, int64_t counts[NMC_MAP_DIMS],
                       struct nmc_order *order) {
    bool seen[NMC_MAP_DIMS] = {false};
    if (list->kind != NMC_YAML_LIST) {
        nmc_bind_error(&r->bind, list, "temporal: [K 2, P 7]", "expected a list of loops");
        return;
    }
    for (const struct nmc_yaml *item = list->first; item; item = item->next) {
        int64_t count = 1;
        int dim = item->kind == NMC_YAML_SCALAR ? parse_loop(item->text, &count) : NMC_MAP_DIMS;
        if (dim == NMC_MAP_DIMS) {
            nmc_bind_error(&r->bind, item, "dims are N, K, C, P, Q, R, S",
                           "expected a loop such as K 2");
        } else if (seen[dim]) {
            nmc_bind_error(&r->bind, item, NULL, "%s has a loop here already",
                           nmc_map_dim_names[dim]);
        } else {
            seen[dim] = true;
            counts[dim] = count;
            if (order)
                order->dims[order->count++] = (unsigned char)dim;
        }
    }
}

static bool may_spread(const struct nmc_preset_level *level, int mesh, int dim) {
    for (int i = 0; i < level->spread_count[mesh]; i++)
        if ((int)level->spread[mesh][i] == dim)
            return true;
    return false;
}

static void read_spatial(struct reader *r, const struct nmc_yaml *list, int number, int mesh,
                         struct nmc_unrolling *out) {
    const struct nmc_preset_level *level = &r->preset->machine.levels[number];
    int64_t *counts = out->count[number][mesh];
    read_loops(r, list, counts, NULL);
    for (int d = 0; d < NMC_MAP_DIMS; d++) {
        if (counts[d] > 1 && !may_spread(level, mesh, d))
            nmc_bind_error(&r->bind, list, "spread_x and spread_y of the machine's level say what",
                           "%s cannot be unrolled along %s inside %s", nmc_map_dim_names[d],
                           nmc_mesh_names[mesh], level->name);
        if (!nmc_mul(out->macs, counts[d], &out->macs))
            out->macs = INT64_MAX;
    }
}

/* ---- levels ------------------------------------------------------------------------------- */

static int find_level(struct reader *r, const struct nmc_yaml *node) {
    const struct nmc_preset_machine *machine = &r->preset->machine;
    struct nmc_suggest suggest;
    nmc_suggest_init(&suggest, node->key);
    for (int i = 0; i < machine->level_count; i++) {
        if (strcmp(machine->levels[i].name, node->key) == 0)
            return i;
        nmc_suggest_offer(&suggest, machine->levels[i].name);
    }
    nmc_bind_error(&r->bind, node, suggest.best, "the machine of %s has no such level",
                   r->preset->name);
    return -1;
}

static void read_level(struct reader *r, const struct nmc_yaml *node, struct nmc_map_plan *plan) {
    int level = find_level(r, node);
    if (node->kind != NMC_YAML_MAP)
        nmc_bind_error(&r->bind, node, "dram: {temporal: [K 2, P 7]}",
                       "expected temporal, x and y loops");
    for (const struct nmc_yaml *at = node->first; level >= 0 && at && node->kind == NMC_YAML_MAP;
         at = at->next) {
        if (strcmp(at->key, "temporal") == 0)
            read_loops(r, at, plan->temporal[level], &plan->order[level]);
        else if (strcmp(at->key, nmc_mesh_names[NMC_MESH_X]) == 0)
            read_spatial(r, at, level, NMC_MESH_X, &plan->unrolling);
        else if (strcmp(at->key, nmc_mesh_names[NMC_MESH_Y]) == 0)
            read_spatial(r, at, level, NMC_MESH_Y, &plan->unrolling);
        else
            nmc_bind_error(&r->bind, at, "temporal, x, y", "no such key");
    }
}

static struct nmc_map_plan *new_plan(struct reader *r) {
    struct nmc_map_plan *plan = nmc_arena_alloc(&r->file->arena, sizeof *plan);
    if (!plan)
        return NULL;
    plan->unrolling.macs = 1;
    for (int i = 0; i < NMC_LIMIT_MAP_LEVELS; i++)
        for (int d = 0; d < NMC_MAP_DIMS; d++) {
            plan->temporal[i][d] = 1;
            plan->unrolling.count[i][NMC_MESH_X][d] = plan->unrolling.count[i][NMC_MESH_Y][d] = 1;
        }
    return plan;
}

static struct nmc_map_plan *read_levels(struct reader *r, const struct nmc_yaml *node) {
    struct nmc_map_plan *plan = new_plan(r);
    if (node->kind != NMC_YAML_MAP)
        nmc_bind_error(&r->bind, node, NULL, "expected a mapping of levels to loops");
    for (const struct nmc_yaml *at = node->first; plan && at && node->kind == NMC_YAML_MAP;
         at = at->next)
        read_level(r, at, plan);
    r->failed |= !plan;
    return plan;
}

/* ---- mappings ----------------------------------------------------------------------------- */

static void add_layer(struct reader *r, const char *op, const struct nmc_map_plan *plan,
                      const struct nmc_yaml *mapping, const struct nmc_yaml *name) {
    struct nmc_mapping_file *file = r->file;
    nmc_layer_key(&file->key, op, name->text);
    const char *key = nmc_arena_strdup(&file->arena, file->key.text);
    struct nmc_file_layer *layer = nmc_arena_alloc(&file->arena, sizeof *layer);
    if (file->key.failed || !key || !layer) {
        r->failed = true;
        return;
    }
    struct nmc_file_layer *same = nmc_strmap_get(&file->index, key);
    *layer =
        (struct nmc_file_layer){.plan = plan, .mapping = mapping, .name = name, .same_name = same};
    r->failed |= !nmc_strmap_put(&file->index, key, layer);
    if (file->last)
        file->last->next = layer;
    else
        file->first = layer;
    file->last = layer;
}

static bool is_text(struct reader *r, const struct nmc_yaml *node, const char *what) {
    if (node->kind == NMC_YAML_SCALAR && node->text[0])
        return true;
    if (node->kind != NMC_YAML_REFUSED)
        nmc_bind_error(&r->bind, node, NULL, "expected %s", what);
    return false;
}

static void check_keys(struct reader *r, const struct nmc_yaml *map, const char *const *keys,
                       const char *known) {
    for (const struct nmc_yaml *at = map->first; at; at = at->next) {
        int i = 0;
        while (keys[i] && strcmp(keys[i], at->key) != 0)
            i++;
        if (!keys[i])
            nmc_bind_error(&r->bind, at, known, "no such key");
    }
    for (int i = 0; keys[i]; i++)
        if (!nmc_yaml_get(map, keys[i]))
            nmc_bind_error(&r->bind, map, NULL, "%s is missing", keys[i]);
}

static void read_mapping(struct reader *r, const struct nmc_yaml *node) {
    static const char *const keys[] = {"op", "layers", "levels", NULL};
    if (node->kind != NMC_YAML_MAP) {
        nmc_bind_error(&r->bind, node, "op, layers, levels", "expected a mapping");
        return;
    }
    check_keys(r, node, keys, "op, layers, levels");
    const struct nmc_yaml *op = nmc_yaml_get(node, "op"), *layers = nmc_yaml_get(node, "layers");
    const struct nmc_yaml *levels = nmc_yaml_get(node, "levels");
    if (!op || !layers || !levels)
        return;
    const struct nmc_map_plan *plan = read_levels(r, levels);
    if (!is_text(r, op, "a kind of work, such as conv.forward") || !plan)
        return;
    if (layers->kind != NMC_YAML_LIST)
        nmc_bind_error(&r->bind, layers, "layers: [conv1]", "expected a list of names");
    else
        for (const struct nmc_yaml *name = layers->first; name; name = name->next)
            if (is_text(r, name, "the name of a layer"))
                add_layer(r, op->text, plan, node, name);
}

static void read_root(struct reader *r, const struct nmc_yaml *root) {
    static const char *const keys[] = {"schema", "mappings", NULL};
    if (root->kind != NMC_YAML_MAP) {
        nmc_bind_error(&r->bind, root, "docs/mapping.md has an example",
                       "expected schema and mappings");
        return;
    }
    check_keys(r, root, keys, "schema, mappings");
    const struct nmc_yaml *schema = nmc_yaml_get(root, "schema");
    const struct nmc_yaml *mappings = nmc_yaml_get(root, "mappings");
    if (schema && !nmc_yaml_is(schema, "neuromc-mapping/1"))
        nmc_bind_error(&r->bind, schema, NULL, "expected neuromc-mapping/1");
    if (mappings && mappings->kind != NMC_YAML_LIST)
        nmc_bind_error(&r->bind, mappings, NULL, "expected a list of mappings");
    for (const struct nmc_yaml *at = mappings ? mappings->first : NULL;
         at && mappings->kind == NMC_YAML_LIST; at = at->next)
        read_mapping(r, at);
}

static neuromc_status read_text(struct nmc_mapping_file *out, const char *data, size_t size,
                                const char *path, struct nmc_yaml **root, neuromc_diags *diags) {
    const struct nmc_own_file *own = nmc_own_file(data, size);
    if (own && strcmp(own->schema, "neuromc-mapping") != 0)
        return nmc_error(diags, NEUROMC_BAD_INPUT, (struct nmc_place){.file = path}, own->where_to,
                         "%s, not a mapping file", own->what);
    return nmc_yaml_read_long(&out->arena, data, size, path, MOST_VALUES, root, diags);
}

neuromc_status nmc_mapping_file_read(struct nmc_mapping_file *out, const char *path,
                                     const struct neuromc_preset *preset, neuromc_diags *diags) {
    struct nmc_file file;
    struct nmc_yaml *root = NULL;
    *out = (struct nmc_mapping_file){0};
    nmc_strbuf_init(&out->key);
    nmc_arena_init(&out->arena, NMC_LIMIT_MODEL_BYTES);
    neuromc_status status = nmc_file_open(&file, path, NMC_LIMIT_TRIPLES_BYTES, diags);
    if (status != NEUROMC_OK)
        return status;
    status = read_text(out, (const char *)file.data, file.size, path, &root, diags);
    nmc_file_close(&file);
    struct reader reader = {
        .file = out, .preset = preset, .bind = {.arena = &out->arena, .diags = diags}};
    if (root)
        read_root(&reader, root);
    if (reader.failed)
        return nmc_out_of_memory(diags);
    return status == NEUROMC_OK && reader.bind.errors ? NEUROMC_BAD_INPUT : status;
}

void nmc_mapping_file_release(struct nmc_mapping_file *file) {
    nmc_strmap_release(&file->index);
    nmc_strbuf_release(&file->key);
    nmc_arena_release(&file->arena);
    *file = (struct nmc_mapping_file){0};
}
