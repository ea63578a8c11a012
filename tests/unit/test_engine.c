/* Counting, pricing and grouping: numbers by hand, and what must hold for every graph. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "frontends/model_file.h"
#include "model/lower.h"
#include "model/price.h"
#include "net_builder.h"
#include "report/report.h"

static uint32_t random_state = 7;

static int random_in(int low, int high) {
    random_state = random_state * 1664525u + 1013904223u;
    return low + (int)((random_state >> 8) % (uint32_t)(high - low + 1));
}

static neuromc_preset *load(const char *name, const char *assignment) {
    neuromc_preset *preset = NULL;
    const neuromc_preset_options options = {.search_path = NMC_SOURCE_DIR "/configs/memory_presets",
                                            .assignments = &assignment,
                                            .assignment_count = assignment ? 1 : 0};
    assert_int_equal(neuromc_preset_load(name, &options, &preset, NULL), NEUROMC_OK);
    return preset;
}

/* A chain of convolutions, batch norms, activations and a linear layer at the end. */
static void build_random(struct net_builder *b, uint32_t seed, int batch, bool reversed) {
    char shape[64];
    random_state = seed;
    nb_init(b, 13);
    int channels = random_in(1, 5), size = random_in(8, 14), layers = random_in(1, 5);
    snprintf(shape, sizeof shape, "%d,%d,%d,%d", batch, channels, size, size);
    struct nmc_tensor *x = nb_input(b, "x", shape);
    for (int i = 0; i < layers; i++) {
        int out = random_in(1, 6), kernel = random_in(1, 3);
        char name[16];
        snprintf(shape, sizeof shape, "%d,%d,%d,%d", out, channels, kernel, kernel);
        snprintf(name, sizeof name, "conv%d", i);
        struct nmc_node *conv =
            nb_node(b, "Conv", name, 2, (struct nmc_tensor *[]){x, nb_weight(b, name, shape)}, 1);
        nb_attr_ints(b, conv, "pads", "1,1,1,1");
        nb_attr_ints(b, conv, "strides", random_in(0, 1) ? "1,1" : "2,2");
        x = nb_op(b, random_in(0, 1) ? "Relu" : "Identity", name, conv->outputs[0], NULL, NULL);
        if (random_in(0, 1)) {
            struct nmc_tensor *p[5] = {x};
            snprintf(shape, sizeof shape, "%d", out);
            for (int k = 1; k < 5; k++)
                p[k] = nb_weight(b, "p", shape);
            x = nb_node(b, "BatchNormalization", name, 5, p, 1)->outputs[0];
        }
        channels = out;
    }
    nb_output(b, x);
    if (reversed) /* creation order is what a file's order becomes */
        for (uint32_t i = 0; i < b->net->node_count / 2; i++) {
            struct nmc_node **nodes = b->net->nodes, *swap = nodes[i];
            uint32_t j = b->net->node_count - 1 - i;
            nodes[i] = nodes[j];
            nodes[j] = swap;
            nodes[i]->id = i;
            nodes[j]->id = j;
        }
    assert_int_equal(nb_infer(b, NULL), NEUROMC_OK);
}

static neuromc_report *estimate(struct net_builder *b, const neuromc_preset *preset,
                                unsigned stages) {
    char path[] = "test";
    neuromc_model model = {.path = path, .net = b->net};
    const neuromc_estimate_options options = {.stages = stages, .optimizer = NEUROMC_ADAM};
    neuromc_report *report = NULL;
    assert_int_equal(neuromc_estimate(&model, preset, &options, &report, b->diags), NEUROMC_OK);
    return report;
}

static void assert_close(double a, double b) {
    if (fabs(a - b) > 1e-12 * fmax(fabs(a), fabs(b)))
        fail_msg("%.17g is not %.17g", a, b);
}

enum { ALL_STAGES = NEUROMC_STAGE_FORWARD | NEUROMC_STAGE_BACKWARD | NEUROMC_STAGE_OPTIMIZER };

