/* Folding: values of shape arithmetic, symbols and holes in them, and what must not be folded. */
#include "op_fixture.h"

static struct nmc_tensor *run1(struct fixture *f, const char *op, struct nmc_tensor *a) {
    return fx_run(f, fx_node(f, op, a));
}

static struct nmc_tensor *run2(struct fixture *f, const char *op, struct nmc_tensor *a,
                               struct nmc_tensor *b) {
    return fx_run(f, fx_node(f, op, a, b));
}

static struct nmc_tensor *cast(struct fixture *f, struct nmc_tensor *a, enum nmc_elem to) {
    struct nmc_node *node = fx_node(f, "Cast", a);
    fx_attr_int(f, node, "to", to);
    return fx_run(f, node);
}

static struct nmc_tensor *slice(struct fixture *f, struct nmc_tensor *a, const char *from,
                                const char *to) {
    return fx_run(f, fx_node(f, "Slice", a, fx_ints(f, from), fx_ints(f, to), fx_ints(f, "0")));
}

static struct nmc_tensor *concat(struct fixture *f, struct nmc_tensor *a, struct nmc_tensor *b,
                                 struct nmc_tensor *c) {
    struct nmc_node *node = fx_node(f, "Concat", a, b, c);
    fx_attr_int(f, node, "axis", 0);
    return fx_run(f, node);
}

/* Shape -> Slice[0:0] (empty), Slice[2:5] -> Concat(empty, [-1], rest) -> Reshape */
static void test_merge_time_into_batch(void **state) {
    struct fixture *f = *state;
    struct nmc_tensor *x = fx_float(f, "4,N,3,32,32"), *shape = run1(f, "Shape", x);
    assert_value(f, shape, "[4, N, 3, 32, 32]");
    struct nmc_tensor *empty = slice(f, shape, "0", "0");
    assert_value(f, empty, "[]");
    struct nmc_tensor *rest = slice(f, shape, "2", "5");
    assert_value(f, rest, "[3, 32, 32]");
    struct nmc_tensor *target = concat(f, empty, fx_ints(f, "-1"), rest);
    assert_value(f, target, "[-1, 3, 32, 32]");
    assert_shape(f, run2(f, "Reshape", x, target), "[?, 3, 32, 32]");
    struct nmc_tensor *fixed = fx_float(f, "4,2,3,32,32");
    assert_shape(f, run2(f, "Reshape", fixed, target), "[8, 3, 32, 32]");
}

/* Shape -> Gather 0 -> Unsqueeze -> Concat with [-1] -> Reshape */
static void test_dynamic_flatten(void **state) {
    struct fixture *f = *state;
    struct nmc_tensor *x = fx_float(f, "N,16,5,5"), *shape = run1(f, "Shape", x);
    struct nmc_tensor *lead = run2(f, "Gather", shape, fx_int(f, "0"));
    assert_value(f, lead, "[N]");
    struct nmc_tensor *list = run2(f, "Unsqueeze", lead, fx_ints(f, "0"));
    struct nmc_node *node = fx_node(f, "Concat", list, fx_ints(f, "-1"));
    fx_attr_int(f, node, "axis", 0);
    assert_shape(f, run2(f, "Reshape", x, fx_run(f, node)), "[N, 400]");
}

/* A part that is not known leaves a hole, not the whole. */
static void test_concat_with_holes(void **state) {
    struct fixture *f = *state;
    struct nmc_tensor *open = fx_tensor(f, NMC_ELEM_int64, "1");
    struct nmc_tensor *target = concat(f, open, fx_ints(f, "3"), fx_ints(f, "8"));
    assert_value(f, target, "[?, 3, 8]");
    assert_shape(f, run2(f, "Reshape", fx_float(f, "48"), target), "[2, 3, 8]");
    struct nmc_tensor *picked = run2(f, "Gather", target, fx_ints(f, "-1,1"));
    assert_value(f, picked, "[8, 3]");
}

