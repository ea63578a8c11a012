/* Any text as an assignment of --set. */
#include <stdlib.h>
#include <string.h>

#include "fuzz_estimate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    const char *assignment = text;
    const neuromc_preset_options options = {.search_path = NMC_SOURCE_DIR "/configs/memory_presets",
                                            .assignments = &assignment,
                                            .assignment_count = 1};
    neuromc_diags *diags = neuromc_diags_new();
    neuromc_preset *preset = NULL;
    neuromc_status status = neuromc_preset_load("ac_mac_45nm", &options, &preset, diags);
    if (status && neuromc_diags_count(diags) == 0)
        abort();
    neuromc_preset_free(preset);
    neuromc_diags_free(diags);
    free(text);
    return 0;
}
