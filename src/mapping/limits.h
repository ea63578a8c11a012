/*
 * limits.h - what somebody asks of every mapping, as text: loops that are fixed, orders of loops,
 * a floor for the share of MACs in use.
 */
#ifndef NMC_MAP_LIMITS_H
#define NMC_MAP_LIMITS_H

#include "base/diag.h"
#include "mapping/plan.h"
#include "model/preset.h"

/* NEUROMC_USAGE for what cannot be read; *limited: there is any limit. */
neuromc_status nmc_map_limits_read(struct nmc_map_limits *limits,
                                   const neuromc_map_options *options,
                                   const struct neuromc_preset *preset, bool *limited,
                                   neuromc_diags *diags);

#endif
