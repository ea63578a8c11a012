/* Loop and Scan: how often the body runs, and what an axis of iterations adds to shapes. */
#include "base/checked.h"
#include "graph/infer/carry.h"

/* ---- Loop ---- */

/* A scalar the loop itself hands to its body. */
static neuromc_status set_scalar(struct nmc_infer *infer, struct nmc_tensor *tensor,
                                 enum nmc_elem type, nmc_dim value) {
    tensor->type = type;
    /* Some exporters make it a vector of one. */
    int rank = tensor->declared.rank == 1;
    nmc_shape_set(infer->net, &tensor->shape, rank, &(nmc_dim){1});
    tensor->ints = nmc_arena_copy(&infer->net->arena, &value, sizeof value);
    tensor->value_count = 1;
    tensor->is_constant = false;
    return tensor->ints ? NEUROMC_OK : NEUROMC_IO;
}

/* Iterations as far as they are known without the body; a count near the largest integer is how
 * exporters write a while loop. */
static int64_t most_trips(const struct nmc_node *node) {
    int64_t count;
    if (nmc_truth(nmc_in(node, 1)) == 0)
        return 0;
    const nmc_dim *most = nmc_in_ints(node, 0, &count);
    if (!most || count != 1 || !nmc_dim_known(most[0]) || most[0] >= INT64_MAX / 2)
        return -1;
    return most[0] < 0 ? 0 : most[0];
}

/* Outputs behind the carried ones: one element of each iteration, stacked in front. */
static neuromc_status stack(struct nmc_infer *infer, const struct nmc_loop *loop, int index,
                            int axis, nmc_dim trips) {
    struct nmc_tensor *output = loop->node->outputs[index];
    const struct nmc_tensor *element = loop->body->outputs[loop->body_out + index];
    if (!output || !element)
        return NEUROMC_OK;
    nmc_assign(infer, output, element);
    nmc_forget_values(output);
    return nmc_insert_axis(infer, loop->node, output, axis, trips);
}

static neuromc_status stack_all(struct nmc_infer *infer, const struct nmc_loop *loop) {
    nmc_dim trips = loop->trips >= 0 ? loop->trips : nmc_unknown(infer, loop->node);
    neuromc_status status = NEUROMC_OK;
    for (int i = loop->count; status == NEUROMC_OK && i < loop->node->output_count; i++)
        status = stack(infer, loop, i, 0, trips);
    return status;
}

/* Outputs are the initial values and empty stacks. */
static neuromc_status never_runs(struct nmc_infer *infer, const struct nmc_loop *loop) {
    neuromc_status status = nmc_try_graph(infer, loop->body);
    nmc_mark_dead(loop->body, true);
    for (int k = 0; k < loop->count && k < loop->node->output_count; k++)
        nmc_assign(infer, loop->node->outputs[k], nmc_in(loop->node, loop->node_in + k));
    return status == NEUROMC_IO ? status : stack_all(infer, loop);
}

static neuromc_status runs(struct nmc_infer *infer, struct nmc_loop *loop) {
    const struct nmc_node *node = loop->node;
    bool stated = nmc_stated_trips(infer, node) >= 0;
    bool starts = stated || !nmc_in(node, 1) || nmc_truth(nmc_in(node, 1)) == 1;
    loop->go_on = stated ? NULL : loop->body->outputs[0];
    neuromc_status status = nmc_loop_settle(infer, loop);
    if (status != NEUROMC_OK)
        return status;
    bool certain = starts && (stated || loop->trips <= 1 || nmc_truth(loop->go_on) == 1);
    if (!certain && loop->trips > 0 && nmc_graph_work(loop->body) > 0)
        infer->remarks[node->id] |= NMC_REMARK_TRIPS;
    nmc_loop_finish(infer, loop);
    return stack_all(infer, loop);
}

