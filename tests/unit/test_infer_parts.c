/* Shape inference of parts and joins: Slice, Split, Concat, Gather, Expand, Tile. */
#include "op_fixture.h"

static const char *const least = "-9223372036854775808", *const most = "9223372036854775807";

static struct nmc_node *slice(struct fixture *f, const char *from, const char *starts,
                              const char *ends, const char *axes, const char *steps) {
    return fx_node(f, "Slice", fx_float(f, from), fx_ints(f, starts), fx_ints(f, ends),
                   axes ? fx_ints(f, axes) : NULL, steps ? fx_ints(f, steps) : NULL);
}

static void test_slice_known(void **state) {
    struct fixture *f = *state;
    assert_shape(f, fx_run(f, slice(f, "20,10,5", "0,0", "3,10", "0,1", "1,1")), "[3, 10, 5]");
    assert_shape(f, fx_run(f, slice(f, "20,10,5", "0,0", "3,4", NULL, NULL)), "[3, 4, 5]");
    assert_shape(f, fx_run(f, slice(f, "20", "0", "1000", "0", "3")), "[7]");
    assert_shape(f, fx_run(f, slice(f, "20", "-3", most, "0", NULL)), "[3]");
    assert_shape(f, fx_run(f, slice(f, "20", "1000", "1000", "0", NULL)), "[0]");
    assert_shape(f, fx_run(f, slice(f, "20,10", "1", "-1", "-1", NULL)), "[20, 8]");
    assert_shape(f, fx_run(f, slice(f, "20", "5", "2", "0", NULL)), "[0]");
    assert_shape(f, fx_run(f, slice(f, "0", "0", most, "0", NULL)), "[0]");
    assert_shape(f, fx_run(f, slice(f, "20,3", "", "", "", "")), "[20, 3]");
}

static void test_slice_backwards(void **state) {
    struct fixture *f = *state;
    assert_shape(f, fx_run(f, slice(f, "20", "-1", least, "0", "-1")), "[20]");
    assert_shape(f, fx_run(f, slice(f, "20", "19", "0", "0", "-1")), "[19]");
    assert_shape(f, fx_run(f, slice(f, "20", "19", "-21", "0", "-2")), "[10]");
    assert_shape(f, fx_run(f, slice(f, "20", "0", "20", "0", "-1")), "[0]");
    assert_shape(f, fx_run(f, slice(f, "0", "-1", least, "0", "-1")), "[0]");
    assert_shape(f, fx_run(f, slice(f, "20", most, least, "0", least)), "[1]");
}

static void test_slice_symbols(void **state) {
    struct fixture *f = *state;
    assert_shape(f, fx_run(f, slice(f, "N,8", "0", most, "0", NULL)), "[N, 8]");
    assert_shape(f, fx_run(f, slice(f, "N,8", "0", "2147483647", "0", NULL)), "[N, 8]");
    assert_shape(f, fx_run(f, slice(f, "N,8", "-1", least, "0", "-1")), "[N, 8]");
    assert_shape(f, fx_run(f, slice(f, "N,8", "0", "N", "0", NULL)), "[N, 8]");
    assert_shape(f, fx_run(f, slice(f, "N,8", "0", "1", "0", NULL)), "[1, 8]");
    assert_shape(f, fx_run(f, slice(f, "N,8", "-1", most, "0", NULL)), "[1, 8]");
    assert_shape(f, fx_run(f, slice(f, "N,8", "2", "2", "0", NULL)), "[0, 8]");
    assert_shape(f, fx_run(f, slice(f, "N,8", "0", "5", "0", NULL)), "[?, 8]");
    assert_shape(f, fx_run(f, slice(f, "N,8", "0", "M", "1", NULL)), "[N, ?]");
    assert_shape(f, fx_run(f, slice(f, "N,8", "M", most, "0", NULL)), "[?, 8]");
    assert_shape(f, fx_run(f, slice(f, "N,8", "0", "4", "M", NULL)), "[?, ?]");
    assert_shape(f, fx_run(f, slice(f, "?", "0", "4", "0", NULL)), "[?]");
    struct nmc_tensor *unknown = fx_tensor(f, NMC_ELEM_int64, "1");
    struct nmc_node *open = fx_node(f, "Slice", fx_float(f, "4,8"), unknown, fx_ints(f, "2"),
                                    fx_ints(f, "1"), fx_ints(f, "1"));
    assert_shape(f, fx_run(f, open), "[4, ?]");
}

