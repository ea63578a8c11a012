/* preset_check.c - agreement of a preset's values with one another. */
#include "model/preset_check.h"

#include <string.h>

#include "model/preset.h"
#include "model/preset_bind.h"

bool nmc_is_identifier(const char *text) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    enum { LONGEST = 64 };
    size_t length = strlen(text);
    return length > 0 && length <= LONGEST && strchr(letters, text[0]) &&
           strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789-") ==
               length &&
           strcmp(text, "none") != 0;
}

void nmc_check_identifier(struct nmc_bind *bind, struct nmc_yaml *node) {
    if (!nmc_is_identifier(node->text))
        nmc_bind_error(bind, node, NULL,
                       "expected letters, digits, _ and -, a letter first, at most 64");
}

static bool is_level(const struct nmc_yaml *item) {
    for (int i = 0; i < NMC_LEVELS; i++)
        if (item->kind == NMC_YAML_SCALAR && strcmp(item->text, nmc_level_names[i]) == 0)
            return true;
    return false;
}

void nmc_check_level(struct nmc_bind *bind, struct nmc_yaml *node) {
    const struct nmc_yaml *levels = nmc_yaml_get(bind->root, "levels");
    if (!levels || (!levels->first && !nmc_yaml_is(levels, "none")))
        return; /* was reported */
    for (const struct nmc_yaml *item = levels->first; item; item = item->next)
        if (!is_level(item) || strcmp(item->text, node->text) == 0)
            return; /* a misspelt level may be the one that is missed */
    nmc_bind_error(bind, node, "add it there, in its place", "level %s is not among `levels`",
                   node->text);
}

void nmc_check_count(struct nmc_bind *bind, struct nmc_yaml *node) {
    static const char *const needed[] = {"on_chip_bits", "dram_instance"};
    if (!nmc_yaml_is(nmc_yaml_get(node, "dram"), "true"))
        return;
    for (int i = 0; i < 2; i++) {
        struct nmc_yaml *value = nmc_yaml_get(node, needed[i]);
        if (nmc_yaml_is(value, "none"))
            nmc_bind_error(bind, value, NULL, "must not be none where count.dram is true");
    }
}

void nmc_check_noc(struct nmc_bind *bind, struct nmc_yaml *node) {
    const struct nmc_yaml *instances = nmc_yaml_get(bind->root, "memory_instances");
    if (!nmc_yaml_is(node, "true"))
        return;
    const struct nmc_yaml *at = instances ? instances->first : NULL;
    while (at && !nmc_yaml_is(nmc_yaml_get(at, "level"), "noc"))
        at = at->next;
    if (!at)
        nmc_bind_error(bind, node, "add an instance on level noc, or set it to false",
                       "the NoC would count, but no memory instance is on level noc");
}

void nmc_check_counted(struct nmc_bind *bind, struct nmc_yaml *node) {
    const struct nmc_yaml *instances = nmc_yaml_get(bind->root, "memory_instances");
    const struct nmc_yaml *level = nmc_yaml_get(nmc_yaml_get(instances, node->text), "level");
    if (!nmc_yaml_is(level, "dram") && !nmc_yaml_is(level, "noc"))
        return;
    const struct nmc_yaml *count = nmc_yaml_get(bind->root, "count");
    if (nmc_yaml_is(nmc_yaml_get(count, level->text), "false"))
        nmc_bind_warning(bind, node,
                         "level %s does not count (count.%s is false): this costs nothing",
                         level->text, level->text);
}

void nmc_check_when(struct nmc_bind *bind, struct nmc_yaml *node) {
    bool of_sgd = strcmp(node->text, nmc_when_names[NMC_WHEN_MOMENTUM]) == 0 ||
                  strcmp(node->text, nmc_when_names[NMC_WHEN_MOMENTUM_BUFFER]) == 0 ||
                  strcmp(node->text, nmc_when_names[NMC_WHEN_WEIGHT_DECAY]) == 0;
    /* PHASE.arithmetic.NAME.when or PHASE.state.NAME.when */
    const struct nmc_yaml *phase = node->parent->parent->parent;
    if (of_sgd && strcmp(phase->key, "sgd") != 0)
        nmc_bind_error(bind, node, NULL, "%s never holds outside work.with_opt.sgd", node->text);
}

void nmc_check_priced(struct nmc_bind *bind, struct nmc_yaml *node) {
    const struct nmc_yaml *prices = nmc_yaml_get(bind->root, "primitives_pj");
    if (!nmc_yaml_is(node, "0") && nmc_yaml_is(nmc_yaml_get(prices, node->key), "none"))
        nmc_bind_error(bind, node, "give it one, or do not count it",
                       "primitives_pj.%s is none: it has no price", node->key);
}

void nmc_check_counts_something(struct nmc_bind *bind, struct nmc_yaml *node) {
    for (int i = 0; i < NMC_PRIMITIVES; i++) {
        const struct nmc_yaml *times = nmc_yaml_get(node, nmc_primitive_names[i]);
        if (times && !nmc_yaml_is(times, "0"))
            return;
    }
    nmc_bind_error(bind, node, "name a primitive, or write none instead of it",
                   "counts no operation");
}

void nmc_check_moves_something(struct nmc_bind *bind, struct nmc_yaml *node) {
    if (nmc_yaml_is(nmc_yaml_get(node, "read"), "0") &&
        nmc_yaml_is(nmc_yaml_get(node, "write"), "0"))
        nmc_bind_error(bind, node, "leave it out", "is neither read nor written");
}
