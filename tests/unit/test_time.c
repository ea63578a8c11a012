/* Where the time axis is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "graph/soma.h"
#include "graph/time.h"
#include "net_text.h"

static neuromc_status infer(struct net_builder *b, int64_t steps, const char *text) {
    nt_build(b, 17, 0, text);
    assert_int_equal(nmc_somas_find(b->net, NULL, b->diags), NEUROMC_OK);
    return nmc_time_infer(b->net, steps, b->diags);
}

static const char *timing(const struct nmc_tensor *tensor, char text[64]) {
    static const char *const names[] = {"?", "step", "unit", "split", "merged"};
    snprintf(text, 64, "%s", names[tensor->time]);
    if (tensor->steps)
        snprintf(text, 64, "%s %lld", names[tensor->time], (long long)tensor->steps);
    return text;
}

static void is(struct net_builder *b, const char *name, const char *wanted) {
    char text[64];
    if (strcmp(timing(nt_tensor(b, name), text), wanted) != 0)
        print_error("%s\n", name);
    assert_string_equal(text, wanted);
}

/* A multi-step layer around neurons whose steps are unrolled; B is 2. */
#define NEURONS                                                                                    \
    "g0 = Gather z 0 axis=0\nh0 = Add zeros:2,5,4,4 g0\nb0 = Greater h0 1.0\ns0 = Cast b0 to=1\n"  \
    "v0 = Sub h0 s0\ng1 = Gather z 1 axis=0\nh1 = Add v0 g1\nb1 = Greater h1 1.0\n"                \
    "s1 = Cast b1 to=1\nv1 = Sub h1 s1\ng2 = Gather z 2 axis=0\nh2 = Add v1 g2\n"                  \
    "b2 = Greater h2 1.0\ns2 = Cast b2 to=1\nu0 = Unsqueeze s0 [0]\nu1 = Unsqueeze s1 [0]\n"       \
    "u2 = Unsqueeze s2 [0]\ny = Concat u0 u1 u2 axis=0\n"

#define LAYER                                                                                      \
    "m = Reshape x [-1,3,6,6]\nc = Conv m weight:5,3,3,3\n"                                        \
    "n = BatchNormalization c weight:5 weight:5 weight:5 weight:5\nz = Reshape n [3,2,5,4,4]\n"

static void test_gathered_and_stacked_steps(void **state) {
    (void)state;
    for (int64_t steps = 0; steps <= 3; steps += 3) {
        struct net_builder b;
        assert_int_equal(infer(&b, steps,
                               "in x 3,2,3,6,6\n" LAYER NEURONS "o = Reshape y [6,5,4,4]\n"
                               "p = MaxPool o kernel_shape=[2,2]\nq = Flatten p axis=1\n"
                               "r = Gemm q weight:45,7\nw = Reshape r [3,2,7]\n"
                               "e = ReduceMean w axes=[0] keepdims=0\nout e"),
                         NEUROMC_OK);
        is(&b, "x", "split 3");
        is(&b, "m", "merged 3");
        is(&b, "n", "merged 3");
        is(&b, "z", "split 3");
        is(&b, "g1", "step");
        is(&b, "s2", "step");
        is(&b, "u0", "unit");
        is(&b, "y", "split 3");
        is(&b, "p", "merged 3");
        is(&b, "r", "merged 3");
        is(&b, "w", "split 3");
        is(&b, "e", "step");
        nb_free(&b);
    }
}

/* Steps in front of their layers: each layer handles one. */
static void test_steps_before_layers(void **state) {
    (void)state;
    struct net_builder b;
    assert_int_equal(
        infer(&b, 2,
              "in x 2,1,8\nx0 = Gather x 0 axis=0\nx1 = Gather x 1 axis=0\n"
              "c0 = MatMul x0 weight:8,4\nc1 = MatMul x1 weight:8,4\nh0 = Add zeros:1,4 c0\n"
              "b0 = Greater h0 1.0\ns0 = Cast b0 to=1\nv0 = Sub h0 s0\nh1 = Add v0 c1\n"
              "b1 = Greater h1 1.0\ns1 = Cast b1 to=1\ny = Concat s0 s1 axis=0\nout y"),
        NEUROMC_OK);
    is(&b, "x", "split 2");
    is(&b, "c0", "step");
    is(&b, "y", "merged 2");
    nb_free(&b);
}