static void test_slice_attributes(void **state) {
    struct fixture *f = *state;
    f->opset = 1;
    struct nmc_node *node = fx_node(f, "Slice", fx_float(f, "20,10,5"));
    fx_attr_ints(f, node, "starts", "0,-4");
    fx_attr_ints(f, node, "ends", "-1,9223372036854775807");
    fx_attr_ints(f, node, "axes", "1,2");
    assert_shape(f, fx_run(f, node), "[20, 9, 4]");
}

static void test_slice_errors(void **state) {
    struct fixture *f = *state;
    fx_fails(f, slice(f, "20", "0", "3", "0", "0"), "step 0");
    fx_fails(f, slice(f, "20", "0", "3", "1", NULL), "axis 1");
    fx_fails(f, slice(f, "20", "0,0", "3", "0", NULL), "2 starts but 1 ends");
    fx_fails(f, slice(f, "20,20", "0,0", "3,3", "0", NULL), "2 starts but 1 axes");
    fx_fails(f, slice(f, "20", "0,0", "3,3", NULL, NULL), "axis 1");
    fx_fails(f, fx_node(f, "Slice", fx_float(f, "20")), "no starts");
}

static void test_split(void **state) {
    struct fixture *f = *state;
    struct nmc_node *node = fx_nodes(f, "Split", 3, fx_float(f, "6,N"));
    fx_run(f, node);
    for (int i = 0; i < 3; i++)
        assert_out(f, node, i, NMC_ELEM_float32, "[2, N]");
    node = fx_nodes(f, "Split", 2, fx_float(f, "6,N"), fx_ints(f, "2,4"));
    assert_shape(f, fx_run(f, node), "[2, N]");
    assert_shape(f, node->outputs[1], "[4, N]");
    node = fx_nodes(f, "Split", 2, fx_float(f, "6,N"), fx_tensor(f, NMC_ELEM_int64, "2"));
    assert_shape(f, fx_run(f, node), "[?, N]");
    node = fx_nodes(f, "Split", 2, fx_float(f, "6,N"));
    fx_attr_int(f, node, "axis", -1);
    assert_shape(f, fx_run(f, node), "[6, ?]");
    node = fx_nodes(f, "Split", 2, fx_float(f, "6"));
    fx_attr_ints(f, node, "split", "5,1");
    assert_shape(f, fx_run(f, node), "[5]");
}

static void test_split_uneven(void **state) {
    struct fixture *f = *state;
    struct nmc_node *node = fx_nodes(f, "Split", 4, fx_float(f, "9"));
    fx_attr_int(f, node, "num_outputs", 4);
    assert_shape(f, fx_run(f, node), "[3]");
    assert_shape(f, node->outputs[2], "[3]");
    assert_shape(f, node->outputs[3], "[0]");
    node = fx_nodes(f, "Split", 4, fx_float(f, "7"));
    fx_attr_int(f, node, "num_outputs", 4);
    fx_run(f, node);
    assert_shape(f, node->outputs[3], "[1]");
    fx_fails(f, fx_nodes(f, "Split", 2, fx_float(f, "7")), "no 2 equal parts");
    fx_fails(f, fx_nodes(f, "Split", 2, fx_float(f, "7"), fx_ints(f, "3,3")), "do not sum");
    fx_fails(f, fx_nodes(f, "Split", 2, fx_float(f, "7"), fx_ints(f, "7")), "1 lengths");
}

static struct nmc_node *concat(struct fixture *f, const char *a, const char *b, int64_t axis) {
    struct nmc_node *node = fx_node(f, "Concat", fx_float(f, a), fx_float(f, b));
    fx_attr_int(f, node, "axis", axis);
    return node;
}

