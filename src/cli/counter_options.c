/* counter_options.c - --sysfs-root, --tdp-watts, --device and their like. */
#include "base/memory.h"
#include "cli/cli.h"

/* A bound that no device reaches, so that no energy made of it can be infinite. */
static neuromc_status watts(const struct cli_args *args, enum cli_option_id option, double *out) {
    const double most_watts = 1e6;
    neuromc_status status = cli_number(args, option, 0, out);
    if (status == NEUROMC_OK && *out > most_watts)
        status = cli_usage(NULL, "--%s is at most a million watts", cli_options[option].name);
    return status;
}

neuromc_status cli_counter_options(const struct cli_args *args, neuromc_counter_options *out) {
    const char **devices;
    out->sysfs_root = cli_value(args, CLI_OPT_SYSFS_ROOT);
    out->library_root = cli_value(args, CLI_OPT_LIBRARY_ROOT);
    neuromc_status status = watts(args, CLI_OPT_TDP_WATTS, &out->tdp_watts);
    if (status == NEUROMC_OK)
        status = watts(args, CLI_OPT_MAX_PLAUSIBLE_WATTS, &out->max_plausible_watts);
    if (status == NEUROMC_OK) {
        status = cli_texts(args, CLI_OPT_DEVICE, &devices, &out->device_count);
        out->devices = devices;
    }
    return status;
}

void cli_counter_options_free(neuromc_counter_options *options) {
    nmc_free((void *)(uintptr_t)options->devices);
}
