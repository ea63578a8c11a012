/*
 * explain.h - how the figures of a node came about: for each of its ledger lines the additions
 * behind every row, counted anew and held against the ledger.
 */
#ifndef NMC_EXPLAIN_H
#define NMC_EXPLAIN_H

#include "base/sink.h"
#include "model/count.h"
#include "report/report.h"

/* A use of a tensor that moves something between DRAM and chip. */
struct nmc_explained_use {
    const struct nmc_dram_use *use;
    struct nmc_dram_traffic moved;
};

/* One ledger line. Its rows are the ledger's; steps belong to the row of their part and resource,
 * those of kind NMC_COUNT_KEPT to none. */
struct nmc_explained {
    const struct neuromc_report *report;
    const struct neuromc_preset *preset;
    const char *node;
    const struct nmc_line *line;
    const struct nmc_totals *totals;
    const struct nmc_count_step *steps; /* of one iteration */
    size_t step_count;
    const struct nmc_explained_use *uses; /* of a line of DRAM traffic */
    size_t use_count;
};

/* Where the documentation has the formula behind a part of a line. */
const char *nmc_explain_place(const struct nmc_line *line, enum nmc_part part);
/* Where it says how a fragment gets its dims. */
const char *nmc_explain_dims_place(const struct nmc_line *line);

/* Calls visit for each value of the preset that a resource's price is made of. */
typedef void nmc_price_visit(void *user, const struct nmc_provenance *provenance);
void nmc_explain_price(const struct neuromc_preset *preset, int resource, nmc_price_visit *visit,
                       void *user);
/* The price as arithmetic: "0.548 + 0.812", "40.6 / 16". */
void nmc_explain_price_text(const struct neuromc_preset *preset, int resource,
                            struct nmc_strbuf *out);

/* The writers. `sum` is what all lines shown come to. */
void nmc_explain_text_line(struct nmc_sink *sink, bool color, const struct nmc_explained *e);
void nmc_explain_text_sum(struct nmc_sink *sink, const char *node, size_t lines,
                          const struct nmc_totals *sum);
struct nmc_json;
void nmc_explain_json_start(struct nmc_json *json, const struct neuromc_report *report,
                            const char *node);
void nmc_explain_json_line(struct nmc_json *json, const struct nmc_explained *e);
void nmc_explain_json_sum(struct nmc_json *json, const struct nmc_totals *sum);

#endif
