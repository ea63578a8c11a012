/* The driver of shape inference: binding dims, declared shapes, input counts, constants. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "net_builder.h"

static int setup(void **state) {
    static struct net_builder b;
    nb_init(&b, 17);
    *state = &b;
    return 0;
}

static int teardown(void **state) {
    nb_free(*state);
    return 0;
}

static neuromc_status infer_with(struct net_builder *b, const char *name, int64_t value) {
    neuromc_dim_binding binding = {name, value};
    return nb_infer(b, &(struct nmc_infer_options){.dims = &binding, .dim_count = 1});
}

static struct nmc_tensor *linear(struct net_builder *b, const char *x_shape) {
    struct nmc_tensor *x = nb_input(b, "x", x_shape);
    return nb_op(b, "MatMul", "m", x, nb_weight(b, "w", "8,5"), NULL);
}

/* ---- --dim ---- */

static void test_dim_by_name(void **state) {
    struct nmc_tensor *y = linear(*state, "N,T,8");
    assert_int_equal(infer_with(*state, "N", 4), NEUROMC_OK);
    nb_assert_shape(*state, y, "4,T,5");
}

static void test_dim_by_input_and_axis(void **state) {
    struct nmc_tensor *y = linear(*state, "?,?,8");
    assert_int_equal(infer_with(*state, "x:1", 7), NEUROMC_OK);
    nb_assert_shape(*state, y, "?,7,5");
}

static void test_one_name_is_one_size(void **state) {
    struct net_builder *b = *state;
    struct nmc_tensor *x = nb_input(b, "x", "N,8"), *z = nb_input(b, "z", "2,2");
    /* A frontend may make two symbols of one name. */
    z->shape.dims[1] = nmc_symbol_new(b->net, "N", z, 1, NULL);
    struct nmc_tensor *y = nb_op(b, "MatMul", "m", z, x, NULL);
    assert_int_equal(infer_with(b, "N", 3), NEUROMC_OK);
    nb_assert_shape(b, z, "2,3");
    nb_assert_shape(b, y, "2,8");
}

static void test_dim_misspelt(void **state) {
    struct net_builder *b = *state;
    linear(b, "batch,?,8");
    assert_int_equal(infer_with(b, "bacth", 4), NEUROMC_USAGE);
    assert_string_equal(nb_error(b), "no dim is called \"bacth\"");
    assert_string_equal(neuromc_diags_at(b->diags, 0)->hint,
                        "did you mean \"batch\"? open dims: batch, x:1");
}

static void test_dim_of_static_model(void **state) {
    struct net_builder *b = *state;
    linear(b, "2,8");
    assert_int_equal(infer_with(b, "N", 4), NEUROMC_USAGE);
    assert_string_equal(neuromc_diags_at(b->diags, 0)->hint,
                        "every dim of the model's inputs is a number");
}

static void test_dim_contradicts_file(void **state) {
    linear(*state, "2,8");
    assert_int_equal(infer_with(*state, "x:0", 4), NEUROMC_USAGE);
    assert_string_equal(nb_error(*state), "dim \"x:0\" is 2 and cannot be 4 as well");
}

static void test_dim_zero(void **state) {
    linear(*state, "N,8");
    assert_int_equal(infer_with(*state, "N", 0), NEUROMC_USAGE);
    assert_string_equal(nb_error(*state), "dim \"N\" cannot be 0: a size is at least 1");
}

static void test_dim_that_the_weight_refuses(void **state) {
    linear(*state, "N,F");
    assert_int_equal(infer_with(*state, "F", 9), NEUROMC_BAD_INPUT);
    assert_string_equal(nb_error(*state), "inner sizes differ (9 and 8)");
}

static void test_open_dims_stay_open(void **state) {
    struct nmc_tensor *y = linear(*state, "N,8");
    assert_int_equal(nb_infer(*state, NULL), NEUROMC_OK);
    nb_assert_shape(*state, y, "N,5");
}

