/* Any bytes as a trace, in either accounting, with and without its list of fragments. */
#include "fuzz_estimate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const neuromc_estimate_options options = {.accounting =
                                                  size % 2 ? NEUROMC_RUNTIME : NEUROMC_CORRECTED,
                                              .no_mapping = size % 4 > 1,
                                              .strict = size % 8 > 3};
    fuzz_estimate(data, size, &options);
    return 0;
}
