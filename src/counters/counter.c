#include "counters/counter.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/memory.h"
#include "base/suggest.h"
#include "counters/kind.h"

#define KIND(id) extern const struct nmc_counter_kind nmc_kind_##id;
#include "counters/kinds.def"
#undef KIND

static const struct nmc_counter_kind *const kinds[] = {
#define KIND(id) &nmc_kind_##id,
#include "counters/kinds.def"
#undef KIND
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static ssize_t read_value(void *user, const char *path, int fd, char *out, size_t size) {
    (void)user, (void)path;
    ssize_t got;
    do
        got = pread(fd, out, size, 0);
    while (got < 0 && errno == EINTR);
    return got < 0 ? -errno : got;
}

static const struct nmc_value_reader file_reader = {.read = read_value};

/* ---- parts ------------------------------------------------------------------------------- */

struct nmc_part *nmc_part_add(struct nmc_counter *counter, const char *name, const char *place,
                              enum nmc_role role) {
    struct nmc_part *part = nmc_arena_alloc(&counter->arena, sizeof *part);
    if (!part || counter->part_count == NMC_LIMIT_COUNTER_PARTS ||
        !nmc_grow(&counter->parts, &counter->part_capacity, counter->part_count + 1,
                  sizeof(struct nmc_part *)))
        return NULL;
    *part = (struct nmc_part){
        .shown = {.name = nmc_arena_strdup(&counter->arena, name),
                  .place = nmc_arena_strdup(&counter->arena, place),
                  .role = role},
        .fd = -1,
    };
    if (!part->shown.name || !part->shown.place)
        return NULL;
    counter->parts[counter->part_count++] = part;
    return part;
}

/* Resolution and range of the whole, unless the kind knows better. */
static void summarise(struct nmc_counter *counter) {
    struct nmc_counter_info *info = &counter->info;
    for (size_t i = 0; i < counter->part_count; i++) {
        struct nmc_counter_part *part = &counter->parts[i]->shown;
        if (part->resolution_j <= 0)
            part->resolution_j = part->unit_j;
        if (part->role != NMC_COUNTED)
            continue;
        if (part->resolution_j > info->resolution_j)
            info->resolution_j = part->resolution_j;
        if (part->range_j > 0 && (info->range_j <= 0 || part->range_j < info->range_j))
            info->range_j = part->range_j;
    }
}

/* ---- reading ------------------------------------------------------------------------------ */

/* A monotonic clock that lost more than this against the boot clock has slept. */
enum { SUSPENDED_NS = 10000000 };

static struct nmc_interval since_last(struct nmc_counter *counter) {
    struct nmc_instant now = nmc_clock_now(counter->options.clock), last = counter->last;
    struct nmc_interval interval = {.now_ns = now.monotonic_ns};
    if (counter->has_last) {
        interval.elapsed_ns = now.monotonic_ns - last.monotonic_ns;
        uint64_t boot_ns = now.boot_ns - last.boot_ns;
        interval.suspended = boot_ns > interval.elapsed_ns + SUSPENDED_NS;
    }
    counter->last = now;
    counter->has_last = true;
    return interval;
}

static void sum_up(const struct nmc_counter *counter, struct nmc_reading *out) {
    for (size_t i = 0; i < counter->part_count; i++) {
        const struct nmc_counter_part *part = &counter->parts[i]->shown;
        bool counted = part->role == NMC_COUNTED;
        if (!nmc_part_is_read(counter->parts[i]))
            continue;
        *(counted ? &out->energy_j : &out->beside_j) += part->energy_j;
        *(counted ? &out->step_j : &out->beside_step_j) += part->step_j;
        /* What is beside may fail without touching the sum: its own part says so. */
        if (counted)
            out->quality |= part->quality;
    }
}

neuromc_status nmc_counter_read(struct nmc_counter *counter, struct nmc_reading *out,
                                neuromc_diags *diags) {
    struct nmc_interval interval = since_last(counter);
    neuromc_status status = counter->kind->read(counter, &interval, diags);
    *out = (struct nmc_reading){.monotonic_ns = interval.now_ns, .cpu_s = counter->cpu_s};
    if (status == NEUROMC_OK)
        sum_up(counter, out);
    return status;
}

static bool agree(const struct nmc_reading *a, const struct nmc_reading *b) {
    return a->energy_j == b->energy_j && a->cpu_s == b->cpu_s;
}

neuromc_status nmc_counter_read_settled(struct nmc_counter *counter, struct nmc_reading *out,
                                        neuromc_diags *diags) {
    enum { TRIES = 200, APART_NS = 50000000 };
    const struct nmc_clock *clock = counter->options.clock;
    neuromc_status status = nmc_counter_read(counter, out, diags);
    struct nmc_reading total = *out;
    if (!counter->kind->settles)
        return status;
    bool settled = false;
    for (int i = 0; i < TRIES && !settled && status == NEUROMC_OK; i++) {
        struct nmc_reading before = *out;
        clock->sleep_ns(clock->user, APART_NS);
        status = nmc_counter_read(counter, out, diags);
        settled = agree(&before, out);
        /* Whoever asked sees one interval, from the reading before to this one. */
        total.step_j += out->step_j;
        total.beside_step_j += out->beside_step_j;
        total.quality |= out->quality;
    }
    out->step_j = total.step_j;
    out->beside_step_j = total.beside_step_j;
    out->quality = total.quality | (settled ? 0 : NMC_READ_UNSETTLED);
    return status;
}

/* ---- opening and closing ------------------------------------------------------------------ */

void nmc_counter_close(struct nmc_counter *counter) {
    if (!counter)
        return;
    if (counter->kind->close)
        counter->kind->close(counter);
    for (size_t i = 0; i < counter->part_count; i++)
        if (counter->parts[i]->fd >= 0)
            close(counter->parts[i]->fd);
    nmc_free(counter->parts);
    nmc_arena_release(&counter->arena);
    nmc_free(counter);
}

static struct nmc_counter *new_counter(const struct nmc_counter_kind *kind,
                                       const struct nmc_counter_options *options) {
    struct nmc_counter *counter = nmc_malloc(sizeof *counter);
    if (!counter)
        return NULL;
    *counter = (struct nmc_counter){
        .kind = kind,
        .info = kind->info,
        .options = *options,
        .pid = (pid_t)options->asked.pid,
    };
    if (!counter->options.clock)
        counter->options.clock = &nmc_system_clock;
    if (!counter->options.reader)
        counter->options.reader = &file_reader;
    nmc_arena_init(&counter->arena, NMC_LIMIT_COUNTER_BYTES);
    return counter;
}

/* Whether any counted part has moved since the counter was opened. */
static bool has_advanced(const struct nmc_counter *counter, const struct nmc_reading *reading) {
    for (size_t i = 0; i < counter->part_count; i++)
        if (counter->parts[i]->shown.wraps)
            return true;
    return reading->energy_j > 0 || reading->quality & NMC_READ_NO_ENERGY;
}

/* Reads until it advances, for a second at most. */
static bool watch(struct nmc_counter *counter, struct nmc_missing *missing) {
    enum { TRIES = 20, APART_NS = 50000000 };
    const struct nmc_clock *clock = counter->options.clock;
    neuromc_diags *diags = neuromc_diags_new();
    if (!diags)
        return nmc_lacks_memory(missing);
    struct nmc_reading reading;
    neuromc_status status = nmc_counter_read(counter, &reading, diags);
    bool advanced = counter->kind->may_rest || counter->info.integrated;
    for (int i = 0; i < TRIES && status == NEUROMC_OK && !advanced; i++) {
        clock->sleep_ns(clock->user, APART_NS);
        status = nmc_counter_read(counter, &reading, diags);
        advanced = has_advanced(counter, &reading);
    }
    if (status != NEUROMC_OK) {
        const neuromc_diag *first = neuromc_diags_at(diags, 0);
        nmc_lacks(missing, NMC_UNREADABLE, "%s%s%s", first->file ? first->file : "",
                  first->file ? ": " : "", first->message);
    } else if (!advanced) {
        nmc_lacks_hint(missing, NMC_NOT_ADVANCING,
                       "virtual machines often show a counter that stands still",
                       "no part of it advanced within a second");
    }
    neuromc_diags_free(diags);
    return status == NEUROMC_OK && advanced;
}

/* Opened, whether it advances or not; NULL and `missing` if it is not even that. */
static struct nmc_counter *open_parts(const struct nmc_counter_kind *kind,
                                      const struct nmc_counter_options *options,
                                      struct nmc_missing *missing) {
    *missing = (struct nmc_missing){0};
    struct nmc_counter *counter = new_counter(kind, options);
    bool open = counter && kind->open(counter, missing);
    if (open) {
        summarise(counter);
        return counter;
    }
    if (!counter || counter->arena.failed || missing->absence == NMC_PRESENT)
        nmc_lacks_memory(missing);
    nmc_counter_close(counter);
    return NULL;
}

struct nmc_counter *nmc_counter_make(const struct nmc_counter_kind *kind,
                                     const struct nmc_counter_options *options,
                                     struct nmc_missing *missing) {
    struct nmc_counter *counter = open_parts(kind, options, missing);
    if (!counter || watch(counter, missing))
        return counter;
    nmc_counter_close(counter);
    return NULL;
}

static const struct nmc_counter_kind *find_kind(const char *name, neuromc_diags *diags) {
    struct nmc_suggest suggest;
    nmc_suggest_init(&suggest, name);
    for (size_t i = 0; i < KINDS; i++) {
        if (strcmp(kinds[i]->info.name, name) == 0)
            return kinds[i];
        nmc_suggest_offer(&suggest, kinds[i]->info.name);
    }
    char hint[128] = "`neuromc counters` lists them";
    if (suggest.best)
        snprintf(hint, sizeof hint, "did you mean `%s`?", suggest.best);
    nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){0}, hint, "there is no counter `%s`", name);
    return NULL;
}