/* Shape -> Cast float -> Mul -> Floor -> Cast int64, in the precision of the type. */
static void test_resize_chain(void **state) {
    struct fixture *f = *state;
    struct nmc_tensor *shape = run1(f, "Shape", fx_float(f, "13,20"));
    struct nmc_tensor *real = cast(f, shape, NMC_ELEM_float32);
    struct nmc_tensor *scaled = run2(f, "Mul", real, fx_reals(f, "2.5,1.7999999523162842"));
    struct nmc_tensor *size = cast(f, run1(f, "Floor", scaled), NMC_ELEM_int64);
    assert_value(f, size, "[32, 36]");
    /* A symbol has no real form: a hole. */
    real = cast(f, run1(f, "Shape", fx_float(f, "N,3")), NMC_ELEM_float32);
    assert_value(f, real, "[?, 3]");
    assert_value(f, cast(f, real, NMC_ELEM_int64), "[?, 3]");
}

static void test_arithmetic(void **state) {
    struct fixture *f = *state;
    struct nmc_tensor *a = fx_ints(f, "7,-7,N,N"), *b = fx_ints(f, "2,2,N,1");
    assert_value(f, run2(f, "Add", a, b), "[9, -5, ?, ?]");
    assert_value(f, run2(f, "Sub", a, b), "[5, -9, 0, ?]");
    assert_value(f, run2(f, "Mul", a, b), "[14, -14, ?, N]");
    assert_value(f, run2(f, "Div", a, b), "[3, -3, 1, N]");
    assert_value(f, run2(f, "Mod", a, b), "[1, 1, 0, 0]");
    assert_value(f, run2(f, "Min", a, b), "[2, -7, N, ?]");
    assert_value(f, run2(f, "Max", a, b), "[7, 2, N, ?]");
    assert_value(f, run2(f, "Pow", a, b), "[49, 49, ?, N]");
    assert_value(f, run2(f, "Add", a, fx_int(f, "0")), "[7, -7, N, N]");
    assert_value(f, run2(f, "Mul", a, fx_int(f, "0")), "[0, 0, 0, 0]");
    struct nmc_node *mod = fx_node(f, "Mod", fx_ints(f, "-7"), fx_ints(f, "2"));
    fx_attr_int(f, mod, "fmod", 1);
    assert_value(f, fx_run(f, mod), "[-1]");
    assert_value(f, run1(f, "Neg", fx_ints(f, "3,N")), "[-3, ?]");
    assert_value(f, run1(f, "Abs", fx_ints(f, "-3")), "[3]");
}

static void test_overflow_leaves_a_hole(void **state) {
    struct fixture *f = *state;
    struct nmc_tensor *big = fx_ints(f, "9223372036854775807,1");
    assert_value(f, run2(f, "Add", big, fx_int(f, "1")), "[?, 2]");
    assert_value(f, run2(f, "Mul", big, fx_int(f, "3")), "[?, 3]");
    assert_value(f, run2(f, "Div", big, fx_int(f, "0")), "[?, ?]");
    assert_value(f, run2(f, "Mod", big, fx_int(f, "0")), "[?, ?]");
    assert_value(f, run2(f, "Pow", fx_ints(f, "3,-1"), fx_int(f, "4000000001")), "[?, -1]");
    assert_value(f, cast(f, big, NMC_ELEM_int32), "[?, 1]");
    assert_value(f, cast(f, fx_reals(f, "1e30,-2.7"), NMC_ELEM_int64), "[?, -2]");
    assert_value(f, run1(f, "Sqrt", fx_reals(f, "-1,9")), "[?, 3]");
    assert_value(f, run2(f, "Div", fx_reals(f, "1"), fx_reals(f, "0")), "[?]");
}

