/* Which tensors hold nothing but 0 and 1. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "graph/soma.h"
#include "graph/spike.h"
#include "net_text.h"

static void infer(struct net_builder *b, const char *text) {
    const char *const inputs[] = {"x"};
    const struct nmc_spike_options options = {inputs, 1};
    nt_build(b, 17, 0, text);
    assert_int_equal(nmc_somas_find(b->net, NULL, b->diags), NEUROMC_OK);
    assert_int_equal(nmc_spikes_infer(b->net, &options, b->diags), NEUROMC_OK);
}

/* x is a spike tensor, d is not; whether y is. */
static void gives(const char *lines, bool spike) {
    struct net_builder b;
    char text[2000];
    snprintf(text, sizeof text, "in x 2,3,4,4 d 2,3,4,4\n%s\nout y", lines);
    infer(&b, text);
    if (nt_tensor(&b, "y")->spike != spike)
        print_error("%s\n", lines);
    assert_int_equal(nt_tensor(&b, "y")->spike, spike);
    assert_int_equal(nt_tensor(&b, "y")->spike_why != NULL, spike);
    nb_free(&b);
}

static void keeps(const char *lines) {
    gives(lines, true);
}

static void ends(const char *lines) {
    gives(lines, false);
}

static void test_views(void **state) {
    (void)state;
    keeps("y = Reshape x [2,48]");
    keeps("y = Flatten x axis=1");
    keeps("y = Transpose x perm=[0,2,3,1]");
    keeps("y = Unsqueeze x [0]");
    keeps("y = Slice x [0] [1] [1]");
    keeps("y = Gather x 0 axis=0");
    keeps("y = Expand x [5,2,3,4,4]");
    keeps("y = Tile x [2,1,1,1]");
    keeps("y = Identity x");
    keeps("z y = Split x axis=3");
    ends("y = Reshape d [2,48]");
}

static void test_casts_and_booleans(void **state) {
    (void)state;
    keeps("y = Cast x to=10");
    keeps("b = Greater d 0.5\ny = Cast b to=1");
    keeps("y = Greater d 0.5");
    keeps("y = Cast d to=9");
    ends("y = Cast d to=10");
}

static void test_products(void **state) {
    (void)state;
    keeps("z = Identity x\ny = Mul x z");
    keeps("y = Mul x 1.0");
    keeps("y = Mul x fill:0.0:2,3,4,4");
    ends("y = Mul x 0.5");
    ends("y = Mul x weight:");
    ends("y = Mul x d");
    keeps("a = Cast x to=9\nb = Greater d 0.0\nc = And a b\ny = Cast c to=1");
}

static void test_sums(void **state) {
    (void)state;
    ends("y = Add x x");
    ends("y = Sub x x");
    ends("y = Add x 0.0");
    ends("y = Neg x");
    ends("y = Sub 1.0 x");
}

static void test_joins(void **state) {
    (void)state;
    keeps("y = Concat x x axis=1");
    keeps("y = Concat x zeros:2,1,4,4 axis=1");
    ends("y = Concat x d axis=1");
    ends("y = Concat x weight:2,1,4,4 axis=1");
    keeps("b = Greater d 0.0\ny = Where b x 0.0");
    ends("b = Greater d 0.0\ny = Where b x d");
    ends("b = Cast x to=9\ny = Where b 2.0 0.0");
}

static void test_pools(void **state) {
    (void)state;
    keeps("y = MaxPool x kernel_shape=[2,2]");
    keeps("y = GlobalMaxPool x");
    ends("y = AveragePool x kernel_shape=[2,2]");
    keeps("y = AveragePool x kernel_shape=[1,1] strides=[2,2]");
    ends("y = AveragePool x kernel_shape=[1,1] pads=[1,1,1,1]");
    ends("y = GlobalAveragePool x");
    keeps("m = MaxPool x kernel_shape=[4,4]\ny = GlobalAveragePool m");
    ends("y = ReduceMean x axes=[2,3]");
    keeps("m = MaxPool x kernel_shape=[4,4]\ny = ReduceMean m axes=[2,3]");
    ends("y = ReduceSum x [1]");
}

static void test_padding(void **state) {
    (void)state;
    keeps("y = Pad x [0,0,1,1,0,0,1,1]");
    keeps("y = Pad x [0,0,1,1,0,0,1,1] 0.0");
    ends("y = Pad x [0,0,1,1,0,0,1,1] 0.5");
    ends("y = Pad x [0,0,1,1,0,0,1,1] weight:");
    keeps("y = Pad x [0,0,1,1,0,0,1,1] 0.5 mode=reflect");
}

static void test_dropout(void **state) {
    (void)state;
    keeps("y = Dropout x");
    keeps("y = Dropout x 0.5 false");
    ends("y = Dropout x 0.5 true");
    ends("t = Identity weight:\nc = Cast t to=9\ny = Dropout x 0.5 c");
}

static void test_layers_end_them(void **state) {
    (void)state;
    ends("y = Conv x weight:5,3,3,3");
    ends("f = Flatten x axis=1\ny = Gemm f weight:48,4");
    ends("y = BatchNormalization x weight:3 weight:3 weight:3 weight:3");
    ends("y = my::Unknown x");
}

static void test_nothing_is_empty(void **state) {
    (void)state;
    ends("y = Slice x [0] [0] [1]");
}

