/*
 * sampler.h - points drawn from a space: sample i is a function of the seed and i alone, so that
 * shards and threads draw the same.
 *
 * Random: each level is a hash of (seed, i, group). Sobol (1967, directions of Joe and Kuo 2008):
 * the i-th vector of the sequence, shifted by the seed, scaled to the levels; every stretch of 2^k
 * samples falls evenly into 2^k parts of each axis.
 */
#ifndef NMC_SAMPLER_H
#define NMC_SAMPLER_H

#include "base/random.h"
#include "sweep/plan.h"

enum { NMC_SOBOL_DIMS = 21 };

void nmc_sample_levels(const struct nmc_plan *plan, int64_t index, int32_t levels[NMC_MAX_AXES]);

/* The i-th number of one dim of the sequence, as 32 bits behind the point. */
uint32_t nmc_sobol(int dim, uint32_t i);

#endif
