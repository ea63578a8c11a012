/* Figures from a JSON report (docs/report.schema.json), read strictly. */
#include <math.h>
#include <string.h>

#include "base/limits.h"
#include "frontends/json_doc.h"
#include "model/preset.h"
#include "report/figures.h"

struct schema {
    const char *name;
    int64_t version;
};

struct preset {
    const char *name, *hash;
};

/* What is read in passing, and where the tables start. */
struct reading {
    struct schema schema;
    const char *model, *accounting;
    struct preset preset;
    double total, mac, arithmetic;
    struct mapping {
        int64_t unmapped;
    } mapping;
    const char *tables[NMC_OF];
};

#define COUNT(fields) (int)(sizeof(fields) / sizeof *(fields))

static neuromc_status read_schema(struct nmc_doc *doc, const struct nmc_doc_key *key,
                                  const char **at, void *out) {
    static const struct nmc_doc_field fields[] = {
        {"name", nmc_doc_text, offsetof(struct schema, name), true},
        {"version", nmc_doc_positive, offsetof(struct schema, version), true},
    };
    const char *start = *at;
    struct schema *schema = out;
    neuromc_status status = nmc_doc_object(doc, key, at, fields, COUNT(fields), schema);
    if (status != NEUROMC_OK)
        return status;
    if (strcmp(schema->name, "neuromc-report") != 0)
        return nmc_doc_error(doc, key, start, "neuromc estimate MODEL --format json writes one",
                             "this is a \"%.60s\", not a neuromc-report", schema->name);
    if (schema->version != 1)
        return nmc_doc_error(doc, key, start, "it was written by a newer neuromc",
                             "version %lld of reports is not known", (long long)schema->version);
    return NEUROMC_OK;
}

static neuromc_status read_preset(struct nmc_doc *doc, const struct nmc_doc_key *key,
                                  const char **at, void *out) {
    static const struct nmc_doc_field fields[] = {
        {"name", nmc_doc_text, offsetof(struct preset, name), true},
        {"hash", nmc_doc_text, offsetof(struct preset, hash), true},
    };
    return nmc_doc_object(doc, key, at, fields, COUNT(fields), out);
}

static neuromc_status read_mapping(struct nmc_doc *doc, const struct nmc_doc_key *key,
                                   const char **at, void *out) {
    static const struct nmc_doc_field fields[] = {
        {"unmapped", nmc_doc_count, offsetof(struct mapping, unmapped), true},
    };
    return nmc_doc_object(doc, key, at, fields, COUNT(fields), out);
}

/* {key: pJ}; visit takes each. */
typedef neuromc_status visit_fn(struct nmc_doc *doc, const struct nmc_doc_key *key, const char **at,
                                void *user);

static neuromc_status each_member(struct nmc_doc *doc, const struct nmc_doc_key *key,
                                  const char *at, visit_fn *visit, void *user) {
    neuromc_status status = nmc_doc_expect(doc, key, at, NMC_SCAN_OBJECT);
    if (status != NEUROMC_OK)
        return status;
    for (bool more = nmc_scan_enter(&at); more; more = nmc_scan_next(&at)) {
        const char *start = at;
        struct nmc_scan_span span = nmc_scan_key(&at);
        char *name = nmc_arena_alloc(&doc->arena, span.length + 1);
        if (!name)
            return nmc_out_of_memory(doc->diags);
        if (!nmc_scan_unescape(span, name))
            return nmc_doc_error(doc, key, start, NULL, "a NUL or half a character in a key");
        status = visit(doc, &(struct nmc_doc_key){.up = key, .name = name}, &at, user);
        if (status != NEUROMC_OK)
            return status;
    }
    return NEUROMC_OK;
}

struct filling {
    struct nmc_figures *figures;
    enum nmc_table_of table;
};

static neuromc_status add_row(struct nmc_doc *doc, const struct nmc_doc_key *key, const char *at,
                              const struct filling *f, double pj) {
    if (nmc_figure_find(&f->figures->tables[f->table], key->name))
        return nmc_doc_error(doc, key, at, NULL, "the key is there twice");
    return nmc_figure_add(f->figures, f->table, key->name, pj) ? NEUROMC_OK
                                                               : nmc_out_of_memory(doc->diags);
}

static neuromc_status take_energy(struct nmc_doc *doc, const struct nmc_doc_key *key,
                                  const char **at, void *user) {
    double pj;
    const char *start = *at;
    neuromc_status status = nmc_doc_real(doc, key, at, &pj);
    return status == NEUROMC_OK ? add_row(doc, key, start, user, pj) : status;
}

