/* neuromc explain MODEL NODE */
#include "cli/cli.h"

struct explaining {
    neuromc_model *model;
    neuromc_preset *preset;
    neuromc_estimate_options estimate;
    neuromc_write_options writing;
    const char *node, *stage;
};

static neuromc_status produce(void *user, neuromc_write_fn write, void *to, neuromc_diags *diags) {
    const struct explaining *e = user;
    return neuromc_explain(e->model, e->preset, &e->estimate, e->node, e->stage, &e->writing, write,
                           to, diags);
}

static neuromc_status explain(const struct cli_args *args, neuromc_diags *diags) {
    struct explaining e = {.node = args->operands[1], .stage = cli_value(args, CLI_OPT_STAGE)};
    neuromc_status status = cli_write_options(args, &e.writing);
    if (status == NEUROMC_OK)
        status = cli_estimate_options(args, &e.estimate);
    if (status == NEUROMC_OK)
        status = cli_load_preset(args, &e.preset, diags);
    if (status == NEUROMC_OK)
        status = cli_load_model(args, &e.model, diags);
    if (status == NEUROMC_OK)
        status = cli_output(args, diags, produce, &e);
    neuromc_model_free(e.model);
    neuromc_preset_free(e.preset);
    cli_estimate_options_free(&e.estimate);
    return status;
}

neuromc_status cli_explain(const struct cli_args *args) {
    if (args->operand_count != 2)
        return cli_usage("neuromc explain models/resnet18.onnx /conv1/Conv",
                         "explain takes a model and the name of a node, not %zu operands",
                         args->operand_count);
    return cli_with_diags(args, explain);
}