/* Many holes are many symbols: such a value is dropped. */
static void test_many_holes(void **state) {
    struct fixture *f = *state;
    struct nmc_tensor *wide = run2(f, "Expand", fx_ints(f, "N"), fx_ints(f, "2000"));
    assert_int_equal(wide->value_count, 2000);
    uint32_t before = f->net->symbol_count;
    assert_value(f, run2(f, "Add", wide, fx_int(f, "1")), "none");
    assert_true(f->net->symbol_count - before <= NMC_LIMIT_RANK);
}

static void test_broadcast(void **state) {
    struct fixture *f = *state;
    struct nmc_tensor *column = fx_shaped(f, fx_ints(f, "10,20"), "2,1");
    assert_value(f, run2(f, "Add", column, fx_ints(f, "1,2,3")), "[11, 12, 13, 21, 22, 23]");
    assert_value(f, run2(f, "Equal", column, fx_ints(f, "20")), "[0, 1]");
    struct nmc_node *sum = fx_node(f, "Sum", fx_ints(f, "1"), fx_int(f, "2"), fx_ints(f, "3,4"));
    assert_value(f, fx_run(f, sum), "[6, 7]");
}

static void test_compare(void **state) {
    struct fixture *f = *state;
    struct nmc_tensor *a = fx_ints(f, "1,N,N,N"), *b = fx_ints(f, "1,N,-1,5");
    assert_value(f, run2(f, "Equal", a, b), "[1, 1, 0, ?]");
    assert_value(f, run2(f, "Less", a, b), "[0, 0, 0, ?]");
    assert_value(f, run2(f, "Greater", a, b), "[0, 0, 1, ?]");
    assert_value(f, run2(f, "GreaterOrEqual", a, b), "[1, 1, 1, ?]");
    assert_value(f, run2(f, "LessOrEqual", b, a), "[1, 1, 1, ?]");
    assert_value(f, run2(f, "Less", fx_reals(f, "1,2"), fx_real(f, "1.5")), "[1, 0]");
    struct nmc_tensor *open = run2(f, "Equal", fx_ints(f, "N,N"), fx_ints(f, "5,N"));
    assert_value(f, run2(f, "And", open, fx_bools(f, "0,1")), "[0, 1]");
    assert_value(f, run2(f, "Or", open, fx_bools(f, "1,0")), "[1, 1]");
    assert_value(f, run2(f, "Xor", fx_bools(f, "1,0"), fx_bools(f, "1,1")), "[0, 1]");
    assert_value(f, run1(f, "Not", open), "[?, 0]");
}

/* ConstantOfShape -> Mul -1 -> Equal -> Where -> Expand */
static void test_expand_chain(void **state) {
    struct fixture *f = *state;
    struct nmc_tensor *target = fx_ints(f, "N,-1,4");
    struct nmc_node *ones = fx_node(f, "ConstantOfShape", run1(f, "Shape", target));
    fx_attr_tensor(f, ones, "value", fx_ints(f, "1"));
    struct nmc_tensor *one = fx_run(f, ones);
    assert_value(f, one, "[1, 1, 1]");
    struct nmc_tensor *equal = run2(f, "Equal", target, run2(f, "Mul", one, fx_int(f, "-1")));
    assert_value(f, equal, "[0, 1, 0]");
    struct nmc_tensor *size = fx_run(f, fx_node(f, "Where", equal, one, target));
    assert_value(f, size, "[N, 1, 4]");
    assert_shape(f, run2(f, "Expand", fx_float(f, "1,7,1"), size), "[N, 7, 4]");
}

static void test_where(void **state) {
    struct fixture *f = *state;
    struct nmc_tensor *open = run2(f, "Equal", fx_ints(f, "N,N"), fx_ints(f, "5,6"));
    struct nmc_node *node = fx_node(f, "Where", open, fx_ints(f, "3,4"), fx_ints(f, "3,5"));
    assert_value(f, fx_run(f, node), "[3, ?]");
    node = fx_node(f, "Where", fx_bools(f, "1,0"), fx_ints(f, "7,8"),
                   fx_tensor(f, NMC_ELEM_int64, "2"));
    assert_value(f, fx_run(f, node), "[7, ?]");
    node = fx_node(f, "Where", fx_bools(f, "1,0"), fx_reals(f, "7"), fx_reals(f, "0.5"));
    assert_value(f, fx_run(f, node), "[7, 0.5]");
}

