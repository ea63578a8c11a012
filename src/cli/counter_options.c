/* counter_options.c - --sysfs-root, --tdp-watts, --device and their like. */
#include "base/memory.h"
#include "cli/cli.h"

neuromc_status cli_counter_options(const struct cli_args *args, neuromc_counter_options *out) {
    const char **devices;
    out->sysfs_root = cli_value(args, CLI_OPT_SYSFS_ROOT);
    out->library_root = cli_value(args, CLI_OPT_LIBRARY_ROOT);
    neuromc_status status = cli_number(args, CLI_OPT_TDP_WATTS, 0, &out->tdp_watts);
    if (status == NEUROMC_OK)
        status = cli_number(args, CLI_OPT_MAX_PLAUSIBLE_WATTS, 0, &out->max_plausible_watts);
    if (status == NEUROMC_OK) {
        status = cli_texts(args, CLI_OPT_DEVICE, &devices, &out->device_count);
        out->devices = devices;
    }
    return status;
}

void cli_counter_options_free(neuromc_counter_options *options) {
    nmc_free((void *)(uintptr_t)options->devices);
}
