#include "sweep/axis.h"

#include <string.h>

#include "model/preset_effective.h"

const char *const nmc_knob_names[NMC_KNOBS] = {
#define KNOB(id, name, kind, option, doc) name,
#include "sweep/knobs.def"
#undef KNOB
};

const char *const nmc_knob_options[NMC_KNOBS] = {
#define KNOB(id, name, kind, option, doc) option,
#include "sweep/knobs.def"
#undef KNOB
};

enum nmc_knob nmc_knob_find(const char *name) {
    if (strncmp(name, "dim.", 4) == 0)
        return NMC_KNOB_DIM;
    for (int k = 0; k < NMC_KNOBS; k++)
        if (k != NMC_KNOB_DIM && strcmp(name, nmc_knob_names[k]) == 0)
            return (enum nmc_knob)k;
    return NMC_KNOB_PATH;
}

enum nmc_value_kind nmc_knob_kind(enum nmc_knob knob) {
    static const enum nmc_value_kind kinds[NMC_KNOBS] = {
#define KNOB(id, name, kind, option, doc) NMC_VALUE_##kind,
#include "sweep/knobs.def"
#undef KNOB
    };
    return kinds[knob];
}

struct matcher {
    struct nmc_arena *arena;
    const char *glob;
    const char **paths; /* NULL: only count them */
    int count;
};

static void match(void *user, const struct nmc_key *key, const struct nmc_yaml *node, int depth) {
    struct matcher *m = user;
    const char *path = nmc_yaml_path(m->arena, node);
    (void)key;
    (void)depth;
    if (!path || !nmc_path_matches(m->glob, path))
        return;
    if (m->paths)
        m->paths[m->count] = path;
    m->count++;
}

const char **nmc_axis_targets(struct nmc_arena *arena, const struct neuromc_preset *preset,
                              const char *glob, int *count) {
    struct matcher m = {.arena = arena, .glob = glob};
    bool plain = !strpbrk(glob, "*?[");
    if (!plain)
        nmc_preset_walk(preset->tree, match, &m);
    *count = plain ? 1 : m.count;
    const char **paths = nmc_arena_array(arena, (size_t)*count, sizeof *paths);
    if (!paths)
        return NULL;
    if (plain) {
        paths[0] = glob;
    } else {
        m.paths = paths;
        m.count = 0;
        nmc_preset_walk(preset->tree, match, &m);
    }
    return arena->failed ? NULL : paths;
}
