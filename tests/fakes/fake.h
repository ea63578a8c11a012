/*
 * fake.h - what the libraries in fake.c answer: tests write it, then open a counter.
 */
#ifndef FAKE_H
#define FAKE_H

#include <stdint.h>

enum { FAKE_GPUS = 4, FAKE_CHANNELS = 16 };

struct fake_gpu {
    const char *name, *uuid;
    int energy_code, power_code;
    unsigned long long energy_mj;
    unsigned power_mw;
    int handle_code;
};

struct fake_channel {
    const char *name, *unit;
    int64_t total; /* samples remember it; a difference is of two samples */
};

struct fake {
    /* libnvidia-ml.so.1 */
    int init_code, count_code;
    unsigned gpu_count;
    struct fake_gpu gpus[FAKE_GPUS];
    int initialised; /* inits without a shutdown */
    /* libIOReport.dylib, CoreFoundation */
    int no_group, no_sample, no_subscription, no_delta;
    int channel_count;
    struct fake_channel channels[FAKE_CHANNELS];
    int objects; /* created and not released */
    /* IOKit: one accelerator with these clients */
    int no_registry, client_count;
    struct fake_client {
        const char *creator;
        int usages;
        int64_t times[2];
    } clients[FAKE_CHANNELS];
    int handles; /* entries and iterators not released */
    /* libproc.dylib, libSystem.dylib */
    int rusage_fails_for; /* process */
    int last_pid, reads;
    uint64_t user, system, billed, serviced, energy_nj;
    uint64_t grows; /* energy and user time, for so many reads more */
    uint32_t numerator, denominator;
    int timebase_code, older_by; /* the newest flavour of rusage is 6 less this */
};

struct fake *fake_script(void);

#endif
