/* space_file.c - a sweep as a YAML file, read as strictly as a preset. */
#include <stdint.h>
#include <string.h>

#include "base/file.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/suggest.h"
#include "model/preset_bind.h"
#include "sweep/space.h"

struct reader {
    struct nmc_space *space;
    struct nmc_bind bind;
    bool failed; /* memory */
};

static struct nmc_place place_of(struct reader *r, const struct nmc_yaml *node) {
    return (struct nmc_place){.file = node->file,
                              .line = node->line,
                              .column = node->column,
                              .where = nmc_yaml_path(r->bind.arena, node)};
}

static bool is_text(struct reader *r, const struct nmc_yaml *node, const char *what) {
    if (node->kind == NMC_YAML_SCALAR && node->text[0])
        return true;
    if (node->kind != NMC_YAML_REFUSED)
        nmc_bind_error(&r->bind, node, NULL, "expected %s", what);
    return false;
}

static void add(struct reader *r, struct nmc_asked_list *list, const struct nmc_yaml *node) {
    if (!nmc_asked_add(list, node->text, place_of(r, node)))
        r->failed = true;
}

/* One text or a list of them. */
static void read_list(struct reader *r, struct nmc_yaml *node, struct nmc_asked_list *list) {
    if (node->kind != NMC_YAML_LIST) {
        if (is_text(r, node, "a text or a list of texts"))
            add(r, list, node);
        return;
    }
    for (const struct nmc_yaml *item = node->first; item; item = item->next)
        if (is_text(r, item, "a text"))
            add(r, list, item);
}

static void read_schema(struct reader *r, struct nmc_yaml *node) {
    if (!nmc_yaml_is(node, "neuromc-sweep/1"))
        nmc_bind_error(&r->bind, node, NULL, "expected neuromc-sweep/1");
}

static void read_models(struct reader *r, struct nmc_yaml *node) {
    read_list(r, node, &r->space->models);
}

static void read_preset(struct reader *r, struct nmc_yaml *node) {
    if (is_text(r, node, "the name of a preset"))
        r->space->preset = node->text;
}

static void read_laws(struct reader *r, struct nmc_yaml *node) {
    if (node->kind == NMC_YAML_MAP)
        r->space->laws = node;
    else
        nmc_bind_error(&r->bind, node, NULL, "expected a mapping of names to laws");
}

static void read_axis(struct reader *r, const struct nmc_yaml *node) {
    struct nmc_asked_axis axis = {.name = {node->key, place_of(r, node)},
                                  .expression = node->kind == NMC_YAML_SCALAR};
    if (node->kind == NMC_YAML_LIST)
        for (const struct nmc_yaml *item = node->first; item; item = item->next) {
            if (is_text(r, item, "a value"))
                add(r, &axis.values, item);
        }
    else if (is_text(r, node, "values: a list, or a text like 1,2,4 or 10:100:10 or 1Ki:1Mi:*2"))
        add(r, &axis.values, node);
    if (!nmc_space_add_axis(r->space, &axis))
        r->failed = true;
}

static void read_vary(struct reader *r, struct nmc_yaml *node) {
    if (node->kind != NMC_YAML_MAP) {
        nmc_bind_error(&r->bind, node, NULL, "expected a mapping of paths to values");
        return;
    }
    for (const struct nmc_yaml *axis = node->first; axis; axis = axis->next)
        read_axis(r, axis);
}

/* A list of lists: each becomes "A,B". */
static void read_zip(struct reader *r, struct nmc_yaml *node) {
    for (const struct nmc_yaml *tie = node->first; tie; tie = tie->next) {
        const char *names = NULL;
        for (const struct nmc_yaml *item = tie->first; item; item = item->next)
            if (is_text(r, item, "the name of an axis"))
                names = names ? nmc_arena_printf(r->bind.arena, "%s,%s", names, item->text)
                              : item->text;
        if (tie->kind != NMC_YAML_LIST || !names)
            nmc_bind_error(&r->bind, tie, "zip: [[A, B]]", "expected a list of axes");
        else if (!nmc_asked_add(&r->space->zips, names, place_of(r, tie)))
            r->failed = true;
    }
    if (node->kind != NMC_YAML_LIST)
        nmc_bind_error(&r->bind, node, "zip: [[A, B]]", "expected a list of lists of axes");
}

static void read_objective(struct reader *r, struct nmc_yaml *node) {
    read_list(r, node, &r->space->objectives);
}

static void read_fields(struct reader *r, struct nmc_yaml *node) {
    read_list(r, node, &r->space->fields);
}

static void read_where(struct reader *r, struct nmc_yaml *node) {
    read_list(r, node, &r->space->wheres);
}

