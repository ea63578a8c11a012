/*
 * problem.h - the loop nest of a fragment, and a preset's machine at the fragment's precision.
 *
 * A product of matrices is a convolution of one position and one tap. Gradients have the dims of
 * their forward layer, whose MACs they share; only which operand is which tensor differs. Groups,
 * and the matrices of a batched product, are problems of their own, solved once.
 */
#ifndef NMC_MAP_PROBLEM_H
#define NMC_MAP_PROBLEM_H

#include "mapping/nest.h"
#include "model/preset.h"

/* Whether a fragment is a convolution or product with MACs to map. */
bool nmc_is_mappable(const struct nmc_fragment *fragment);

/* *groups problems like *problem are the fragment. */
void nmc_problem_of(const struct nmc_fragment *fragment, const struct neuromc_preset *preset,
                    struct nmc_problem *problem, int64_t *groups);

/* The machine of a preset, which must have one, with MACs of a core type. */
void nmc_machine_of(const struct neuromc_preset *preset, enum nmc_core core,
                    struct nmc_machine *out);

#endif
