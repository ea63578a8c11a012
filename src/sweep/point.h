/*
 * point.h - one point by the long way: its preset, its model, its report, as `neuromc estimate`
 * makes them. The fast way is held to it, and what fails there is explained by it.
 */
#ifndef NMC_POINT_H
#define NMC_POINT_H

#include "sweep/plan.h"

/* What a point asks of a model; arrays live in the arena. */
struct nmc_choice {
    const char *model;
    int preset; /* number of the tree */
    neuromc_model_options model_options;
    neuromc_estimate_options estimate_options;
};

neuromc_status nmc_point_choice(const struct nmc_plan *plan, const int32_t *levels,
                                struct nmc_arena *arena, struct nmc_choice *out,
                                neuromc_diags *diags);

/* "path=value" for all that the axes set, in the order of the axes, after the base's. */
neuromc_status nmc_point_assignments(const struct nmc_plan *plan, const int32_t *levels, int preset,
                                     struct nmc_arena *arena, const char ***out, size_t *count,
                                     neuromc_diags *diags);

neuromc_status nmc_point_preset(const struct nmc_plan *plan, const int32_t *levels,
                                enum nmc_laws laws, neuromc_preset **out, neuromc_diags *diags);
neuromc_status nmc_point_report(const struct nmc_plan *plan, const int32_t *levels,
                                const struct neuromc_preset *preset, neuromc_report **out,
                                neuromc_diags *diags);

/* All metrics of a point. */
neuromc_status nmc_point_metrics(const struct nmc_plan *plan, const int32_t *levels,
                                 double out[NMC_MAX_METRICS], neuromc_diags *diags);

/* The first error of a list as one line; in the arena. */
const char *nmc_point_reason(struct nmc_arena *arena, const neuromc_diags *diags);

#endif
