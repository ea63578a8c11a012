/*
 * figures.h - the energies that two reports are compared by, from a report or from its JSON.
 */
#ifndef NMC_FIGURES_H
#define NMC_FIGURES_H

#include "base/arena.h"
#include "base/file.h"
#include "base/strmap.h"
#include "neuromc.h"

enum nmc_table_of { NMC_OF_STAGE, NMC_OF_OP, NMC_OF_NODE, NMC_OF_LEVEL, NMC_OF };

struct nmc_figure {
    const char *key;
    double pj;
};

struct nmc_figure_table {
    struct nmc_figure *items; /* in the report's order; no key twice */
    size_t count, capacity;
    struct nmc_strmap index; /* the value is the number + 1 */
};

struct nmc_figures {
    struct nmc_arena arena;
    const char *model, *preset, *preset_hash, *accounting;
    double total_pj;
    int64_t unmapped; /* distinct layers whose operands are not counted, for want of a mapping */
    struct nmc_figure_table tables[NMC_OF]; /* level: mac, arithmetic, then memory levels */
};

/* NULL: not there. */
const struct nmc_figure *nmc_figure_find(const struct nmc_figure_table *table, const char *key);

/* Each must be released, also after a failure. */
neuromc_status nmc_figures_of(const neuromc_report *report, struct nmc_figures *out,
                              neuromc_diags *diags);
/* From a JSON report, which was peeked at. */
neuromc_status nmc_figures_read(const char *path, const struct nmc_peek *peek,
                                struct nmc_figures *out, neuromc_diags *diags);
void nmc_figures_release(struct nmc_figures *figures);

/* Adds a row; false when memory runs out. */
bool nmc_figure_add(struct nmc_figures *figures, enum nmc_table_of table, const char *key,
                    double pj);

#endif
