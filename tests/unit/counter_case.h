/*
 * counter_case.h - a folder that stands in for /sys, a clock that stands still until told, and
 * files that advance with it.
 */
#ifndef COUNTER_CASE_H
#define COUNTER_CASE_H

#include "counters/kind.h"

enum { CASE_FILES = 32 };

/* A file in the tree that gains `watts` as the clock goes. */
struct case_file {
    char path[512];
    double microjoules;
    double watts;
};

struct counter_case {
    char root[64];
    uint64_t monotonic_ns, boot_ns;
    struct nmc_clock clock;
    struct nmc_value_reader reader;
    int read_error; /* every read of a value fails so; 0: none */
    struct case_file files[CASE_FILES];
    int file_count;
    struct nmc_counter_options options; /* root, clock, reader; add to it */
    struct nmc_counter *counter;
    struct nmc_reading reading;
    neuromc_diags *diags;
};

void case_init(struct counter_case *c);
void case_free(struct counter_case *c);

/* Writes a file below the root, folders made on the way. */
void case_write(struct counter_case *c, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void case_link(struct counter_case *c, const char *path, const char *target);
void case_remove(struct counter_case *c, const char *path);
/* A powercap zone; range NULL: without that file. Its energy stands still. */
void case_zone(struct counter_case *c, const char *id, const char *name, uint64_t energy_uj,
               const char *range);
/* From now on the file gains that many microjoules a microsecond; 0 leaves it alone. */
void case_power(struct counter_case *c, const char *path, double watts);
/* Time goes by; the machine sleeps for `asleep` of it. Files gain their energy while awake. */
void case_pass(struct counter_case *c, double awake_s, double asleep_s);

/* Opens and asserts that it works; every file that had power stands still afterwards. */
void case_open(struct counter_case *c, const char *name);
/* Opens and asserts that it fails in this way, with this text in the reason. */
void case_lacks(struct counter_case *c, const char *name, enum nmc_absence absence,
                const char *reason);
/* Reads into c->reading, asserting that it works. */
void case_read(struct counter_case *c);
/* ... and the energy since the last reading within rounding, and the quality. */
void case_step(struct counter_case *c, double joules, unsigned quality);
/* The part with this name and place ending; asserts that it is there. */
const struct nmc_counter_part *case_part(const struct counter_case *c, const char *name,
                                         const char *place);
void case_role(const struct counter_case *c, const char *name, const char *place,
               enum nmc_role role);

#endif
