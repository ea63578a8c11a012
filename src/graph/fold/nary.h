/*
 * nary.h - an operator on the elements of its inputs, taken one after the other: Add, Max, And.
 *
 * Integers: apply computes known operands and returns false if there is no result (overflow,
 * division by zero); symbolic, which may be NULL, answers where at least one operand is a symbol
 * and false if that cannot be told. Reals: NULL if the operator has no real form.
 */
#ifndef NMC_NARY_H
#define NMC_NARY_H

#include "graph/fold/fold.h"

struct nmc_nary {
    bool (*apply)(int64_t a, int64_t b, int64_t *out);
    bool (*symbolic)(struct nmc_infer *infer, nmc_dim a, nmc_dim b, nmc_dim *out);
    double (*real)(double a, double b);
};

/* Two integers, a hole if there is no result that fits the type. */
nmc_dim nmc_nary_ints(struct nmc_infer *infer, const struct nmc_node *node,
                      const struct nmc_nary *op, enum nmc_elem type, nmc_dim a, nmc_dim b,
                      int *holes);
double nmc_nary_reals(const struct nmc_nary *op, enum nmc_elem type, double a, double b);

/* Output 0 from all inputs, with broadcasting. */
neuromc_status nmc_fold_nary(struct nmc_infer *infer, struct nmc_node *node,
                             const struct nmc_nary *op);

extern const struct nmc_nary nmc_nary_add, nmc_nary_mul, nmc_nary_min, nmc_nary_max;

#endif
