/* Shapes of matrix products. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "net_builder.h"

static void test_matmul(void **state) {
    (void)state;
    nb_gives(13, "MatMul", "3,4 | 4,5", "", "3,5");
    nb_gives(13, "MatMul", "8 | 8", "", "()");
    nb_gives(13, "MatMul", "8 | 2,8,5", "", "2,5");
    nb_gives(13, "MatMul", "2,5,8 | 8", "", "2,5");
    nb_gives(13, "MatMul", "2,1,4,8 | 3,8,5", "", "2,3,4,5");
    nb_gives(13, "MatMul", "N,T,8 | 8,5", "", "N,T,5");
    nb_gives(13, "MatMul", "* | 8,5", "", "*");
    nb_refuses(13, "MatMul", "3,64 | 63,5", "", "inner sizes differ (64 and 63)");
    nb_refuses(13, "MatMul", "2,4,8 | 3,8,5", "", "batch dims 2 and 3 cannot broadcast");
    nb_refuses(13, "MatMul", "() | 8,5", "", "a scalar is no matrix");
}

static void test_gemm(void **state) {
    (void)state;
    nb_gives(13, "Gemm", "8,64 | 64,32 | 32", "", "8,32");
    nb_gives(13, "Gemm", "8,64 | 32,64", "transB=1", "8,32");
    nb_gives(13, "Gemm", "64,8 | 32,64 | 8,1", "transA=1 transB=1", "8,32");
    nb_gives(6, "Gemm", "N,64 | 64,32 | 32", "broadcast=1", "N,32");
    nb_gives(13, "Gemm", "* | 64,32", "", "?,32");
    nb_gives(13, "com.microsoft::FusedGemm", "8,64 | 64,32 | 32", "activation=Relu", "8,32");
    nb_refuses(13, "Gemm", "8,64 | 63,32", "", "inner sizes differ (64 and 63)");
    nb_refuses(13, "Gemm", "2,8,64 | 64,32", "", "A has 3 axes, 2 wanted");
    nb_refuses(13, "Gemm", "8,64 | 64", "", "B has 1 axes, 2 wanted");
    nb_refuses(13, "Gemm", "8,64 | 64,32 | 31", "", "C [31] cannot broadcast to [8, 32]");
}

static void test_quantised(void **state) {
    (void)state;
    nb_gives(13, "MatMulInteger", "2,3,4 | 4,5", "", "2,3,5");
    nb_gives(13, "QLinearMatMul", "2,4 | () | () | 4,3 | () | () | () | ()", "", "2,3");
    nb_gives(13, "com.microsoft::QGemm", "2,4 | () | () | 3,4 | () | () | 3", "transB=1", "2,3");
    nb_gives(13, "com.microsoft::MatMulNBits", "2,7,4096 | 1024,32,64 | 32768",
             "K=4096 N=1024 bits=4", "2,7,1024");
    nb_refuses(13, "com.microsoft::MatMulNBits", "2,7,4095 | 1024,32,64 | 32768", "K=4096 N=1024",
               "inner sizes differ (4095 and 4096)");
    nb_refuses(13, "com.microsoft::MatMulNBits", "2,7,4096 | 1024,32,64 | 32768", "K=4096",
               "K and N must be positive");
}

static void test_fused(void **state) {
    (void)state;
    nb_gives(13, "com.microsoft::FusedMatMul", "2,4,3 | 2,5,4", "transA=1 transB=1", "2,3,5");
    /* [3, 2, 4] is a batch of 2 matrices 3 x 4. */
    nb_gives(13, "com.microsoft::FusedMatMul", "3,2,4 | 2,4,5", "transBatchA=1", "2,3,5");
    nb_gives(13, "com.microsoft::FusedMatMul", "4,2,3 | 5,2,4",
             "transA=1 transBatchA=1 transB=1 transBatchB=1", "2,3,5");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matmul),
        cmocka_unit_test(test_gemm),
        cmocka_unit_test(test_quantised),
        cmocka_unit_test(test_fused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
