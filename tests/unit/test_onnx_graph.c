/* Names and scopes: who makes what, who reads it, and files that contradict themselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "onnx_case.h"

static void scopes(void **state) {
    (void)state;
    struct onnx_case c = onnx_load("onnx/scopes");
    assert_string_equal(c.net->main->nodes[0]->name, "made_later");
    assert_string_equal(c.net->main->nodes[1]->name, "if");
    const struct nmc_node *n1 = onnx_node(&c, "n1"), *n4 = onnx_node(&c, "n4");
    assert_ptr_equal(n1->inputs[0], onnx_node(&c, "made_later")->outputs[0]);
    assert_ptr_equal(n4->inputs[0], onnx_node(&c, "n3")->outputs[0]); /* its own "late" */
    onnx_unload(&c);
}

static void a_warning_each(void **state) {
    (void)state;
    struct onnx_case c = onnx_load("onnx/opset_twice");
    assert_int_equal(c.net->opset, 18);
    assert_non_null(strstr(onnx_only_diag(&c)->message, "opsets 18 and 15 of ai.onnx"));
    onnx_unload(&c);
    c = onnx_load("onnx/initializer_twice");
    assert_int_equal(c.status, NEUROMC_OK);
    assert_non_null(strstr(onnx_only_diag(&c)->message, "\"w\" is in the file twice"));
    onnx_unload(&c);
}

static void plain_oddities(void **state) {
    (void)state;
    struct onnx_case c = onnx_load("onnx/ai_onnx");
    assert_string_equal(onnx_node(&c, "a")->domain, "");
    assert_int_equal(onnx_node(&c, "a")->opset, 12);
    onnx_unload(&c);
    c = onnx_load("onnx/names");
    assert_non_null(onnx_node(&c, "q\"uote\nline"));
    assert_true(onnx_tensor(&c, "x\"\n\x1b")->is_input);
    onnx_unload(&c);
    c = onnx_load("onnx/sparse_initializer");
    assert_true(onnx_tensor(&c, "w")->is_initializer);
    onnx_assert_shape(&c, &onnx_tensor(&c, "w")->shape, "[3, 4]");
    onnx_unload(&c);
    c = onnx_load("onnx/pass_through");
    assert_int_equal(c.net->main->node_count, 0);
    assert_non_null(strstr(onnx_only_diag(&c)->message, "no nodes"));
    assert_true(onnx_tensor(&c, "x")->is_input && onnx_tensor(&c, "x")->is_output);
    onnx_unload(&c);
}

static void contradictions(void **state) {
    (void)state;
    onnx_refused("onnx/initializer_twice_differs", NULL,
                 "initializer \"w\" is in the file twice, with different types or shapes");
    onnx_refused("onnx/input_twice", NULL, "graph input \"x\" is listed twice");
    onnx_refused("onnx/produced_twice", "Relu \"b\"", "makes \"y\", which Add \"a\" makes too");
    onnx_refused("onnx/makes_input", "Relu \"b\"", "makes \"x\", which is an input");
    onnx_refused("onnx/makes_initializer", "Relu \"b\"", "makes \"w\", which is an initializer");
    onnx_refused("onnx/output_undefined", NULL, "graph output \"z\" is not defined");
    onnx_refused("onnx/cycle_through_body", "If \"if\"",
                 "cycle: it needs its own result by way of Relu \"r\"");
}

static void all_undefined_names_are_reported(void **state) {
    (void)state;
    struct onnx_case c = onnx_load("onnx/undefined_twice");
    assert_int_equal(c.status, NEUROMC_BAD_INPUT);
    assert_int_equal(neuromc_diags_count(c.diags), 2);
    assert_non_null(strstr(neuromc_diags_at(c.diags, 1)->message, "\"q\""));
    onnx_unload(&c);
    c = onnx_load("onnx/undefined_in_body");
    assert_int_equal(c.status, NEUROMC_BAD_INPUT);
    assert_string_equal(neuromc_diags_at(c.diags, 0)->where, "Neg \"inside\"");
    onnx_unload(&c);
}

static void depth(void **state) {
    (void)state;
    struct onnx_case c = onnx_load("onnx/nested_32");
    assert_int_equal(c.status, NEUROMC_OK);
    assert_int_equal(c.net->node_count, 33);
    onnx_unload(&c);
    c = onnx_load("onnx/nested_33");
    assert_int_equal(c.status, NEUROMC_BAD_INPUT);
    assert_non_null(strstr(onnx_only_diag(&c)->message, "NMC_LIMIT_GRAPH_DEPTH"));
    assert_non_null(strstr(onnx_only_diag(&c)->where, "graph.node[0].attribute[0].g.node[0]"));
    onnx_unload(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scopes),         cmocka_unit_test(a_warning_each),
        cmocka_unit_test(plain_oddities), cmocka_unit_test(contradictions),
        cmocka_unit_test(depth),          cmocka_unit_test(all_undefined_names_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
