/* metric_find.c - a metric from its name. */
#include <string.h>

#include "base/strbuf.h"
#include "base/suggest.h"
#include "model/preset_effective.h"
#include "sweep/metric.h"

struct finder {
    struct nmc_arena *arena;
    const struct neuromc_report *report;
    struct neuromc_preset *preset;
    struct nmc_metric metric;
    struct nmc_suggest suggest;
    const char *wanted;
};

/* The energies of fields.def are sums of parts: what each part weighs is read off the expression.
 */
static bool find_scalar(struct finder *f) {
#define SCALAR(name, unit_text, value, doc)                                                        \
    nmc_suggest_offer(&f->suggest, #name);                                                         \
    if (strcmp(f->wanted, #name) == 0) {                                                           \
        for (int p = 0; p < NMC_PARTS; p++) {                                                      \
            struct nmc_totals one = {.energy = {0}}, *t = &one;                                    \
            one.energy[p] = 1;                                                                     \
            f->metric.part[p] = value;                                                             \
        }                                                                                          \
        f->metric.unit = unit_text;                                                                \
        return true;                                                                               \
    }
#include "report/fields.def"
#undef SCALAR
    return false;
}

static void all_parts(struct finder *f) {
    for (int p = 0; p < NMC_PARTS; p++)
        f->metric.part[p] = 1;
    f->metric.unit = "pJ";
}

static const char *behind(const char *text, const char *prefix) {
    size_t length = strlen(prefix);
    return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

/* energy_by_stage.forward: a key that some line of the report has. */
static bool find_group(struct finder *f) {
    static const char *const prefixes[NMC_GROUPINGS] = {
        [NMC_BY_STAGE] = "energy_by_stage.",    [NMC_BY_OP] = "energy_by_op.",
        [NMC_BY_CORE] = "energy_by_core_type.", [NMC_BY_PROCESS] = "energy_by_process_key.",
        [NMC_BY_NODE] = "energy_by_node.",
    };
    for (int g = 0; g < NMC_GROUPINGS; g++) {
        const char *key = behind(f->wanted, prefixes[g]);
        const struct nmc_groups *groups = &f->report->groups[g];
        for (size_t i = 0; key && i < groups->count; i++) {
            const char *known = groups->items[i].key;
            const char *full = nmc_arena_printf(f->arena, "%s%s", prefixes[g], known);
            if (strcmp(known, key) == 0) {
                f->metric.grouping = g;
                f->metric.key = full ? full + strlen(prefixes[g]) : NULL;
                all_parts(f);
                return full;
            }
            if (full)
                nmc_suggest_offer(&f->suggest, full);
        }
        if (!key)
            nmc_suggest_offer(&f->suggest, prefixes[g]);
    }
    return false;
}

static int name_index(const char *const *names, int count, const char *text, size_t length) {
    for (int i = 0; i < count; i++)
        if (strlen(names[i]) == length && memcmp(names[i], text, length) == 0)
            return i;
    return -1;
}

/* LEVEL or LEVEL.DIRECTION */
static bool read_level(struct finder *f, const char *text) {
    size_t length = strcspn(text, ".");
    f->metric.level = name_index(nmc_level_names, NMC_LEVELS, text, length);
    if (text[length] == '.')
        f->metric.direction = name_index(nmc_direction_names, NMC_DIRECTIONS, text + length + 1,
                                         strlen(text + length + 1));
    return f->metric.level >= 0 && (text[length] == '\0' || f->metric.direction >= 0);
}

static bool find_level(struct finder *f) {
    static const char *const energy[] = {"energy_by_level.", "energy_by_memory_level_dir."};
    static const char *const bits[] = {"memory_bits_by_level.", "memory_bits_by_level.totals.",
                                       "memory_bits_by_level.by_level_dir."};
    for (size_t i = 0; i < sizeof energy / sizeof *energy; i++) {
        const char *rest = behind(f->wanted, energy[i]);
        nmc_suggest_offer(&f->suggest, "energy_by_level.sram");
        if (rest && read_level(f, rest)) {
            all_parts(f);
            return true;
        }
    }
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++) {
        const char *rest = behind(f->wanted, bits[i]);
        nmc_suggest_offer(&f->suggest, "memory_bits_by_level.sram");
        if (rest && read_level(f, rest)) {
            f->metric.kind = NMC_METRIC_BITS;
            f->metric.unit = "bits";
            return true;
        }
    }
    f->metric.level = f->metric.direction = -1;
    return false;
}

static bool find_count(struct finder *f) {
    static const char *const prefixes[] = {"primitive_counts.totals.", "primitive_counts."};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        const char *name = behind(f->wanted, prefixes[i]);
        if (!name)
            continue;
        f->metric.primitive = name_index(nmc_primitive_names, NMC_PRIMITIVES, name, strlen(name));
        bool macs = strcmp(name, "mac") == 0;
        f->metric.kind = macs ? NMC_METRIC_MACS : NMC_METRIC_OPERATIONS;
        f->metric.unit = "";
        if (macs || f->metric.primitive >= 0)
            return true;
    }
    nmc_suggest_offer(&f->suggest, "cycles");
    if (strcmp(f->wanted, "cycles") == 0) {
        f->metric.kind = NMC_METRIC_CYCLES;
        f->metric.unit = "";
        return true;
    }
    nmc_suggest_offer(&f->suggest, "primitive_counts.mac");
    nmc_suggest_offer(&f->suggest, "area_mm2");
    if (strcmp(f->wanted, "area_mm2") != 0)
        return false;
    f->metric.kind = NMC_METRIC_AREA;
    f->metric.unit = "mm2";
    return true;
}

/* ---- preset paths ---- */

struct paths {
    struct finder *finder;
    const char *match;
    int matches;
};

static bool ends_with_keys(const char *path, const char *keys) {
    size_t n = strlen(path), m = strlen(keys);
    return n >= m && strcmp(path + n - m, keys) == 0 && (n == m || path[n - m - 1] == '.');
}

static void look_at_path(void *user, const struct nmc_key *key, const struct nmc_yaml *node,
                         int depth) {
    struct paths *p = user;
    double number;
    (void)key;
    (void)depth;
    const char *path = nmc_yaml_path(p->finder->arena, node);
    if (!path || node->kind != NMC_YAML_SCALAR ||
        !nmc_preset_number(p->finder->preset, path, &number))
        return;
    nmc_suggest_offer(&p->finder->suggest, path);
    if (!ends_with_keys(path, p->finder->wanted))
        return;
    p->matches++;
    p->match = path;
}

static bool find_path(struct finder *f, int *matches) {
    struct paths paths = {.finder = f};
    double number;
    nmc_preset_walk(f->preset->tree, look_at_path, &paths);
    const char *path = nmc_preset_number(f->preset, f->wanted, &number) ? f->wanted : NULL;
    if (!path && paths.matches == 1)
        path = paths.match;
    *matches = paths.matches;
    if (!path)
        return false;
    const char *unit = nmc_preset_field(f->preset, path).key->unit;
    f->metric.kind = NMC_METRIC_PRESET;
    f->metric.unit = unit ? unit : "";
    f->metric.path = f->metric.name = nmc_arena_strdup(f->arena, path);
    return true;
}

static neuromc_status unknown(struct finder *f, const struct nmc_asked *asked, int matches,
                              neuromc_diags *diags) {
    struct nmc_strbuf hint;
    nmc_strbuf_init(&hint);
    if (matches > 1)
        nmc_strbuf_puts(&hint, "write more of its path");
    else if (f->suggest.best)
        nmc_strbuf_printf(&hint, "did you mean %s?", f->suggest.best);
    else
        nmc_strbuf_puts(&hint, "docs/sweep.md lists the fields; any number of the preset will do");
    neuromc_status status =
        nmc_error(diags, nmc_asked_status(asked->place), asked->place, hint.text,
                  matches > 1 ? "%.128s is the end of several paths of the preset"
                              : "neither the report nor the preset has a number %.128s",
                  f->wanted);
    nmc_strbuf_release(&hint);
    return status;
}

neuromc_status nmc_metric_find(struct nmc_arena *arena, const struct nmc_asked *asked,
                               struct neuromc_preset *preset, const struct neuromc_report *report,
                               struct nmc_metric *out, neuromc_diags *diags) {
    struct finder f = {.arena = arena, .report = report, .preset = preset, .wanted = asked->text};
    f.metric = (struct nmc_metric){.grouping = -1, .level = -1, .direction = -1, .primitive = -1};
    const char *rest = behind(asked->text, "max:");
    f.metric.maximise = rest;
    if (!rest)
        rest = behind(asked->text, "min:");
    if (rest)
        f.wanted = rest;
    f.metric.name = f.wanted;
    nmc_suggest_init(&f.suggest, f.wanted);
    int matches = 0;
    bool found = find_scalar(&f) || find_group(&f) || find_level(&f) || find_count(&f) ||
                 find_path(&f, &matches);
    if (arena->failed)
        return nmc_out_of_memory(diags);
    if (!found)
        return unknown(&f, asked, matches, diags);
    *out = f.metric;
    return NEUROMC_OK;
}
