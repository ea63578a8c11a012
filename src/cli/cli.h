/*
 * cli.h - what the subcommands share: the option table, parsed arguments, messages, output.
 */
#ifndef NMC_CLI_H
#define NMC_CLI_H

#include "base/file.h"
#include "neuromc.h"

enum cli_command {
#define COMMAND(id, name, operands, summary) CLI_##id,
#include "cli/commands.def"
#undef COMMAND
    CLI_COMMANDS
};

enum cli_option_id {
#define OPTION(id, name, letter, argument, commands, help) CLI_OPT_##id,
#include "cli/options.def"
#undef OPTION
    CLI_OPTIONS
};

struct cli_command_info {
    const char *name, *operands, *summary;
};
extern const struct cli_command_info cli_commands[CLI_COMMANDS];

struct cli_option_info {
    const char *name, *flag; /* "preset", "--preset" */
    char letter;
    const char *argument; /* NULL: a flag */
    unsigned commands;    /* mask of 1 << cli_command */
    const char *help;
};
extern const struct cli_option_info cli_options[CLI_OPTIONS];

/* An option as it was given, in order. */
struct cli_given {
    enum cli_option_id option;
    const char *value; /* NULL: a flag */
};

struct cli_args {
    enum cli_command command;
    struct cli_given *given;
    size_t given_count;
    const char **operands;
    size_t operand_count;
};

/* Parses everything after the command's name. Usage errors go to standard error. */
neuromc_status cli_parse(struct cli_args *args, enum cli_command command, int argc, char **argv);
void cli_args_free(struct cli_args *args);

/* The last value given, or NULL. */
const char *cli_value(const struct cli_args *args, enum cli_option_id option);
bool cli_has(const struct cli_args *args, enum cli_option_id option);
size_t cli_count(const struct cli_args *args, enum cli_option_id option);

/* Prints "neuromc: error: ..." with an optional hint; returns NEUROMC_USAGE. */
neuromc_status cli_usage(const char *hint, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The number of an option, at least `least`; absent leaves *out. */
neuromc_status cli_integer(const struct cli_args *args, enum cli_option_id option, int64_t least,
                           int64_t *out);
neuromc_status cli_number(const struct cli_args *args, enum cli_option_id option, double least,
                          double *out);
/* All NAME=N values of an option; *out is allocated, NULL if there are none. */
neuromc_status cli_bindings(const struct cli_args *args, enum cli_option_id option,
                            neuromc_dim_binding **out, size_t *count);
/* All values of an option; *out is allocated, NULL if there are none. */
neuromc_status cli_texts(const struct cli_args *args, enum cli_option_id option, const char ***out,
                         size_t *count);
/* One of the words in `choices` (NULL-ended) as its index; absent gives 0. */
neuromc_status cli_choice(const struct cli_args *args, enum cli_option_id option,
                          const char *const *choices, int *out);

/* Format, ledger and colour as --format, --ledger, --color and the terminal say. */
neuromc_status cli_write_options(const struct cli_args *args, neuromc_write_options *out);

/* Everything in the list to standard error, then forgets it. */
void cli_print(neuromc_diags *diags);

/* Whether every file that options name can be written, and is no input, before any work is done. */
neuromc_status cli_check_outputs(const struct cli_args *args, neuromc_diags *diags);
/* Opens --output, lets `produce` write, closes; nothing is left half-written. */
neuromc_status cli_output(const struct cli_args *args, neuromc_diags *diags,
                          neuromc_status (*produce)(void *user, neuromc_write_fn write, void *to,
                                                    neuromc_diags *diags),
                          void *user);

void cli_help(enum cli_command command); /* to standard output */
void cli_overview(bool to_stderr);

neuromc_status cli_estimate(const struct cli_args *args);
neuromc_status cli_inspect(const struct cli_args *args);
neuromc_status cli_explain(const struct cli_args *args);
neuromc_status cli_annotate(const struct cli_args *args);
neuromc_status cli_diff(const struct cli_args *args);
neuromc_status cli_map(const struct cli_args *args);
neuromc_status cli_presets(const struct cli_args *args);
neuromc_status cli_sweep(const struct cli_args *args);
neuromc_status cli_run(const struct cli_args *args);
neuromc_status cli_merge(const struct cli_args *args);
neuromc_status cli_counters(const struct cli_args *args);
neuromc_status cli_measure(const struct cli_args *args);
neuromc_status cli_calibrate(const struct cli_args *args);
neuromc_status cli_validate(const struct cli_args *args);
neuromc_status cli_ops(const struct cli_args *args);
neuromc_status cli_completion(const struct cli_args *args);
neuromc_status cli_man(const struct cli_args *args);

/* What --stages, --optimizer and their like say; arrays in *out are freed afterwards, whatever is
 * returned. *out must be zeroed. */
neuromc_status cli_estimate_options(const struct cli_args *args, neuromc_estimate_options *out);
void cli_estimate_options_free(neuromc_estimate_options *options);
/* What --objective, --mapping and their like say of mappings, likewise. */
neuromc_status cli_map_options(const struct cli_args *args, neuromc_map_options *out);
void cli_map_options_free(neuromc_map_options *options);
/* Options of mappings would do nothing on a preset that does not map. */
neuromc_status cli_check_mapping(const struct cli_args *args, const neuromc_preset *preset);
/* Shows progress where standard error is a terminal; Ctrl-C ends searches with what they have, a
 * second one kills. */
void cli_watch_mapping(neuromc_map_options *options);
/* The progress line goes; whether Ctrl-C came. */
bool cli_end_watch(void);
/* The exit code of a run that Ctrl-C ended early. */
enum { CLI_STOPPED = 130 };

/* The preset that --preset and --set say. */
neuromc_status cli_load_preset(const struct cli_args *args, neuromc_preset **out,
                               neuromc_diags *diags);
/* What --batch, --dim and their like say, likewise. */
neuromc_status cli_model_options(const struct cli_args *args, neuromc_model_options *out);
void cli_model_options_free(neuromc_model_options *options);

/* What --sysfs-root, --tdp-watts, --device and their like say, likewise. */
neuromc_status cli_counter_options(const struct cli_args *args, neuromc_counter_options *out);
void cli_counter_options_free(neuromc_counter_options *options);

/* Runs a command with a list of messages that is printed. */
neuromc_status cli_with_diags(const struct cli_args *args,
                              neuromc_status (*run)(const struct cli_args *args,
                                                    neuromc_diags *diags));

/* Loads the model named by operand 0 with the options that say how. */
neuromc_status cli_load_model(const struct cli_args *args, neuromc_model **out,
                              neuromc_diags *diags);

#endif
