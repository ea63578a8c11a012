/* Control flow: branches taken, trip counts, carried shapes and values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

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

static void infers(struct net_builder *b) {
    neuromc_status status = nb_infer(b, NULL);
    assert_string_equal(nb_error(b), "");
    assert_int_equal(status, NEUROMC_OK);
}

/* ---- If ---- */

/* Branches multiply x by a weight of the given shape; NULL passes x on. */
static struct nmc_node *branches(struct net_builder *b, struct nmc_tensor *condition,
                                 struct nmc_tensor *x, const char *then, const char *otherwise) {
    struct nmc_node *node = nb_node(b, "If", "if", 1, &condition, 1);
    const char *shapes[] = {then, otherwise}, *names[] = {"then_branch", "else_branch"};
    for (int i = 0; i < 2; i++) {
        nb_body(b, node, names[i]);
        struct nmc_tensor *w = shapes[i] ? nb_weight(b, "w", shapes[i]) : NULL;
        nb_output(b, w ? nb_op(b, "MatMul", names[i], x, w, NULL) : x);
        nb_end_body(b);
    }
    return node;
}

static void test_if_constant(void **state) {
    struct net_builder *b = *state;
    struct nmc_tensor *x = nb_input(b, "x", "2,8");
    /* The branch not taken does not even fit. */
    struct nmc_node *node = branches(b, nb_bool(b, "c", false), x, "9,9", "8,5");
    infers(b);
    nb_assert_shape(b, node->outputs[0], "2,5");
    assert_ptr_equal(node->body, node->attrs[1].graphs[0]);
    assert_true(node->attrs[0].graphs[0]->nodes[0]->dead);
    assert_false(node->attrs[1].graphs[0]->nodes[0]->dead);
    assert_string_equal(nb_warning(b), "");
}

static void test_if_unknown_takes_more_work(void **state) {
    struct net_builder *b = *state;
    struct nmc_tensor *x = nb_input(b, "x", "2,8"), *c = nb_input(b, "c", "");
    struct nmc_node *node = branches(b, c, x, NULL, "8,8");
    infers(b);
    nb_assert_shape(b, node->outputs[0], "2,8");
    assert_ptr_equal(node->body, node->attrs[1].graphs[0]);
    assert_non_null(strstr(nb_warning(b), "else_branch is counted"));
}

static void test_if_unknown_drops_what_does_not_fit(void **state) {
    struct net_builder *b = *state;
    struct nmc_tensor *x = nb_input(b, "x", "2,8"), *c = nb_input(b, "c", "");
    struct nmc_node *node = branches(b, c, x, "9,9", NULL);
    infers(b);
    assert_ptr_equal(node->body, node->attrs[1].graphs[0]);
    assert_true(node->attrs[0].graphs[0]->nodes[0]->dead);
}

static void test_if_unknown_and_neither_fits(void **state) {
    struct net_builder *b = *state;
    struct nmc_tensor *x = nb_input(b, "x", "2,8"), *c = nb_input(b, "c", "");
    branches(b, c, x, "9,9", "7,7");
    nb_assert_fails(b, "MatMul \"then_branch\"", "inner sizes differ (8 and 9)");
}

static void test_if_without_branch(void **state) {
    struct net_builder *b = *state;
    nb_op(b, "If", "if", nb_bool(b, "c", true), NULL, NULL);
    nb_assert_fails(b, "If \"if\"", "attribute then_branch is missing");
}

/* ---- Loop ---- */

struct loop {
    struct nmc_node *node;
    struct nmc_tensor *number, *condition; /* inputs of the body */
};

/* Leaves the builder in the body, whose first output is still to be given. */
static struct loop begin_loop(struct net_builder *b, struct nmc_tensor *most,
                              struct nmc_tensor *condition, int carried,
                              struct nmc_tensor *const *initial, int outputs) {
    struct nmc_tensor *inputs[8] = {most, condition};
    for (int i = 0; i < carried; i++)
        inputs[2 + i] = initial[i];
    struct loop loop = {.node = nb_node(b, "Loop", "loop", 2 + carried, inputs, outputs)};
    nb_body(b, loop.node, "body");
    loop.number = nb_input(b, "i", NULL);
    loop.condition = nb_input(b, "go", NULL);
    return loop;
}