static void test_move(void **state) {
    struct fixture *f = *state;
    struct nmc_tensor *grid = fx_shaped(f, fx_ints(f, "0,1,2,3,4,5"), "2,3");
    struct nmc_node *cut =
        fx_node(f, "Slice", grid, fx_ints(f, "-1,0"), fx_ints(f, "-9223372036854775807,3"),
                fx_ints(f, "0,1"), fx_ints(f, "-1,2"));
    assert_value(f, fx_run(f, cut), "[3, 5, 0, 2]");
    assert_value(f, run2(f, "Tile", grid, fx_ints(f, "1,2")),
                 "[0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5]");
    struct nmc_node *join = fx_node(f, "Concat", grid, grid);
    fx_attr_int(f, join, "axis", 1);
    assert_value(f, fx_run(f, join), "[0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5]");
    struct nmc_node *parts = fx_nodes(f, "Split", 2, grid, fx_ints(f, "1,2"));
    fx_attr_int(f, parts, "axis", 1);
    assert_value(f, fx_run(f, parts), "[0, 3]");
    assert_value(f, parts->outputs[1], "[1, 2, 4, 5]");
    struct nmc_node *gather = fx_node(f, "Gather", grid, fx_ints(f, "2,0"));
    fx_attr_int(f, gather, "axis", 1);
    assert_value(f, fx_run(f, gather), "[2, 0, 5, 3]");
    assert_value(f, run2(f, "Gather", grid, fx_ints(f, "2")), "none");
    assert_value(f, run2(f, "Gather", grid, fx_ints(f, "N")), "none");
}

static void test_reduce(void **state) {
    struct fixture *f = *state;
    struct nmc_tensor *grid = fx_shaped(f, fx_ints(f, "1,2,3,4,5,6"), "2,3");
    assert_value(f, run2(f, "ReduceSum", grid, fx_ints(f, "0")), "[5, 7, 9]");
    assert_value(f, run2(f, "ReduceProd", grid, fx_ints(f, "-1")), "[6, 120]");
    assert_value(f, run1(f, "ReduceMax", grid), "[6]");
    assert_value(f, run1(f, "ReduceMin", grid), "[1]");
    assert_value(f, run1(f, "ReduceProd", fx_ints(f, "1,N,1")), "[N]");
    assert_value(f, run1(f, "ReduceProd", fx_ints(f, "N,M,0")), "[0]");
}

static void test_create(void **state) {
    struct fixture *f = *state;
    struct nmc_node *part = fx_node(f, "Shape", fx_float(f, "N,3,8,9"));
    fx_attr_int(f, part, "start", -3);
    fx_attr_int(f, part, "end", -1);
    assert_value(f, fx_run(f, part), "[3, 8]");
    assert_value(f, run1(f, "Shape", fx_float(f, "")), "[]");
    assert_value(f, run1(f, "Shape", fx_float(f, "?")), "none");
    assert_value(f, run1(f, "Size", fx_float(f, "2,3")), "[6]");
    assert_value(f, run1(f, "Size", fx_float(f, "N,1")), "[N]");
    assert_value(f, run1(f, "Size", fx_float(f, "9223372036854775807,2")), "none");
    struct nmc_node *range = fx_node(f, "Range", fx_int(f, "1"), fx_int(f, "10"), fx_int(f, "4"));
    assert_value(f, fx_run(f, range), "[1, 5, 9]");
    range = fx_node(f, "Range", fx_int(f, "3"), fx_int(f, "-3"), fx_int(f, "-2"));
    assert_value(f, fx_run(f, range), "[3, 1, -1]");
    range = fx_node(f, "Range", fx_real(f, "0"), fx_real(f, "1"), fx_real(f, "0.25"));
    assert_value(f, fx_run(f, range), "[0, 0.25, 0.5, 0.75]");
    range = fx_node(f, "Range", fx_int(f, "0"), fx_int(f, "N"), fx_int(f, "1"));
    assert_shape(f, fx_run(f, range), "[N]");
    range = fx_node(f, "Range", fx_int(f, "4611686018427387904"), fx_int(f, "-4611686018427387904"),
                    fx_int(f, "-1"));
    assert_shape(f, fx_run(f, range), "[?]");
    fx_fails(f, fx_node(f, "Range", fx_int(f, "0"), fx_int(f, "9"), fx_int(f, "0")), "delta");
}

