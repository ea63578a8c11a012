/* neuromc_runner: a model loaded once and run as often as asked. */
#include "counters/runner.h"

#include <string.h>
#include <time.h>

#include "base/checked.h"
#include "base/limits.h"
#include "base/memory.h"
#include "frontends/model_file.h"
#include "model/lower.h"

int64_t nmc_now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* The estimate's count; a graph that cannot be counted can be run all the same. */
static int64_t count_macs(struct nmc_net *net) {
    static const struct nmc_precision any = {.spike_bits = 1}; /* MACs have no width */
    struct nmc_layers layers = {0};
    int64_t total = 0, macs;
    bool good = nmc_layers_collect(net, &layers, NULL) == NEUROMC_OK;
    for (size_t i = 0; good && i < layers.count; i++) {
        struct nmc_fragment f;
        good = nmc_forward_fragment(&layers.items[i], &any, &f) == NEUROMC_OK &&
               nmc_mul(f.macs, f.times, &macs) && nmc_add(total, macs, &total);
    }
    nmc_layers_release(&layers);
    return good ? total : -1;
}

static neuromc_status check(const char *path, const neuromc_runner_options *options,
                            neuromc_diags *diags) {
    const struct nmc_place place = {.file = path};
    if (strcmp(path, "-") == 0)
        return nmc_error(diags, NEUROMC_USAGE, place, "save it as a file",
                         "a model from standard input cannot be run");
    if (!(options->spike_rate >= 0 && options->spike_rate <= 1))
        return nmc_error(diags, NEUROMC_USAGE, place, NULL, "a rate of spikes is from 0 to 1");
    if (options->threads < 0 || options->threads > 4096)
        return nmc_error(diags, NEUROMC_USAGE, place, NULL, "threads are from 1 to 4096");
    if (options->save_model && !options->random_weights)
        return nmc_error(diags, NEUROMC_USAGE, place, "add --random-weights SEED",
                         "only a model with made-up weights is saved");
    return NEUROMC_OK;
}

static neuromc_status load(struct neuromc_runner *runner, const neuromc_runner_options *options,
                           neuromc_diags *diags) {
    neuromc_status status =
        neuromc_model_load(runner->path, options->model_options, &runner->model, diags);
    if (status != NEUROMC_OK)
        return status;
    if (!runner->model->net)
        return nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){.file = runner->path}, NULL,
                         "a trace cannot be run; only an ONNX model can");
    runner->macs = count_macs(runner->model->net);
    status = nmc_ort_open(&runner->ort, options->ort_lib, diags);
    int64_t before = nmc_now_ns();
    if (status == NEUROMC_OK)
        status = nmc_runner_open(runner, options, diags);
    runner->load_ns = nmc_now_ns() - before;
    return status == NEUROMC_OK ? nmc_runner_feed(runner, diags) : status;
}

neuromc_status neuromc_runner_new(const char *path, const neuromc_runner_options *options,
                                  neuromc_runner **out, neuromc_diags *diags) {
    static const neuromc_runner_options defaults = {0};
    options = options ? options : &defaults;
    *out = NULL;
    neuromc_status status = check(path, options, diags);
    if (status != NEUROMC_OK)
        return status;
    struct neuromc_runner *runner = nmc_malloc(sizeof *runner);
    if (!runner)
        return nmc_out_of_memory(diags);
    *runner = (struct neuromc_runner){
        .values = {options->inputs, options->spike_rate, options->seed},
        .threads = options->threads ? options->threads : 1,
        .random_weights = options->random_weights,
        .weight_seed = options->weight_seed,
    };
    nmc_arena_init(&runner->arena, NMC_LIMIT_MODEL_BYTES);
    runner->path = nmc_arena_strdup(&runner->arena, path);
    status = runner->path ? load(runner, options, diags) : nmc_out_of_memory(diags);
    if (status == NEUROMC_OK)
        *out = runner;
    else
        neuromc_runner_free(runner);
    return status;
}

void neuromc_runner_free(neuromc_runner *runner) {
    if (!runner)
        return;
    size_t inputs = runner->session.input_count;
    nmc_session_close(&runner->session);
    for (size_t i = 0; runner->data && i < inputs; i++)
        nmc_free(runner->data[i]);
    nmc_ort_close(&runner->ort);
    neuromc_model_free(runner->model);
    nmc_arena_release(&runner->arena);
    nmc_free(runner);
}

neuromc_status neuromc_runner_run(neuromc_runner *runner, int64_t inferences, int64_t *wall_ns,
                                  neuromc_diags *diags) {
    neuromc_status status = NEUROMC_OK;
    int64_t before = nmc_now_ns();
    for (int64_t i = 0; status == NEUROMC_OK && i < inferences; i++)
        status = nmc_session_run(&runner->session, diags);
    *wall_ns = nmc_now_ns() - before;
    runner->ran = runner->ran || (status == NEUROMC_OK && inferences > 0);
    return status;
}

int64_t neuromc_runner_macs(const neuromc_runner *runner) {
    return runner->macs;
}