static void breakdowns_add_up(void **state) {
    (void)state;
    static const char *const presets[] = {"neuromc_like_v1", "neuromc_like_v1_dram"};
    for (uint32_t seed = 1; seed <= 20; seed++) {
        neuromc_preset *preset = load(presets[seed % 2], NULL);
        struct net_builder b;
        build_random(&b, seed, 2, false);
        neuromc_report *report = estimate(&b, preset, ALL_STAGES);
        double total = nmc_totals_energy(&report->total);
        assert_true(total > 0);
        for (int g = 0; g < NMC_GROUPINGS; g++) {
            double sum = 0;
            int64_t macs = 0;
            for (size_t i = 0; i < report->groups[g].count; i++) {
                sum += nmc_totals_energy(&report->groups[g].items[i].totals);
                macs += report->groups[g].items[i].totals.macs;
            }
            assert_close(sum, total);
            assert_int_equal(macs, report->total.macs);
        }
        double levels = 0;
        for (int level = 0; level < NMC_LEVELS; level++)
            for (int d = 0; d < NMC_DIRECTIONS; d++)
                levels += report->total.level_energy[level][d];
        assert_close(levels, nmc_totals_memory(&report->total));
        neuromc_report_free(report);
        nb_free(&b);
        neuromc_preset_free(preset);
    }
}

static void macs_do_not_depend_on_node_order(void **state) {
    (void)state;
    neuromc_preset *preset = load("neuromc_like_v1", NULL);
    for (uint32_t seed = 1; seed <= 20; seed++) {
        struct net_builder sorted, reversed;
        build_random(&sorted, seed, 1, false);
        build_random(&reversed, seed, 1, true);
        neuromc_report *a = estimate(&sorted, preset, ALL_STAGES);
        neuromc_report *b = estimate(&reversed, preset, ALL_STAGES);
        assert_true(a->total.macs > 0);
        assert_int_equal(a->total.macs, b->total.macs);
        assert_close(nmc_totals_energy(&a->total), nmc_totals_energy(&b->total));
        neuromc_report_free(a);
        neuromc_report_free(b);
        nb_free(&sorted);
        nb_free(&reversed);
    }
    neuromc_preset_free(preset);
}

/* Energy of the rows that a price enters, against the same rows at twice the price. */
static void doubling_a_price_doubles_its_rows(void **state) {
    (void)state;
    struct net_builder b;
    build_random(&b, 3, 1, false);
    neuromc_preset *once =
        load("neuromc_like_v1", "memory_instances.sram_fp_conv_in_w.read_cost_pj=5");
    neuromc_preset *twice =
        load("neuromc_like_v1", "memory_instances.sram_fp_conv_in_w.read_cost_pj=10");
    neuromc_report *a = estimate(&b, once, ALL_STAGES), *c = estimate(&b, twice, ALL_STAGES);
    assert_int_equal(a->ledger.row_count, c->ledger.row_count);
    int changed = 0;
    for (uint32_t r = 0; r < a->ledger.row_count; r++) {
        const struct nmc_row *x = &a->ledger.rows[r], *y = &c->ledger.rows[r];
        assert_int_equal(x->resource, y->resource);
        assert_int_equal(x->quantity, y->quantity);
        double before = a->prices[x->resource], after = c->prices[y->resource];
        struct nmc_resource resource = nmc_resource_at(x->resource);
        bool its = resource.kind == NMC_RES_MEMORY && resource.direction == NMC_RH2L &&
                   strcmp(a->memory_names[resource.memory], "sram_fp_conv_in_w") == 0;
        assert_true(after == (its ? 2 * before : before));
        changed += its;
    }
    assert_true(changed > 0);
    neuromc_report_free(a);
    neuromc_report_free(c);
    neuromc_preset_free(once);
    neuromc_preset_free(twice);
    nb_free(&b);
}

/* MACs, primitives of neurons and batch norm's per-element work, input and output traffic are
 * linear in batch; weights and per-channel work are not. */
