/* Which graphs hold neurons, and which only look like it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "graph/ops.h"
#include "graph/soma.h"
#include "net_text.h"

/* ---- what was found, as text ---- */

enum { MOST_SOMAS = 64, TEXT = 200 };

static int compare(const void *a, const void *b) {
    return strcmp(a, b);
}

/* "2 x IF 8, LIF 192 graded": kinds and updates, sorted. */
static void describe(const struct nmc_net *net, struct nmc_strbuf *out) {
    static char rows[MOST_SOMAS][TEXT];
    assert_true(net->soma_count <= MOST_SOMAS);
    for (uint32_t i = 0; i < net->soma_count; i++) {
        const struct nmc_soma *s = net->somas[i];
        snprintf(rows[i], TEXT, "%s %lld%s", nmc_soma_kind_names[s->kind], (long long)s->elements,
                 s->multi_spike ? " graded" : "");
    }
    qsort(rows, net->soma_count, TEXT, compare);
    for (uint32_t i = 0, same; i < net->soma_count; i += same) {
        for (same = 1; i + same < net->soma_count && strcmp(rows[i], rows[i + same]) == 0;)
            same++;
        nmc_strbuf_printf(out, "%s", i ? ", " : "");
        if (same > 1)
            nmc_strbuf_printf(out, "%u x ", same);
        nmc_strbuf_puts(out, rows[i]);
    }
}

/* Nodes that are neither part of a neuron nor free: "2 x Conv Gather". */
static void describe_rest(const struct nmc_net *net, struct nmc_strbuf *out) {
    static char rows[400][TEXT];
    uint32_t count = 0;
    for (uint32_t n = 0; n < net->node_count; n++) {
        const struct nmc_node *node = net->nodes[n];
        bool free =
            node->op && (node->op->cost == NMC_COST_VIEW || node->op->cost == NMC_COST_SHAPE ||
                         node->op->cost == NMC_COST_CONTROL);
        if (!node->soma && !free && !node->outputs[0]->is_constant)
            snprintf(rows[count++], TEXT, "%s", node->op_type);
    }
    qsort(rows, count, TEXT, compare);
    for (uint32_t i = 0, same; i < count; i += same) {
        for (same = 1; i + same < count && strcmp(rows[i], rows[i + same]) == 0;)
            same++;
        nmc_strbuf_printf(out, "%s", i ? ", " : "");
        if (same > 1)
            nmc_strbuf_printf(out, "%u x ", same);
        nmc_strbuf_puts(out, rows[i]);
    }
}

static void check_links(const struct nmc_net *net) {
    for (uint32_t i = 0; i < net->soma_count; i++) {
        const struct nmc_soma *s = net->somas[i];
        assert_int_equal(s->id, i);
        assert_ptr_equal(s->node->soma, s);
        assert_ptr_equal(s->output->producer, s->node);
        assert_non_null(s->input);
        assert_non_null(s->why);
        for (int n = 0; n < s->node_count; n++)
            assert_ptr_equal(s->nodes[n]->soma, s);
        if (s->before)
            assert_ptr_equal(s->before->after, s);
    }
}

static void find_in(const char *text, unsigned variant, const char *somas, const char *rest) {
    struct net_builder b;
    struct nmc_strbuf found, wanted;
    nmc_strbuf_init(&wanted);
    nt_build(&b, 17, variant, text);
    assert_int_equal(nmc_somas_find(b.net, NULL, b.diags), NEUROMC_OK);
    check_links(b.net);
    nmc_strbuf_init(&found);
    describe(b.net, &found);
    nmc_strbuf_puts(&found, "; rest: ");
    describe_rest(b.net, &found);
    nmc_strbuf_printf(&wanted, "%s; rest: %s", somas, rest);
    if (strcmp(found.text, wanted.text) != 0)
        print_error("variant %u of\n%s\n", variant, text);
    assert_string_equal(found.text, wanted.text);
    nmc_strbuf_release(&wanted);
    nmc_strbuf_release(&found);
    nb_free(&b);
}

/* Names and the order of nodes must not matter. */
static void finds(const char *text, const char *somas, const char *rest) {
    for (unsigned variant = 0; variant < 4; variant++)
        find_in(text, variant, somas, rest);
}

/* ---- one step, each spelling of charge ---- */

static void test_if(void **state) {
    (void)state;
    finds("in x 1,8\nh = Add zeros:1,8 x\nb = GreaterOrEqual h 1.0\ns = Cast b to=1\nout s", "IF 8",
          "");
    finds("in x 1,8\nh = Add x zeros:1,8\nb = GreaterOrEqual h 1.0\ns = Cast b to=1\nout s", "IF 8",
          "");
}

/* Data may lie in a file that is not there. */
static void test_unknown_constant_is_a_state(void **state) {
    (void)state;
    finds("in x 2,3,4,4\nh = Add weight:2,3,4,4 x\nb = Greater h 1.0\ns = Cast b to=1\nout s",
          "IF 96", "");
}

/* The reset potential is where the first step starts. */
static void test_constant_at_reset_is_a_state(void **state) {
    (void)state;
    finds("in x 1,8\nh = Add fill:-0.5:1,8 x\nb = Greater h 1.0\ns = Cast b to=1\nout s", "IF 8",
          "");
}

