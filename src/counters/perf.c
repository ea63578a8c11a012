/* perf.c - the energy of processor packages as perf's power PMU counts it: for those who may not
 * read powercap, but hold CAP_PERFMON. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "counters/perf_event.h"
#include "counters/sysfs.h"

#ifdef __linux__
#include <linux/perf_event.h>
#include <sys/syscall.h>

/* One count on one processor: no process, no sampling, nothing excluded (the power PMU refuses
 * all of these). The descriptor, or -errno. */
static int open_event(uint32_t type, const struct nmc_perf_event *event, int cpu) {
    struct perf_event_attr attr = {.type = type,
                                   .size = sizeof attr,
                                   .config = event->config[0],
                                   .config1 = event->config[1],
                                   .config2 = event->config[2]};
    long fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
    return fd < 0 ? -errno : (int)fd;
}
#else
static int open_event(uint32_t type, const struct nmc_perf_event *event, int cpu) {
    (void)type, (void)event, (void)cpu;
    return -ENOSYS;
}
#endif

#define DEFAULT_WATTS 2000.0

static const struct {
    const char *event;
    enum nmc_role role;
} events[] = {
    {"energy-pkg", NMC_COUNTED}, {"energy-ram", NMC_BESIDE}, {"energy-cores", NMC_INSIDE},
    {"energy-core", NMC_INSIDE}, {"energy-gpu", NMC_INSIDE}, {"energy-psys", NMC_AROUND},
};
enum { EVENTS = sizeof events / sizeof *events };

static bool denied(struct nmc_missing *missing, const struct nmc_perf_pmu *pmu) {
    return nmc_lacks_hint(
        missing, NMC_DENIED,
        "sudo setcap cap_perfmon+ep on the neuromc command, or until the next start: "
        "sudo sysctl kernel.perf_event_paranoid=0",
        "%s may not be counted: /proc/sys/kernel/perf_event_paranoid is above 0", pmu->path);
}

static bool refused(struct nmc_missing *missing, const struct nmc_perf_pmu *pmu, const char *event,
                    int cpu, int error) {
    if (error == EACCES || error == EPERM)
        return denied(missing, pmu);
    if (error == ENOSYS)
        return nmc_lacks(missing, NMC_NOT_PRESENT, "the system has no perf_event_open");
    bool unsupported = error == EINVAL || error == ENOENT || error == ENODEV || error == ENXIO ||
                       error == EOPNOTSUPP;
    return nmc_lacks(missing, unsupported ? NMC_UNSUPPORTED : NMC_UNREADABLE,
                     "%s refuses %s on processor %d: %s", pmu->path, event, cpu, strerror(error));
}

static bool read_count(const struct nmc_part *part, uint64_t *out, int *error) {
    ssize_t got;
    do
        got = read(part->fd, out, sizeof *out);
    while (got < 0 && errno == EINTR);
    *error = got < 0 ? errno : ENODEV; /* an event in error state reads as an end of file */
    return got == (ssize_t)sizeof *out;
}

static bool open_on_cpu(struct nmc_counter *counter, const struct nmc_perf_pmu *pmu,
                        const char *name, enum nmc_role role, const struct nmc_perf_event *event,
                        int cpu, struct nmc_missing *missing) {
    char place[64];
    double watts = counter->options.asked.max_plausible_watts;
    snprintf(place, sizeof place, "processor %d", cpu);
    struct nmc_part *part = nmc_part_add(counter, name, place, role);
    if (!part)
        return false;
    part->shown.unit_j = event->joules;
    part->most_watts = watts > 0 ? watts : DEFAULT_WATTS;
    int fd = open_event(pmu->type, event, cpu);
    if (fd < 0)
        return refused(missing, pmu, name, cpu, -fd);
    part->fd = fd;
    return true;
}

/* Whether the PMU lists the event. */
static bool is_listed(const char *const *names, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static bool open_listed(struct nmc_counter *counter, const struct nmc_perf_pmu *pmu,
                        const char *name, enum nmc_role role, struct nmc_missing *missing) {
    struct nmc_perf_event event;
    if (role != NMC_COUNTED && role != NMC_BESIDE)
        return nmc_part_add(counter, name, pmu->path, role) != NULL;
    if (!nmc_perf_event_find(counter, pmu, name, &event, missing))
        return false;
    for (size_t c = 0; c < pmu->cpu_count; c++)
        if (!open_on_cpu(counter, pmu, name, role, &event, pmu->cpus[c], missing))
            return false;
    return true;
}

static bool open_events(struct nmc_counter *counter, const struct nmc_perf_pmu *pmu,
                        struct nmc_missing *missing) {
    const char *const *names;
    size_t count;
    char *folder = nmc_arena_printf(&counter->arena, "%s/events", pmu->path);
    if (!folder)
        return false;
    int error = nmc_sysfs_list(&counter->arena, folder, &names, &count);
    if (error)
        return nmc_sysfs_lacks(missing, folder, error);
    if (count == 0)
        return nmc_lacks(missing, NMC_EMPTY, "%s has no events", folder);
    if (!is_listed(names, count, "energy-pkg"))
        return nmc_lacks(missing, NMC_UNSUPPORTED,
                         "%s has no energy-pkg; nothing else is the sum of the packages", folder);
    for (size_t e = 0; e < EVENTS; e++)
        if (is_listed(names, count, events[e].event) &&
            !open_listed(counter, pmu, events[e].event, events[e].role, missing))
            return false;
    return true;
}

static bool open_perf(struct nmc_counter *counter, struct nmc_missing *missing) {
    struct nmc_perf_pmu pmu;
    return nmc_perf_pmu_find(counter, "power", &pmu, missing) &&
           open_events(counter, &pmu, missing);
}

static neuromc_status read_perf(struct nmc_counter *counter, const struct nmc_interval *interval,
                                neuromc_diags *diags) {
    for (size_t i = 0; i < counter->part_count; i++) {
        struct nmc_part *part = counter->parts[i];
        uint64_t count;
        int error;
        if (!nmc_part_is_read(part))
            continue;
        if (!read_count(part, &count, &error))
            return nmc_sysfs_lost(part, error, diags);
        nmc_part_advance(part, count, interval, counter->info.update_s);
    }
    return NEUROMC_OK;
}

const struct nmc_counter_kind nmc_kind_perf = {
    .info = {.name = "perf",
             .source = "perf_event_open, power PMU",
             .includes = "all processor packages: cores, caches, memory controllers, graphics in "
                         "the package, whoever uses them",
             .leaves_out = "memory (beside it as energy-ram, where counted), disks, fans, other "
                           "devices, losses of power supplies",
             .update_s = 0.001},
    .open = open_perf,
    .read = read_perf,
};
