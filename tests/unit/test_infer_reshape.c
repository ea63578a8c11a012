/* Shape inference of views: Reshape, Flatten, Squeeze, Unsqueeze, Transpose, Identity. */
#include "op_fixture.h"

static void reshape(struct fixture *f, const char *from, const char *to, const char *shape) {
    struct nmc_node *node = fx_node(f, "Reshape", fx_float(f, from), fx_ints(f, to));
    assert_shape(f, fx_run(f, node), shape);
    assert_out(f, node, 0, NMC_ELEM_float32, shape);
}

static void reshape_fails(struct fixture *f, const char *from, const char *to, const char *text) {
    fx_fails(f, fx_node(f, "Reshape", fx_float(f, from), fx_ints(f, to)), text);
}

static void test_reshape_known(void **state) {
    struct fixture *f = *state;
    reshape(f, "2,3,4", "6,4", "[6, 4]");
    reshape(f, "2,3,4", "0,-1", "[2, 12]");
    reshape(f, "2,3,4", "-1", "[24]");
    reshape(f, "2,3,4", "0,0,2,2", "[2, 3, 2, 2]");
    reshape(f, "1", "", "[]");
    reshape(f, "", "1,1", "[1, 1]");
    reshape(f, "0,4", "-1,4", "[0, 4]");
}

static void test_reshape_symbols(void **state) {
    struct fixture *f = *state;
    reshape(f, "N,16,5,5", "0,-1", "[N, 400]");
    reshape(f, "N,16,5,5", "-1,400", "[N, 400]");
    reshape(f, "N,16,5,5", "N,-1", "[N, 400]");
    reshape(f, "N,S,768", "N,S,12,64", "[N, S, 12, 64]");
    reshape(f, "N,S,768", "-1,768", "[?, 768]");
    reshape(f, "N,S,12,64", "N,-1,768", "[N, S, 768]");
    reshape(f, "N,3,4", "1,-1", "[1, ?]");
    reshape(f, "N,4", "6,2", "[6, 2]");
    /* One unknown is left on each side, and the rest agrees. */
    reshape(f, "N,8", "M,8", "[N, 8]");
    reshape(f, "6,4", "M,8", "[3, 8]");
    reshape(f, "?", "0,5,-1", "[?, 5, ?]");
    reshape(f, "?", "2,5", "[2, 5]");
}

static void test_reshape_forms(void **state) {
    struct fixture *f = *state;
    f->opset = 1;
    struct nmc_node *old = fx_node(f, "Reshape", fx_float(f, "2,6"));
    fx_attr_ints(f, old, "shape", "3,-1");
    assert_shape(f, fx_run(f, old), "[3, 4]");
    f->opset = 14;
    struct nmc_node *zero = fx_node(f, "Reshape", fx_float(f, "0,3"), fx_ints(f, "7,0"));
    fx_attr_int(f, zero, "allowzero", 1);
    assert_shape(f, fx_run(f, zero), "[7, 0]");
    struct nmc_tensor *unknown = fx_tensor(f, NMC_ELEM_int64, "3");
    assert_shape(f, fx_run(f, fx_node(f, "Reshape", fx_float(f, "2,3"), unknown)), "[?, ?, ?]");
    unknown = fx_tensor(f, NMC_ELEM_int64, "K");
    assert_shape(f, fx_run(f, fx_node(f, "Reshape", fx_float(f, "2,3"), unknown)), "[?]");
}

static void test_reshape_errors(void **state) {
    struct fixture *f = *state;
    reshape_fails(f, "2,3,4", "5,-1", "24 elements cannot become [5, -1]");
    reshape_fails(f, "2,3,4", "5,5", "24 elements cannot become [5, 5]");
    reshape_fails(f, "N,4", "5,5", "[N, 4] cannot become [5, 5]");
    reshape_fails(f, "2,3", "-1,-1", "-1 twice");
    reshape_fails(f, "2,3", "-2,3", "negative");
    reshape_fails(f, "2", "0,0", "copies");
    reshape_fails(f, "4611686018427387904,4", "-1", "overflows");
    fx_fails(f, fx_node(f, "Reshape", fx_float(f, "4"), fx_tensor(f, NMC_ELEM_int64, "100")),
             "limit");
    fx_fails(f, fx_node(f, "Reshape", fx_float(f, "4"), fx_tensor(f, NMC_ELEM_int64, "2,2")),
             "list");
}

static void flatten(struct fixture *f, const char *from, int64_t axis, const char *shape) {
    struct nmc_node *node = fx_node(f, "Flatten", fx_float(f, from));
    fx_attr_int(f, node, "axis", axis);
    assert_shape(f, fx_run(f, node), shape);
}

