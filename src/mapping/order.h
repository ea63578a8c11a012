/*
 * order.h - in which orders the temporal loops of one level are worth trying.
 *
 * Two orders count the same unless they differ in which loops stand innermost: an operand is free
 * of loops that do not move its tile only inside the innermost one that does, and shares words
 * between neighbours only along that one. So it takes a block of loops that are irrelevant to one
 * operand, each of the other dims that could stand next, and pairs of dims that slide along one
 * axis.
 */
#ifndef NMC_ORDER_H
#define NMC_ORDER_H

#include "mapping/plan.h"

enum { NMC_MOST_ORDERS = 5040 }; /* 7! */

/* The orders of the dims in `present` (a mask); all of them if `all`, else those that differ.
 * Returns how many are in `out`, which has room for NMC_MOST_ORDERS; at least one. */
int nmc_orders(unsigned present, bool all, struct nmc_order *out);

/* The orders whose innermost dims are those that a limit names, in its order; dims that it leaves
 * out stand outside in any order. */
int nmc_orders_fixed(unsigned present, bool all, const struct nmc_order *fixed,
                     struct nmc_order *out);

#endif
