/*
 * diff.h - two sets of figures side by side: the rows that are not equal, those whose energy grew
 * most first.
 */
#ifndef NMC_DIFF_H
#define NMC_DIFF_H

#include "report/figures.h"

struct nmc_diff_row {
    const char *key;
    const struct nmc_figure *a, *b; /* one of them NULL: the other side alone has it */
    double change;                  /* pJ, b - a; what is not there is 0 */
    size_t order;                   /* of appearance */
};

struct neuromc_diff {
    struct nmc_figures a, b;
    bool estimated; /* some side was a model */
    struct nmc_diff_row *rows[NMC_OF];
    size_t counts[NMC_OF];
};

/* Percent of a by which b differs; false if a is 0 or not there, or too little to say. */
bool nmc_diff_percent(double a, double b, double *out);

extern const char *const nmc_diff_names[NMC_OF]; /* "stage", "op", "node", "level" */

#endif
