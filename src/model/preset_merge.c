/* preset_merge.c - a file laid over the preset that it extends. */
#include "model/preset_merge.h"

#include "base/strbuf.h"

static void cover(struct nmc_yaml *node, const char *source) {
    const struct nmc_yaml *own = nmc_yaml_get(node, "source");
    if (own && own->kind == NMC_YAML_SCALAR)
        source = own->text;
    node->source = source;
    for (struct nmc_yaml *child = node->first; child; child = child->next)
        cover(child, source);
}

void nmc_preset_cover(struct nmc_yaml *root) {
    cover(root, NULL);
}

const char *nmc_preset_value_text(struct nmc_arena *arena, const struct nmc_yaml *node) {
    if (node->kind == NMC_YAML_SCALAR)
        return node->text;
    if (node->kind != NMC_YAML_LIST)
        return NULL;
    struct nmc_strbuf text;
    nmc_strbuf_init(&text);
    nmc_strbuf_putc(&text, '[');
    for (const struct nmc_yaml *item = node->first; item; item = item->next)
        nmc_strbuf_printf(&text, "%s%s", item == node->first ? "" : ", ",
                          item->kind == NMC_YAML_SCALAR ? item->text : "...");
    nmc_strbuf_putc(&text, ']');
    arena->failed |= text.failed;
    const char *copy = text.failed ? NULL : nmc_arena_strdup(arena, text.text);
    nmc_strbuf_release(&text);
    return copy;
}

void nmc_preset_lay_over(struct nmc_arena *arena, struct nmc_yaml *base, struct nmc_yaml *over) {
    struct nmc_yaml *next;
    for (struct nmc_yaml *child = over->first; child; child = next) {
        next = child->next;
        struct nmc_yaml *old = nmc_yaml_get(base, child->key);
        if (!old) {
            nmc_yaml_append(base, child);
        } else if (old->kind == NMC_YAML_MAP && child->kind == NMC_YAML_MAP) {
            nmc_preset_lay_over(arena, old, child);
        } else {
            child->replaced = nmc_preset_value_text(arena, old);
            nmc_yaml_replace(old, child);
        }
    }
}

void nmc_preset_merge(struct nmc_arena *arena, struct nmc_yaml *base, struct nmc_yaml *over) {
    int count;
    const struct nmc_key *keys = nmc_section_keys(NMC_IN_ROOT, &count);
    for (int i = 0; i < count; i++)
        if (keys[i].flags & NMC_KEY_OWN)
            nmc_yaml_remove(base, keys[i].name);
    nmc_preset_lay_over(arena, base, over);
    base->file = over->file;
    base->line = over->line;
    base->column = over->column;
}
