/* neuromc merge FILE... */
#include <string.h>

#include "cli/sweep.h"

static bool ends_in(const char *path, const char *ending) {
    size_t n = strlen(path), m = strlen(ending);
    return n > m && strcmp(path + n - m, ending) == 0;
}

static bool holds_points(const char *path) {
    return ends_in(path, ".csv") || ends_in(path, ".ndjson") || ends_in(path, ".jsonl");
}

static neuromc_status produce_points(void *user, neuromc_write_fn write, void *to,
                                     neuromc_diags *diags) {
    const struct cli_args *args = user;
    return neuromc_sweep_merge_points(args->operands, args->operand_count, write, to, diags);
}

static neuromc_status merge(const struct cli_args *args, neuromc_diags *diags) {
    neuromc_write_options writing;
    neuromc_sweep_result *result = NULL;
    neuromc_status status = cli_write_options(args, &writing);
    if (status == NEUROMC_OK)
        status = cli_plot_check(args);
    if (status != NEUROMC_OK)
        return status;
    size_t points = 0;
    for (size_t i = 0; i < args->operand_count; i++)
        points += holds_points(args->operands[i]);
    if (points && points < args->operand_count)
        return cli_usage("merge JSON results and points apart",
                         "some of the files are points, some are not");
    if (points) {
        struct cli_args copy = *args;
        return cli_output(args, diags, produce_points, &copy);
    }
    status = neuromc_sweep_merge(args->operands, args->operand_count, &result, diags);
    if (status == NEUROMC_OK)
        status = cli_write_result(args, result, &writing, diags);
    neuromc_sweep_result_free(result);
    return status;
}

neuromc_status cli_merge(const struct cli_args *args) {
    if (!args->operand_count)
        return cli_usage("neuromc merge part-*.json", "merge takes the results of all shards");
    neuromc_diags *diags = neuromc_diags_new();
    if (!diags)
        return NEUROMC_IO;
    neuromc_status status = merge(args, diags);
    cli_print(diags);
    neuromc_diags_free(diags);
    return status;
}
