/* Telling weights from activations. */
#include <string.h>

#include "model/layer.h"

/* Operators that hand their first input on, changed in layout or width alone. */
static bool hands_on(const struct nmc_node *node) {
    static const char *const names[] = {
        "Identity", "Cast",    "CastLike",  "Transpose",      "Reshape",
        "Flatten",  "Squeeze", "Unsqueeze", "QuantizeLinear", "DequantizeLinear"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(node->op_type, names[i]) == 0)
            return node->input_count > 0;
    return false;
}

struct nmc_tensor *nmc_weight_root(struct nmc_tensor *operand) {
    struct nmc_tensor *tensor = operand;
    while (tensor && tensor->producer && hands_on(tensor->producer))
        tensor = tensor->producer->inputs[0];
    if (!tensor)
        return NULL;
    return tensor->is_constant || tensor->is_input ? tensor : NULL;
}