static void test_state_is_made_of_zeros(void **state) {
    (void)state;
    finds("in x 1,8\nd = Shape x\nz = ConstantOfShape d\nh = Add z x\nb = Greater h 1.0\n"
          "s = Cast b to=1\nout s",
          "IF 8", "");
    finds("in x 1,8\nd = Shape x\nz = Expand 0.0 d\nh = Add x z\nb = Greater h 1.0\n"
          "s = Cast b to=1\nout s",
          "IF 8", "");
    finds("in x 1,8\nz = Mul x 0.0\nh = Add x z\nb = Greater h 1.0\ns = Cast b to=1\nout s", "IF 8",
          "");
}

/* Norse starts from a number; a simulator of a batch from one row for all samples. */
static void test_state_is_broadcast(void **state) {
    (void)state;
    finds("in x 4,8\nh = Add x 0.0\nb = Greater h 1.0\ns = Cast b to=1\nout s", "IF 32", "");
    finds("in x 4,8\nh = Add zeros:1,8 x\nb = Greater h 1.0\ns = Cast b to=1\nout s", "IF 32", "");
}

static void test_lif(void **state) {
    (void)state;
    finds("in x 1,8 v 1,8\nd = Sub x v\nq = Div d 2.0\nh = Add v q\nu = Sub h 1.0\n"
          "b = GreaterOrEqual u 0.0\ns = Cast b to=1\nn = Neg s\nm = Add n 1.0\nk = Mul m h\n"
          "r = Mul s 0.0\nw = Add k r\nout s w",
          "LIF 8", "");
    finds("in x 1,8 v 1,8\nl = Mul v 0.5\nh = Add l x\nb = GreaterOrEqual h 1.0\n"
          "s = Cast b to=1\nr = Mul s 1.0\nw = Sub h r\nout s w",
          "LIF 8", "");
}

static void test_plif(void **state) {
    (void)state;
    finds("in x 1,8\ng = Sigmoid weight:\nd = Sub x zeros:1,8\nq = Mul d g\nh = Add zeros:1,8 q\n"
          "u = Sub h 1.0\nb = GreaterOrEqual u 0.0\ns = Cast b to=1\nout s",
          "PLIF 8", "");
}

static void test_curved_charge(void **state) {
    (void)state;
    finds("in x 1,8 v 1,8\ne = Exp v\nd = Sub x v\nf = Add d e\nq = Div f 2.0\nh = Add v q\n"
          "b = GreaterOrEqual h 1.0\ns = Cast b to=1\nr = Mul s 1.0\nw = Sub h r\nout s w",
          "other 8", "");
}

/* A synaptic current is a second state. */
static void test_two_states(void **state) {
    (void)state;
    finds("in x 1,8 i 1,8 v 1,8\na = Mul i 0.9\nj = Add a x\nl = Mul v 0.8\nh = Add l j\n"
          "u = Sub h 1.0\nb = Greater u 0.0\ns = Cast b to=1\nr = Mul s 1.0\nw = Sub h r\n"
          "out s j w",
          "LIF 8", "");
}

/* The threshold rises with each spike. */
static void test_adaptive_threshold(void **state) {
    (void)state;
    finds("in x 1,8 v 1,8 a 1,8\nl = Mul v 0.9\nh = Add l x\nt = Mul a 1.8\nth = Add t 1.0\n"
          "b = GreaterOrEqual h th\ns = Cast b to=1\nr = Mul s th\nw = Sub h r\n"
          "p = Mul a 0.97\na2 = Add p s\nout s w a2",
          "LIF 8", "");
}

/* Resistance and time step are part of the neuron; a bias of the layer before is not. */
static void test_scaled_current(void **state) {
    (void)state;
    finds("in x 1,4 v 1,8\nc = MatMul x weight:4,8\ny = Add c weight:8\ni = Mul y 0.1\n"
          "l = Mul v 0.9\nh = Add i l\nb = Greater h 1.0\ns = Cast b to=1\nw = Sub h s\nout s w",
          "LIF 8", "Add, MatMul");
}

/* ---- each spelling of fire ---- */

static void fires(const char *fire, const char *somas) {
    char text[TEXT * 2];
    snprintf(text, sizeof text,
             "in x 1,8 v 1,8\nh = Add v x\n%s\nr = Mul s 1.0\nw = Sub h r\nout s w", fire);
    finds(text, somas, "");
}

static void test_comparisons(void **state) {
    (void)state;
    fires("b = GreaterOrEqual h 1.0\ns = Cast b to=1", "IF 8");
    fires("b = Greater h 1.0\ns = Cast b to=1", "IF 8");
    fires("b = LessOrEqual 1.0 h\ns = Cast b to=1", "IF 8");
    fires("b = Less 1.0 h\ns = Cast b to=1", "IF 8");
    fires("b = Less h 1.0\nn = Not b\ns = Cast n to=1", "IF 8");
    fires("u = Sub h 1.0\nb = GreaterOrEqual u 0.0\ns = Cast b to=1", "IF 8");
    fires("u = Sub 1.0 h\nb = LessOrEqual u 0.0\ns = Cast b to=1", "IF 8");
    fires("b = Greater h 1.0\ni = Cast b to=6\ns = Cast i to=1", "IF 8");
    fires("b = Greater h 1.0\ns = Where b 1.0 0.0", "IF 8");
    fires("b = Less h 1.0\ns = Where b 0.0 1.0", "IF 8");
    fires("b = Less h 1.0\nm = Cast b to=1\ns = Sub 1.0 m", "IF 8");
}