/* ---- --batch ---- */

static neuromc_status infer_batch(struct net_builder *b, int64_t batch) {
    return nb_infer(b, &(struct nmc_infer_options){.batch = batch});
}

static void test_batch_symbolic(void **state) {
    struct nmc_tensor *y = linear(*state, "N,N,8");
    assert_int_equal(infer_batch(*state, 3), NEUROMC_OK);
    nb_assert_shape(*state, y, "3,3,5");
}

static void test_batch_static(void **state) {
    struct net_builder *b = *state;
    struct nmc_tensor *y = linear(b, "1,8"), *scalar = nb_input(b, "s", "");
    nb_declare(b, y, "1,5");
    assert_int_equal(infer_batch(b, 3), NEUROMC_OK);
    nb_assert_shape(b, y, "3,5");
    nb_assert_shape(b, scalar, "");
    assert_string_equal(nb_warning(b), "");
}

static void test_batch_leaves_weights_alone(void **state) {
    struct net_builder *b = *state;
    struct nmc_tensor *x = nb_input(b, "x", "1,3,6,6"), *w = nb_input(b, "w", "4,3,3,3");
    struct nmc_tensor *y = nb_op(b, "Conv", "c", x, w, NULL);
    assert_int_equal(infer_batch(b, 2), NEUROMC_OK);
    nb_assert_shape(b, w, "4,3,3,3");
    nb_assert_shape(b, y, "2,4,4,4");
}

static void test_batch_drops_declared_shapes(void **state) {
    struct net_builder *b = *state;
    struct nmc_tensor *x = nb_input(b, "x", "1,8");
    struct nmc_tensor *y = nb_op(b, "com.example::Custom", "f", x, NULL, NULL);
    nb_declare(b, y, "1,5");
    assert_int_equal(infer_batch(b, 2), NEUROMC_OK);
    assert_int_equal(y->shape.rank, -1);
}

static void test_batch_hint(void **state) {
    struct net_builder *b = *state;
    struct nmc_tensor *x = nb_input(b, "x", "1,8"), *z = nb_weight(b, "z", "5,1");
    nb_op(b, "Gemm", "g", z, x, NULL);
    assert_int_equal(infer_batch(b, 2), NEUROMC_OK); /* x is B of the Gemm: a weight */
    nb_op(b, "MatMul", "m", x, nb_weight(b, "w", "1,8"), NULL);
    assert_int_equal(infer_batch(b, 2), NEUROMC_BAD_INPUT);
    assert_non_null(strstr(neuromc_diags_at(b->diags, 0)->hint, "--batch changed"));
}

static void test_batch_hard_coded(void **state) {
    struct net_builder *b = *state;
    struct nmc_tensor *x = nb_input(b, "x", "1,3,8");
    nb_op(b, "Reshape", "r", x, nb_ints(b, "s", 2, (int64_t[]){1, 24}), NULL);
    assert_int_equal(infer_batch(b, 2), NEUROMC_BAD_INPUT);
    assert_string_equal(neuromc_diags_at(b->diags, 0)->where, "Reshape \"r\"");
    assert_string_equal(neuromc_diags_at(b->diags, 0)->hint,
                        "--batch changed the leading dim; this Reshape hard-codes another batch");
}

/* It would fit: the batch would become part of the tokens. */
static void test_batch_moved_aside(void **state) {
    struct net_builder *b = *state;
    struct nmc_tensor *x = nb_input(b, "x", "1,3,8");
    nb_op(b, "Reshape", "r", x, nb_ints(b, "s", 3, (int64_t[]){1, -1, 8}), NULL);
    assert_int_equal(infer_batch(b, 2), NEUROMC_BAD_INPUT);
    assert_string_equal(nb_error(b), "its leading dim is 1, though the batch is 2");
}

