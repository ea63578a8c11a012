/* What a preset's machine may not say: each mistake at its place with its hint; and what the
 * shipped machines are. */
#include "test_preset.h"

#include "mapping/problem.h"

#define SHIPPED NMC_SOURCE_DIR "/configs/memory_presets/"

struct mistake {
    const char *old, *new_text;         /* a change of tpu_like.yaml */
    const char *at;                     /* the error is where this text starts */
    const char *where, *message, *hint; /* parts of them; NULL: any */
};

static const struct mistake mistakes[] = {
    {"access_model: mapped", "access_model: maped", "maped", "access_model",
     "expected one of once, mapped, found \"maped\"", "did you mean mapped?"},
    {"counting: ports", "counting: pots", "pots", "machine.counting",
     "expected one of words, ports, found \"pots\"", "did you mean ports?"},
    {"macs_x: 32", "macs_x: 33", "33", "machine.macs_x",
     "33 is not a multiple of the 32 of the level above", "each instance of a level has as many"},
    {"keeps: [weights], along_x: 32", "keeps: [weights], along_x: 5",
     "32, along_y: 32, spread_x: none, spread_y: none,\n       read_bits_per_cycle: none",
     "machine.levels.rf_sums.along_x", "32 is not a multiple of the 5", NULL},
    {"macs_y: 32", "macs_y: 0", "0\n  levels", "machine.macs_y", "expected an integer from 1",
     NULL},
    {"partial_sum_bits: 16", "partial_sum_bits: wide", "wide", "machine.partial_sum_bits",
     "expected an integer from 1", NULL},
    {"memory: sram_2MB", "memory: sram_3MB", "sram_3MB", "machine.levels.sram.memory", "sram_3MB",
     "did you mean sram_2MB?"},
    {"keeps: [inputs, outputs], spread", "keeps: [inputs, output], spread", "output], spread",
     "machine.levels.sram.keeps[1]", "expected one of weights, inputs, outputs",
     "did you mean outputs?"},
    {"spread_x: [K], ", "spread_x: [K, K], ", "K], spread_y", "machine.levels.sram.spread_x[1]",
     "K is named twice", NULL},
    {"spread_x: [K], ", "spread_x: [Z], ", "Z], ", "machine.levels.sram.spread_x[0]",
     "expected one of N, K, C, P, Q, R, S", NULL},
    {"  elide_first_reads: false\n", "", "machine:\n", "machine.elide_first_reads",
     "missing key: expected true or false", NULL},
    {"  levels:\n", "  levle: 1\n  levels:\n", "levle", "machine.levle", "unknown key",
     "did you mean levels?"},
    {"least_bits: 64", "least_bits: -1", "-1", "machine.levels.sram.least_bits",
     "expected an integer from 0", NULL},
};

static void place_of(const char *text, const char *at, int *line, int *column) {
    const char *found = strstr(text, at);
    assert_non_null(found);
    *line = *column = 1;
    for (const char *c = text; c < found; c++) {
        *column = *c == '\n' ? 1 : *column + 1;
        *line += *c == '\n';
    }
}

static void expect_in(const char *text, const char *part) {
    if (part && (!text || !strstr(text, part)))
        fail_msg("\"%s\" is not in \"%s\"", part, text ? text : "(nothing)");
}

static void check(const char *shipped, const struct mistake *m) {
    char *text = replace(shipped, m->old, m->new_text);
    neuromc_diags *diags = neuromc_diags_new();
    neuromc_preset *preset;
    int line, column;
    place_of(text, m->at, &line, &column);
    neuromc_status status =
        nmc_preset_read(text, strlen(text), "tpu_like.yaml", NULL, &preset, diags);
    print_diags(diags);
    assert_int_equal(status, NEUROMC_BAD_INPUT);
    assert_int_equal(neuromc_diags_count(diags), 1);
    const neuromc_diag *d = neuromc_diags_at(diags, 0);
    expect_in(d->where, m->where);
    expect_in(d->message, m->message);
    expect_in(d->hint, m->hint);
    assert_int_equal(d->line, line);
    assert_int_equal(d->column, column);
    neuromc_diags_free(diags);
    free(text);
}

static void a_mistake_has_place_and_hint(void **state) {
    (void)state;
    char *shipped = read_text(SHIPPED "tpu_like.yaml");
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
        check(shipped, &mistakes[i]);
    free(shipped);
}

static void expect_first(const char *const *assignments, size_t count, const char *message,
                         const char *hint) {
    const neuromc_preset_options options = {
        .search_path = SHIPPED, .assignments = assignments, .assignment_count = count};
    neuromc_diags *diags = neuromc_diags_new();
    neuromc_preset *preset;
    assert_int_not_equal(neuromc_preset_load("tpu_like", &options, &preset, diags), NEUROMC_OK);
    assert_true(neuromc_diags_count(diags) > 0);
    expect_in(neuromc_diags_at(diags, 0)->message, message);
    expect_in(neuromc_diags_at(diags, 0)->hint, hint);
    neuromc_diags_free(diags);
}

static void levels_form_a_machine(void **state) {
    (void)state;
    const char *none[] = {"machine=none"};
    expect_first(none, 1, "the preset has no machine", "describe it under `machine`");
    const char *twice[] = {"count.on_chip_bits=8", "count.dram_instance=dram", "count.dram=true"};
    expect_first(twice, 3, "DRAM would count twice", "set it to false");
    const char *nobody[] = {"machine.levels.dram.keeps=[inputs, outputs]",
                            "machine.levels.rf_weights.keeps=[inputs]"};
    expect_first(nobody, 2, "no level keeps weights", "add it to `keeps`");
}

/* The figures of the golden data's header, as search sees them. */
static void shipped_machines_are_what_they_are_called(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int64_t x, y;
        int levels;
        double mac_pj, dram_pj;
        enum nmc_counting counting;
    } all[] = {
        {SHIPPED "tpu_like.yaml", 32, 32, 4, 0.04, 700, NMC_COUNT_PORTS},
        {SHIPPED "eyeriss_like.yaml", 14, 12, 7, 0.5, 1000, NMC_COUNT_PORTS},
        {SHIPPED "eyeriss_timeloop.yaml", 14, 12, 5, 0.8, 512, NMC_COUNT_WORDS},
        {SHIPPED "neuromc_like_v1_mapped.yaml", 16, 16, 5, 1.36, 1300, NMC_COUNT_WORDS},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct nmc_machine machine;
        neuromc_preset *preset = load(all[i].name);
        assert_int_equal(preset->access_model, NMC_ACCESS_MAPPED);
        nmc_machine_of(preset, NMC_CORE_ANN_FE, &machine);
        assert_int_equal(machine.mac_mesh[NMC_MESH_X], all[i].x);
        assert_int_equal(machine.mac_mesh[NMC_MESH_Y], all[i].y);
        assert_int_equal(machine.level_count, all[i].levels);
        assert_int_equal(machine.counting, all[i].counting);
        assert_true(machine.mac_pj == all[i].mac_pj);
        assert_true(machine.levels[0].read_pj == all[i].dram_pj);
        neuromc_preset_free(preset);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mistake_has_place_and_hint),
        cmocka_unit_test(levels_form_a_machine),
        cmocka_unit_test(shipped_machines_are_what_they_are_called),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
