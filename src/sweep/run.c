/* run.c - threads share the chunks of a shard; rows leave in index order. */
#define _GNU_SOURCE /* sched_getaffinity */

#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "sweep/result.h"
#include "sweep/sampler.h"
#include "sweep/worker.h"

struct neuromc_sweep {
    struct nmc_plan plan;
};

struct run {
    const struct nmc_plan *plan;
    const neuromc_sweep_run_options *options;
    struct nmc_grid grid;
    struct nmc_cells cells;
    double shift[NMC_MAX_OBJECTIVES];
    int64_t from, to; /* chunks of the shard */

    pthread_mutex_t lock;
    pthread_cond_t turned;  /* the next chunk may be written */
    pthread_cond_t stirred; /* a chunk is done, or a thread has ended */
    int64_t next;           /* chunk to be taken */
    int64_t turn;           /* chunk to be written */
    int64_t done;           /* points */
    int working;            /* threads */
    bool stop, no_memory, write_failed;
};

struct thread {
    pthread_t id;
    struct run *run;
    struct nmc_worker worker;
    struct nmc_stream stream;
    bool started;
};

/* ---- threads ---- */

static bool take_chunk(struct run *run, int64_t *chunk) {
    pthread_mutex_lock(&run->lock);
    bool more = !run->stop && run->next < run->to;
    if (more)
        *chunk = run->next++;
    pthread_mutex_unlock(&run->lock);
    return more;
}

/* Waits until all chunks before are written, then writes. */
static void write_rows(struct run *run, struct nmc_stream *stream, int64_t chunk) {
    pthread_mutex_lock(&run->lock);
    while (run->turn != chunk && !run->write_failed)
        pthread_cond_wait(&run->turned, &run->lock);
    bool failed = run->write_failed;
    pthread_mutex_unlock(&run->lock);
    if (!failed && stream->text.length)
        failed = !run->options->points(run->options->points_user, stream->text.text,
                                       stream->text.length);
    nmc_strbuf_clear(&stream->text);
    pthread_mutex_lock(&run->lock);
    run->turn = chunk + 1;
    run->write_failed |= failed;
    run->stop |= failed;
    pthread_cond_broadcast(&run->turned);
    pthread_mutex_unlock(&run->lock);
}

static void *work(void *user) {
    struct thread *thread = user;
    struct run *run = thread->run;
    int64_t chunk;
    bool good = true;
    while (good && take_chunk(run, &chunk)) {
        good = run->plan->sampled ? nmc_worker_samples(&thread->worker, chunk)
                                  : nmc_worker_chunk(&thread->worker, chunk);
        if (run->options->points)
            write_rows(run, &thread->stream, chunk);
        pthread_mutex_lock(&run->lock);
        run->done += nmc_grid_first(&run->grid, run->plan, chunk + 1) -
                     nmc_grid_first(&run->grid, run->plan, chunk);
        pthread_mutex_unlock(&run->lock);
    }
    pthread_mutex_lock(&run->lock);
    run->working--;
    if (!good)
        run->stop = run->no_memory = true;
    pthread_cond_broadcast(&run->stirred);
    pthread_mutex_unlock(&run->lock);
    return NULL;
}

/* Tells how far it is a few times a second, until no thread works. */
static void watch(struct run *run, int64_t total) {
    enum { NANOSECONDS = 200000000, SECOND = 1000000000 };
    const neuromc_sweep_run_options *options = run->options;
    pthread_mutex_lock(&run->lock);
    while (run->working) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += NANOSECONDS;
        until.tv_sec += until.tv_nsec / SECOND;
        until.tv_nsec %= SECOND;
        pthread_cond_timedwait(&run->stirred, &run->lock, &until);
        const neuromc_sweep_progress progress = {run->done, total};
        pthread_mutex_unlock(&run->lock);
        bool go_on = !options->progress || options->progress(options->progress_user, &progress);
        pthread_mutex_lock(&run->lock);
        run->stop |= !go_on;
    }
    pthread_mutex_unlock(&run->lock);
}

static int count_processors(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (int)count : 1;
}

/* As many as there are chunks to share, at most. */
static int count_threads(const struct run *run) {
    enum { MOST = 1024 };
    int64_t jobs = run->options->jobs > 0 ? run->options->jobs : count_processors();
    if (jobs > run->to - run->from)
        jobs = run->to - run->from;
    return (int)(jobs < 1 ? 1 : jobs > MOST ? MOST : jobs);
}