static void test_steps(void **state) {
    (void)state;
    fires("u = Sub h 1.0\ng = Sign u\ns = Relu g", "IF 8");
    fires("u = Sub h 1.0\np = Relu u\ns = Sign p", "IF 8");
    fires("u = Sub h 1.0\ng = Sign u\ns = Max g 0.0", "IF 8");
    fires("u = Sub h 1.0\ng = Sign u\na = Add g 1.0\ns = Div a 2.0", "IF 8");
    fires("q = Div h 1.0\nf = Floor q\ns = Clip f 0.0 1.0", "IF 8");
    fires("f = Floor h\nm = Min f 1.0\ns = Max m 0.0", "IF 8");
    fires("c = Clip h 0.0 1.0\ns = Floor c", "IF 8");
}

/* Several spikes at once are not spikes of 0 and 1. */
static void test_many_spikes(void **state) {
    (void)state;
    fires("q = Div h 1.0\ns = Floor q", "IF 8 graded");
    fires("q = Div h 1.0\nf = Floor q\ns = Relu f", "IF 8 graded");
    fires("q = Div h 1.0\ni = Cast q to=7\ns = Cast i to=1", "IF 8 graded");
    fires("c = Clip h 0.0 4.0\ns = Round c", "IF 8 graded");
    fires("b = Greater h 0.0\nq = Div h 1.0\ni = Cast q to=7\nf = Cast i to=1\nm = Cast b to=1\n"
          "s = Mul m f",
          "IF 8 graded");
    fires("p = Greater h 1.0\nn = Less h -1.0\na = Cast p to=1\nc = Cast n to=1\ns = Sub a c",
          "IF 8 graded");
}

/* An exporter that does not know the surrogate leaves its name. */
static void test_surrogates_by_name(void **state) {
    (void)state;
    fires("u = Sub h 1.0\ns = spikingjelly::atan u", "IF 8");
    fires("u = Sub h 1.0\ns = prim::PythonOp u", "IF 8");
}

/* ---- resets ---- */

static void test_where_resets(void **state) {
    (void)state;
    finds("in x 1,8 v 1,8\nh = Add v x\nb = Greater h 1.0\ns = Cast b to=1\nw = Where b 0.0 h\n"
          "out s w",
          "IF 8", "");
    finds("in x 1,8 v 1,8\nh = Add v x\nb = Less h 1.0\nn = Not b\ns = Cast n to=1\n"
          "w = Where b h 0.0\nout s w",
          "IF 8", "");
}

/* snnTorch resets by the potential before: two comparisons, one neuron. */
static void test_reset_by_the_step_before(void **state) {
    (void)state;
    finds("in x 1,8 m 1,8\nd = Sub m 1.0\ng = Greater d 0.0\nr = Cast g to=1\nl = Mul m 0.9\n"
          "a = Add l x\nt = Mul r 1.0\nh = Sub a t\ne = Sub h 1.0\nf = Greater e 0.0\n"
          "s = Cast f to=1\nk = Mul s 1.0\nout k h",
          "LIF 8", "");
    finds("in x 1,8 m 1,8\nd = Sub m 1.0\ng = Greater d 0.0\nr = Cast g to=1\nl = Mul m 0.9\n"
          "a = Add l x\nt = Mul r a\nh = Sub a t\ne = Sub h 1.0\nf = Greater e 0.0\n"
          "s = Cast f to=1\nout s h",
          "LIF 8", "");
}

/* Spikes that nobody reads, a potential that is read out. */
static void test_only_the_potential_leaves(void **state) {
    (void)state;
    finds("in x 1,8 v 1,8\nl = Mul v 0.9\nh = Add l x\nb = Greater h 1.0\ns = Cast b to=1\n"
          "r = Mul s 1.0\nw = Sub h r\nout w",
          "LIF 8", "");
    finds("in x 1,8 v 1,8\nh = Add v x\nb = Greater h 1.0\nw = Where b 0.0 h\nout w", "IF 8", "");
}

static void test_refractory(void **state) {
    (void)state;
    finds("in x 1,8 v 1,8 p 1,8\nl = Mul v 0.9\nh = Add l x\nb = Greater h 1.0\ns = Cast b to=1\n"
          "a = Greater p 0.0\nm = Cast a to=1\nk = Sub 1.0 m\nz = Mul s k\nr = Mul z 1.0\n"
          "w = Sub h r\nq = Sub p m\np2 = Add q z\nout z w p2",
          "LIF 8", "");
}

/* ---- steps ---- */

