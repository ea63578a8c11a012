/* Shape inference of elementwise operators, reductions and activations. */
#include "op_fixture.h"

static void binary(struct fixture *f, const char *op, enum nmc_elem type, const char *shape) {
    struct nmc_node *node = fx_node(f, op, fx_float(f, "N,1,4"), fx_float(f, "3,1"));
    fx_run(f, node);
    assert_out(f, node, 0, type, shape);
}

static void test_broadcast(void **state) {
    struct fixture *f = *state;
    static const char *const arithmetic[] = {"Add", "Sub", "Mul", "Div", "Mod",
                                             "Pow", "Max", "Min", "Sum", "Mean"};
    for (size_t i = 0; i < sizeof arithmetic / sizeof *arithmetic; i++)
        binary(f, arithmetic[i], NMC_ELEM_float32, "[N, 3, 4]");
    static const char *const logic[] = {"Equal",          "Less", "Greater", "LessOrEqual",
                                        "GreaterOrEqual", "And",  "Or",      "Xor"};
    for (size_t i = 0; i < sizeof logic / sizeof *logic; i++)
        binary(f, logic[i], NMC_ELEM_bool, "[N, 3, 4]");
    struct nmc_node *three =
        fx_node(f, "Sum", fx_float(f, "4"), fx_float(f, "3,1"), fx_float(f, "2,1,1"));
    assert_shape(f, fx_run(f, three), "[2, 3, 4]");
    assert_shape(f, fx_run(f, fx_node(f, "Add", fx_float(f, "N"), fx_float(f, "5"))), "[5]");
    assert_shape(f, fx_run(f, fx_node(f, "Add", fx_float(f, "N"), fx_float(f, "N"))), "[N]");
    assert_shape(f, fx_run(f, fx_node(f, "Add", fx_float(f, "N"), fx_float(f, "M"))), "[?]");
    assert_shape(f, fx_run(f, fx_node(f, "Add", fx_float(f, "0"), fx_float(f, "1"))), "[0]");
    assert_shape(f, fx_run(f, fx_node(f, "Add", fx_float(f, "2"), fx_float(f, "?"))), "[?]");
    fx_fails(f, fx_node(f, "Add", fx_float(f, "2,3"), fx_float(f, "2,4")),
             "[2, 3] and [2, 4] cannot broadcast");
}

/* Up to opset 6 the second operand is laid along the first from `axis` on. */
static void test_broadcast_by_attribute(void **state) {
    struct fixture *f = *state;
    f->opset = 6;
    struct nmc_node *node = fx_node(f, "Add", fx_float(f, "2,3,4,5"), fx_float(f, "3,4"));
    fx_attr_int(f, node, "broadcast", 1);
    fx_attr_int(f, node, "axis", 1);
    assert_shape(f, fx_run(f, node), "[2, 3, 4, 5]");
    node = fx_node(f, "Less", fx_float(f, "2,3"), fx_float(f, "2"));
    fx_attr_int(f, node, "broadcast", 1);
    fx_attr_int(f, node, "axis", 0);
    fx_run(f, node);
    assert_out(f, node, 0, NMC_ELEM_bool, "[2, 3]");
}

static void test_like_the_input(void **state) {
    struct fixture *f = *state;
    static const char *const ops[] = {"Relu", "LeakyRelu", "Sigmoid", "Softmax", "Gelu",  "Mish",
                                      "Clip", "Sin",       "Erf",     "Floor",   "Trilu", "Swish"};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        struct nmc_node *node = fx_node(f, ops[i], fx_tensor(f, NMC_ELEM_float16, "N,3"));
        fx_run(f, node);
        assert_out(f, node, 0, NMC_ELEM_float16, "[N, 3]");
    }
    struct nmc_node *slopes = fx_node(f, "PRelu", fx_float(f, "2,3,4"), fx_float(f, "3,1"));
    assert_shape(f, fx_run(f, slopes), "[2, 3, 4]");
    struct nmc_node *nan = fx_node(f, "IsNaN", fx_float(f, "N,3"));
    fx_run(f, nan);
    assert_out(f, nan, 0, NMC_ELEM_bool, "[N, 3]");
}

static void test_where(void **state) {
    struct fixture *f = *state;
    struct nmc_node *node = fx_node(f, "Where", fx_tensor(f, NMC_ELEM_bool, "3,1"),
                                    fx_float(f, "4"), fx_float(f, "2,1,1"));
    fx_run(f, node);
    assert_out(f, node, 0, NMC_ELEM_float32, "[2, 3, 4]");
}

