/* task.c - macOS: the CPU energy of one process, as the kernel accounts it. */
#include <string.h>
#include <unistd.h>

#include "counters/library.h"

#define JOULES_PER_NJ 1e-9
#define NS_PER_S      1e9

/* Where struct rusage_info_v6 has what we read; it is 464 bytes long. */
enum {
    FLAVOUR = 6,
    OLDEST_FLAVOUR = 0,
    USER = 16,
    SYSTEM = 24,
    BILLED = 264,
    SERVICED = 272,
    ENERGY = 336,
    SIZE = 512
};

struct timebase {
    uint32_t numerator, denominator;
};

struct task_api {
    int (*rusage)(int pid, int flavour, void *out);
    int (*timebase)(struct timebase *out);
};

struct task_state {
    struct nmc_library proc, system;
    struct task_api api;
    double tick_ns;
    uint64_t last_ticks, ticks;
    bool has_ticks;
};

/* Parts in this order. */
static const struct {
    const char *name;
    int offset;
    enum nmc_role role;
} parts[] = {{"energy", ENERGY, NMC_COUNTED},
             {"billed", BILLED, NMC_BESIDE},
             {"serviced", SERVICED, NMC_BESIDE}};
enum { PARTS = sizeof parts / sizeof *parts };

static pid_t followed(const struct nmc_counter *counter) {
    return counter->pid ? counter->pid : getpid();
}

static bool read_usage(const struct nmc_counter *counter, unsigned char usage[SIZE]) {
    const struct task_state *state = counter->state;
    memset(usage, 0, SIZE);
    return state->api.rusage((int)followed(counter), FLAVOUR, usage) == 0;
}

static uint64_t field(const unsigned char *usage, int offset) {
    uint64_t value = 0;
    for (int i = 7; i >= 0; i--)
        value = value << 8 | usage[offset + i];
    return value;
}

static bool find_functions(struct nmc_counter *counter, struct task_state *state,
                           struct nmc_missing *missing) {
    static const struct nmc_symbol proc = {"proc_pid_rusage", offsetof(struct task_api, rusage)},
                                   system = {"mach_timebase_info",
                                             offsetof(struct task_api, timebase)};
    struct timebase base = {0};
    if (!nmc_library_open(counter, &state->proc, "/usr/lib/libproc.dylib", &proc, 1, &state->api,
                          missing) ||
        !nmc_library_open(counter, &state->system, "/usr/lib/libSystem.dylib", &system, 1,
                          &state->api, missing))
        return false;
    if (state->api.timebase(&base) != 0 || !base.numerator || !base.denominator)
        return nmc_lacks(missing, NMC_UNREADABLE, "mach_timebase_info gives no time base");
    state->tick_ns = (double)base.numerator / base.denominator;
    return true;
}

/* The energy came with a later layout of the answer; the oldest is known everywhere. */
static bool refused(const struct nmc_counter *counter, struct nmc_missing *missing) {
    const struct task_state *state = counter->state;
    unsigned char usage[SIZE];
    if (state->api.rusage((int)followed(counter), OLDEST_FLAVOUR, usage) == 0)
        return nmc_lacks(missing, NMC_UNSUPPORTED,
                         "proc_pid_rusage has no flavour %d here: this macOS counts no energy of "
                         "processes",
                         FLAVOUR);
    return nmc_lacks(missing, NMC_UNREADABLE, "proc_pid_rusage refuses process %ld",
                     (long)followed(counter));
}

static bool open_task(struct nmc_counter *counter, struct nmc_missing *missing) {
    unsigned char usage[SIZE];
    struct task_state *state = nmc_arena_alloc(&counter->arena, sizeof *state);
    counter->state = state;
    if (!state || !find_functions(counter, state, missing))
        return false;
    if (!read_usage(counter, usage))
        return refused(counter, missing);
    for (int i = 0; i < PARTS; i++) {
        struct nmc_part *part =
            nmc_part_add(counter, parts[i].name, "proc_pid_rusage", parts[i].role);
        if (!part)
            return false;
        part->shown.unit_j = JOULES_PER_NJ;
        part->is_work = true;
    }
    return true;
}

static neuromc_status read_task(struct nmc_counter *counter, const struct nmc_interval *interval,
                                neuromc_diags *diags) {
    unsigned char usage[SIZE];
    struct task_state *state = counter->state;
    if (!read_usage(counter, usage))
        return nmc_error(diags, NEUROMC_IO, (struct nmc_place){0}, NULL,
                         "counter lost: proc_pid_rusage refuses process %ld",
                         (long)followed(counter));
    for (int i = 0; i < PARTS; i++)
        nmc_part_advance(counter->parts[i], field(usage, parts[i].offset), interval,
                         counter->info.update_s);
    uint64_t ticks = field(usage, USER) + field(usage, SYSTEM);
    if (state->has_ticks && ticks > state->last_ticks)
        state->ticks += ticks - state->last_ticks;
    state->last_ticks = ticks;
    state->has_ticks = true;
    counter->cpu_s = (double)state->ticks * state->tick_ns / NS_PER_S;
    return NEUROMC_OK;
}

/* Another process starts from what it has used so far. */
static neuromc_status follow_task(struct nmc_counter *counter, neuromc_diags *diags) {
    struct task_state *state = counter->state;
    if (counter->pid == 0)
        return nmc_error(diags, NEUROMC_UNSUPPORTED, (struct nmc_place){0},
                         "give a program that speaks the protocol (--protocol), which waits to be "
                         "read",
                         "counter task: the energy of a command is gone once it has ended");
    struct nmc_interval now = {.now_ns = counter->last.monotonic_ns};
    for (size_t i = 0; i < counter->part_count; i++)
        counter->parts[i]->has_raw = false;
    state->has_ticks = false;
    return read_task(counter, &now, diags);
}

static void close_task(struct nmc_counter *counter) {
    struct task_state *state = counter->state;
    if (!state)
        return;
    nmc_library_close(&state->proc);
    nmc_library_close(&state->system);
}

const struct nmc_counter_kind nmc_kind_task = {
    .info = {.name = "task",
             .source = "proc_pid_rusage (macOS)",
             .includes = "the CPU energy of the process, all threads",
             .leaves_out = "GPU, neural engine, memory, other processes; what services do for it "
                           "is beside it as billed",
             .per_process = true,
             .update_s = 0.001},
    .open = open_task,
    .read = read_task,
    .close = close_task,
    .follow = follow_task,
    .settles = true,
    .may_rest = true,
};