/* T steps of a LIF neuron on gathered input; the last has no reset. */
static const char unrolled[] =
    "in x 3,1,8\n"
    "x0 = Gather x 0 axis=0\nd0 = Sub x0 zeros:1,8\nq0 = Div d0 2.0\nh0 = Add zeros:1,8 q0\n"
    "b0 = GreaterOrEqual h0 1.0\ns0 = Cast b0 to=1\nn0 = Neg s0\nm0 = Add n0 1.0\nv0 = Mul m0 h0\n"
    "x1 = Gather x 1 axis=0\nd1 = Sub x1 v0\nq1 = Div d1 2.0\nh1 = Add v0 q1\n"
    "b1 = GreaterOrEqual h1 1.0\ns1 = Cast b1 to=1\nn1 = Neg s1\nm1 = Add n1 1.0\nv1 = Mul m1 h1\n"
    "x2 = Gather x 2 axis=0\nd2 = Sub x2 v1\nq2 = Div d2 2.0\nh2 = Add v1 q2\n"
    "b2 = GreaterOrEqual h2 1.0\ns2 = Cast b2 to=1\n"
    "u0 = Unsqueeze s0 [0]\nu1 = Unsqueeze s1 [0]\nu2 = Unsqueeze s2 [0]\n"
    "y = Concat u0 u1 u2 axis=0\nout y";

static void test_unrolled(void **state) {
    (void)state;
    finds(unrolled, "3 x LIF 8", "Concat, 3 x Gather");
}

static void test_unrolled_steps_are_linked(void **state) {
    (void)state;
    struct net_builder b;
    nt_build(&b, 17, 0, unrolled);
    assert_int_equal(nmc_somas_find(b.net, NULL, b.diags), NEUROMC_OK);
    for (uint32_t i = 0; i < 3; i++) {
        const struct nmc_soma *s = b.net->somas[i];
        assert_ptr_equal(s->before, i ? b.net->somas[i - 1] : NULL);
        assert_ptr_equal(s->after, i < 2 ? b.net->somas[i + 1] : NULL);
    }
    assert_ptr_equal(b.net->somas[1]->input, nt_tensor(&b, "x1"));
    assert_ptr_equal(b.net->somas[1]->output, nt_tensor(&b, "s1"));
    assert_ptr_equal(b.net->somas[1]->states[0], nt_tensor(&b, "v0"));
    assert_int_equal(b.net->somas[1]->node_count, 8);
    nb_free(&b);
}

/* The same current at each step, soft reset, spikes summed to a rate. */
static void test_unrolled_on_one_input(void **state) {
    (void)state;
    finds("in x 1,4\nc = MatMul x weight:4,8\n"
          "h0 = Add zeros:1,8 c\nb0 = Greater h0 1.0\ns0 = Cast b0 to=1\nr0 = Mul s0 1.0\n"
          "v0 = Sub h0 r0\na0 = Add s0 0.0\n"
          "h1 = Add v0 c\nb1 = Greater h1 1.0\ns1 = Cast b1 to=1\na1 = Add a0 s1\n"
          "y = Div a1 2.0\nout y",
          "2 x IF 8", "2 x Add, Div, MatMul");
}

static void test_unrolled_with_state_in_and_out(void **state) {
    (void)state;
    finds("in a 1,8 c 1,8 v 1,8\n"
          "h0 = Add v a\nb0 = Greater h0 1.0\ns0 = Cast b0 to=1\nv0 = Sub h0 s0\n"
          "h1 = Add v0 c\nb1 = Greater h1 1.0\ns1 = Cast b1 to=1\nv1 = Sub h1 s1\nout s0 s1 v1",
          "2 x IF 8", "");
}

/* snnTorch without reset: the potential itself goes on. */
static void test_unrolled_without_reset(void **state) {
    (void)state;
    finds("in x 2,1,8\nx0 = Gather x 0 axis=0\nx1 = Gather x 1 axis=0\n"
          "h0 = Add zeros:1,8 x0\nu0 = Sub h0 1.0\nb0 = Greater u0 0.0\ns0 = Cast b0 to=1\n"
          "l1 = Mul h0 0.9\nh1 = Add l1 x1\nu1 = Sub h1 1.0\nb1 = Greater u1 0.0\n"
          "s1 = Cast b1 to=1\nout s0 s1",
          "2 x LIF 8", "2 x Gather");
}

/* A simplifier drops sums with 0; the first step shows in what the second starts from. */
static void test_first_step_simplified(void **state) {
    (void)state;
    finds("in x 2,1,8\nx0 = Gather x 0 axis=0\nx1 = Gather x 1 axis=0\n"
          "b0 = GreaterOrEqual x0 1.0\ns0 = Cast b0 to=1\nm0 = Sub 1.0 s0\nv0 = Mul m0 x0\n"
          "h1 = Add v0 x1\nb1 = GreaterOrEqual h1 1.0\ns1 = Cast b1 to=1\nout s0 s1",
          "2 x IF 8", "2 x Gather");
    finds("in x 1,8\nb0 = GreaterOrEqual x 1.0\ns0 = Cast b0 to=1\nr0 = Mul s0 0.0\nn0 = Neg s0\n"
          "m0 = Add n0 1.0\nk0 = Mul m0 x\nv0 = Add r0 k0\nh1 = Add v0 x\n"
          "b1 = GreaterOrEqual h1 1.0\ns1 = Cast b1 to=1\ny = Add s0 s1\nout y",
          "2 x IF 8", "Add");
    finds("in x 2,1,8\nx0 = Gather x 0 axis=0\nx1 = Gather x 1 axis=0\nc0 = Div x0 2.0\n"
          "u0 = Sub c0 1.0\nb0 = GreaterOrEqual u0 0.0\ns0 = Cast b0 to=1\nr0 = Mul s0 1.0\n"
          "v0 = Sub c0 r0\nd1 = Sub x1 v0\nq1 = Div d1 2.0\nh1 = Add v0 q1\nu1 = Sub h1 1.0\n"
          "b1 = GreaterOrEqual u1 0.0\ns1 = Cast b1 to=1\nout s0 s1",
          "2 x LIF 8", "2 x Gather");
}

