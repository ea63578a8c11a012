/* neuromc sweep MODEL... */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/number.h"
#include "cli/cli.h"
#include "cli/sweep.h"

/* ---- Ctrl-C ---- */

static volatile sig_atomic_t interrupted;

/* The second time kills. */
static void on_interrupt(int signal_number) {
    interrupted = 1;
    signal(signal_number, SIG_DFL);
}

/* ---- progress ---- */

struct meter {
    bool shown, used;
    struct timespec start;
};

static double seconds_since(const struct timespec *start) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) / 1e9;
}

static bool tell(void *user, const neuromc_sweep_progress *progress) {
    struct meter *meter = user;
    double seconds = seconds_since(&meter->start);
    if (meter->shown && seconds > 1 && progress->done < progress->total) {
        char done[NMC_NUMBER_SIZE], total[NMC_NUMBER_SIZE], rate[NMC_NUMBER_SIZE];
        double per_second = (double)progress->done / seconds;
        double left = per_second > 0 ? (double)(progress->total - progress->done) / per_second : 0;
        nmc_count_format(done, progress->done);
        nmc_count_format(total, progress->total);
        nmc_count_format(rate, (int64_t)per_second);
        fprintf(stderr, "\r%s of %s points, %s a second, %ld s left\033[K", done, total, rate,
                (long)(left < 1e9 ? left : 1e9));
        meter->used = true;
    }
    return !interrupted;
}

static void end_meter(const struct meter *meter) {
    if (meter->used)
        fputs("\r\033[K", stderr);
}

/* ---- options ---- */

struct sweep_lists {
    const char **assignments, **vary, **zip, **objectives, **fields, **where;
};

static neuromc_status read_lists(const struct cli_args *args, struct sweep_lists *lists,
                                 neuromc_sweep_options *out) {
    neuromc_status status = cli_texts(args, CLI_OPT_VARY, &lists->vary, &out->vary_count);
    if (status == NEUROMC_OK)
        status = cli_texts(args, CLI_OPT_ZIP, &lists->zip, &out->zip_count);
    if (status == NEUROMC_OK)
        status = cli_texts(args, CLI_OPT_OBJECTIVE, &lists->objectives, &out->objective_count);
    if (status == NEUROMC_OK)
        status = cli_texts(args, CLI_OPT_FIELD, &lists->fields, &out->field_count);
    if (status == NEUROMC_OK)
        status = cli_texts(args, CLI_OPT_WHERE, &lists->where, &out->where_count);
    out->vary = lists->vary;
    out->zip = lists->zip;
    out->objectives = lists->objectives;
    out->fields = lists->fields;
    out->where = lists->where;
    return status;
}

static void free_lists(struct sweep_lists *lists) {
    nmc_free(lists->assignments);
    nmc_free(lists->vary);
    nmc_free(lists->zip);
    nmc_free(lists->objectives);
    nmc_free(lists->fields);
    nmc_free(lists->where);
}

static neuromc_status read_sweep(const struct cli_args *args, neuromc_sweep_options *out) {
    static const char *const samplers[] = {"random", "sobol", NULL};
    enum { MOST_TOP = 100000 };
    int sampler;
    int64_t seed = 1;
    out->models = args->operands;
    out->model_count = args->operand_count;
    out->preset = cli_value(args, CLI_OPT_PRESET);
    out->space = cli_value(args, CLI_OPT_SPACE);
    out->pareto = cli_has(args, CLI_OPT_PARETO);
    out->remap = cli_has(args, CLI_OPT_REMAP);
    out->top = -1;
    neuromc_status status = cli_integer(args, CLI_OPT_TOP, 0, &out->top);
    if (status == NEUROMC_OK && out->top > MOST_TOP)
        status = cli_usage("--points writes every point", "--top is at most %d", MOST_TOP);
    if (status == NEUROMC_OK)
        status = cli_integer(args, CLI_OPT_SAMPLE, 1, &out->sample);
    if (status == NEUROMC_OK)
        status = cli_integer(args, CLI_OPT_SEED, 0, &seed);
    if (status == NEUROMC_OK)
        status = cli_choice(args, CLI_OPT_SAMPLER, samplers, &sampler);
    if (status != NEUROMC_OK)
        return status;
    out->seed = (uint64_t)seed;
    out->sampler = (neuromc_sampler)sampler;
    bool drawn = cli_has(args, CLI_OPT_SAMPLER) || cli_has(args, CLI_OPT_SEED);
    if (drawn && !out->sample)
        return cli_usage("add --sample N", "--sampler and --seed belong to a sample");
    return NEUROMC_OK;
}

/* "2/8" */
static neuromc_status read_shard(const struct cli_args *args, neuromc_sweep_run_options *out) {
    const char *text = cli_value(args, CLI_OPT_SHARD);
    const char *slash = text ? strchr(text, '/') : NULL;
    if (!text)
        return NEUROMC_OK;
    if (!slash || !nmc_integer_parse(text, (size_t)(slash - text), &out->shard) ||
        !nmc_integer_parse(slash + 1, strlen(slash + 1), &out->shard_count) || out->shard < 1 ||
        out->shard > out->shard_count)
        return cli_usage("--shard 1/4 to --shard 4/4",
                         "--shard needs I/N with I from 1 to N, not \"%s\"", text);
    return NEUROMC_OK;
}

