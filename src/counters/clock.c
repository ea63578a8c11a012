#include "counters/clock.h"

#include <errno.h>
#include <time.h>

enum { NS_PER_S = 1000000000 };

static uint64_t read_clock(clockid_t id) {
    struct timespec now = {0};
    clock_gettime(id, &now);
    return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static uint64_t system_monotonic(void *user) {
    (void)user;
    return read_clock(CLOCK_MONOTONIC);
}

static uint64_t system_boot(void *user) {
    (void)user;
#ifdef CLOCK_BOOTTIME
    return read_clock(CLOCK_BOOTTIME);
#else /* macOS: CLOCK_MONOTONIC goes on in suspend, so that no time is ever lost */
    return read_clock(CLOCK_MONOTONIC);
#endif
}

static void system_sleep(void *user, uint64_t duration) {
    (void)user;
    struct timespec left = {.tv_sec = (time_t)(duration / NS_PER_S),
                            .tv_nsec = (long)(duration % NS_PER_S)};
    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        continue;
}

const struct nmc_clock nmc_system_clock = {
    .monotonic_ns = system_monotonic,
    .boot_ns = system_boot,
    .sleep_ns = system_sleep,
};

struct nmc_instant nmc_clock_now(const struct nmc_clock *clock) {
    enum { TRIES = 5, APART_NS = 1000000 };
    struct nmc_instant now = {0};
    /* Whoever is put off the processor between the two would take that for a suspend. */
    for (int i = 0; i < TRIES; i++) {
        uint64_t before = clock->monotonic_ns(clock->user);
        now.boot_ns = clock->boot_ns(clock->user);
        now.monotonic_ns = clock->monotonic_ns(clock->user);
        if (now.monotonic_ns - before < APART_NS)
            break;
    }
    return now;
}