static void test_loop_counts_and_stacks(void **state) {
    struct net_builder *b = *state;
    struct nmc_tensor *x = nb_input(b, "x", "2,6"), *w = nb_weight(b, "w", "6,6");
    struct loop loop = begin_loop(b, nb_int(b, "M", 5), NULL, 1, &x, 2);
    struct nmc_tensor *v = nb_input(b, "v", NULL);
    struct nmc_tensor *y = nb_op(b, "MatMul", "m", v, w, NULL);
    nb_output(b, loop.condition);
    nb_output(b, y);
    nb_output(b, y);
    nb_end_body(b);
    infers(b);
    assert_int_equal(loop.node->trips, 5);
    assert_ptr_equal(loop.node->body, loop.node->attrs[0].graphs[0]);
    nb_assert_shape(b, v, "2,6");
    nb_assert_shape(b, loop.node->outputs[0], "2,6");
    nb_assert_shape(b, loop.node->outputs[1], "5,2,6");
    assert_string_equal(nb_warning(b), "");
}

static struct nmc_node *growing_loop(struct net_builder *b, struct nmc_tensor *most) {
    struct nmc_tensor *x = nb_input(b, "x", "3,6"), *w = nb_weight(b, "w", "6,4");
    struct loop loop = begin_loop(b, most, nb_bool(b, "c", true), 1, &x, 1);
    struct nmc_tensor *v = nb_input(b, "v", NULL);
    nb_output(b, loop.condition);
    nb_output(b, nb_op(b, "MatMul", "m", v, w, NULL));
    nb_end_body(b);
    return loop.node;
}

static void test_loop_once_is_exact(void **state) {
    struct nmc_node *node = growing_loop(*state, nb_int(*state, "M", 1));
    infers(*state);
    nb_assert_shape(*state, node->outputs[0], "3,4");
}

static void test_loop_changing_dim_is_unknown(void **state) {
    struct net_builder *b = *state;
    struct nmc_node *node = growing_loop(b, nb_int(b, "M", 3));
    nb_declare(b, node->outputs[0], "3,4");
    infers(b);
    nb_assert_shape(b, node->body->inputs[2], "3,?");
    nb_assert_shape(b, node->outputs[0], "3,4"); /* at least one iteration ran */
}

static void test_loop_never_runs(void **state) {
    struct net_builder *b = *state;
    struct nmc_node *node = growing_loop(b, nb_int(b, "M", 0));
    infers(b);
    assert_int_equal(node->trips, 0);
    nb_assert_shape(b, node->outputs[0], "3,6");
    assert_true(node->body->nodes[0]->dead);
}

static void test_loop_trips_unknown(void **state) {
    struct nmc_node *node = growing_loop(*state, nb_input(*state, "M", ""));
    infers(*state);
    assert_int_equal(node->trips, -1);
    nb_assert_shape(*state, node->outputs[0], "3,?");
}

static void test_loop_while_is_unknown(void **state) {
    struct nmc_node *node = growing_loop(*state, nb_int(*state, "M", INT64_MAX));
    infers(*state);
    assert_int_equal(node->trips, -1);
}

static void test_loop_trips_stated(void **state) {
    struct net_builder *b = *state;
    struct nmc_node *node = growing_loop(b, nb_input(b, "M", ""));
    neuromc_dim_binding trips = {"loop", 7};
    struct nmc_infer_options options = {.trips = &trips, .trip_count = 1};
    assert_int_equal(nb_infer(b, &options), NEUROMC_OK);
    assert_int_equal(node->trips, 7);
}

static void test_trips_of_no_loop(void **state) {
    struct net_builder *b = *state;
    growing_loop(b, nb_input(b, "M", ""));
    neuromc_dim_binding trips = {"lop", 7};
    struct nmc_infer_options options = {.trips = &trips, .trip_count = 1};
    assert_int_equal(nb_infer(b, &options), NEUROMC_USAGE);
    assert_string_equal(nb_error(b), "no Loop, Scan or SequenceMap node is called \"lop\"");
    assert_string_equal(neuromc_diags_at(b->diags, 0)->hint, "did you mean \"loop\"?");
}