/* ---- loops ---- */

static void test_loop(void **state) {
    (void)state;
    finds("in x 4,1,8\n"
          "v q = Loop 4 true zeros:1,8 zeros:4,1,8 {\n"
          "in t c vi qi\n"
          "xt = Gather x t axis=0\nd = Sub xt vi\np = Div d 2.0\nh = Add vi p\n"
          "b = GreaterOrEqual h 1.0\ns = Cast b to=1\nr = Mul s 1.0\nvo = Sub h r\n"
          "i = Unsqueeze t [0]\nk = Unsqueeze i [-1]\nu = Unsqueeze s [0]\nqo = ScatterND qi k u\n"
          "co = Identity c\nout co vo qo\n"
          "}\nout q",
          "LIF 8", "Gather, ScatterND");
}

static void test_loop_with_stacked_output(void **state) {
    (void)state;
    finds("in x 4,1,8\n"
          "m q = Loop 4 true zeros:1,8 {\n"
          "in t c mi\n"
          "xt = Gather x t axis=0\ne = Sub mi 1.0\ng = Greater e 0.0\nr = Cast g to=1\n"
          "l = Mul mi 0.9\na = Add l xt\nh = Sub a r\nu = Sub h 1.0\nb = Greater u 0.0\n"
          "s = Cast b to=1\nco = Identity c\nout co h s\n"
          "}\nout q",
          "LIF 8", "Gather");
}

static void test_scan(void **state) {
    (void)state;
    finds("in x 4,1,8\n"
          "v y = Scan zeros:1,8 x num_scan_inputs=1 {\n"
          "in vi xt\n"
          "h = Add xt vi\nb = Greater h 1.0\ns = Where b 1.0 0.0\nvo = Where b 0.0 h\n"
          "out vo s\n"
          "}\nout y",
          "IF 8", "");
}

/* Two layers in one loop, with weights between them. */
static void test_layers_in_a_loop(void **state) {
    (void)state;
    finds("in x 4,1,6\n"
          "v w y = Loop 4 true zeros:1,8 zeros:1,5 {\n"
          "in t c vi wi\n"
          "xt = Gather x t axis=0\ni = MatMul xt weight:6,8\nh = Add vi i\nb = Greater h 1.0\n"
          "s = Cast b to=1\nvo = Sub h s\n"
          "j = MatMul s weight:8,5\nl = Mul wi 0.5\ng = Add l j\na = Greater g 1.0\n"
          "z = Cast a to=1\nwo = Sub g z\nco = Identity c\nout co vo wo z\n"
          "}\nout y",
          "IF 8, LIF 5", "Gather, 2 x MatMul");
}

/* ---- layers ---- */

static void test_layers_share_nothing(void **state) {
    (void)state;
    finds("in x 1,4\nc = MatMul x weight:4,8\nh = Add zeros:1,8 c\nb = Greater h 1.0\n"
          "s = Cast b to=1\nd = MatMul s weight:8,3\ng = Add zeros:1,3 d\na = Greater g 1.0\n"
          "z = Cast a to=1\nout z",
          "IF 3, IF 8", "2 x MatMul");
}

/* Neurons right behind neurons of the same number. */
static void test_neurons_feed_neurons(void **state) {
    (void)state;
    finds("in x 1,8\nh = Add zeros:1,8 x\nb = Greater h 1.0\ns = Cast b to=1\n"
          "g = Add zeros:1,8 s\na = Greater g 2.0\nz = Cast a to=1\nout z",
          "2 x IF 8", "");
    finds("in x 1,8\nh = Add zeros:1,8 x\nb = Greater h 1.0\ns = Cast b to=1\n"
          "d = Sub s zeros:1,8\nq = Div d 2.0\ng = Add zeros:1,8 q\na = Greater g 2.0\n"
          "z = Cast a to=1\nout z",
          "IF 8, LIF 8", "");
    finds("in x 1,8 v 1,8 w 1,8\nh = Add v x\nb = Greater h 1.0\ns = Cast b to=1\np = Sub h s\n"
          "g = Add w s\na = Greater g 2.0\nz = Cast a to=1\nr = Sub g z\nout z p r",
          "2 x IF 8", "");
}

static void test_residual_of_spikes(void **state) {
    (void)state;
    finds("in x 1,8\nh = Add zeros:1,8 x\nb = Greater h 1.0\ns = Cast b to=1\n"
          "c = MatMul s weight:8,8\ng = Add zeros:1,8 c\na = Greater g 1.0\nz = Cast a to=1\n"
          "y = Add s z\ne = MatMul y weight:8,8\nout e",
          "2 x IF 8", "Add, 2 x MatMul");
}

