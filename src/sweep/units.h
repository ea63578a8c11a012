/*
 * units.h - the terms of a cell become its tables.
 */
#ifndef NMC_UNITS_H
#define NMC_UNITS_H

#include "sweep/terms.h"

/* Fills constant, units, varies, fingerprint and warnings of a cell. A failure that is not memory
 * is the cell's reason; warnings in diags become the cell's. False: out of memory. */
bool nmc_units_build(struct nmc_cell *cell, struct nmc_terms *terms, neuromc_diags *diags);

/* Combinations of the levels of the groups in a mask; saturates. */
int64_t nmc_mask_size(const struct nmc_plan *plan, uint64_t mask);

/* Entries that one unit, and all units of a cell, may have. */
enum { NMC_UNIT_ENTRIES = 1 << 20, NMC_CELL_ENTRIES = 1 << 21 };

#endif
