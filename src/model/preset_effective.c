/* preset_effective.c - provenance and hash of a preset's effective values. */
#include "model/preset_effective.h"

#include <string.h>

#include "base/hash.h"
#include "model/preset_merge.h"

static void walk(const struct nmc_yaml *map, enum nmc_section section, int depth,
                 nmc_preset_visit *visit, void *user) {
    int count;
    const struct nmc_key *key = nmc_section_keys(section, &count);
    for (; count; key++, count--) {
        const struct nmc_yaml *node = nmc_yaml_get(map, key->name);
        if (!node)
            continue;
        visit(user, key, node, depth);
        if (node->kind == NMC_YAML_MAP && key->type == NMC_KEY_MAPPING)
            walk(node, key->section, depth + 1, visit, user);
        if (node->kind != NMC_YAML_MAP || key->type != NMC_KEY_ENTRIES)
            continue;
        for (const struct nmc_yaml *entry = node->first; entry; entry = entry->next) {
            visit(user, key, entry, depth + 1);
            walk(entry, key->section, depth + 2, visit, user);
        }
    }
}

void nmc_preset_walk(const struct nmc_yaml *root, nmc_preset_visit *visit, void *user) {
    walk(root, NMC_IN_ROOT, 0, visit, user);
}

/* No directory: a report must not depend on where files lie. */
const char *nmc_preset_origin(struct nmc_arena *arena, const struct nmc_yaml *node) {
    const char *slash = strrchr(node->file, '/');
    const char *name = slash ? slash + 1 : node->file;
    if (!node->line)
        return name;
    char *origin = nmc_arena_printf(arena, "%s:%d", name, node->line);
    for (char *at = origin; at && *at; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7F)
            *at = '?';
    return origin;
}

struct describer {
    struct nmc_arena *arena;
    struct nmc_provenance *rows; /* NULL: only count them */
    int count;
    uint64_t hash;
};

static void describe(void *user, const struct nmc_key *key, const struct nmc_yaml *node,
                     int depth) {
    struct describer *d = user;
    (void)depth;
    if (node->kind == NMC_YAML_MAP || (key->flags & NMC_KEY_PROSE))
        return;
    int row = d->count++;
    if (!d->rows)
        return;
    const char *path = nmc_yaml_path(d->arena, node);
    const char *value = nmc_preset_value_text(d->arena, node);
    d->rows[row] = (struct nmc_provenance){
        .path = path,
        .value = value,
        .unit = key->unit,
        .origin = nmc_preset_origin(d->arena, node),
        .source = node->source ? node->source : "",
        .replaced = node->replaced,
    };
    bool standard = key->standard && value && strcmp(value, key->standard) == 0;
    if (!path || !value || standard)
        return;
    d->hash =
        nmc_hash_text(nmc_hash_text(nmc_hash_text(nmc_hash_text(d->hash, path), "="), value), "\n");
}

bool nmc_preset_describe(struct neuromc_preset *preset) {
    struct describer d = {.arena = &preset->arena, .hash = NMC_HASH_START};
    nmc_preset_walk(preset->tree, describe, &d);
    d.rows = nmc_arena_array(d.arena, (size_t)d.count, sizeof *d.rows);
    if (!d.rows)
        return false;
    d.count = 0;
    nmc_preset_walk(preset->tree, describe, &d);
    preset->provenance = d.rows;
    preset->provenance_count = d.count;
    preset->hash = d.hash;
    return !d.arena->failed;
}
