/*
 * rates.h - how often spike tensors hold a 1: one number, or one for each tensor.
 *
 * The reference charges every spike-driven MAC; papers that charge rate * T * MAC scale the
 * arithmetic, not the memory traffic.
 */
#ifndef NMC_RATES_H
#define NMC_RATES_H

#include "base/strmap.h"
#include "graph/graph.h"

struct nmc_rate {
    double rate;
    bool used;
};

struct nmc_rates {
    struct nmc_arena arena;
    double everywhere; /* for tensors that have none of their own */
    bool stated;       /* whether a rate was asked for at all */
    bool driving;      /* whether work was asked about that spikes drive */
    struct nmc_strmap by_tensor;
    const char **names; /* of by_tensor, in file order */
    size_t count, capacity;
};

/* spec: NULL (every rate 1), a number from 0 to 1, or a YAML file of `tensor: rate`. A malformed
 * file is NEUROMC_BAD_INPUT with its place. */
neuromc_status nmc_rates_read(struct nmc_rates *rates, const char *spec, neuromc_diags *diags);
void nmc_rates_release(struct nmc_rates *rates);

/* The rate of a spike tensor, by its name or that of the tensor it is a view of; 1 for others. */
double nmc_rate_of(struct nmc_rates *rates, const struct nmc_tensor *tensor);

/* The warning that spikes drive no MACs of a file. */
void nmc_rates_idle(const char *file, neuromc_diags *diags);

/* NEUROMC_USAGE for a name that is no spike tensor with work behind it; nmc_rates_idle where one
 * rate was asked for and there are none. */
neuromc_status nmc_rates_check(const struct nmc_rates *rates, const struct nmc_net *net,
                               neuromc_diags *diags);

#endif