static bool start(struct run *run, struct thread *threads, int count) {
    bool good = true;
    for (int i = 0; good && i < count; i++) {
        struct thread *thread = &threads[i];
        thread->run = run;
        good = nmc_worker_init(&thread->worker, run->plan, &run->grid, &run->cells, run->shift);
        thread->started = true;
        thread->stream.format = run->options->points_format;
        nmc_strbuf_init(&thread->stream.text);
        if (run->options->points)
            thread->worker.stream = &thread->stream;
    }
    pthread_mutex_lock(&run->lock);
    for (int i = 0; good && i < count; i++) {
        good = pthread_create(&threads[i].id, NULL, work, &threads[i]) == 0;
        run->working += good;
    }
    run->stop |= !good;
    run->no_memory |= !good;
    pthread_mutex_unlock(&run->lock);
    return good;
}

/* ---- before and after ---- */

static neuromc_status check_run(const struct nmc_plan *plan,
                                const neuromc_sweep_run_options *options, neuromc_diags *diags) {
    (void)plan;
    if (options->shard_count < 0 || options->shard < 0 ||
        (options->shard_count > 0 && (options->shard < 1 || options->shard > options->shard_count)))
        return nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){.file = "--shard"},
                         "--shard 1/4 to --shard 4/4", "there is no shard %lld of %lld",
                         (long long)options->shard, (long long)options->shard_count);
    return NEUROMC_OK;
}

/* Objectives of the first point, from which others are told apart; 0 if it fails. */
static bool find_shift(struct run *run) {
    int32_t levels[NMC_MAX_AXES] = {0};
    const struct nmc_cell *cell = nmc_cell_take(&run->cells, levels);
    bool works = cell && !cell->reason &&
                 !(cell->may_fail && nmc_cell_value(cell, &run->grid, NMC_FAILURE, levels) > 0);
    for (int o = 0; o < run->plan->objective_count; o++)
        run->shift[o] = works ? nmc_cell_value(cell, &run->grid, o, levels) : 0;
    nmc_cell_give_back(&run->cells, cell);
    return cell;
}

static bool add_rows(neuromc_sweep_result *result, struct run *run, struct nmc_tally *tally) {
    bool good = true;
    nmc_top_sort(&tally->top);
    nmc_front_sort(&tally->front);
    for (size_t i = 0; good && i < tally->top.count; i++)
        good = nmc_result_add_row(result, &result->top, run->plan, &run->cells,
                                  tally->top.items[i].index);
    for (size_t i = 0; good && i < tally->front.count; i++)
        good = nmc_result_add_row(result, &result->front, run->plan, &run->cells,
                                  tally->front.items[i].index);
    return good && nmc_result_explain_best(result, run->plan);
}

/* Points spread over the shard for a plot: one from each of equal stretches of the whole. */
static bool add_sample(neuromc_sweep_result *result, struct run *run, int64_t last) {
    enum { WANTED = 1000 };
    int64_t first = nmc_grid_first(&run->grid, run->plan, run->from);
    int64_t count = run->plan->points < WANTED ? run->plan->points : WANTED;
    int64_t each = run->plan->points / count, rest = run->plan->points % count;
    result->sample_kept = true;
    for (int64_t i = 0; i < count; i++) {
        int64_t index =
            i * each + i * rest / count + (int64_t)(nmc_mix((uint64_t)i + 1) % (uint64_t)each);
        if (index < first || index >= last)
            continue;
        if (!nmc_result_add_sample(result, run->plan, &run->cells, index))
            return false;
    }
    return true;
}

static neuromc_status finish(struct run *run, struct nmc_tally *tally, neuromc_sweep_result *result,
                             neuromc_diags *diags) {
    result->partial = run->next < run->to;
    result->shard = run->options->shard;
    result->shard_count = run->options->shard_count;
    int64_t last = nmc_grid_first(&run->grid, run->plan, run->next);
    bool good = nmc_result_describe(result, run->plan) &&
                nmc_result_take(result, run->plan, tally) && add_rows(result, run, tally);
    if (good && (run->options->sample_for_plot || run->options->shard_count))
        good = add_sample(result, run, last);
    nmc_sayings_by_point(&result->reasons);
    return good ? NEUROMC_OK : nmc_out_of_memory(diags);
}

