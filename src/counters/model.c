/* model.c - no counter at all: the CPU time of a process times a power that the user gives. */
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "counters/kind.h"

enum { NS_PER_S = 1000000000, NS_PER_US = 1000 };

static uint64_t of_timeval(struct timeval t) {
    return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_usec * NS_PER_US;
}

/* This process and those children of it that were waited for. */
static int own_time(uint64_t *ns) {
    struct rusage self, children;
    if (getrusage(RUSAGE_SELF, &self) != 0 || getrusage(RUSAGE_CHILDREN, &children) != 0)
        return errno;
    *ns = of_timeval(self.ru_utime) + of_timeval(self.ru_stime) + of_timeval(children.ru_utime) +
          of_timeval(children.ru_stime);
    return 0;
}

/* All threads of another process, also after it ended and before it is waited for. */
static int process_time(pid_t pid, uint64_t *ns) {
#ifdef __APPLE__ /* the counter `task` reads other processes there */
    (void)pid, (void)ns;
    return ENOTSUP;
#else
    clockid_t clock;
    struct timespec time;
    int error = clock_getcpuclockid(pid, &clock);
    if (error)
        return error;
    if (clock_gettime(clock, &time) != 0)
        return errno == EINVAL ? ESRCH : errno;
    *ns = (uint64_t)time.tv_sec * NS_PER_S + (uint64_t)time.tv_nsec;
    return 0;
#endif
}

static int cpu_time(pid_t pid, uint64_t *ns) {
    return pid == 0 ? own_time(ns) : process_time(pid, ns);
}

static neuromc_status gone(pid_t pid, int error, neuromc_diags *diags) {
    return nmc_error(diags, NEUROMC_IO, (struct nmc_place){0}, NULL,
                     "CPU time of process %ld cannot be read: %s", (long)pid, strerror(error));
}

static neuromc_status read_model(struct nmc_counter *counter, const struct nmc_interval *interval,
                                 neuromc_diags *diags) {
    uint64_t ns = 0;
    int error = cpu_time(counter->pid, &ns);
    if (error)
        return gone(counter->pid, error, diags);
    struct nmc_part *part = counter->parts[0];
    nmc_part_advance(part, ns, interval, counter->info.update_s);
    counter->cpu_s = (double)part->steps / NS_PER_S;
    return NEUROMC_OK;
}

static neuromc_status follow_model(struct nmc_counter *counter, neuromc_diags *diags) {
    struct nmc_part *part = counter->parts[0];
    int error = cpu_time(counter->pid, &part->raw);
    return error ? gone(counter->pid, error, diags) : NEUROMC_OK;
}

static bool open_model(struct nmc_counter *counter, struct nmc_missing *missing) {
    double watts = counter->options.asked.tdp_watts;
    if (!(watts > 0))
        return nmc_lacks_hint(missing, NMC_NEEDS_OPTION,
                              "--tdp-watts 65, or what the processor's data sheet says",
                              "it multiplies CPU time by --tdp-watts, which is not given");
    struct nmc_part *part = nmc_part_add(counter, "cpu-time", "CPU time", NMC_COUNTED);
    if (!part)
        return false;
    part->shown.unit_j = watts / NS_PER_S;
    part->is_work = true;
    return true;
}

const struct nmc_counter_kind nmc_kind_model = {
    .info = {.name = "model",
             .source = "CPU time x --tdp-watts",
             .includes = "CPU time of the process, all threads, each second of a core at the whole "
                         "of the given power",
             .leaves_out = "everything that was not computed from CPU time: it is a model, not a "
                           "measurement",
             .modelled = true,
             .per_process = true,
             .update_s = 0.001},
    .open = open_model,
    .read = read_model,
    .follow = follow_model,
    .may_rest = true,
};
