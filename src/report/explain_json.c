/* An explanation as JSON, with the names that reports use. */
#include <stdio.h>

#include "base/json_write.h"
#include "model/price.h"
#include "report/explain.h"
#include "report/formats.h"

void nmc_explain_json_start(struct nmc_json *json, const struct neuromc_report *report,
                            const char *node) {
    char hash[20];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)report->preset_hash);
    nmc_json_begin(json, '{');
    nmc_json_key(json, "schema");
    nmc_json_begin_flat(json, '{');
    nmc_json_key_text(json, "name", "neuromc-explain");
    nmc_json_key_integer(json, "version", 1);
    nmc_json_end(json, '}');
    nmc_json_key_text(json, "model", report->model_name);
    nmc_json_key(json, "preset");
    nmc_json_begin_flat(json, '{');
    nmc_json_key_text(json, "name", report->preset_name);
    nmc_json_key_text(json, "hash", hash);
    nmc_json_end(json, '}');
    nmc_json_key_text(json, "node", node);
    nmc_json_key(json, "fragments");
    nmc_json_begin(json, '[');
}

static void put_fragment(struct nmc_json *json, const struct nmc_line *line) {
    const struct nmc_fragment *f = &line->fragment;
#define json_text                      nmc_json_key_text
#define json_integer                   nmc_json_key_integer
#define json_number                    nmc_json_key_number
#define json_bool                      nmc_json_key_bool
#define COLUMN(name, kind, value, doc) json_##kind(json, #name, value);
#include "report/fields.def"
#undef COLUMN
    nmc_json_key(json, "loop_dims");
    nmc_json_begin_flat(json, '{');
    for (int i = 0; i < NMC_LOOPS; i++)
        nmc_json_key_integer(json, nmc_loop_names[i], f->dims[i]);
    nmc_json_end(json, '}');
    nmc_json_key_text(json, "formula", nmc_explain_dims_place(line));
}

static void put_step(struct nmc_json *json, const struct nmc_count_step *step) {
    nmc_json_begin_flat(json, '{');
    if (step->name)
        nmc_json_key_text(json, "what", step->name);
    if (step->kind == NMC_COUNT_ARITHMETIC || step->kind == NMC_COUNT_STATE)
        nmc_json_key_text(json, "per", nmc_class_names[step->per]);
    if (step->name) {
        nmc_json_key_integer(json, "elements", step->elements);
        nmc_json_key_integer(json, "each", step->each);
        nmc_json_key_integer(json, "repeat", step->repeat);
    }
    nmc_json_key_integer(json, "quantity", step->quantity);
    nmc_json_end(json, '}');
}

static void put_use(struct nmc_json *json, const struct nmc_explained_use *use, bool read) {
    int64_t bits = read ? use->moved.read_bits : use->moved.written_bits;
    if (!bits)
        return;
    nmc_json_begin_flat(json, '{');
    nmc_json_key_text(json, "tensor", use->use->tensor);
    nmc_json_key_text(json, "cause", nmc_dram_cause_names[use->moved.cause]);
    nmc_json_key_integer(json, "quantity", bits);
    nmc_json_end(json, '}');
}

static void put_source(void *user, const struct nmc_provenance *p) {
    struct nmc_json *json = user;
    nmc_json_begin_flat(json, '{');
    nmc_json_key_text(json, "path", p->path);
    nmc_json_key_text(json, "value", p->value);
    nmc_json_key_text(json, "origin", p->origin);
    nmc_json_key_text(json, "source", p->source);
    nmc_json_end(json, '}');
}

static void put_row(struct nmc_json *json, const struct nmc_explained *e,
                    const struct nmc_row *row) {
    struct nmc_resource resource = nmc_resource_at(row->resource);
    char name[128];
    nmc_resource_name(e->report, row->resource, name);
    nmc_json_begin(json, '{');
    nmc_json_key_text(json, "part", nmc_part_names[row->part]);
    nmc_json_key_text(json, "resource", name);
    nmc_json_key_text(json, "formula", nmc_explain_place(e->line, (enum nmc_part)row->part));
    nmc_json_key(json, "steps");
    nmc_json_begin(json, '[');
    for (size_t s = 0; s < e->step_count; s++)
        if (e->steps[s].resource == row->resource && e->steps[s].part == row->part &&
            e->steps[s].kind != NMC_COUNT_KEPT)
            put_step(json, &e->steps[s]);
    for (size_t u = 0; u < e->use_count; u++)
        put_use(json, &e->uses[u], resource.direction == NMC_RH2L);
    nmc_json_end(json, ']');
    nmc_json_key_integer(json, "quantity", row->quantity);
    nmc_json_key_number(json, "price_pj", e->report->prices[row->resource]);
    nmc_json_key_number(json, "energy_pj", nmc_row_energy(e->line, row, e->report->prices));
    nmc_json_key(json, "price");
    nmc_json_begin(json, '[');
    nmc_explain_price(e->preset, row->resource, put_source, json);
    nmc_json_end(json, ']');
    nmc_json_end(json, '}');
}

static void put_parts(struct nmc_json *json, const struct nmc_totals *t) {
#define SCALAR(name, unit, value, doc) nmc_json_key_number(json, #name, value);
#include "report/fields.def"
#undef SCALAR
}

void nmc_explain_json_line(struct nmc_json *json, const struct nmc_explained *e) {
    nmc_json_begin(json, '{');
    put_fragment(json, e->line);
    nmc_json_key(json, "rows");
    nmc_json_begin(json, '[');
    for (uint32_t r = 0; r < e->line->row_count; r++)
        put_row(json, e, &e->report->ledger.rows[e->line->first_row + r]);
    nmc_json_end(json, ']');
    put_parts(json, e->totals);
    nmc_json_end(json, '}');
}

void nmc_explain_json_sum(struct nmc_json *json, const struct nmc_totals *sum) {
    nmc_json_end(json, ']');
    put_parts(json, sum);
    nmc_json_end(json, '}');
}
