/* neuromc presets [list | show NAME | check FILE...] */
#include <stdio.h>
#include <string.h>

#include "base/json_write.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/suggest.h"
#include "cli/cli.h"

struct listing {
    const char *search_path;
    bool json;
    struct nmc_sink *sink;
    struct nmc_json writer;
};

static bool list_one(void *user, const neuromc_preset_info *info) {
    struct listing *l = user;
    char nm[NMC_NUMBER_SIZE] = "?";
    if (info->technology_nm > 0)
        nmc_number_format(nm, info->technology_nm);
    if (l->json) {
        nmc_json_begin_flat(&l->writer, '{');
        nmc_json_key_text(&l->writer, "name", info->name);
        nmc_json_key_number(&l->writer, "technology_nm", info->technology_nm);
        nmc_json_key_text(&l->writer, "description", info->description);
        nmc_json_key_text(&l->writer, "path", info->path);
        nmc_json_end(&l->writer, '}');
    } else {
        nmc_sink_printf(l->sink, "%-22s %4s nm  %s\n", info->name, nm, info->description);
    }
    return !l->sink->failed;
}

static neuromc_status produce_list(void *user, neuromc_write_fn write, void *to,
                                   neuromc_diags *diags) {
    struct listing *l = user;
    struct nmc_sink sink;
    nmc_sink_init(&sink, write, to);
    l->sink = &sink;
    nmc_json_init(&l->writer, &sink);
    if (l->json)
        nmc_json_begin(&l->writer, '[');
    neuromc_status status = neuromc_preset_list(l->search_path, list_one, l, diags);
    if (l->json)
        nmc_json_end(&l->writer, ']');
    neuromc_status written = nmc_sink_finish(&sink, diags);
    return status == NEUROMC_OK ? written : status;
}

/* An option that an action cannot follow is refused, not ignored. */
static neuromc_status refuse(const struct cli_args *args, enum cli_option_id option,
                             const char *action, const char *hint) {
    return cli_has(args, option)
               ? cli_usage(hint, "presets %s has no --%s", action, cli_options[option].name)
               : NEUROMC_OK;
}

static neuromc_status list(const struct cli_args *args, neuromc_diags *diags) {
    neuromc_write_options options;
    if (refuse(args, CLI_OPT_SET, "list", "presets show NAME --set PATH=VALUE applies it") !=
        NEUROMC_OK)
        return NEUROMC_USAGE;
    if (args->operand_count > 1)
        return cli_usage("neuromc presets show NAME prints one", "presets list takes no names");
    neuromc_status status = cli_write_options(args, &options);
    if (status == NEUROMC_OK && options.format != NEUROMC_TEXT && options.format != NEUROMC_JSON)
        return cli_usage("--format json", "presets list writes text or json");
    struct listing listing = {.search_path = cli_value(args, CLI_OPT_PRESET_PATH),
                              .json = status == NEUROMC_OK && options.format == NEUROMC_JSON};
    return status == NEUROMC_OK ? cli_output(args, diags, produce_list, &listing) : status;
}

static neuromc_status load(const struct cli_args *args, const char *name, neuromc_preset **out,
                           neuromc_diags *diags) {
    const char **assignments;
    neuromc_preset_options options = {.search_path = cli_value(args, CLI_OPT_PRESET_PATH)};
    neuromc_status status = cli_texts(args, CLI_OPT_SET, &assignments, &options.assignment_count);
    options.assignments = assignments;
    if (status == NEUROMC_OK)
        status = neuromc_preset_load(name, &options, out, diags);
    nmc_free(assignments);
    return status;
}

static neuromc_status produce_preset(void *user, neuromc_write_fn write, void *to,
                                     neuromc_diags *diags) {
    return neuromc_preset_write(user, write, to, diags);
}

static neuromc_status show(const struct cli_args *args, neuromc_diags *diags) {
    if (args->operand_count != 2)
        return cli_usage("neuromc presets show neuromc_like_v1", "presets show takes one name");
    if (refuse(args, CLI_OPT_FORMAT, "show", "it writes YAML") != NEUROMC_OK)
        return NEUROMC_USAGE;
    neuromc_preset *preset = NULL;
    neuromc_status status = load(args, args->operands[1], &preset, diags);
    if (status == NEUROMC_OK)
        status = cli_output(args, diags, produce_preset, preset);
    neuromc_preset_free(preset);
    return status;
}

/* Every file is checked; the status is that of the first one that fails. */
static neuromc_status check(const struct cli_args *args, neuromc_diags *diags) {
    if (args->operand_count < 2)
        return cli_usage("neuromc presets check my.yaml", "presets check takes at least one file");
    if (refuse(args, CLI_OPT_FORMAT, "check", NULL) != NEUROMC_OK ||
        refuse(args, CLI_OPT_OUTPUT, "check", NULL) != NEUROMC_OK)
        return NEUROMC_USAGE;
    neuromc_status first = NEUROMC_OK;
    for (size_t i = 1; i < args->operand_count; i++) {
        neuromc_preset *preset = NULL;
        neuromc_status status = load(args, args->operands[i], &preset, diags);
        neuromc_preset_free(preset);
        if (first == NEUROMC_OK)
            first = status;
        cli_print(diags);
        if (status == NEUROMC_OK)
            fprintf(stderr, "%s: ok\n", args->operands[i]);
    }
    return first;
}

static neuromc_status run(const struct cli_args *args, neuromc_diags *diags) {
    static const struct {
        const char *name;
        neuromc_status (*call)(const struct cli_args *, neuromc_diags *);
    } actions[] = {{"list", list}, {"show", show}, {"check", check}};
    if (!args->operand_count)
        return list(args, diags);
    struct nmc_suggest suggest;
    nmc_suggest_init(&suggest, args->operands[0]);
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        if (strcmp(actions[i].name, args->operands[0]) == 0)
            return actions[i].call(args, diags);
        nmc_suggest_offer(&suggest, actions[i].name);
    }
    char hint[64];
    snprintf(hint, sizeof hint, "did you mean %s?", suggest.best ? suggest.best : "list");
    return cli_usage(hint, "presets knows list, show and check, not \"%s\"", args->operands[0]);
}

neuromc_status cli_presets(const struct cli_args *args) {
    neuromc_diags *diags = neuromc_diags_new();
    if (!diags)
        return NEUROMC_IO;
    neuromc_status status = run(args, diags);
    cli_print(diags);
    neuromc_diags_free(diags);
    return status;
}
