/* neuromc annotate MODEL -o FILE */
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "cli/cli.h"

struct annotating {
    const char *path;
    neuromc_preset *preset;
    neuromc_model_options model;
    neuromc_map_options map;
    neuromc_estimate_options estimate;
};

static neuromc_status produce(void *user, neuromc_write_fn write, void *to, neuromc_diags *diags) {
    struct annotating *a = user;
    neuromc_status status =
        neuromc_annotate(a->path, a->preset, &a->model, &a->estimate, write, to, diags);
    if (status != NEUROMC_OK || !a->map.stop || !*a->map.stop)
        return status;
    /* A copy does not show which of its mappings are only the best so far. */
    return nmc_error(diags, (neuromc_status)CLI_STOPPED, (struct nmc_place){0}, NULL,
                     "stopped before all layers were mapped: nothing was written");
}

static const char *output_file(const struct cli_args *args) {
    const char *output = cli_value(args, CLI_OPT_OUTPUT);
    return output && strcmp(output, "-") != 0 ? output : NULL;
}

static neuromc_status read_options(const struct cli_args *args, struct annotating *a) {
    neuromc_status status = cli_estimate_options(args, &a->estimate);
    if (status == NEUROMC_OK)
        status = cli_map_options(args, &a->map);
    if (status == NEUROMC_OK)
        status = cli_model_options(args, &a->model);
    return status;
}

static neuromc_status write_model(const struct cli_args *args, struct annotating *a,
                                  neuromc_diags *diags) {
    if (neuromc_preset_maps(a->preset))
        cli_watch_mapping(&a->map);
    neuromc_status status = cli_output(args, diags, produce, a);
    cli_end_watch();
    if (status == NEUROMC_OK && output_file(args))
        neuromc_annotate_check_weights(a->path, output_file(args), diags);
    return status;
}

static neuromc_status annotate(const struct cli_args *args, neuromc_diags *diags) {
    struct annotating a = {.path = args->operands[0]};
    a.estimate.map = &a.map;
    neuromc_status status = read_options(args, &a);
    if (status == NEUROMC_OK)
        status = cli_load_preset(args, &a.preset, diags);
    if (status == NEUROMC_OK)
        status = cli_check_mapping(args, a.preset);
    if (status == NEUROMC_OK)
        status = write_model(args, &a, diags);
    neuromc_preset_free(a.preset);
    cli_model_options_free(&a.model);
    cli_estimate_options_free(&a.estimate);
    cli_map_options_free(&a.map);
    return status;
}

neuromc_status cli_annotate(const struct cli_args *args) {
    static const char example[] = "neuromc annotate models/resnet18.onnx -o annotated.onnx";
    if (args->operand_count != 1)
        return cli_usage(example, "annotate takes one model, not %zu", args->operand_count);
    if (!output_file(args) && isatty(STDOUT_FILENO))
        return cli_usage(example, "a model is no text for a terminal: --output says where it goes");
    return cli_with_diags(args, annotate);
}
