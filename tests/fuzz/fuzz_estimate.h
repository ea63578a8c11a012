/* fuzz_estimate.h - any bytes as a model, through the whole library. */
#ifndef FUZZ_ESTIMATE_H
#define FUZZ_ESTIMATE_H

#include <stddef.h>
#include <stdint.h>

#include "neuromc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Loads, inspects, estimates with everything on and writes every format. Aborts where a refusal
 * gives no reason. */
void fuzz_estimate(const uint8_t *data, size_t size, const neuromc_estimate_options *options);

#endif
