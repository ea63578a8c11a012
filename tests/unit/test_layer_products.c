/* Loop dims of products whose operands lie elsewhere, are packed or transposed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "model/layer.h"
#include "net_builder.h"

/* Inputs as in nb_gives, all of them weights but the first; rows x inner x columns. */
static void costs(const char *op_type, int inputs, const char *const *shapes,
                  const char *attributes, int64_t rows, int64_t inner, int64_t columns) {
    struct net_builder b;
    struct nmc_tensor *tensors[16];
    struct nmc_layers layers;
    nb_init(&b, 17);
    tensors[0] = nb_input(&b, "x", shapes[0]);
    for (int i = 1; i < inputs; i++)
        tensors[i] = nb_weight(&b, "w", shapes[i]);
    struct nmc_node *node = nb_node(&b, op_type, "n", inputs, tensors, 1);
    nb_attributes(&b, node, attributes);
    nb_output(&b, node->outputs[0]);
    neuromc_status status = nb_infer(&b, NULL);
    assert_string_equal(nb_error(&b), "");
    assert_int_equal(status, NEUROMC_OK);
    assert_int_equal(nmc_layers_collect(b.net, &layers, b.diags), NEUROMC_OK);
    assert_int_equal(layers.count, 1);
    const int64_t *dims = layers.items[0].dims;
    assert_int_equal(dims[NMC_B] * dims[NMC_T], rows);
    assert_int_equal(dims[NMC_C], inner);
    assert_int_equal(dims[NMC_K], columns);
    nmc_layers_release(&layers);
    nb_free(&b);
}

static void test_quantised(void **state) {
    (void)state;
    const char *matmul[] = {"2,7,4", "", "", "4,3", "", "", "", ""};
    costs("QLinearMatMul", 8, matmul, "", 14, 4, 3);
    const char *gemm[] = {"2,4", "", "", "3,4", "", "", "3"};
    costs("com.microsoft::QGemm", 7, gemm, "transB=1", 2, 4, 3);
}

static void test_packed(void **state) {
    (void)state;
    const char *shapes[] = {"2,7,4096", "1024,32,64", "32768"};
    costs("com.microsoft::MatMulNBits", 3, shapes, "K=4096 N=1024 bits=4", 14, 4096, 1024);
}

static void test_transposed(void **state) {
    (void)state;
    const char *both[] = {"4,3", "5,4"};
    costs("com.microsoft::FusedMatMul", 2, both, "transA=1 transB=1", 3, 4, 5);
    const char *batch[] = {"4,2,3", "5,4"};
    costs("com.microsoft::FusedMatMul", 2, batch, "transA=1 transBatchA=1 transB=1", 6, 4, 5);
}

/* W [1, 8, 20], R [1, 5, 20]: input 8, hidden 5, four gates. */
static void test_quantised_lstm(void **state) {
    (void)state;
    const char *shapes[] = {"7,2,8", "1,8,20", "1,5,20", "1,40", "2", "1,2,5",
                            "1,2,5", "1,15",   "",       "",     "",  ""};
    costs("com.microsoft::DynamicQuantizeLSTM", 12, shapes, "hidden_size=5", 14, 13, 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quantised),
        cmocka_unit_test(test_packed),
        cmocka_unit_test(test_transposed),
        cmocka_unit_test(test_quantised_lstm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
