/*
 * fold.h - what the folding functions share.
 *
 * They run after shape inference of their node and compute the value of output 0 from the values
 * of the inputs. Values are whole tensors of at most NMC_LIMIT_FOLD_ELEMENTS elements; single
 * elements may be holes: symbols among integers, NaN among reals. A value that cannot be computed
 * is not set, which is never an error.
 */
#ifndef NMC_FOLD_H
#define NMC_FOLD_H

#include "base/limits.h"
#include "graph/infer.h"

/* Holes that one value may get anew: shape arithmetic has a handful, and each is a new symbol. */
enum { NMC_FOLD_HOLES = NMC_LIMIT_RANK };

/* The value of a tensor: ints or reals, the other NULL. */
struct nmc_value {
    const struct nmc_shape *shape;
    int64_t count; /* the elements of shape */
    const nmc_dim *ints;
    const double *reals;
};

/* False if the input is absent or its value is not known. */
bool nmc_value_of(const struct nmc_node *node, int input, struct nmc_value *out);

/* The same, or holes if only the shape is known. False if that is not known either, or large. */
bool nmc_value_or_holes(struct nmc_infer *infer, const struct nmc_node *node, int input,
                        struct nmc_value *out);

/* The shape of an output whose elements are few enough to be computed; else NULL. */
const struct nmc_shape *nmc_fold_target(const struct nmc_node *node, int output, int64_t *count);

/* Output element i is element source[i] of the value. With a count of 0 source may be NULL. */
neuromc_status nmc_fold_pick(struct nmc_infer *infer, struct nmc_node *node, int output,
                             const struct nmc_value *from, int64_t count, const int64_t *source);

/* A known index within an axis of this size, counted from its front; -1 if there is none. */
int64_t nmc_fold_place(nmc_dim index, int64_t size);

/* Row-major strides: how far apart in memory the neighbours along an axis are. The shape must be
 * known and hold few elements. */
void nmc_strides(const struct nmc_shape *shape, int64_t *strides);

/* Where element `flat` of `shape` lies in a tensor of these strides. */
int64_t nmc_strided(const struct nmc_shape *shape, const int64_t *strides, int64_t flat);

/* Whether a tensor of shape `from` may be read as one of shape `to`, both known. */
bool nmc_broadcasts_to(const struct nmc_shape *from, const struct nmc_shape *to);

/* Strides of an operand of shape `from` as it broadcasts to `to`: 0 along axes it repeats. */
void nmc_broadcast_strides(const struct nmc_shape *from, const struct nmc_shape *to,
                           int64_t *strides);

/* The value as an element of this type holds it: rounded, or NaN where it does not fit. */
double nmc_real_as(enum nmc_elem type, double value);
/* Whether an element of this type holds the value. */
bool nmc_int_fits(enum nmc_elem type, int64_t value);

#endif
