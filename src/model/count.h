/*
 * count.h - the work of one fragment in every resource. This is the whole access model of the
 * reference; docs/model.md writes out each formula.
 */
#ifndef NMC_COUNT_H
#define NMC_COUNT_H

#include "model/ledger.h"

/* Sets quantities[part * resources + resource] for one iteration of the fragment; all of it is
 * overwritten. False if a count does not fit 64 bits. */
bool nmc_count_fragment(const struct neuromc_preset *preset, const struct nmc_fragment *fragment,
                        int64_t *quantities, int resources);

/* The same of its MACs alone, which have no work beside them and whose operands are counted
 * elsewhere. */
void nmc_count_macs(const struct nmc_fragment *fragment, int64_t *quantities, int resources);

/* One addition to a quantity, for those who want to see how it came about. */
enum nmc_count_kind {
    NMC_COUNT_MACS,
    NMC_COUNT_OPERAND,     /* elements * each bits */
    NMC_COUNT_ARITHMETIC,  /* elements of a class * each operations */
    NMC_COUNT_STATE,       /* elements of a class * each bits * repeat */
    NMC_COUNT_ELEMENTWISE, /* operations that lowering counted itself */
    NMC_COUNT_MAPPED,      /* accesses * width: along a mapping, not counted here */
    NMC_COUNT_KEPT         /* weights that stay in their SRAM: nothing is added */
};

struct nmc_count_step {
    enum nmc_count_kind kind;
    enum nmc_part part;
    int resource;
    const char *name; /* of the operand, the arithmetic or the state; or NULL */
    enum nmc_class per;
    int64_t elements, each, repeat; /* quantity is their product */
    int64_t quantity;
};

typedef void nmc_count_watch(void *user, const struct nmc_count_step *step);

/* nmc_count_fragment with each addition that is not 0 shown to `watch`. */
bool nmc_count_watched(const struct neuromc_preset *preset, const struct nmc_fragment *fragment,
                       int64_t *quantities, int resources, nmc_count_watch *watch, void *user);

/* Elements of a class in a fragment's loop dims. False if they do not fit. */
bool nmc_class_elements(const struct nmc_fragment *fragment, enum nmc_class per, int64_t *out);

#endif
