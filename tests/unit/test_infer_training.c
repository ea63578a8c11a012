/* Shapes of training graphs and of ai.onnx.ml. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "net_builder.h"

static void test_losses(void **state) {
    (void)state;
    nb_gives(13, "SoftmaxCrossEntropyLoss", "8,10 | 8", "", "() | 8,10");
    nb_gives(13, "SoftmaxCrossEntropyLoss", "8,10,4 | 8,4", "reduction=none", "8,4 | 8,10,4");
    nb_gives(13, "NegativeLogLikelihoodLoss", "8,10 | 8 | 10", "reduction=sum", "()");
    nb_gives(1, "com.microsoft::SoftmaxCrossEntropyLossGrad", "() | 8,10 | 8", "", "8,10");
    nb_gives(13, "SoftmaxCrossEntropyLossGrad", "8,10 | 8", "", "8,10");
}

static void test_gradients(void **state) {
    (void)state;
    nb_gives(1, "com.microsoft::ConvGrad", "2,4,6,6 | 2,3,8,8 | 4,3,3,3", "",
             "2,3,8,8 | 4,3,3,3 | 4");
    nb_gives(1, "com.microsoft::LayerNormalizationGrad", "2,3,4 | 2,3,4 | 4 | 2,3,1 | 2,3,1", "",
             "2,3,4 | 4 | 4");
    nb_gives(13, "ReluGrad", "2,3 | 2,3", "", "2,3");
    nb_gives(1, "com.microsoft::InPlaceAccumulatorV2", "4,3 | 4,3 | 1", "", "1 | 4,3");
    nb_gives(1, "com.microsoft::YieldOp", "2,3 | 2,4 | 2,5", "non_differentiable_outputs=[1]",
             "2,3 | 2,5");
}

static void test_gradient_of_slice(void **state) {
    (void)state;
    struct net_builder b;
    nb_init(&b, 1);
    struct nmc_tensor *shape = nb_ints(&b, "shape", 2, (int64_t[]){4, 6});
    struct nmc_tensor *dy = nb_input(&b, "dy", "2,6"), *at = nb_ints(&b, "at", 1, (int64_t[]){0});
    struct nmc_node *slice = nb_node(&b, "com.microsoft::SliceGrad", "s", 4,
                                     (struct nmc_tensor *[]){dy, shape, at, at}, 1);
    struct nmc_tensor *gather = nb_op(&b, "com.microsoft::GatherGrad", "g", shape, at, dy);
    assert_int_equal(nb_infer(&b, NULL), NEUROMC_OK);
    nb_assert_shape(&b, slice->outputs[0], "4,6");
    nb_assert_shape(&b, gather, "4,6");
    nb_free(&b);
}

static void axes_are(struct nmc_tensor *tensor, int count, const int64_t *axes) {
    assert_non_null(tensor->ints);
    assert_int_equal(tensor->value_count, count);
    for (int i = 0; i < count; i++)
        assert_int_equal(tensor->ints[i], axes[i]);
}

static void test_broadcast_axes(void **state) {
    (void)state;
    struct net_builder b;
    nb_init(&b, 1);
    nmc_dim n = nmc_symbol_new(b.net, "N", NULL, 0, NULL);
    struct nmc_tensor *inputs[] = {nb_ints(&b, "a", 3, (int64_t[]){n, 1, 4}),
                                   nb_ints(&b, "b", 2, (int64_t[]){5, 4})};
    struct nmc_node *node = nb_node(&b, "com.microsoft::BroadcastGradientArgs", "n", 2, inputs, 2);
    assert_int_equal(nb_infer(&b, NULL), NEUROMC_OK);
    axes_are(node->outputs[0], 1, (int64_t[]){1});
    axes_are(node->outputs[1], 1, (int64_t[]){0});
    nb_free(&b);
}

static void test_optimizers(void **state) {
    (void)state;
    nb_gives(1, "ai.onnx.preview.training::Adam", "() | () | 2,3 | 4 | 2,3 | 4 | 2,3 | 4 | 2,3 | 4",
             "", "2,3 | 4 | 2,3 | 4 | 2,3 | 4");
    nb_gives(1, "ai.onnx.preview.training::Momentum", "() | () | 2,3 | 2,3 | 2,3", "", "2,3 | 2,3");
    nb_gives(13, "SGD", "2,3 | 2,3", "", "2,3");
    nb_refuses(1, "ai.onnx.preview.training::Adam", "() | () | 2,3 | 2,3 | 2,3 | 2,3 | 2,3", "",
               "7 inputs are not a rate, a step and 4 for each parameter");
}

static void test_ml(void **state) {
    (void)state;
    nb_gives(1, "ai.onnx.ml::LinearClassifier", "9,4", "classlabels_ints=[0,1,2]", "9 | 9,3");
    nb_gives(1, "ai.onnx.ml::LinearRegressor", "9,4", "targets=2", "9,2");
    nb_gives(1, "ai.onnx.ml::TreeEnsembleRegressor", "N,4", "", "N,1");
    nb_gives(1, "ai.onnx.ml::ArrayFeatureExtractor", "9,4 | 2", "", "9,2");
    nb_gives(1, "ai.onnx.ml::OneHotEncoder", "9", "cats_int64s=[1,2,3]", "9,3");
    nb_gives(1, "ai.onnx.ml::FeatureVectorizer", "9,4 | 9,2", "", "9,6");
    nb_gives(1, "ai.onnx.ml::Scaler", "9,4", "", "9,4");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_losses),
        cmocka_unit_test(test_gradients),
        cmocka_unit_test(test_gradient_of_slice),
        cmocka_unit_test(test_broadcast_axes),
        cmocka_unit_test(test_optimizers),
        cmocka_unit_test(test_ml),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
