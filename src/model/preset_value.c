/* preset_value.c - one value of a preset: its type, its bounds, its canonical text. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "base/number.h"
#include "base/suggest.h"
#include "model/preset_bind.h"

static void store(const struct nmc_key *key, unsigned char *target, const void *value,
                  size_t size) {
    if (key->offset != NMC_NO_FIELD)
        memcpy(target + key->offset, value, size);
}

static void store_integer(const struct nmc_key *key, unsigned char *target, int64_t value) {
    int small = (int)value;
    if (key->size == sizeof small)
        store(key, target, &small, sizeof small);
    else
        store(key, target, &value, sizeof value);
}

static void bind_number(struct nmc_bind *bind, const struct nmc_key *key, struct nmc_yaml *node,
                        unsigned char *target) {
    double value;
    if (!node->plain || !nmc_number_parse(node->text, strlen(node->text), &value) ||
        value < key->least || value > key->most) {
        nmc_bind_mismatch(bind, key, node, node->plain ? NULL : "write it without quotes");
        return;
    }
    char text[NMC_NUMBER_SIZE];
    nmc_number_format(text, value);
    node->text = nmc_arena_strdup(bind->arena, text);
    store(key, target, &value, sizeof value);
}

static void bind_whole(struct nmc_bind *bind, const struct nmc_key *key, struct nmc_yaml *node,
                       unsigned char *target, bool good, int64_t value) {
    if (!node->plain || !good || value < (int64_t)key->least || value > (int64_t)key->most) {
        nmc_bind_mismatch(bind, key, node, node->plain ? NULL : "write it without quotes");
        return;
    }
    node->text = nmc_arena_printf(bind->arena, "%lld", (long long)value);
    store_integer(key, target, value);
}

static void bind_integer(struct nmc_bind *bind, const struct nmc_key *key, struct nmc_yaml *node,
                         unsigned char *target) {
    int64_t value = 0;
    bool good = nmc_integer_parse(node->text, strlen(node->text), &value);
    bind_whole(bind, key, node, target, good, value);
}

/* "16384", "16 Ki" (bits), "2 KiB" (bytes, so also 16384 bits) */
bool nmc_parse_size(const char *text, int64_t *out) {
    static const struct {
        const char *suffix;
        int64_t bits;
    } units[] = {
        {"", 1},  {"Ki", INT64_C(1) << 10},  {"Mi", INT64_C(1) << 20},  {"Gi", INT64_C(1) << 30},
        {"B", 8}, {"KiB", INT64_C(1) << 13}, {"MiB", INT64_C(1) << 23}, {"GiB", INT64_C(1) << 33},
    };
    size_t digits = strspn(text, "0123456789");
    const char *suffix = text + digits + strspn(text + digits, " ");
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(suffix, units[i].suffix) == 0)
            return nmc_integer_parse(text, digits, out) && nmc_mul(*out, units[i].bits, out);
    return false;
}

static void bind_size(struct nmc_bind *bind, const struct nmc_key *key, struct nmc_yaml *node,
                      unsigned char *target) {
    int64_t value = 0;
    bool good = nmc_parse_size(node->text, &value);
    bind_whole(bind, key, node, target, good, value);
}

static void bind_bool(struct nmc_bind *bind, const struct nmc_key *key, struct nmc_yaml *node,
                      unsigned char *target) {
    bool value = nmc_yaml_is(node, "true");
    if (value || nmc_yaml_is(node, "false"))
        store(key, target, &value, sizeof value);
    else
        nmc_bind_mismatch(bind, key, node, NULL);
}

/* The index of a name, or -1 after reporting it. */
static int find_name(struct nmc_bind *bind, const struct nmc_key *key,
                     const struct nmc_yaml *node) {
    struct nmc_suggest suggest;
    if (node->kind != NMC_YAML_SCALAR) {
        nmc_bind_mismatch(bind, key, node, NULL);
        return -1;
    }
    nmc_suggest_init(&suggest, node->text);
    for (int i = 0; i < key->name_count; i++) {
        if (strcmp(node->text, key->names[i]) == 0)
            return i;
        nmc_suggest_offer(&suggest, key->names[i]);
    }
    char hint[96];
    snprintf(hint, sizeof hint, "did you mean %s?", suggest.best ? suggest.best : "");
    nmc_bind_mismatch(bind, key, node, suggest.best ? hint : NULL);
    return -1;
}

static void bind_name(struct nmc_bind *bind, const struct nmc_key *key, struct nmc_yaml *node,
                      unsigned char *target) {
    int value = find_name(bind, key, node);
    if (value >= 0)
        store(key, target, &value, sizeof value);
}

/* What one item of a list may be. */
static struct nmc_key item_of(const struct nmc_key *list, enum nmc_key_type type) {
    struct nmc_key item = *list;
    item.type = type;
    item.flags &= ~(unsigned)NMC_KEY_NONE;
    return item;
}

static void bind_names(struct nmc_bind *bind, const struct nmc_key *key, struct nmc_yaml *list,
                       unsigned char *target) {
    const struct nmc_key one = item_of(key, NMC_KEY_NAME);
    uint64_t seen = 0;
    int count = 0;
    for (struct nmc_yaml *item = list->first; item; item = item->next) {
        if (item->kind == NMC_YAML_REFUSED)
            continue;
        int value = find_name(bind, &one, item);
        if (value < 0)
            continue;
        if (seen >> value & 1) {
            nmc_bind_error(bind, item, NULL, "%s is named twice", item->text);
            continue;
        }
        seen |= UINT64_C(1) << value;
        memcpy(target + key->offset + (size_t)count * sizeof value, &value, sizeof value);
        count++;
    }
    memcpy(target + key->count, &count, sizeof count);
}

