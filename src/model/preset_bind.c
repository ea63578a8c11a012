/* preset_bind.c - walks a tree along the key table: unknown, missing and nested keys. */
#include "model/preset_bind.h"

#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "base/limits.h"
#include "base/strbuf.h"
#include "base/suggest.h"

static void bind_section(struct nmc_bind *bind, enum nmc_section section, struct nmc_yaml *map,
                         unsigned char *target);

static void unknown_key(struct nmc_bind *bind, enum nmc_section section,
                        const struct nmc_yaml *node, uint64_t *seen) {
    enum { ENOUGH = 1000 }; /* a list of messages ends there; hints take time */
    int count;
    if (bind->errors >= ENOUGH)
        return;
    const struct nmc_key *keys = nmc_section_keys(section, &count);
    struct nmc_suggest suggest;
    nmc_suggest_init(&suggest, node->key);
    for (int i = 0; i < count; i++)
        nmc_suggest_offer(&suggest, keys[i].name);
    struct nmc_strbuf hint;
    nmc_strbuf_init(&hint);
    if (suggest.best) {
        /* a misspelt key is one mistake, not also a missing key */
        for (int i = 0; i < count; i++)
            if (keys[i].name == suggest.best)
                *seen |= UINT64_C(1) << i;
        nmc_strbuf_printf(&hint, "did you mean %s?", suggest.best);
    } else {
        nmc_strbuf_puts(&hint, "known here:");
        for (int i = 0; i < count; i++)
            nmc_strbuf_printf(&hint, "%s %s", i ? "," : "", keys[i].name);
    }
    struct nmc_yaml at_key = *node;
    at_key.line = node->key_line;
    at_key.column = node->key_column;
    nmc_bind_error(bind, &at_key, hint.text, "unknown key");
    nmc_strbuf_release(&hint);
}

static void missing_key(struct nmc_bind *bind, const struct nmc_key *key, struct nmc_yaml *map) {
    struct nmc_yaml missing = {.parent = map, .key = key->name, .file = map->file};
    missing.line = map->key_line ? map->key_line : map->line;
    missing.column = map->key_line ? map->key_column : map->column;
    char expected[160];
    nmc_key_expects(key, expected, sizeof expected);
    nmc_bind_error(bind, &missing, NULL, "missing key: expected %s", expected);
}

static void bind_mapping(struct nmc_bind *bind, const struct nmc_key *key, struct nmc_yaml *node,
                         unsigned char *target) {
    int before = bind->errors;
    bind_section(bind, key->section, node, target + key->offset);
    if (key->count)
        *(bool *)(target + key->count) = true;
    if (key->check && bind->errors == before)
        key->check(bind, node);
}

static void bind_entry(struct nmc_bind *bind, const struct nmc_key *key, struct nmc_yaml *node,
                       unsigned char *entry) {
    int before = bind->errors;
    struct nmc_yaml at_key = *node;
    at_key.line = node->key_line;
    at_key.column = node->key_column;
    if (!nmc_is_identifier(node->key))
        nmc_bind_error(bind, &at_key, NULL,
                       "a name has letters, digits, _ and -, a letter first, at most 64, and is "
                       "not none");
    if (node->kind == NMC_YAML_MAP) {
        memcpy(entry, &node->key, sizeof node->key);
        bind_section(bind, key->section, node, entry);
    } else if (node->kind != NMC_YAML_REFUSED) {
        nmc_bind_error(bind, node, NULL, "expected a mapping with the keys of %s",
                       nmc_section_title(key->section));
    }
    if (key->check && bind->errors == before)
        key->check(bind, node);
}

static void bind_entries(struct nmc_bind *bind, const struct nmc_key *key, struct nmc_yaml *node,
                         unsigned char *target) {
    int count = 0;
    for (const struct nmc_yaml *at = node->first; at; at = at->next)
        count++;
    if (count == 0 || count > NMC_LIMIT_PRESET_ENTRIES) {
        nmc_bind_error(bind, node, count ? NULL : "write none if there is none",
                       "has %d entries: expected 1 to %d", count, NMC_LIMIT_PRESET_ENTRIES);
        return;
    }
    unsigned char *entries = nmc_arena_array(bind->arena, (size_t)count, key->entry);
    if (!entries)
        return;
    memcpy(target + key->offset, &entries, sizeof entries);
    memcpy(target + key->count, &count, sizeof count);
    for (struct nmc_yaml *at = node->first; at; at = at->next, entries += key->entry)
        bind_entry(bind, key, at, entries);
}

static void bind_key(struct nmc_bind *bind, const struct nmc_key *key, struct nmc_yaml *node,
                     unsigned char *target) {
    bool nested = key->type == NMC_KEY_MAPPING || key->type == NMC_KEY_ENTRIES;
    if (node->kind == NMC_YAML_REFUSED)
        return;
    if (!nested)
        nmc_bind_value(bind, key, node, target);
    else if ((key->flags & NMC_KEY_NONE) && nmc_yaml_is(node, "none"))
        return;
    else if (node->kind != NMC_YAML_MAP)
        nmc_bind_mismatch(bind, key, node, NULL);
    else if (key->type == NMC_KEY_MAPPING)
        bind_mapping(bind, key, node, target);
    else
        bind_entries(bind, key, node, target);
}

static void bind_section(struct nmc_bind *bind, enum nmc_section section, struct nmc_yaml *map,
                         unsigned char *target) {
    int count;
    const struct nmc_key *keys = nmc_section_keys(section, &count);
    uint64_t seen = 0;
    for (struct nmc_yaml *node = map->first; node; node = node->next) {
        const struct nmc_key *key = nmc_section_key(section, node->key);
        if (key) {
            seen |= UINT64_C(1) << (key - keys);
            bind_key(bind, key, node, target);
        } else {
            unknown_key(bind, section, node, &seen);
        }
    }
    for (int i = 0; i < count; i++)
        if ((keys[i].flags & NMC_KEY_REQUIRED) && !(seen >> i & 1))
            missing_key(bind, &keys[i], map);
}

neuromc_status nmc_preset_bind(struct neuromc_preset *preset, struct nmc_yaml *root,
                               neuromc_diags *diags) {
    struct nmc_bind bind = {.arena = &preset->arena, .root = root, .diags = diags};
    for (int core = 0; core < NMC_CORES; core++)
        preset->mac[core].scale = 1;
    if (root->kind == NMC_YAML_MAP)
        bind_section(&bind, NMC_IN_ROOT, root, (unsigned char *)preset);
    else if (root->kind != NMC_YAML_REFUSED)
        nmc_bind_error(&bind, root, NULL, "expected a mapping of keys to values");
    if (!preset->count_dram)
        preset->on_chip_bits = 0;
    if (preset->arena.failed)
        return nmc_out_of_memory(diags);
    return bind.errors ? NEUROMC_BAD_INPUT : NEUROMC_OK;
}
