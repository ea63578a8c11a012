/* ONNX files become nets: what the graph says, and what a bad file is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "onnx_case.h"

static void a_convolution(void **state) {
    (void)state;
    struct onnx_case c = onnx_load("inputs/onnx/conv_nonsquare_3x1_s2x1");
    assert_int_equal(c.status, NEUROMC_OK);
    assert_int_equal(c.net->opset, 13);
    assert_int_equal(c.net->main->node_count, 1);
    struct nmc_node *conv = c.net->main->nodes[0];
    assert_true(nmc_node_is(conv, "Conv"));
    assert_string_equal(conv->name, "conv0");
    assert_int_equal(conv->opset, 13);
    assert_int_equal(conv->input_count, 2);
    assert_true(conv->inputs[0]->is_input);
    onnx_assert_shape(&c, &conv->inputs[0]->shape, "[1, 2, 9, 7]");
    const struct nmc_tensor *w = conv->inputs[1];
    assert_true(w->is_initializer && w->is_constant && !w->is_input);
    assert_int_equal(w->type, NMC_ELEM_float32);
    onnx_assert_shape(&c, &w->shape, "[4, 2, 3, 1]");
    assert_int_equal(w->value_count, 24);
    const struct nmc_attr *strides = nmc_attr_find(conv, "strides");
    assert_int_equal(strides->kind, NMC_ATTR_INTS);
    assert_int_equal(strides->count, 2);
    assert_int_equal(strides->ints[0], 2);
    assert_int_equal(strides->ints[1], 1);
    assert_int_equal(c.net->main->output_count, 1);
    assert_ptr_equal(c.net->main->outputs[0], conv->outputs[0]);
    assert_true(conv->outputs[0]->is_output);
    assert_ptr_equal(conv->outputs[0]->producer, conv);
    onnx_unload(&c);
}

static void weights_among_the_inputs(void **state) {
    (void)state;
    struct onnx_case c = onnx_load("inputs/onnx/conv_ir3_init_in_inputs");
    assert_int_equal(c.net->main->input_count, 1);
    assert_true(onnx_tensor(&c, "w")->is_initializer);
    onnx_unload(&c);
    c = onnx_load("inputs/onnx/conv_weight_graph_input");
    assert_true(onnx_tensor(&c, "w")->is_input);
    assert_false(onnx_tensor(&c, "w")->is_constant);
    onnx_unload(&c);
}

static void constants(void **state) {
    (void)state;
    struct onnx_case c = onnx_load("inputs/onnx/conv_weight_constant_node");
    const struct nmc_tensor *w = c.net->main->nodes[1]->inputs[1];
    assert_true(w->is_constant);
    assert_non_null(w->producer);
    onnx_assert_shape(&c, &w->shape, "[4, 3, 3, 3]");
    onnx_unload(&c);
    c = onnx_load("inputs/onnx/slice_int64max_reshape");
    bool found = false;
    for (uint32_t i = 0; i < c.net->tensor_count; i++) {
        const struct nmc_tensor *t = c.net->tensors[i];
        found = found || (t->ints && t->value_count == 1 && t->ints[0] == INT64_MAX);
    }
    assert_true(found);
    onnx_unload(&c);
}

static void open_dims(void **state) {
    (void)state;
    struct onnx_case c = onnx_load("inputs/onnx/dynbatch_sym");
    nmc_dim batch = onnx_tensor(&c, "x")->shape.dims[0];
    assert_false(nmc_dim_known(batch));
    const struct nmc_symbol *symbol = &c.net->symbols[nmc_dim_id(batch)];
    assert_string_equal(symbol->name, "N");
    assert_ptr_equal(symbol->input, onnx_tensor(&c, "x"));
    assert_int_equal(symbol->axis, 0);
    onnx_unload(&c);
    c = onnx_load("inputs/onnx/dynbatch_zero");
    symbol = &c.net->symbols[nmc_dim_id(onnx_tensor(&c, "x")->shape.dims[0])];
    assert_string_equal(symbol->name, "x:0");
    onnx_unload(&c);
}

static void bodies(void **state) {
    (void)state;
    struct onnx_case c = onnx_load("inputs/onnx/loop_static_5");
    struct nmc_node *loop = c.net->main->nodes[0];
    const struct nmc_attr *body = nmc_attr_find(loop, "body");
    assert_int_equal(body->kind, NMC_ATTR_GRAPH);
    assert_int_equal(body->count, 1);
    struct nmc_graph *graph = body->graphs[0];
    assert_ptr_equal(graph->owner, loop);
    assert_ptr_equal(graph->outer, c.net->main);
    assert_int_equal(graph->input_count, 3);
    assert_true(graph->inputs[0]->is_body_input);
    assert_int_equal(graph->output_count, 2);
    /* the weight is the main graph's */
    assert_ptr_equal(graph->nodes[0]->inputs[1], onnx_tensor(&c, "w"));
    assert_int_equal(onnx_tensor(&c, "w")->consumer_count, 1);
    onnx_unload(&c);
    c = onnx_load("inputs/onnx/nested_if_8");
    assert_int_equal(c.status, NEUROMC_OK);
    onnx_unload(&c);
}

