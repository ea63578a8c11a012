/* calibrate_read.c - JSON results of `neuromc validate` (docs/validate.schema.json). */
#include <string.h>

#include "base/limits.h"
#include "base/memory.h"
#include "counters/calibrate.h"
#include "frontends/json_doc.h"

#define COUNT(fields) (int)(sizeof(fields) / sizeof *(fields))

static const double pj_per_j = 1e12;

struct named {
    const char *name, *hash;
};

struct levels {
    double dram, noc, sram, reg;
};

struct estimate {
    double mac, other;
    struct levels levels;
};

struct median {
    double value;
};

struct summary {
    const char *joules, *seconds; /* where they are: objects, or null */
};

struct model {
    const char *label;
    struct estimate estimate;
    struct summary summary;
};

struct result {
    struct named schema, preset;
    const char *models;
};

static neuromc_status read_schema(struct nmc_doc *doc, const struct nmc_doc_key *key,
                                  const char **at, void *out) {
    static const struct nmc_doc_field fields[] = {
        {"name", nmc_doc_text, offsetof(struct named, name), true}};
    const char *start = *at;
    struct named *schema = out;
    neuromc_status status = nmc_doc_object(doc, key, at, fields, COUNT(fields), schema);
    if (status == NEUROMC_OK && strcmp(schema->name, "neuromc-validate") != 0)
        status = nmc_doc_error(doc, key, start, "neuromc validate ... --format json writes one",
                               "this is a \"%.60s\", not a neuromc-validate", schema->name);
    return status;
}

static neuromc_status read_preset(struct nmc_doc *doc, const struct nmc_doc_key *key,
                                  const char **at, void *out) {
    static const struct nmc_doc_field fields[] = {
        {"name", nmc_doc_text, offsetof(struct named, name), true},
        {"hash", nmc_doc_text, offsetof(struct named, hash), true}};
    return nmc_doc_object(doc, key, at, fields, COUNT(fields), out);
}

static neuromc_status read_levels(struct nmc_doc *doc, const struct nmc_doc_key *key,
                                  const char **at, void *out) {
    static const struct nmc_doc_field fields[] = {
        {"dram", nmc_doc_real, offsetof(struct levels, dram), false},
        {"noc", nmc_doc_real, offsetof(struct levels, noc), false},
        {"sram", nmc_doc_real, offsetof(struct levels, sram), false},
        {"reg", nmc_doc_real, offsetof(struct levels, reg), false}};
    return nmc_doc_object(doc, key, at, fields, COUNT(fields), out);
}

static neuromc_status read_estimate(struct nmc_doc *doc, const struct nmc_doc_key *key,
                                    const char **at, void *out) {
    static const struct nmc_doc_field fields[] = {
        {"energy_mac_pj", nmc_doc_real, offsetof(struct estimate, mac), true},
        {"energy_extra_compute_pj", nmc_doc_real, offsetof(struct estimate, other), true},
        {"energy_by_level_pj", read_levels, offsetof(struct estimate, levels), true}};
    return nmc_doc_object(doc, key, at, fields, COUNT(fields), out);
}

static neuromc_status read_summary(struct nmc_doc *doc, const struct nmc_doc_key *key,
                                   const char **at, void *out) {
    static const struct nmc_doc_field fields[] = {
        {"joules_per_job", nmc_doc_place, offsetof(struct summary, joules), true},
        {"seconds_per_job", nmc_doc_place, offsetof(struct summary, seconds), true}};
    return nmc_doc_object(doc, key, at, fields, COUNT(fields), out);
}

/* The median of a summary; below zero, or null: `measured` is false. */
static neuromc_status read_median(struct nmc_doc *doc, const struct nmc_doc_key *key,
                                  const char *at, double *out, bool *measured) {
    static const struct nmc_doc_field place[] = {{"median", nmc_doc_place, 0, true}};
    const char *median = NULL;
    if (*at == 'n') {
        *measured = false;
        return NEUROMC_OK;
    }
    neuromc_status status = nmc_doc_object(doc, key, &at, place, 1, (void *)&median);
    if (status == NEUROMC_OK && *median == '-') {
        *measured = false;
        return NEUROMC_OK;
    }
    return status == NEUROMC_OK ? nmc_doc_real(doc, key, &median, out) : status;
}

static neuromc_status add(struct nmc_calibration *c, const struct model *model,
                          const struct nmc_fit_point *point, neuromc_diags *diags) {
    const char *label = nmc_arena_strdup(&c->arena, model->label);
    if (!label || !nmc_grow(&c->points, &c->capacity, c->count + 1, sizeof *c->points) ||
        !nmc_grow(&c->labels, &c->label_capacity, c->count + 1, sizeof *c->labels))
        return nmc_out_of_memory(diags);
    c->labels[c->count] = label;
    c->points[c->count++] = *point;
    return NEUROMC_OK;
}

