/*
 * sampler.h - a thread that reads a counter at a steady pace and keeps every interval. While it
 * runs it alone reads the counter.
 */
#ifndef NMC_SAMPLER_H
#define NMC_SAMPLER_H

#include "counters/bracket.h"
#include "counters/counter.h"

struct nmc_sampler;

/* period_s: between two readings. NULL: memory or threads ran out, said in diags. */
struct nmc_sampler *nmc_sampler_start(struct nmc_counter *counter, const struct nmc_clock *clock,
                                      double period_s, neuromc_diags *diags);

/* Whether the counter was lost: no samples are added any more. */
bool nmc_sampler_lost(struct nmc_sampler *sampler);

/* Waits until a sample ends after this moment, or the counter is lost. */
void nmc_sampler_wait(struct nmc_sampler *sampler, uint64_t monotonic_ns);

/* Mean power over the samples that overlap a stretch, W; NAN: not known. */
double nmc_sampler_power(struct nmc_sampler *sampler, struct nmc_stretch stretch);

/* Ends the thread. The samples stay until the sampler is freed; why the counter was lost goes to
 * diags as a warning. */
const struct nmc_sample *nmc_sampler_stop(struct nmc_sampler *sampler, size_t *count,
                                          neuromc_diags *diags);
void nmc_sampler_free(struct nmc_sampler *sampler); /* stops it first */

#endif
