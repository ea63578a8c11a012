/* measure.c - the order of events. */
#include "counters/measure.h"

#include <math.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/memory.h"
#include "base/number.h"
#include "counters/load.h"
#include "counters/measuring.h"

static const double ns_per_s = 1e9;

static uint64_t now(const struct nmc_measuring *x) {
    return x->clock->monotonic_ns(x->clock->user);
}

/* ---- idle brackets --------------------------------------------------------------------------- */

/* Sleeps in slices, so that a stop is noticed. The length is measured, not taken from the wish. */
static struct nmc_stretch idle(struct nmc_measuring *x) {
    const double slice_s = 0.25;
    struct nmc_stretch stretch = {.from_ns = now(x)};
    double left = x->m->options.idle_s;
    while (left > 0 && !nmc_measuring_stopped(x)) {
        x->clock->sleep_ns(x->clock->user, (uint64_t)(fmin(left, slice_s) * ns_per_s));
        left = x->m->options.idle_s - (double)(now(x) - stretch.from_ns) / ns_per_s;
    }
    stretch.to_ns = now(x);
    return stretch;
}

/* ---- rounds ---------------------------------------------------------------------------------- */

/* Counters per process are read around a round, once the process rests. */
static bool read_process(struct nmc_measuring *x, pid_t pid, struct nmc_round *round,
                         struct nmc_reading *out) {
    bool good = nmc_counter_follow(x->counter, pid, x->diags) == NEUROMC_OK &&
                nmc_counter_read_settled(x->counter, out, x->diags) == NEUROMC_OK;
    x->m->lost |= !good;
    for (size_t i = 0; good && x->m->parts[i]; i++)
        round->part_j[i] = -nmc_counter_part(x->counter, i)->energy_j;
    return good;
}

static bool read_after(struct nmc_measuring *x, const struct nmc_reading *before,
                       struct nmc_round *round) {
    struct nmc_reading after;
    if (nmc_counter_read_settled(x->counter, &after, x->diags) != NEUROMC_OK) {
        x->m->lost = true;
        return false;
    }
    round->process_known = !(after.quality & NMC_READ_NO_ENERGY);
    round->process_j = after.energy_j - before->energy_j;
    round->process_s = after.cpu_s - before->cpu_s;
    for (size_t i = 0; x->m->parts[i]; i++)
        round->part_j[i] += nmc_counter_part(x->counter, i)->energy_j;
    return true;
}

/* Who used the GPU in the round. */
static void note_gpu(struct nmc_measuring *x, const struct nmc_gpu_times *before, pid_t pid,
                     struct nmc_round *round) {
    static const size_t size = sizeof *round->gpu_vanished;
    struct nmc_gpu_times after;
    int64_t vanished[NMC_GPU_PROCESSES];
    nmc_counter_gpu_times(x->counter, &after);
    round->gpu = nmc_gpu_spent(before, &after, pid);
    size_t count = nmc_gpu_vanished(before, &after, vanished);
    round->gpu_vanished = nmc_arena_copy(&x->m->arena, vanished, count * size);
    round->gpu_vanished_count = round->gpu_vanished ? count : 0;
}

static bool run_round(struct nmc_measuring *x, size_t subject, struct nmc_round *round) {
    struct nmc_subject_result *s = &x->m->subjects[subject];
    pid_t pid = s->subject.talks ? x->children[subject].pid : 0;
    struct nmc_reading before = {0};
    struct nmc_gpu_times gpu;
    *round = (struct nmc_round){.cpu_share = -1};
    if (!x->sampler && !read_process(x, pid, round, &before))
        return false;
    struct nmc_load load = nmc_load_now(pid);
    nmc_counter_gpu_times(x->counter, &gpu);
    if (!nmc_measuring_go(x, subject, s->k, round))
        return false;
    note_gpu(x, &gpu, pid, round);
    struct nmc_load load_after = nmc_load_now(pid);
    memcpy(round->load_before, load.average, sizeof load.average);
    memcpy(round->load_after, load_after.average, sizeof load.average);
    round->cpu_share = nmc_load_share(&load, &load_after);
    return x->sampler || read_after(x, &before, round);
}

static bool goes_on(const struct nmc_measuring *x) {
    return !nmc_measuring_stopped(x) && !x->m->lost &&
           !(x->sampler && nmc_sampler_lost(x->sampler));
}

static bool has_failed(const struct nmc_measuring *x, size_t subject) {
    return x->m->subjects[subject].failure;
}

