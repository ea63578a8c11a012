/* Every mistake in a preset is reported once, at its line and column, with its key path. */
#include "test_preset.h"

#define STATE "work.with_sg.forward.state"
#define FIRE  "work.with_sg.forward.arithmetic.fire"
#define MEMORY                                                                                     \
    "{source: x, level: reg, size_bits: 8, data_width: 8, read_bw_bits: 8, write_bw_bits: 8, "     \
    "read_cost_pj: 0, write_cost_pj: 0}\n"
#define FORTY   "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["
#define FORTIED "]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"

struct mistake {
    const char *old, *new_text;         /* a change of small.yaml */
    const char *at;                     /* the error is where this text starts */
    const char *where, *message, *hint; /* parts of them; NULL: any */
};

static const struct mistake keys[] = {
    {"comp: 0.25", "comp: 0.25\n  cmop: 1", "cmop", "primitives_pj.cmop", "unknown key",
     "did you mean comp?"},
    {"technology_nm: 45", "technology_nm: 45\nzzzzzzzzzz: 1", "zzzzz", "zzzzzzzzzz", "unknown key",
     "known here: schema, name, description"},
    {"technology_nm", "technolgy_nm", "technolgy_nm", "technolgy_nm", "unknown key",
     "did you mean technology_nm?"},
    {"  sqrt: 2\n", "", "primitives_pj:", "primitives_pj.sqrt",
     "missing key: expected a number from 0", NULL},
    {"name: small\n", "", "schema", "name", "missing key: expected a text", NULL},
    {", write: 2}", "}", "u: {", STATE ".u.write", "missing key: expected an integer from 0", NULL},
    {"  add: 0.5\n", "  add: 0.5\n  add: 0.6\n", "add: 0.6", "primitives_pj.add",
     "duplicate key: line 16 has it already", "keep one of the two"},
    {"memory_instances:\n", "memory_instances:\n  0n: " MEMORY, "0n:", "memory_instances.0n",
     "a name has letters", NULL},
    {"comp: 3", "comp: 3, \"a\\x1Fb\": 1", "\"a\\x1F", FIRE, "control characters", NULL},
    {"comp: 3", "[comp]: 3", "[comp]", FIRE, "a key must be a name", NULL},
    {"bp_grad: none", "bp_gard: none", "bp_gard", "operands.bp_gard", "unknown key",
     "did you mean bp_grad?"},
    {"with_bn: none", "with_nb: none", "with_nb", "work.with_nb", "unknown key",
     "did you mean with_bn?"},
};