/* A residual current: two layers join before the neurons. */
static void test_residual_of_currents(void **state) {
    (void)state;
    finds("in x 1,8\nc = MatMul x weight:8,8\ny = Add c x\nh = Add zeros:1,8 y\nb = Greater h 1.0\n"
          "s = Cast b to=1\nout s",
          "IF 8", "Add, MatMul");
}

/* Spikes come back through weights at the next step. */
static void test_recurrent(void **state) {
    (void)state;
    finds("in x 1,4 z 1,8 v 1,8\ni = MatMul x weight:4,8\nj = MatMul z weight:8,8\nc = Add i j\n"
          "l = Mul v 0.9\nh = Add l c\nb = Greater h 1.0\ns = Cast b to=1\nw = Sub h s\nout s w",
          "LIF 8", "Add, 2 x MatMul");
}

/* ---- what is no neuron ---- */

static void is_none(const char *text) {
    struct net_builder b;
    for (unsigned variant = 0; variant < 4; variant++) {
        nt_build(&b, 17, variant, text);
        assert_int_equal(nmc_somas_find(b.net, NULL, b.diags), NEUROMC_OK);
        if (b.net->soma_count)
            print_error("variant %u: %s in\n%s\n", variant, b.net->somas[0]->why, text);
        assert_int_equal(b.net->soma_count, 0);
        nb_free(&b);
    }
}

static void test_masks(void **state) {
    (void)state;
    is_none("in x 1,8\nb = Greater x 0.0\nm = Cast b to=1\ny = Mul x m\nout y");
    is_none("in x 1,8 y 1,8\nb = Greater x y\nm = Cast b to=1\nout m");
    is_none("in x 1,8 p 1,8\nh = Add x p\nb = GreaterOrEqual h 1.0\ns = Cast b to=1\nout s");
}

/* A residual network whose activations are masks. */
static void test_relu_by_mask(void **state) {
    (void)state;
    is_none("in x 1,8\nc = MatMul x weight:8,8\nb = Greater c 0.0\nm = Cast b to=1\nr = Mul c m\n"
            "d = MatMul r weight:8,8\ne = Add d r\na = Greater e 0.0\nn = Cast a to=1\n"
            "f = Mul e n\nout f");
    is_none("in x 1,8\nc = MatMul x weight:8,8\nb = Less c 0.0\nr = Where b 0.0 c\n"
            "d = MatMul r weight:8,8\ne = Add d r\na = Less e 0.0\nf = Where a 0.0 e\nout f");
}

static void test_relu6(void **state) {
    (void)state;
    is_none("in x 1,8\ny = Clip x 0.0 6.0\nout y");
    is_none("in x 1,8\na = Max x 0.0\ny = Min a 6.0\nout y");
    is_none("in x 1,8\nc = MatMul x weight:8,8\nb = Greater c 6.0\nr = Where b 6.0 c\n"
            "d = MatMul r weight:8,8\ne = Add d r\na = Greater e 6.0\nf = Where a 6.0 e\nout f");
    /* hard swish: x * ReLU6(x + 3) / 6 */
    is_none("in x 1,8\na = Add x 3.0\nc = Clip a 0.0 6.0\nm = Mul x c\ny = Div m 6.0\nout y");
}

static void test_argmax_code(void **state) {
    (void)state;
    is_none("in x 1,8\na = ArgMax x axis=1\ne = Equal a 3\nc = Cast e to=1\nout c");
    is_none("in x 1,8\nm = ReduceMax x axes=[1] keepdims=1\nb = GreaterOrEqual x m\n"
            "c = Cast b to=1\nout c");
}

static void test_dropout_mask(void **state) {
    (void)state;
    is_none("in x 1,8\nu = RandomUniformLike x\nb = Greater u 0.5\nm = Cast b to=1\nd = Mul x m\n"
            "y = Div d 0.5\nout y");
}

static void test_attention_mask(void **state) {
    (void)state;
    is_none("in q 1,4,8 k 1,8,4 m 1,4,4\np = MatMul q k\nb = Greater m 0.5\n"
            "s = Where b p -10000.0\ny = Softmax s axis=-1\nout y");
    is_none("in q 1,4,8 k 1,8,4 m 1,4,4\np = MatMul q k\nd = Sub 1.0 m\ne = Mul d -10000.0\n"
            "s = Add p e\ny = Softmax s axis=-1\nout y");
}

/* Parallel spiking neurons are matrix products over time. */
static void test_parallel_neurons(void **state) {
    (void)state;
    is_none("in x 4,1,8\nf = Flatten x axis=1\ng = Gemm weight:4,4 f weight:4,1\n"
            "b = GreaterOrEqual g 0.0\ns = Cast b to=1\ny = Reshape s [4,1,8]\nout y");
    is_none("in x 1,8\nr = Mul x weight:1,1\nh = Add r -1.0\nb = GreaterOrEqual h 0.0\n"
            "s = Cast b to=1\nout s");
}

