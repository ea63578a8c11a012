/* What options say of mappings, for every command that maps; progress and Ctrl-C while it does. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/cli.h"

neuromc_status cli_map_options(const struct cli_args *args, neuromc_map_options *out) {
    static const char *const objectives[] = {"energy", "latency", "edp", NULL};
    const char **texts;
    int objective;
    int64_t jobs = 0;
    neuromc_status status = cli_choice(args, CLI_OPT_MAP_OBJECTIVE, objectives, &objective);
    out->objective = (neuromc_map_objective)objective;
    out->mapping = cli_value(args, CLI_OPT_MAPPING);
    if (status == NEUROMC_OK)
        status = cli_number(args, CLI_OPT_MIN_UTILIZATION, 0, &out->least_utilization);
    if (status == NEUROMC_OK)
        status = cli_integer(args, CLI_OPT_JOBS, 1, &jobs);
    if (status == NEUROMC_OK)
        status = cli_integer(args, CLI_OPT_STEPS, 1, &out->steps);
    if (status == NEUROMC_OK && jobs > 1024)
        status = cli_usage(NULL, "--jobs is at most 1024");
    out->jobs = (int)jobs;
    if (status == NEUROMC_OK) {
        status = cli_texts(args, CLI_OPT_FIX, &texts, &out->fix_count);
        out->fixes = texts;
    }
    if (status == NEUROMC_OK) {
        status = cli_texts(args, CLI_OPT_ORDER, &texts, &out->order_count);
        out->orders = texts;
    }
    return status;
}

void cli_map_options_free(neuromc_map_options *options) {
    nmc_free((void *)(uintptr_t)options->fixes);
    nmc_free((void *)(uintptr_t)options->orders);
}

static volatile sig_atomic_t interrupted;
static bool told;

/* The second time kills. */
static void on_interrupt(int signal_number) {
    interrupted = 1;
    signal(signal_number, SIG_DFL);
}

static void tell(void *user, size_t done, size_t total) {
    (void)user;
    fprintf(stderr, "\r%zu of %zu shapes mapped\033[K", done, total);
    told = true;
}

void cli_watch_mapping(neuromc_map_options *options) {
    options->stop = &interrupted;
    if (isatty(STDERR_FILENO))
        options->progress = tell;
    signal(SIGINT, on_interrupt);
}

bool cli_end_watch(void) {
    if (told)
        fputs("\r\033[K", stderr);
    told = false;
    signal(SIGINT, SIG_DFL);
    return interrupted;
}

neuromc_status cli_check_mapping(const struct cli_args *args, const neuromc_preset *preset) {
    static const enum cli_option_id of_mappings[] = {
        CLI_OPT_MAP_OBJECTIVE, CLI_OPT_MAPPING,         CLI_OPT_FIX,
        CLI_OPT_ORDER,         CLI_OPT_MIN_UTILIZATION, CLI_OPT_STEPS};
    for (size_t i = 0; i < sizeof of_mappings / sizeof *of_mappings; i++)
        if (cli_has(args, of_mappings[i]) && !neuromc_preset_maps(preset))
            return cli_usage("--preset tpu_like maps, for one; see docs/mapping.md",
                             "--%s needs a preset that maps operands to a machine",
                             cli_options[of_mappings[i]].name);
    return NEUROMC_OK;
}