static const struct mistake values[] = {
    {"technology_nm: 45", "technology_nm: [45]", "[45]", "technology_nm",
     "expected a number from 1 to 10,000 (nm), or none, found a list", NULL},
    {"mul: 1.25", "mul: -1.25", "-1.25", "primitives_pj.mul",
     "expected a number from 0 to 1,000,000,000,000 (pJ), or none, found \"-1.25\"", NULL},
    {"mul: 1.25", "mul: .nan", ".nan", "primitives_pj.mul", "found \".nan\"", NULL},
    {"mul: 1.25", "mul: 1e999", "1e999", "primitives_pj.mul", "found \"1e999\"", NULL},
    {"mul: 1.25", "mul: 0x1p3", "0x1p3", "primitives_pj.mul", "found \"0x1p3\"", NULL},
    {"mul: 1.25\n", "mul:\n", "\n  mux", "primitives_pj.mul", "found nothing", NULL},
    {"mul: 1.25", "mul: \"1.25\"", "\"1.25\"", "primitives_pj.mul", "found \"1.25\"",
     "without quotes"},
    {"read_bw_bits: 32", "read_bw_bits: 0", "0, write_bw_bits: 16",
     "memory_instances.middle.read_bw_bits",
     "expected an integer from 1 to 1,048,576 (bits), found \"0\"", NULL},
    {"read_bw_bits: 32", "read_bw_bits: 8.5", "8.5", "memory_instances.middle.read_bw_bits",
     "expected an integer", NULL},
    {"read_cost_pj: 4,", "read_cost_pj: -0.001,", "-0.001", "memory_instances.middle.read_cost_pj",
     "found \"-0.001\"", NULL},
    {"size_bits: 2 Ki", "size_bits: 2 KB", "2 KB", "memory_instances.middle.size_bits",
     "expected a size from 1", NULL},
    {"size_bits: 2 Ki", "size_bits: 9999999999 GiB", "9999999999",
     "memory_instances.middle.size_bits", "expected a size from 1", NULL},
    {"size_bits: 2 Ki", "size_bits: Ki", "Ki, data", "memory_instances.middle.size_bits",
     "expected a size from 1", NULL},
    {"activation: 8", "activation: 99999999999999999999", "99999", "precision_bits.activation",
     "expected an integer", NULL},
    {"dram: true", "dram: yes", "yes", "count.dram", "expected true or false, found \"yes\"", NULL},
    {"description: One of everything", "description: \"\"", "\"\"", "description",
     "expected a text, found nothing", NULL},
    {"description: One of everything", "description: \"a\\eb\"", "\"a\\eb", "description",
     "control characters", NULL},
    {"name: small", "name: ../small", "../small", "name", "expected letters, digits", NULL},
    {"[dram, sram, reg]", "[dram, srma, reg]", "srma", "levels[1]",
     "expected one of dram, noc, sram, reg, found \"srma\"", "did you mean sram?"},
    {"[dram, sram, reg]", "[dram, sram, reg, sram]", "sram]", "levels[3]", "sram is named twice",
     NULL},
    {"[dram, sram, reg]", "[]", "[]", "levels", "found an empty list", NULL},
    {"neuromc-preset/1", "neuromc-preset/2", "neuromc", "schema",
     "expected neuromc-preset/1, found \"neuromc-preset/2\"", "did you mean neuromc-preset/1?"},
    {"\"everything else\"", "{a: b}", "{a: b}", "not_modelled[1]",
     "expected a text, found a mapping", NULL},
    {"i1: {reg: near, sram: middle}", "i1: middle", "middle\n    i2", "operands.fp_soma.i1",
     "expected a mapping, found \"middle\"", NULL},
    {"fire: {per: OYOXKBT, comp: 3}", "fire: 3", "3\n      state", FIRE,
     "expected a mapping with the keys of work.PROCESS.PHASE.arithmetic.NAME", NULL},
    {"\n        fire: {per: OYOXKBT, comp: 3}", " {}", "{}", "work.with_sg.forward.arithmetic",
     "has 0 entries", "write none"},
    {"fire: {per: OYOXKBT,", "fire: {per: OYOXKTB,", "OYOXKTB", FIRE ".per", "found \"OYOXKTB\"",
     "did you mean OYOXKBT?"},
};

static const struct mistake disagreements[] = {
    {"dram_instance: far", "dram_instance: fra", "fra", "count.dram_instance",
     "no memory instance is called \"fra\"", "did you mean far?"},
    {"dram_instance: far", "dram_instance: middle", "middle", "count.dram_instance",
     "expected an instance on level dram, middle is on level sram", NULL},
    {"dram_instance: far", "dram_instance: none", "none", "count.dram_instance",
     "must not be none where count.dram is true", NULL},
    {"on_chip_bits: 64 KiB", "on_chip_bits: none", "none", "count.on_chip_bits",
     "must not be none where count.dram is true", NULL},
    {"noc: false", "noc: true", "true\n  sram", "count.noc", "no memory instance is on level noc",
     "set it to false"},
    {"levels: [dram, sram, reg]", "levels: [dram, sram]", "reg, size", "memory_instances.near",
     "level reg is not among `levels`", NULL},
    {"comp: 3", "mux: 3", "3}", FIRE ".mux", "primitives_pj.mux is none", "give it one"},
    {"fp_soma: {add: 1}", "fp_soma: {add: 0}", "{add: 0}", "mac.fp_soma", "counts no operation",
     "write none"},
    {", comp: 3", "", "{per: OYOXKBT}", FIRE, "counts no operation", NULL},
    {"comp: 3", "comp: 3, when: momentum", "momentum}\n      state", FIRE ".when",
     "momentum never holds outside work.with_opt.sgd", NULL},
    {"read: 1, write: 2", "read: 0, write: 0", "{per: OYOXKBT, bits", STATE ".u",
     "is neither read nor written", NULL},
};