static void batch_costs_what_is_linear_in_batch(void **state) {
    (void)state;
    neuromc_preset *preset = load("neuromc_like_v1", NULL);
    for (uint32_t seed = 1; seed <= 10; seed++) {
        struct net_builder one, five;
        build_random(&one, seed, 1, false);
        build_random(&five, seed, 5, false);
        neuromc_report *a = estimate(&one, preset, NEUROMC_STAGE_FORWARD);
        neuromc_report *b = estimate(&five, preset, NEUROMC_STAGE_FORWARD);
        assert_int_equal(b->total.macs, 5 * a->total.macs);
        assert_int_equal(a->ledger.line_count, b->ledger.line_count);
        for (uint32_t i = 0; i < a->ledger.line_count; i++) {
            const struct nmc_fragment *x = &a->ledger.lines[i].fragment;
            const struct nmc_fragment *y = &b->ledger.lines[i].fragment;
            assert_int_equal(y->input_elements, 5 * x->input_elements);
            assert_int_equal(y->output_elements, 5 * x->output_elements);
            assert_int_equal(y->weight_elements, x->weight_elements);
        }
        neuromc_report_free(a);
        neuromc_report_free(b);
        nb_free(&one);
        nb_free(&five);
    }
    neuromc_preset_free(preset);
}

static void dram_never_rises_with_capacity(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 5; seed++) {
        struct net_builder b;
        build_random(&b, seed, 2, false);
        int64_t before = INT64_MAX;
        for (int kilobits = 0; kilobits <= 64; kilobits += 4) {
            char assignment[64];
            snprintf(assignment, sizeof assignment, "count.on_chip_bits=%d", kilobits * 1024 + 1);
            neuromc_preset *preset = load("neuromc_like_v1_dram", assignment);
            neuromc_report *report = estimate(&b, preset, NEUROMC_STAGE_FORWARD);
            const int64_t *dram = report->total.bits[NMC_DRAM];
            int64_t now = dram[NMC_RH2L] + dram[NMC_WL2H];
            assert_true(now > 0 && now <= before);
            before = now;
            neuromc_report_free(report);
            neuromc_preset_free(preset);
        }
        nb_free(&b);
    }
}

/* Conv1d of the golden case conv1d_dense: 3 -> 8 channels, kernel 5, output 27, batch 2. */
static void a_convolution_by_hand(void **state) {
    (void)state;
    neuromc_preset *preset = load("neuromc_like_v1", NULL);
    struct net_builder b;
    nb_init(&b, 13);
    struct nmc_tensor *y =
        nb_op(&b, "Conv", "c", nb_input(&b, "x", "2,3,31"), nb_weight(&b, "w", "8,3,5"), NULL);
    nb_output(&b, y);
    assert_int_equal(nb_infer(&b, NULL), NEUROMC_OK);
    neuromc_report *report = estimate(&b, preset, NEUROMC_STAGE_FORWARD);
    double mac = 0.548 + 0.812, reg = 0.040608450704225356 / 16;
    double in = 186 * 16, weight = 120 * 16, out = 432 * 16;
    assert_int_equal(report->total.macs, 2 * 3 * 8 * 27 * 5);
    assert_close(report->total.energy[NMC_PART_MAC], 6480 * mac);
    assert_close(report->total.level_energy[NMC_REG][NMC_RH2L], (in + weight) * reg);
    assert_close(report->total.level_energy[NMC_REG][NMC_WL2H], out * reg);
    assert_close(report->total.level_energy[NMC_SRAM][NMC_RH2L], (in + weight) / 16 * 5.302477904);
    assert_close(report->total.level_energy[NMC_SRAM][NMC_WL2H], out / 16 * 5.792676768);
    neuromc_report_free(report);
    neuromc_preset_free(preset);
    nb_free(&b);
}

/* 1.82 G MACs at 4.6 pJ = 8.372 mJ; 0.10 G AC + 0.14 G MAC = 0.734 mJ (published_numbers). */
static void ac_mac_targets(void **state) {
    (void)state;
    neuromc_preset *preset = load("ac_mac_45nm", NULL);
    double ac = nmc_price(preset, nmc_resource_mac(NMC_CORE_FP_SOMA));
    double mac = nmc_price(preset, nmc_resource_mac(NMC_CORE_ANN_FE));
    assert_close(1.82e9 * mac, 8.372e9);
    assert_close(0.10e9 * ac + 0.14e9 * mac, 0.734e9);
    assert_close(0.50e9 * ac + 2.75e9 * mac, 13.10e9);
    neuromc_preset_free(preset);
}