/* The same image at every step: time begins at the Tile. */
static void test_repetition_creates_time(void **state) {
    (void)state;
    struct net_builder b;
    assert_int_equal(
        infer(&b, 0,
              "in i 2,3,6,6\nu = Unsqueeze i [0]\nx = Tile u [3,1,1,1,1]\n" LAYER NEURONS "out y"),
        NEUROMC_OK);
    is(&b, "x", "split 3");
    is(&b, "u", "unit");
    is(&b, "i", "step");
    nb_free(&b);
    /* said, and not to be seen from neurons */
    assert_int_equal(infer(&b, 4,
                           "in i 2,3,6,6\na = Conv i weight:3,3,1,1\nu = Unsqueeze a [0]\n"
                           "x = Expand u [4,2,3,6,6]\nm = Reshape x [8,3,6,6]\n"
                           "c = Conv m weight:5,3,3,3\nout c"),
                     NEUROMC_OK);
    is(&b, "i", "step");
    is(&b, "a", "step");
    is(&b, "x", "split 4");
    is(&b, "c", "merged 4");
    nb_free(&b);
}

/* All steps see one current: there is no time axis, whatever the caller says. */
static void test_unrolled_on_one_input(void **state) {
    (void)state;
    struct net_builder b;
    assert_int_equal(infer(&b, 2,
                           "in x 2,8\nc = MatMul x weight:8,4\nh0 = Add zeros:2,4 c\n"
                           "b0 = Greater h0 1.0\ns0 = Cast b0 to=1\nv0 = Sub h0 s0\n"
                           "h1 = Add v0 c\nb1 = Greater h1 1.0\ns1 = Cast b1 to=1\n"
                           "y = Add s0 s1\nout y"),
                     NEUROMC_OK);
    is(&b, "x", "step");
    is(&b, "c", "step");
    nb_free(&b);
}

static void test_loop(void **state) {
    (void)state;
    struct net_builder b;
    assert_int_equal(infer(&b, 0,
                           "in x 3,2,3,6,6\n" LAYER
                           "v y = Loop 3 true zeros:2,5,4,4 zeros:3,2,5,4,4 {\nin t c0 vi qi\n"
                           "g = Gather z t axis=0\nh = Add vi g\nb = Greater h 1.0\n"
                           "s = Cast b to=1\nvo = Sub h s\ni = Unsqueeze t [0]\n"
                           "k = Unsqueeze i [-1]\nu = Unsqueeze s [0]\nqo = ScatterND qi k u\n"
                           "co = Identity c0\nout co vo qo\n}\no = Reshape y [6,5,4,4]\n"
                           "p = Conv o weight:2,5,3,3\nout p"),
                     NEUROMC_OK);
    is(&b, "m", "merged 3");
    is(&b, "g", "step");
    is(&b, "u", "unit");
    is(&b, "y", "split 3");
    is(&b, "p", "merged 3");
    nb_free(&b);
}

static void test_scan_and_stacked_loop_outputs(void **state) {
    (void)state;
    struct net_builder b;
    assert_int_equal(infer(&b, 0,
                           "in x 4,1,8\nf = MatMul x weight:8,5\n"
                           "v y = Scan zeros:1,5 f num_scan_inputs=1 {\nin vi xt\n"
                           "h = Add vi xt\nb = Greater h 1.0\ns = Cast b to=1\nvo = Sub h s\n"
                           "out vo s\n}\nr = MatMul y weight:5,2\nout r"),
                     NEUROMC_OK);
    is(&b, "x", "split 4");
    is(&b, "f", "split 4");
    is(&b, "xt", "step");
    is(&b, "r", "split 4");
    nb_free(&b);
}

static void test_sequence_of_steps(void **state) {
    (void)state;
    struct net_builder b;
    assert_int_equal(infer(&b, 0,
                           "in x 4,1,8\nf = MatMul x weight:8,5\ne = SequenceEmpty dtype=1\n"
                           "v q = Loop 4 true zeros:1,5 e {\nin t c vi qi\n"
                           "g = Gather f t axis=0\nh = Add vi g\nb = Greater h 1.0\n"
                           "s = Cast b to=1\nvo = Sub h s\nqo = SequenceInsert qi s\n"
                           "co = Identity c\nout co vo qo\n}\n"
                           "y = ConcatFromSequence q axis=0 new_axis=1\nr = MatMul y weight:5,2\n"
                           "out r"),
                     NEUROMC_OK);
    is(&b, "f", "split 4");
    is(&b, "y", "split 4");
    is(&b, "r", "split 4");
    nb_free(&b);
}