/* Binary activations behind a bias. */
static void test_binary_network(void **state) {
    (void)state;
    is_none("in x 2,8\nc = MatMul x weight:8,5\nh = Add c weight:5\nb = Greater h 0.0\n"
            "s = Cast b to=1\nd = MatMul s weight:5,3\nout d");
    is_none("in x 2,8\nc = MatMul x weight:8,5\nh = Add c zeros:5\nb = Greater h 0.0\n"
            "s = Cast b to=1\nout s");
    is_none("in x 2,8\nu = Sub x 0.0\nb = GreaterOrEqual u 0.0\ns = Cast b to=1\nout s");
    is_none("in x 2,8\ng = Sign x\ns = Clip g 0.0 1.0\nout s");
}

/* A quantiser scales, adds its zero point, rounds and clips. */
static void test_quantiser(void **state) {
    (void)state;
    is_none("in x 1,8\nq = Div x 0.1\nz = Add q 0.0\nr = Round z\nc = Clip r -128.0 127.0\n"
            "u = Sub c 0.0\ny = Mul u 0.1\nout y");
    is_none("in x 1,8\nq = Div x 0.1\nz = Add q 0.0\nr = Floor z\nc = Clip r 0.0 1.0\nout c");
}

/* Integrators that never fire. */
static void test_integrators(void **state) {
    (void)state;
    is_none("in x 1,8 v 1,8\nl = Mul v 0.9\nh = Add l x\nout h");
    is_none("in x 4,1,8\nv = Loop 4 true zeros:1,8 {\nin t c vi\nxt = Gather x t axis=0\n"
            "l = Mul vi 0.9\nvo = Add l xt\nco = Identity c\nout co vo\n}\nout v");
}

/* Surrogates left in the place of the step are smooth. */
static void test_smooth_surrogates(void **state) {
    (void)state;
    is_none("in x 1,8\nh = Add zeros:1,8 x\nu = Sub h 1.0\na = Mul u 4.0\ns = Sigmoid a\nout s");
    is_none("in x 1,8\nh = Add zeros:1,8 x\nu = Sub h 1.0\nb = Greater u 1.0\nm = Cast b to=1\n"
            "n = Neg m\np = Add n 1.0\nl = LeakyRelu u alpha=0.0\nq = Mul p l\ng = Log u\n"
            "o = Add g 1.0\nr = Mul m o\ns = Add q r\nout s");
    is_none("in x 1,8\nh = Add zeros:1,8 x\nu = Sub h 1.0\nb = GreaterOrEqual u 0.0\n"
            "m = Cast b to=1\nd = Mul m 2.0\ne = Sub d 1.0\nf = Mul u 2.0\ng = Mul f e\n"
            "k = Add g 1.0\np = Pow k -1.0\nq = Mul p 0.5\nr = Mul e q\ns = Sub m r\nout s");
}

/* A bound against a running mean is a mask, not a spike. */
static void test_running_mean(void **state) {
    (void)state;
    is_none("in x 1,8 m 1,8\na = Mul m 0.9\nc = Mul x 0.1\nn = Add a c\nb = Greater x n\n"
            "s = Cast b to=1\nout s n");
}

static void test_counters_and_conditions(void **state) {
    (void)state;
    is_none("in x 1,8\nn = Loop 4 true 0 {\nin t c ni\nno = Add ni 1\nb = Less no 3\n"
            "co = Identity b\nout co no\n}\nout n");
    /* the sum over a loop decides when it ends */
    is_none("in x 4,1\nv = Loop 4 true zeros:1 {\nin t c vi\nxt = Gather x t axis=0\n"
            "vo = Add vi xt\nr = ReduceMax vo axes=[0] keepdims=0\nb = Less r 3.0\n"
            "co = Identity b\nout co vo\n}\nout v");
}

/* An image that is cleaned and then cut out: the output is no state of the input. */
static void test_image_to_image(void **state) {
    (void)state;
    is_none("in x 1,3,8,8\nn = Conv x weight:3,3,1,1\ny = Sub x n\nb = Greater y 0.5\n"
            "m = Cast b to=1\nout m");
}

/* ---- names ---- */

static void test_named(void **state) {
    (void)state;
    finds("in x 1,8 v 1,8\ns w = SNN_implementation::LIF x v 0.9 1.0\nout s w", "named 8", "");
    finds("in x 1,8\ns = IF x\ny = MatMul s weight:8,4\nz = AdaptiveLIF y\nout z",
          "named 4, named 8", "MatMul");
    finds("in x 1,8\nr = LIFRate x\nout r", "named 8 graded", "");
}

/* Steps of a named neuron hand their potential on. */
static void test_named_steps(void **state) {
    (void)state;
    struct net_builder b;
    nt_build(&b, 17, 0,
             "in x 2,1,8\nx0 = Gather x 0 axis=0\nx1 = Gather x 1 axis=0\n"
             "s0 v0 = snn::LIF x0 zeros:1,8\ns1 v1 = snn::LIF x1 v0\nout s0 s1");
    assert_int_equal(nmc_somas_find(b.net, NULL, b.diags), NEUROMC_OK);
    assert_int_equal(b.net->soma_count, 2);
    assert_ptr_equal(b.net->somas[1]->before, b.net->somas[0]);
    nb_free(&b);
}