static void test_loop_condition_ends_it(void **state) {
    struct net_builder *b = *state;
    struct loop loop = begin_loop(b, nb_int(b, "M", 9), NULL, 0, NULL, 0);
    nb_output(b, nb_bool(b, "stop", false));
    nb_end_body(b);
    infers(b);
    assert_int_equal(loop.node->trips, 1);
}

static void test_loop_condition_computed(void **state) {
    struct net_builder *b = *state;
    struct nmc_tensor *x = nb_input(b, "x", "2,6"), *w = nb_weight(b, "w", "6,6");
    struct loop loop = begin_loop(b, nb_int(b, "M", 9), NULL, 1, &x, 1);
    struct nmc_tensor *v = nb_input(b, "v", NULL);
    nb_output(b, nb_op(b, "com.example::Done", "d", v, NULL, NULL));
    nb_output(b, nb_op(b, "MatMul", "m", v, w, NULL));
    nb_end_body(b);
    infers(b);
    assert_int_equal(loop.node->trips, 9);
    assert_non_null(strstr(nb_warning(b), "all of its 9 iterations are counted"));
}

/* Values of iteration 0 are not those of the others, unless nothing changes them. */
static void test_loop_values(void **state) {
    struct net_builder *b = *state;
    struct nmc_tensor *initial[] = {nb_int(b, "p", 3), nb_int(b, "q", 4), nb_int(b, "r", 5)};
    struct loop loop = begin_loop(b, nb_int(b, "M", 4), NULL, 3, initial, 3);
    struct nmc_tensor *p = nb_input(b, "vp", NULL), *q = nb_input(b, "vq", NULL);
    struct nmc_tensor *r = nb_input(b, "vr", NULL);
    nb_output(b, loop.condition);
    nb_output(b, q); /* p and q change places */
    nb_output(b, p);
    nb_output(b, r);
    nb_end_body(b);
    infers(b);
    assert_false(nmc_dim_known(p->ints[0]));
    assert_false(nmc_dim_known(q->ints[0]));
    assert_int_equal(r->ints[0], 5);
    assert_false(nmc_dim_known(loop.number->ints[0]));
    assert_int_equal(loop.condition->ints[0], 1);
    assert_int_equal(loop.node->outputs[2]->ints[0], 5);
    assert_int_equal(initial[0]->ints[0], 3);
}

static void test_loop_body_inputs(void **state) {
    struct net_builder *b = *state;
    begin_loop(b, nb_int(b, "M", 4), nb_bool(b, "c", true), 1,
               (struct nmc_tensor *[]){nb_int(b, "p", 3)}, 1);
    nb_output(b, b->graph->inputs[1]);
    nb_output(b, b->graph->inputs[0]);
    nb_end_body(b);
    nb_assert_fails(b, "Loop \"loop\"", "its body has 2 inputs, 3 wanted");
}

/* Thirty-two loops in one another, each exchanging two values of its own: rounds must not
 * multiply. */
static void test_loops_nested_deep(void **state) {
    enum { DEPTH = 32 };
    struct net_builder *b = *state;
    struct nmc_tensor *most = nb_int(b, "M", 3);
    struct nmc_node *nodes[DEPTH];
    for (int depth = 0; depth < DEPTH; depth++) {
        struct nmc_tensor *v[] = {nb_weight(b, "p0", "3,6"), nb_weight(b, "q0", "3,7")};
        nodes[depth] = begin_loop(b, most, NULL, 2, v, 2).node;
        nb_input(b, "p", NULL);
        nb_input(b, "q", NULL);
    }
    for (int depth = DEPTH - 1; depth >= 0; depth--) {
        nb_output(b, b->graph->inputs[1]);
        nb_output(b, b->graph->inputs[3]);
        nb_output(b, b->graph->inputs[2]);
        nb_end_body(b);
    }
    infers(b);
    assert_int_equal(nodes[DEPTH - 1]->trips, 3);
}