static neuromc_status read_model(struct nmc_doc *doc, const struct nmc_doc_key *key,
                                 const char **at, struct nmc_calibration *c) {
    static const struct nmc_doc_field fields[] = {
        {"label", nmc_doc_text, offsetof(struct model, label), true},
        {"estimate", read_estimate, offsetof(struct model, estimate), true},
        {"summary", read_summary, offsetof(struct model, summary), true}};
    struct model m = {.label = NULL};
    struct nmc_fit_point point = {.joules = 0};
    bool measured = true;
    neuromc_status status = nmc_doc_object(doc, key, at, fields, COUNT(fields), &m);
    if (status == NEUROMC_OK)
        status = read_median(doc, key, m.summary.joules, &point.joules, &measured);
    if (status == NEUROMC_OK)
        status = read_median(doc, key, m.summary.seconds, &point.parts[NMC_FIT_POWER], &measured);
    if (status != NEUROMC_OK)
        return status;
    if (!measured || !(point.joules > 0)) {
        nmc_warning(doc->diags, (struct nmc_place){.file = doc->file, .where = m.label}, NULL,
                    "was not measured above idle power: left out");
        return NEUROMC_OK;
    }
    point.parts[NMC_FIT_MAC] = m.estimate.mac / pj_per_j;
    point.parts[NMC_FIT_OTHER] = m.estimate.other / pj_per_j;
    point.parts[NMC_FIT_DRAM] = m.estimate.levels.dram / pj_per_j;
    point.parts[NMC_FIT_NOC] = m.estimate.levels.noc / pj_per_j;
    point.parts[NMC_FIT_SRAM] = m.estimate.levels.sram / pj_per_j;
    point.parts[NMC_FIT_REG] = m.estimate.levels.reg / pj_per_j;
    return add(c, &m, &point, doc->diags);
}

static neuromc_status read_models(struct nmc_doc *doc, const char *at, struct nmc_calibration *c) {
    const struct nmc_doc_key models = {.name = "models"};
    neuromc_status status = nmc_doc_expect(doc, &models, at, NMC_SCAN_LIST);
    struct nmc_doc_key item = {.up = &models};
    if (status != NEUROMC_OK)
        return status;
    for (bool more = nmc_scan_enter(&at); more && status == NEUROMC_OK; more = nmc_scan_next(&at)) {
        status = read_model(doc, &item, &at, c);
        item.index++;
    }
    return status;
}

static neuromc_status same_preset(struct nmc_doc *doc, struct nmc_calibration *c,
                                  const struct named *preset) {
    if (!c->hash) {
        c->preset = nmc_arena_strdup(&c->arena, preset->name);
        c->hash = nmc_arena_strdup(&c->arena, preset->hash);
        return c->preset && c->hash ? NEUROMC_OK : nmc_out_of_memory(doc->diags);
    }
    if (strcmp(c->hash, preset->hash) == 0)
        return NEUROMC_OK;
    return nmc_error(doc->diags, NEUROMC_BAD_INPUT, (struct nmc_place){.file = doc->file},
                     "calibrate takes results of one preset",
                     "its preset is %s (%s), that of the files before it %s (%s)", preset->name,
                     preset->hash, c->preset, c->hash);
}

neuromc_status nmc_calibration_read(struct nmc_calibration *c, const char *path,
                                    neuromc_diags *diags) {
    static const struct nmc_doc_field fields[] = {
        {"schema", read_schema, offsetof(struct result, schema), true},
        {"preset", read_preset, offsetof(struct result, preset), true},
        {"models", nmc_doc_place, offsetof(struct result, models), true}};
    struct nmc_doc doc;
    struct result result = {.models = NULL};
    neuromc_status status = nmc_doc_open(&doc, path, NMC_LIMIT_REPORT_BYTES, diags);
    if (status == NEUROMC_OK) {
        const char *at = nmc_scan_blanks(doc.text);
        status = nmc_doc_object(&doc, NULL, &at, fields, COUNT(fields), &result);
    }
    if (status == NEUROMC_OK)
        status = same_preset(&doc, c, &result.preset);
    if (status == NEUROMC_OK)
        status = read_models(&doc, result.models, c);
    nmc_doc_release(&doc);
    return status;
}

void nmc_calibration_release(struct nmc_calibration *c) {
    nmc_free(c->labels);
    nmc_free(c->points);
    nmc_free(c->rest);
    nmc_arena_release(&c->arena);
}
