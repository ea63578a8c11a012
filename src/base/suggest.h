/*
 * suggest.h - did you mean? The nearest of some known names to a misspelt one.
 */
#ifndef NMC_SUGGEST_H
#define NMC_SUGGEST_H

#include <stddef.h>

struct nmc_suggest {
    const char *wanted, *best;
    size_t distance;
};

/* Offer every known name, then read `best`: NULL if none is near enough to be a slip. */
void nmc_suggest_init(struct nmc_suggest *suggest, const char *wanted);
void nmc_suggest_offer(struct nmc_suggest *suggest, const char *known);

#endif
