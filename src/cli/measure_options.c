/* measure_options.c - --counter, --rounds and their like; Ctrl-C; progress. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/measure.h"

static volatile int interrupted;

/* The second time kills. */
static void on_interrupt(int signal_number) {
    interrupted = 1;
    signal(signal_number, SIG_DFL);
}

static void tell(void *user, const char *text) {
    (void)user;
    fprintf(stderr, "%s\n", text);
}

static neuromc_status seconds(const struct cli_args *args, neuromc_measure_options *out) {
    const double ms_per_s = 1000, least_sample_s = 1e-3, least_limit_s = 1e-3;
    double sample_ms = out->sample_s * ms_per_s;
    const double most_s = 1e6;
    neuromc_status status = cli_number(args, CLI_OPT_IDLE, 0, &out->idle_s);
    if (status == NEUROMC_OK)
        status = cli_number(args, CLI_OPT_SAMPLE_MS, least_sample_s * ms_per_s, &sample_ms);
    if (status == NEUROMC_OK)
        status = cli_number(args, CLI_OPT_WINDOW, 0, &out->window_s);
    if (status == NEUROMC_OK)
        status = cli_number(args, CLI_OPT_TIMEOUT, least_limit_s, &out->limit_s);
    out->sample_s = sample_ms / ms_per_s;
    if (status == NEUROMC_OK && (out->idle_s > most_s || out->sample_s > most_s ||
                                 out->window_s > most_s || out->limit_s > most_s))
        status = cli_usage(NULL, "a time of more than a million seconds");
    return status;
}

neuromc_status cli_measure_options(const struct cli_args *args,
                                   neuromc_counter_options *counter_options,
                                   neuromc_measure_options *out) {
    static const char *const baselines[] = {"brackets", "separate", "none", NULL};
    enum { MOST_ROUNDS = 100000, MOST_TIMES = 1000000000 };
    int64_t rounds = 7;
    int baseline = 0;
    *out = (neuromc_measure_options){.counter = cli_value(args, CLI_OPT_COUNTER),
                                     .counter_options = counter_options,
                                     .idle_s = 5,
                                     .sample_s = 0.1,
                                     .limit_s = 600,
                                     .stop = &interrupted};
    if (!out->counter)
        return cli_usage("neuromc counters lists what this machine has", "--counter is missing");
    neuromc_status status = cli_counter_options(args, counter_options);
    if (status == NEUROMC_OK)
        status = cli_integer(args, CLI_OPT_ROUNDS, 1, &rounds);
    if (status == NEUROMC_OK)
        status = cli_integer(args, CLI_OPT_TIMES, 1, &out->k);
    if (status == NEUROMC_OK)
        status = seconds(args, out);
    if (status == NEUROMC_OK)
        status = cli_choice(args, CLI_OPT_BASELINE, baselines, &baseline);
    if (status == NEUROMC_OK) {
        const char **meta;
        status = cli_texts(args, CLI_OPT_META, &meta, &out->meta_count);
        out->meta = meta;
    }
    if (status == NEUROMC_OK && out->k > MOST_TIMES)
        status = cli_usage(NULL, "-k is at most %d", (int)MOST_TIMES);
    if (status == NEUROMC_OK && rounds > MOST_ROUNDS)
        status = cli_usage(NULL, "--rounds is at most %d", (int)MOST_ROUNDS);
    out->rounds = (int)rounds;
    out->baseline = (neuromc_baseline)baseline;
    out->progress = isatty(STDERR_FILENO) ? tell : NULL;
    signal(SIGINT, on_interrupt); /* the program is in a group of its own: end it, whoever asks */
    signal(SIGTERM, on_interrupt);
    signal(SIGHUP, on_interrupt);
    signal(SIGCHLD, SIG_DFL); /* ignored, as it may be inherited, it would hide how programs end */
    return status;
}

void cli_measure_options_free(neuromc_measure_options *options) {
    nmc_free((void *)(uintptr_t)options->meta);
}

const char *cli_file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

neuromc_status cli_measure_status(bool lost, bool holds) {
    if (lost)
        return NEUROMC_IO;
    return holds ? NEUROMC_OK : (neuromc_status)CLI_NOT_ALLOWED;
}
