/*
 * calibrate.h - results of `neuromc validate` become points to fit prices to.
 */
#ifndef NMC_CALIBRATE_H
#define NMC_CALIBRATE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "counters/calibrate_fit.h"

struct nmc_calibration {
    struct nmc_arena arena;
    const char *preset; /* as the results name it */
    const char *hash;
    const char **labels; /* by point */
    struct nmc_fit_point *points;
    size_t count, capacity, label_capacity;
    double *rest; /* relative residuals, once fitted */
    struct nmc_fit fit;
};

/* Adds the models of one JSON result that were measured; those that were not are a warning. All
 * results must be of one preset. */
neuromc_status nmc_calibration_read(struct nmc_calibration *calibration, const char *path,
                                    neuromc_diags *diags);
void nmc_calibration_release(struct nmc_calibration *calibration);

#endif