neuromc_status nmc_counter_open(const char *name, const struct nmc_counter_options *options,
                                struct nmc_counter **out, neuromc_diags *diags) {
    struct nmc_missing missing;
    *out = NULL;
    const struct nmc_counter_kind *kind = find_kind(name, diags);
    if (!kind)
        return NEUROMC_USAGE;
    *out = nmc_counter_make(kind, options, &missing);
    if (*out)
        return NEUROMC_OK;
    if (missing.no_memory)
        return nmc_out_of_memory(diags);
    return nmc_error(diags, missing.absence == NMC_NEEDS_OPTION ? NEUROMC_USAGE : NEUROMC_IO,
                     (struct nmc_place){0}, missing.hint[0] ? missing.hint : NULL,
                     "counter %s: %s: %s", name, nmc_absence_text(missing.absence), missing.reason);
}

neuromc_status nmc_counters_list(const struct nmc_counter_options *options,
                                 bool (*visit)(void *user, const struct nmc_counter_info *info,
                                               const struct nmc_counter *counter,
                                               const struct nmc_missing *missing),
                                 void *user, neuromc_diags *diags) {
    bool more = true;
    for (size_t i = 0; i < KINDS && more; i++) {
        struct nmc_missing missing;
        struct nmc_counter *counter = open_parts(kinds[i], options, &missing);
        if (counter)
            watch(counter, &missing);
        if (!missing.no_memory)
            more = visit(user, counter ? &counter->info : &kinds[i]->info, counter, &missing);
        nmc_counter_close(counter);
        if (missing.no_memory)
            return nmc_out_of_memory(diags);
    }
    return NEUROMC_OK;
}