static void test_cast(void **state) {
    struct fixture *f = *state;
    struct nmc_node *node = fx_node(f, "Cast", fx_float(f, "N,3"));
    fx_attr_int(f, node, "to", NMC_ELEM_int4);
    fx_run(f, node);
    assert_out(f, node, 0, NMC_ELEM_int4, "[N, 3]");
    node = fx_node(f, "CastLike", fx_float(f, "N,3"), fx_tensor(f, NMC_ELEM_uint8, "1"));
    fx_run(f, node);
    assert_out(f, node, 0, NMC_ELEM_uint8, "[N, 3]");
    f->opset = 1;
    node = fx_node(f, "Cast", fx_float(f, "2"));
    fx_attr_string(f, node, "to", "FLOAT");
    fx_run(f, node);
    assert_out(f, node, 0, NMC_ELEM_float32, "[2]");
    node = fx_node(f, "Cast", fx_float(f, "2"));
    fx_attr_string(f, node, "to", "INT64");
    fx_run(f, node);
    assert_out(f, node, 0, NMC_ELEM_int64, "[2]");
    node = fx_node(f, "Cast", fx_float(f, "2"));
    fx_attr_int(f, node, "to", 99);
    fx_run(f, node);
    assert_out(f, node, 0, NMC_ELEM_undefined, "[2]");
}

static void test_dropout(void **state) {
    struct fixture *f = *state;
    struct nmc_node *node = fx_nodes(f, "Dropout", 2, fx_float(f, "N,3"));
    fx_run(f, node);
    assert_out(f, node, 0, NMC_ELEM_float32, "[N, 3]");
    assert_out(f, node, 1, NMC_ELEM_bool, "[N, 3]");
    f->opset = 7;
    node = fx_nodes(f, "Dropout", 2, fx_float(f, "N,3"));
    fx_run(f, node);
    assert_out(f, node, 1, NMC_ELEM_float32, "[N, 3]");
    /* The value passes at inference alone. */
    f->opset = 13;
    struct nmc_tensor *x = fx_reals(f, "1,2");
    assert_value(f, fx_run(f, fx_node(f, "Dropout", x)), "[1, 2]");
    struct nmc_tensor *on = fx_shaped(f, fx_bools(f, "1"), "");
    assert_value(f, fx_run(f, fx_node(f, "Dropout", x, NULL, on)), "none");
}

static struct nmc_node *reduce(struct fixture *f, const char *op, const char *from,
                               const char *axes, int64_t keep) {
    struct nmc_node *node = fx_node(f, op, fx_float(f, from), axes ? fx_ints(f, axes) : NULL);
    fx_attr_int(f, node, "keepdims", keep);
    return node;
}

static void test_reduce(void **state) {
    struct fixture *f = *state;
    assert_shape(f, fx_run(f, reduce(f, "ReduceSum", "N,3,4", "1", 1)), "[N, 1, 4]");
    assert_shape(f, fx_run(f, reduce(f, "ReduceMean", "N,3,4", "-1,-2", 0)), "[N]");
    assert_shape(f, fx_run(f, reduce(f, "ReduceMax", "N,3,4", NULL, 0)), "[]");
    assert_shape(f, fx_run(f, reduce(f, "ReduceMin", "N,3,4", NULL, 1)), "[1, 1, 1]");
    assert_shape(f, fx_run(f, reduce(f, "ReduceL2", "N,3,4", "", 0)), "[]");
    struct nmc_node *noop = reduce(f, "ReduceSum", "N,3", "", 1);
    fx_attr_int(f, noop, "noop_with_empty_axes", 1);
    assert_shape(f, fx_run(f, noop), "[N, 3]");
    struct nmc_tensor *axes = fx_tensor(f, NMC_ELEM_int64, "1");
    struct nmc_node *open = fx_node(f, "ReduceSum", fx_float(f, "2,3"), axes);
    assert_shape(f, fx_run(f, open), "[?, ?]");
    open = fx_node(f, "ReduceSum", fx_float(f, "2,3"), axes);
    fx_attr_int(f, open, "keepdims", 0);
    assert_shape(f, fx_run(f, open), "[?]");
    f->opset = 11;
    struct nmc_node *old = fx_node(f, "ReduceSum", fx_float(f, "2,3,4"));
    fx_attr_ints(f, old, "axes", "0,2");
    assert_shape(f, fx_run(f, old), "[1, 3, 1]");
    fx_fails(f, reduce(f, "ReduceSum", "2,3", "2", 1), "axis 2 does not exist");
}

static void test_arg_reduce(void **state) {
    struct fixture *f = *state;
    struct nmc_node *node = fx_node(f, "ArgMax", fx_float(f, "N,10"));
    fx_attr_int(f, node, "axis", -1);
    fx_attr_int(f, node, "keepdims", 0);
    fx_run(f, node);
    assert_out(f, node, 0, NMC_ELEM_int64, "[N]");
    node = fx_node(f, "ArgMin", fx_float(f, "N,10"));
    fx_run(f, node);
    assert_out(f, node, 0, NMC_ELEM_int64, "[1, 10]");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        OP_TEST(test_broadcast),      OP_TEST(test_broadcast_by_attribute),
        OP_TEST(test_like_the_input), OP_TEST(test_where),
        OP_TEST(test_cast),           OP_TEST(test_dropout),
        OP_TEST(test_reduce),         OP_TEST(test_arg_reduce),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
