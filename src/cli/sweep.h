/*
 * sweep.h - what `sweep` and `merge` share: where results, plots and points go.
 */
#ifndef NMC_CLI_SWEEP_H
#define NMC_CLI_SWEEP_H

#include "cli/cli.h"

/* By the ending of --points. */
neuromc_status cli_points_format(const struct cli_args *args, neuromc_points_format *out);
/* Whether --plot can be drawn. */
neuromc_status cli_plot_check(const struct cli_args *args);

/* The result to --output (nowhere, if the points go to standard output), the plot to --plot. */
neuromc_status cli_write_result(const struct cli_args *args, const neuromc_sweep_result *result,
                                const neuromc_write_options *options, neuromc_diags *diags);

#endif