static void test_constants(void **state) {
    struct fixture *f = *state;
    struct nmc_node *node = fx_source(f, "Constant");
    fx_attr_ints(f, node, "value_ints", "3,-9223372036854775808");
    assert_value(f, fx_run(f, node), "[3, -4611686018427387904]");
    assert_out(f, node, 0, NMC_ELEM_int64, "[2]");
    node = fx_source(f, "Constant");
    fx_attr_float(f, node, "value_float", 0.5);
    assert_value(f, fx_run(f, node), "[0.5]");
    assert_out(f, node, 0, NMC_ELEM_float32, "[]");
    node = fx_source(f, "Constant");
    fx_attr_tensor(f, node, "value", fx_shaped(f, fx_ints(f, "1,2"), "1,2"));
    assert_value(f, fx_run(f, node), "[1, 2]");
    assert_out(f, node, 0, NMC_ELEM_int64, "[1, 2]");
    fx_fails(f, fx_source(f, "Constant"), "no value");
}

/* Nothing large is made: the shape alone. */
static void test_large_constant_of_shape(void **state) {
    struct fixture *f = *state;
    size_t before = f->net->arena.used;
    struct nmc_tensor *big = run1(f, "ConstantOfShape", fx_ints(f, "17592186044800"));
    assert_shape(f, big, "[17592186044800]");
    assert_value(f, big, "none");
    assert_true(f->net->arena.used - before < 10000);
    assert_shape(f, run1(f, "ConstantOfShape", fx_ints(f, "")), "[]");
    assert_shape(f, run1(f, "ConstantOfShape", fx_tensor(f, NMC_ELEM_int64, "2")), "[?, ?]");
    fx_fails(f, fx_node(f, "ConstantOfShape", fx_ints(f, "-3")), "-3");
}

/* A constant whose values are not as many as its shape says is not read; no values are as many as
 * 0 times anything. */
static void test_inconsistent_constant(void **state) {
    struct fixture *f = *state;
    struct nmc_tensor *liar = fx_shaped(f, fx_ints(f, "1,2"), "3000");
    assert_value(f, run1(f, "Neg", liar), "none");
    assert_value(f, run2(f, "Gather", liar, fx_ints(f, "2000")), "none");
    assert_value(f, run1(f, "Transpose", fx_shaped(f, fx_ints(f, ""), "0,4611686018427387904,4")),
                 "[]");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        OP_TEST(test_merge_time_into_batch),
        OP_TEST(test_dynamic_flatten),
        OP_TEST(test_concat_with_holes),
        OP_TEST(test_resize_chain),
        OP_TEST(test_arithmetic),
        OP_TEST(test_overflow_leaves_a_hole),
        OP_TEST(test_many_holes),
        OP_TEST(test_broadcast),
        OP_TEST(test_compare),
        OP_TEST(test_expand_chain),
        OP_TEST(test_where),
        OP_TEST(test_move),
        OP_TEST(test_reduce),
        OP_TEST(test_create),
        OP_TEST(test_constants),
        OP_TEST(test_large_constant_of_shape),
        OP_TEST(test_inconsistent_constant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
