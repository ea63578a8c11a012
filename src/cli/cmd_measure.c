/* neuromc measure --counter NAME -- CMD ARGS... */
#include <string.h>

#include "base/memory.h"
#include "cli/measure.h"

struct writing {
    const neuromc_measurement *measurement;
    neuromc_write_options options;
};

static neuromc_status produce(void *user, neuromc_write_fn write, void *to, neuromc_diags *diags) {
    const struct writing *w = user;
    return neuromc_measurement_write(w->measurement, &w->options, write, to, diags);
}

static neuromc_status measure(const struct cli_args *args, const char *const *argv,
                              neuromc_diags *diags) {
    neuromc_counter_options counter = {0};
    neuromc_measure_options options = {.counter = NULL};
    neuromc_measurement *measurement = NULL;
    struct writing writing;
    const char *label = cli_value(args, CLI_OPT_LABEL);
    const neuromc_subject subject = {.label = label ? label : cli_file_name(argv[0]),
                                     .argv = argv,
                                     .talks = cli_has(args, CLI_OPT_PROTOCOL)};
    neuromc_status status = cli_write_options(args, &writing.options);
    if (status == NEUROMC_OK)
        status = cli_measure_options(args, &counter, &options);
    if (status == NEUROMC_OK)
        status = neuromc_measure(&subject, 1, &options, &measurement, diags);
    if (status == NEUROMC_OK) {
        cli_print(diags);
        writing.measurement = measurement;
        status = cli_output(args, diags, produce, &writing);
    }
    if (status == NEUROMC_OK)
        status = cli_measure_status(neuromc_measurement_lost(measurement),
                                    neuromc_measurement_holds(measurement));
    neuromc_measurement_free(measurement);
    cli_measure_options_free(&options);
    cli_counter_options_free(&counter);
    return status;
}

neuromc_status cli_measure(const struct cli_args *args) {
    if (!args->operand_count)
        return cli_usage("neuromc measure --counter rapl -- CMD ARGS...",
                         "measure takes a program to run");
    const char **argv = nmc_malloc((args->operand_count + 1) * sizeof *argv);
    neuromc_diags *diags = neuromc_diags_new();
    neuromc_status status = NEUROMC_IO;
    if (argv && diags) {
        memcpy(argv, args->operands, args->operand_count * sizeof *argv);
        argv[args->operand_count] = NULL;
        status = measure(args, argv, diags);
        cli_print(diags);
    }
    neuromc_diags_free(diags);
    nmc_free(argv);
    return status;
}
