/* extends, --set, the search path, provenance and the content hash. */
#include "test_preset.h"

#include <sys/stat.h>
#include <unistd.h>

/* Loads a preset that must fail with one error. */
static void expect_error(const char *name, const neuromc_preset_options *options,
                         neuromc_status status, const char *file, int line, const char *where,
                         const char *message, const char *hint) {
    neuromc_preset *preset;
    neuromc_diags *diags = neuromc_diags_new();
    assert_int_equal(neuromc_preset_load(name, options, &preset, diags), status);
    assert_null(preset);
    const neuromc_diag *d = neuromc_diags_at(diags, 0);
    if (neuromc_diags_count(diags) != 1 || !strstr(d->file ? d->file : "", file) ||
        d->line != line || !strstr(d->where ? d->where : "", where) ||
        !strstr(d->message, message) || !strstr(d->hint ? d->hint : "", hint)) {
        print_diags(diags);
        fail_msg("%s: wanted %s:%d: %s: %s", name, file, line, where, message);
    }
    neuromc_diags_free(diags);
}

static void expect_set_error(const char *assignment, neuromc_status status, const char *where,
                             const char *message, const char *hint) {
    neuromc_preset_options options = {.assignments = &assignment, .assignment_count = 1};
    expect_error("neuromc_like_v1", &options, status, "--set", 0, where, message, hint);
}

static const struct nmc_provenance *provenance(const neuromc_preset *preset, const char *path) {
    for (int i = 0; i < preset->provenance_count; i++)
        if (strcmp(preset->provenance[i].path, path) == 0)
            return &preset->provenance[i];
    fail_msg("no value %s", path);
    return NULL;
}

static const struct nmc_memory *memory(const neuromc_preset *preset, const char *name) {
    for (int i = 0; i < preset->memory_count; i++)
        if (strcmp(preset->memories[i].name, name) == 0)
            return &preset->memories[i];
    fail_msg("no instance %s", name);
    return NULL;
}

static void assignments_change_one_value(void **state) {
    (void)state;
    const char *const set[] = {
        "primitives_pj.add=0.50",
        "memory_instances.sram_2MB.size_bits=2 MiB",
        "memory_instances.sram_2MB.read_cost_pj=1e1",
        "memory_instances.sram_2MB.read_cost_pj=40",
        "count.dram=true",
        "mac.fp_soma={add: 2}",
        "work.with_bn=none",
        "work.with_sg.forward.state.fp_u_l.instance=sram_2MB",
        "levels=[dram, sram, reg]",
        "description=an experiment: with colon",
    };
    /* the last one is a YAML mapping, which a description cannot be */
    neuromc_preset *preset = load_with("neuromc_like_v1", set, 9);
    assert_true(preset->primitive_pj[NMC_ADD] == 0.5);
    assert_int_equal(memory(preset, "sram_2MB")->size_bits, 16777216);
    assert_true(memory(preset, "sram_2MB")->read_cost_pj == 40);
    assert_true(preset->count_dram);
    assert_int_equal(preset->on_chip_bits, 50331648);
    assert_int_equal(preset->mac[NMC_CORE_FP_SOMA].count[NMC_ADD], 2);
    assert_int_equal(preset->mac[NMC_CORE_FP_SOMA].count[NMC_MUX], 0);
    assert_null(nmc_preset_work(preset, NMC_WITH_BN, NMC_FORWARD, NULL));
    const struct nmc_process_work *soma = nmc_preset_work(preset, NMC_WITH_SG, NMC_FORWARD, NULL);
    assert_string_equal(preset->memories[soma->states[1].memory].name, "sram_2MB");
    assert_int_equal(preset->level_count, 3);
    const struct nmc_provenance *p = provenance(preset, "memory_instances.sram_2MB.read_cost_pj");
    assert_string_equal(p->origin, "--set");
    assert_string_equal(p->value, "40");
    assert_string_equal(p->source, "");
    assert_string_equal(provenance(preset, "primitives_pj.add")->replaced, "0.548");
    assert_null(provenance(preset, "primitives_pj.mul")->replaced);
    neuromc_preset_free(preset);
    expect_set_error(set[9], NEUROMC_BAD_INPUT, "description", "expected a text", "");
}