static void order(void **state) {
    (void)state;
    struct onnx_case c = onnx_load("inputs/onnx/unsorted_nodes");
    assert_string_equal(c.net->main->nodes[0]->name, "fc1");
    onnx_unload(&c);
    c = onnx_load("inputs/onnx/empty_optional_inputs");
    assert_int_equal(c.status, NEUROMC_OK);
    onnx_unload(&c);
    c = onnx_load("inputs/onnx/duplicate_and_empty_names");
    assert_int_equal(c.net->main->node_count, 4);
    onnx_unload(&c);
}

static void bad_graphs(void **state) {
    (void)state;
    onnx_refused("inputs/onnx/undefined_input", "Add \"a\"",
                 "reads \"nowhere\", which is not defined");
    onnx_refused("inputs/onnx/cycle", "Add \"n0\"", "cycle");
    onnx_refused("inputs/onnx/bad_negative_dim", NULL, "initializer \"w\": negative dimension -4");
    onnx_refused("inputs/onnx/bad_dims_overflow", NULL,
                 "initializer \"w\": element count overflows");
    onnx_refused("inputs/onnx/no_graph", NULL, "the model has no graph");
}

static void bad_files(void **state) {
    (void)state;
    onnx_refused("inputs/onnx/file_empty", NULL, "empty");
    onnx_refused("inputs/onnx/file_text", NULL, "text, not an ONNX protobuf");
    onnx_refused("inputs/onnx/file_json", NULL, "JSON");
    onnx_refused("inputs/onnx/file_git_lfs_pointer", NULL, "Git LFS pointer");
    onnx_refused("inputs/onnx/file_random_bytes", "byte 6", "not a valid ONNX file");
    onnx_refused("inputs/onnx/file_truncated_half", "byte 17",
                 "declared length 538 exceeds the file");
    onnx_refused("inputs/onnx/len_huge_2g", "byte 2",
                 "declared length 2147483647 exceeds the file");
    onnx_refused("inputs/onnx/varint_overlong", "byte 0", "malformed varint");
    onnx_refused("inputs/onnx/field_zero", "byte 0", "field number 0 is not valid");
}

/* What a file that is not ONNX seems to be. */
static void sniffed(void **state) {
    (void)state;
    static const struct {
        const char *bytes, *message;
    } files[] = {
        {"{\"graph\": {}}", "JSON"},
        {"<!DOCTYPE html>", "HTML"},
        {"PK\x03\x04rest", "ZIP"},
        {"\x1f\x8b\x08rest", "gzip"},
        {"\x89PNG\r\n\x1a\n", "PNG"},
        {"\xff\xd8\xff\xe0JFIF", "JPEG"},
        {"\x80\x02}q", "pickle"},
        {"\x93NUMPY", "NumPy"},
        {"\x18\x01\x02\x03TFL3", "TensorFlow Lite"},
        {"GGUF\x03", "GGUF"},
        {"version https://git-lfs.github.com/spec/v1\n", "Git LFS pointer"},
        {"just a n\xc3\xb6te\n", "text"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct onnx_case c = onnx_parse(files[i].bytes, strlen(files[i].bytes));
        assert_int_equal(c.status, NEUROMC_BAD_INPUT);
        if (!strstr(onnx_only_diag(&c)->message, files[i].message))
            fail_msg("%s: %s", files[i].message, onnx_only_diag(&c)->message);
        onnx_unload(&c);
    }
}

/* Text longer than what is looked at, cut inside a character there or not. */
static void long_text(void **state) {
    (void)state;
    for (size_t shift = 0; shift < 3; shift++) {
        char text[400];
        for (size_t i = 0; i < sizeof text; i++)
            text[i] = i < shift ? 'x' : "\xe2\x82\xac"[(i - shift) % 3];
        struct onnx_case c = onnx_parse(text, sizeof text);
        assert_string_equal(onnx_only_diag(&c)->message, "text, not an ONNX protobuf");
        onnx_unload(&c);
    }
}

static void warnings(void **state) {
    (void)state;
    struct onnx_case c = onnx_load("inputs/onnx/raw_data_short");
    assert_int_equal(c.status, NEUROMC_OK);
    assert_non_null(strstr(onnx_only_diag(&c)->message, "holds 100 bytes, its shape wants 432"));
    assert_null(onnx_tensor(&c, "w")->reals);
    onnx_unload(&c);
    c = onnx_load("inputs/onnx/no_opset_import");
    assert_int_equal(c.net->opset, 1);
    assert_int_equal(onnx_only_diag(&c)->severity, NEUROMC_WARNING);
    onnx_unload(&c);
    c = onnx_load("inputs/onnx/future_ir_opset");
    assert_int_equal(c.status, NEUROMC_OK);
    assert_int_equal(neuromc_diags_count(c.diags), 2);
    onnx_unload(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_convolution), cmocka_unit_test(weights_among_the_inputs),
        cmocka_unit_test(constants),     cmocka_unit_test(open_dims),
        cmocka_unit_test(bodies),        cmocka_unit_test(order),
        cmocka_unit_test(bad_graphs),    cmocka_unit_test(bad_files),
        cmocka_unit_test(warnings),      cmocka_unit_test(sniffed),
        cmocka_unit_test(long_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
