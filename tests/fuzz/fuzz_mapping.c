/* Any bytes as a mapping file: what is accepted is counted and written. */
#define _GNU_SOURCE /* memfd_create */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz_estimate.h"

static neuromc_preset *preset;
static neuromc_model *model;

static bool forget(void *user, const char *data, size_t size) {
    (void)user, (void)data, (void)size;
    return true;
}

static void load(void) {
    const neuromc_preset_options where = {.search_path = NMC_SOURCE_DIR "/configs/memory_presets"};
    if (neuromc_preset_load("neuromc_like_v1_mapped", &where, &preset, NULL) ||
        neuromc_model_load(NMC_SOURCE_DIR "/tests/data/golden/linear_dense.onnx", NULL, &model,
                           NULL))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[64];
    int fd = memfd_create("fuzz", 0);
    if (!preset)
        load();
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    const neuromc_map_options map = {.mapping = path, .jobs = 1};
    const neuromc_estimate_options options = {.map = &map};
    neuromc_map *out = NULL;
    neuromc_diags *diags = neuromc_diags_new();
    neuromc_status status = neuromc_map_model(model, preset, &options, &out, diags);
    for (int f = NEUROMC_TEXT; !status && f <= NEUROMC_CSV; f++)
        status = neuromc_map_write(out, &(neuromc_write_options){.format = (neuromc_format)f},
                                   forget, NULL, diags);
    if (status && neuromc_diags_count(diags) == 0)
        abort();
    neuromc_map_free(out);
    neuromc_diags_free(diags);
    close(fd);
    return 0;
}
