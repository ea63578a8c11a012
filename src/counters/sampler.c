#include "counters/sampler.h"

#include <math.h>
#include <pthread.h>

#include "base/memory.h"

struct nmc_sampler {
    struct nmc_counter *counter;
    const struct nmc_clock *clock;
    uint64_t period_ns;
    pthread_t thread;
    pthread_mutex_t lock;
    neuromc_diags *said; /* by the thread */
    struct nmc_sample *samples;
    size_t count, capacity;
    bool stop, lost, running;
};

static bool add(struct nmc_sampler *s, const struct nmc_sample *sample) {
    pthread_mutex_lock(&s->lock);
    bool good = nmc_grow(&s->samples, &s->capacity, s->count + 1, sizeof *s->samples);
    if (good)
        s->samples[s->count++] = *sample;
    pthread_mutex_unlock(&s->lock);
    return good;
}

static bool wants_more(struct nmc_sampler *s) {
    pthread_mutex_lock(&s->lock);
    bool more = !s->stop;
    pthread_mutex_unlock(&s->lock);
    return more;
}

static void lose(struct nmc_sampler *s) {
    pthread_mutex_lock(&s->lock);
    s->lost = true;
    pthread_mutex_unlock(&s->lock);
}

static void *run(void *user) {
    struct nmc_sampler *s = user;
    struct nmc_reading before, now;
    bool good = nmc_counter_read(s->counter, &before, s->said) == NEUROMC_OK;
    while (good && wants_more(s)) {
        s->clock->sleep_ns(s->clock->user, s->period_ns);
        good = nmc_counter_read(s->counter, &now, s->said) == NEUROMC_OK;
        if (!good)
            break;
        const struct nmc_sample sample = {.from_ns = before.monotonic_ns,
                                          .to_ns = now.monotonic_ns,
                                          .energy_j = now.step_j,
                                          .beside_j = now.beside_step_j,
                                          .known = !(now.quality & NMC_READ_NO_ENERGY)};
        good = add(s, &sample);
        before = now;
    }
    if (!good)
        lose(s);
    return NULL;
}

struct nmc_sampler *nmc_sampler_start(struct nmc_counter *counter, const struct nmc_clock *clock,
                                      double period_s, neuromc_diags *diags) {
    const double ns_per_s = 1e9;
    struct nmc_sampler *s = nmc_malloc(sizeof *s);
    neuromc_diags *said = neuromc_diags_new();
    if (!s || !said) {
        nmc_free(s);
        neuromc_diags_free(said);
        nmc_out_of_memory(diags);
        return NULL;
    }
    *s = (struct nmc_sampler){.counter = counter,
                              .clock = clock,
                              .said = said,
                              .period_ns = (uint64_t)(period_s * ns_per_s)};
    pthread_mutex_init(&s->lock, NULL);
    s->running = pthread_create(&s->thread, NULL, run, s) == 0;
    if (s->running)
        return s;
    nmc_sampler_free(s);
    nmc_error(diags, NEUROMC_IO, (struct nmc_place){0}, NULL, "no thread to read the counter");
    return NULL;
}

bool nmc_sampler_lost(struct nmc_sampler *s) {
    pthread_mutex_lock(&s->lock);
    bool lost = s->lost;
    pthread_mutex_unlock(&s->lock);
    return lost;
}

static bool reaches(struct nmc_sampler *s, uint64_t monotonic_ns) {
    pthread_mutex_lock(&s->lock);
    bool good = s->lost || (s->count && s->samples[s->count - 1].to_ns > monotonic_ns);
    pthread_mutex_unlock(&s->lock);
    return good;
}

void nmc_sampler_wait(struct nmc_sampler *s, uint64_t monotonic_ns) {
    while (!reaches(s, monotonic_ns))
        s->clock->sleep_ns(s->clock->user, s->period_ns);
}

double nmc_sampler_power(struct nmc_sampler *s, struct nmc_stretch stretch) {
    static const struct nmc_resolution any = {0, 0};
    const double ns_per_s = 1e9;
    pthread_mutex_lock(&s->lock);
    struct nmc_round_power r =
        nmc_round_power(s->samples, s->count, stretch, stretch, stretch, NEUROMC_NO_BASELINE, &any);
    pthread_mutex_unlock(&s->lock);
    return r.window_known && r.covered_ns ? r.window_j / ((double)r.covered_ns / ns_per_s)
                                          : (double)NAN;
}

const struct nmc_sample *nmc_sampler_stop(struct nmc_sampler *s, size_t *count,
                                          neuromc_diags *diags) {
    if (s->running) {
        pthread_mutex_lock(&s->lock);
        s->stop = true;
        pthread_mutex_unlock(&s->lock);
        pthread_join(s->thread, NULL);
        s->running = false;
        for (size_t i = 0; i < neuromc_diags_count(s->said); i++) {
            const neuromc_diag *d = neuromc_diags_at(s->said, i);
            nmc_warning(diags, (struct nmc_place){d->file, d->line, d->column, d->where}, d->hint,
                        "%s", d->message);
        }
    }
    *count = s->count;
    return s->samples;
}

void nmc_sampler_free(struct nmc_sampler *s) {
    size_t count;
    if (!s)
        return;
    nmc_sampler_stop(s, &count, NULL);
    pthread_mutex_destroy(&s->lock);
    neuromc_diags_free(s->said);
    nmc_free(s->samples);
    nmc_free(s);
}