/* One round of one subject, and the idle bracket behind it. `before`: the bracket in front. */
static void take_turn(struct nmc_measuring *x, size_t subject, struct nmc_stretch *before) {
    struct nmc_subject_result *s = &x->m->subjects[subject];
    struct nmc_round *round = &s->rounds[s->round_count];
    if (has_failed(x, subject) || !run_round(x, subject, round))
        return;
    round->before = round->after = *before;
    char took[NMC_NUMBER_SIZE];
    nmc_short_format(took, (double)(round->window.to_ns - round->window.from_ns) / ns_per_s);
    nmc_measuring_tell(x, "%s: round %zu of %d: %lld jobs in %s s", s->subject.label,
                       s->round_count + 1, x->m->options.rounds, (long long)round->decodes, took);
    if (x->sampler && x->m->options.baseline == NEUROMC_BRACKETS)
        round->after = *before = idle(x);
    s->round_count += !nmc_measuring_stopped(x) || round->after.to_ns > round->after.from_ns;
}

static void run_rounds(struct nmc_measuring *x, struct nmc_stretch before) {
    size_t count = x->m->subject_count;
    for (int r = 0; r < x->m->options.rounds; r++)
        for (size_t i = 0; i < count && goes_on(x); i++)
            take_turn(x, r % 2 ? count - 1 - i : i, &before); /* A B, B A */
}

static bool prepare(struct nmc_measuring *x) {
    bool any = false;
    for (size_t i = 0; i < x->m->subject_count && goes_on(x); i++) {
        nmc_measuring_tell(x, "%s: getting ready", x->m->subjects[i].subject.label);
        bool good = nmc_measuring_ready(x, i) && nmc_measuring_calibrate(x, i);
        any |= good;
    }
    return any;
}

static void run(struct nmc_measuring *x) {
    struct nmc_stretch before = {0, 0};
    bool separate = x->sampler && x->m->options.baseline == NEUROMC_SEPARATE;
    if (separate) /* while nothing has warmed the machine yet */
        before = idle(x);
    if (!prepare(x) || !goes_on(x))
        return;
    if (x->sampler && x->m->options.baseline == NEUROMC_BRACKETS)
        before = idle(x);
    run_rounds(x, before);
}

/* ---- before and after ------------------------------------------------------------------------ */

static void finish_samples(struct nmc_measuring *x) {
    struct neuromc_measurement *m = x->m;
    size_t said = neuromc_diags_count(x->diags);
    if (!x->sampler)
        return;
    uint64_t end = now(x);
    if (!nmc_measuring_stopped(x))
        nmc_sampler_wait(x->sampler, end);
    m->lost = nmc_sampler_lost(x->sampler);
    const struct nmc_sample *samples = nmc_sampler_stop(x->sampler, &m->sample_count, x->diags);
    m->samples = nmc_arena_copy(&m->arena, samples, m->sample_count * sizeof *samples);
    if (m->lost && neuromc_diags_count(x->diags) > said)
        m->lost_text = nmc_arena_strdup(&m->arena, neuromc_diags_at(x->diags, said)->message);
}

static void fill_powers(struct nmc_measuring *x) {
    struct neuromc_measurement *m = x->m;
    for (size_t i = 0; i < m->subject_count; i++)
        for (size_t r = 0; x->sampler && m->samples && r < m->subjects[i].round_count; r++) {
            struct nmc_round *round = &m->subjects[i].rounds[r];
            round->power =
                nmc_round_power(m->samples, m->sample_count, round->window, round->before,
                                round->after, m->options.baseline, &m->resolution);
        }
}

static void flag_outliers(struct neuromc_measurement *m, struct nmc_subject_result *s) {
    size_t count = s->round_count;
    double *values = nmc_arena_array(&m->arena, 2 * count, sizeof *values);
    bool *out = nmc_arena_array(&m->arena, count, sizeof *out);
    bool known = values && out;
    for (size_t r = 0; known && r < count; r++) {
        values[r] = nmc_round_joules(m, &s->rounds[r]);
        known = !isnan(values[r]);
    }
    if (known)
        nmc_outliers(values, count, values + count, out);
    for (size_t r = 0; known && r < count; r++)
        s->rounds[r].outlier = out[r];
}

static bool make_subjects(struct neuromc_measurement *m, const neuromc_subject *subjects,
                          size_t count) {
    m->subjects = nmc_arena_array(&m->arena, count, sizeof *m->subjects);
    m->subject_count = m->subjects ? count : 0;
    for (size_t i = 0; i < m->subject_count; i++) {
        m->subjects[i].subject = subjects[i];
        m->subjects[i].rounds =
            nmc_arena_array(&m->arena, (size_t)m->options.rounds, sizeof *m->subjects[i].rounds);
    }
    struct utsname host;
    bool named = uname(&host) == 0;
    m->system = nmc_arena_strdup(&m->arena, named ? host.sysname : "");
    m->machine = nmc_arena_strdup(&m->arena, named ? host.machine : "");
    m->cpus = (int)sysconf(_SC_NPROCESSORS_ONLN);
    return !m->arena.failed;
}

