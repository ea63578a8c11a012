/* Types, attributes and the values of constants. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/limits.h"
#include "onnx_case.h"
#include "proto_bytes.h"

static struct onnx_case values;

static void check_ints(const char *type, int64_t first, int64_t second) {
    static const char *const forms[] = {"raw", "typed"};
    for (int i = 0; i < 2; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s_%s", type, forms[i]);
        const struct nmc_tensor *t = onnx_tensor(&values, name);
        assert_true(t->is_initializer && t->is_constant);
        assert_int_equal(t->value_count, 2);
        assert_non_null(t->ints);
        assert_null(t->reals);
        assert_int_equal(t->ints[0], first);
        assert_int_equal(t->ints[1], second);
    }
}

static void check_reals(const char *name, int64_t count, const double *wanted) {
    const struct nmc_tensor *t = onnx_tensor(&values, name);
    assert_int_equal(t->value_count, count);
    assert_non_null(t->reals);
    assert_null(t->ints);
    for (int64_t i = 0; i < count; i++)
        assert_true(t->reals[i] == wanted[i]);
}

static void every_integer_type(void **state) {
    (void)state;
    check_ints("int8", -1, 2);
    check_ints("int16", -1, 2);
    check_ints("int32", -1, 2);
    check_ints("int64", -1, 2);
    check_ints("uint8", 1, 2);
    check_ints("uint16", 1, 2);
    check_ints("uint32", 1, 2);
    check_ints("uint64", 1, 2);
    check_ints("bool", 1, 1);
}

static void packed_nibbles(void **state) {
    (void)state;
    const struct nmc_tensor *u = onnx_tensor(&values, "uint4_raw");
    const struct nmc_tensor *i = onnx_tensor(&values, "int4_raw");
    assert_int_equal(u->ints[0], 15);
    assert_int_equal(i->ints[0], -1);
    assert_int_equal(u->ints[1], 2);
    assert_int_equal(i->ints[1], 2);
    assert_int_equal(u->ints[2], 7);
    assert_int_equal(i->ints[2], 7);
}

static void every_float_type(void **state) {
    (void)state;
    const double wanted[] = {-1, 2};
    check_reals("float_raw", 2, wanted);
    check_reals("float_typed", 2, wanted);
    check_reals("double_raw", 2, wanted);
    check_reals("double_typed", 2, wanted);
    check_reals("float16_raw", 2, wanted);
    check_reals("float16_typed", 2, wanted);
    check_reals("bfloat16_raw", 2, wanted);
    const double halves[] = {ldexp(1, -24), ldexp(1023, -24), INFINITY, -5};
    check_reals("half_subnormal", 4, halves);
}

static void what_is_not_folded(void **state) {
    (void)state;
    static const char *const names[] = {"external", "stripped", "large", "text", "future"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct nmc_tensor *t = onnx_tensor(&values, names[i]);
        assert_true(t->is_constant);
        assert_null(t->ints);
        assert_null(t->reals);
        assert_int_equal(t->shape.rank, 1);
    }
    assert_int_equal(onnx_tensor(&values, "large")->value_count, NMC_LIMIT_FOLD_ELEMENTS + 1);
    assert_non_null(onnx_tensor(&values, "largest")->reals);
    assert_non_null(onnx_tensor(&values, "none")->ints);
    assert_int_equal(onnx_tensor(&values, "none")->value_count, 0);
    assert_int_equal(onnx_tensor(&values, "scalar")->shape.rank, 0);
    assert_int_equal(onnx_tensor(&values, "scalar")->ints[0], 5);
}

static void constant_nodes(void **state) {
    (void)state;
    struct onnx_case c = onnx_load("onnx/constants");
    static const struct {
        const char *name, *shape;
        enum nmc_elem type;
    } wanted[] = {
        {"tensor", "[2, 2]", NMC_ELEM_int64}, {"int", "[]", NMC_ELEM_int64},
        {"ints", "[3]", NMC_ELEM_int64},      {"float", "[]", NMC_ELEM_float32},
        {"floats", "[2]", NMC_ELEM_float32},  {"string", "[]", NMC_ELEM_string},
        {"strings", "[2]", NMC_ELEM_string},  {"sparse", "[3, 4]", NMC_ELEM_float32},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const struct nmc_tensor *t = onnx_node(&c, wanted[i].name)->outputs[0];
        assert_true(t->is_constant);
        assert_int_equal(t->type, wanted[i].type);
        onnx_assert_shape(&c, &t->shape, wanted[i].shape);
    }
    assert_int_equal(onnx_node(&c, "int")->outputs[0]->ints[0], 9);
    assert_int_equal(onnx_node(&c, "ints")->outputs[0]->ints[2], 3);
    assert_true(onnx_node(&c, "floats")->outputs[0]->reals[1] == 0.25);
    const struct nmc_tensor *t = onnx_node(&c, "tensor")->outputs[0];
    assert_int_equal(t->ints[2], 3);
    assert_true(t->ints[3] == NMC_DIM_LEAST); /* INT64_MIN would be a symbol */
    onnx_unload(&c);
}