static void test_batch_merged_with_time(void **state) {
    struct net_builder *b = *state;
    struct nmc_tensor *x = nb_input(b, "x", "1,3,8");
    struct nmc_tensor *y =
        nb_op(b, "Reshape", "r", x, nb_ints(b, "s", 2, (int64_t[]){-1, 8}), NULL);
    assert_int_equal(infer_batch(b, 2), NEUROMC_OK);
    nb_assert_shape(b, y, "6,8");
}

static void test_batch_contradicts_dim(void **state) {
    struct net_builder *b = *state;
    neuromc_dim_binding n = {"N", 4};
    linear(b, "N,8");
    struct nmc_infer_options options = {.dims = &n, .dim_count = 1, .batch = 2};
    assert_int_equal(nb_infer(b, &options), NEUROMC_USAGE);
    assert_string_equal(nb_error(b), "batch 2 contradicts axis 0 of input \"x\", bound to 4");
}

/* ---- declared shapes ---- */

static void test_unknown_op_keeps_declared(void **state) {
    struct net_builder *b = *state;
    struct nmc_tensor *x = nb_input(b, "x", "N,8");
    struct nmc_tensor *y = nb_op(b, "com.example::Custom", "f", x, NULL, NULL);
    nb_declare(b, y, "N,8");
    struct nmc_tensor *z = nb_op(b, "MatMul", "m", y, nb_weight(b, "w", "8,5"), NULL);
    assert_int_equal(nb_infer(b, NULL), NEUROMC_OK);
    nb_assert_shape(b, z, "N,5");
}

static void test_declared_fills_axis_by_axis(void **state) {
    struct net_builder *b = *state;
    struct nmc_tensor *x = nb_input(b, "x", NULL);
    struct nmc_tensor *y = nb_op(b, "Conv", "c", x, nb_weight(b, "w", "4,3,3,3"), NULL);
    nb_declare(b, y, "N,4,?,6");
    assert_int_equal(nb_infer(b, NULL), NEUROMC_OK);
    nb_assert_shape(b, y, "N,4,?,6");
}

static void test_contradiction_warns_once(void **state) {
    struct net_builder *b = *state;
    struct nmc_tensor *y = linear(b, "2,F"); /* F makes a second round */
    nb_declare(b, y, "2,6");
    assert_int_equal(nb_infer(b, NULL), NEUROMC_OK);
    nb_assert_shape(b, y, "2,5");
    assert_int_equal(neuromc_diags_count(b->diags), 1);
    assert_string_equal(nb_warning(b), "output \"m.0\" is [2, 5], though the file declares "
                                       "[2, 6]; the former is used");
}

static void test_many_contradictions_are_counted(void **state) {
    struct net_builder *b = *state;
    struct nmc_tensor *x = nb_input(b, "x", "2,8"), *w = nb_weight(b, "w", "8,8");
    for (int i = 0; i < 9; i++)
        nb_declare(b, x = nb_op(b, "MatMul", "m", x, w, NULL), "2,7");
    assert_int_equal(nb_infer(b, NULL), NEUROMC_OK);
    assert_int_equal(neuromc_diags_count(b->diags), 6);
    assert_string_equal(neuromc_diags_at(b->diags, 5)->message,
                        "4 more tensors have another shape than the file declares");
}

/* ---- neurons ---- */

static void test_neurons_keep_shape(void **state) {
    struct net_builder *b = *state;
    struct nmc_tensor *x = nb_input(b, "x", "N,8"), *v = nb_input(b, "v", "N,8");
    const char *const more[] = {"Spiker"};
    struct nmc_infer_options options = {.soma_ops = more, .soma_op_count = 1};
    struct nmc_node *lif = nb_node(b, "snn::LIF", "l", 2, (struct nmc_tensor *[]){x, v}, 2);
    struct nmc_tensor *s = nb_op(b, "my::Spiker", "s", lif->outputs[0], NULL, NULL);
    nb_declare(b, lif->outputs[1], "N,9");
    assert_int_equal(nb_infer(b, &options), NEUROMC_OK);
    nb_assert_shape(b, lif->outputs[0], "N,8");
    nb_assert_shape(b, lif->outputs[1], "N,9");
    nb_assert_shape(b, s, "N,8");
}

