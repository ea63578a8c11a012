/* neuromc estimate MODEL */
#include <string.h>

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

static neuromc_status read_stages(const struct cli_args *args, unsigned *out) {
    static const char *const names[] = {"forward", "backward", "optimizer"};
    const char *text = cli_value(args, CLI_OPT_STAGES);
    if (cli_has(args, CLI_OPT_TRAIN)) {
        *out = NEUROMC_STAGE_FORWARD | NEUROMC_STAGE_BACKWARD | NEUROMC_STAGE_OPTIMIZER;
        return text ? cli_usage("--train is --stages forward,backward,optimizer",
                                "--train and --stages contradict each other")
                    : NEUROMC_OK;
    }
    if (text && !*text)
        return cli_usage("stages are forward, backward, optimizer", "--stages names none");
    while (text && *text) {
        size_t length = strcspn(text, ","), i = 0;
        while (i < 3 && !(strlen(names[i]) == length && memcmp(names[i], text, length) == 0))
            i++;
        if (i == 3)
            return cli_usage("stages are forward, backward, optimizer", "no stage \"%.*s\"",
                             (int)length, text);
        *out |= 1u << i;
        text += length;
        text += *text == ',';
    }
    return NEUROMC_OK;
}

static neuromc_status read_optimizer(const struct cli_args *args, neuromc_estimate_options *out) {
    static const char *const names[] = {"adam", "adamw", "sgd", NULL};
    static const enum cli_option_id needs_it[] = {
        CLI_OPT_OPTIMIZER, CLI_OPT_MOMENTUM, CLI_OPT_WEIGHT_DECAY, CLI_OPT_DAMPENING,
        CLI_OPT_NESTEROV,  CLI_OPT_MAXIMIZE, CLI_OPT_FIRST_STEP};
    int choice;
    neuromc_status status = cli_choice(args, CLI_OPT_OPTIMIZER, names, &choice);
    if (cli_has(args, CLI_OPT_OPTIMIZER))
        out->optimizer = (neuromc_optimizer)(NEUROMC_ADAM + choice);
    if (status == NEUROMC_OK)
        status = cli_number(args, CLI_OPT_MOMENTUM, 0, &out->momentum);
    if (status == NEUROMC_OK)
        status = cli_number(args, CLI_OPT_WEIGHT_DECAY, 0, &out->weight_decay);
    if (status == NEUROMC_OK)
        status = cli_number(args, CLI_OPT_DAMPENING, 0, &out->dampening);
    out->nesterov = cli_has(args, CLI_OPT_NESTEROV);
    out->maximize = cli_has(args, CLI_OPT_MAXIMIZE);
    out->first_step = cli_has(args, CLI_OPT_FIRST_STEP);
    for (size_t i = 0; status == NEUROMC_OK && i < sizeof needs_it / sizeof *needs_it; i++) {
        const char *name = cli_options[needs_it[i]].name;
        if (cli_has(args, needs_it[i]) && !(out->stages & NEUROMC_STAGE_OPTIMIZER))
            status = cli_usage("add --train", "--%s without the optimizer stage", name);
        else if (cli_has(args, needs_it[i]) && i > 0 && out->optimizer != NEUROMC_SGD)
            status = cli_usage("add --optimizer sgd", "--%s is an option of sgd", name);
    }
    return status;
}

static neuromc_status read_counting(const struct cli_args *args, neuromc_estimate_options *out) {
    static const char *const whats[] = {"list", "count", NULL};
    static const char *const froms[] = {"from-preset", "from-model", NULL};
    int what, from;
    neuromc_status status = cli_choice(args, CLI_OPT_ELEMENTWISE, whats, &what);
    if (status == NEUROMC_OK)
        status = cli_choice(args, CLI_OPT_PRECISION, froms, &from);
    if (status != NEUROMC_OK)
        return status;
    out->elementwise = what == 1;
    out->precision_from_model = from == 1;
    return NEUROMC_OK;
}

/* Everything that says what to estimate; arrays in *out are to be freed. */
static neuromc_status read_options(const struct cli_args *args, neuromc_estimate_options *out) {
    static const char *const accountings[] = {"corrected", "runtime", NULL};
    int accounting;
    neuromc_status status = cli_choice(args, CLI_OPT_ACCOUNTING, accountings, &accounting);
    out->accounting = accounting == 1 ? NEUROMC_RUNTIME : NEUROMC_CORRECTED;
    out->no_mapping = cli_has(args, CLI_OPT_NO_MAPPING);
    if (status == NEUROMC_OK)
        status = read_stages(args, &out->stages);
    if (status == NEUROMC_OK)
        status = read_optimizer(args, out);
    if (status == NEUROMC_OK)
        status = read_counting(args, out);
    const char **texts;
    if (status == NEUROMC_OK) {
        status = cli_texts(args, CLI_OPT_FREEZE, &texts, &out->freeze_count);
        out->freeze = texts;
    }
    if (status == NEUROMC_OK) {
        status = cli_texts(args, CLI_OPT_INPUT_GRAD, &texts, &out->input_grad_count);
        out->input_grads = texts;
    }
    const bool backward = out->stages & (NEUROMC_STAGE_BACKWARD | NEUROMC_STAGE_OPTIMIZER);
    if (status == NEUROMC_OK && !backward && (out->freeze_count || out->input_grad_count))
        status = cli_usage("add --train", "--freeze and --input-grad without a backward pass");
    out->spike_rate = cli_value(args, CLI_OPT_SPIKE_RATE);
    out->strict = cli_has(args, CLI_OPT_STRICT);
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
        status = read_options(args, &options);
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
    nmc_free((void *)(uintptr_t)options.freeze);
    nmc_free((void *)(uintptr_t)options.input_grads);
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
