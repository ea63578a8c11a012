/*
 * measure.h - what the commands that measure share: options, Ctrl-C, progress.
 */
#ifndef NMC_CLI_MEASURE_H
#define NMC_CLI_MEASURE_H

#include "cli/cli.h"

/* Exit code where all went well but the verdict does not allow the claim. */
enum { CLI_NOT_ALLOWED = 1 };

/* What --counter, --rounds and their like say; a program is stopped by Ctrl-C from now on.
 * counter_options lives as long as *out. */
neuromc_status cli_measure_options(const struct cli_args *args,
                                   neuromc_counter_options *counter_options,
                                   neuromc_measure_options *out);

void cli_measure_options_free(neuromc_measure_options *options);

/* What stands behind the last slash: the label of a program or model without one. */
const char *cli_file_name(const char *path);

/* The exit code of a measurement that was written. */
neuromc_status cli_measure_status(bool lost, bool holds);

#endif
