/* Shapes of normalisation and quantisation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "net_builder.h"

static void test_batch_norm_across_versions(void **state) {
    (void)state;
    const char *inputs = "2,6,4,4 | 6 | 6 | 6 | 6";
    nb_gives(1, "BatchNormalization", inputs, "consumed_inputs=[0,0,0,1,1] is_test=1", "2,6,4,4");
    nb_gives(7, "BatchNormalization", inputs, "", "2,6,4,4 | 6 | 6 | 6 | 6");
    nb_gives(15, "BatchNormalization", inputs, "training_mode=1", "2,6,4,4 | 6 | 6");
    nb_gives(15, "BatchNormalization", "5,6 | 6 | 6 | 6 | 6", "", "5,6");
    nb_gives(7, "BatchNormalization", "2,6,4 | 6,4 | 6,4 | 6,4 | 6,4", "spatial=0", "2,6,4 | 6,4");
    nb_gives(15, "BatchNormalization", "N,C,4 | 6 | 6 | 6 | 6", "", "N,6,4");
    nb_refuses(15, "BatchNormalization", "2,5,4 | 6 | 6 | 6 | 6", "",
               "input has 5 channels, scale 6");
}

static void test_layer_norm(void **state) {
    (void)state;
    nb_gives(17, "LayerNormalization", "2,3,4 | 4 | 4", "", "2,3,4 | 2,3,1 | 2,3,1");
    nb_gives(17, "LayerNormalization", "2,3,4 | 3,4", "axis=1", "2,3,4 | 2,1,1 | 2,1,1");
    nb_gives(17, "com.microsoft::SkipLayerNormalization", "2,3,4 | 2,3,4 | 4", "",
             "2,3,4 | 2,3,1 | 2,3,1 | 2,3,4");
    nb_gives(17, "com.microsoft::EmbedLayerNormalization",
             "2,7 | 2,7 | 100,32 | 20,32 | 2,32 | 32 | 32", "", "2,7,32 | 2 | 2,7,32");
    nb_refuses(17, "LayerNormalization", "2,3 | 3", "axis=2",
               "axis 2 does not exist: the input has 2 axes");
}

static void test_others_keep_the_shape(void **state) {
    (void)state;
    nb_gives(17, "InstanceNormalization", "2,3,4,4 | 3 | 3", "", "2,3,4,4");
    nb_gives(18, "GroupNormalization", "2,6,4 | 6 | 6", "num_groups=2", "2,6,4");
    nb_gives(23, "RMSNormalization", "2,6 | 6", "", "2,6");
    nb_gives(13, "LRN", "1,3,8,8", "size=3", "1,3,8,8");
    nb_gives(13, "MeanVarianceNormalization", "1,3,8,8", "", "1,3,8,8");
}

static void test_quantise(void **state) {
    (void)state;
    struct net_builder b;
    nb_init(&b, 21);
    struct nmc_tensor *x = nb_input(&b, "x", "N,3"), *s = nb_weight(&b, "s", "");
    struct nmc_tensor *z = nb_weight(&b, "z", "");
    z->type = NMC_ELEM_int4;
    struct nmc_tensor *plain = nb_op(&b, "QuantizeLinear", "a", x, s, NULL);
    struct nmc_tensor *with_zero = nb_op(&b, "QuantizeLinear", "b", x, s, z);
    struct nmc_tensor *stated = nb_op(&b, "QuantizeLinear", "c", x, s, NULL);
    nb_attr_int(&b, stated->producer, "output_dtype", NMC_ELEM_int16);
    struct nmc_tensor *back = nb_op(&b, "DequantizeLinear", "d", with_zero, s, z);
    assert_int_equal(nb_infer(&b, NULL), NEUROMC_OK);
    assert_int_equal(plain->type, NMC_ELEM_uint8);
    assert_int_equal(with_zero->type, NMC_ELEM_int4);
    assert_int_equal(stated->type, NMC_ELEM_int16);
    assert_int_equal(back->type, NMC_ELEM_float32);
    nb_assert_shape(&b, back, "N,3");
    nb_free(&b);
}

static void test_on_quantised(void **state) {
    (void)state;
    nb_gives(13, "DynamicQuantizeLinear", "2,3", "", "2,3 | () | ()");
    nb_gives(1, "com.microsoft::QLinearAdd", "2,3,4 | () | () | 3,1 | () | () | ()", "", "2,3,4");
    nb_gives(1, "com.microsoft::QLinearConcat", "() | () | 2,3 | () | () | 2,5 | () | ()", "axis=1",
             "2,8");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_batch_norm_across_versions),
        cmocka_unit_test(test_layer_norm),
        cmocka_unit_test(test_others_keep_the_shape),
        cmocka_unit_test(test_quantise),
        cmocka_unit_test(test_on_quantised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