static neuromc_status run_threads(struct run *run, neuromc_sweep_result *result,
                                  neuromc_diags *diags) {
    int count = count_threads(run);
    struct thread *threads = nmc_malloc((size_t)count * sizeof *threads);
    if (!threads)
        return nmc_out_of_memory(diags);
    memset(threads, 0, (size_t)count * sizeof *threads);
    start(run, threads, count);
    watch(run, nmc_grid_first(&run->grid, run->plan, run->to) -
                   nmc_grid_first(&run->grid, run->plan, run->from));
    for (int i = 0; i < count; i++)
        if (threads[i].id)
            pthread_join(threads[i].id, NULL);
    bool good = !run->no_memory;
    for (int i = 1; good && i < count; i++)
        good = nmc_tally_merge(&threads[0].worker.tally, &threads[i].worker.tally);
    neuromc_status status = good ? NEUROMC_OK : nmc_out_of_memory(diags);
    if (good && run->write_failed)
        status = nmc_error(diags, NEUROMC_IO, (struct nmc_place){0}, NULL,
                           "the points could not be written completely");
    if (status == NEUROMC_OK)
        status = finish(run, &threads[0].worker.tally, result, diags);
    for (int i = 0; i < count; i++)
        if (threads[i].started) {
            nmc_worker_release(&threads[i].worker);
            nmc_strbuf_release(&threads[i].stream.text);
        }
    nmc_free(threads);
    return status;
}

static neuromc_status write_head(const struct run *run, neuromc_diags *diags) {
    struct nmc_stream stream = {.format = run->options->points_format};
    nmc_strbuf_init(&stream.text);
    nmc_stream_head(&stream, run->plan);
    bool good = !stream.text.failed;
    if (good && stream.text.length)
        good =
            run->options->points(run->options->points_user, stream.text.text, stream.text.length);
    nmc_strbuf_release(&stream.text);
    return good ? NEUROMC_OK
                : nmc_error(diags, NEUROMC_IO, (struct nmc_place){0}, NULL,
                            "the points could not be written");
}

static neuromc_status run_all(struct run *run, neuromc_sweep_result *result, neuromc_diags *diags) {
    if (!find_shift(run))
        return nmc_out_of_memory(diags);
    int64_t shards = run->options->shard_count ? run->options->shard_count : 1;
    nmc_grid_shard(&run->grid, run->options->shard ? run->options->shard : 1, shards, &run->from,
                   &run->to);
    run->next = run->turn = run->from;
    neuromc_status status = NEUROMC_OK;
    if (run->options->points)
        status = write_head(run, diags);
    return status == NEUROMC_OK ? run_threads(run, result, diags) : status;
}

neuromc_status neuromc_sweep_run(neuromc_sweep *sweep, const neuromc_sweep_run_options *options,
                                 neuromc_sweep_result **out, neuromc_diags *diags) {
    static const neuromc_sweep_run_options defaults = {.jobs = 0};
    struct run run = {.plan = &sweep->plan, .options = options ? options : &defaults};
    *out = NULL;
    neuromc_status status = check_run(run.plan, run.options, diags);
    if (status != NEUROMC_OK)
        return status;
    neuromc_sweep_result *result = nmc_result_new(diags);
    if (!result)
        return NEUROMC_IO;
    pthread_mutex_init(&run.lock, NULL);
    pthread_cond_init(&run.turned, NULL);
    pthread_cond_init(&run.stirred, NULL);
    bool grid = nmc_grid_make(&run.grid, run.plan);
    nmc_cells_init(&run.cells, run.plan, &run.grid, run.options->jobs > 0 ? run.options->jobs : 1);
    status = grid ? run_all(&run, result, diags) : nmc_out_of_memory(diags);
    nmc_cells_release(&run.cells);
    nmc_grid_release(&run.grid);
    pthread_mutex_destroy(&run.lock);
    pthread_cond_destroy(&run.turned);
    pthread_cond_destroy(&run.stirred);
    if (status == NEUROMC_OK)
        *out = result;
    else
        neuromc_sweep_result_free(result);
    return status;
}

/* ---- the sweep itself ---- */

neuromc_status neuromc_sweep_new(const neuromc_sweep_options *options, neuromc_sweep **out,
                                 neuromc_diags *diags) {
    *out = NULL;
    neuromc_sweep *sweep = nmc_malloc(sizeof *sweep);
    if (!sweep)
        return nmc_out_of_memory(diags);
    neuromc_status status = nmc_plan_make(&sweep->plan, options, diags);
    if (status == NEUROMC_OK)
        *out = sweep;
    else
        neuromc_sweep_free(sweep);
    return status;
}

void neuromc_sweep_free(neuromc_sweep *sweep) {
    if (!sweep)
        return;
    nmc_plan_release(&sweep->plan);
    nmc_free(sweep);
}
