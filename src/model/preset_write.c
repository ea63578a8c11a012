/* preset_write.c - the effective preset as YAML that loads back equal, with its provenance. */
#include <string.h>

#include "base/sink.h"
#include "model/preset_effective.h"
#include "model/preset_merge.h"
#include "model/yaml_write.h"

struct writer {
    struct nmc_sink sink;
    struct nmc_arena arena; /* for what is forgotten once written */
    const char *main_file;
};

static void write_scalar(struct nmc_sink *sink, const struct nmc_key *key,
                         const struct nmc_yaml *node) {
    bool prose = key->type == NMC_KEY_TEXT || key->type == NMC_KEY_TEXTS;
    bool is_none = (key->flags & NMC_KEY_NONE) && nmc_yaml_is(node, "none");
    if (prose && !is_none)
        nmc_yaml_write_text(sink, node->text);
    else
        nmc_sink_puts(sink, node->text);
}

static void write_list(struct nmc_sink *sink, const struct nmc_key *key,
                       const struct nmc_yaml *list) {
    nmc_sink_puts(sink, "[");
    for (const struct nmc_yaml *item = list->first; item; item = item->next) {
        write_scalar(sink, key, item);
        nmc_sink_puts(sink, item->next ? ", " : "]");
    }
}

/* Whether a text can stand in a comment: nothing in it may end the line. */
static bool is_one_line(const char *text) {
    for (; *text; text++)
        if (*text < ' ' || *text > '~')
            return false;
    return true;
}

/* Says where a value comes from that the preset's own file does not hold. */
static void write_origin(struct writer *w, const struct nmc_key *key, const struct nmc_yaml *node) {
    const char *value = nmc_preset_value_text(&w->arena, node);
    if (strcmp(node->file, w->main_file) == 0 && !node->replaced)
        return;
    const char *origin = nmc_preset_origin(&w->arena, node);
    nmc_sink_printf(&w->sink, "  # %s", origin && is_one_line(origin) ? origin : "another file");
    if (node->replaced && value && !(key->flags & NMC_KEY_PROSE) && is_one_line(node->replaced) &&
        strcmp(node->replaced, value) != 0)
        nmc_sink_printf(&w->sink, ", was %s", node->replaced);
}

static void write_node(void *user, const struct nmc_key *key, const struct nmc_yaml *node,
                       int depth) {
    struct writer *w = user;
    if (depth == 0 && node->kind == NMC_YAML_MAP)
        nmc_sink_puts(&w->sink, "\n");
    nmc_sink_printf(&w->sink, "%*s%s:", 2 * depth, "", node->key);
    if (node->kind != NMC_YAML_MAP) {
        nmc_sink_puts(&w->sink, " ");
        if (node->kind == NMC_YAML_LIST)
            write_list(&w->sink, key, node);
        else
            write_scalar(&w->sink, key, node);
        write_origin(w, key, node);
    }
    nmc_sink_puts(&w->sink, "\n");
    nmc_arena_release(&w->arena);
}

neuromc_status neuromc_preset_write(const neuromc_preset *preset, neuromc_write_fn write,
                                    void *user, neuromc_diags *diags) {
    struct writer w = {.main_file = preset->tree->file};
    nmc_arena_init(&w.arena, 1 << 16);
    nmc_sink_init(&w.sink, write, user);
    nmc_sink_printf(&w.sink, "# effective preset, content hash %016llx\n",
                    (unsigned long long)preset->hash);
    nmc_preset_walk(preset->tree, write_node, &w);
    return nmc_sink_finish(&w.sink, diags);
}
