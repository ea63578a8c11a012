/* preset_assign.c - --set path=value: one value of a tree, replaced. */
#include <string.h>

#include "base/strbuf.h"
#include "base/suggest.h"
#include "model/preset.h"
#include "model/preset_merge.h"

/* Where a path has led so far. */
struct walk {
    struct nmc_yaml *node;
    const struct nmc_key *key; /* of node; NULL at the root */
    bool entry;                /* node is one of key's named entries */
};

static neuromc_status usage(neuromc_diags *diags, const char *path, const char *hint,
                            const char *message) {
    return nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){.file = NMC_SET_FILE, .where = path},
                     hint, "%s", message);
}

static bool holds_entries(const struct walk *at) {
    return at->key && at->key->type == NMC_KEY_ENTRIES && !at->entry;
}

static enum nmc_section section_of(const struct walk *at) {
    return at->key ? at->key->section : NMC_IN_ROOT;
}

/* path[before..] starts with a step that leads nowhere. */
static neuromc_status unknown_step(const struct walk *at, const char *path, size_t before,
                                   const char *step, neuromc_diags *diags) {
    struct nmc_suggest suggest;
    const char *rest = path + before + strlen(step);
    nmc_suggest_init(&suggest, step);
    if (holds_entries(at)) {
        for (const struct nmc_yaml *child = at->node->first; child; child = child->next)
            nmc_suggest_offer(&suggest, child->key);
    } else {
        int count;
        const struct nmc_key *keys = nmc_section_keys(section_of(at), &count);
        for (int i = 0; i < count; i++)
            nmc_suggest_offer(&suggest, keys[i].name);
    }
    struct nmc_strbuf hint;
    nmc_strbuf_init(&hint);
    if (suggest.best)
        nmc_strbuf_printf(&hint, "did you mean %.*s%s%s?", (int)before, path, suggest.best, rest);
    else
        nmc_strbuf_puts(&hint, "`neuromc presets show NAME` lists every path");
    neuromc_status status = usage(diags, path, hint.text, "no such value in the preset");
    nmc_strbuf_release(&hint);
    return status;
}

/* One step of the path down the tree and the key table; false: there is no such thing. */
static bool step_down(struct walk *at, const char *step) {
    if (holds_entries(at)) {
        struct nmc_yaml *entry = nmc_yaml_get(at->node, step);
        if (entry)
            *at = (struct walk){.node = entry, .key = at->key, .entry = true};
        return entry;
    }
    const struct nmc_key *key = nmc_section_key(section_of(at), step);
    if (!key)
        return false;
    struct nmc_yaml *child = nmc_yaml_get(at->node, step);
    *at = (struct walk){.node = child, .key = key};
    return true;
}

static bool is_nested(const struct walk *at) {
    return !at->key || at->key->type == NMC_KEY_MAPPING || at->key->type == NMC_KEY_ENTRIES;
}

/* Puts value where the path leads; path is cut into steps on the way. */
static neuromc_status place_value(struct nmc_arena *arena, struct nmc_yaml *root, const char *path,
                                  struct nmc_yaml *value, neuromc_diags *diags) {
    struct walk at = {.node = root};
    struct nmc_yaml *parent = NULL;
    const char *step = NULL;
    for (size_t before = 0; before <= strlen(path);) {
        size_t length = strcspn(path + before, ".");
        step = nmc_arena_strndup(arena, path + before, length);
        if (!step)
            return nmc_out_of_memory(diags);
        if (!is_nested(&at))
            return usage(diags, path, NULL, "the path goes on behind a value");
        if (at.node == NULL || at.node->kind != NMC_YAML_MAP)
            return usage(diags, path, "set the whole of it",
                         "the path leads into a mapping that the preset does not have");
        parent = at.node;
        if (!step_down(&at, step))
            return unknown_step(&at, path, before, step, diags);
        before += length + 1;
    }
    if (at.key->flags & NMC_KEY_FIXED)
        return usage(diags, path, NULL, "cannot be set");
    value->key = step;
    if (at.node) {
        /* of several assignments, each replaces what the files say */
        bool again = strcmp(at.node->file, NMC_SET_FILE) == 0 && at.node->replaced;
        value->replaced = again ? at.node->replaced : nmc_preset_value_text(arena, at.node);
        nmc_yaml_replace(at.node, value);
    } else {
        nmc_yaml_append(parent, value);
    }
    return NEUROMC_OK;
}

/* Values of an assignment have no line, and no source covers them. */
static void forget_lines(struct nmc_yaml *node) {
    node->file = NMC_SET_FILE;
    node->line = node->column = node->key_line = node->key_column = 0;
    node->source = "";
    for (struct nmc_yaml *child = node->first; child; child = child->next)
        forget_lines(child);
}

neuromc_status nmc_preset_assign(struct nmc_arena *arena, struct nmc_yaml *root,
                                 const char *assignment, neuromc_diags *diags) {
    const char *equals = strchr(assignment, '=');
    if (!equals || equals == assignment)
        return usage(diags, assignment, "for example --set primitives_pj.add=0.5",
                     "expected PATH=VALUE");
    const char *path = nmc_arena_strndup(arena, assignment, (size_t)(equals - assignment));
    if (!path)
        return nmc_out_of_memory(diags);
    if (!equals[1])
        return usage(diags, path, NULL, "expected a value after the =");
    const char *label = nmc_arena_printf(arena, "--set %s", path);
    struct nmc_yaml *value;
    if (!label)
        return nmc_out_of_memory(diags);
    neuromc_status status =
        nmc_yaml_read(arena, equals + 1, strlen(equals + 1), label, &value, diags);
    if (status)
        return status;
    forget_lines(value);
    return place_value(arena, root, path, value, diags);
}
