/* Any bytes as a preset; one that is accepted is written and must read back with the same hash. */
#include <stdlib.h>

#include "base/strbuf.h"
#include "fuzz_estimate.h"
#include "model/preset.h"

static bool collect(void *user, const char *data, size_t size) {
    nmc_strbuf_add(user, data, size);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const neuromc_preset_options options = {.search_path =
                                                NMC_SOURCE_DIR "/configs/memory_presets"};
    neuromc_diags *diags = neuromc_diags_new();
    neuromc_preset *preset = NULL, *again = NULL;
    struct nmc_strbuf text;
    nmc_strbuf_init(&text);
    neuromc_status status =
        nmc_preset_read((const char *)data, size, "fuzz.yaml", &options, &preset, diags);
    if (status && neuromc_diags_count(diags) == 0)
        abort();
    if (!status) {
        if (neuromc_preset_write(preset, collect, &text, diags) ||
            nmc_preset_read(text.text, text.length, "written.yaml", NULL, &again, diags) ||
            again->hash != preset->hash)
            abort();
    }
    neuromc_preset_free(preset);
    neuromc_preset_free(again);
    neuromc_diags_free(diags);
    nmc_strbuf_release(&text);
    return 0;
}
