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

/* Over the models whose verdict lets them be compared: how well estimates order and follow the
 * measurements. Orders are indices of subjects, least energy first. */
struct nmc_agreement {
    size_t models;
    double spearman, pearson; /* NAN: fewer than two models */
    size_t *measured_order, *estimated_order;
};

struct neuromc_validation {
    struct nmc_arena arena;
    const char *preset_name;
    uint64_t preset_hash;
    const char *level_names[NMC_LEVELS];
    bool level_counted[NMC_LEVELS];
    struct nmc_estimate *estimates; /* by subject */
    struct neuromc_measurement *measurement;
    struct nmc_agreement agreement;
};

/* Fills agreement; false: no memory. */
bool nmc_agree(struct neuromc_validation *validation);

/* What the verdict of a model supports: "ratio", "ranking" (among models run in turns) or
 * "nothing". */
const char *nmc_supported_claim(const struct neuromc_validation *validation, size_t subject);

/* Whether the intervals of two models leave no doubt which takes less. */
bool nmc_told_apart(const struct neuromc_validation *validation, size_t less, size_t more);

/* Measured by estimated energy of one inference, with the interval of the measurement; false if
 * either is not known. */
bool nmc_measured_by_estimated(const struct neuromc_validation *validation, size_t subject,
                               double *ratio, double *low, double *high);
double nmc_estimate_joules(const struct nmc_estimate *estimate);
/* MACs a second that the run reached; NAN: not known. */
double nmc_reached_macs(const struct neuromc_validation *validation, size_t subject);

#endif
