/* ONNX files become nets: what the graph says, and what a bad file is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "frontends/onnx.h"

struct load {
    struct nmc_net *net;
    neuromc_diags *diags;
    neuromc_status status;
};

static struct load load(const char *name) {
    struct load l = {.diags = neuromc_diags_new()};
    char path[512];
    snprintf(path, sizeof path, "%s/inputs/onnx/%s.onnx", NMC_TEST_DATA, name);
    l.status = nmc_onnx_load(path, &l.net, l.diags);
    return l;
}

static void unload(struct load *l) {
    nmc_net_free(l->net);
    neuromc_diags_free(l->diags);
}

static const neuromc_diag *only_diag(const struct load *l) {
    assert_int_equal(neuromc_diags_count(l->diags), 1);
    return neuromc_diags_at(l->diags, 0);
}

static void refused(const char *name, const char *where, const char *message) {
    struct load l = load(name);
    assert_int_equal(l.status, NEUROMC_BAD_INPUT);
    assert_null(l.net);
    const neuromc_diag *diag = only_diag(&l);
    assert_int_equal(diag->severity, NEUROMC_ERROR);
    assert_non_null(strstr(diag->message, message));
    if (where)
        assert_string_equal(diag->where, where);
    else
        assert_null(diag->where);
    assert_non_null(strstr(diag->file, name));
    unload(&l);
}

static struct nmc_tensor *tensor(struct load *l, const char *name) {
    for (uint32_t i = 0; i < l->net->tensor_count; i++)
        if (strcmp(l->net->tensors[i]->name, name) == 0)
            return l->net->tensors[i];
    fail_msg("no tensor %s", name);
    return NULL;
}

static void a_convolution(void **state) {
    (void)state;
    struct load l = load("conv_nonsquare_3x1_s2x1");
    assert_int_equal(l.status, NEUROMC_OK);
    assert_int_equal(l.net->opset, 13);
    assert_int_equal(l.net->main->node_count, 1);
    struct nmc_node *conv = l.net->main->nodes[0];
    assert_true(nmc_node_is(conv, "Conv"));
    assert_string_equal(conv->name, "conv0");
    assert_int_equal(conv->opset, 13);
    assert_int_equal(conv->input_count, 2);
    assert_true(conv->inputs[0]->is_input);
    assert_string_equal(nmc_shape_text(l.net, &conv->inputs[0]->shape), "[1, 2, 9, 7]");
    const struct nmc_tensor *w = conv->inputs[1];
    assert_true(w->is_initializer && w->is_constant && !w->is_input);
    assert_int_equal(w->type, NMC_ELEM_float32);
    assert_string_equal(nmc_shape_text(l.net, &w->shape), "[4, 2, 3, 1]");
    assert_int_equal(w->value_count, 24);
    const struct nmc_attr *strides = nmc_attr_find(conv, "strides");
    assert_int_equal(strides->kind, NMC_ATTR_INTS);
    assert_int_equal(strides->count, 2);
    assert_int_equal(strides->ints[0], 2);
    assert_int_equal(strides->ints[1], 1);
    assert_int_equal(l.net->main->output_count, 1);
    assert_ptr_equal(l.net->main->outputs[0], conv->outputs[0]);
    assert_true(conv->outputs[0]->is_output);
    assert_ptr_equal(conv->outputs[0]->producer, conv);
    unload(&l);
}

static void weights_among_the_inputs(void **state) {
    (void)state;
    struct load l = load("conv_ir3_init_in_inputs");
    assert_int_equal(l.net->main->input_count, 1);
    assert_true(tensor(&l, "w")->is_initializer);
    unload(&l);
    l = load("conv_weight_graph_input");
    assert_true(tensor(&l, "w")->is_input);
    assert_false(tensor(&l, "w")->is_constant);
    unload(&l);
}

static void constants(void **state) {
    (void)state;
    struct load l = load("conv_weight_constant_node");
    const struct nmc_tensor *w = l.net->main->nodes[1]->inputs[1];
    assert_true(w->is_constant);
    assert_non_null(w->producer);
    assert_string_equal(nmc_shape_text(l.net, &w->shape), "[4, 3, 3, 3]");
    unload(&l);
    l = load("slice_int64max_reshape");
    bool found = false;
    for (uint32_t i = 0; i < l.net->tensor_count; i++) {
        const struct nmc_tensor *t = l.net->tensors[i];
        found = found || (t->ints && t->value_count == 1 && t->ints[0] == INT64_MAX);
    }
    assert_true(found);
    unload(&l);
}

static void open_dims(void **state) {
    (void)state;
    struct load l = load("dynbatch_sym");
    nmc_dim batch = tensor(&l, "x")->shape.dims[0];
    assert_false(nmc_dim_known(batch));
    const struct nmc_symbol *symbol = &l.net->symbols[nmc_dim_id(batch)];
    assert_string_equal(symbol->name, "N");
    assert_ptr_equal(symbol->input, tensor(&l, "x"));
    assert_int_equal(symbol->axis, 0);
    unload(&l);
    l = load("dynbatch_zero");
    symbol = &l.net->symbols[nmc_dim_id(tensor(&l, "x")->shape.dims[0])];
    assert_string_equal(symbol->name, "x:0");
    unload(&l);
}

static void bodies(void **state) {
    (void)state;
    struct load l = load("loop_static_5");
    struct nmc_node *loop = l.net->main->nodes[0];
    const struct nmc_attr *body = nmc_attr_find(loop, "body");
    assert_int_equal(body->kind, NMC_ATTR_GRAPH);
    assert_int_equal(body->count, 1);
    struct nmc_graph *graph = body->graphs[0];
    assert_ptr_equal(graph->owner, loop);
    assert_ptr_equal(graph->outer, l.net->main);
    assert_int_equal(graph->input_count, 3);
    assert_true(graph->inputs[0]->is_body_input);
    assert_int_equal(graph->output_count, 2);
    /* the weight is the main graph's */
    assert_ptr_equal(graph->nodes[0]->inputs[1], tensor(&l, "w"));
    assert_int_equal(tensor(&l, "w")->consumer_count, 1);
    unload(&l);
    l = load("nested_if_8");
    assert_int_equal(l.status, NEUROMC_OK);
    unload(&l);
}