static void test_names_of_the_user(void **state) {
    (void)state;
    const char *const names[] = {"Spiker"};
    const struct nmc_soma_options options = {names, 1};
    struct net_builder b;
    nt_build(&b, 17, 0, "in x 1,8\ns = my::Spiker x\nout s");
    nmc_shape_set(b.net, &nt_tensor(&b, "s")->shape, 2, (nmc_dim[]){1, 8});
    assert_int_equal(nmc_somas_find(b.net, &options, b.diags), NEUROMC_OK);
    assert_int_equal(b.net->soma_count, 1);
    nb_free(&b);
}

static void refuses(const char *name, const char *message) {
    const struct nmc_soma_options options = {&name, 1};
    struct net_builder b;
    nt_build(&b, 17, 0, "in x 1,8\nc = MatMul x weight:8,8\ns = my::Spiker c\nout s");
    assert_int_equal(nmc_somas_find(b.net, &options, b.diags), NEUROMC_USAGE);
    assert_string_equal(nb_error(&b), message);
    nb_free(&b);
}

static void test_names_that_do_not_fit(void **state) {
    (void)state;
    refuses("Spikes", "--soma-op Spikes: no node has this operator");
    refuses("MatMul", "--soma-op MatMul: this operator's work is known, and is not a neuron's");
}

/* ---- limits ---- */

/* A chain longer than any neuron: nothing is found, and nothing breaks. */
static void test_endless_charge(void **state) {
    (void)state;
    struct nmc_strbuf text;
    struct net_builder b;
    nb_init(&b, 17);
    struct nmc_tensor *h = nb_input(&b, "x", "1,8");
    struct nmc_tensor *one = nb_weight(&b, "one", "");
    nmc_strbuf_init(&text);
    for (int i = 0; i < 3000; i++) {
        nmc_strbuf_clear(&text);
        nmc_strbuf_printf(&text, "n%d", i);
        h = nb_op(&b, "Mul", text.text, h, one, NULL);
    }
    struct nmc_tensor *fired = nb_op(&b, "Greater", "b", h, one, NULL);
    nb_output(&b, fired);
    assert_int_equal(nb_infer(&b, NULL), NEUROMC_OK);
    assert_int_equal(nmc_somas_find(b.net, NULL, b.diags), NEUROMC_OK);
    assert_int_equal(b.net->soma_count, 0);
    nmc_strbuf_release(&text);
    nb_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_if),
        cmocka_unit_test(test_unknown_constant_is_a_state),
        cmocka_unit_test(test_constant_at_reset_is_a_state),
        cmocka_unit_test(test_state_is_made_of_zeros),
        cmocka_unit_test(test_state_is_broadcast),
        cmocka_unit_test(test_lif),
        cmocka_unit_test(test_plif),
        cmocka_unit_test(test_curved_charge),
        cmocka_unit_test(test_two_states),
        cmocka_unit_test(test_adaptive_threshold),
        cmocka_unit_test(test_scaled_current),
        cmocka_unit_test(test_comparisons),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_many_spikes),
        cmocka_unit_test(test_surrogates_by_name),
        cmocka_unit_test(test_where_resets),
        cmocka_unit_test(test_reset_by_the_step_before),
        cmocka_unit_test(test_only_the_potential_leaves),
        cmocka_unit_test(test_refractory),
        cmocka_unit_test(test_unrolled),
        cmocka_unit_test(test_unrolled_steps_are_linked),
        cmocka_unit_test(test_unrolled_on_one_input),
        cmocka_unit_test(test_unrolled_with_state_in_and_out),
        cmocka_unit_test(test_unrolled_without_reset),
        cmocka_unit_test(test_first_step_simplified),
        cmocka_unit_test(test_loop),
        cmocka_unit_test(test_loop_with_stacked_output),
        cmocka_unit_test(test_scan),
        cmocka_unit_test(test_layers_in_a_loop),
        cmocka_unit_test(test_layers_share_nothing),
        cmocka_unit_test(test_neurons_feed_neurons),
        cmocka_unit_test(test_residual_of_spikes),
        cmocka_unit_test(test_residual_of_currents),
        cmocka_unit_test(test_recurrent),
        cmocka_unit_test(test_masks),
        cmocka_unit_test(test_relu_by_mask),
        cmocka_unit_test(test_relu6),
        cmocka_unit_test(test_argmax_code),
        cmocka_unit_test(test_dropout_mask),
        cmocka_unit_test(test_attention_mask),
        cmocka_unit_test(test_parallel_neurons),
        cmocka_unit_test(test_binary_network),
        cmocka_unit_test(test_quantiser),
        cmocka_unit_test(test_integrators),
        cmocka_unit_test(test_smooth_surrogates),
        cmocka_unit_test(test_running_mean),
        cmocka_unit_test(test_counters_and_conditions),
        cmocka_unit_test(test_image_to_image),
        cmocka_unit_test(test_named),
        cmocka_unit_test(test_named_steps),
        cmocka_unit_test(test_names_of_the_user),
        cmocka_unit_test(test_names_that_do_not_fit),
        cmocka_unit_test(test_endless_charge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
