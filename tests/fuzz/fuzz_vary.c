/* Any bytes as what a sweep is asked for: a space file if they start with "schema", else a --vary
 * expression on each line. What is accepted runs for as long as one call of progress. */
#define _GNU_SOURCE /* memfd_create */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz_estimate.h"

enum { MOST_AXES = 8 };

static const char *const models[] = {NMC_SOURCE_DIR "/models/lenet5.onnx"};

static bool forget(void *user, const char *data, size_t size) {
    (void)user, (void)data, (void)size;
    return true;
}

static bool stop(void *user, const neuromc_sweep_progress *progress) {
    (void)user, (void)progress;
    return false;
}

static void run(const neuromc_sweep_options *options) {
    const neuromc_sweep_run_options running = {.jobs = 1, .points = forget, .progress = stop};
    const neuromc_write_options writing = {.format = NEUROMC_JSON};
    neuromc_diags *diags = neuromc_diags_new();
    neuromc_sweep *sweep = NULL;
    neuromc_sweep_result *result = NULL;
    neuromc_status status = neuromc_sweep_new(options, &sweep, diags);
    if (!status)
        status = neuromc_sweep_run(sweep, &running, &result, diags);
    if (!status)
        status = neuromc_sweep_write(result, &writing, forget, NULL, diags);
    if (status && neuromc_diags_count(diags) == 0)
        abort();
    neuromc_sweep_result_free(result);
    neuromc_sweep_free(sweep);
    neuromc_diags_free(diags);
}

static void run_file(const uint8_t *data, size_t size, neuromc_sweep_options *options) {
    char path[64];
    int fd = memfd_create("fuzz", 0);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    options->space = path;
    run(options);
    close(fd);
}

static void run_lines(const uint8_t *data, size_t size, neuromc_sweep_options *options) {
    char *text = malloc(size + 1);
    const char *vary[MOST_AXES];
    if (!text)
        return;
    memcpy(text, data, size);
    text[size] = '\0';
    for (char *line = strtok(text, "\n"); line && options->vary_count < MOST_AXES;
         line = strtok(NULL, "\n"))
        vary[options->vary_count++] = line;
    options->vary = vary;
    run(options);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char start[] = "schema";
    const neuromc_preset_options presets = {.search_path =
                                                NMC_SOURCE_DIR "/configs/memory_presets"};
    neuromc_sweep_options options = {
        .models = models, .model_count = 1, .preset_options = &presets, .top = -1};
    if (size >= sizeof start - 1 && memcmp(data, start, sizeof start - 1) == 0)
        run_file(data, size, &options);
    else
        run_lines(data, size, &options);
    return 0;
}
