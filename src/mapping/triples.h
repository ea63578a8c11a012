/*
 * triples.h - mappings as JSON: {header, triples: [{id, problem, architecture, mapping}, ...]},
 * the interchange of docs/mapping.md.
 */
#ifndef NMC_TRIPLES_H
#define NMC_TRIPLES_H

#include "base/json_write.h"
#include "frontends/json_doc.h"
#include "mapping/count.h"

struct nmc_triple {
    const char *id;
    struct nmc_problem problem;
    struct nmc_machine machine;
    struct nmc_nest nest;
};

/* The triple at *at; names are in the document's arena. */
neuromc_status nmc_triple_read(struct nmc_doc *doc, const struct nmc_doc_key *key, const char **at,
                               struct nmc_triple *out);

/* The value of `result`: counts, or why they do not fit (misfit may be NULL). */
void nmc_triple_write_result(struct nmc_json *json, const struct nmc_triple *triple,
                             const struct nmc_map_counts *counts, const struct nmc_misfit *misfit);

/* "GLB is too small for Weights, Inputs by 12 words (24 of 12)"; word: its size, where levels have
 * theirs in bits, and "12 words of 16 bits" then. */
void nmc_misfit_text(const struct nmc_machine *machine, const struct nmc_misfit *misfit,
                     int64_t word, struct nmc_strbuf *out);

#endif