/* ---- asking ------------------------------------------------------------------------------- */

const struct nmc_counter_info *nmc_counter_info(const struct nmc_counter *counter) {
    return &counter->info;
}

size_t nmc_counter_part_count(const struct nmc_counter *counter) {
    return counter->part_count;
}

const struct nmc_counter_part *nmc_counter_part(const struct nmc_counter *counter, size_t index) {
    return index < counter->part_count ? &counter->parts[index]->shown : NULL;
}

neuromc_status nmc_counter_follow(struct nmc_counter *counter, pid_t pid, neuromc_diags *diags) {
    counter->pid = pid;
    return counter->kind->follow ? counter->kind->follow(counter, diags) : NEUROMC_OK;
}

void nmc_counter_check(const struct nmc_counter *counter, neuromc_diags *diags) {
    for (size_t i = 0; i < counter->part_count; i++) {
        const struct nmc_counter_part *part = &counter->parts[i]->shown;
        if (part->wraps)
            nmc_note(diags, (struct nmc_place){.file = part->place},
                     "it wrapped around; %llu corrected", (unsigned long long)part->wraps);
    }
    if (counter->kind->check)
        counter->kind->check(counter, diags);
}

void nmc_counter_gpu_times(const struct nmc_counter *counter, struct nmc_gpu_times *out) {
    out->known = false;
    out->count = 0;
    if (counter->kind->gpu_times)
        counter->kind->gpu_times(counter, out);
}
