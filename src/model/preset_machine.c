/* preset_machine.c - whether the levels of a preset's machine form one. */
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/number.h"
#include "model/preset.h"
#include "model/preset_bind.h"
#include "model/preset_check.h"

void nmc_check_access_model(struct nmc_bind *bind, struct nmc_yaml *node) {
    if (!nmc_yaml_is(node, nmc_access_model_names[NMC_ACCESS_MAPPED]))
        return;
    const struct nmc_yaml *machine = nmc_yaml_get(bind->root, "machine");
    if (!machine || nmc_yaml_is(machine, "none"))
        nmc_bind_error(bind, node, "describe it under `machine`",
                       "operands would be mapped, but the preset has no machine");
    struct nmc_yaml *dram = nmc_yaml_get(nmc_yaml_get(bind->root, "count"), "dram");
    if (nmc_yaml_is(dram, "true"))
        nmc_bind_error(bind, dram, "set it to false: the machine's levels say what DRAM moves",
                       "DRAM would count twice, by reuse distance and as mapped");
}

/* An integer that was bound already; 1 if it is left out. */
static int64_t number(const struct nmc_yaml *map, const char *key) {
    const struct nmc_yaml *node = nmc_yaml_get(map, key);
    int64_t value = 1;
    if (node && node->kind == NMC_YAML_SCALAR)
        nmc_integer_parse(node->text, strlen(node->text), &value);
    return value;
}

static void check_multiple(struct nmc_bind *bind, const struct nmc_yaml *at, const char *key,
                           int64_t inner, int64_t outer) {
    struct nmc_yaml *node = nmc_yaml_get(at, key);
    if (inner % outer)
        nmc_bind_error(bind, node ? node : at,
                       "each instance of a level has as many of the next one in as the others",
                       "%lld is not a multiple of the %lld of the level above", (long long)inner,
                       (long long)outer);
}

/* Each along key of a level against the one outside of it; *outer becomes its own. */
static void check_along(struct nmc_bind *bind, const struct nmc_yaml *at,
                        const char *const keys[NMC_MESHES], int64_t outer[NMC_MESHES]) {
    for (int m = 0; m < NMC_MESHES; m++) {
        int64_t inner = number(at, keys[m]);
        check_multiple(bind, at, keys[m], inner, outer[m]);
        outer[m] = inner;
    }
}

static void check_kept(struct nmc_bind *bind, struct nmc_yaml *levels) {
    for (int o = 0; o < NMC_MAP_OPERANDS; o++) {
        bool kept = false;
        for (const struct nmc_yaml *at = levels->first; at; at = at->next) {
            const struct nmc_yaml *keeps = nmc_yaml_get(at, "keeps");
            for (const struct nmc_yaml *item = keeps ? keeps->first : NULL; item; item = item->next)
                kept = kept || nmc_yaml_is(item, nmc_map_operand_keys[o]);
        }
        if (!kept)
            nmc_bind_error(bind, levels, "add it to `keeps` of the level where it comes from",
                           "no level keeps %s", nmc_map_operand_keys[o]);
    }
}

void nmc_check_machine(struct nmc_bind *bind, struct nmc_yaml *node) {
    static const char *const along[NMC_MESHES] = {"along_x", "along_y"};
    static const char *const macs[NMC_MESHES] = {"macs_x", "macs_y"};
    struct nmc_yaml *levels = nmc_yaml_get(node, "levels");
    int64_t outer[NMC_MESHES] = {1, 1};
    int count = 0;
    if (!levels)
        return;
    for (const struct nmc_yaml *at = levels->first; at; at = at->next, count++)
        check_along(bind, at, along, outer);
    check_along(bind, node, macs, outer);
    check_kept(bind, levels);
    if (count > NMC_LIMIT_MAP_LEVELS)
        nmc_bind_error(bind, levels, "merge some", "has %d levels: at most %d", count,
                       NMC_LIMIT_MAP_LEVELS);
}
