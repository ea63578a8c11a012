/* Arguments by the option table. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/suggest.h"
#include "cli/cli.h"

static bool takes(enum cli_command command, enum cli_option_id option) {
    return cli_options[option].commands >> command & 1;
}

static neuromc_status unknown_option(enum cli_command command, const char *text) {
    struct nmc_suggest suggest;
    char hint[96] = "";
    nmc_suggest_init(&suggest, text);
    for (int o = 0; o < CLI_OPTIONS; o++)
        if (takes(command, (enum cli_option_id)o))
            nmc_suggest_offer(&suggest, cli_options[o].name);
    if (suggest.best)
        snprintf(hint, sizeof hint, "did you mean --%s?", suggest.best);
    else
        snprintf(hint, sizeof hint, "neuromc help %s lists the options",
                 cli_commands[command].name);
    return cli_usage(hint, "%s has no option --%s", cli_commands[command].name, text);
}

static neuromc_status add_given(struct cli_args *args, enum cli_option_id option,
                                const char *value) {
    if (value && !*value)
        return cli_usage("a variable of the shell may be unset", "the value of --%s is empty",
                         cli_options[option].name);
    args->given[args->given_count++] = (struct cli_given){option, value};
    return NEUROMC_OK;
}

/* --name, --name=value, --name value */
static neuromc_status parse_long(struct cli_args *args, int argc, char **argv, int *at) {
    const char *text = argv[*at] + 2, *equals = strchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : strlen(text);
    for (int o = 0; o < CLI_OPTIONS; o++) {
        const struct cli_option_info *info = &cli_options[o];
        if (!takes(args->command, (enum cli_option_id)o) || strlen(info->name) != length ||
            memcmp(info->name, text, length) != 0)
            continue;
        if (!info->argument)
            return equals ? cli_usage(NULL, "--%s takes no value", info->name)
                          : add_given(args, (enum cli_option_id)o, NULL);
        if (equals)
            return add_given(args, (enum cli_option_id)o, equals + 1);
        if (*at + 1 >= argc)
            return cli_usage(NULL, "--%s needs a value: --%s %s", info->name, info->name,
                             info->argument);
        return add_given(args, (enum cli_option_id)o, argv[++*at]);
    }
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), text);
    return unknown_option(args->command, name);
}

/* -x, -xVALUE, -x VALUE */
static neuromc_status parse_short(struct cli_args *args, int argc, char **argv, int *at) {
    const char *text = argv[*at] + 1;
    for (int o = 0; o < CLI_OPTIONS; o++) {
        const struct cli_option_info *info = &cli_options[o];
        if (!takes(args->command, (enum cli_option_id)o) || info->letter != text[0])
            continue;
        if (!info->argument && text[1])
            return cli_usage("give each option on its own", "-%c takes no value", text[0]);
        if (!info->argument || text[1])
            return add_given(args, (enum cli_option_id)o, info->argument ? text + 1 : NULL);
        if (*at + 1 >= argc)
            return cli_usage(NULL, "-%c needs a value: -%c %s", text[0], text[0], info->argument);
        return add_given(args, (enum cli_option_id)o, argv[++*at]);
    }
    char name[2] = {text[0], 0};
    return unknown_option(args->command, name);
}

neuromc_status cli_parse(struct cli_args *args, enum cli_command command, int argc, char **argv) {
    *args = (struct cli_args){.command = command};
    args->given = nmc_malloc((size_t)(argc + 1) * sizeof *args->given);
    args->operands = nmc_malloc((size_t)(argc + 1) * sizeof *args->operands);
    if (!args->given || !args->operands)
        return NEUROMC_IO;
    bool options = true;
    neuromc_status status = NEUROMC_OK;
    for (int i = 0; status == NEUROMC_OK && i < argc; i++) {
        if (options && strcmp(argv[i], "--") == 0)
            options = false;
        else if (options && strncmp(argv[i], "--", 2) == 0)
            status = parse_long(args, argc, argv, &i);
        else if (options && argv[i][0] == '-' && argv[i][1])
            status = parse_short(args, argc, argv, &i);
        else if (!argv[i][0])
            status = cli_usage("a variable of the shell may be unset", "an operand is empty");
        else
            args->operands[args->operand_count++] = argv[i];
    }
    return status;
}

void cli_args_free(struct cli_args *args) {
    nmc_free(args->given);
    nmc_free(args->operands);
    *args = (struct cli_args){0};
}

