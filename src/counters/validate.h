/*
 * validate.h - estimates held against measurements of the same models.
 */
#ifndef NMC_VALIDATE_H
#define NMC_VALIDATE_H

#include "counters/measure.h"
#include "report/report.h"

/* What a preset says that one inference takes. */
struct nmc_estimate {
    const char *path;
    struct nmc_totals totals;
    int64_t unmodelled; /* operators that are left out of it */
};

struct neuromc_validation {
    struct nmc_arena arena;
    const char *preset_name;
    uint64_t preset_hash;
    const char *level_names[NMC_LEVELS];
    bool level_counted[NMC_LEVELS];
    struct nmc_estimate *estimates; /* by subject */
    struct neuromc_measurement *measurement;
};

/* Over the models that were measured: how well estimates order and follow the measurements. */
struct nmc_agreement {
    size_t models;
    double spearman, pearson; /* NAN: fewer than two models */
};
struct nmc_agreement nmc_agreement(const struct neuromc_validation *validation);

/* Measured by estimated energy of one inference, with the interval of the measurement; false if
 * either is not known. */
bool nmc_measured_by_estimated(const struct neuromc_validation *validation, size_t subject,
                               double *ratio, double *low, double *high);
double nmc_estimate_joules(const struct nmc_estimate *estimate);
/* MACs a second that the run reached; NAN: not known. */
double nmc_reached_macs(const struct neuromc_validation *validation, size_t subject);

#endif