static void test_concat(void **state) {
    struct fixture *f = *state;
    assert_shape(f, fx_run(f, concat(f, "2,3", "2,5", 1)), "[2, 8]");
    assert_shape(f, fx_run(f, concat(f, "N,3", "2,5", -1)), "[2, 8]");
    assert_shape(f, fx_run(f, concat(f, "N,3", "N,M", 1)), "[N, ?]");
    assert_shape(f, fx_run(f, concat(f, "N,3", "?", 1)), "[N, ?]");
    assert_shape(f, fx_run(f, concat(f, "?", "?", 1)), "[?]");
    assert_shape(f, fx_run(f, concat(f, "0", "2,5", 0)), "[2, 5]");
    assert_shape(f, fx_run(f, concat(f, "0", "N", 0)), "[N]");
    fx_fails(f, concat(f, "2,3", "4,5", 1), "sizes 2 and 4 of axis 0");
    fx_fails(f, concat(f, "2,3", "4", 1), "1 and 2 axes");
    fx_fails(f, concat(f, "2,3", "2,3", 2), "axis 2");
    fx_fails(f, concat(f, "9223372036854775807", "1", 0), "overflows");
    fx_fails(f, fx_node(f, "Concat", fx_float(f, "2,3")), "no axis");
    f->opset = 1;
    assert_shape(f, fx_run(f, fx_node(f, "Concat", fx_float(f, "2,3"), fx_float(f, "2,4"))),
                 "[2, 7]");
}

static void test_gather(void **state) {
    struct fixture *f = *state;
    struct nmc_node *node = fx_node(f, "Gather", fx_float(f, "5,N,7"), fx_float(f, "2,3"));
    fx_attr_int(f, node, "axis", -1);
    assert_shape(f, fx_run(f, node), "[5, N, 2, 3]");
    assert_shape(f, fx_run(f, fx_node(f, "Gather", fx_float(f, "5,N"), fx_int(f, "1"))), "[N]");
    assert_shape(f, fx_run(f, fx_node(f, "Gather", fx_float(f, "?"), fx_int(f, "1"))), "[?]");
    fx_fails(f, fx_node(f, "Gather", fx_float(f, ""), fx_int(f, "1")), "axis 0");
}

static void test_repeat(void **state) {
    struct fixture *f = *state;
    struct nmc_node *node = fx_node(f, "Expand", fx_float(f, "3,1"), fx_ints(f, "2,1,6"));
    assert_shape(f, fx_run(f, node), "[2, 3, 6]");
    node = fx_node(f, "Expand", fx_float(f, "3,1"), fx_ints(f, "-1,N"));
    assert_shape(f, fx_run(f, node), "[3, N]");
    node = fx_node(f, "Expand", fx_float(f, "3"), fx_tensor(f, NMC_ELEM_int64, "4"));
    assert_shape(f, fx_run(f, node), "[?, ?, ?, ?]");
    fx_fails(f, fx_node(f, "Expand", fx_float(f, "3"), fx_ints(f, "2")), "cannot broadcast");
    node = fx_node(f, "Tile", fx_float(f, "N,3"), fx_ints(f, "1,2"));
    assert_shape(f, fx_run(f, node), "[N, 6]");
    node = fx_node(f, "Tile", fx_float(f, "N,3"), fx_ints(f, "2,M"));
    assert_shape(f, fx_run(f, node), "[?, ?]");
    fx_fails(f, fx_node(f, "Tile", fx_float(f, "2,3"), fx_ints(f, "2")), "1 repeats for 2 axes");
    fx_fails(f, fx_node(f, "Tile", fx_float(f, "3"), fx_ints(f, "-2")), "-6");
    f->opset = 1;
    node = fx_node(f, "Tile", fx_float(f, "2,3"), fx_int(f, "4"), fx_int(f, "1"));
    assert_shape(f, fx_run(f, node), "[2, 12]");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        OP_TEST(test_slice_known),      OP_TEST(test_slice_backwards), OP_TEST(test_slice_symbols),
        OP_TEST(test_slice_attributes), OP_TEST(test_slice_errors),    OP_TEST(test_split),
        OP_TEST(test_split_uneven),     OP_TEST(test_concat),          OP_TEST(test_gather),
        OP_TEST(test_repeat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
