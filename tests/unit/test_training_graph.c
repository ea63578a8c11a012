/* Graphs exported with their backward pass and optimizer; elementwise work. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "frontends/model_file.h"
#include "net_builder.h"
#include "report/report.h"

static neuromc_report *estimate(struct net_builder *b, const neuromc_estimate_options *options) {
    char path[] = "test";
    neuromc_model model = {.path = path, .net = b->net};
    neuromc_preset *preset;
    neuromc_report *report;
    const neuromc_preset_options where = {.search_path = NMC_SOURCE_DIR "/configs/memory_presets"};
    assert_int_equal(neuromc_preset_load("neuromc_like_v1", &where, &preset, NULL), NEUROMC_OK);
    assert_int_equal(neuromc_estimate(&model, preset, options, &report, b->diags), NEUROMC_OK);
    neuromc_preset_free(preset);
    return report;
}

/* "stage op core;" of every line */
static void assert_lines(const neuromc_report *report, const char *want) {
    struct nmc_strbuf text;
    nmc_strbuf_init(&text);
    for (uint32_t i = 0; i < report->ledger.line_count; i++) {
        const struct nmc_fragment *f = &report->ledger.lines[i].fragment;
        nmc_strbuf_printf(&text, "%s %s %s;", f->stage, f->op, nmc_core_names[f->core]);
    }
    assert_string_equal(text.text, want);
    nmc_strbuf_release(&text);
}

/* y = x W; dY from the loss; dW = x' dY, dX = dY W' as ONNX Runtime writes them */
static void products_of_gradients(void **state) {
    (void)state;
    struct net_builder b;
    nb_init(&b, 13);
    struct nmc_tensor *x = nb_input(&b, "x", "2,8"), *w = nb_input(&b, "w", "8,4");
    struct nmc_tensor *y = nb_op(&b, "Gemm", "fc", x, w, NULL);
    struct nmc_tensor *dy = nb_op(&b, "ReluGrad", "grad", y, y, NULL);
    struct nmc_tensor *in[2] = {x, dy};
    struct nmc_node *dw = nb_node(&b, "Gemm", "dw", 2, in, 1);
    nb_attr_int(&b, dw, "transA", 1);
    in[0] = dy;
    in[1] = w;
    struct nmc_node *dx = nb_node(&b, "Gemm", "dx", 2, in, 1);
    nb_attr_int(&b, dx, "transB", 1);
    nb_output(&b, dw->outputs[0]);
    nb_output(&b, dx->outputs[0]);
    assert_int_equal(nb_infer(&b, NULL), NEUROMC_OK);
    neuromc_report *report = estimate(&b, NULL);
    assert_lines(report, "forward linear.forward ann_fe;"
                         "backward linear.backward.grad_weight ann_we;"
                         "backward linear.backward.grad_input ann_be;");
    assert_int_equal(report->total.macs, 3 * 2 * 8 * 4);
    neuromc_report_free(report);
    nb_free(&b);
}

static void optimizers_in_the_graph(void **state) {
    (void)state;
    struct net_builder b;
    nb_init(&b, 13);
    struct nmc_tensor *in[6] = {nb_input(&b, "rate", ""), nb_input(&b, "step", ""),
                                nb_input(&b, "w", "3,4"), nb_input(&b, "dw", "3,4"),
                                nb_input(&b, "m", "3,4"), nb_input(&b, "v", "3,4")};
    struct nmc_node *adam = nb_node(&b, "ai.onnx.preview.training::Adam", "adam", 6, in, 3);
    nb_output(&b, adam->outputs[0]);
    assert_int_equal(nb_infer(&b, NULL), NEUROMC_OK);
    neuromc_report *report = estimate(&b, NULL);
    assert_lines(report, "optimizer adam bp_grad_opt;");
    assert_int_equal(report->ledger.lines[0].fragment.dims[NMC_FX], 12);
    assert_int_equal(report->coverage[0].nodes[NMC_COVER_COSTED], 1);
    neuromc_report_free(report);
    nb_free(&b);
}

