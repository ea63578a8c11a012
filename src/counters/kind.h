/*
 * kind.h - the other side of counter.h: what one kind of counter provides, and what all of them
 * share. Tests make kinds of their own from it.
 */
#ifndef NMC_KIND_H
#define NMC_KIND_H

#include "base/arena.h"
#include "counters/counter.h"

/* A part, and how its raw count becomes energy. */
struct nmc_part {
    struct nmc_counter_part shown;
    uint64_t range;    /* in steps; 0: never wraps, or not known */
    double most_watts; /* faster is not plausible; 0: no bound */
    uint64_t raw;      /* as last read */
    uint64_t steps;    /* since the counter was opened */
    double watts;      /* integrated parts: as last read */
    bool has_raw;      /* raw or watts hold a reading */
    bool integrated;
    bool
        is_work; /* counted by software as work is done: rests when there is none, and in suspend */
    int fd;      /* -1: none */
    void *device; /* of the kind */
};

/* Time between two readings. */
struct nmc_interval {
    uint64_t now_ns;     /* of the later one */
    uint64_t elapsed_ns; /* monotonic */
    bool suspended;      /* the machine slept in between */
};

struct nmc_counter {
    const struct nmc_counter_kind *kind;
    struct nmc_counter_info info;
    struct nmc_counter_options options; /* clock and reader are never NULL */
    struct nmc_arena arena;             /* everything below lives here */
    struct nmc_part **parts;
    size_t part_count, part_capacity;
    pid_t pid; /* followed; 0: this process and its reaped children */
    void *state;
    struct nmc_instant last;
    bool has_last;
    double cpu_s;
};

struct nmc_counter_kind {
    struct nmc_counter_info info;
    /* Finds the parts and opens them. False: `missing` says why not; the counter is closed. */
    bool (*open)(struct nmc_counter *counter, struct nmc_missing *missing);
    /* Reads every counted part and every part beside, through the functions below. */
    neuromc_status (*read)(struct nmc_counter *counter, const struct nmc_interval *interval,
                           neuromc_diags *diags);
    void (*close)(struct nmc_counter *counter);                                   /* may be NULL */
    neuromc_status (*follow)(struct nmc_counter *counter, neuromc_diags *);       /* may be NULL */
    void (*check)(const struct nmc_counter *counter, neuromc_diags *);            /* may be NULL */
    void (*gpu_times)(const struct nmc_counter *counter, struct nmc_gpu_times *); /* may be NULL */
    bool settles;  /* settled readings make sense */
    bool may_rest; /* not advancing says nothing: the process may be idle */
};

/* Opens a counter of this kind, taking the first reading. On failure NULL and `missing`. */
struct nmc_counter *nmc_counter_make(const struct nmc_counter_kind *kind,
                                     const struct nmc_counter_options *options,
                                     struct nmc_missing *missing);

/* Fills `missing`; returns false, so that `return nmc_lacks(...)` is the usual way out. */
bool nmc_lacks(struct nmc_missing *missing, enum nmc_absence absence, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool nmc_lacks_memory(struct nmc_missing *missing);
/* The same with what to do about it. */
bool nmc_lacks_hint(struct nmc_missing *missing, enum nmc_absence absence, const char *hint,
                    const char *format, ...) __attribute__((format(printf, 4, 5)));

/* A new part at the end of the list, fd -1. NULL: memory ran out. Texts are copied. */
struct nmc_part *nmc_part_add(struct nmc_counter *counter, const char *name, const char *place,
                              enum nmc_role role);
/* Whether readings look at it. */
bool nmc_part_is_read(const struct nmc_part *part);

/* Whether --device names it exactly. */
bool nmc_is_chosen(const struct nmc_counter *counter, const char *name);

/* A cumulative count was read: adds the difference, with the part's own range. */
void nmc_part_advance(struct nmc_part *part, uint64_t raw, const struct nmc_interval *interval,
                      double update_s);
/* Power was read: adds the trapezoid since the last one. */
void nmc_part_integrate(struct nmc_part *part, double watts, const struct nmc_interval *interval);
/* The value was a sentinel: this interval and the next have no energy. */
void nmc_part_refuse(struct nmc_part *part);

#endif
