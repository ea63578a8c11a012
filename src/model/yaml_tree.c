/* yaml_tree.c - looking into and changing a tree of YAML nodes. */
#include <string.h>

#include "base/strbuf.h"
#include "model/yaml.h"

struct nmc_yaml *nmc_yaml_get(const struct nmc_yaml *map, const char *key) {
    if (!map || map->kind != NMC_YAML_MAP)
        return NULL;
    for (struct nmc_yaml *child = map->first; child; child = child->next)
        if (strcmp(child->key, key) == 0)
            return child;
    return NULL;
}

bool nmc_yaml_is(const struct nmc_yaml *node, const char *plain_text) {
    return node && node->kind == NMC_YAML_SCALAR && node->plain && node->text &&
           strcmp(node->text, plain_text) == 0;
}

void nmc_yaml_append(struct nmc_yaml *parent, struct nmc_yaml *child) {
    child->parent = parent;
    child->next = NULL;
    if (parent->last)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
}

struct nmc_yaml *nmc_yaml_copy(struct nmc_arena *arena, const struct nmc_yaml *node) {
    struct nmc_yaml *copy = nmc_arena_copy(arena, node, sizeof *node);
    if (!copy)
        return NULL;
    copy->parent = copy->first = copy->last = copy->next = NULL;
    for (const struct nmc_yaml *child = node->first; child; child = child->next) {
        struct nmc_yaml *below = nmc_yaml_copy(arena, child);
        if (!below)
            return NULL;
        nmc_yaml_append(copy, below);
    }
    return copy;
}

/* What points at `child`: the parent's first or a sibling's next. */
static struct nmc_yaml **link_to(const struct nmc_yaml *child) {
    struct nmc_yaml **link = &child->parent->first;
    while (*link != child)
        link = &(*link)->next;
    return link;
}

void nmc_yaml_replace(struct nmc_yaml *old, struct nmc_yaml *with) {
    *link_to(old) = with;
    with->next = old->next;
    with->parent = old->parent;
    if (old->parent->last == old)
        old->parent->last = with;
}

void nmc_yaml_remove(struct nmc_yaml *map, const char *key) {
    struct nmc_yaml *child = nmc_yaml_get(map, key), *before = NULL;
    if (!child)
        return;
    for (struct nmc_yaml *at = map->first; at != child; at = at->next)
        before = at;
    *link_to(child) = child->next;
    if (map->last == child)
        map->last = before;
}

static void add_path(struct nmc_strbuf *path, const struct nmc_yaml *node) {
    if (!node->parent)
        return;
    add_path(path, node->parent);
    if (node->key) {
        nmc_strbuf_printf(path, "%s%s", path->length ? "." : "", node->key);
        return;
    }
    int index = 0;
    for (const struct nmc_yaml *at = node->parent->first; at && at != node; at = at->next)
        index++;
    nmc_strbuf_printf(path, "[%d]", index);
}

const char *nmc_yaml_path(struct nmc_arena *arena, const struct nmc_yaml *node) {
    struct nmc_strbuf path;
    nmc_strbuf_init(&path);
    add_path(&path, node);
    arena->failed |= path.failed;
    const char *copy = path.failed ? NULL : nmc_arena_strdup(arena, path.text);
    nmc_strbuf_release(&path);
    return copy;
}