/* A stated count may end a loop early only where its condition could. */
static neuromc_status check_stated(struct nmc_infer *infer, const struct nmc_loop *loop,
                                   int64_t most) {
    const struct nmc_node *node = loop->node;
    bool starts = !nmc_in(node, 1) || nmc_truth(nmc_in(node, 1)) == 1;
    bool goes_on = nmc_truth(loop->body->outputs[0]) == 1;
    bool open = most < 0 || (nmc_stated_trips(infer, node) <= most && !(starts && goes_on));
    return open ? NEUROMC_OK : nmc_check_trips(infer, node, most);
}

neuromc_status nmc_infer_loop(struct nmc_infer *infer, struct nmc_node *node) {
    struct nmc_loop loop = {.node = node, .node_in = 2, .body_in = 2, .body_out = 1};
    loop.count = node->input_count > 2 ? node->input_count - 2 : 0;
    int outputs = loop.count > node->output_count ? loop.count : node->output_count;
    neuromc_status status = nmc_body(infer, node, "body", &loop.body);
    if (status == NEUROMC_OK)
        status = nmc_loop_check(infer, &loop, loop.count + 2, outputs + 1);
    if (status != NEUROMC_OK)
        return status;
    nmc_loop_start(infer, &loop);
    int64_t most = most_trips(node), stated = nmc_stated_trips(infer, node);
    loop.trips = stated >= 0 ? stated : most;
    nmc_dim number = loop.trips == 1 ? 0 : nmc_unknown(infer, node);
    status = set_scalar(infer, loop.body->inputs[0], NMC_ELEM_int64, number);
    if (status == NEUROMC_OK) /* within the body the condition has held */
        status = set_scalar(infer, loop.body->inputs[1], NMC_ELEM_bool, 1);
    if (status == NEUROMC_OK)
        status = loop.trips == 0 ? never_runs(infer, &loop) : runs(infer, &loop);
    if (status == NEUROMC_OK)
        status = check_stated(infer, &loop, most);
    node->trips = loop.trips;
    return status;
}

/* ---- Scan ---- */

/* Version 8 runs the body over a batch in front as well, and takes sequence lengths first. */
struct scan {
    struct nmc_loop loop;
    int inputs; /* scanned inputs, behind the carried ones */
    bool batched;
    nmc_dim batch, steps;
    const int64_t *in_axes, *out_axes;
    int64_t in_axis_count, out_axis_count;
};

static neuromc_status read_scan(struct nmc_infer *infer, struct nmc_node *node, struct scan *scan) {
    int64_t scanned;
    neuromc_status status = nmc_body(infer, node, "body", &scan->loop.body);
    if (status == NEUROMC_OK)
        status = nmc_attr_size(infer, node, "num_scan_inputs", 0, &scanned);
    if (status == NEUROMC_OK)
        status =
            nmc_attr_ints(infer, node, "scan_input_axes", &scan->in_axes, &scan->in_axis_count);
    if (status == NEUROMC_OK)
        status =
            nmc_attr_ints(infer, node, "scan_output_axes", &scan->out_axes, &scan->out_axis_count);
    if (status != NEUROMC_OK)
        return status;
    int64_t behind = node->input_count - scan->batched, count = behind - scanned;
    if (scanned < 1 || scanned > behind)
        return nmc_node_error(infer, node, NULL, "num_scan_inputs is %lld, but there are %d inputs",
                              (long long)scanned, node->input_count);
    scan->inputs = (int)scanned;
    scan->loop.count = (int)count;
    int outputs = node->output_count > count ? node->output_count : (int)count;
    return nmc_loop_check(infer, &scan->loop, (int)(count + scanned), outputs);
}

static neuromc_status equal_steps(struct nmc_infer *infer, const struct nmc_node *node,
                                  const char *what, nmc_dim *steps, nmc_dim more) {
    if (!nmc_unify(infer, *steps, more))
        return nmc_node_error(infer, node, NULL, "its inputs have %lld and %lld %s",
                              (long long)*steps, (long long)more, what);
    if (!nmc_dim_known(*steps))
        *steps = more;
    return NEUROMC_OK;
}