static neuromc_status read_run(const struct cli_args *args, neuromc_sweep_run_options *out) {
    int64_t jobs = 0;
    neuromc_status status = cli_integer(args, CLI_OPT_JOBS, 1, &jobs);
    if (status == NEUROMC_OK && jobs > 1024)
        status = cli_usage(NULL, "--jobs is at most 1024");
    out->jobs = (int)jobs;
    out->sample_for_plot = cli_has(args, CLI_OPT_PLOT);
    if (status == NEUROMC_OK)
        status = cli_points_format(args, &out->points_format);
    if (status == NEUROMC_OK)
        status = cli_plot_check(args);
    return status == NEUROMC_OK ? read_shard(args, out) : status;
}

/* ---- running ---- */

/* Runs with the points going to their file, if one is asked for. */
static neuromc_status run_to_file(const struct cli_args *args, neuromc_sweep *sweep,
                                  const neuromc_sweep_run_options *options,
                                  neuromc_sweep_result **out, neuromc_diags *diags) {
    struct nmc_file_out file;
    neuromc_sweep_run_options to_file = *options;
    if (!cli_has(args, CLI_OPT_POINTS))
        return neuromc_sweep_run(sweep, options, out, diags);
    neuromc_status status = nmc_file_out_open(&file, cli_value(args, CLI_OPT_POINTS), diags);
    if (status != NEUROMC_OK)
        return status;
    to_file.points = nmc_file_out_write;
    to_file.points_user = &file;
    status = neuromc_sweep_run(sweep, &to_file, out, diags);
    /* The close knows the reason of a failed write. */
    if (status == NEUROMC_IO && file.failed)
        neuromc_diags_clear(diags);
    neuromc_status closed = nmc_file_out_close(&file, status == NEUROMC_OK || file.failed, diags);
    return status == NEUROMC_OK ? closed : status;
}

static neuromc_status run(const struct cli_args *args, const neuromc_sweep_options *options,
                          const neuromc_sweep_run_options *run_options, neuromc_sweep_result **out,
                          neuromc_diags *diags) {
    struct meter meter = {.shown = isatty(STDERR_FILENO)};
    neuromc_sweep_run_options watched = *run_options;
    neuromc_sweep *sweep;
    clock_gettime(CLOCK_MONOTONIC, &meter.start);
    watched.progress = tell;
    watched.progress_user = &meter;
    neuromc_status status = neuromc_sweep_new(options, &sweep, diags);
    if (status == NEUROMC_OK) {
        signal(SIGINT, on_interrupt);
        status = run_to_file(args, sweep, &watched, out, diags);
        end_meter(&meter);
    }
    neuromc_sweep_free(sweep);
    return status;
}

static neuromc_status sweep(const struct cli_args *args, neuromc_diags *diags) {
    neuromc_write_options writing;
    neuromc_estimate_options estimate = {0};
    neuromc_model_options model = {0};
    struct sweep_lists lists = {0};
    neuromc_preset_options preset = {.search_path = cli_value(args, CLI_OPT_PRESET_PATH)};
    neuromc_sweep_options options = {
        .preset_options = &preset, .model_options = &model, .estimate_options = &estimate};
    neuromc_sweep_run_options run_options = {0};
    neuromc_sweep_result *result = NULL;
    neuromc_status status = cli_write_options(args, &writing);
    if (status == NEUROMC_OK)
        status = cli_estimate_options(args, &estimate);
    if (status == NEUROMC_OK)
        status = cli_model_options(args, &model);
    if (status == NEUROMC_OK)
        status = cli_texts(args, CLI_OPT_SET, &lists.assignments, &preset.assignment_count);
    preset.assignments = lists.assignments;
    if (status == NEUROMC_OK)
        status = read_lists(args, &lists, &options);
    if (status == NEUROMC_OK)
        status = read_sweep(args, &options);
    if (status == NEUROMC_OK)
        status = read_run(args, &run_options);
    if (status == NEUROMC_OK)
        status = run(args, &options, &run_options, &result, diags);
    if (status == NEUROMC_OK)
        status = cli_write_result(args, result, &writing, diags);
    bool partial = result && neuromc_sweep_result_partial(result);
    neuromc_sweep_result_free(result);
    cli_estimate_options_free(&estimate);
    cli_model_options_free(&model);
    free_lists(&lists);
    enum { STOPPED = 128 + SIGINT };
    return status == NEUROMC_OK && partial ? (neuromc_status)STOPPED : status;
}

neuromc_status cli_sweep(const struct cli_args *args) {
    neuromc_diags *diags = neuromc_diags_new();
    if (!diags)
        return NEUROMC_IO;
    neuromc_status status = sweep(args, diags);
    cli_print(diags);
    neuromc_diags_free(diags);
    return status;
}
