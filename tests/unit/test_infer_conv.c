/* Shapes of convolutions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "net_builder.h"

static int setup(void **state) {
    static struct net_builder b;
    nb_init(&b, 17);
    *state = &b;
    return 0;
}

static int teardown(void **state) {
    nb_free(*state);
    return 0;
}

static struct nmc_node *conv(struct net_builder *b, const char *op, const char *x, const char *w) {
    struct nmc_tensor *in = nb_input(b, "x", x), *weight = nb_weight(b, "w", w);
    return nb_node(b, op, "c", 2, (struct nmc_tensor *[]){in, weight}, 1);
}

static void gives(struct net_builder *b, const struct nmc_node *node, const char *shape) {
    assert_int_equal(nb_infer(b, NULL), NEUROMC_OK);
    nb_assert_shape(b, node->outputs[0], shape);
}

static void test_defaults(void **state) {
    gives(*state, conv(*state, "Conv", "1,3,6,6", "4,3,3,2"), "1,4,4,5");
}

static void test_stride_and_pads(void **state) {
    struct nmc_node *node = conv(*state, "Conv", "1,2,9,7", "4,2,3,1");
    nb_attr_ints(*state, node, "strides", "2,1");
    nb_attr_ints(*state, node, "pads", "1,0,0,0");
    gives(*state, node, "1,4,4,7");
}

static void test_one_axis(void **state) {
    struct nmc_node *node = conv(*state, "Conv", "1,3,50", "32,3,8");
    nb_attr_ints(*state, node, "pads", "4,4");
    gives(*state, node, "1,32,51");
}

static void test_three_axes_grouped(void **state) {
    struct nmc_node *node = conv(*state, "Conv", "2,4,8,8,8", "6,2,3,3,3");
    nb_attr_int(*state, node, "group", 2);
    gives(*state, node, "2,6,6,6,6");
}

static void test_dilation(void **state) {
    struct nmc_node *node = conv(*state, "Conv", "1,16,16,16", "16,16,3,3");
    nb_attr_ints(*state, node, "dilations", "2,2");
    gives(*state, node, "1,16,12,12");
}

/* SAME gives ceil(input / stride) whatever the dilation. */
static void test_same(void **state) {
    struct nmc_node *node = conv(*state, "Conv", "1,1,7,5", "1,1,3,3");
    nb_attr_text(*state, node, "auto_pad", "SAME_UPPER");
    nb_attr_ints(*state, node, "strides", "2,2");
    nb_attr_ints(*state, node, "dilations", "2,2");
    gives(*state, node, "1,1,4,3");
}

static void test_valid_ignores_pads(void **state) {
    struct nmc_node *node = conv(*state, "Conv", "1,1,7,7", "1,1,3,3");
    nb_attr_text(*state, node, "auto_pad", "VALID");
    nb_attr_ints(*state, node, "strides", "2,2");
    nb_attr_ints(*state, node, "pads", "1,1,1,1");
    gives(*state, node, "1,1,3,3");
}

static void test_symbols_pass(void **state) {
    struct nmc_node *node = conv(*state, "Conv", "N,3,H,6", "4,3,3,3");
    gives(*state, node, "N,4,?,4");
}

static void test_symbolic_channels_become_the_weights(void **state) {
    struct net_builder *b = *state;
    struct nmc_tensor *x = nb_input(b, "x", "N,C,6,6"), *w = nb_weight(b, "w", "4,3,3,3");
    struct nmc_tensor *relu = nb_op(b, "MaxPool", "p", x, NULL, NULL);
    nb_attr_ints(b, relu->producer, "kernel_shape", "1,1");
    struct nmc_tensor *y = nb_op(b, "Conv", "c", relu, w, NULL);
    assert_int_equal(nb_infer(b, NULL), NEUROMC_OK);
    nb_assert_shape(b, relu, "N,3,6,6");
    nb_assert_shape(b, x, "N,3,6,6");
    nb_assert_shape(b, y, "N,4,4,4");
}

static void test_unknown_input(void **state) {
    gives(*state, conv(*state, "Conv", NULL, "4,3,3,3"), "?,4,?,?");
}

static void test_unknown_weight(void **state) {
    struct nmc_node *node = conv(*state, "Conv", "1,3,6,6", NULL);
    nb_attr_ints(*state, node, "kernel_shape", "3,3");
    gives(*state, node, "1,?,4,4");
}

static void test_integer_and_quantised(void **state) {
    struct net_builder *b = *state;
    struct nmc_tensor *x = nb_input(b, "x", "1,3,6,6"), *w = nb_weight(b, "w", "4,3,3,3");
    struct nmc_tensor *s = nb_weight(b, "s", ""), *z = nb_weight(b, "z", "");
    x->type = NMC_ELEM_uint8;
    z->type = NMC_ELEM_int8;
    struct nmc_node *i = nb_node(b, "ConvInteger", "i", 3, (struct nmc_tensor *[]){x, w, z}, 1);
    struct nmc_node *q =
        nb_node(b, "QLinearConv", "q", 8, (struct nmc_tensor *[]){x, s, z, w, s, z, s, z}, 1);
    assert_int_equal(nb_infer(b, NULL), NEUROMC_OK);
    nb_assert_shape(b, i->outputs[0], "1,4,4,4");
    nb_assert_shape(b, q->outputs[0], "1,4,4,4");
    assert_int_equal(i->outputs[0]->type, NMC_ELEM_int32);
    assert_int_equal(q->outputs[0]->type, NMC_ELEM_int8);
}