static void every_kind_of_attribute(void **state) {
    (void)state;
    struct onnx_case c = onnx_load("onnx/attributes");
    const struct nmc_node *n = onnx_node(&c, "n");
    assert_null(n->op);
    assert_int_equal(n->opset, 0); /* com.example is not imported */
    assert_true(nmc_attr_find(n, "f")->f == 1.5);
    assert_int_equal(nmc_attr_find(n, "i")->i, -7);
    assert_string_equal(nmc_attr_find(n, "s")->s, "text");
    assert_int_equal(nmc_attr_find(n, "s")->count, 4);
    assert_true(nmc_attr_find(n, "floats")->floats[1] == -2);
    assert_true(nmc_attr_find(n, "ints")->ints[2] == INT64_C(1) << 40);
    assert_string_equal(nmc_attr_find(n, "strings")->strings[1], "bc");
    assert_int_equal(nmc_attr_find(n, "strings")->count, 2);
    const struct nmc_attr *t = nmc_attr_find(n, "t");
    assert_int_equal(t->kind, NMC_ATTR_TENSOR);
    assert_int_equal(t->tensor->ints[1], 4);
    assert_int_equal(nmc_attr_find(n, "g")->count, 1);
    assert_int_equal(nmc_attr_find(n, "graphs")->count, 2);
    assert_ptr_equal(nmc_attr_find(n, "graphs")->graphs[1]->owner, n);
    const struct nmc_attr *sparse = nmc_attr_find(n, "sparse");
    assert_int_equal(sparse->kind, NMC_ATTR_TENSOR);
    onnx_assert_shape(&c, &sparse->tensor->shape, "[3, 4]");
    assert_int_equal(nmc_attr_find(n, "empty_ints")->kind, NMC_ATTR_INTS);
    assert_non_null(nmc_attr_find(n, "empty_ints")->ints);
    assert_null(nmc_attr_find(n, "dangling")); /* it refers to a function's attribute */
    onnx_unload(&c);
}

static void attributes_without_a_type(void **state) {
    (void)state;
    struct onnx_case c = onnx_load("onnx/attributes_untyped");
    assert_int_equal(neuromc_diags_count(c.diags), 0);
    assert_int_equal(c.net->opset, 1);
    const struct nmc_node *n = onnx_node(&c, "n");
    assert_int_equal(n->opset, 1);
    assert_int_equal(nmc_attr_find(n, "kernel_shape")->kind, NMC_ATTR_INTS);
    assert_int_equal(nmc_attr_find(n, "group")->kind, NMC_ATTR_INT);
    assert_int_equal(nmc_attr_find(n, "auto_pad")->kind, NMC_ATTR_STRING);
    assert_int_equal(nmc_attr_find(n, "f")->kind, NMC_ATTR_FLOAT);
    onnx_unload(&c);
}

static void types_of_inputs(void **state) {
    (void)state;
    struct onnx_case c = onnx_load("onnx/types");
    assert_int_equal(onnx_tensor(&c, "seq")->holds, NMC_HOLDS_SEQUENCE);
    assert_int_equal(onnx_tensor(&c, "opt")->holds, NMC_HOLDS_OPTIONAL);
    assert_int_equal(onnx_tensor(&c, "optseq")->holds, NMC_HOLDS_OPTIONAL);
    assert_int_equal(onnx_tensor(&c, "map")->holds, NMC_HOLDS_MAP);
    assert_int_equal(onnx_tensor(&c, "sparse")->holds, NMC_HOLDS_TENSOR);
    onnx_assert_shape(&c, &onnx_tensor(&c, "optseq")->shape, "[N, 3]");
    onnx_assert_shape(&c, &onnx_tensor(&c, "sparse")->shape, "[5, 6]");
    onnx_assert_shape(&c, &onnx_tensor(&c, "norank")->shape, "[?]");
    onnx_assert_shape(&c, &onnx_tensor(&c, "scalar")->shape, "[]");
    assert_int_equal(onnx_tensor(&c, "sparse")->type, NMC_ELEM_float64);
    onnx_unload(&c);
}

