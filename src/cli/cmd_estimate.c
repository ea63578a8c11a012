/* neuromc estimate MODEL */
#include "cli/cli.h"

struct writing {
    const neuromc_report *report;
    neuromc_write_options options;
};

static neuromc_status produce(void *user, neuromc_write_fn write, void *to, neuromc_diags *diags) {
    const struct writing *w = user;
    return neuromc_report_write(w->report, &w->options, write, to, diags);
}

static neuromc_status estimate(const struct cli_args *args, neuromc_diags *diags) {
    neuromc_preset *preset = NULL;
    neuromc_model *model = NULL;
    neuromc_report *report = NULL;
    neuromc_map_options map = {0};
    neuromc_estimate_options options = {.map = &map};
    struct writing writing;
    neuromc_status status = cli_write_options(args, &writing.options);
    if (status == NEUROMC_OK)
        status = cli_estimate_options(args, &options);
    if (status == NEUROMC_OK)
        status = cli_map_options(args, &map);
    if (status == NEUROMC_OK && options.no_mapping && writing.options.format == NEUROMC_CSV)
        status = cli_usage("leave one of the two out",
                           "CSV has a row for each fragment, which --no-mapping does not keep");
    if (status == NEUROMC_OK)
        status = cli_load_preset(args, &preset, diags);
    if (status == NEUROMC_OK)
        status = cli_check_mapping(args, preset);
    if (status == NEUROMC_OK)
        status = cli_load_model(args, &model, diags);
    if (status == NEUROMC_OK) {
        if (neuromc_preset_maps(preset))
            cli_watch_mapping(&map);
        status = neuromc_estimate(model, preset, &options, &report, diags);
    }
    bool stopped = cli_end_watch();
    if (status == NEUROMC_OK) {
        writing.report = report;
        status = cli_output(args, diags, produce, &writing);
    }
    neuromc_report_free(report);
    neuromc_model_free(model);
    neuromc_preset_free(preset);
    cli_estimate_options_free(&options);
    cli_map_options_free(&map);
    return status == NEUROMC_OK && stopped ? (neuromc_status)CLI_STOPPED : status;
}

neuromc_status cli_estimate(const struct cli_args *args) {
    if (args->operand_count != 1)
        return cli_usage("neuromc estimate models/resnet18.onnx",
                         "estimate takes one model, not %zu", args->operand_count);
    return cli_with_diags(args, estimate);
}
