/* Shape inference of sequences and optionals, and the length of a sequence that a Loop builds. */
#include "op_fixture.h"

static struct nmc_tensor *empty(struct fixture *f) {
    return fx_run(f, fx_source(f, "SequenceEmpty"));
}

static struct nmc_tensor *insert(struct fixture *f, struct nmc_tensor *sequence,
                                 struct nmc_tensor *element) {
    struct nmc_tensor *out = fx_run(f, fx_node(f, "SequenceInsert", sequence, element));
    assert_int_equal(out->holds, NMC_HOLDS_SEQUENCE);
    return out;
}

static struct nmc_tensor *concat(struct fixture *f, struct nmc_tensor *sequence, int64_t axis,
                                 int64_t new_axis) {
    struct nmc_node *node = fx_node(f, "ConcatFromSequence", sequence);
    fx_attr_int(f, node, "axis", axis);
    fx_attr_int(f, node, "new_axis", new_axis);
    struct nmc_tensor *out = fx_run(f, node);
    assert_int_equal(out->holds, NMC_HOLDS_TENSOR);
    return out;
}

static void test_build(void **state) {
    struct fixture *f = *state;
    struct nmc_tensor *none = empty(f);
    assert_int_equal(none->length, 0);
    struct nmc_tensor *one = insert(f, none, fx_float(f, "N,3"));
    assert_shape(f, one, "[N, 3]");
    assert_int_equal(one->length, 1);
    struct nmc_tensor *two = insert(f, one, fx_float(f, "N,4"));
    assert_shape(f, two, "[N, ?]");
    assert_int_equal(two->length, 2);
    assert_shape(f, insert(f, two, fx_float(f, "N")), "[?]");
    struct nmc_node *erase = fx_node(f, "SequenceErase", two);
    assert_int_equal(fx_run(f, erase)->length, 1);
    struct nmc_node *at = fx_node(f, "SequenceAt", one, fx_int(f, "0"));
    assert_shape(f, fx_run(f, at), "[N, 3]");
    assert_int_equal(at->outputs[0]->holds, NMC_HOLDS_TENSOR);
    assert_value(f, fx_run(f, fx_node(f, "SequenceLength", two)), "[2]");
    /* Of a sequence that is not known, one element says nothing. */
    struct nmc_tensor *open = fx_float(f, "?");
    open->holds = NMC_HOLDS_SEQUENCE;
    assert_shape(f, insert(f, open, fx_float(f, "3")), "[?]");
    assert_value(f, fx_run(f, fx_node(f, "SequenceLength", open)), "none");
}

static void test_join(void **state) {
    struct fixture *f = *state;
    struct nmc_node *node =
        fx_node(f, "SequenceConstruct", fx_float(f, "2,N"), fx_float(f, "2,N"), fx_float(f, "2,N"));
    struct nmc_tensor *three = fx_run(f, node);
    assert_int_equal(three->length, 3);
    assert_shape(f, concat(f, three, 0, 0), "[6, N]");
    assert_shape(f, concat(f, three, -1, 1), "[2, N, 3]");
    assert_shape(f, concat(f, three, 0, 1), "[3, 2, N]");
}

static struct nmc_tensor *split(struct fixture *f, const char *from, struct nmc_tensor *parts,
                                int64_t keep) {
    struct nmc_node *node = fx_node(f, "SplitToSequence", fx_float(f, from), parts);
    fx_attr_int(f, node, "axis", 1);
    fx_attr_int(f, node, "keepdims", keep);
    return fx_run(f, node);
}

static void test_split(void **state) {
    struct fixture *f = *state;
    struct nmc_tensor *out = split(f, "N,6", NULL, 1);
    assert_shape(f, out, "[N, 1]");
    assert_int_equal(out->length, 6);
    assert_shape(f, split(f, "N,6", NULL, 0), "[N]");
    out = split(f, "N,6", fx_int(f, "2"), 1);
    assert_shape(f, out, "[N, 2]");
    assert_int_equal(out->length, 3);
    out = split(f, "N,7", fx_int(f, "2"), 1);
    assert_shape(f, out, "[N, ?]");
    assert_int_equal(out->length, 4);
    out = split(f, "N,7", fx_ints(f, "3,4"), 1);
    assert_shape(f, out, "[N, ?]");
    assert_int_equal(out->length, 2);
    struct nmc_node *bad = fx_node(f, "SplitToSequence", fx_float(f, "6"), fx_int(f, "0"));
    fx_fails(f, bad, "a piece of size 0");
}