static const char *trim(struct nmc_arena *arena, const char *text) {
    size_t start = strspn(text, " \t\n"), length = strlen(text);
    while (length > start && strchr(" \t\n", text[length - 1]))
        length--;
    return nmc_arena_strndup(arena, text + start, length - start);
}

static bool bind_text(struct nmc_bind *bind, const struct nmc_key *key, struct nmc_yaml *node) {
    if (node->kind == NMC_YAML_SCALAR)
        node->text = trim(bind->arena, node->text);
    if (node->kind == NMC_YAML_SCALAR && (!node->text || node->text[0]))
        return node->text;
    nmc_bind_mismatch(bind, key, node, NULL);
    return false;
}

static void bind_texts(struct nmc_bind *bind, const struct nmc_key *key, struct nmc_yaml *list,
                       unsigned char *target) {
    const struct nmc_key one = item_of(key, NMC_KEY_TEXT);
    int count = 0;
    for (const struct nmc_yaml *item = list->first; item; item = item->next)
        count++;
    const char **texts = nmc_arena_array(bind->arena, (size_t)count, sizeof *texts);
    if (!texts)
        return;
    memcpy(target + key->offset, &texts, sizeof texts);
    memcpy(target + key->count, &count, sizeof count);
    for (struct nmc_yaml *item = list->first; item; item = item->next)
        if (item->kind != NMC_YAML_REFUSED && bind_text(bind, &one, item))
            *texts++ = item->text;
}

/* Position among the memory instances, -1 if there is none of that name. */
static int instance_index(const struct nmc_bind *bind, const char *name,
                          const struct nmc_yaml **instance) {
    const struct nmc_yaml *all = nmc_yaml_get(bind->root, "memory_instances");
    int index = 0;
    for (*instance = all ? all->first : NULL; *instance; *instance = (*instance)->next, index++)
        if ((*instance)->key && strcmp((*instance)->key, name) == 0)
            return index;
    return -1;
}

static void unknown_instance(struct nmc_bind *bind, const struct nmc_yaml *node) {
    const struct nmc_yaml *all = nmc_yaml_get(bind->root, "memory_instances");
    struct nmc_suggest suggest;
    nmc_suggest_init(&suggest, node->text);
    for (const struct nmc_yaml *at = all ? all->first : NULL; at; at = at->next)
        if (at->key)
            nmc_suggest_offer(&suggest, at->key);
    char hint[96];
    snprintf(hint, sizeof hint, "did you mean %s?", suggest.best ? suggest.best : "");
    nmc_bind_error(bind, node, suggest.best ? hint : NULL, "no memory instance is called \"%.64s\"",
                   node->text);
}

static void bind_instance(struct nmc_bind *bind, const struct nmc_key *key, struct nmc_yaml *node,
                          unsigned char *target) {
    const struct nmc_yaml *instance;
    int index = instance_index(bind, node->text, &instance);
    if (index < 0) {
        unknown_instance(bind, node);
        return;
    }
    const struct nmc_yaml *level = nmc_yaml_get(instance, "level");
    const char *wanted = key->level < 0 ? NULL : nmc_level_names[key->level];
    if (wanted && level && level->kind == NMC_YAML_SCALAR && strcmp(level->text, wanted) != 0)
        nmc_bind_error(bind, node, NULL, "expected an instance on level %s, %s is on level %.64s",
                       wanted, node->text, level->text);
    store(key, target, &index, sizeof index);
}

static void bind_none(const struct nmc_key *key, unsigned char *target) {
    int no_instance = -1;
    if (key->type == NMC_KEY_INSTANCE)
        store(key, target, &no_instance, sizeof no_instance);
}

void nmc_bind_value(struct nmc_bind *bind, const struct nmc_key *key, struct nmc_yaml *node,
                    unsigned char *target) {
    int before = bind->errors;
    bool list = key->type == NMC_KEY_NAMES || key->type == NMC_KEY_TEXTS;
    if ((key->flags & NMC_KEY_NONE) && nmc_yaml_is(node, "none")) {
        bind_none(key, target);
        return;
    }
    if (node->kind != (list ? NMC_YAML_LIST : NMC_YAML_SCALAR) || (list && !node->first)) {
        nmc_bind_mismatch(bind, key, node, NULL);
        return;
    }
    switch (key->type) {
    case NMC_KEY_TEXT:
        if (bind_text(bind, key, node))
            store(key, target, &node->text, sizeof node->text);
        break;
    case NMC_KEY_NUMBER: bind_number(bind, key, node, target); break;
    case NMC_KEY_INTEGER: bind_integer(bind, key, node, target); break;
    case NMC_KEY_SIZE: bind_size(bind, key, node, target); break;
    case NMC_KEY_BOOL: bind_bool(bind, key, node, target); break;
    case NMC_KEY_NAME: bind_name(bind, key, node, target); break;
    case NMC_KEY_NAMES: bind_names(bind, key, node, target); break;
    case NMC_KEY_TEXTS: bind_texts(bind, key, node, target); break;
    case NMC_KEY_INSTANCE: bind_instance(bind, key, node, target); break;
    case NMC_KEY_MAPPING:
    case NMC_KEY_ENTRIES: break;
    }
    if (key->check && bind->errors == before && node->text)
        key->check(bind, node);
}