static void wrong_assignments_say_why(void **state) {
    (void)state;
    static const struct {
        const char *assignment;
        neuromc_status status;
        const char *where, *message, *hint;
    } cases[] = {
        {"primitive_pj.add=1", NEUROMC_USAGE, "primitive_pj.add", "no such value",
         "did you mean primitives_pj.add?"},
        {"primitives_pj.ad=1", NEUROMC_USAGE, "primitives_pj.ad", "no such value",
         "did you mean primitives_pj.add?"},
        {"memory_instances.sram_2mb.read_cost_pj=1", NEUROMC_USAGE, "sram_2mb", "no such value",
         "did you mean memory_instances.sram_2MB.read_cost_pj?"},
        {"memory_instances.quite_another=1", NEUROMC_USAGE, "quite_another", "no such value",
         "neuromc presets show"},
        {"primitives_pj.add.x=1", NEUROMC_USAGE, "primitives_pj.add.x", "goes on behind a value",
         ""},
        {"primitives_pj.=1", NEUROMC_USAGE, "primitives_pj.", "no such value", ""},
        {"work.with_nothing.forward=none", NEUROMC_USAGE, "work.with_nothing.forward",
         "a mapping that the preset does not have", "set the whole of it"},
        {"primitives_pj.add", NEUROMC_USAGE, "primitives_pj.add", "expected PATH=VALUE",
         "for example"},
        {"=1", NEUROMC_USAGE, "=1", "expected PATH=VALUE", ""},
        {"primitives_pj.add=", NEUROMC_USAGE, "primitives_pj.add", "expected a value", ""},
        {"schema=neuromc-preset/1", NEUROMC_USAGE, "schema", "cannot be set", ""},
        {"extends=ac_mac_45nm", NEUROMC_USAGE, "extends", "cannot be set", ""},
        {"primitives_pj.add=-1", NEUROMC_BAD_INPUT, "primitives_pj.add", "expected a number from 0",
         ""},
        {"count=3", NEUROMC_BAD_INPUT, "count", "expected a mapping, found \"3\"", ""},
        {"mac.wg={ad: 1}", NEUROMC_BAD_INPUT, "mac.wg.ad", "unknown key", "did you mean add?"},
        {"memory_instances.dram.read_bw_bits=0", NEUROMC_BAD_INPUT,
         "memory_instances.dram.read_bw_bits", "expected an integer from 1", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_set_error(cases[i].assignment, cases[i].status, cases[i].where, cases[i].message,
                         cases[i].hint);
}

static void an_extending_preset_keeps_the_rest(void **state) {
    (void)state;
    neuromc_preset *base = load("neuromc_like_v1"), *dram = load("neuromc_like_v1_dram");
    assert_string_equal(dram->name, "neuromc_like_v1_dram");
    assert_true(dram->count_dram);
    assert_false(base->count_dram);
    assert_int_equal(base->on_chip_bits, 0);
    assert_int_equal(dram->on_chip_bits, 50331648);
    assert_string_equal(dram->memories[dram->dram_memory].name, "dram");
    assert_int_equal(dram->memory_count, base->memory_count);
    assert_true(dram->primitive_pj[NMC_MUX] == base->primitive_pj[NMC_MUX]);
    assert_string_equal(provenance(dram, "count.dram")->replaced, "false");
    assert_non_null(strstr(provenance(dram, "count.dram")->origin, "neuromc_like_v1_dram.yaml:"));
    assert_non_null(strstr(provenance(dram, "count.dram")->source, "a choice"));
    assert_non_null(strstr(provenance(dram, "count.noc")->origin, "neuromc_like_v1.yaml:"));
    assert_non_null(strstr(provenance(dram, "count.noc")->source, "counts registers and SRAM"));
    neuromc_preset_free(base);
    neuromc_preset_free(dram);
}

/* A directory of presets that is gone afterwards. */
struct directory {
    char path[64];
};

static void in_directory(const struct directory *dir, const char *name, char out[128]) {
    snprintf(out, 128, "%s/%s", dir->path, name);
}

static void put(const struct directory *dir, const char *name, const char *text) {
    char path[128];
    in_directory(dir, name, path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void drop(const struct directory *dir, const char *const *names) {
    char path[128];
    for (; *names; names++) {
        in_directory(dir, *names, path);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir(dir->path), 0);
}

static struct directory new_directory(void) {
    struct directory dir = {"/tmp/neuromc-presets-XXXXXX"};
    assert_non_null(mkdtemp(dir.path));
    return dir;
}

#define HEAD(name) "schema: neuromc-preset/1\nname: " name "\ndescription: d\nsource: s\n"

static void extends_goes_wrong_with_a_place(void **state) {
    (void)state;
    struct directory dir = new_directory();
    neuromc_preset_options options = {.search_path = dir.path};
    put(&dir, "a.yaml", HEAD("a") "extends: b\n");
    put(&dir, "b.yaml", HEAD("b") "extends: a\n");
    put(&dir, "self.yaml", HEAD("self") "extends: ./self.yaml\n");
    put(&dir, "typo.yaml", HEAD("typo") "extends: neuromc_like_v2\n");
    put(&dir, "list.yaml", HEAD("list") "extends: [neuromc_like_v1]\n");
    put(&dir, "gone.yaml", HEAD("gone") "extends: ./nowhere.yaml\n");
    put(&dir, "over.yaml",
        HEAD("over") "extends: neuromc_like_v1\nprimitives_pj:\n  source: s\n  ad: 3\n");
    put(&dir, "bad.yaml", HEAD("bad") "extends: over\n");
    expect_error("a", &options, NEUROMC_BAD_INPUT, "b.yaml", 5, "extends", "a extends itself", "");
    expect_error("self", &options, NEUROMC_BAD_INPUT, "self.yaml", 5, "extends", "extends itself",
                 "");
    expect_error("typo", &options, NEUROMC_BAD_INPUT, "typo.yaml", 5, "extends",
                 "no preset is called \"neuromc_like_v2\"", "did you mean neuromc_like_v1?");
    expect_error("gone", &options, NEUROMC_IO, "nowhere.yaml", 0, "", "cannot open", "");
    expect_error("over", &options, NEUROMC_BAD_INPUT, "over.yaml", 8, "primitives_pj.ad",
                 "unknown key", "did you mean add?");
    expect_error("bad", &options, NEUROMC_BAD_INPUT, "over.yaml", 8, "primitives_pj.ad",
                 "unknown key", "did you mean add?");
    neuromc_preset *preset;
    neuromc_diags *diags = neuromc_diags_new();
    assert_int_equal(neuromc_preset_load("list", &options, &preset, diags), NEUROMC_BAD_INPUT);
    assert_string_equal(neuromc_diags_at(diags, 0)->where, "extends");
    assert_non_null(strstr(neuromc_diags_at(diags, 0)->message, "expected a text"));
    neuromc_diags_free(diags);
    drop(&dir, (const char *const[]){"a.yaml", "b.yaml", "self.yaml", "typo.yaml", "list.yaml",
                                     "gone.yaml", "over.yaml", "bad.yaml", NULL});
}

static void a_chain_of_presets_has_an_end(void **state) {
    (void)state;
    struct directory dir = new_directory();
    neuromc_preset_options options = {.search_path = dir.path};
    char name[32], text[160];
    for (int i = 0; i <= 9; i++) {
        snprintf(name, sizeof name, "p%d.yaml", i);
        if (i)
            snprintf(text, sizeof text, HEAD("p") "extends: p%d\n", i - 1);
        else
            snprintf(text, sizeof text, HEAD("p") "extends: neuromc_like_v1\n");
        put(&dir, name, text);
    }
    neuromc_preset *preset;
    assert_int_equal(neuromc_preset_load("p7", &options, &preset, NULL), NEUROMC_OK);
    assert_int_equal(preset->memory_count, 22);
    neuromc_preset_free(preset);
    expect_error("p8", &options, NEUROMC_BAD_INPUT, "p0.yaml", 5, "extends",
                 "more than 8 presets extend one another", "");
    for (int i = 0; i <= 9; i++) {
        snprintf(name, sizeof name, "p%d.yaml", i);
        char path[128];
        in_directory(&dir, name, path);
        unlink(path);
    }
    assert_int_equal(rmdir(dir.path), 0);
}

struct found {
    char names[512];
    int count;
    int stop_after;
};

static bool collect(void *user, const neuromc_preset_info *info) {
    struct found *found = user;
    strcat(strcat(found->names, info->name), " ");
    assert_non_null(info->path);
    assert_true(info->description[0] && info->technology_nm >= 0);
    return ++found->count != found->stop_after;
}

static void the_first_of_a_name_wins(void **state) {
    (void)state;
    struct directory first = new_directory(), second = new_directory();
    put(&first, "mine.yaml", HEAD("first") "extends: neuromc_like_v1\ntechnology_nm: 7\n");
    put(&second, "mine.yaml", HEAD("second") "extends: neuromc_like_v1\n");
    put(&second, "other.yaml", HEAD("other") "extends: mine\n");
    put(&second, "wrong.yaml", "what: ever\n");
    setenv("NEUROMC_PRESET_PATH", second.path, 1);
    neuromc_preset *preset = load("mine");
    assert_string_equal(preset->name, "second");
    neuromc_preset_free(preset);
    neuromc_preset_options options = {.search_path = first.path};
    assert_int_equal(neuromc_preset_load("other", &options, &preset, NULL), NEUROMC_OK);
    assert_true(preset->technology_nm == 7);
    neuromc_preset_free(preset);

    struct found found = {.stop_after = -1};
    neuromc_diags *diags = neuromc_diags_new();
    assert_int_equal(neuromc_preset_list(first.path, collect, &found, diags), NEUROMC_OK);
    assert_string_equal(found.names, "ac_mac_45nm cacti_32nm cacti_32nm_dram eyeriss_like "
                                     "eyeriss_timeloop horowitz_45nm mine neuromc_like_v1 "
                                     "neuromc_like_v1_dram neuromc_like_v1_mapped other tpu_like ");
    assert_int_equal(neuromc_diags_count(diags), 1);
    assert_int_equal(neuromc_diags_at(diags, 0)->severity, NEUROMC_WARNING);
    assert_non_null(strstr(neuromc_diags_at(diags, 0)->file, "wrong.yaml"));
    neuromc_diags_free(diags);
    found = (struct found){.stop_after = 2};
    assert_int_equal(neuromc_preset_list(NULL, collect, &found, NULL), NEUROMC_OK);
    assert_string_equal(found.names, "ac_mac_45nm cacti_32nm ");

    setenv("NEUROMC_PRESET_PATH", "", 1);
    expect_error("mine", NULL, NEUROMC_USAGE, "", 0, "", "no preset is called \"mine\"",
                 "looked in");
    expect_error("horowitz45nm", NULL, NEUROMC_USAGE, "", 0, "",
                 "no preset is called \"horowitz45nm\"", "did you mean horowitz_45nm?");
    expect_error("./mine.yaml", NULL, NEUROMC_IO, "mine.yaml", 0, "", "cannot open", "");
    drop(&first, (const char *const[]){"mine.yaml", NULL});
    drop(&second, (const char *const[]){"mine.yaml", "other.yaml", "wrong.yaml", NULL});
}

/* The hash follows every value that counts or prices, and nothing else. */
static void the_hash_is_of_the_content(void **state) {
    (void)state;
    static const struct {
        const char *old, *new_text;
        bool same;
    } cases[] = {
        {"add: 0.5\n", "add: 0.50\n", true},
        {"64 KiB", "524288", true},
        {"read_cost_pj: 4,", "read_cost_pj: 4.0,", true},
        {"fire: {per: OYOXKBT, comp: 3}", "fire: {comp: 3, when: always, sqrt: 0, per: OYOXKBT}",
         true},
        {"name: small\n", "name: another\n", true},
        {"One of everything", "Something else", true},
        {"not_modelled: [leakage, \"everything else\"]", "not_modelled: none # a comment", true},
        {"  dram: true\n  noc: false\n", "  noc: false\n  dram: true\n", true},
        {"technology_nm: 45\nlevels: [dram, sram, reg]\n",
         "levels: [dram, sram, reg]\ntechnology_nm: 45\n", true},
        {"add: 0.5\n", "add: 0.5000000001\n", false},
        {"64 KiB", "524289", false},
        {"fire:", "light:", false},
        {"comp: 3", "comp: 4", false},
        {"i2: {reg: near,", "i2: {reg: none,", false},
        {"technology_nm: 45", "technology_nm: 44", false},
        {"[dram, sram, reg]", "[dram, noc, sram, reg]", false},
        {"optimizer: 16", "optimizer: 32", false},
    };
    char *text = read_text(TEST_PRESETS "small.yaml");
    neuromc_preset *preset, *changed;
    assert_int_equal(nmc_preset_read(text, strlen(text), "a.yaml", NULL, &preset, NULL), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *other = replace(text, cases[i].old, cases[i].new_text);
        assert_int_equal(nmc_preset_read(other, strlen(other), "b.yaml", NULL, &changed, NULL), 0);
        if ((changed->hash == preset->hash) != cases[i].same)
            fail_msg("%s: the hash is %s", cases[i].new_text, cases[i].same ? "new" : "the same");
        neuromc_preset_free(changed);
        free(other);
    }
    neuromc_preset_free(preset);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(assignments_change_one_value),
        cmocka_unit_test(wrong_assignments_say_why),
        cmocka_unit_test(an_extending_preset_keeps_the_rest),
        cmocka_unit_test(extends_goes_wrong_with_a_place),
        cmocka_unit_test(a_chain_of_presets_has_an_end),
        cmocka_unit_test(the_first_of_a_name_wins),
        cmocka_unit_test(the_hash_is_of_the_content),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
