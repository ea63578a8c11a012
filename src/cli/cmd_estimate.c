/* neuromc estimate MODEL */
#include "base/memory.h"
#include "cli/cli.h"

struct writing {
    const neuromc_report *report;
    neuromc_write_options options;
};

static neuromc_status produce(void *user, neuromc_write_fn write, void *to, neuromc_diags *diags) {
    const struct writing *w = user;
    return neuromc_report_write(w->report, &w->options, write, to, diags);
}

static neuromc_status load_preset(const struct cli_args *args, neuromc_preset **out,
                                  neuromc_diags *diags) {
    const char *name = cli_value(args, CLI_OPT_PRESET);
    const char **assignments;
    neuromc_preset_options options = {.search_path = cli_value(args, CLI_OPT_PRESET_PATH)};
    neuromc_status status = cli_texts(args, CLI_OPT_SET, &assignments, &options.assignment_count);
    options.assignments = assignments;
    if (status == NEUROMC_OK)
        status = neuromc_preset_load(name ? name : "neuromc_like_v1", &options, out, diags);
    nmc_free(assignments);
    return status;
}

static neuromc_status estimate(const struct cli_args *args, neuromc_diags *diags) {
    neuromc_preset *preset = NULL;
    neuromc_model *model = NULL;
    neuromc_report *report = NULL;
    neuromc_estimate_options options = {0};
    struct writing writing;
    neuromc_status status = cli_write_options(args, &writing.options);
    if (status == NEUROMC_OK)
        status = cli_estimate_options(args, &options);
    if (status == NEUROMC_OK && options.no_mapping && writing.options.format == NEUROMC_CSV)
        status = cli_usage("leave one of the two out",
                           "CSV has a row for each fragment, which --no-mapping does not keep");
    if (status == NEUROMC_OK)
        status = load_preset(args, &preset, diags);
    if (status == NEUROMC_OK)
        status = cli_load_model(args, &model, diags);
    if (status == NEUROMC_OK)
        status = neuromc_estimate(model, preset, &options, &report, diags);
    if (status == NEUROMC_OK) {
        writing.report = report;
        status = cli_output(args, diags, produce, &writing);
    }
    neuromc_report_free(report);
    neuromc_model_free(model);
    neuromc_preset_free(preset);
    cli_estimate_options_free(&options);
    return status;
}

neuromc_status cli_estimate(const struct cli_args *args) {
    if (args->operand_count != 1)
        return cli_usage("neuromc estimate models/resnet18.onnx",
                         "estimate takes one model, not %zu", args->operand_count);
    neuromc_diags *diags = neuromc_diags_new();
    if (!diags)
        return NEUROMC_IO;
    neuromc_status status = estimate(args, diags);
    cli_print(diags);
    neuromc_diags_free(diags);
    return status;
}
