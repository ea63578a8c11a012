/* The network as a report draws it: what stands in it, and which of it feeds which. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "frontends/model_file.h"
#include "net_text.h"
#include "report/report.h"

static neuromc_report *estimate(struct net_builder *b) {
    char path[] = "test";
    neuromc_model model = {.path = path, .net = b->net};
    neuromc_preset *preset;
    neuromc_report *report;
    const neuromc_preset_options where = {.search_path = NMC_SOURCE_DIR "/configs/memory_presets"};
    assert_int_equal(neuromc_preset_load("neuromc_like_v1", &where, &preset, NULL), NEUROMC_OK);
    assert_int_equal(neuromc_estimate(&model, preset, NULL, &report, b->diags), NEUROMC_OK);
    neuromc_preset_free(preset);
    return report;
}

static bool collect(void *user, const char *data, size_t size) {
    nmc_strbuf_add(user, data, size);
    return true;
}

/* "0 Conv; 1 Relu 0; 2 Add 1 0; " of a network: number, operator, what feeds it. */
static void assert_network(unsigned variant, const char *net, const char *want) {
    struct net_builder b;
    struct nmc_strbuf text;
    nt_build(&b, 13, variant, net);
    neuromc_report *report = estimate(&b);
    nmc_strbuf_init(&text);
    for (uint32_t i = 0; i < report->network.count; i++) {
        const struct nmc_network_node *node = &report->network.nodes[i];
        nmc_strbuf_printf(&text, "%u %s", i, node->op);
        for (uint32_t n = 0; n < node->input_count; n++)
            nmc_strbuf_printf(&text, " %u", node->inputs[n]);
        nmc_strbuf_puts(&text, "; ");
    }
    assert_string_equal(text.text, want);
    nmc_strbuf_release(&text);
    neuromc_report_free(report);
    nb_free(&b);
}

/* Whatever the file calls its nodes, and in whatever order it has them. */
static void assert_any(const char *net, const char *want) {
    for (unsigned variant = 0; variant < 4; variant++)
        assert_network(variant, net, want);
}

static void a_chain_and_a_branch(void **state) {
    (void)state;
    assert_any("in x 1,4,8,8\n"
               "a = Conv x weight:4,4,1,1\n"
               "r = Relu a\n"
               "c = Conv r weight:4,4,1,1\n"
               "s = Add c r\n"
               "out s\n",
               "0 Conv; 1 Relu 0; 2 Conv 1; 3 Add 2 1; ");
}

/* Two edges from one node to another are one; an operand that is no node is none. */
static void each_source_once(void **state) {
    (void)state;
    assert_any("in x 1,4\n"
               "h = MatMul x weight:4,4\n"
               "s = Add h h\n"
               "t = Add s x\n"
               "out t\n",
               "0 MatMul; 1 Add 0; 2 Add 1; ");
}

/* Shapes of shapes run before anything does. */
static void shape_arithmetic_is_left_out(void **state) {
    (void)state;
    assert_any("in x 2,4\n"
               "h = MatMul x weight:4,4\n"
               "n = Shape h\n"
               "k = Gather n [0]\n"
               "p = Concat k [-1] axis=0\n"
               "f = Reshape h p\n"
               "y = Relu f\n"
               "out y\n",
               "0 MatMul; 1 Reshape 0; 2 Relu 1; ");
}

/* A loop's body stands in its place, as one round: what is carried comes from outside, what the
 * loop gives out from inside. */
static void bodies_stand_in_place(void **state) {
    (void)state;
    assert_any("in x 1,4\n"
               "h = MatMul x weight:4,4\n"
               "v q = Loop 4 true h {\n"
               "  in t c vin\n"
               "  m = MatMul vin weight:4,4\n"
               "  vout = Relu m\n"
               "  qout = Neg vout\n"
               "  cout = Identity c\n"
               "  out cout vout qout\n"
               "}\n"
               "z = ReduceSum q\n"
               "y = Add z v\n"
               "out y\n",
               "0 MatMul; 1 MatMul 0; 2 Relu 1; 3 Neg 2; 4 ReduceSum 3; 5 Add 4 2; ");
}

/* A neuron is one node, named by what it does. */
static void neurons_are_one_node(void **state) {
    (void)state;
    assert_any("in x 1,8\n"
               "h = MatMul x weight:8,8\n"
               "s v = snn::LIF h zeros:1,8 beta=0.5\n"
               "y = MatMul s weight:8,2\n"
               "out y v\n",
               "0 MatMul; 1 LIF 0; 2 MatMul 1; ");
}

static void json_of_any_name(void **state) {
    (void)state;
    struct nmc_network_node nodes[] = {
        {.label = "a\"\n<", .op = "Conv"},
        {.label = "b", .op = "Add", .inputs = (const uint32_t[]){0}, .input_count = 1},
    };
    const struct nmc_network network = {.nodes = nodes, .count = 2};
    struct nmc_strbuf text;
    struct nmc_sink sink;
    struct nmc_json json;
    nmc_strbuf_init(&text);
    nmc_sink_init(&sink, collect, &text);
    nmc_json_init(&json, &sink);
    json.in_html = true;
    nmc_network_json(&network, &json);
    assert_int_equal(nmc_sink_finish(&sink, NULL), NEUROMC_OK);
    assert_string_equal(text.text,
                        "{\n  \"nodes\": [\n"
                        "    {\"label\": \"a\\\"\\n\\u003c\", \"op\": \"Conv\", \"inputs\": []},\n"
                        "    {\"label\": \"b\", \"op\": \"Add\", \"inputs\": [0]}\n  ]\n}\n");
    nmc_strbuf_release(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_and_a_branch),         cmocka_unit_test(each_source_once),
        cmocka_unit_test(shape_arithmetic_is_left_out), cmocka_unit_test(bodies_stand_in_place),
        cmocka_unit_test(neurons_are_one_node),         cmocka_unit_test(json_of_any_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
