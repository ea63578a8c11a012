/* Shapes of pooling. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "net_builder.h"

static void test_windows(void **state) {
    (void)state;
    nb_gives(12, "MaxPool", "1,3,32,32", "kernel_shape=[2,2] strides=[2,2]",
             "1,3,16,16 | 1,3,16,16");
    nb_gives(12, "MaxPool", "1,3,7", "kernel_shape=[3] dilations=[2]", "1,3,3");
    nb_gives(12, "AveragePool", "N,3,6,6,6", "kernel_shape=[3,3,3] pads=[1,1,1,1,1,1]",
             "N,3,6,6,6");
    nb_gives(12, "LpPool", "1,3,8,8", "kernel_shape=[2,2] p=3", "1,3,7,7");
    nb_gives(12, "MaxPool", "1,1,5,5", "kernel_shape=[3,3] auto_pad=SAME_LOWER strides=[2,2]",
             "1,1,3,3");
    nb_gives(12, "MaxPool", "*", "kernel_shape=[3,3]", "*");
    nb_refuses(12, "MaxPool", "1,3,4,4", "kernel_shape=[5,4]",
               "kernel 5x4 does not fit the 4x4 input (output size would be 0)");
    nb_refuses(12, "MaxPool", "1,3,4,4", "", "attribute kernel_shape is missing");
    nb_refuses(12, "MaxPool", "3,4", "kernel_shape=[1]", "input has 2 axes, at least 3 wanted");
    nb_refuses(12, "MaxPool", "1,3,4,4", "kernel_shape=[2,2] auto_pad=SAME",
               "auto_pad \"SAME\" is not known");
}

static void test_ceil_mode(void **state) {
    (void)state;
    nb_gives(12, "MaxPool", "1,1,4,4", "kernel_shape=[3,3] strides=[2,2]", "1,1,1,1");
    nb_gives(12, "MaxPool", "1,1,4,4", "kernel_shape=[3,3] strides=[2,2] ceil_mode=1", "1,1,2,2");
    /* A third window would start in the padding behind the input. */
    nb_gives(12, "MaxPool", "1,1,2,2",
             "kernel_shape=[1,1] strides=[2,2] pads=[0,0,1,1] ceil_mode=1", "1,1,1,1");
}

static void test_global(void **state) {
    (void)state;
    nb_gives(12, "GlobalAveragePool", "N,64,7,7", "", "N,64,1,1");
    nb_gives(12, "GlobalMaxPool", "2,64,H", "", "2,64,1");
    nb_refuses(12, "GlobalMaxPool", "64", "", "input has 1 axes, at least 2 wanted");
}

static void test_unpool(void **state) {
    (void)state;
    nb_gives(12, "MaxUnpool", "1,1,2,2 | 1,1,2,2", "kernel_shape=[2,2] strides=[2,2]", "1,1,4,4");
    nb_gives(12, "MaxUnpool", "1,1,2,2 | 1,1,2,2 | 4", "kernel_shape=[2,2] strides=[2,2]",
             "1,1,?,?");
}

static void test_regions(void **state) {
    (void)state;
    nb_gives(12, "MaxRoiPool", "1,8,32,32 | R,5", "pooled_shape=[7,6]", "R,8,7,6");
    nb_gives(16, "RoiAlign", "1,8,32,32 | 100,4 | 100", "output_height=7 output_width=7",
             "100,8,7,7");
    nb_refuses(16, "RoiAlign", "1,8,32 | 100,4 | 100", "", "input has 3 axes, 4 wanted");
    nb_refuses(16, "RoiAlign", "1,8,32,32 | 4 | 100", "", "rois has 1 axes, 2 wanted");
    nb_refuses(16, "RoiAlign", "1,8,32,32 | 9,4 | 9", "output_width=-2",
               "attribute output_width is -2");
}

static void test_gradient_is_as_large_as_the_input(void **state) {
    (void)state;
    struct net_builder b;
    nb_init(&b, 13);
    struct nmc_tensor *x = nb_input(&b, "x", "1,3,9,9"), *dy = nb_input(&b, "dy", "1,3,4,4");
    struct nmc_node *pool = nb_node(&b, "MaxPool", "p", 1, &x, 2);
    nb_attr_ints(&b, pool, "kernel_shape", "3,3");
    nb_attr_ints(&b, pool, "strides", "2,2");
    struct nmc_tensor *dx = nb_op(&b, "MaxPoolGrad", "g", dy, pool->outputs[1], NULL);
    assert_int_equal(nb_infer(&b, NULL), NEUROMC_OK);
    assert_int_equal(pool->outputs[1]->type, NMC_ELEM_int64);
    nb_assert_shape(&b, dx, "1,3,9,9");
    nb_free(&b);
}

static void test_quantised_channels_last(void **state) {
    (void)state;
    nb_gives(1, "com.microsoft::QLinearAveragePool", "1,8,6,3 | () | () | () | ()",
             "kernel_shape=[2,3] channels_last=1", "1,7,4,3");
    nb_gives(1, "com.microsoft::QLinearGlobalAveragePool", "1,8,6,3 | () | () | () | ()",
             "channels_last=1", "1,1,1,3");
    nb_gives(1, "com.microsoft::QLinearGlobalAveragePool", "1,3,8,6 | () | () | () | ()", "",
             "1,3,1,1");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_windows),
        cmocka_unit_test(test_ceil_mode),
        cmocka_unit_test(test_global),
        cmocka_unit_test(test_unpool),
        cmocka_unit_test(test_regions),
        cmocka_unit_test(test_gradient_is_as_large_as_the_input),
        cmocka_unit_test(test_quantised_channels_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
