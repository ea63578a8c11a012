/* preset_message.c - what a preset's errors say: where, what was expected, what is there. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/strbuf.h"
#include "model/preset_bind.h"

static struct nmc_place place_of(struct nmc_bind *bind, const struct nmc_yaml *node) {
    const char *path = nmc_yaml_path(bind->arena, node);
    return (struct nmc_place){.file = node->file,
                              .line = node->line,
                              .column = node->column,
                              .where = path && path[0] ? path : NULL};
}

void nmc_bind_error(struct nmc_bind *bind, const struct nmc_yaml *node, const char *hint,
                    const char *format, ...) {
    struct nmc_strbuf text;
    va_list args;
    nmc_strbuf_init(&text);
    va_start(args, format);
    nmc_strbuf_vprintf(&text, format, args);
    va_end(args);
    bind->errors++;
    nmc_error(bind->diags, NEUROMC_BAD_INPUT, place_of(bind, node), hint, "%s", text.text);
    nmc_strbuf_release(&text);
}

void nmc_bind_warning(struct nmc_bind *bind, const struct nmc_yaml *node, const char *format, ...) {
    struct nmc_strbuf text;
    va_list args;
    nmc_strbuf_init(&text);
    va_start(args, format);
    nmc_strbuf_vprintf(&text, format, args);
    va_end(args);
    nmc_warning(bind->diags, place_of(bind, node), NULL, "%s", text.text);
    nmc_strbuf_release(&text);
}

static void expects_number(const struct nmc_key *key, struct nmc_strbuf *out, const char *kind) {
    char least[NMC_NUMBER_SIZE], most[NMC_NUMBER_SIZE];
    nmc_count_format(least, (int64_t)key->least);
    nmc_count_format(most, (int64_t)key->most);
    nmc_strbuf_printf(out, "%s from %s to %s", kind, least, most);
    if (key->unit)
        nmc_strbuf_printf(out, " (%s)", key->unit);
}

static void expects_names(const struct nmc_key *key, struct nmc_strbuf *out, const char *intro) {
    nmc_strbuf_puts(out, intro);
    for (int i = 0; i < key->name_count; i++)
        nmc_strbuf_printf(out, "%s %s", i ? "," : "", key->names[i]);
}

void nmc_key_expects(const struct nmc_key *key, char *out, size_t size) {
    struct nmc_strbuf text;
    nmc_strbuf_init(&text);
    switch (key->type) {
    case NMC_KEY_TEXT: nmc_strbuf_puts(&text, "a text"); break;
    case NMC_KEY_NUMBER: expects_number(key, &text, "a number"); break;
    case NMC_KEY_INTEGER: expects_number(key, &text, "an integer"); break;
    case NMC_KEY_SIZE: expects_number(key, &text, "a size"); break;
    case NMC_KEY_BOOL: nmc_strbuf_puts(&text, "true or false"); break;
    case NMC_KEY_NAME: expects_names(key, &text, key->name_count > 1 ? "one of" : ""); break;
    case NMC_KEY_NAMES: expects_names(key, &text, "a list of"); break;
    case NMC_KEY_TEXTS: nmc_strbuf_puts(&text, "a list of texts"); break;
    case NMC_KEY_INSTANCE:
        nmc_strbuf_puts(&text, "a memory instance");
        if (key->level >= 0)
            nmc_strbuf_printf(&text, " on level %s", nmc_level_names[key->level]);
        break;
    case NMC_KEY_MAPPING: nmc_strbuf_puts(&text, "a mapping"); break;
    case NMC_KEY_ENTRIES: nmc_strbuf_puts(&text, "a mapping of names"); break;
    }
    if (key->flags & NMC_KEY_NONE)
        nmc_strbuf_puts(&text, ", or none");
    snprintf(out, size, "%s", text.text[0] == ' ' ? text.text + 1 : text.text);
    nmc_strbuf_release(&text);
}

/* As much of the first line as fits a message, whole characters only. */
static int first_part(const char *text) {
    enum { MOST = 60 };
    size_t length = strcspn(text, "\n");
    if (length > MOST)
        for (length = MOST; length && ((unsigned char)text[length] & 0xC0) == 0x80;)
            length--;
    return (int)length;
}

static void describe(const struct nmc_yaml *node, char *out, size_t size) {
    if (node->kind == NMC_YAML_LIST)
        snprintf(out, size, "%s", node->first ? "a list" : "an empty list");
    else if (node->kind == NMC_YAML_MAP)
        snprintf(out, size, "a mapping");
    else if (!node->text || !node->text[0])
        snprintf(out, size, "nothing");
    else
        snprintf(out, size, "\"%.*s\"", first_part(node->text), node->text);
}

void nmc_bind_mismatch(struct nmc_bind *bind, const struct nmc_key *key,
                       const struct nmc_yaml *node, const char *hint) {
    char expected[160], found[96];
    nmc_key_expects(key, expected, sizeof expected);
    describe(node, found, sizeof found);
    nmc_bind_error(bind, node, hint, "expected %s, found %s", expected, found);
}