static void symbolic_dims(void **state) {
    (void)state;
    struct onnx_case c = onnx_load("onnx/types");
    const struct nmc_tensor *dims = onnx_tensor(&c, "dims"), *seq = onnx_tensor(&c, "seq");
    onnx_assert_shape(&c, &dims->shape, "[N, M, dims:2, dims:3, dims:4, dims:5, dims:6]");
    assert_true(dims->shape.dims[0] == seq->shape.dims[0]);
    assert_true(dims->shape.dims[5] != dims->shape.dims[6]); /* "None" is no name */
    assert_ptr_equal(c.net->symbols[nmc_dim_id(dims->shape.dims[1])].input, dims);
    assert_int_equal(c.net->symbols[nmc_dim_id(dims->shape.dims[4])].axis, 4);
    /* declared: a 0 is a 0, and known names are the inputs' */
    const struct nmc_tensor *b = onnx_tensor(&c, "b");
    assert_int_equal(b->shape.rank, -1);
    onnx_assert_shape(&c, &b->declared, "[M, 0, K]");
    assert_true(b->declared.dims[0] == dims->shape.dims[1]);
    onnx_assert_shape(&c, &onnx_tensor(&c, "a")->declared, "[N, 7]");
    onnx_unload(&c);
}

static void put_weight(struct nmc_strbuf *graph, const char *name, int type, size_t elements,
                       size_t width) {
    struct nmc_strbuf tensor;
    char *zeros = test_calloc(elements, width);
    nmc_strbuf_init(&tensor);
    proto_int(&tensor, 1, elements);
    proto_int(&tensor, 2, (uint64_t)type);
    proto_text(&tensor, 8, name);
    proto_bytes(&tensor, 9, zeros, elements * width);
    proto_put(graph, 5, &tensor);
    test_free(zeros);
}

/* Bias vectors without end do not pile up; shapes are kept however many there are. */
static void how_much_is_kept(void **state) {
    (void)state;
    enum { BIASES = NMC_LIMIT_KEPT_BYTES / 8192 + 1 };
    struct nmc_strbuf graph, node = proto_node("Relu", "x", "y"), x = proto_info("x");
    nmc_strbuf_init(&graph);
    proto_put(&graph, 1, &node);
    proto_put(&graph, 11, &x);
    for (int i = 0; i < BIASES; i++) {
        char name[32];
        snprintf(name, sizeof name, "b%d", i);
        put_weight(&graph, name, NMC_ELEM_float32, 2048, 4);
    }
    put_weight(&graph, "shape", NMC_ELEM_int64, 2048, 8);
    struct nmc_strbuf model = proto_model(&graph);
    struct onnx_case c = onnx_parse(model.text, model.length);
    char last[32];
    snprintf(last, sizeof last, "b%d", BIASES - 1);
    assert_non_null(onnx_tensor(&c, "b0")->reals);
    assert_null(onnx_tensor(&c, last)->reals);
    assert_int_equal(onnx_tensor(&c, last)->value_count, 2048);
    assert_non_null(onnx_tensor(&c, "shape")->ints);
    assert_int_equal(neuromc_diags_count(c.diags), 0);
    onnx_unload(&c);
    nmc_strbuf_release(&model);
}

static int load_values(void **state) {
    (void)state;
    values = onnx_load("onnx/values");
    return values.status != NEUROMC_OK || neuromc_diags_count(values.diags) != 1 /* no nodes */;
}

static int unload_values(void **state) {
    (void)state;
    onnx_unload(&values);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_integer_type),
        cmocka_unit_test(packed_nibbles),
        cmocka_unit_test(every_float_type),
        cmocka_unit_test(what_is_not_folded),
        cmocka_unit_test(constant_nodes),
        cmocka_unit_test(every_kind_of_attribute),
        cmocka_unit_test(attributes_without_a_type),
        cmocka_unit_test(types_of_inputs),
        cmocka_unit_test(symbolic_dims),
        cmocka_unit_test(how_much_is_kept),
    };
    return cmocka_run_group_tests(tests, load_values, unload_values);
}