/* A value that all pieces have is the value of any element. */
static void test_common_value(void **state) {
    struct fixture *f = *state;
    struct nmc_node *node = fx_node(f, "SplitToSequence", fx_ints(f, "3,3,3,3"), fx_int(f, "2"));
    struct nmc_tensor *parts = fx_run(f, node);
    struct nmc_tensor *any = fx_tensor(f, NMC_ELEM_int64, "");
    assert_value(f, fx_run(f, fx_node(f, "SequenceAt", parts, any)), "[3, 3]");
    parts = fx_run(f, fx_node(f, "SplitToSequence", fx_ints(f, "3,3,3,4"), fx_int(f, "2")));
    assert_value(f, fx_run(f, fx_node(f, "SequenceAt", parts, any)), "none");
}

static void test_optionals(void **state) {
    struct fixture *f = *state;
    struct nmc_tensor *some = fx_run(f, fx_node(f, "Optional", fx_float(f, "N,3")));
    assert_int_equal(some->holds, NMC_HOLDS_OPTIONAL);
    assert_value(f, fx_run(f, fx_node(f, "OptionalHasElement", some)), "[1]");
    struct nmc_tensor *got = fx_run(f, fx_node(f, "OptionalGetElement", some));
    assert_int_equal(got->holds, NMC_HOLDS_TENSOR);
    assert_shape(f, got, "[N, 3]");
    struct nmc_tensor *none = fx_run(f, fx_source(f, "Optional"));
    assert_value(f, fx_run(f, fx_node(f, "OptionalHasElement", none)), "[0]");
    assert_value(f, fx_run(f, fx_source(f, "OptionalHasElement")), "[0]");
    struct nmc_tensor *open = fx_float(f, "2");
    open->holds = NMC_HOLDS_OPTIONAL;
    assert_value(f, fx_run(f, fx_node(f, "OptionalHasElement", open)), "none");
}

/* Loop(trips, true, SequenceEmpty): each iteration inserts one [2, 3]. */
static struct nmc_node *sequence_loop(struct fixture *f, struct nmc_tensor *trips) {
    struct nmc_graph *body = nmc_graph_new(f->net, "body", f->net->main);
    struct nmc_tensor *number = nmc_tensor_new(f->net, body, "i");
    struct nmc_tensor *go_on = nmc_tensor_new(f->net, body, "go_on");
    struct nmc_tensor *carried = nmc_tensor_new(f->net, body, "sequence");
    struct nmc_tensor *longer = nmc_tensor_new(f->net, body, "longer");
    struct nmc_node *add = nmc_node_new(f->net, body, "", "SequenceInsert", 2, 1, 0);
    add->inputs[0] = carried;
    add->inputs[1] = fx_float(f, "2,3");
    add->opset = f->opset;
    nmc_node_set_output(add, 0, longer);
    nmc_graph_add_input(f->net, body, number);
    nmc_graph_add_input(f->net, body, go_on);
    nmc_graph_add_input(f->net, body, carried);
    nmc_graph_add_output(f->net, body, go_on);
    nmc_graph_add_output(f->net, body, longer);
    struct nmc_node *loop = fx_node(f, "Loop", trips, NULL, empty(f));
    struct nmc_graph **bodies = nmc_arena_array(&f->net->arena, 1, sizeof(struct nmc_graph *));
    bodies[0] = body;
    loop->attrs[loop->attr_count++] =
        (struct nmc_attr){.name = "body", .kind = NMC_ATTR_GRAPH, .count = 1, .graphs = bodies};
    body->owner = loop;
    return loop;
}

static void test_sequence_of_a_loop(void **state) {
    struct fixture *f = *state;
    f->infer.steps_left = 1000;
    unsigned char remarks[64] = {0};
    f->infer.remarks = remarks;
    struct nmc_tensor *out = fx_run(f, sequence_loop(f, fx_int(f, "5")));
    assert_int_equal(out->length, 5);
    assert_shape(f, concat(f, out, 0, 1), "[5, 2, 3]");
    out = fx_run(f, sequence_loop(f, fx_int(f, "N")));
    assert_int_equal(out->length, -1);
    assert_shape(f, concat(f, out, 0, 1), "[?, 2, 3]");
    out = fx_run(f, sequence_loop(f, fx_int(f, "1")));
    assert_int_equal(out->length, 1);
    out = fx_run(f, sequence_loop(f, fx_int(f, "0")));
    assert_int_equal(out->length, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        OP_TEST(test_build),        OP_TEST(test_join),      OP_TEST(test_split),
        OP_TEST(test_common_value), OP_TEST(test_optionals), OP_TEST(test_sequence_of_a_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
