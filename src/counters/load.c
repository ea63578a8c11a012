#include "counters/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/number.h"

enum { FIELDS = 8, IDLE = 3, IO_WAIT = 4 };

/* The first line of /proc/stat: "cpu  user nice system idle iowait irq softirq steal ..." in
 * ticks. */
static double busy_seconds(void) {
    char line[256];
    FILE *file = fopen("/proc/stat", "re");
    bool good = file && fgets(line, sizeof line, file) && strncmp(line, "cpu ", 4) == 0;
    if (file)
        fclose(file);
    double ticks = 0;
    char *at = line + 4;
    for (int i = 0; good && i < FIELDS; i++) {
        int64_t value;
        at += strspn(at, " ");
        size_t length = strcspn(at, " \n");
        good = nmc_integer_parse(at, length, &value);
        ticks += good && i != IDLE && i != IO_WAIT ? (double)value : 0;
        at += length;
    }
    return good ? ticks / (double)sysconf(_SC_CLK_TCK) : -1;
}

static double process_seconds(pid_t process) {
    const double us_per_s = 1e6, ns_per_s = 1e9;
    struct rusage usage;
    struct timespec time;
    clockid_t clock;
    if (process > 0)
        return clock_getcpuclockid(process, &clock) == 0 && clock_gettime(clock, &time) == 0
                   ? (double)time.tv_sec + (double)time.tv_nsec / ns_per_s
                   : -1;
    if (getrusage(RUSAGE_CHILDREN, &usage) != 0)
        return -1;
    return (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
           ((double)usage.ru_utime.tv_usec + (double)usage.ru_stime.tv_usec) / us_per_s;
}

struct nmc_load nmc_load_now(pid_t process) {
    struct nmc_load load = {{-1, -1, -1}, busy_seconds(), process_seconds(process)};
    if (getloadavg(load.average, 3) != 3)
        for (int i = 0; i < 3; i++)
            load.average[i] = -1;
    return load;
}

double nmc_load_share(const struct nmc_load *before, const struct nmc_load *after) {
    double busy = after->busy_s - before->busy_s, own = after->process_s - before->process_s;
    if (before->busy_s < 0 || after->busy_s < 0 || before->process_s < 0 || after->process_s < 0 ||
        busy <= 0)
        return -1;
    return own < 0 ? 0 : own < busy ? own / busy : 1;
}
