/* neuromc map MODEL, neuromc map --triple FILE */
#include "cli/cli.h"

/* ---- mappings of a model ---- */

struct writing {
    const neuromc_map *map;
    neuromc_write_options options;
};

static neuromc_status produce(void *user, neuromc_write_fn write, void *to, neuromc_diags *diags) {
    const struct writing *w = user;
    return neuromc_map_write(w->map, &w->options, write, to, diags);
}

static neuromc_status load_and_map(const struct cli_args *args,
                                   const neuromc_estimate_options *options,
                                   neuromc_map_options *map_options, struct writing *writing,
                                   neuromc_diags *diags) {
    neuromc_preset *preset = NULL;
    neuromc_model *model = NULL;
    neuromc_map *map = NULL;
    neuromc_status status = cli_load_preset(args, &preset, diags);
    if (status == NEUROMC_OK)
        status = cli_load_model(args, &model, diags);
    if (status == NEUROMC_OK) {
        cli_watch_mapping(map_options);
        status = neuromc_map_model(model, preset, options, &map, diags);
    }
    cli_end_watch();
    bool partial = map && neuromc_map_partial(map);
    if (status == NEUROMC_OK) {
        writing->map = map;
        status = cli_output(args, diags, produce, writing);
    }
    neuromc_map_free(map);
    neuromc_model_free(model);
    neuromc_preset_free(preset);
    return status == NEUROMC_OK && partial ? (neuromc_status)CLI_STOPPED : status;
}

static neuromc_status map_model(const struct cli_args *args, neuromc_diags *diags) {
    neuromc_map_options map = {0};
    neuromc_estimate_options options = {.map = &map};
    struct writing writing = {0};
    neuromc_status status = cli_write_options(args, &writing.options);
    if (status == NEUROMC_OK)
        status = cli_estimate_options(args, &options);
    if (status == NEUROMC_OK)
        status = cli_map_options(args, &map);
    if (status == NEUROMC_OK)
        status = load_and_map(args, &options, &map, &writing, diags);
    cli_estimate_options_free(&options);
    cli_map_options_free(&map);
    return status;
}

/* ---- counts of given mappings ---- */

struct triples {
    const char *path;
    neuromc_triples_options options;
};

static neuromc_status produce_triples(void *user, neuromc_write_fn write, void *to,
                                      neuromc_diags *diags) {
    const struct triples *t = user;
    return neuromc_map_triples(t->path, &t->options, write, to, diags);
}

static neuromc_status map_triples(const struct cli_args *args, neuromc_diags *diags) {
    struct triples triples = {
        .path = cli_value(args, CLI_OPT_TRIPLE),
        .options = {.brute_force = cli_has(args, CLI_OPT_BRUTE_FORCE),
                    .no_elision = cli_has(args, CLI_OPT_NO_ELISION)},
    };
    return cli_output(args, diags, produce_triples, &triples);
}

/* ---- which of the two ---- */

/* Options of the other way to use it. */
static neuromc_status check(const struct cli_args *args, bool triple) {
    static const enum cli_option_id always[] = {CLI_OPT_OUTPUT, CLI_OPT_HELP, CLI_OPT_COLOR};
    if (args->operand_count != !triple)
        return cli_usage("neuromc map models/lenet5.onnx --preset tpu_like",
                         "map takes one model, or --triple and no model");
    for (size_t i = 0; i < args->given_count; i++) {
        enum cli_option_id option = args->given[i].option;
        bool of_triple = option == CLI_OPT_TRIPLE || option == CLI_OPT_BRUTE_FORCE ||
                         option == CLI_OPT_NO_ELISION;
        bool of_both = false;
        for (size_t k = 0; k < sizeof always / sizeof *always; k++)
            of_both |= option == always[k];
        if (!of_both && of_triple != triple)
            return cli_usage("leave it out", "--%s is an option of map %s",
                             cli_options[option].name, triple ? "MODEL" : "--triple");
    }
    return NEUROMC_OK;
}

neuromc_status cli_map(const struct cli_args *args) {
    bool triple = cli_has(args, CLI_OPT_TRIPLE);
    neuromc_status status = check(args, triple);
    if (status != NEUROMC_OK)
        return status;
    neuromc_diags *diags = neuromc_diags_new();
    if (!diags)
        return NEUROMC_IO;
    status = triple ? map_triples(args, diags) : map_model(args, diags);
    cli_print(diags);
    neuromc_diags_free(diags);
    return status;
}
