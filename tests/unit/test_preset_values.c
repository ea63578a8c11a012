/* The shipped presets hold the values of their sources. */
#include "test_preset.h"

#include "base/number.h"

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
        price += (double)preset->mac[core].count[p] * preset->primitive_pj[p];
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

/* Classes as digits of one number to base 1000, so that a sum tells its terms. */
#define PER_K  INT64_C(1)    /* OYOXKBT */
#define PER_C  INT64_C(1000) /* OYOXCBT */
#define KT     INT64_C(1000000)
#define CT     INT64_C(1000000000)
#define FYFXKC INT64_C(1000000000000)
#define PARAMS INT64_C(1000000000000000)

static const int64_t scale[NMC_CLASSES] = {PER_K, PER_C, KT, CT, FYFXKC, PARAMS};

static const struct {
    enum nmc_process process;
    enum nmc_phase phase;
    const char *optimizer;
    unsigned when;                     /* bits of enum nmc_when that hold */
    int64_t mux, add, mul, comp, sqrt; /* _extra_counts of the profiler */
    int64_t read_bits, written_bits;   /* _extra_memory_for_fragment */
} extra[] = {
    {NMC_WITH_SG, NMC_FORWARD, NULL, 0, PER_K, PER_K, PER_K, 3 * PER_K, 0, 34 * PER_K, 34 * PER_K},
    {NMC_WITH_SG, NMC_BACKWARD, NULL, 0, PER_C, 2 * PER_C, 4 * PER_C, 0, 0, 50 * PER_C, 50 * PER_C},
    {NMC_WITH_BN, NMC_FORWARD, NULL, 0, 0, 3 * PER_K + 2 * KT, 3 * PER_K + 4 * KT, 0, KT,
     32 * PER_K + 80 * KT, 32 * PER_K + 80 * KT},
    {NMC_WITH_BN, NMC_BACKWARD, NULL, 1 << NMC_WHEN_BN_ARITHMETIC, 0, 7 * PER_C,
     3 * PER_C + 22 * CT, 0, 0, 64 * PER_C + 112 * CT, 64 * PER_C + 112 * CT},
    {NMC_WITH_BN, NMC_BACKWARD, NULL, 0, 0, 0, 0, 0, 0, 64 * PER_C + 112 * CT,
     64 * PER_C + 112 * CT},
    {NMC_WITH_OPT, NMC_OPTIMIZER, "adam", 0, 0, 8 * KT + 4 * FYFXKC, 22 * KT + 11 * FYFXKC, 0,
     2 * KT + FYFXKC, 14 * 32 * KT + 7 * 32 * FYFXKC, 14 * 32 * KT + 7 * 32 * FYFXKC},
    {NMC_WITH_OPT, NMC_OPTIMIZER, "adamw", 0, 0, 8 * KT + 4 * FYFXKC, 22 * KT + 11 * FYFXKC, 0,
     2 * KT + FYFXKC, 14 * 32 * KT + 7 * 32 * FYFXKC, 14 * 32 * KT + 7 * 32 * FYFXKC},
    {NMC_WITH_OPT, NMC_OPTIMIZER, "sgd", 0, 0, PARAMS, PARAMS, 0, 0, 64 * PARAMS, 32 * PARAMS},
    {NMC_WITH_OPT, NMC_OPTIMIZER, "sgd", 1 << NMC_WHEN_WEIGHT_DECAY, 0, 2 * PARAMS, 2 * PARAMS, 0,
     0, 64 * PARAMS, 32 * PARAMS},
    {NMC_WITH_OPT, NMC_OPTIMIZER, "sgd", 1 << NMC_WHEN_MOMENTUM, 0, PARAMS, PARAMS, 0, 0,
     64 * PARAMS, 64 * PARAMS},
    {NMC_WITH_OPT, NMC_OPTIMIZER, "sgd", 1 << NMC_WHEN_MOMENTUM | 1 << NMC_WHEN_MOMENTUM_BUFFER, 0,
     2 * PARAMS, 2 * PARAMS, 0, 0, 96 * PARAMS, 64 * PARAMS},
};

static bool holds(unsigned conditions, enum nmc_when when) {
    return when == NMC_ALWAYS || (conditions >> when & 1);
}

