/* neuromc map --triple FILE */
#include "cli/cli.h"

struct triples {
    const char *path;
    neuromc_triples_options options;
};

static neuromc_status produce_triples(void *user, neuromc_write_fn write, void *to,
                                      neuromc_diags *diags) {
    const struct triples *t = user;
    return neuromc_map_triples(t->path, &t->options, write, to, diags);
}

static neuromc_status map(const struct cli_args *args, neuromc_diags *diags) {
    struct triples triples = {
        .path = cli_value(args, CLI_OPT_TRIPLE),
        .options = {.brute_force = cli_has(args, CLI_OPT_BRUTE_FORCE),
                    .no_elision = cli_has(args, CLI_OPT_NO_ELISION)},
    };
    return cli_output(args, diags, produce_triples, &triples);
}

neuromc_status cli_map(const struct cli_args *args) {
    if (args->operand_count || !cli_has(args, CLI_OPT_TRIPLE))
        return cli_usage("neuromc map --triple mappings.json",
                         "map takes --triple and no operands");
    neuromc_diags *diags = neuromc_diags_new();
    if (!diags)
        return NEUROMC_IO;
    neuromc_status status = map(args, diags);
    cli_print(diags);
    neuromc_diags_free(diags);
    return status;
}
