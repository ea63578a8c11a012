/* Local functions: inlined with their attributes, scopes and outputs; neurons left as calls. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "onnx_case.h"

static void nested_calls_pass_attributes_on(void **state) {
    (void)state;
    struct onnx_case c = onnx_load("onnx/function_nested");
    assert_int_equal(c.net->main->node_count, 2);
    const struct nmc_node *first = onnx_node(&c, "first/in/conv");
    assert_true(nmc_node_is(first, "Conv"));
    assert_int_equal(first->opset, 15); /* the function's own import; the model's is 13 */
    assert_int_equal(nmc_attr_find(first, "strides")->ints[0], 2);
    assert_null(nmc_attr_find(first, "group")); /* nobody gave it */
    assert_ptr_equal(first->inputs[0], onnx_tensor(&c, "x"));
    assert_ptr_equal(first->inputs[1], onnx_tensor(&c, "w"));
    assert_ptr_equal(first->outputs[0], onnx_tensor(&c, "y"));
    /* a call without a name goes by its function's */
    const struct nmc_node *second = onnx_node(&c, "Outer/in/conv");
    assert_null(nmc_attr_find(second, "strides"));
    assert_ptr_equal(second->inputs[0], first->outputs[0]);
    onnx_unload(&c);
}

static void attributes_have_defaults(void **state) {
    (void)state;
    struct onnx_case c = onnx_load("onnx/function_default");
    assert_true(nmc_attr_find(onnx_node(&c, "p/act"), "alpha")->f == 0.25);
    assert_true(nmc_attr_find(onnx_node(&c, "q/act"), "alpha")->f == 0.5);
    onnx_unload(&c);
}

static void references_to_an_int(void **state) {
    (void)state;
    struct onnx_case c = onnx_load("inputs/onnx/function_two_calls");
    assert_int_equal(nmc_attr_find(onnx_node(&c, "call0/fconv"), "group")->i, 1);
    assert_int_equal(nmc_attr_find(onnx_node(&c, "call1/fconv"), "group")->i, 4);
    onnx_unload(&c);
}

static void overloads(void **state) {
    (void)state;
    struct onnx_case c = onnx_load("onnx/function_overload");
    assert_int_equal(c.net->main->node_count, 1);
    assert_true(nmc_node_is(c.net->main->nodes[0], "Tanh"));
    onnx_unload(&c);
}

static void outputs_that_are_inputs(void **state) {
    (void)state;
    struct onnx_case c = onnx_load("onnx/function_pass");
    const struct nmc_node *y = onnx_tensor(&c, "y")->producer;
    assert_true(nmc_node_is(y, "Identity"));
    assert_ptr_equal(y->inputs[0], onnx_tensor(&c, "x"));
    const struct nmc_node *z = onnx_tensor(&c, "z")->producer;
    assert_true(nmc_node_is(z, "Clip"));
    assert_null(z->inputs[1]); /* the call left it away */
    assert_non_null(onnx_tensor(&c, "p/d"));
    onnx_unload(&c);
}

static void subgraphs_inside(void **state) {
    (void)state;
    struct onnx_case c = onnx_load("onnx/function_subgraph");
    const struct nmc_node *then = onnx_node(&c, "f/then");
    assert_ptr_equal(then->inputs[0], onnx_tensor(&c, "x"));
    assert_ptr_equal(then->graph->owner, onnx_node(&c, "f/if"));
    onnx_unload(&c);
}

static void subgraphs_as_attributes(void **state) {
    (void)state;
    struct onnx_case c = onnx_load("onnx/function_graph_attribute");
    const struct nmc_node *then = onnx_node(&c, "then");
    assert_ptr_equal(then->inputs[0], onnx_tensor(&c, "x"));
    assert_ptr_equal(then->graph->owner, onnx_node(&c, "f/if"));
    assert_ptr_equal(then->graph->outer, c.net->main);
    onnx_unload(&c);
}

static void neurons_stay_calls(void **state) {
    (void)state;
    struct onnx_case c = onnx_load("onnx/function_soma");
    const struct nmc_node *lif = onnx_node(&c, "n1");
    assert_string_equal(lif->op_type, "LIF");
    assert_string_equal(lif->domain, "local");
    assert_int_equal(lif->input_count, 3);
    /* named like a neuron, but with a convolution inside that would be lost */
    assert_true(nmc_node_is(onnx_tensor(&c, "n2/c")->producer, "Conv"));
    assert_true(nmc_node_is(onnx_tensor(&c, "u")->producer, "Cast"));
    onnx_unload(&c);

    const char *const mine[] = {"Spiker"};
    struct nmc_onnx_options options = {.soma_ops = mine, .soma_op_count = 1};
    c = onnx_load_with("onnx/function_soma", &options);
    assert_string_equal(onnx_node(&c, "n3")->op_type, "Spiker");
    onnx_unload(&c);
}

static void bad_functions(void **state) {
    (void)state;
    onnx_refused("inputs/onnx/function_recursive", NULL, "recursive function local::Rec");
    onnx_refused("onnx/function_recursive_subgraph", NULL, "recursive function local::Rec");
    onnx_refused("onnx/function_doubling", NULL, "NMC_LIMIT_NODES");
    onnx_refused("onnx/function_deep", NULL, "NMC_LIMIT_GRAPH_DEPTH");
    onnx_refused("onnx/function_no_output", NULL,
                 "function local::Lazy does not make its output \"b\"");
    onnx_refused("onnx/function_many_inputs", NULL,
                 "call \"l\": 2 inputs, function local::One takes 1");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nested_calls_pass_attributes_on),
        cmocka_unit_test(attributes_have_defaults),
        cmocka_unit_test(references_to_an_int),
        cmocka_unit_test(overloads),
        cmocka_unit_test(outputs_that_are_inputs),
        cmocka_unit_test(subgraphs_inside),
        cmocka_unit_test(subgraphs_as_attributes),
        cmocka_unit_test(neurons_stay_calls),
        cmocka_unit_test(bad_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
