#include "model/elementwise.h"

#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "graph/infer.h"
#include "graph/ops.h"
#include "model/lower.h"

enum class { OUT, IN, WINDOW, ROWS, CLASSES };

struct row {
    const char *domain, *op;
    enum class per;
    int add, mul, comp, sqrt;
};

static const struct row rows[] = {
#define EW(domain, op, per, add, mul, comp, sqrt) {domain, #op, per, add, mul, comp, sqrt},
#include "model/elementwise.def"
#undef EW
};

enum { ROW_COUNT = sizeof rows / sizeof *rows };

static bool matches(const struct row *row, const struct nmc_node *node) {
    return strcmp(row->op, node->op_type) == 0 && strcmp(row->domain, node->domain) == 0;
}

bool nmc_is_elementwise(const struct nmc_node *node) {
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (matches(&rows[i], node))
            return true;
    return false;
}

void nmc_elementwise_text(const struct nmc_op *op, char out[128]) {
    static const char *const classes[CLASSES] = {"output", "input", "window", "row"};
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < ROW_COUNT; i++) {
        const struct row *row = &rows[i];
        if (strcmp(row->op, op->name) != 0 || strcmp(row->domain, op->domain) != 0)
            continue;
        const int counts[] = {row->add, row->mul, row->comp, row->sqrt};
        static const char *const names[] = {"add", "mul", "comp", "sqrt"};
        for (int p = 0; p < 4; p++)
            if (counts[p] && used < 100)
                used += (size_t)snprintf(out + used, 128 - used, "%s%d %s/%s", used ? ", " : "",
                                         counts[p], names[p], classes[row->per]);
    }
}

/* ---- sizes ---- */

static bool elements_of(const struct nmc_tensor *tensor, int64_t *out) {
    return tensor && nmc_shape_elements(&tensor->shape, out);
}

static bool window(const struct nmc_node *node, int64_t *out) {
    const struct nmc_attr *kernel = nmc_attr_find(node, "kernel_shape");
    *out = 1;
    return !kernel || kernel->kind != NMC_ATTR_INTS ||
           nmc_product(kernel->ints, (int)kernel->count, out);
}

static bool class_sizes(const struct nmc_node *node, int64_t sizes[CLASSES]) {
    const struct nmc_tensor *output = node->output_count ? node->outputs[0] : NULL;
    int64_t positions;
    if (!output || !elements_of(output, &sizes[OUT]) || !elements_of(nmc_in(node, 0), &sizes[IN]) ||
        !window(node, &positions))
        return false;
    int rank = output->shape.rank;
    int64_t last = rank ? output->shape.dims[rank - 1] : 1;
    sizes[ROWS] = last > 0 ? sizes[OUT] / last : 0;
    return nmc_mul(sizes[OUT], positions, &sizes[WINDOW]);
}

static bool count_primitives(const struct nmc_node *node, struct nmc_fragment *f) {
    int64_t sizes[CLASSES], part;
    if (!class_sizes(node, sizes))
        return false;
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (!matches(&rows[i], node))
            continue;
        const int counts[NMC_PRIMITIVES] = {[NMC_ADD] = rows[i].add,
                                            [NMC_MUL] = rows[i].mul,
                                            [NMC_COMP] = rows[i].comp,
                                            [NMC_SQRT] = rows[i].sqrt};
        for (int p = 0; p < NMC_PRIMITIVES; p++)
            if (!nmc_mul(sizes[rows[i].per], counts[p], &part) ||
                !nmc_add(f->primitives[p], part, &f->primitives[p]))
                return false;
    }
    f->output_elements = sizes[OUT];
    return true;
}

static bool count_inputs(const struct nmc_node *node, struct nmc_fragment *f) {
    for (int i = 0; i < node->input_count; i++) {
        int64_t elements;
        if (!node->inputs[i] || node->inputs[i]->is_constant)
            continue;
        if (!elements_of(node->inputs[i], &elements) ||
            !nmc_add(f->input_elements, elements, &f->input_elements))
            return false;
    }
    return true;
}

/* ---- emitting ---- */

struct emitter {
    struct nmc_net *net;
    const struct nmc_precision *precision;
    struct nmc_work_sink *sink;
    neuromc_diags *diags;
};

static neuromc_status emit(const struct emitter *e, const struct nmc_node *node, int64_t times) {
    struct nmc_arena *arena = &e->net->arena;
    struct nmc_fragment f = nmc_fragment_new();
    f.stage = "forward";
    f.op = nmc_arena_printf(arena, "elementwise.%s", node->op_type);
    f.node = *node->name ? node->name : nmc_arena_printf(arena, "%s#%u", node->op_type, node->id);
    if (!f.op || !f.node)
        return nmc_out_of_memory(e->diags);
    f.node_number = node->id + 1;
    f.phase = NMC_FORWARD;
    f.core = NMC_CORE_ANN_FE;
    f.elementwise = true;
    f.times = times;
    f.input_bits = e->precision->activation_bits;
    f.weight_bits = e->precision->weight_bits;
    f.output_bits = e->precision->output_bits;
    if (!count_primitives(node, &f) || !count_inputs(node, &f))
        return nmc_error(e->diags, NEUROMC_BAD_INPUT, nmc_node_place(e->net, node),
                         "leave out --elementwise to list it without a cost",
                         "its elements cannot be counted");
    return e->sink->fragment(e->sink->user, &f);
}

static neuromc_status walk(const struct emitter *e, const struct nmc_graph *graph, int64_t times) {
    neuromc_status status = NEUROMC_OK;
    for (int n = 0; status == NEUROMC_OK && n < graph->node_count; n++) {
        const struct nmc_node *node = graph->nodes[n];
        if (nmc_node_coverage(node, false, false) == NMC_COVER_UNMODELLED &&
            nmc_is_elementwise(node))
            status = emit(e, node, times);
        int64_t inner = times;
        bool loops = node->body && !nmc_node_is(node, "If");
        if (loops && (node->trips < 0 || !nmc_mul(times, node->trips, &inner)))
            return nmc_error(e->diags, NEUROMC_BAD_INPUT, nmc_node_place(e->net, node),
                             "say it: --trip NODE=N", "its trip count is not known");
        if (status == NEUROMC_OK && node->body && inner > 0)
            status = walk(e, node->body, inner);
    }
    return status;
}

neuromc_status nmc_emit_elementwise(struct nmc_net *net, const struct nmc_precision *precision,
                                    struct nmc_work_sink *sink, neuromc_diags *diags) {
    const struct emitter e = {net, precision, sink, diags};
    return walk(&e, net->main, 1);
}
