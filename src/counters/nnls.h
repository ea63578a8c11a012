/*
 * nnls.h - least squares with coefficients that are not negative (Lawson and Hanson 1974, ch. 23).
 *
 * Small and dense: some prices against some tens of measurements.
 */
#ifndef NMC_NNLS_H
#define NMC_NNLS_H

#include <stdbool.h>

enum { NMC_NNLS_COLUMNS = 16 };

/* Minimises |a x - b| over x >= 0. a is rows x columns, row by row. False: memory ran out, or
 * more than NMC_NNLS_COLUMNS columns. */
bool nmc_nnls(const double *a, const double *b, int rows, int columns, double *x);

/* The diagonal of the inverse of a'a over the columns where use[j]; 0 elsewhere. A column that
 * the others span gives HUGE_VAL. False: as above. */
bool nmc_nnls_spread(const double *a, int rows, int columns, const bool *use, double *out);

#endif
