/* If and SequenceMap: which body runs, on what shapes. Loop and Scan are in loop.c. */
#include "graph/infer/carry.h"

/* ---- If ---- */

static neuromc_status branch(struct nmc_infer *infer, const struct nmc_node *node, const char *name,
                             struct nmc_graph **out) {
    neuromc_status status = nmc_body(infer, node, name, out);
    if (status == NEUROMC_OK && (*out)->output_count < node->output_count)
        return nmc_node_error(infer, node, NULL, "%s has %d outputs, %d wanted", name,
                              (*out)->output_count, node->output_count);
    return status;
}

static void take_outputs(struct nmc_infer *infer, struct nmc_node *node, struct nmc_graph *taken,
                         bool constant) {
    node->body = taken;
    for (int i = 0; i < node->output_count; i++) {
        nmc_assign(infer, node->outputs[i], taken->outputs[i]);
        if (node->outputs[i])
            node->outputs[i]->is_constant &= constant;
    }
}

static bool shapes_agree(const struct nmc_shape *a, const struct nmc_shape *b) {
    if (a->rank != b->rank)
        return false;
    for (int i = 0; i < a->rank; i++)
        if (a->dims[i] != b->dims[i])
            return false;
    return true;
}

static bool outputs_agree(const struct nmc_graph *a, const struct nmc_graph *b, int count) {
    for (int i = 0; i < count; i++) {
        const struct nmc_tensor *x = a->outputs[i], *y = b->outputs[i];
        if (x && y && !shapes_agree(&x->shape, &y->shape))
            return false;
    }
    return true;
}

/* Both branches fit: the one with more work is counted. Where they disagree on a shape the
 * counted one's is taken, on a value none. */
static void choose(struct nmc_infer *infer, struct nmc_node *node, struct nmc_graph *then,
                   struct nmc_graph *otherwise) {
    double work = nmc_graph_work(then), other_work = nmc_graph_work(otherwise);
    struct nmc_graph *taken = other_work > work ? otherwise : then;
    struct nmc_graph *left = other_work > work ? then : otherwise;
    take_outputs(infer, node, taken, false);
    for (int i = 0; i < node->output_count; i++)
        if (node->outputs[i] && left->outputs[i])
            nmc_meet_values(infer, node, node->outputs[i], left->outputs[i]);
    if (work > 0 || other_work > 0 || !outputs_agree(taken, left, node->output_count))
        infer->remarks[node->id] |= NMC_REMARK_BRANCH;
    nmc_mark_dead(left, true);
}

/* Not knowing the condition, a branch that does not fit cannot be meant. */
static neuromc_status either(struct nmc_infer *infer, struct nmc_node *node, struct nmc_graph *then,
                             struct nmc_graph *otherwise) {
    neuromc_status first = nmc_try_graph(infer, then), second = nmc_try_graph(infer, otherwise);
    if (first == NEUROMC_IO || second == NEUROMC_IO)
        return NEUROMC_IO;
    if (first != NEUROMC_OK && second != NEUROMC_OK)
        return infer->diags ? nmc_infer_graph(infer, then) : first; /* now say what is wrong */
    if (first == NEUROMC_OK && second == NEUROMC_OK) {
        choose(infer, node, then, otherwise);
        return NEUROMC_OK;
    }
    nmc_mark_dead(first == NEUROMC_OK ? otherwise : then, true);
    take_outputs(infer, node, first == NEUROMC_OK ? then : otherwise, false);
    return NEUROMC_OK;
}

neuromc_status nmc_infer_if(struct nmc_infer *infer, struct nmc_node *node) {
    struct nmc_graph *then, *otherwise;
    neuromc_status status = branch(infer, node, "then_branch", &then);
    if (status == NEUROMC_OK)
        status = branch(infer, node, "else_branch", &otherwise);
    if (status != NEUROMC_OK)
        return status;
    infer->remarks[node->id] = 0;
    nmc_mark_dead(then, false);
    nmc_mark_dead(otherwise, false);
    int condition = nmc_truth(nmc_in(node, 0));
    if (condition < 0)
        return either(infer, node, then, otherwise);
    struct nmc_graph *taken = condition ? then : otherwise;
    nmc_mark_dead(condition ? otherwise : then, true);
    status = nmc_infer_graph(infer, taken);
    if (status == NEUROMC_OK)
        take_outputs(infer, node, taken, nmc_in(node, 0)->is_constant);
    return status;
}

/* ---- SequenceMap: the body once per element ---- */

neuromc_status nmc_infer_sequence_map(struct nmc_infer *infer, struct nmc_node *node) {
    const struct nmc_tensor *sequence = nmc_in(node, 0);
    struct nmc_loop loop = {.node = node, .trips = nmc_stated_trips(infer, node)};
    neuromc_status status = nmc_check_trips(infer, node, sequence ? sequence->length : -1);
    if (loop.trips < 0 && sequence)
        loop.trips = sequence->length;
    if (status == NEUROMC_OK)
        status = nmc_body(infer, node, "body", &loop.body);
    if (status == NEUROMC_OK)
        status = nmc_loop_check(infer, &loop, node->input_count, node->output_count);
    if (status != NEUROMC_OK)
        return status;
    nmc_loop_start(infer, &loop);
    for (int i = 0; i < node->input_count; i++) {
        struct nmc_tensor *element = loop.body->inputs[i];
        nmc_assign(infer, element, nmc_in(node, i));
        element->holds = NMC_HOLDS_TENSOR;
        nmc_forget_values(element);
    }
    status = nmc_infer_graph(infer, loop.body);
    for (int i = 0; status == NEUROMC_OK && i < node->output_count; i++) {
        nmc_assign(infer, node->outputs[i], loop.body->outputs[i]);
        if (node->outputs[i]) {
            node->outputs[i]->holds = NMC_HOLDS_SEQUENCE;
            node->outputs[i]->length = sequence ? sequence->length : -1;
            nmc_forget_values(node->outputs[i]);
        }
    }
    node->trips = loop.trips;
    return status;
}