const char *cli_value(const struct cli_args *args, enum cli_option_id option) {
    const char *value = NULL;
    for (size_t i = 0; i < args->given_count; i++)
        if (args->given[i].option == option)
            value = args->given[i].value;
    return value;
}

size_t cli_count(const struct cli_args *args, enum cli_option_id option) {
    size_t count = 0;
    for (size_t i = 0; i < args->given_count; i++)
        count += args->given[i].option == option;
    return count;
}

bool cli_has(const struct cli_args *args, enum cli_option_id option) {
    return cli_count(args, option) > 0;
}

neuromc_status cli_integer(const struct cli_args *args, enum cli_option_id option, int64_t least,
                           int64_t *out) {
    const char *text = cli_value(args, option);
    if (!text)
        return NEUROMC_OK;
    if (!nmc_integer_parse(text, strlen(text), out) || *out < least)
        return cli_usage(NULL, "--%s needs a whole number of at least %lld, not \"%s\"",
                         cli_options[option].name, (long long)least, text);
    return NEUROMC_OK;
}

neuromc_status cli_number(const struct cli_args *args, enum cli_option_id option, double least,
                          double *out) {
    const char *text = cli_value(args, option);
    if (!text)
        return NEUROMC_OK;
    char bound[NMC_NUMBER_SIZE];
    nmc_number_format(bound, least);
    if (!nmc_number_parse(text, strlen(text), out) || *out < least)
        return cli_usage(NULL, "--%s needs a number of at least %s, not \"%s\"",
                         cli_options[option].name, bound, text);
    return NEUROMC_OK;
}

neuromc_status cli_texts(const struct cli_args *args, enum cli_option_id option, const char ***out,
                         size_t *count) {
    *out = NULL;
    *count = 0;
    size_t wanted = cli_count(args, option);
    if (!wanted)
        return NEUROMC_OK;
    *out = nmc_malloc(wanted * sizeof **out);
    if (!*out)
        return NEUROMC_IO;
    for (size_t i = 0; i < args->given_count; i++)
        if (args->given[i].option == option)
            (*out)[(*count)++] = args->given[i].value;
    return NEUROMC_OK;
}

/* NAME=N; NAME may hold '=', so the last one parts. The name is allocated behind the binding. */
static neuromc_status parse_binding(enum cli_option_id option, const char *text,
                                    neuromc_dim_binding *out) {
    const char *equals = strrchr(text, '=');
    if (!equals || equals == text ||
        !nmc_integer_parse(equals + 1, strlen(equals + 1), &out->value) || out->value < 1)
        return cli_usage("N is a whole number of at least 1", "--%s needs %s, not \"%s\"",
                         cli_options[option].name, cli_options[option].argument, text);
    size_t length = (size_t)(equals - text);
    char *name = nmc_malloc(length + 1);
    if (!name)
        return NEUROMC_IO;
    memcpy(name, text, length);
    name[length] = '\0';
    out->name = name;
    return NEUROMC_OK;
}

neuromc_status cli_bindings(const struct cli_args *args, enum cli_option_id option,
                            neuromc_dim_binding **out, size_t *count) {
    *out = NULL;
    *count = 0;
    size_t wanted = cli_count(args, option);
    if (!wanted)
        return NEUROMC_OK;
    *out = nmc_malloc(wanted * sizeof **out);
    neuromc_status status = *out ? NEUROMC_OK : NEUROMC_IO;
    for (size_t i = 0; status == NEUROMC_OK && i < args->given_count; i++)
        if (args->given[i].option == option) {
            status = parse_binding(option, args->given[i].value, &(*out)[*count]);
            *count += status == NEUROMC_OK;
        }
    return status;
}

neuromc_status cli_choice(const struct cli_args *args, enum cli_option_id option,
                          const char *const *choices, int *out) {
    const char *text = cli_value(args, option);
    *out = 0;
    if (!text)
        return NEUROMC_OK;
    struct nmc_suggest suggest;
    nmc_suggest_init(&suggest, text);
    char known[128] = "";
    size_t used = 0;
    for (int i = 0; choices[i]; i++) {
        if (strcmp(choices[i], text) == 0) {
            *out = i;
            return NEUROMC_OK;
        }
        nmc_suggest_offer(&suggest, choices[i]);
        used +=
            (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", choices[i]);
    }
    char hint[64] = "";
    if (suggest.best)
        snprintf(hint, sizeof hint, "did you mean %s?", suggest.best);
    return cli_usage(*hint ? hint : NULL, "--%s is one of %s, not \"%s\"", cli_options[option].name,
                     known, text);
}
