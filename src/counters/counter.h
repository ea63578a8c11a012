/*
 * counter.h - energy counters: which ones this machine has, why it lacks the others, and reading
 * one.
 *
 *     nmc_counter_open("rapl", &options, &counter, diags)
 *     nmc_counter_read(counter, &reading, diags)      again and again, from one thread
 *     nmc_counter_close(counter)
 *
 * A counter is made of parts (zones, devices, channels), each with its own range; a reading is the
 * sum of the differences of those that count. Energies are joules since the counter was opened and
 * never go down. What a part did in an interval that cannot be known (a reset, a suspended
 * machine, room for two wraps) adds nothing and is said in the reading's quality.
 */
#ifndef NMC_COUNTER_H
#define NMC_COUNTER_H

#include <sys/types.h>

#include "base/diag.h"
#include "counters/clock.h"

/* Reads a value's file from its start: bytes stored, or -errno. Tests put sequences here. */
struct nmc_value_reader {
    ssize_t (*read)(void *user, const char *path, int fd, char *out, size_t size);
    void *user;
};

/* Where to look and what to read. A zeroed struct is this machine. */
struct nmc_counter_options {
    neuromc_counter_options asked;         /* what users may ask for; texts are borrowed */
    const struct nmc_clock *clock;         /* NULL: the system's */
    const struct nmc_value_reader *reader; /* NULL: pread */
};

enum nmc_absence {
    NMC_PRESENT,
    NMC_NOT_PRESENT,   /* no such interface here */
    NMC_EMPTY,         /* the interface is there and has nothing in it, as in a container */
    NMC_DANGLING,      /* a link to nowhere */
    NMC_DENIED,        /* no permission */
    NMC_NOT_ADVANCING, /* it can be read and stands still */
    NMC_UNSUPPORTED,   /* the device does not count this */
    NMC_NEEDS_OPTION,  /* a figure that the user has to give */
    NMC_UNREADABLE     /* what it holds makes no sense, or reading failed */
};
/* "not present", "present but empty", ... and for machines "not-present", ... */
const char *nmc_absence_text(enum nmc_absence absence);
const char *nmc_absence_word(enum nmc_absence absence);

/* Why a counter cannot be used. */
struct nmc_missing {
    enum nmc_absence absence;
    char reason[1024]; /* names the file, device or channel */
    char hint[1024];   /* "" if nothing helps */
    bool no_memory;    /* it is not the counter's fault */
};

/* How a part takes part in the sum. */
enum nmc_role {
    NMC_COUNTED, /* added up */
    NMC_BESIDE,  /* energy of its own, kept apart: dram */
    NMC_INSIDE,  /* already inside a counted part: core, uncore. Not read */
    NMC_AROUND,  /* holds counted parts: psys. Not read */
    NMC_REPEATS, /* the same energy seen twice: intel-rapl-mmio. Not read */
    NMC_IGNORED  /* unknown, or not chosen. Not read */
};
const char *nmc_role_word(enum nmc_role role);

struct nmc_counter_part {
    const char *name;  /* "package-0" */
    const char *place; /* path, device or channel */
    const char *note;  /* NULL, or what is odd about it */
    enum nmc_role role;
    double unit_j;        /* one step of the count as it is read */
    double resolution_j;  /* the smallest difference it can show; 0: unit_j */
    double range_j;       /* counts up to here, then from 0; 0: never wraps, or not known */
    double energy_j;      /* since the counter was opened, as of the last reading */
    double step_j;        /* of it, since the reading before */
    unsigned quality;     /* nmc_quality of the last interval */
    uint64_t wraps;       /* corrected so far */
    uint64_t advanced_ns; /* monotonic time of the last reading that saw it advance */
};

/* What is to be said about the interval between a reading and the one before it. */
enum nmc_quality {
    NMC_READ_WRAPPED = 1,    /* a wrap was corrected; the energy is right */
    NMC_READ_RESET = 2,      /* went back, or faster than plausible: no energy known */
    NMC_READ_SUSPENDED = 4,  /* the machine slept: no energy known */
    NMC_READ_GAP = 8,        /* long enough for two wraps: no energy known */
    NMC_READ_REFUSED = 16,   /* the value is a sentinel: no energy known */
    NMC_READ_STUCK = 32,     /* has not advanced for a second and 50 update periods */
    NMC_READ_UNSETTLED = 64, /* still moving when it should rest (settled readings) */
    NMC_READ_NO_ENERGY =     /* any of these: step_j does not cover the interval */
    NMC_READ_RESET | NMC_READ_SUSPENDED | NMC_READ_GAP | NMC_READ_REFUSED
};

