/* The shipped presets hold the values of their sources. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/number.h"
#include "model/preset.h"

static neuromc_preset *load(const char *name) {
    neuromc_preset *preset;
    neuromc_diags *diags = neuromc_diags_new();
    neuromc_status status = neuromc_preset_load(name, NULL, &preset, diags);
    for (size_t i = 0; i < neuromc_diags_count(diags); i++)
        print_message("# %s\n", neuromc_diags_at(diags, i)->message);
    assert_int_equal(status, NEUROMC_OK);
    assert_int_equal(neuromc_diags_count(diags), 0);
    neuromc_diags_free(diags);
    return preset;
}

static int instance(const neuromc_preset *preset, const char *name) {
    for (int i = 0; i < preset->memory_count; i++)
        if (strcmp(preset->memories[i].name, name) == 0)
            return i;
    fail_msg("no instance %s", name);
    return -1;
}

static double number(const char *text) {
    double value;
    assert_true(nmc_number_parse(text, strlen(text), &value));
    return value;
}

static void same(double got, double want) {
    if (got != want)
        fail_msg("got %.17g, want %.17g", got, want);
}

static void neuromc_instances_equal_the_reference(void **state) {
    (void)state;
    neuromc_preset *preset = load("neuromc_like_v1");
    FILE *file = fopen(NMC_TEST_DATA "/presets/neuromc_like_v1.tsv", "r");
    assert_non_null(file);
    char line[512];
    int rows = 0;
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        char *fields[7], *at = line;
        for (int i = 0; i < 7; i++, at++) {
            fields[i] = at;
            at += strcspn(at, "\t\n");
            *at = '\0';
        }
        const struct nmc_memory *memory = &preset->memories[instance(preset, fields[0])];
        same((double)memory->size_bits, number(fields[1]));
        same((double)memory->data_width, number(fields[2]));
        same((double)memory->read_bw_bits, number(fields[3]));
        same((double)memory->write_bw_bits, number(fields[4]));
        same(memory->read_cost_pj, number(fields[5]));
        same(memory->write_cost_pj, number(fields[6]));
        rows++;
    }
    fclose(file);
    assert_int_equal(rows, 22);
    assert_int_equal(preset->memory_count, rows);
    neuromc_preset_free(preset);
}

static double mac_price(const neuromc_preset *preset, enum nmc_core core) {
    double price = 0;
    for (int p = 0; p < NMC_PRIMITIVES; p++)
        price += (double)preset->mac[core][p] * preset->primitive_pj[p];
    return price;
}

static void neuromc_macs_are_sums_of_primitives(void **state) {
    (void)state;
    neuromc_preset *preset = load("neuromc_like_v1");
    same(preset->primitive_pj[NMC_MUX], 0.548 / 16);
    same(preset->primitive_pj[NMC_COMP], 0.056);
    same(preset->primitive_pj[NMC_SQRT], 0.514);
    same(mac_price(preset, NMC_CORE_FP_SOMA), 0.548 + 0.548 / 16);
    same(mac_price(preset, NMC_CORE_WG), 0.548 + 0.548 / 16);
    same(mac_price(preset, NMC_CORE_BP_GRAD), 0.548 + 0.812);
    same(mac_price(preset, NMC_CORE_ANN_FE), 0.548 + 0.812);
    same(mac_price(preset, NMC_CORE_ANN_BE), 0.548 + 0.812);
    same(mac_price(preset, NMC_CORE_ANN_WE), 0.548 + 0.812);
    same(mac_price(preset, NMC_CORE_FP_BN), 0);
    neuromc_preset_free(preset);
}

static void neuromc_operands_pass_their_instances(void **state) {
    (void)state;
    static const struct {
        enum nmc_core core;
        const char *reg_i1, *i1, *i2, *o;
    } want[] = {
        {NMC_CORE_FP_SOMA, "reg_1b", "sram_fp_conv_in_s", "sram_fp_conv_in_w",
         "sram_fp_conv_out_xi"},
        {NMC_CORE_BP_GRAD, "reg_16b", "sram_bp_conv_in_du", "sram_bp_conv_in_w",
         "sram_bp_conv_out_res"},
        {NMC_CORE_WG, "reg_1b", "sram_wg_conv_in_s", "sram_wg_conv_in_du", "sram_wg_conv_out_dw"},
        {NMC_CORE_ANN_FE, "reg_16b", "sram_fp_conv_in_w", "sram_fp_conv_in_w",
         "sram_fp_conv_out_xi"},
        {NMC_CORE_ANN_BE, "reg_16b", "sram_bp_conv_in_du", "sram_bp_conv_in_w",
         "sram_bp_conv_out_res"},
        {NMC_CORE_ANN_WE, "reg_16b", "sram_wg_conv_in_du", "sram_wg_conv_in_du",
         "sram_wg_conv_out_dw"},
    };
    neuromc_preset *preset = load("neuromc_like_v1");
    int reg_16b = instance(preset, "reg_16b");
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        const struct nmc_operand *operand = preset->operands[want[i].core];
        assert_true(preset->has_operands[want[i].core]);
        assert_int_equal(operand[NMC_I1].reg, instance(preset, want[i].reg_i1));
        assert_int_equal(operand[NMC_I1].sram, instance(preset, want[i].i1));
        assert_int_equal(operand[NMC_I2].reg, reg_16b);
        assert_int_equal(operand[NMC_I2].sram, instance(preset, want[i].i2));
        assert_int_equal(operand[NMC_O].reg, reg_16b);
        assert_int_equal(operand[NMC_O].sram, instance(preset, want[i].o));
    }
    assert_false(preset->has_operands[NMC_CORE_FP_BN]);
    neuromc_preset_free(preset);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neuromc_instances_equal_the_reference),
        cmocka_unit_test(neuromc_macs_are_sums_of_primitives),
        cmocka_unit_test(neuromc_operands_pass_their_instances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
