/*
 * child.h - a program that is measured: started in a process group of its own, spoken to by lines,
 * ended with everything it started.
 *
 *     parent              child
 *                         ready JOBS            loaded and warm
 *     go K                                      do every job K times
 *                         done N WALL_NS [NOTE] N = JOBS * K
 *     exit
 *
 * The child blocks on its input in between. Every wait has a limit.
 */
#ifndef NMC_CHILD_H
#define NMC_CHILD_H

#include <stdint.h>
#include <sys/types.h>

#include "base/diag.h"
#include "counters/orphans.h"

enum { NMC_CHILD_LINE = 1024, NMC_CHILD_TAIL = 400 };

struct nmc_child {
    pid_t pid;                 /* also of its group; 0: none */
    char mark[NMC_MARK];       /* in the environment of all that it starts */
    int input, output, errors; /* our ends of its pipes; -1: closed */
    char line[NMC_CHILD_LINE]; /* read, not yet taken */
    size_t length;
    char tail[NMC_CHILD_TAIL + 1]; /* the last it wrote to its standard error */
    size_t tail_length;
    bool exited;
    int status; /* of waitpid, once exited */
};

/* argv ends with NULL. talks: its standard input and output are pipes to us; else it reads nothing
 * and what it prints is dropped. NEUROMC_IO if it cannot be started. */
neuromc_status nmc_child_start(struct nmc_child *child, char *const argv[], bool talks,
                               neuromc_diags *diags);

enum nmc_heard {
    NMC_HEARD_LINE,
    NMC_HEARD_END,     /* it closed its output, or ended */
    NMC_HEARD_NOTHING, /* not in time */
    NMC_HEARD_TOO_MUCH /* a line that does not end */
};
/* The next line, without its end; limit_s seconds at most. */
enum nmc_heard nmc_child_hear(struct nmc_child *child, double limit_s, char out[NMC_CHILD_LINE]);

/* Whether it has said something that was not heard yet, or does within so many milliseconds. */
bool nmc_child_has_said(struct nmc_child *child, int within_ms);

/* False if it does not listen any more; does not wait. */
bool nmc_child_tell(struct nmc_child *child, const char *line);

/* Waits until it ends by itself; false: not in time. It is not reaped yet. */
bool nmc_child_wait(struct nmc_child *child, double limit_s);

/* Ends it: closes its input, waits grace_s, then kills the whole group and all that left it, and
 * reaps them. */
void nmc_child_end(struct nmc_child *child, double grace_s);

/* How it ended and its last words, for a message: "ended with exit code 3: ..."; after
 * nmc_child_end. */
const char *nmc_child_fate(const struct nmc_child *child, char out[NMC_CHILD_LINE]);

#endif