static void neuromc_work_equals_the_reference(void **state) {
    (void)state;
    neuromc_preset *preset = load("neuromc_like_v1");
    for (size_t i = 0; i < sizeof extra / sizeof *extra; i++) {
        const struct nmc_process_work *work =
            nmc_preset_work(preset, extra[i].process, extra[i].phase, extra[i].optimizer);
        int64_t count[NMC_PRIMITIVES] = {0}, read = 0, written = 0;
        for (int k = 0; k < work->arithmetic_count; k++)
            for (int p = 0; p < NMC_PRIMITIVES; p++)
                if (holds(extra[i].when, work->arithmetic[k].when))
                    count[p] += work->arithmetic[k].count[p] * scale[work->arithmetic[k].per];
        for (int k = 0; k < work->state_count; k++) {
            const struct nmc_state *s = &work->states[k];
            read += holds(extra[i].when, s->when) ? s->bits * s->reads * scale[s->per] : 0;
            written += holds(extra[i].when, s->when) ? s->bits * s->writes * scale[s->per] : 0;
        }
        assert_int_equal(count[NMC_MUX], extra[i].mux);
        assert_int_equal(count[NMC_ADD], extra[i].add);
        assert_int_equal(count[NMC_MUL], extra[i].mul);
        assert_int_equal(count[NMC_COMP], extra[i].comp);
        assert_int_equal(count[NMC_SQRT], extra[i].sqrt);
        assert_int_equal(read, extra[i].read_bits);
        assert_int_equal(written, extra[i].written_bits);
    }
    assert_null(nmc_preset_work(preset, NMC_WITH_NOTHING, NMC_FORWARD, NULL));
    assert_null(nmc_preset_work(preset, NMC_WITH_OPT, NMC_OPTIMIZER, "lion"));
    assert_null(nmc_preset_work(preset, NMC_WITH_OPT, NMC_OPTIMIZER, NULL));
    neuromc_preset_free(preset);
}

/* Where the profiler keeps each state variable. */
static void neuromc_states_lie_in_their_instances(void **state) {
    (void)state;
    static const struct {
        const char *name, *instance;
    } forward[] = {{"fp_yi1", "sram_fp_conv_out_xi"},
                   {"fp_u_l", "sram_fp_soma_u"},
                   {"fp_s_l", "sram_fp_soma_s"},
                   {"fp_smask_l", "sram_fp_soma_smask"}},
      backward[] = {{"bp_conv_res", "sram_bp_conv_out_res"},
                    {"bp_u_l_pre", "sram_bp_grad_in_u"},
                    {"bp_s_l_pre", "sram_bp_grad_in_s"},
                    {"bp_smask_l_pre", "sram_bp_grad_in_smask"},
                    {"bp_du_l_pre", "sram_bp_grad_out_du"}};
    neuromc_preset *preset = load("neuromc_like_v1");
    const struct nmc_process_work *work = nmc_preset_work(preset, NMC_WITH_SG, NMC_FORWARD, NULL);
    assert_int_equal(work->state_count, 4);
    for (int i = 0; i < 4; i++) {
        assert_string_equal(work->states[i].name, forward[i].name);
        assert_int_equal(work->states[i].memory, instance(preset, forward[i].instance));
    }
    work = nmc_preset_work(preset, NMC_WITH_SG, NMC_BACKWARD, NULL);
    assert_int_equal(work->state_count, 5);
    for (int i = 0; i < 5; i++) {
        assert_string_equal(work->states[i].name, backward[i].name);
        assert_int_equal(work->states[i].memory, instance(preset, backward[i].instance));
    }
    for (int k = 4; k < NMC_WORKS; k++)
        for (int i = 0; i < preset->works[k].state_count; i++)
            assert_int_equal(preset->works[k].states[i].memory,
                             instance(preset, k < 6 ? "sram_2MB" : "sram_6MB"));
    neuromc_preset_free(preset);
}

