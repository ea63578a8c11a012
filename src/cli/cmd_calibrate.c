/* neuromc calibrate RESULT.json... -o PRESET.yaml */
#include "base/memory.h"
#include "cli/cli.h"

struct job {
    const struct cli_args *args;
    neuromc_preset_options preset;
};

static neuromc_status produce(void *user, neuromc_write_fn write, void *to, neuromc_diags *diags) {
    const struct job *job = user;
    return neuromc_calibrate(job->args->operands, job->args->operand_count,
                             cli_value(job->args, CLI_OPT_PRESET), &job->preset, write, to, diags);
}

static neuromc_status calibrate(const struct cli_args *args, neuromc_diags *diags) {
    struct job job = {.args = args, .preset.search_path = cli_value(args, CLI_OPT_PRESET_PATH)};
    return cli_output(args, diags, produce, &job);
}

neuromc_status cli_calibrate(const struct cli_args *args) {
    if (!args->operand_count)
        return cli_usage("neuromc calibrate results.json -o fitted.yaml",
                         "calibrate takes JSON results of validate");
    return cli_with_diags(args, calibrate);
}