static struct neuromc_measurement *new_measurement(const neuromc_subject *subjects, size_t count,
                                                   const neuromc_measure_options *options) {
    struct neuromc_measurement *m = nmc_malloc(sizeof *m);
    if (!m)
        return NULL;
    *m = (struct neuromc_measurement){.options = *options};
    nmc_arena_init(&m->arena, NMC_LIMIT_MODEL_BYTES);
    if (make_subjects(m, subjects, count))
        return m;
    neuromc_measurement_free(m);
    return NULL;
}

/* Opens the counter and what reads it. */
static neuromc_status open_counter(struct nmc_measuring *x) {
    struct neuromc_measurement *m = x->m;
    neuromc_status status =
        nmc_counter_open(m->options.counter, &m->counter_options, &x->counter, x->diags);
    if (status != NEUROMC_OK)
        return status;
    m->counter = *nmc_counter_info(x->counter);
    m->resolution =
        (struct nmc_resolution){.step_j = m->counter.resolution_j, .update_s = m->counter.update_s};
    size_t parts = nmc_counter_part_count(x->counter);
    for (size_t i = 0; m->counter.per_process && i < parts && i + 1 < NMC_PROCESS_PARTS; i++)
        m->parts[i] = nmc_arena_strdup(&m->arena, nmc_counter_part(x->counter, i)->name);
    if (m->counter.per_process)
        return m->arena.failed ? nmc_out_of_memory(x->diags) : NEUROMC_OK;
    x->sampler = nmc_sampler_start(x->counter, x->clock, m->options.sample_s, x->diags);
    return x->sampler ? NEUROMC_OK : NEUROMC_IO;
}

/* Nothing was measured: the first subject's reason is the error. */
static neuromc_status nothing(struct nmc_measuring *x) {
    const struct neuromc_measurement *m = x->m;
    size_t rounds = 0;
    for (size_t i = 0; i < m->subject_count; i++)
        rounds += m->subjects[i].round_count;
    if (rounds || m->stopped)
        return NEUROMC_OK;
    for (size_t i = 0; i < m->subject_count; i++)
        if (m->subjects[i].failure)
            return nmc_error(x->diags, NEUROMC_IO,
                             (struct nmc_place){.file = m->subjects[i].subject.label}, NULL, "%s",
                             m->subjects[i].failure);
    return nmc_error(x->diags, NEUROMC_IO, (struct nmc_place){0}, NULL,
                     "the counter was lost before the first round ended");
}

/* Runs the programs; none is left afterwards, nor what it started. */
static void run_and_leave(struct nmc_measuring *x) {
    bool adopted = nmc_orphans_adopt(true);
    run(x);
    for (size_t i = 0; i < x->m->subject_count; i++)
        nmc_measuring_leave(x, i);
    nmc_orphans_adopt(adopted);
}

static neuromc_status measure(struct nmc_measuring *x) {
    struct neuromc_measurement *m = x->m;
    neuromc_status status = open_counter(x);
    if (status == NEUROMC_OK)
        run_and_leave(x);
    if (status == NEUROMC_OK) {
        m->stopped = nmc_measuring_stopped(x);
        finish_samples(x);
        fill_powers(x);
        for (size_t i = 0; i < m->subject_count; i++)
            flag_outliers(m, &m->subjects[i]);
        nmc_counter_check(x->counter, x->diags);
        status = nothing(x);
    }
    nmc_sampler_free(x->sampler);
    nmc_counter_close(x->counter);
    return status;
}

neuromc_status nmc_measure(const neuromc_subject *subjects, size_t count,
                           const neuromc_measure_options *options,
                           const struct nmc_counter_options *counter,
                           struct neuromc_measurement **out, neuromc_diags *diags) {
    *out = NULL;
    struct neuromc_measurement *m = new_measurement(subjects, count, options);
    struct nmc_measuring x = {
        .m = m, .diags = diags, .clock = counter->clock ? counter->clock : &nmc_system_clock};
    x.children = m ? nmc_arena_array(&m->arena, count, sizeof *x.children) : NULL;
    if (!x.children) {
        neuromc_measurement_free(m);
        return nmc_out_of_memory(diags);
    }
    m->counter_options = *counter;
    for (size_t i = 0; i < count; i++)
        x.children[i] = (struct nmc_child){.input = -1, .output = -1, .errors = -1};
    neuromc_status status = nmc_measure_meta(m, diags);
    if (status == NEUROMC_OK)
        status = measure(&x);
    if (status == NEUROMC_OK)
        *out = m;
    else
        neuromc_measurement_free(m);
    return status;
}

neuromc_status neuromc_measure(const neuromc_subject *subjects, size_t count,
                               const neuromc_measure_options *options,
                               struct neuromc_measurement **out, neuromc_diags *diags) {
    struct nmc_counter_options counter = {.clock = NULL};
    if (options->counter_options)
        counter.asked = *options->counter_options;
    return nmc_measure(subjects, count, options, &counter, out, diags);
}

void neuromc_measurement_free(struct neuromc_measurement *m) {
    if (!m)
        return;
    nmc_arena_release(&m->arena);
    nmc_free(m);
}
