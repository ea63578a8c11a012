/* Shapes of recurrent layers, attention and Einsum. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "net_builder.h"

static void test_recurrent(void **state) {
    (void)state;
    nb_gives(14, "LSTM", "100,2,64 | 1,256,64 | 1,256,64", "hidden_size=64",
             "100,1,2,64 | 1,2,64 | 1,2,64");
    nb_gives(14, "GRU", "S,B,8 | 2,15,8 | 2,15,5", "direction=bidirectional", "S,2,B,5 | 2,B,5");
    nb_gives(14, "RNN", "7,2,8 | 1,5,8 | 1,5,5", "direction=reverse", "7,1,2,5 | 1,2,5");
    nb_gives(14, "LSTM", "2,100,64 | 1,256,64 | 1,256,64", "layout=1",
             "2,100,1,64 | 2,1,64 | 2,1,64");
    nb_gives(14, "LSTM", "T,2,I | 1,256,64 | *", "", "T,1,2,64 | 1,2,64 | 1,2,64");
    nb_refuses(14, "LSTM", "7,2 | 1,20,8 | 1,20,5", "", "X has 2 axes, 3 wanted");
    nb_refuses(14, "GRU", "7,2,8 | 1,15,8 | 1,15,5", "direction=bidirectional",
               "W has 1 directions, 2 wanted");
    nb_refuses(14, "RNN", "7,2,9 | 1,5,8 | 1,5,5", "", "input size is 9, W wants 8");
    nb_refuses(14, "RNN", "7,2,8 | 1,5,8 | 1,5,5", "hidden_size=6", "hidden_size is 6, R has 5");
    nb_refuses(14, "LSTM", "7,2,8 | 1,15,8 | 1,20,5", "",
               "W has 15 rows, 4 x hidden size 5 wanted");
    nb_refuses(14, "LSTM", "7,8 | 1,20,8 | 1,20,5", "", "X has 2 axes, 3 wanted");
    nb_refuses(14, "RNN", "7,2,8 | 1,5,8 | 1,5,5", "direction=both",
               "direction \"both\" is not known");
}

static void test_attention(void **state) {
    (void)state;
    nb_gives(23, "Attention", "2,8,5,16 | 2,4,7,16 | 2,4,7,12", "",
             "2,8,5,12 | 2,4,7,16 | 2,4,7,12 | 2,8,5,7");
    nb_gives(23, "Attention", "2,5,128 | 2,7,64 | 2,7,48 | - | 2,4,3,16 | 2,4,3,12",
             "q_num_heads=8 kv_num_heads=4", "2,5,96 | 2,4,10,16 | 2,4,10,12 | 2,8,5,10");
    nb_refuses(23, "Attention", "2,5,128 | 2,7,64 | 2,7,64", "",
               "q_num_heads and kv_num_heads are wanted with 3 axes");
    nb_refuses(23, "Attention", "5,128 | 7,64 | 7,64", "", "Q has 2 axes, 3 or 4 wanted");
}

static void test_fused_attention(void **state) {
    (void)state;
    nb_gives(1, "com.microsoft::Attention", "2,5,32 | 32,96 | 96 | - | 2,2,4,3,8", "num_heads=4",
             "2,5,32 | 2,2,4,8,8");
    nb_gives(1, "com.microsoft::Attention", "2,5,32 | 32,80 | 80",
             "num_heads=4 qkv_hidden_sizes=[32,32,16]", "2,5,16");
    nb_gives(1, "com.microsoft::MultiHeadAttention", "2,5,32 | 2,7,32 | 2,7,64", "num_heads=4",
             "2,5,64 | 2,4,7,8 | 2,4,7,16");
    nb_gives(1, "com.microsoft::MultiHeadAttention", "2,5,4,3,8", "num_heads=4", "2,5,32");
    nb_gives(1, "com.microsoft::GroupQueryAttention", "2,5,48 | - | - | 2,2,9,8 | 2,2,9,8 | 2 | 1",
             "num_heads=2 kv_num_heads=2", "2,5,16 | 2,2,?,8 | 2,2,?,8");
    nb_gives(1, "com.microsoft::PackedAttention", "11,32 | 32,96 | 96 | 2,8 | 3", "num_heads=4",
             "11,32");
    nb_refuses(1, "com.microsoft::Attention", "2,5,31 | 32,96 | 96", "num_heads=4",
               "inner sizes differ (31 and 32)");
    nb_refuses(1, "com.microsoft::Attention", "2,5,32 | 32,96 | 96", "num_heads=-4",
               "attribute num_heads is -4");
}

static void test_einsum(void **state) {
    (void)state;
    nb_gives(12, "Einsum", "2,3,5,4 | 2,3,7,4", "equation=bhqd,bhkd->bhqk", "2,3,5,7");
    nb_gives(12, "Einsum", "3,4 | 4,5", "equation=ij,jk", "3,5");
    nb_gives(12, "Einsum", "3,4", "equation=ji", "4,3"); /* sorted: a transposition */
    nb_gives(12, "Einsum", "3,4", "equation=ij->", "()");
    nb_gives(12, "Einsum", "4,4", "equation=ii->i", "4");
    nb_gives(12, "Einsum", "2,1,6,4 | 3,4,9", "equation=...ij,...jk->...ik", "2,3,6,9");
    nb_gives(12, "Einsum", "2,6,4 | 4,9", "equation=...ij,jk", "2,6,9");
    nb_gives(12, "Einsum", "2,6,4 | 1,9", "equation=...ij,jk", "2,6,9");
    nb_gives(12, "Einsum", "* | 4,5", "equation=ij,jk->ik", "?,5");
    nb_gives(12, "Einsum", "N,F | 4,5", "equation=ij,jk->ik", "N,5");
    nb_refuses(12, "Einsum", "3,4 | 5,6", "equation=ij,jk->ik", "\"j\" is 4 and 5");
    nb_refuses(12, "Einsum", "3,4", "equation=ij,jk->ik",
               "equation \"ij,jk->ik\" has 2 terms, 1 operands");
    nb_refuses(12, "Einsum", "3,4,5 | 4,5", "equation=ij,jk->ik",
               "a term names 2 axes, its operand has 3");
    nb_refuses(12, "Einsum", "3,4", "equation=ij->ik",
               "equation \"ij->ik\": the output has a letter that no input has");
    nb_refuses(12, "Einsum", "3,4", "equation=ij->ii",
               "equation \"ij->ii\": the output has a letter twice");
    nb_refuses(12, "Einsum", "3,4", "equation=i1->i",
               "equation \"i1->i\": a term holds something other than letters and \"...\"");
    nb_refuses(12, "Einsum", "3,4", "equation=...i...->i",
               "equation \"...i...->i\": a term has two ellipses");
    nb_refuses(12, "Einsum", "3,4", "equation=ij->i->j",
               "equation \"ij->i->j\": something follows the output");
    nb_refuses(12, "Einsum", "3,4",
               "equation=a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a",
               "equation \"a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a\": it "
               "has too many terms");
}

static void test_einsum_blanks(void **state) {
    (void)state;
    struct net_builder b;
    nb_init(&b, 12);
    struct nmc_tensor *x = nb_input(&b, "x", "3,4"), *y = nb_input(&b, "y", "4,5");
    struct nmc_tensor *z = nb_op(&b, "Einsum", "e", x, y, NULL);
    nb_attr_text(&b, z->producer, "equation", " i j , j k -> i k ");
    assert_int_equal(nb_infer(&b, NULL), NEUROMC_OK);
    nb_assert_shape(&b, z, "3,5");
    nb_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recurrent),       cmocka_unit_test(test_attention),
        cmocka_unit_test(test_fused_attention), cmocka_unit_test(test_einsum),
        cmocka_unit_test(test_einsum_blanks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