static void weights_that_fit_are_reused_at_later_positions(void **state) {
    (void)state;
    neuromc_preset *preset = load("neuromc_like_v1", NULL);
    struct nmc_ledger ledger;
    struct nmc_fragment f = nmc_fragment_new();
    f.core = NMC_CORE_FP_SOMA;
    f.input_bits = 1;
    f.weight_bits = f.output_bits = 16;
    f.input_elements = f.output_elements = f.macs = 4;
    int64_t fitting = 18432 / 16; /* sram_fp_conv_in_w */
    assert_int_equal(nmc_ledger_init(&ledger, preset, false, NULL), NEUROMC_OK);
    for (int position = 0; position < 2; position++)
        for (int64_t extra = 0; extra < 2; extra++) {
            f.t_position = position;
            f.weight_elements = fitting + extra;
            assert_int_equal(nmc_ledger_add(&ledger, &f, NULL), NEUROMC_OK);
        }
    /* mac, i1 reg and sram, o reg and sram; i2 reg (shared row kind) and sram if read */
    uint32_t rows[4];
    for (int i = 0; i < 4; i++)
        rows[i] = ledger.lines[i].row_count;
    assert_int_equal(rows[0], rows[1]);
    assert_int_equal(rows[2], rows[0] - 2);
    assert_int_equal(rows[3], rows[0]);
    nmc_ledger_release(&ledger);
    neuromc_preset_free(preset);
}

static void counts_that_do_not_fit_are_refused(void **state) {
    (void)state;
    neuromc_preset *preset = load("neuromc_like_v1", NULL);
    struct nmc_ledger ledger;
    struct nmc_fragment f = nmc_fragment_new();
    f.node = "huge";
    f.process = NMC_WITH_BN;
    f.dims[NMC_K] = INT64_MAX / 2;
    assert_int_equal(nmc_ledger_init(&ledger, preset, false, NULL), NEUROMC_OK);
    neuromc_diags *diags = neuromc_diags_new();
    assert_int_equal(nmc_ledger_add(&ledger, &f, diags), NEUROMC_BAD_INPUT);
    assert_string_equal(neuromc_diags_at(diags, 0)->where, "huge");
    neuromc_diags_free(diags);
    nmc_ledger_release(&ledger);
    neuromc_preset_free(preset);
}

static void a_compact_ledger_prices_the_same(void **state) {
    (void)state;
    neuromc_preset *preset = load("neuromc_like_v1", NULL);
    double totals[2];
    for (int compact = 0; compact < 2; compact++) {
        const neuromc_estimate_options options = {.no_mapping = compact};
        neuromc_report *report = nmc_report_new(preset, &options, NULL);
        struct nmc_fragment f = nmc_fragment_new();
        f.core = NMC_CORE_ANN_FE;
        f.input_bits = f.weight_bits = f.output_bits = 16;
        for (int i = 1; i <= 50; i++) {
            f.op = i % 2 ? "conv.forward" : "linear.forward";
            f.macs = f.input_elements = f.weight_elements = f.output_elements = i;
            assert_int_equal(nmc_ledger_add(&report->ledger, &f, NULL), NEUROMC_OK);
        }
        assert_int_equal(nmc_report_finish(report, preset, NULL), NEUROMC_OK);
        assert_int_equal(report->ledger.line_count, compact ? 2 : 50);
        assert_int_equal(report->total.fragments, 50);
        assert_int_equal(report->total.macs, 50 * 51 / 2);
        totals[compact] = nmc_totals_energy(&report->total);
        neuromc_report_free(report);
    }
    assert_close(totals[0], totals[1]);
    neuromc_preset_free(preset);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(breakdowns_add_up),
        cmocka_unit_test(macs_do_not_depend_on_node_order),
        cmocka_unit_test(doubling_a_price_doubles_its_rows),
        cmocka_unit_test(batch_costs_what_is_linear_in_batch),
        cmocka_unit_test(dram_never_rises_with_capacity),
        cmocka_unit_test(a_convolution_by_hand),
        cmocka_unit_test(ac_mac_targets),
        cmocka_unit_test(weights_that_fit_are_reused_at_later_positions),
        cmocka_unit_test(counts_that_do_not_fit_are_refused),
        cmocka_unit_test(a_compact_ledger_prices_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