static neuromc_status add_energy(struct nmc_doc *doc, const struct nmc_doc_key *key,
                                 const char **at, void *sum) {
    double pj;
    neuromc_status status = nmc_doc_real(doc, key, at, &pj);
    if (status == NEUROMC_OK)
        *(double *)sum += pj;
    return status;
}

/* {direction: pJ} of one level. */
static neuromc_status take_level(struct nmc_doc *doc, const struct nmc_doc_key *key,
                                 const char **at, void *user) {
    double pj = 0;
    const char *start = *at;
    neuromc_status status = each_member(doc, key, start, add_energy, &pj);
    if (status != NEUROMC_OK)
        return status;
    if (!isfinite(pj))
        return nmc_doc_error(doc, key, start, NULL, "these energies add up to no number");
    *at = nmc_scan_skip(start);
    return add_row(doc, key, start, user, pj);
}

static neuromc_status read_tables(struct nmc_doc *doc, const struct reading *r,
                                  struct nmc_figures *out) {
    static const char *const names[NMC_OF] = {"energy_by_stage", "energy_by_op", "energy_by_node",
                                              "energy_by_memory_level_dir"};
    neuromc_status status = NEUROMC_OK;
    for (int t = 0; status == NEUROMC_OK && t < NMC_OF; t++) {
        struct filling filling = {out, (enum nmc_table_of)t};
        status = each_member(doc, &(struct nmc_doc_key){.name = names[t]}, r->tables[t],
                             t == NMC_OF_LEVEL ? take_level : take_energy, &filling);
    }
    return status;
}

static neuromc_status read_report(struct nmc_doc *doc, struct nmc_figures *out) {
    static const struct nmc_doc_field fields[] = {
        {"schema", read_schema, offsetof(struct reading, schema), true},
        {"model", nmc_doc_text, offsetof(struct reading, model), true},
        {"preset", read_preset, offsetof(struct reading, preset), true},
        {"accounting", nmc_doc_text, offsetof(struct reading, accounting), true},
        {"mapping", read_mapping, offsetof(struct reading, mapping), false},
        {"energy_total_pj", nmc_doc_real, offsetof(struct reading, total), true},
        {"energy_mac_pj", nmc_doc_real, offsetof(struct reading, mac), true},
        {"energy_extra_compute_pj", nmc_doc_real, offsetof(struct reading, arithmetic), true},
        {"energy_by_stage", nmc_doc_place, offsetof(struct reading, tables[NMC_OF_STAGE]), true},
        {"energy_by_op", nmc_doc_place, offsetof(struct reading, tables[NMC_OF_OP]), true},
        {"energy_by_node", nmc_doc_place, offsetof(struct reading, tables[NMC_OF_NODE]), true},
        {"energy_by_memory_level_dir", nmc_doc_place,
         offsetof(struct reading, tables[NMC_OF_LEVEL]), true},
    };
    struct reading r = {.total = 0};
    const char *at = nmc_scan_blanks(doc->text);
    neuromc_status status = nmc_doc_object(doc, NULL, &at, fields, COUNT(fields), &r);
    if (status != NEUROMC_OK)
        return status;
    out->total_pj = r.total;
    out->unmapped = r.mapping.unmapped;
    out->model = nmc_arena_strdup(&out->arena, r.model);
    out->preset = nmc_arena_strdup(&out->arena, r.preset.name);
    out->preset_hash = nmc_arena_strdup(&out->arena, r.preset.hash);
    out->accounting = nmc_arena_strdup(&out->arena, r.accounting);
    if (!out->model || !out->preset || !out->preset_hash || !out->accounting ||
        !nmc_figure_add(out, NMC_OF_LEVEL, "mac", r.mac) ||
        !nmc_figure_add(out, NMC_OF_LEVEL, "arithmetic", r.arithmetic))
        return nmc_out_of_memory(doc->diags);
    return read_tables(doc, &r, out);
}

neuromc_status nmc_figures_read(const char *path, const struct nmc_peek *peek,
                                struct nmc_figures *out, neuromc_diags *diags) {
    struct nmc_doc doc;
    *out = (struct nmc_figures){.total_pj = 0};
    nmc_arena_init(&out->arena, NMC_LIMIT_REPORT_BYTES);
    neuromc_status status = nmc_doc_open_peeked(&doc, path, peek, NMC_LIMIT_REPORT_BYTES, diags);
    if (status == NEUROMC_OK)
        status = read_report(&doc, out);
    nmc_doc_release(&doc);
    return status;
}
