/* neuromc COMMAND ...: finds the command and runs it. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "cli/cli.h"

static neuromc_status show_help(const struct cli_args *args);

static neuromc_status (*const runners[CLI_COMMANDS])(const struct cli_args *) = {
    [CLI_ESTIMATE] = cli_estimate,
    [CLI_INSPECT] = cli_inspect,
    [CLI_MAP] = cli_map,
    [CLI_EXPLAIN] = cli_explain,
    [CLI_ANNOTATE] = cli_annotate,
    [CLI_DIFF] = cli_diff,
    [CLI_SWEEP] = cli_sweep,
    [CLI_MERGE] = cli_merge,
    [CLI_PRESETS] = cli_presets,
    [CLI_RUN] = cli_run,
    [CLI_MEASURE] = cli_measure,
    [CLI_VALIDATE] = cli_validate,
    [CLI_CALIBRATE] = cli_calibrate,
    [CLI_OPS] = cli_ops,
    [CLI_MAN] = cli_man,
    [CLI_COUNTERS] = cli_counters,
    [CLI_HELP] = show_help,
    [CLI_COMPLETION] = cli_completion,
};

static neuromc_status find_command(const char *name, enum cli_command *out) {
    struct nmc_suggest suggest;
    nmc_suggest_init(&suggest, name);
    for (int c = 0; c < CLI_COMMANDS; c++) {
        nmc_suggest_offer(&suggest, cli_commands[c].name);
        if (strcmp(cli_commands[c].name, name) == 0) {
            *out = (enum cli_command)c;
            return NEUROMC_OK;
        }
    }
    char hint[64] = "neuromc help lists the commands";
    if (suggest.best)
        snprintf(hint, sizeof hint, "did you mean %s?", suggest.best);
    return cli_usage(hint, "no command \"%s\"", name);
}

static neuromc_status show_help(const struct cli_args *args) {
    if (cli_has(args, CLI_OPT_VERSION)) {
        printf("neuromc %s\n", neuromc_version());
        return NEUROMC_OK;
    }
    enum cli_command command;
    if (!args->operand_count) {
        cli_overview(false);
        return NEUROMC_OK;
    }
    if (args->operand_count > 1)
        return cli_usage(NULL, "help is about one command, not %zu", args->operand_count);
    neuromc_status status = find_command(args->operands[0], &command);
    if (status == NEUROMC_OK)
        cli_help(command);
    return status;
}

static neuromc_status run(int argc, char **argv) {
    struct cli_args args;
    enum cli_command command = CLI_HELP;
    int skip = 1;
    if (argc < 2) {
        cli_overview(true);
        return NEUROMC_USAGE;
    }
    if (argv[1][0] != '-') {
        neuromc_status found = find_command(argv[1], &command);
        if (found != NEUROMC_OK)
            return found;
        skip = 2;
    }
    neuromc_status status = cli_parse(&args, command, argc - skip, argv + skip);
    bool help = status == NEUROMC_OK && command != CLI_HELP && cli_has(&args, CLI_OPT_HELP);
    if (help)
        cli_help(command);
    if (status == NEUROMC_OK && !help)
        status = cli_with_diags(&args, cli_check_outputs);
    if (status == NEUROMC_OK && !help)
        status = runners[command](&args);
    cli_args_free(&args);
    return status;
}

int main(int argc, char **argv) {
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is a failed write with a message, not a death */
    neuromc_status status = run(argc, argv);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fputs("neuromc: error: cannot write to standard output\n", stderr);
        status = status == NEUROMC_OK ? NEUROMC_IO : status;
    }
    return (int)status;
}
