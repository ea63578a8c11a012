#include "model/training_graph.h"

#include <string.h>

#include "base/checked.h"
#include "graph/infer.h"
#include "graph/ops.h"
#include "model/backward.h"

/* ---- gradients ---- */

static bool makes_gradient(const struct nmc_node *node, const bool *is_gradient) {
    if (strstr(node->op_type, "Grad") && strcmp(node->op_type, "BroadcastGradientArgs") != 0)
        return true;
    for (int i = 0; i < node->input_count; i++)
        if (node->inputs[i] && is_gradient[node->inputs[i]->id])
            return true;
    return false;
}

static void mark(const struct nmc_graph *graph, bool *is_gradient) {
    for (int n = 0; n < graph->node_count; n++) {
        const struct nmc_node *node = graph->nodes[n];
        bool gradient = makes_gradient(node, is_gradient);
        for (int i = 0; i < node->output_count; i++)
            if (node->outputs[i])
                is_gradient[node->outputs[i]->id] = gradient;
        if (node->body)
            mark(node->body, is_gradient);
    }
}

bool *nmc_gradient_tensors(struct nmc_net *net) {
    bool *is_gradient = nmc_arena_array(&net->arena, net->tensor_count, sizeof *is_gradient);
    if (is_gradient)
        mark(net->main, is_gradient);
    return is_gradient;
}

static bool has_work(const struct nmc_node *node) {
    return node->op && (node->op->work == NMC_WORK_CONV || node->op->work == NMC_WORK_GEMM ||
                        node->op->work == NMC_WORK_MATMUL);
}

bool nmc_input_is_weight(const struct nmc_tensor *input, const bool *is_gradient) {
    for (int c = 0; c < input->consumer_count; c++) {
        const struct nmc_node *node = input->consumers[c];
        bool backward = makes_gradient(node, is_gradient);
        if (has_work(node) && !backward && node->input_count > 1 && node->inputs[1] == input)
            return true;
    }
    return false;
}

/* ---- optimizers ---- */

/* Where the parameters stand among an operator's inputs: the first, and every which number of
 * groups of equal size follow it (parameters, gradients, state). */
struct layout {
    const char *domain, *op, *name; /* name: as fragments call the optimizer; NULL: not priced */
    int first, groups;
    bool momentum;
};

static const struct layout layouts[] = {
    {"ai.onnx.preview.training", "Adam", "adam", 2, 4, false},
    {"ai.onnx.preview.training", "Momentum", "sgd", 2, 3, true},
    {"com.microsoft", "AdamOptimizer", "adam", 2, 0, false},
    {"com.microsoft", "SGDOptimizer", "sgd", 1, 0, false},
    {"", "SGD", "sgd", 0, 0, false},
};

static const struct layout *layout_of(const struct nmc_node *node) {
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        if (strcmp(layouts[i].domain, node->domain) == 0 &&
            strcmp(layouts[i].op, node->op_type) == 0)
            return &layouts[i];
    return NULL;
}

bool nmc_optimizer_parameters(const struct nmc_node *node, int64_t *vectors, int64_t *matrices) {
    const struct layout *layout = layout_of(node);
    *vectors = *matrices = 0;
    if (!layout)
        return false;
    int count = layout->groups ? (node->input_count - layout->first) / layout->groups : 1;
    for (int i = 0; i < count; i++) {
        const struct nmc_tensor *parameter = nmc_in(node, layout->first + i);
        int64_t elements;
        if (!parameter || parameter->holds != NMC_HOLDS_TENSOR ||
            !nmc_shape_elements(&parameter->shape, &elements))
            return false;
        int64_t *to = parameter->shape.rank <= 1 ? vectors : matrices;
        if (!nmc_add(*to, elements, to))
            return false;
    }
    return count > 0;
}

static neuromc_status emit(const struct nmc_node *node, const struct layout *layout,
                           int64_t vectors, int64_t matrices, int bits,
                           struct nmc_work_sink *sink) {
    struct nmc_fragment f = nmc_optimizer_fragment(
        layout->name, *node->name ? node->name : node->op_type, vectors, matrices, bits);
    f.node_number = node->id + 1;
    f.momentum = f.momentum_buffer = layout->momentum;
    return sink->fragment(sink->user, &f);
}

neuromc_status nmc_emit_optimizer_nodes(const struct nmc_net *net, int bits,
                                        struct nmc_work_sink *sink, neuromc_diags *diags) {
    neuromc_status status = NEUROMC_OK;
    for (uint32_t n = 0; status == NEUROMC_OK && n < net->node_count; n++) {
        const struct nmc_node *node = net->nodes[n];
        int64_t vectors, matrices, all;
        if (node->dead || !node->op || node->op->work != NMC_WORK_OPTIMIZER)
            continue;
        if (nmc_optimizer_parameters(node, &vectors, &matrices) &&
            nmc_add(vectors, matrices, &all)) {
            status = emit(node, layout_of(node), vectors, matrices, bits, sink);
            continue;
        }
        nmc_warning(diags, (struct nmc_place){.file = net->file, .where = node->name},
                    "estimate the training graph with --train instead",
                    "%s is not costed: the file does not list its parameters", node->op_type);
    }
    return status;
}
