/* neuromc run MODEL: for a person, or as the child of a measurement. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "cli/cli.h"

/* ---- the protocol: ready, go, done, exit ---- */

enum { LINE = 64 };

/* A line without its end; false at the end of input. A longer line is cut off, which no command
 * survives. */
static bool read_line(char line[LINE]) {
    if (!fgets(line, LINE, stdin))
        return false;
    line[strcspn(line, "\r\n")] = '\0';
    return true;
}

/* A reader that is gone is the end of a run too. */
static bool said(int printed) {
    return printed > 0 && fflush(stdout) == 0;
}

static neuromc_status refuse_line(const char *line) {
    return cli_usage("the protocol is: go K, exit", "\"%s\" is no line of the protocol", line);
}

static neuromc_status serve(neuromc_runner *runner, neuromc_diags *diags) {
    char line[LINE];
    int64_t k, wall;
    neuromc_status status = neuromc_runner_run(runner, 1, &wall, diags); /* warm */
    if (status == NEUROMC_OK && !said(printf("ready 1\n")))
        status = NEUROMC_IO;
    while (status == NEUROMC_OK && read_line(line) && strcmp(line, "exit") != 0) {
        if (strncmp(line, "go ", 3) != 0 || !nmc_integer_parse(line + 3, strlen(line + 3), &k) ||
            k < 1)
            return refuse_line(line);
        status = neuromc_runner_run(runner, k, &wall, diags);
        if (status == NEUROMC_OK &&
            !said(printf("done %lld %lld\n", (long long)k, (long long)wall)))
            status = NEUROMC_IO;
    }
    return status;
}

/* ---- once, for a person ---- */

struct timing {
    neuromc_runner *runner;
    neuromc_timing_options timing;
    neuromc_write_options options;
};

static neuromc_status produce(void *user, neuromc_write_fn write, void *to, neuromc_diags *diags) {
    const struct timing *t = user;
    return neuromc_runner_time(t->runner, &t->timing, &t->options, write, to, diags);
}

static neuromc_status write_outputs(const struct cli_args *args, neuromc_runner *runner,
                                    neuromc_diags *diags) {
    const char *path = cli_value(args, CLI_OPT_OUTPUTS);
    struct nmc_file_out out;
    if (!path)
        return NEUROMC_OK;
    neuromc_status status = nmc_file_out_open(&out, path, diags);
    if (status != NEUROMC_OK)
        return status;
    status = neuromc_runner_outputs_write(runner, nmc_file_out_write, &out, diags);
    neuromc_status closed = nmc_file_out_close(&out, status == NEUROMC_OK, diags);
    return status == NEUROMC_OK ? closed : status;
}

static neuromc_status time_it(const struct cli_args *args, neuromc_runner *runner,
                              neuromc_diags *diags) {
    struct timing timing = {.runner = runner};
    neuromc_status status = cli_write_options(args, &timing.options);
    if (status == NEUROMC_OK)
        status = cli_integer(args, CLI_OPT_WINDOWS, 1, &timing.timing.windows);
    if (status == NEUROMC_OK)
        status = cli_integer(args, CLI_OPT_INFERENCES, 1, &timing.timing.inferences);
    if (status == NEUROMC_OK)
        status = cli_output(args, diags, produce, &timing);
    return status == NEUROMC_OK ? write_outputs(args, runner, diags) : status;
}

/* ---- options ---- */

static neuromc_status read_rate(const struct cli_args *args, neuromc_runner_options *out) {
    out->spike_rate = 0.1;
    if (cli_has(args, CLI_OPT_RATE) && out->inputs != NEUROMC_INPUTS_SPIKES)
        return cli_usage("add --inputs spikes", "--rate is the rate of spikes");
    neuromc_status status = cli_number(args, CLI_OPT_RATE, 0, &out->spike_rate);
    return status == NEUROMC_OK && out->spike_rate > 1
               ? cli_usage(NULL, "--rate is a number from 0 to 1, not \"%s\"",
                           cli_value(args, CLI_OPT_RATE))
               : status;
}

static neuromc_status runner_options(const struct cli_args *args, neuromc_runner_options *out) {
    static const char *const inputs[] = {"random", "zeros", "spikes", NULL};
    static const neuromc_inputs kinds[] = {NEUROMC_INPUTS_RANDOM, NEUROMC_INPUTS_ZEROS,
                                           NEUROMC_INPUTS_SPIKES};
    int kind;
    int64_t seed = 1, weight_seed = 0, threads = 1;
    neuromc_status status = cli_choice(args, CLI_OPT_INPUTS, inputs, &kind);
    if (status == NEUROMC_OK)
        status = cli_integer(args, CLI_OPT_SEED, 0, &seed);
    if (status == NEUROMC_OK)
        status = cli_integer(args, CLI_OPT_RANDOM_WEIGHTS, 0, &weight_seed);
    if (status == NEUROMC_OK)
        status = cli_integer(args, CLI_OPT_THREADS, 1, &threads);
    if (status != NEUROMC_OK)
        return status;
    out->ort_lib = cli_value(args, CLI_OPT_ORT_LIB);
    out->inputs = kinds[kind];
    out->seed = (uint64_t)seed;
    out->threads = threads > 4096 ? 4097 : (int)threads;
    out->random_weights = cli_has(args, CLI_OPT_RANDOM_WEIGHTS);
    out->weight_seed = (uint64_t)weight_seed;
    out->save_model = cli_value(args, CLI_OPT_SAVE_MODEL);
    return read_rate(args, out);
}

static neuromc_status check_protocol(const struct cli_args *args) {
    static const enum cli_option_id alone[] = {CLI_OPT_FORMAT, CLI_OPT_OUTPUT, CLI_OPT_OUTPUTS,
                                               CLI_OPT_WINDOWS, CLI_OPT_INFERENCES};
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        if (cli_has(args, CLI_OPT_PROTOCOL) && cli_has(args, alone[i]))
            return cli_usage("leave one of the two out", "--protocol and --%s exclude each other",
                             cli_options[alone[i]].name);
    return NEUROMC_OK;
}

static neuromc_status run(const struct cli_args *args, neuromc_diags *diags) {
    neuromc_runner *runner = NULL;
    neuromc_runner_options options = {0};
    neuromc_model_options model;
    neuromc_status status = check_protocol(args);
    if (status == NEUROMC_OK)
        status = runner_options(args, &options);
    if (status != NEUROMC_OK)
        return status;
    status = cli_model_options(args, &model);
    options.model_options = &model;
    if (status == NEUROMC_OK)
        status = neuromc_runner_new(args->operands[0], &options, &runner, diags);
    cli_model_options_free(&model);
    cli_print(diags);
    if (status == NEUROMC_OK)
        status =
            cli_has(args, CLI_OPT_PROTOCOL) ? serve(runner, diags) : time_it(args, runner, diags);
    neuromc_runner_free(runner);
    return status;
}

neuromc_status cli_run(const struct cli_args *args) {
    if (args->operand_count != 1)
        return cli_usage("neuromc run models/resnet18.onnx --random-weights 1",
                         "run takes one model, not %zu", args->operand_count);
    neuromc_diags *diags = neuromc_diags_new();
    if (!diags)
        return NEUROMC_IO;
    neuromc_status status = run(args, diags);
    cli_print(diags);
    neuromc_diags_free(diags);
    return status;
}
