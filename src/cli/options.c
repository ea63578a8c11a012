/* What options say of a model and of an estimate, for every command that makes one. */
#include <string.h>

#include "base/memory.h"
#include "cli/cli.h"

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

neuromc_status cli_estimate_options(const struct cli_args *args, neuromc_estimate_options *out) {
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

void cli_estimate_options_free(neuromc_estimate_options *options) {
    nmc_free((void *)(uintptr_t)options->freeze);
    nmc_free((void *)(uintptr_t)options->input_grads);
}

neuromc_status cli_model_options(const struct cli_args *args, neuromc_model_options *out) {
    neuromc_dim_binding *dims = NULL, *trips = NULL;
    const char **spike_inputs = NULL, **soma_ops = NULL;
    *out = (neuromc_model_options){0};
    neuromc_status status = cli_bindings(args, CLI_OPT_DIM, &dims, &out->dim_count);
    if (status == NEUROMC_OK)
        status = cli_bindings(args, CLI_OPT_TRIP, &trips, &out->trip_count);
    if (status == NEUROMC_OK)
        status = cli_integer(args, CLI_OPT_BATCH, 1, &out->batch);
    if (status == NEUROMC_OK)
        status = cli_integer(args, CLI_OPT_TIME_STEPS, 1, &out->time_steps);
    if (status == NEUROMC_OK)
        status = cli_texts(args, CLI_OPT_SPIKE_INPUT, &spike_inputs, &out->spike_input_count);
    if (status == NEUROMC_OK)
        status = cli_texts(args, CLI_OPT_SOMA_OP, &soma_ops, &out->soma_op_count);
    out->dims = dims;
    out->trips = trips;
    out->spike_inputs = spike_inputs;
    out->soma_ops = soma_ops;
    return status;
}

static void free_bindings(const neuromc_dim_binding *bindings, size_t count) {
    for (size_t i = 0; bindings && i < count; i++)
        nmc_free((void *)(uintptr_t)bindings[i].name);
    nmc_free((void *)(uintptr_t)bindings);
}

void cli_model_options_free(neuromc_model_options *options) {
    free_bindings(options->dims, options->dim_count);
    free_bindings(options->trips, options->trip_count);
    nmc_free((void *)(uintptr_t)options->spike_inputs);
    nmc_free((void *)(uintptr_t)options->soma_ops);
}

neuromc_status cli_load_preset(const struct cli_args *args, neuromc_preset **out,
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

neuromc_status cli_load_model(const struct cli_args *args, neuromc_model **out,
                              neuromc_diags *diags) {
    neuromc_model_options options;
    neuromc_status status = cli_model_options(args, &options);
    if (status == NEUROMC_OK)
        status = neuromc_model_load(args->operands[0], &options, out, diags);
    cli_model_options_free(&options);
    return status;
}
