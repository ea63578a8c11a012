/* neuromc validate MODEL... : the estimate held against the same model, run for real. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "cli/measure.h"

/* Options that `neuromc run` takes as they are: what shapes the graph of the estimate shapes the
 * run. */
static const enum cli_option_id handed_on[] = {
    CLI_OPT_DIM,  CLI_OPT_BATCH,          CLI_OPT_TRIP,    CLI_OPT_INPUTS, CLI_OPT_RATE,
    CLI_OPT_SEED, CLI_OPT_RANDOM_WEIGHTS, CLI_OPT_THREADS, CLI_OPT_ORT_LIB};

enum { HANDED_ON = sizeof handed_on / sizeof *handed_on };

struct job {
    const struct cli_args *args;
    neuromc_suite *suite; /* NULL: operands name the models */
    char exe[4096];       /* this program */
    size_t count;
    neuromc_validation_model *models;
    const char ***argvs; /* by model */
};

struct writing {
    const neuromc_validation *validation;
    neuromc_write_options options;
};

static neuromc_status produce(void *user, neuromc_write_fn write, void *to, neuromc_diags *diags) {
    const struct writing *w = user;
    return neuromc_validation_write(w->validation, &w->options, write, to, diags);
}

/* ---- who runs the models --------------------------------------------------------------------- */

static bool is_handed_on(enum cli_option_id option) {
    for (size_t i = 0; i < HANDED_ON; i++)
        if (handed_on[i] == option)
            return true;
    return false;
}

/* neuromc run --protocol [--dim ...] MODEL */
static const char **own_runner(const struct job *job, const char *path) {
    enum { FIXED = 6 };
    const struct cli_args *args = job->args;
    const char **argv = nmc_malloc((FIXED + 2 * args->given_count) * sizeof *argv);
    size_t at = 0;
    if (!argv)
        return NULL;
    argv[at++] = job->exe;
    argv[at++] = "run";
    argv[at++] = "--protocol";
    for (size_t i = 0; i < args->given_count; i++)
        if (is_handed_on(args->given[i].option)) {
            argv[at++] = cli_options[args->given[i].option].flag;
            if (args->given[i].value)
                argv[at++] = args->given[i].value;
        }
    argv[at++] = "--";
    argv[at++] = path;
    argv[at] = NULL;
    return argv;
}

/* sh -c 'exec CMD "$1"' neuromc MODEL */
static const char **given_runner(const char *script, const char *path) {
    const char **argv = nmc_malloc(6 * sizeof *argv);
    if (!argv)
        return NULL;
    argv[0] = "sh";
    argv[1] = "-c";
    argv[2] = script;
    argv[3] = "neuromc";
    argv[4] = path;
    argv[5] = NULL;
    return argv;
}

static neuromc_status fill(struct job *job, const char *script) {
    job->count = job->suite ? neuromc_suite_count(job->suite) : job->args->operand_count;
    job->models = nmc_malloc((job->count + 1) * sizeof *job->models);
    job->argvs = nmc_malloc((job->count + 1) * sizeof *job->argvs);
    if (!job->models || !job->argvs) {
        job->count = 0;
        return NEUROMC_IO;
    }
    for (size_t i = 0; i < job->count; i++) {
        const char *path = job->suite ? neuromc_suite_path(job->suite, i) : job->args->operands[i];
        const char *label = job->suite ? neuromc_suite_label(job->suite, i) : cli_file_name(path);
        job->argvs[i] = script ? given_runner(script, path) : own_runner(job, path);
        job->models[i] = (neuromc_validation_model){
            .path = path, .subject = {.label = label, .argv = job->argvs[i], .talks = true}};
        if (!job->argvs[i]) {
            job->count = i;
            return NEUROMC_IO;
        }
    }
    return NEUROMC_OK;
}

static void release(struct job *job) {
    for (size_t i = 0; i < job->count; i++)
        nmc_free(job->argvs[i]);
    nmc_free(job->argvs);
    nmc_free(job->models);
    neuromc_suite_free(job->suite);
}

