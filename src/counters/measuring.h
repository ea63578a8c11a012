/*
 * measuring.h - a measurement under way: what the files of measure*.c share.
 */
#ifndef NMC_MEASURING_H
#define NMC_MEASURING_H

#include "counters/child.h"
#include "counters/measure.h"
#include "counters/sampler.h"

struct nmc_measuring {
    struct neuromc_measurement *m;
    const struct nmc_clock *clock;
    struct nmc_counter *counter;
    struct nmc_sampler *sampler; /* NULL for counters per process */
    struct nmc_child *children;  /* by subject; those that talk live all along */
    neuromc_diags *diags;
};

bool nmc_measuring_stopped(const struct nmc_measuring *x);
void nmc_measuring_tell(struct nmc_measuring *x, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Starts a child that talks and waits until it is ready. False: the subject's failure says why. */
bool nmc_measuring_ready(struct nmc_measuring *x, size_t subject);
/* Does every job k times, filling window, decodes, child_wall_ns and note. False likewise. */
bool nmc_measuring_go(struct nmc_measuring *x, size_t subject, int64_t k, struct nmc_round *round);
void nmc_measuring_leave(struct nmc_measuring *x, size_t subject);

/* Sets the subject's k. False likewise. */
bool nmc_measuring_calibrate(struct nmc_measuring *x, size_t subject);

#endif