static const struct mistake yaml[] = {
    {"mul: 1.25", "mul: &a 1.25", "&a", "primitives_pj.mul", "anchors are not allowed",
     "write the value out"},
    {"mul: 1.25", "mul: !!float 1.25", "!!float", "primitives_pj.mul", "tags are not allowed",
     "the key decides"},
    {"mul: 1.25", "mul: *a", "*a", "primitives_pj.mul", "aliases are not allowed",
     "write the value out"},
    {"mul: 1.25", "mul: [1.25", ": none\n  comp", NULL, "not valid YAML", NULL},
    {"not_modelled", "---\nnot_modelled", "---", NULL, "a second document starts here", NULL},
    {"One of everything", "One of \xFF everything", "\xFF", NULL, "not valid YAML: invalid", NULL},
    {"One of everything", "\xC3\xA9 of \xC3 everything", " everything", NULL,
     "not valid YAML: invalid", NULL},
    {"One of everything", "One of \x01 everything", "\x01", NULL,
     "not valid YAML: control characters", NULL},
    {"One of everything", FORTY "0" FORTIED, "[[[[[[[[[0", "description[0][0]", "nested too deeply",
     NULL},
};

static void locate(const char *text, const char *at, int *line, int *column) {
    const char *end = strstr(text, at);
    assert_non_null(end);
    *line = *column = 1;
    for (; text < end; text++) {
        *column = *text == '\n' ? 1 : *column + (((unsigned char)*text & 0xC0) != 0x80);
        *line += *text == '\n';
    }
}

static bool holds(const char *text, const char *part) {
    return !part || (text && strstr(text, part));
}

static void expect_one(const neuromc_diags *diags, const struct mistake *m, const char *text) {
    int line, column;
    locate(text, m->at, &line, &column);
    const neuromc_diag *d = neuromc_diags_at(diags, 0);
    if (neuromc_diags_count(diags) == 1 && d->line == line && d->column == column &&
        strcmp(d->file, "small.yaml") == 0 && d->severity == NEUROMC_ERROR &&
        d->status == NEUROMC_BAD_INPUT && holds(d->where, m->where) &&
        holds(d->message, m->message) && holds(d->hint, m->hint))
        return;
    print_diags(diags);
    fail_msg("%s: wanted one error at %d:%d: %s: %s", m->new_text, line, column,
             m->where ? m->where : "", m->message);
}

static void check_all(const struct mistake *mistakes, size_t count) {
    char *text = read_text(TEST_PRESETS "small.yaml");
    for (size_t i = 0; i < count; i++) {
        char *bad = replace(text, mistakes[i].old, mistakes[i].new_text);
        neuromc_diags *diags = neuromc_diags_new();
        neuromc_preset *preset;
        assert_int_equal(nmc_preset_read(bad, strlen(bad), "small.yaml", NULL, &preset, diags),
                         NEUROMC_BAD_INPUT);
        assert_null(preset);
        expect_one(diags, &mistakes[i], bad);
        neuromc_diags_free(diags);
        free(bad);
    }
    free(text);
}

static void keys_are_known_needed_and_single(void **state) {
    (void)state;
    check_all(keys, sizeof keys / sizeof *keys);
}

static void values_have_type_and_bounds(void **state) {
    (void)state;
    check_all(values, sizeof values / sizeof *values);
}

static void values_agree(void **state) {
    (void)state;
    check_all(disagreements, sizeof disagreements / sizeof *disagreements);
}

static void only_plain_yaml_is_taken(void **state) {
    (void)state;
    check_all(yaml, sizeof yaml / sizeof *yaml);
}

