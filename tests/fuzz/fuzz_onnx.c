/* Any bytes as an ONNX file, as far as the finished graph. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "frontends/onnx.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    neuromc_diags *diags = neuromc_diags_new();
    struct nmc_net *net;
    neuromc_status status = nmc_onnx_parse(data, size, "fuzz.onnx", &net, diags);
    /* A refusal always says why, and only a refusal has no net. */
    if ((status == NEUROMC_OK) != (net != NULL) || (status && neuromc_diags_count(diags) == 0))
        abort();
    nmc_net_free(net);
    neuromc_diags_free(diags);
    return 0;
}
