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

/* Elements of a class in a fragment's loop dims. False if they do not fit. */
bool nmc_class_elements(const struct nmc_fragment *fragment, enum nmc_class per, int64_t *out);

#endif
