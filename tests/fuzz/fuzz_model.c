/* Any bytes as an ONNX model: loaded, inferred, lowered for training, priced, written. */
#include "fuzz_estimate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const neuromc_estimate_options options = {
        .stages = NEUROMC_STAGE_FORWARD | NEUROMC_STAGE_BACKWARD | NEUROMC_STAGE_OPTIMIZER,
        .optimizer = NEUROMC_ADAM,
        .elementwise = true,
        .precision_from_model = size % 2};
    fuzz_estimate(data, size, &options);
    return 0;
}
