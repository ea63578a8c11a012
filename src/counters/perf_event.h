/*
 * perf_event.h - how sysfs describes the events of a PMU: "event=0x02,umask=1" placed into the
 * bits that format/ gives, a scale, a unit, and the processors to ask.
 */
#ifndef NMC_PERF_EVENT_H
#define NMC_PERF_EVENT_H

#include "counters/kind.h"

struct nmc_perf_pmu {
    const char *path; /* of its folder */
    uint32_t type;
    int *cpus; /* one of each package or die */
    size_t cpu_count;
};

struct nmc_perf_event {
    uint64_t config[3]; /* config, config1, config2 */
    double joules;      /* of one count */
};

/* False: `missing` says why. Everything lives in the counter's arena. */
bool nmc_perf_pmu_find(struct nmc_counter *counter, const char *name, struct nmc_perf_pmu *out,
                       struct nmc_missing *missing);
/* An event by its name, with .scale and .unit. */
bool nmc_perf_event_find(struct nmc_counter *counter, const struct nmc_perf_pmu *pmu,
                         const char *name, struct nmc_perf_event *out, struct nmc_missing *missing);

#endif
