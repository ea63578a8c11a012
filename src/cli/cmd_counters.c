/* neuromc counters */
#include "cli/cli.h"

struct counters_job {
    neuromc_counter_options options;
    neuromc_write_options write_options;
};

static neuromc_status produce(void *user, neuromc_write_fn write, void *to, neuromc_diags *diags) {
    const struct counters_job *job = user;
    return neuromc_counters_write(&job->options, &job->write_options, write, to, diags);
}

neuromc_status cli_counters(const struct cli_args *args) {
    struct counters_job job = {0};
    if (args->operand_count)
        return cli_usage("neuromc counters", "counters takes no operand");
    neuromc_diags *diags = neuromc_diags_new();
    if (!diags)
        return NEUROMC_IO;
    neuromc_status status = cli_counter_options(args, &job.options);
    if (status == NEUROMC_OK)
        status = cli_write_options(args, &job.write_options);
    if (status == NEUROMC_OK)
        status = cli_output(args, diags, produce, &job);
    cli_counter_options_free(&job.options);
    cli_print(diags);
    neuromc_diags_free(diags);
    return status;
}