/* ---- constants ---- */

static void test_constants_spread(void **state) {
    struct net_builder *b = *state;
    struct nmc_tensor *w = nb_weight(b, "w", "8,8"), *x = nb_input(b, "x", "2,8");
    struct nmc_tensor *ww = nb_op(b, "MatMul", "ww", w, w, NULL);
    struct nmc_tensor *y = nb_op(b, "MatMul", "y", x, ww, NULL);
    struct nmc_tensor *custom = nb_op(b, "com.example::Custom", "f", w, NULL, NULL);
    struct nmc_tensor *random = nb_op(b, "RandomNormalLike", "r", w, NULL, NULL);
    assert_int_equal(nb_infer(b, NULL), NEUROMC_OK);
    assert_true(ww->is_constant);
    assert_false(y->is_constant);
    assert_false(custom->is_constant);
    assert_false(random->is_constant);
}

/* ---- memory ---- */

static neuromc_status build_and_infer(neuromc_diags *diags) {
    struct nmc_net *net = nmc_net_new("test.onnx");
    if (!net)
        return NEUROMC_IO;
    struct nmc_tensor *x = nmc_tensor_new(net, net->main, "x");
    struct nmc_node *node = nmc_node_new(net, net->main, "", "MaxPool", 1, 2, 0);
    neuromc_status status = NEUROMC_IO;
    if (x && node && nmc_graph_add_input(net, net->main, x)) {
        x->is_input = true;
        nmc_dim dims[4] = {nmc_symbol_new(net, "N", x, 0, NULL), 3, 8, 8};
        nmc_shape_set(net, &x->shape, 4, dims);
        node->inputs[0] = x;
        node->attrs = &(struct nmc_attr){
            .name = "kernel_shape", .kind = NMC_ATTR_INTS, .ints = (int64_t[]){2, 2}, .count = 2};
        node->attr_count = 1;
        nmc_node_set_output(node, 0, nmc_tensor_new(net, net->main, "y"));
        neuromc_dim_binding n = {"N", 2};
        struct nmc_infer_options options = {.dims = &n, .dim_count = 1};
        status = nmc_net_finish(net, diags);
        if (status == NEUROMC_OK)
            status = nmc_infer_net(net, &options, diags);
    }
    nmc_net_free(net);
    return status;
}

static void test_every_allocation_may_fail(void **state) {
    struct net_builder *b = *state;
    size_t failing = 1;
    for (; failing < 10000; failing++) {
        neuromc_diags_clear(b->diags);
        nmc_memory_fail_at(failing);
        neuromc_status status = build_and_infer(b->diags);
        size_t asked = nmc_memory_fail_at(0);
        if (asked < failing) {
            assert_int_equal(status, NEUROMC_OK);
            break;
        }
        assert_int_equal(status, NEUROMC_IO);
    }
    assert_true(failing > 5 && failing < 10000);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(dim_by_name),
        TEST(dim_by_input_and_axis),
        TEST(one_name_is_one_size),
        TEST(dim_misspelt),
        TEST(dim_of_static_model),
        TEST(dim_contradicts_file),
        TEST(dim_zero),
        TEST(dim_that_the_weight_refuses),
        TEST(open_dims_stay_open),
        TEST(batch_symbolic),
        TEST(batch_static),
        TEST(batch_leaves_weights_alone),
        TEST(batch_drops_declared_shapes),
        TEST(batch_hint),
        TEST(batch_hard_coded),
        TEST(batch_moved_aside),
        TEST(batch_merged_with_time),
        TEST(batch_contradicts_dim),
        TEST(unknown_op_keeps_declared),
        TEST(declared_fills_axis_by_axis),
        TEST(contradiction_warns_once),
        TEST(many_contradictions_are_counted),
        TEST(neurons_keep_shape),
        TEST(constants_spread),
        TEST(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