/* ResNet-18, spiking ResNet-18 and SEW-ResNet-18 as published, in mJ. */
static void ac_mac_gives_the_published_totals(void **state) {
    (void)state;
    static const struct {
        double ac, mac, millijoules;
    } networks[] = {{0, 1.82e9, 8.372}, {0.10e9, 0.14e9, 0.734}, {0.50e9, 2.75e9, 13.10}};
    neuromc_preset *preset = load("ac_mac_45nm");
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        double total = networks[i].ac * mac_price(preset, NMC_CORE_FP_SOMA) +
                       networks[i].mac * mac_price(preset, NMC_CORE_ANN_FE);
        double off = total / 1e9 / networks[i].millijoules - 1;
        assert_true(off < 1e-15 && off > -1e-15);
    }
    for (int core = 0; core < NMC_CORES; core++)
        assert_false(preset->has_operands[core]);
    for (int i = 0; i < NMC_WORKS; i++)
        assert_true(preset->works[i].arithmetic_count + preset->works[i].state_count == 0);
    assert_int_equal(preset->memory_count, 0);
    assert_false(preset->count_dram);
    neuromc_preset_free(preset);
}

/* The consistent presets mean what their instances are called: "sram_128KB". */
static void sizes_match_names(void **state) {
    (void)state;
    static const char *const names[] = {"cacti_32nm", "horowitz_45nm"};
    for (int k = 0; k < 2; k++) {
        neuromc_preset *preset = load(names[k]);
        int checked = 0;
        for (int i = 0; i < preset->memory_count; i++) {
            const struct nmc_memory *memory = &preset->memories[i];
            const char *size = strchr(memory->name, '_');
            if (memory->level != NMC_SRAM || !size)
                continue;
            int64_t bits = 8 * strtoll(size + 1, NULL, 10);
            bits *= strstr(size, "KB") ? 1024 : 1024 * 1024;
            assert_int_equal(memory->size_bits, bits);
            checked++;
        }
        assert_true(checked >= 3);
        neuromc_preset_free(preset);
    }
}

/* CACTI 7 at 32 nm, pJ per access. */
static void cacti_prices_are_those_of_the_runs(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int64_t width;
        double read, write;
    } runs[] = {{"sram_2KB", 16, 1.04, 0.90},    {"sram_8KB", 64, 3.33, 3.92},
                {"sram_32KB", 64, 9.69, 7.67},   {"sram_128KB", 256, 37.1, 42.1},
                {"sram_1MB", 256, 117.5, 109.4}, {"sram_2MB", 256, 173.9, 184.2},
                {"sram_6MB", 256, 311.2, 299.3}};
    neuromc_preset *preset = load("cacti_32nm");
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        const struct nmc_memory *memory = &preset->memories[instance(preset, runs[i].name)];
        assert_int_equal(memory->read_bw_bits, runs[i].width);
        assert_int_equal(memory->write_bw_bits, runs[i].width);
        same(memory->read_cost_pj, runs[i].read);
        same(memory->write_cost_pj, runs[i].write);
    }
    same(preset->primitive_pj[NMC_ADD], 0.2564); /* 0.4 x 0.641 */
    same(preset->primitive_pj[NMC_MUL], 0.7051); /* 1.1 x 0.641 */
    neuromc_preset_free(preset);
}

/* Larger memories cost more per bit, in every consistent preset. */
static void prices_grow_with_size(void **state) {
    (void)state;
    neuromc_preset *preset = load("cacti_32nm");
    for (int i = 1; i < preset->memory_count; i++) {
        const struct nmc_memory *last = &preset->memories[i - 1], *now = &preset->memories[i];
        if (last->level != NMC_SRAM || now->level != NMC_SRAM ||
            last->read_bw_bits != now->read_bw_bits)
            continue;
        assert_true(last->size_bits < now->size_bits);
        assert_true(last->read_cost_pj < now->read_cost_pj);
        assert_true(last->write_cost_pj < now->write_cost_pj);
    }
    neuromc_preset_free(preset);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neuromc_instances_equal_the_reference),
        cmocka_unit_test(neuromc_macs_are_sums_of_primitives),
        cmocka_unit_test(neuromc_operands_pass_their_instances),
        cmocka_unit_test(neuromc_work_equals_the_reference),
        cmocka_unit_test(neuromc_states_lie_in_their_instances),
        cmocka_unit_test(ac_mac_gives_the_published_totals),
        cmocka_unit_test(cacti_prices_are_those_of_the_runs),
        cmocka_unit_test(sizes_match_names),
        cmocka_unit_test(prices_grow_with_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
