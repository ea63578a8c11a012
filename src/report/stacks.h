/*
 * stacks.h - a report as stacks of four frames, stage;op;node;level, with whole numbers as
 * weights: what flame graphs and pprof show.
 *
 * Rounding is carried from stack to stack, and the last one ends at the report's total, so the
 * weights add up to the rounded total exactly.
 */
#ifndef NMC_STACKS_H
#define NMC_STACKS_H

#include "base/sink.h"
#include "report/report.h"

enum { NMC_STACK_FRAMES = 4, NMC_STACK_LEVELS = 2 + NMC_LEVELS };

struct nmc_stack {
    const char *frames[NMC_STACK_FRAMES]; /* outermost first */
    int64_t weight;                       /* > 0 */
};

/* What weights count. */
struct nmc_stack_unit {
    const char *name; /* "femtojoules" */
    double per_pj;
};

/* Femtojoules, or the first coarser unit in which the total fits 64 bits. */
struct nmc_stack_unit nmc_stack_unit(const struct neuromc_report *report);

/* The innermost frames: mac, arithmetic, then the memory levels; and what each takes, pJ. */
const char *nmc_stack_level(int index);
double nmc_stack_energy(const struct nmc_totals *totals, int index);

typedef void nmc_stack_visit(void *user, const struct nmc_stack *stack);

/* Visits every stack that weighs anything, in ledger order. */
void nmc_report_stacks(const struct neuromc_report *report, nmc_stack_visit *visit, void *user);

#endif