/* One element of scanned input i goes to the body; its axis counts the iterations. */
static neuromc_status scan_in(struct nmc_infer *infer, struct scan *scan, int i) {
    const struct nmc_node *node = scan->loop.node;
    const struct nmc_tensor *input = nmc_in(node, scan->loop.node_in + scan->loop.count + i);
    struct nmc_tensor *element = scan->loop.body->inputs[scan->loop.count + i];
    nmc_assign(infer, element, input);
    nmc_forget_values(element);
    if (!input || input->shape.rank < 0)
        return NEUROMC_OK;
    int axis;
    int64_t said = i < scan->in_axis_count ? scan->in_axes[i] : scan->batched;
    neuromc_status status =
        nmc_axis(infer, node, "scan_input_axes", said, input->shape.rank, &axis);
    if (status == NEUROMC_OK)
        status = equal_steps(infer, node, "steps", &scan->steps, input->shape.dims[axis]);
    if (status == NEUROMC_OK && scan->batched)
        status = equal_steps(infer, node, "batches", &scan->batch, input->shape.dims[0]);
    nmc_remove_axis(element, axis);
    if (scan->batched)
        nmc_remove_axis(element, 0);
    return status;
}

static neuromc_status scan_out(struct nmc_infer *infer, const struct scan *scan, int index) {
    const struct nmc_loop *loop = &scan->loop;
    struct nmc_tensor *output = loop->node->outputs[index];
    const struct nmc_tensor *element = loop->body->outputs[index];
    int64_t which = index - loop->count;
    int axis = 0;
    if (which >= 0 && which < scan->out_axis_count && element && element->shape.rank >= 0) {
        neuromc_status status = nmc_axis(infer, loop->node, "scan_output_axes",
                                         scan->out_axes[which], element->shape.rank + 1, &axis);
        if (status != NEUROMC_OK)
            return status;
    }
    neuromc_status status = which < 0 ? NEUROMC_OK : stack(infer, loop, index, axis, scan->steps);
    if (status == NEUROMC_OK && output && scan->batched)
        status = nmc_insert_axis(infer, loop->node, output, 0, scan->batch);
    return status;
}

static int64_t scan_trips(const struct scan *scan) {
    int64_t trips;
    if (!nmc_dim_known(scan->steps) || (scan->batched && !nmc_dim_known(scan->batch)))
        return -1;
    return nmc_mul(scan->steps, scan->batched ? scan->batch : 1, &trips) ? trips : -1;
}

neuromc_status nmc_infer_scan(struct nmc_infer *infer, struct nmc_node *node) {
    struct scan scan = {.loop = {.node = node}, .batched = nmc_before(node, 9)};
    scan.loop.node_in = scan.batched;
    scan.steps = nmc_unknown(infer, node);
    scan.batch = scan.batched ? nmc_unknown(infer, node) : 1;
    neuromc_status status = read_scan(infer, node, &scan);
    if (status != NEUROMC_OK)
        return status;
    nmc_loop_start(infer, &scan.loop);
    for (int k = 0; scan.batched && k < scan.loop.count; k++)
        nmc_remove_axis(scan.loop.body->inputs[k], 0);
    for (int i = 0; status == NEUROMC_OK && i < scan.inputs; i++)
        status = scan_in(infer, &scan, i);
    if (status != NEUROMC_OK)
        return status;
    int64_t known = scan_trips(&scan), stated = nmc_stated_trips(infer, node);
    node->trips = scan.loop.trips = known >= 0 ? known : stated;
    status = nmc_check_trips(infer, node, known);
    if (status != NEUROMC_OK)
        return status;
    status = nmc_loop_settle(infer, &scan.loop);
    nmc_loop_finish(infer, &scan.loop);
    for (int i = 0; status == NEUROMC_OK && i < node->output_count; i++)
        status = scan_out(infer, &scan, i);
    if (node->trips == 0)
        nmc_mark_dead(node->body, true);
    return status;
}