static void test_neurons(void **state) {
    (void)state;
    keeps("h = Add zeros:2,3,4,4 d\nu = Sub h 1.0\ng = Sign u\ny = Relu g");
    keeps("h = Add zeros:2,3,4,4 d\nq = Floor h\ny = Clip q 0.0 1.0");
    ends("h = Add zeros:2,3,4,4 d\nq = Div h 1.0\nf = Floor q\ny = Relu f");
    ends("u = Sub d 1.0\ng = Sign u\ny = Relu g"); /* no neuron, and no boolean */
    keeps("y = LIF d");
    ends("y = SoftLIFRate d");
    keeps("u = Sub d 1.0\ny = spikingjelly::atan u");
}

/* ---- loops ---- */

/* Spikes of a step written into a sequence that starts as zeros. */
#define LOOP(start, update)                                                                        \
    "in x 4,1,8\nv q = Loop 4 true zeros:1,8 " start " {\nin t c vi qi\nxt = Gather x t axis=0\n"  \
    "h = Add vi xt\nb = Greater h 1.0\ns = Cast b to=1\nvo = Sub h s\ni = Unsqueeze t [0]\n"       \
    "k = Unsqueeze i [-1]\nu = Unsqueeze " update " [0]\nqo = ScatterND qi k u\n"                  \
    "co = Identity c\nout co vo qo\n}\nout v q"

static void loop_gives(const char *text, bool spikes) {
    struct net_builder b;
    infer(&b, text);
    assert_int_equal(nt_tensor(&b, "q")->spike, spikes);
    assert_false(nt_tensor(&b, "v")->spike);
    nb_free(&b);
}

static void test_sequences_written_in_a_loop(void **state) {
    (void)state;
    loop_gives(LOOP("zeros:4,1,8", "s"), true);
    loop_gives(LOOP("zeros:4,1,8", "h"), false);
    /* every part is written, so it does not matter what was there */
    loop_gives(LOOP("weight:4,1,8", "s"), true);
    loop_gives(LOOP("weight:5,1,8", "s"), false);
}

static void test_stacked_steps(void **state) {
    (void)state;
    loop_gives("in x 4,1,8\nv q = Loop 4 true zeros:1,8 {\nin t c vi\nxt = Gather x t axis=0\n"
               "h = Add vi xt\nb = Greater h 1.0\ns = Cast b to=1\nvo = Sub h s\n"
               "co = Identity c\nout co vo s\n}\nout v q",
               true);
}

/* What is carried starts as spikes and ends as a sum. */
static void test_carried_values_are_refuted(void **state) {
    (void)state;
    struct net_builder b;
    infer(&b, "in x 1,8\na c = Loop 4 true zeros:1,8 zeros:1,8 {\nin t g ai ci\nco = Identity ai\n"
              "ao = Add ai x\ngo = Identity g\nout go ao co\n}\nout a c");
    assert_false(nt_tensor(&b, "ai")->spike);
    assert_false(nt_tensor(&b, "ci")->spike);
    assert_false(nt_tensor(&b, "a")->spike);
    assert_false(nt_tensor(&b, "c")->spike);
    nb_free(&b);
}

static void test_scan_hands_steps_in(void **state) {
    (void)state;
    struct net_builder b;
    infer(&b, "in x 4,1,8\nv y = Scan zeros:1,8 x num_scan_inputs=1 {\nin vi xt\n"
              "vo = Add vi xt\ns = Identity xt\nout vo s\n}\nout y");
    assert_true(nt_tensor(&b, "xt")->spike);
    assert_true(nt_tensor(&b, "y")->spike);
    assert_false(nt_tensor(&b, "v")->spike);
    nb_free(&b);
}

/* A body reads spikes of the graph around it. */
static void test_captured_tensors(void **state) {
    (void)state;
    struct net_builder b;
    infer(&b, "in x 4,1,8\nz = Reshape x [4,8]\nv y = Loop 4 true zeros:8 {\nin t c vi\n"
              "zt = Gather z t axis=0\nvo = Add vi zt\nco = Identity c\nout co vo zt\n}\nout y");
    assert_true(nt_tensor(&b, "zt")->spike);
    assert_true(nt_tensor(&b, "y")->spike);
    nb_free(&b);
}

static void test_unknown_input(void **state) {
    (void)state;
    const char *const inputs[] = {"inptu"};
    const struct nmc_spike_options options = {inputs, 1};
    struct net_builder b;
    nt_build(&b, 17, 0, "in input 1,8\ny = Identity input\nout y");
    assert_int_equal(nmc_spikes_infer(b.net, &options, b.diags), NEUROMC_USAGE);
    assert_string_equal(nb_error(&b), "the graph has no input \"inptu\" (--spike-input)");
    assert_string_equal(neuromc_diags_at(b.diags, 0)->hint, "did you mean \"input\"?");
    nb_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_views),
        cmocka_unit_test(test_casts_and_booleans),
        cmocka_unit_test(test_products),
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_joins),
        cmocka_unit_test(test_pools),
        cmocka_unit_test(test_padding),
        cmocka_unit_test(test_dropout),
        cmocka_unit_test(test_layers_end_them),
        cmocka_unit_test(test_nothing_is_empty),
        cmocka_unit_test(test_neurons),
        cmocka_unit_test(test_sequences_written_in_a_loop),
        cmocka_unit_test(test_stacked_steps),
        cmocka_unit_test(test_carried_values_are_refuted),
        cmocka_unit_test(test_scan_hands_steps_in),
        cmocka_unit_test(test_captured_tensors),
        cmocka_unit_test(test_unknown_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