/* What is not even a mapping. */
static void whole_texts_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } texts[] = {
        {"", "the file is empty"},
        {"# only a comment\n", "the file is empty"},
        {"- a\n- b\n", "expected a mapping of keys to values"},
        {"just text", "expected a mapping of keys to values"},
        {"{a: ", "not valid YAML: did not find expected node content"},
        {"*a", "aliases are not allowed"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        neuromc_diags *diags = neuromc_diags_new();
        neuromc_preset *preset;
        assert_int_equal(
            nmc_preset_read(texts[i].text, strlen(texts[i].text), "x.yaml", NULL, &preset, diags),
            NEUROMC_BAD_INPUT);
        assert_int_equal(neuromc_diags_count(diags), 1);
        assert_non_null(strstr(neuromc_diags_at(diags, 0)->message, texts[i].message));
        assert_int_equal(neuromc_diags_at(diags, 0)->line, 1);
        neuromc_diags_free(diags);
    }
}

/* tests/data/presets/ten_mistakes.yaml marks each mistake with a caret below it. */
static void ten_mistakes_are_ten_errors(void **state) {
    (void)state;
    const char *path = TEST_PRESETS "ten_mistakes.yaml";
    char *text = read_text(path);
    neuromc_diags *diags = neuromc_diags_new();
    neuromc_preset *preset;
    assert_int_equal(neuromc_preset_load(path, NULL, &preset, diags), NEUROMC_BAD_INPUT);
    int line = 1, carets = 0;
    for (char *at = strtok(text, "\n"); at; at = strtok(NULL, "\n"), line++) {
        const char *caret = strchr(at, '^');
        if (at[0] != '#' || !caret)
            continue;
        int found = 0;
        for (size_t i = 0; i < neuromc_diags_count(diags); i++) {
            const neuromc_diag *d = neuromc_diags_at(diags, i);
            found += d->line == line - 1 && d->column == (int)(caret - at) + 1 &&
                     strcmp(d->file, path) == 0 && strstr(caret, d->where);
        }
        if (found != 1)
            fail_msg("line %d: %d errors for %s", line - 1, found, caret);
        carets++;
    }
    assert_int_equal(carets, 10);
    if (neuromc_diags_count(diags) != 10)
        print_diags(diags);
    assert_int_equal(neuromc_diags_count(diags), 10);
    neuromc_diags_free(diags);
    free(text);
}

/* A state variable on a level that does not count loads, and says that it costs nothing. */
static void what_costs_nothing_is_a_warning(void **state) {
    (void)state;
    char *text = read_text(TEST_PRESETS "small.yaml");
    char *changed = replace(text, "dram: true", "dram: false");
    neuromc_diags *diags = neuromc_diags_new();
    neuromc_preset *preset;
    assert_int_equal(nmc_preset_read(changed, strlen(changed), "small.yaml", NULL, &preset, diags),
                     NEUROMC_OK);
    int line, column;
    locate(changed, "far, read", &line, &column);
    assert_int_equal(neuromc_diags_count(diags), 1);
    const neuromc_diag *d = neuromc_diags_at(diags, 0);
    assert_int_equal(d->severity, NEUROMC_WARNING);
    assert_int_equal(d->line, line);
    assert_int_equal(d->column, column);
    assert_string_equal(d->where, "work.with_opt.sgd.state.w.instance");
    assert_non_null(strstr(d->message, "this costs nothing"));
    assert_int_equal(preset->on_chip_bits, 0);
    neuromc_preset_free(preset);
    neuromc_diags_free(diags);
    free(changed);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_known_needed_and_single),
        cmocka_unit_test(values_have_type_and_bounds),
        cmocka_unit_test(values_agree),
        cmocka_unit_test(only_plain_yaml_is_taken),
        cmocka_unit_test(whole_texts_are_refused),
        cmocka_unit_test(what_costs_nothing_is_a_warning),
        cmocka_unit_test(ten_mistakes_are_ten_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
