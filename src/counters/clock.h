/*
 * clock.h - time as counters see it. Tests put a clock of their own in its place.
 */
#ifndef NMC_CLOCK_H
#define NMC_CLOCK_H

#include <stdint.h>

struct nmc_clock {
    uint64_t (*monotonic_ns)(void *user); /* stands still while the machine is suspended */
    uint64_t (*boot_ns)(void *user);      /* the same, but goes on in suspend */
    void (*sleep_ns)(void *user, uint64_t duration); /* of the monotonic clock */
    void *user;
};

extern const struct nmc_clock nmc_system_clock;

/* Both clocks at one moment. */
struct nmc_instant {
    uint64_t monotonic_ns, boot_ns;
};
struct nmc_instant nmc_clock_now(const struct nmc_clock *clock);

#endif