static bool read_integer(struct reader *r, const struct nmc_yaml *node, int64_t least,
                         int64_t *out) {
    int64_t value;
    if (node->kind == NMC_YAML_SCALAR &&
        nmc_integer_parse(node->text, strlen(node->text), &value) && value >= least) {
        *out = value;
        return true;
    }
    nmc_bind_error(&r->bind, node, NULL, "expected a whole number of at least %lld",
                   (long long)least);
    return false;
}

static void read_top(struct reader *r, struct nmc_yaml *node) {
    read_integer(r, node, 0, &r->space->top);
}

static bool read_bool(struct reader *r, const struct nmc_yaml *node) {
    bool value = nmc_yaml_is(node, "true");
    if (!value && !nmc_yaml_is(node, "false"))
        nmc_bind_error(&r->bind, node, NULL, "expected true or false");
    return value;
}

static void read_pareto(struct reader *r, struct nmc_yaml *node) {
    r->space->pareto = read_bool(r, node);
}

static void read_remap(struct reader *r, struct nmc_yaml *node) {
    r->space->remap = read_bool(r, node);
}

static void read_count(struct reader *r, struct nmc_yaml *node) {
    read_integer(r, node, 1, &r->space->sample);
}

static void read_seed(struct reader *r, struct nmc_yaml *node) {
    int64_t seed;
    if (read_integer(r, node, 0, &seed))
        r->space->seed = (uint64_t)seed;
}

static void read_method(struct reader *r, struct nmc_yaml *node) {
    if (nmc_yaml_is(node, "sobol"))
        r->space->sampler = NEUROMC_SOBOL;
    else if (nmc_yaml_is(node, "random"))
        r->space->sampler = NEUROMC_RANDOM;
    else
        nmc_bind_error(&r->bind, node, NULL, "expected random or sobol");
}

struct key {
    const char *name;
    void (*read)(struct reader *, struct nmc_yaml *);
};

static void read_keys(struct reader *r, struct nmc_yaml *map, const struct key *keys,
                      size_t count) {
    if (map->kind != NMC_YAML_MAP) {
        nmc_bind_error(&r->bind, map, NULL, "expected a mapping of keys to values");
        return;
    }
    for (struct nmc_yaml *node = map->first; node; node = node->next) {
        struct nmc_suggest suggest;
        size_t i = 0;
        nmc_suggest_init(&suggest, node->key);
        for (; i < count && strcmp(keys[i].name, node->key) != 0; i++)
            nmc_suggest_offer(&suggest, keys[i].name);
        if (i < count && node->kind != NMC_YAML_REFUSED) {
            keys[i].read(r, node);
        } else if (i == count) {
            const char *hint =
                suggest.best ? nmc_arena_printf(r->bind.arena, "did you mean %s?", suggest.best)
                             : "docs/sweep.md lists the keys";
            nmc_bind_error(&r->bind, node, hint, "unknown key");
        }
    }
}

static void read_sample(struct reader *r, struct nmc_yaml *node) {
    static const struct key keys[] = {
        {"count", read_count}, {"seed", read_seed}, {"method", read_method}};
    read_keys(r, node, keys, sizeof keys / sizeof *keys);
    if (node->kind == NMC_YAML_MAP && !nmc_yaml_get(node, "count"))
        nmc_bind_error(&r->bind, node, NULL, "missing key: count, how many points to draw");
}

static void read_root(struct reader *r, struct nmc_yaml *root) {
    static const struct key keys[] = {{"schema", read_schema},       {"models", read_models},
                                      {"preset", read_preset},       {"laws", read_laws},
                                      {"vary", read_vary},           {"zip", read_zip},
                                      {"objective", read_objective}, {"fields", read_fields},
                                      {"where", read_where},         {"top", read_top},
                                      {"pareto", read_pareto},       {"remap", read_remap},
                                      {"sample", read_sample}};
    read_keys(r, root, keys, sizeof keys / sizeof *keys);
    if (root->kind == NMC_YAML_MAP && !nmc_yaml_get(root, "schema"))
        nmc_bind_error(&r->bind, root, "schema: neuromc-sweep/1", "missing key: schema");
}

neuromc_status nmc_space_file(struct nmc_space *space, const char *path, neuromc_diags *diags) {
    struct nmc_file file;
    struct nmc_yaml *root = NULL;
    neuromc_status status = nmc_file_open(&file, path, NMC_LIMIT_PRESET_BYTES, diags);
    if (status != NEUROMC_OK)
        return status;
    status = nmc_yaml_read(&space->arena, (const char *)file.data, file.size, path, &root, diags);
    nmc_file_close(&file);
    struct reader reader = {.space = space,
                            .bind = {.arena = &space->arena, .root = root, .diags = diags}};
    if (root)
        read_root(&reader, root);
    if (reader.failed || space->arena.failed)
        return nmc_out_of_memory(diags);
    return reader.bind.errors ? NEUROMC_BAD_INPUT : status;
}