/* ---- running --------------------------------------------------------------------------------- */

static neuromc_status load_suite(struct job *job, neuromc_diags *diags) {
    const char *path = cli_value(job->args, CLI_OPT_SUITE);
    if (path && job->args->operand_count)
        return cli_usage("list all models in the file", "--suite takes no MODEL beside it");
    if (!path && !job->args->operand_count)
        return cli_usage("neuromc validate models/lenet5.onnx --counter rapl",
                         "validate takes models, or --suite FILE");
    return path ? neuromc_suite_load(path, &job->suite, diags) : NEUROMC_OK;
}

static neuromc_status find_self(struct job *job) {
    ssize_t length = readlink("/proc/self/exe", job->exe, sizeof job->exe - 1);
    if (length < 0)
        snprintf(job->exe, sizeof job->exe, "neuromc");
    else
        job->exe[length] = '\0';
    return NEUROMC_OK;
}

static neuromc_status run(struct job *job, const neuromc_validate_options *options,
                          neuromc_diags *diags) {
    struct writing writing;
    neuromc_validation *validation = NULL;
    neuromc_status status = cli_write_options(job->args, &writing.options);
    if (status == NEUROMC_OK)
        status = neuromc_validate(job->models, job->count, options, &validation, diags);
    if (status == NEUROMC_OK) {
        cli_print(diags);
        writing.validation = validation;
        status = cli_output(job->args, diags, produce, &writing);
    }
    if (status == NEUROMC_OK)
        status = cli_measure_status(neuromc_validation_lost(validation),
                                    neuromc_validation_holds(validation));
    neuromc_validation_free(validation);
    return status;
}

/* Reads every option, then runs. */
static neuromc_status with_options(struct job *job, neuromc_diags *diags) {
    const struct cli_args *args = job->args;
    neuromc_counter_options counter = {0};
    neuromc_measure_options measure = {.counter = NULL};
    neuromc_estimate_options estimate = {0};
    neuromc_model_options model = {0};
    const char **assignments = NULL;
    neuromc_preset_options preset = {.search_path = cli_value(args, CLI_OPT_PRESET_PATH)};
    neuromc_status status = cli_measure_options(args, &counter, &measure);
    if (status == NEUROMC_OK)
        status = cli_model_options(args, &model);
    if (status == NEUROMC_OK)
        status = cli_texts(args, CLI_OPT_SET, &assignments, &preset.assignment_count);
    preset.assignments = assignments;
    const neuromc_validate_options options = {.preset = cli_value(args, CLI_OPT_PRESET),
                                              .preset_options = &preset,
                                              .model_options = &model,
                                              .estimate_options = &estimate,
                                              .measure_options = &measure};
    if (status == NEUROMC_OK)
        status = run(job, &options, diags);
    nmc_free(assignments);
    cli_model_options_free(&model);
    cli_measure_options_free(&measure);
    cli_counter_options_free(&counter);
    return status;
}

neuromc_status cli_validate(const struct cli_args *args) {
    struct job job = {.args = args};
    struct nmc_strbuf script;
    neuromc_diags *diags = neuromc_diags_new();
    if (!diags)
        return NEUROMC_IO;
    const char *child = cli_value(args, CLI_OPT_CHILD);
    nmc_strbuf_init(&script);
    if (child)
        nmc_strbuf_printf(&script, "exec %s \"$1\"", child);
    neuromc_status status = load_suite(&job, diags);
    if (status == NEUROMC_OK)
        status = find_self(&job);
    if (status == NEUROMC_OK)
        status = fill(&job, child ? script.text : NULL);
    if (status == NEUROMC_OK)
        status = with_options(&job, diags);
    release(&job);
    nmc_strbuf_release(&script);
    cli_print(diags);
    neuromc_diags_free(diags);
    return status;
}
