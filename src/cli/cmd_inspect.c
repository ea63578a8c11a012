/* neuromc inspect MODEL, neuromc ops */
#include "cli/cli.h"

struct inspecting {
    const neuromc_model *model;
    neuromc_write_options options;
};

static neuromc_status produce_model(void *user, neuromc_write_fn write, void *to,
                                    neuromc_diags *diags) {
    const struct inspecting *i = user;
    return neuromc_model_inspect(i->model, &i->options, write, to, diags);
}

static neuromc_status inspect(const struct cli_args *args, neuromc_diags *diags) {
    struct inspecting inspecting;
    neuromc_model *model = NULL;
    neuromc_status status = cli_write_options(args, &inspecting.options);
    if (status == NEUROMC_OK)
        status = cli_load_model(args, &model, diags);
    if (status == NEUROMC_OK) {
        inspecting.model = model;
        status = cli_output(args, diags, produce_model, &inspecting);
    }
    neuromc_model_free(model);
    return status;
}

neuromc_status cli_inspect(const struct cli_args *args) {
    if (args->operand_count != 1)
        return cli_usage("neuromc inspect models/resnet18.onnx", "inspect takes one model, not %zu",
                         args->operand_count);
    neuromc_diags *diags = neuromc_diags_new();
    if (!diags)
        return NEUROMC_IO;
    neuromc_status status = inspect(args, diags);
    cli_print(diags);
    neuromc_diags_free(diags);
    return status;
}

static neuromc_status produce_ops(void *user, neuromc_write_fn write, void *to,
                                  neuromc_diags *diags) {
    const neuromc_write_options *options = user;
    return neuromc_ops_write(options, write, to, diags);
}

neuromc_status cli_ops(const struct cli_args *args) {
    neuromc_write_options options;
    if (args->operand_count)
        return cli_usage(NULL, "ops takes no operands");
    neuromc_diags *diags = neuromc_diags_new();
    if (!diags)
        return NEUROMC_IO;
    neuromc_status status = cli_write_options(args, &options);
    if (status == NEUROMC_OK)
        status = cli_output(args, diags, produce_ops, &options);
    cli_print(diags);
    neuromc_diags_free(diags);
    return status;
}