static void elementwise_work_on_request(void **state) {
    (void)state;
    struct net_builder b;
    nb_init(&b, 13);
    struct nmc_tensor *x = nb_input(&b, "x", "1,2,6,6");
    x = nb_op(&b, "Relu", "relu", x, NULL, NULL);
    struct nmc_node *pool = nb_node(&b, "MaxPool", "pool", 1, &x, 1);
    nb_attr_ints(&b, pool, "kernel_shape", "3,3");
    nb_attr_ints(&b, pool, "strides", "3,3");
    nb_output(&b, nb_op(&b, "Add", "add", pool->outputs[0], pool->outputs[0], NULL));
    assert_int_equal(nb_infer(&b, NULL), NEUROMC_OK);
    neuromc_report *report = estimate(&b, NULL);
    assert_int_equal(report->ledger.line_count, 0);
    assert_int_equal(report->coverage[0].nodes[NMC_COVER_UNMODELLED], 1);
    neuromc_report_free(report);
    const neuromc_estimate_options count = {.elementwise = true};
    report = estimate(&b, &count);
    assert_int_equal(report->total.primitives[NMC_COMP], 72 + 8 * 9);
    assert_int_equal(report->total.primitives[NMC_ADD], 8);
    /* Relu 72 in, 72 out; MaxPool 72 in, 8 out; Add 8 + 8 in, 8 out; 16 bits each */
    assert_int_equal(report->total.bits[NMC_SRAM][NMC_RH2L], (72 + 72 + 16) * 16);
    assert_int_equal(report->total.bits[NMC_SRAM][NMC_WL2H], (72 + 8 + 8) * 16);
    assert_int_equal(report->coverage[0].nodes[NMC_COVER_COSTED], 1);
    neuromc_report_free(report);
    nb_free(&b);
}

/* 7 steps, of which the two sequences take 3 and 4, or both 4 */
static void lengths_of_sequences(void **state) {
    (void)state;
    for (int equal = 0; equal < 2; equal++) {
        struct net_builder b;
        nb_init(&b, 14);
        const int64_t lengths[2] = {equal ? 4 : 3, 4};
        struct nmc_tensor *in[5] = {nb_input(&b, "x", "7,2,5"), nb_weight(&b, "w", "1,12,5"),
                                    nb_weight(&b, "r", "1,12,3"), NULL,
                                    nb_ints(&b, "lengths", 2, lengths)};
        struct nmc_node *lstm = nb_node(&b, "LSTM", "lstm", 5, in, 1);
        nb_attr_int(&b, lstm, "hidden_size", 3);
        nb_output(&b, lstm->outputs[0]);
        assert_int_equal(nb_infer(&b, NULL), NEUROMC_OK);
        neuromc_report *report = estimate(&b, NULL);
        assert_int_equal(report->total.macs, (lengths[0] + lengths[1]) * (5 + 3) * 12);
        neuromc_report_free(report);
        nb_free(&b);
    }
}

static void widths_as_stored(void **state) {
    (void)state;
    struct net_builder b;
    nb_init(&b, 21);
    struct nmc_tensor *x = nb_input(&b, "x", "1,3,6,6"), *q = nb_weight(&b, "q", "4,3,3,3");
    struct nmc_tensor *scale = nb_weight(&b, "scale", "");
    q->type = NMC_ELEM_int4;
    struct nmc_tensor *w = nb_op(&b, "DequantizeLinear", "dq", q, scale, NULL);
    nb_output(&b, nb_op(&b, "Conv", "conv", x, w, NULL));
    assert_int_equal(nb_infer(&b, NULL), NEUROMC_OK);
    const neuromc_estimate_options stored = {.precision_from_model = true};
    neuromc_report *report = estimate(&b, &stored);
    const struct nmc_fragment *f = &report->ledger.lines[0].fragment;
    assert_int_equal(f->input_bits, 32);
    assert_int_equal(f->weight_bits, 4);
    assert_int_equal(f->output_bits, 32);
    neuromc_report_free(report);
    report = estimate(&b, NULL);
    assert_int_equal(report->ledger.lines[0].fragment.weight_bits, 16);
    neuromc_report_free(report);
    nb_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_of_gradients),
        cmocka_unit_test(optimizers_in_the_graph),
        cmocka_unit_test(elementwise_work_on_request),
        cmocka_unit_test(lengths_of_sequences),
        cmocka_unit_test(widths_as_stored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
