/*
 * load.h - what else a machine does: load average, and a process's share of all busy CPU time.
 */
#ifndef NMC_LOAD_H
#define NMC_LOAD_H

#include <stdbool.h>
#include <sys/types.h>

struct nmc_load {
    double average[3]; /* over 1, 5 and 15 minutes; -1: not known */
    double busy_s;     /* of all CPUs since boot; -1: not known */
    double process_s;  /* CPU time of the process, or, of 0, of this one's reaped children; or -1 */
};

struct nmc_load nmc_load_now(pid_t process);

/* Share of the process in the busy time between two looks, 0 to 1; -1: not known. */
double nmc_load_share(const struct nmc_load *before, const struct nmc_load *after);

#endif