/* ---- what the caller says ---- */

static void test_said(void **state) {
    (void)state;
    struct net_builder b;
    const char *text = "in x 8,3,6,6\nc = Conv x weight:5,3,3,3\nf = Flatten c axis=1\n"
                       "y = Gemm f weight:80,4\nout y";
    assert_int_equal(infer(&b, 4, text), NEUROMC_OK);
    is(&b, "x", "merged 4");
    is(&b, "y", "merged 4");
    nb_free(&b);
    assert_int_equal(infer(&b, 0, text), NEUROMC_OK);
    is(&b, "x", "?");
    is(&b, "y", "?");
    nb_free(&b);
}

static void test_said_of_sequences(void **state) {
    (void)state;
    struct net_builder b;
    assert_int_equal(infer(&b, 4, "in x 4,2,8\nc = MatMul x weight:8,5\ns = LIF c\nout s"),
                     NEUROMC_OK);
    is(&b, "x", "split 4");
    nb_free(&b);
    assert_int_equal(infer(&b, 4, "in x 8,6\nc = MatMul x weight:6,5\nout c"), NEUROMC_OK);
    is(&b, "c", "merged 4");
    nb_free(&b);
    /* a batch of one, merged: convolutions have one axis in front */
    assert_int_equal(infer(&b, 4, "in x 4,3,6,6\nr = Relu x\nc = Conv r weight:5,3,3,3\nout c"),
                     NEUROMC_OK);
    is(&b, "x", "merged 4");
    nb_free(&b);
}

static void test_said_wrongly(void **state) {
    (void)state;
    struct net_builder b;
    assert_int_equal(infer(&b, 4, "in x 3,2,3,6,6\n" LAYER NEURONS "out y"), NEUROMC_USAGE);
    assert_string_equal(nb_error(&b), "\"x\" holds 3 time steps, not 4");
    nb_free(&b);
    assert_int_equal(infer(&b, -1, "in x 1,8\ny = Relu x\nout y"), NEUROMC_USAGE);
    nb_free(&b);
}

/* A neuron of a single step says nothing about time. */
static void test_single_step(void **state) {
    (void)state;
    struct net_builder b;
    assert_int_equal(infer(&b, 0,
                           "in x 2,8\nc = MatMul x weight:8,4\nh = Add zeros:2,4 c\n"
                           "b = Greater h 1.0\ns = Cast b to=1\nout s"),
                     NEUROMC_OK);
    is(&b, "c", "?");
    is(&b, "s", "?");
    nb_free(&b);
}

/* Potentials of all layers in one tensor are no sequence. */
static void test_states_are_no_sequence(void **state) {
    (void)state;
    struct net_builder b;
    assert_int_equal(infer(&b, 0,
                           "in x 2,1,8 w 2,1,8\nx0 = Gather x 0 axis=0\nx1 = Gather x 1 axis=0\n"
                           "i = Gather w 0 axis=0\nh0 = Add zeros:1,8 x0\nb0 = Greater h0 1.0\n"
                           "s0 = Cast b0 to=1\nv0 = Sub h0 s0\nk = Add v0 i\nh1 = Add k x1\n"
                           "b1 = Greater h1 1.0\ns1 = Cast b1 to=1\nout s0 s1"),
                     NEUROMC_OK);
    is(&b, "x", "split 2");
    nb_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gathered_and_stacked_steps),
        cmocka_unit_test(test_steps_before_layers),
        cmocka_unit_test(test_repetition_creates_time),
        cmocka_unit_test(test_unrolled_on_one_input),
        cmocka_unit_test(test_loop),
        cmocka_unit_test(test_scan_and_stacked_loop_outputs),
        cmocka_unit_test(test_sequence_of_steps),
        cmocka_unit_test(test_said),
        cmocka_unit_test(test_said_of_sequences),
        cmocka_unit_test(test_said_wrongly),
        cmocka_unit_test(test_single_step),
        cmocka_unit_test(test_states_are_no_sequence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