struct nmc_reading {
    uint64_t monotonic_ns; /* when it was taken */
    double energy_j;       /* counted parts, since the counter was opened */
    double step_j;         /* of it, since the reading before; 0 for the first */
    double beside_j;       /* parts beside, since the counter was opened */
    double beside_step_j;
    double cpu_s;     /* CPU time of the process since opened (task, model); else 0 */
    unsigned quality; /* nmc_quality of all parts that are read */
};

struct nmc_counter_info {
    const char *name;     /* "rapl" */
    const char *source;   /* where it reads: "powercap" */
    const char *includes; /* scope, as half a sentence */
    const char *leaves_out;
    bool modelled;       /* computed from a given figure: never to be called measured */
    bool integrated;     /* power summed over time, not an energy counter */
    bool per_process;    /* of the followed process alone; else of whole devices */
    double resolution_j; /* largest step of a counted part */
    double update_s;     /* between two updates */
    double range_j;      /* smallest range of a counted part; 0: never wraps, or not known */
};

struct nmc_counter;

/* Opens by name. A counter that this machine lacks is NEUROMC_IO with its reason and hint; an
 * unknown name or a missing option NEUROMC_USAGE. The first reading is taken here. */
neuromc_status nmc_counter_open(const char *name, const struct nmc_counter_options *options,
                                struct nmc_counter **out, neuromc_diags *diags);
void nmc_counter_close(struct nmc_counter *counter);

const struct nmc_counter_info *nmc_counter_info(const struct nmc_counter *counter);
size_t nmc_counter_part_count(const struct nmc_counter *counter);
const struct nmc_counter_part *nmc_counter_part(const struct nmc_counter *counter, size_t index);

/* NEUROMC_IO: the counter is lost (a zone vanished, a read failed, the process is gone). */
neuromc_status nmc_counter_read(struct nmc_counter *counter, struct nmc_reading *out,
                                neuromc_diags *diags);
/* The same once the counter rests: two readings 50 ms apart agree. Only for counters per process,
 * while the process blocks; others are simply read. */
neuromc_status nmc_counter_read_settled(struct nmc_counter *counter, struct nmc_reading *out,
                                        neuromc_diags *diags);
/* From now on it is this process that counters per process count (0: this one and its reaped
 * children). What was counted so far is kept. Others take no notice. */
neuromc_status nmc_counter_follow(struct nmc_counter *counter, pid_t pid, neuromc_diags *diags);
/* Warnings about what was read so far: a counter that disagrees with integrated power, wraps. */
void nmc_counter_check(const struct nmc_counter *counter, neuromc_diags *diags);

/* GPU time of every process so far, for counters of whole GPUs that can tell (ioreport); `known` is
 * false for others. May be called while another thread reads the counter. */
enum { NMC_GPU_PROCESSES = 512 };

struct nmc_gpu_use {
    int64_t pid;
    double ns;
};

struct nmc_gpu_times {
    bool known;
    size_t count;
    struct nmc_gpu_use items[NMC_GPU_PROCESSES];
};

void nmc_counter_gpu_times(const struct nmc_counter *counter, struct nmc_gpu_times *out);
/* What a process and all together used between two snapshots. */
struct nmc_gpu_spent {
    bool known;
    double own_ns, all_ns;
};
struct nmc_gpu_spent nmc_gpu_spent(const struct nmc_gpu_times *before,
                                   const struct nmc_gpu_times *after, pid_t pid);
/* -1: not known. */
double nmc_gpu_share(const struct nmc_gpu_spent *spent);
/* The processes of the first that the second lacks, in order; out has room for all of the first. */
size_t nmc_gpu_vanished(const struct nmc_gpu_times *before, const struct nmc_gpu_times *after,
                        int64_t *out);

/* Every known counter in its fixed order: opened if it can be (else NULL, and `missing` says why),
 * shown, closed. Stops when visit returns false. */
neuromc_status nmc_counters_list(const struct nmc_counter_options *options,
                                 bool (*visit)(void *user, const struct nmc_counter_info *info,
                                               const struct nmc_counter *counter,
                                               const struct nmc_missing *missing),
                                 void *user, neuromc_diags *diags);

#endif
