#define _GNU_SOURCE
#include "fuzz_estimate.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static bool forget(void *user, const char *data, size_t size) {
    (void)user, (void)data, (void)size;
    return true;
}

static neuromc_preset *preset(void) {
    static neuromc_preset *loaded;
    const neuromc_preset_options options = {.search_path =
                                                NMC_SOURCE_DIR "/configs/memory_presets"};
    if (!loaded && neuromc_preset_load("neuromc_like_v1_dram", &options, &loaded, NULL))
        abort();
    return loaded;
}

static void write_all(const neuromc_report *report, const neuromc_model *model,
                      neuromc_diags *diags) {
    for (int format = NEUROMC_TEXT; format <= NEUROMC_HTML; format++) {
        const neuromc_write_options options = {.format = (neuromc_format)format,
                                               .ledger = format == NEUROMC_JSON};
        if (neuromc_report_write(report, &options, forget, NULL, diags))
            abort();
        if (format <= NEUROMC_CSV)
            neuromc_model_inspect(model, &options, forget, NULL, diags);
    }
}

void fuzz_estimate(const uint8_t *data, size_t size, const neuromc_estimate_options *options) {
    char path[64];
    int fd = memfd_create("fuzz", 0);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    neuromc_diags *diags = neuromc_diags_new();
    neuromc_model *model = NULL;
    neuromc_report *report = NULL;
    bool is_trace = size && data[0] == '{'; /* which refuses a batch */
    const neuromc_model_options load = {.batch = is_trace ? 0 : (int64_t)(size % 3)};
    neuromc_status status = neuromc_model_load(path, &load, &model, diags);
    if (!status)
        status = neuromc_estimate(model, preset(), options, &report, diags);
    if (status && neuromc_diags_count(diags) == 0)
        abort();
    if (!status)
        write_all(report, model, diags);
    if (!status && !is_trace &&
        neuromc_annotate(path, preset(), &load, options, forget, NULL, diags))
        abort();
    neuromc_report_free(report);
    neuromc_model_free(model);
    neuromc_diags_free(diags);
    close(fd);
}
