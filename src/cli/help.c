/* Help from the tables of commands and options. */
#include <stdio.h>

#include "cli/cli.h"

void cli_overview(bool to_stderr) {
    FILE *to = to_stderr ? stderr : stdout;
    fputs("neuromc - what a network costs in energy on described hardware\n\n"
          "usage: neuromc COMMAND [OPTIONS] [OPERANDS]\n\ncommands:\n",
          to);
    for (int c = 0; c < CLI_COMMANDS; c++)
        fprintf(to, "  %-11s %s\n", cli_commands[c].name, cli_commands[c].summary);
    fputs("\nneuromc help COMMAND shows a command's options.\n"
          "\nexit status: 0 ok, 1 beyond a bound, or a verdict that allows no claim, 2 usage,\n"
          "3 bad input, 4 unsupported, 5 I/O or memory, 70 a bug, 130 stopped by Ctrl-C\n",
          to);
}

static void put_option(const struct cli_option_info *info) {
    char left[64];
    int used = info->letter ? snprintf(left, sizeof left, "-%c, ", info->letter)
                            : snprintf(left, sizeof left, "    ");
    snprintf(left + used, sizeof left - (size_t)used, "--%s%s%s", info->name,
             info->argument ? " " : "", info->argument ? info->argument : "");
    printf("  %-27s %s\n", left, info->help);
}

void cli_help(enum cli_command command) {
    const struct cli_command_info *info = &cli_commands[command];
    printf("neuromc %s - %s\n\nusage: neuromc %s [OPTIONS] %s\n\noptions:\n", info->name,
           info->summary, info->name, info->operands);
    for (int o = 0; o < CLI_OPTIONS; o++)
        if (cli_options[o].commands >> command & 1)
            put_option(&cli_options[o]);
}