/* ---- transposed ---- */

static void test_transposed(void **state) {
    struct nmc_node *node = conv(*state, "ConvTranspose", "1,3,2,2", "3,1,2,2");
    nb_attr_ints(*state, node, "strides", "2,2");
    gives(*state, node, "1,1,4,4");
}

static void test_transposed_grouped(void **state) {
    struct nmc_node *node = conv(*state, "ConvTranspose", "1,4,3,3", "4,2,3,3");
    nb_attr_int(*state, node, "group", 2);
    nb_attr_ints(*state, node, "strides", "2,3");
    nb_attr_ints(*state, node, "output_padding", "1,0");
    nb_attr_ints(*state, node, "pads", "1,0,1,0");
    gives(*state, node, "1,4,6,9");
}

static void test_transposed_output_shape_wins(void **state) {
    struct nmc_node *node = conv(*state, "ConvTranspose", "1,1,3,3", "1,2,3,3");
    nb_attr_ints(*state, node, "strides", "3,2");
    nb_attr_ints(*state, node, "output_shape", "10,8");
    gives(*state, node, "1,2,10,8");
}

static void test_transposed_same(void **state) {
    struct nmc_node *node = conv(*state, "ConvTranspose", "1,1,3,3", "1,2,3,3");
    nb_attr_ints(*state, node, "strides", "2,2");
    nb_attr_text(*state, node, "auto_pad", "SAME_UPPER");
    gives(*state, node, "1,2,6,6");
}

/* ---- errors ---- */

static void test_channels_differ(void **state) {
    conv(*state, "Conv", "1,4,6,6", "4,3,3,3");
    nb_assert_fails(*state, "Conv \"c\"", "input has 4 channels, weight wants 3 x group 1");
}

static void test_group_zero(void **state) {
    nb_attr_int(*state, conv(*state, "Conv", "1,3,6,6", "4,3,3,3"), "group", 0);
    nb_assert_fails(*state, "Conv \"c\"", "group must be positive");
}

static void test_stride_zero(void **state) {
    nb_attr_ints(*state, conv(*state, "Conv", "1,3,6,6", "4,3,3,3"), "strides", "0,1");
    nb_assert_fails(*state, "Conv \"c\"", "strides must be positive");
}

static void test_strides_too_few(void **state) {
    nb_attr_ints(*state, conv(*state, "Conv", "1,3,6,6", "4,3,3,3"), "strides", "1");
    nb_assert_fails(*state, "Conv \"c\"", "strides has 1 entry, 2 wanted");
}

static void test_attribute_type(void **state) {
    nb_attr_float(*state, conv(*state, "Conv", "1,3,6,6", "4,3,3,3"), "strides", 1.0);
    nb_assert_fails(*state, "Conv \"c\"", "attribute strides has the wrong type");
}

static void test_weight_rank(void **state) {
    conv(*state, "Conv", "1,3,6,6", "4,3,3,3,3");
    nb_assert_fails(*state, "Conv \"c\"", "weight has 3 spatial axes, input 2");
}

static void test_kernel_too_large(void **state) {
    conv(*state, "Conv", "1,3,3,3", "4,3,5,5");
    nb_assert_fails(*state, "Conv \"c\"",
                    "kernel 5x5 does not fit the 3x3 input (output size would be -1)");
}

static void test_missing_weight(void **state) {
    struct nmc_tensor *x = nb_input(*state, "x", "1,3,6,6");
    nb_op(*state, "Conv", "c", x, NULL, NULL);
    nb_assert_fails(*state, "Conv \"c\"", "1 input, at least 2 wanted");
}

static void test_too_many_inputs(void **state) {
    struct nmc_tensor *x = nb_input(*state, "x", "1,3,6,6");
    nb_node(*state, "Conv", "c", 4, (struct nmc_tensor *[]){x, x, x, x}, 1);
    nb_assert_fails(*state, "Conv \"c\"", "4 inputs, at most 3 wanted");
}

static void test_huge_kernel_overflows(void **state) {
    struct nmc_node *node = conv(*state, "Conv", "1,1,4,4", "1,1,4000000000000000000,1");
    nb_attr_ints(*state, node, "dilations", "3,1");
    nb_assert_fails(*state, "Conv \"c\"", "a spatial size overflows");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(defaults),
        TEST(stride_and_pads),
        TEST(one_axis),
        TEST(three_axes_grouped),
        TEST(dilation),
        TEST(same),
        TEST(valid_ignores_pads),
        TEST(symbols_pass),
        TEST(symbolic_channels_become_the_weights),
        TEST(unknown_input),
        TEST(unknown_weight),
        TEST(integer_and_quantised),
        TEST(transposed),
        TEST(transposed_grouped),
        TEST(transposed_output_shape_wins),
        TEST(transposed_same),
        TEST(channels_differ),
        TEST(group_zero),
        TEST(stride_zero),
        TEST(strides_too_few),
        TEST(attribute_type),
        TEST(weight_rank),
        TEST(kernel_too_large),
        TEST(missing_weight),
        TEST(too_many_inputs),
        TEST(huge_kernel_overflows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
