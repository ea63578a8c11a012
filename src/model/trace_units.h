/*
 * trace_units.h - the work of every aten operator of a trace, kept until its end, when it is
 * known which of it modules have already shown.
 *
 * Equal units are kept once. Their order is kept only where a list of fragments is asked for;
 * without it memory grows with distinct units alone.
 */
#ifndef NMC_TRACE_UNITS_H
#define NMC_TRACE_UNITS_H

#include "model/trace_keys.h"
#include "model/trace_work.h"

struct nmc_unit_count {
    struct nmc_unit unit;
    int64_t total, claimed;
};

struct nmc_units {
    bool in_order; /* set before the first unit */
    struct nmc_keys keys;
    struct nmc_unit_count *distinct;
    size_t capacity;
    struct nmc_unit_seen *order;
    size_t order_count, order_capacity;
};

void nmc_units_release(struct nmc_units *units);

/* One more unit; *handle names it, or all that equal it. False: memory ran out. */
bool nmc_units_add(struct nmc_units *units, const struct nmc_unit *unit, uint32_t *handle);
void nmc_units_claim(struct nmc_units *units, uint32_t handle);

/* Each unit in event order if that was kept, else each distinct one with its counts. */
typedef neuromc_status nmc_units_visit(void *user, const struct nmc_unit_count *unit);
neuromc_status nmc_units_each(const struct nmc_units *units, nmc_units_visit *visit, void *user);

/* What makes two fragments the same work to the reference: everything but who reported it and
 * how a batch is split into B and T. */
enum { NMC_SIGNATURE_WORDS = 21 };
void nmc_signature(const struct nmc_fragment *fragment, uint32_t stage,
                   int64_t words[NMC_SIGNATURE_WORDS]);

#endif
