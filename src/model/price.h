/*
 * price.h - a ledger times a preset's prices.
 *
 * Energy of a row in pJ: MACs x sum of the core type's primitives x its scale (x spike rate of the
 * fragment), operations x price of the primitive, bits / bandwidth_bits x cost of an access.
 * Breakdowns are sums over rows in ledger order, so a report is the same on every machine.
 */
#ifndef NMC_PRICE_H
#define NMC_PRICE_H

#include "model/ledger.h"

/* pJ of one unit (MAC, operation, bit) of a resource. */
double nmc_price(const struct neuromc_preset *preset, int resource);

/* Prices of all resources, [nmc_resource_count()], in the arena; NULL when memory runs out. */
double *nmc_prices(const struct neuromc_preset *preset, struct nmc_arena *arena);

/* pJ of one row of a line. */
double nmc_row_energy(const struct nmc_line *line, const struct nmc_row *row, const double *prices);

#endif