static void test_flatten(void **state) {
    struct fixture *f = *state;
    assert_shape(f, fx_run(f, fx_node(f, "Flatten", fx_float(f, "N,3,8,8"))), "[N, 192]");
    flatten(f, "2,3,4", 0, "[1, 24]");
    flatten(f, "2,3,4", 3, "[24, 1]");
    flatten(f, "2,3,4", -1, "[6, 4]");
    flatten(f, "2,N,4", 2, "[?, 4]");
    flatten(f, "", 0, "[1, 1]");
    flatten(f, "N,0,4", 2, "[0, 4]");
    flatten(f, "?", 1, "[?, ?]");
    struct nmc_node *bad = fx_node(f, "Flatten", fx_float(f, "2,3"));
    fx_attr_int(f, bad, "axis", 3);
    fx_fails(f, bad, "axis 3 does not exist");
    fx_fails(f, fx_node(f, "Flatten", fx_float(f, "2,4611686018427387904,4")), "overflows");
}

static void test_squeeze(void **state) {
    struct fixture *f = *state;
    assert_shape(f, fx_run(f, fx_node(f, "Squeeze", fx_float(f, "1,3,1,4"))), "[3, 4]");
    assert_shape(f, fx_run(f, fx_node(f, "Squeeze", fx_float(f, "1,N"))), "[?]");
    assert_shape(f, fx_run(f, fx_node(f, "Squeeze", fx_float(f, "1,3,1"), fx_ints(f, "-1"))),
                 "[1, 3]");
    assert_shape(f, fx_run(f, fx_node(f, "Squeeze", fx_float(f, "N,3,1"), fx_ints(f, "0,2"))),
                 "[3]");
    struct nmc_tensor *axes = fx_tensor(f, NMC_ELEM_int64, "2");
    assert_shape(f, fx_run(f, fx_node(f, "Squeeze", fx_float(f, "1,3,1"), axes)), "[?]");
    f->opset = 11;
    struct nmc_node *old = fx_node(f, "Squeeze", fx_float(f, "1,3,1"));
    fx_attr_ints(f, old, "axes", "0");
    assert_shape(f, fx_run(f, old), "[3, 1]");
    fx_fails(f, fx_node(f, "Squeeze", fx_float(f, "1,3"), fx_ints(f, "1")), "size 3, not 1");
    fx_fails(f, fx_node(f, "Squeeze", fx_float(f, "1,3"), fx_ints(f, "2")), "axis 2");
}

static void test_unsqueeze(void **state) {
    struct fixture *f = *state;
    assert_shape(f, fx_run(f, fx_node(f, "Unsqueeze", fx_float(f, "3,N"), fx_ints(f, "0,-1"))),
                 "[1, 3, N, 1]");
    assert_shape(f, fx_run(f, fx_node(f, "Unsqueeze", fx_int(f, "5"), fx_ints(f, "0"))), "[1]");
    struct nmc_tensor *axes = fx_tensor(f, NMC_ELEM_int64, "1");
    assert_shape(f, fx_run(f, fx_node(f, "Unsqueeze", fx_float(f, "3"), axes)), "[?, ?]");
    f->opset = 1;
    struct nmc_node *old = fx_node(f, "Unsqueeze", fx_float(f, "3"));
    fx_attr_ints(f, old, "axes", "1");
    assert_shape(f, fx_run(f, old), "[3, 1]");
    fx_fails(f, fx_node(f, "Unsqueeze", fx_float(f, "3"), fx_ints(f, "0,0")), "twice");
    fx_fails(f, fx_node(f, "Unsqueeze", fx_float(f, "3"), fx_ints(f, "2")), "axis 2");
    fx_fails(f, fx_node(f, "Unsqueeze", fx_float(f, "3"), fx_tensor(f, NMC_ELEM_int64, "64")),
             "limit");
    fx_fails(f, fx_node(f, "Unsqueeze", fx_float(f, "3")), "no axes");
}

static void test_transpose(void **state) {
    struct fixture *f = *state;
    assert_shape(f, fx_run(f, fx_node(f, "Transpose", fx_float(f, "N,3,4"))), "[4, 3, N]");
    struct nmc_node *node = fx_node(f, "Transpose", fx_float(f, "N,3,4"));
    fx_attr_ints(f, node, "perm", "0,2,1");
    assert_shape(f, fx_run(f, node), "[N, 4, 3]");
    struct nmc_node *matrix =
        fx_node(f, "Transpose", fx_shaped(f, fx_ints(f, "1,2,3,4,5,6"), "2,3"));
    assert_value(f, fx_run(f, matrix), "[1, 4, 2, 5, 3, 6]");
    struct nmc_node *bad = fx_node(f, "Transpose", fx_float(f, "2,3,4"));
    fx_attr_ints(f, bad, "perm", "0,0,1");
    fx_fails(f, bad, "does not list axis 2");
    bad = fx_node(f, "Transpose", fx_float(f, "2,3,4"));
    fx_attr_ints(f, bad, "perm", "1,0");
    fx_fails(f, bad, "perm lists 2 axes");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        OP_TEST(test_reshape_known),  OP_TEST(test_reshape_symbols), OP_TEST(test_reshape_forms),
        OP_TEST(test_reshape_errors), OP_TEST(test_flatten),         OP_TEST(test_squeeze),
        OP_TEST(test_unsqueeze),      OP_TEST(test_transpose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