/* ---- Scan ---- */

static void test_scan(void **state) {
    struct net_builder *b = *state;
    struct nmc_tensor *state0 = nb_input(b, "s0", "2,4"), *x = nb_input(b, "x", "2,T,6");
    struct nmc_node *node = nb_node(b, "Scan", "scan", 2, (struct nmc_tensor *[]){state0, x}, 2);
    nb_attr_int(b, node, "num_scan_inputs", 1);
    nb_attr_ints(b, node, "scan_input_axes", "1");
    nb_attr_ints(b, node, "scan_output_axes", "-1");
    nb_body(b, node, "body");
    struct nmc_tensor *s = nb_input(b, "s", NULL), *e = nb_input(b, "e", NULL);
    nb_output(b, s);
    nb_output(b, nb_op(b, "MatMul", "m", e, nb_weight(b, "w", "6,5"), NULL));
    nb_end_body(b);
    neuromc_dim_binding t = {"T", 10};
    assert_int_equal(nb_infer(b, &(struct nmc_infer_options){.dims = &t, .dim_count = 1}),
                     NEUROMC_OK);
    assert_int_equal(node->trips, 10);
    nb_assert_shape(b, s, "2,4");
    nb_assert_shape(b, e, "2,6");
    nb_assert_shape(b, node->outputs[0], "2,4");
    nb_assert_shape(b, node->outputs[1], "2,5,10");
}

static void test_scan_batched(void **state) {
    struct net_builder *b = *state;
    b->opset = 8;
    struct nmc_tensor *state0 = nb_input(b, "s0", "2,4"), *x = nb_input(b, "x", "2,7,6");
    struct nmc_node *node =
        nb_node(b, "Scan", "scan", 3, (struct nmc_tensor *[]){NULL, state0, x}, 2);
    nb_attr_int(b, node, "num_scan_inputs", 1);
    nb_body(b, node, "body");
    struct nmc_tensor *s = nb_input(b, "s", NULL), *e = nb_input(b, "e", NULL);
    nb_output(b, s);
    nb_output(b, nb_op(b, "MatMul", "m", e, nb_weight(b, "w", "6,5"), NULL));
    nb_end_body(b);
    infers(b);
    assert_int_equal(node->trips, 14);
    nb_assert_shape(b, e, "6");
    nb_assert_shape(b, node->outputs[0], "2,4");
    nb_assert_shape(b, node->outputs[1], "2,7,5");
}

static void test_scan_lengths_differ(void **state) {
    struct net_builder *b = *state;
    struct nmc_tensor *x = nb_input(b, "x", "4,6"), *y = nb_input(b, "y", "5,6");
    struct nmc_node *node = nb_node(b, "Scan", "scan", 2, (struct nmc_tensor *[]){x, y}, 1);
    nb_attr_int(b, node, "num_scan_inputs", 2);
    nb_body(b, node, "body");
    nb_output(b, nb_input(b, "e", NULL));
    nb_input(b, "f", NULL);
    nb_end_body(b);
    nb_assert_fails(b, "Scan \"scan\"", "its inputs have 4 and 5 steps");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(if_constant),
        TEST(if_unknown_takes_more_work),
        TEST(if_unknown_drops_what_does_not_fit),
        TEST(if_unknown_and_neither_fits),
        TEST(if_without_branch),
        TEST(loop_counts_and_stacks),
        TEST(loop_once_is_exact),
        TEST(loop_changing_dim_is_unknown),
        TEST(loop_never_runs),
        TEST(loop_trips_unknown),
        TEST(loop_while_is_unknown),
        TEST(loop_trips_stated),
        TEST(trips_of_no_loop),
        TEST(loop_condition_ends_it),
        TEST(loop_condition_computed),
        TEST(loop_values),
        TEST(loop_body_inputs),
        TEST(loops_nested_deep),
        TEST(scan),
        TEST(scan_batched),
        TEST(scan_lengths_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