static void order(void **state) {
    (void)state;
    struct load l = load("unsorted_nodes");
    assert_string_equal(l.net->main->nodes[0]->name, "fc1");
    unload(&l);
    l = load("empty_optional_inputs");
    assert_int_equal(l.status, NEUROMC_OK);
    unload(&l);
    l = load("duplicate_and_empty_names");
    assert_int_equal(l.net->main->node_count, 4);
    unload(&l);
}

static void bad_graphs(void **state) {
    (void)state;
    refused("undefined_input", "Add \"a\"", "reads \"nowhere\", which is not defined");
    refused("cycle", "Add \"n0\"", "cycle");
    refused("bad_negative_dim", NULL, "initializer \"w\": negative dimension -4");
    refused("bad_dims_overflow", NULL, "initializer \"w\": element count overflows");
    refused("no_graph", NULL, "the model has no graph");
}

static void bad_files(void **state) {
    (void)state;
    refused("file_empty", NULL, "empty");
    refused("file_text", NULL, "text, not an ONNX protobuf");
    refused("file_json", NULL, "JSON");
    refused("file_git_lfs_pointer", NULL, "Git LFS pointer");
    refused("file_random_bytes", "byte 6", "not a valid ONNX file");
    refused("file_truncated_half", "byte 17", "declared length 538 exceeds the file");
    refused("len_huge_2g", "byte 2", "declared length 2147483647 exceeds the file");
    refused("varint_overlong", "byte 0", "malformed varint");
    refused("field_zero", "byte 0", "field number 0 is not valid");
}

static void warnings(void **state) {
    (void)state;
    struct load l = load("raw_data_short");
    assert_int_equal(l.status, NEUROMC_OK);
    assert_non_null(strstr(only_diag(&l)->message, "holds 100 bytes, its shape wants 432"));
    assert_null(tensor(&l, "w")->reals);
    unload(&l);
    l = load("no_opset_import");
    assert_int_equal(l.net->opset, 1);
    assert_int_equal(only_diag(&l)->severity, NEUROMC_WARNING);
    unload(&l);
    l = load("future_ir_opset");
    assert_int_equal(l.status, NEUROMC_OK);
    assert_int_equal(neuromc_diags_count(l.diags), 2);
    unload(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_convolution), cmocka_unit_test(weights_among_the_inputs),
        cmocka_unit_test(constants),     cmocka_unit_test(open_dims),
        cmocka_unit_test(bodies),        cmocka_unit_test(order),
        cmocka_unit_test(bad_graphs),    cmocka_unit_test(bad_files),
        cmocka_unit_test(warnings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
