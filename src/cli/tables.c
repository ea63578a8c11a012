/* The tables of commands and options. */
#include "cli/cli.h"

const struct cli_command_info cli_commands[CLI_COMMANDS] = {
#define COMMAND(id, name, operands, summary) [CLI_##id] = {#name, operands, summary},
#include "cli/commands.def"
#undef COMMAND
};

#define CLI_ALL_MASK (~0u)
#define C(command)   C_##command
#define C_ESTIMATE   (1u << CLI_ESTIMATE)
#define C_INSPECT    (1u << CLI_INSPECT)
#define C_MAP        (1u << CLI_MAP)
#define C_SWEEP      (1u << CLI_SWEEP)
#define C_MERGE      (1u << CLI_MERGE)
#define C_PRESETS    (1u << CLI_PRESETS)
#define C_COUNTERS   (1u << CLI_COUNTERS)
#define C_MEASURE    (1u << CLI_MEASURE)
#define C_CALIBRATE  (1u << CLI_CALIBRATE)
#define C_VALIDATE   (1u << CLI_VALIDATE)
#define C_OPS        (1u << CLI_OPS)
#define C_RUN        (1u << CLI_RUN)
#define C_EXPLAIN    (1u << CLI_EXPLAIN)
#define C_DIFF       (1u << CLI_DIFF)
#define C_ANNOTATE   (1u << CLI_ANNOTATE)
#define C_COSTS      (C_ESTIMATE | C_EXPLAIN | C_ANNOTATE | C_DIFF) /* one model, one preset */
#define C_HELP       (1u << CLI_HELP)
#define C_ALL        CLI_ALL_MASK

const struct cli_option_info cli_options[CLI_OPTIONS] = {
#define OPTION(id, name, letter, argument, commands, help)                                         \
    [CLI_OPT_##id] = {name, "--" name, letter, argument, commands, help},
#include "cli/options.def"
#undef OPTION
};
