/* The effective preset written as YAML loads back equal; hostile bytes and lost memory do no harm.
 */
#include "test_preset.h"

#include "base/limits.h"
#include "base/memory.h"

static bool same_work(const struct nmc_process_work *a, const struct nmc_process_work *b) {
    if (a->arithmetic_count != b->arithmetic_count || a->state_count != b->state_count)
        return false;
    for (int i = 0; i < a->arithmetic_count; i++) {
        const struct nmc_arithmetic *x = &a->arithmetic[i], *y = &b->arithmetic[i];
        if (strcmp(x->name, y->name) != 0 || x->per != y->per || x->when != y->when ||
            memcmp(x->count, y->count, sizeof x->count) != 0)
            return false;
    }
    for (int i = 0; i < a->state_count; i++) {
        const struct nmc_state *x = &a->states[i], *y = &b->states[i];
        if (strcmp(x->name, y->name) != 0 || x->per != y->per || x->when != y->when ||
            x->bits != y->bits || x->memory != y->memory || x->reads != y->reads ||
            x->writes != y->writes)
            return false;
    }
    return true;
}

static bool same_memory(const struct nmc_memory *a, const struct nmc_memory *b) {
    return strcmp(a->name, b->name) == 0 && a->level == b->level && a->size_bits == b->size_bits &&
           a->data_width == b->data_width && a->read_bw_bits == b->read_bw_bits &&
           a->write_bw_bits == b->write_bw_bits && a->read_cost_pj == b->read_cost_pj &&
           a->write_cost_pj == b->write_cost_pj;
}

static void assert_same(const neuromc_preset *a, const neuromc_preset *b) {
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->description, b->description);
    assert_true(a->technology_nm == b->technology_nm);
    assert_true(a->hash == b->hash);
    assert_int_equal(a->level_count, b->level_count);
    assert_memory_equal(a->level_order, b->level_order, sizeof a->level_order);
    assert_int_equal(a->count_dram, b->count_dram);
    assert_int_equal(a->count_noc, b->count_noc);
    assert_int_equal(a->count_sram_high_directions, b->count_sram_high_directions);
    assert_int_equal(a->on_chip_bits, b->on_chip_bits);
    assert_int_equal(a->dram_memory, b->dram_memory);
    assert_memory_equal(a->primitive_pj, b->primitive_pj, sizeof a->primitive_pj);
    assert_memory_equal(a->mac, b->mac, sizeof a->mac);
    assert_memory_equal(&a->precision, &b->precision, sizeof a->precision);
    assert_memory_equal(a->has_operands, b->has_operands, sizeof a->has_operands);
    assert_memory_equal(a->operands, b->operands, sizeof a->operands);
    assert_int_equal(a->memory_count, b->memory_count);
    for (int i = 0; i < a->memory_count; i++)
        assert_true(same_memory(&a->memories[i], &b->memories[i]));
    for (int i = 0; i < NMC_WORKS; i++)
        assert_true(same_work(&a->works[i], &b->works[i]));
    assert_int_equal(a->not_modelled_count, b->not_modelled_count);
    for (int i = 0; i < a->not_modelled_count; i++)
        assert_string_equal(a->not_modelled[i], b->not_modelled[i]);
}

/* Writes, reads, compares; writing what was read gives the same text but for the origins. */
static void round_trip(const neuromc_preset *preset) {
    struct written *out = write_preset(preset);
    neuromc_diags *diags = neuromc_diags_new();
    neuromc_preset *again;
    neuromc_status status =
        nmc_preset_read(out->text, out->length, "again.yaml", NULL, &again, diags);
    print_diags(diags);
    assert_int_equal(status, NEUROMC_OK);
    assert_same(preset, again);
    struct written *twice = write_preset(again);
    neuromc_preset *third;
    assert_int_equal(nmc_preset_read(twice->text, twice->length, "again.yaml", NULL, &third, NULL),
                     NEUROMC_OK);
    struct written *thrice = write_preset(third);
    assert_string_equal(twice->text, thrice->text);
    neuromc_preset_free(again);
    neuromc_preset_free(third);
    neuromc_diags_free(diags);
    free(out);
    free(twice);
    free(thrice);
}

static bool visit_round_trip(void *user, const neuromc_preset_info *info) {
    neuromc_preset *preset = load(info->path);
    round_trip(preset);
    neuromc_preset_free(preset);
    ++*(int *)user;
    return true;
}

static void every_shipped_preset_loads_back_equal(void **state) {
    (void)state;
    int count = 0;
    assert_int_equal(neuromc_preset_list(NULL, visit_round_trip, &count, NULL), NEUROMC_OK);
    assert_true(count >= 5);
}

static void overrides_load_back_equal(void **state) {
    (void)state;
    const char *const set[] = {
        "primitives_pj.add=0.1234567890123456789",
        "memory_instances.dram.read_cost_pj=5e-324",
        "memory_instances.dram.write_cost_pj=999999999999.99",
        "levels=[reg, sram, dram]",
        "operands.wg=none",
        "work.with_opt.sgd.state=none",
        "technology_nm=\"4\\nlevels: none\"",
        "technology_nm=none",
        "not_modelled=[\"none\", 'it''s', \"tab\\tand \\\"quotes\\\" \\\\\", \"line\\nbreak\"]",
        "description=\"\\u2028 \\u2029 \\uFEFF \\U0001F600 # not a comment\"",
        "source=>\n  folded\n  text\n",
    };
    neuromc_preset *preset = load_with("neuromc_like_v1_dram", set, 11);
    assert_string_equal(preset->not_modelled[3], "line\nbreak");
    assert_string_equal(preset->not_modelled[0], "none");
    round_trip(preset);
    struct written *out = write_preset(preset);
    assert_non_null(strstr(out->text, "  # --set, was 0.548\n"));
    assert_non_null(strstr(out->text, "  # neuromc_like_v1.yaml:"));
    assert_non_null(strstr(out->text, "source: \"folded text\"  # --set"));
    free(out);
    neuromc_preset_free(preset);
}

static bool write_nothing(void *user, const char *data, size_t size) {
    (void)user, (void)data, (void)size;
    return false;
}

static void a_full_disk_is_an_error(void **state) {
    (void)state;
    neuromc_preset *preset = load("ac_mac_45nm");
    assert_int_equal(neuromc_preset_write(preset, write_nothing, NULL, NULL), NEUROMC_IO);
    neuromc_preset_free(preset);
}

/* Each allocation of a load is made to fail once. */
static void lost_memory_is_an_error(void **state) {
    (void)state;
    const char *const set[] = {"primitives_pj.add=0.5", "memory_instances.far.size_bits=2 Gi",
                               "mac.wg={add: 2}"};
    neuromc_preset_options options = {.assignments = set, .assignment_count = 3};
    for (size_t fail_at = 1;; fail_at++) {
        neuromc_preset *preset;
        nmc_memory_fail_at(fail_at);
        neuromc_status status =
            neuromc_preset_load(TEST_PRESETS "child.yaml", &options, &preset, NULL);
        size_t asked = nmc_memory_fail_at(0);
        neuromc_preset_free(preset);
        if (asked < fail_at) {
            assert_int_equal(status, NEUROMC_OK);
            assert_true(fail_at > 100);
            break;
        }
        assert_int_equal(status, NEUROMC_IO);
        assert_null(preset);
    }
}

static bool visit_any(void *user, const neuromc_preset_info *info) {
    (void)user, (void)info;
    return true;
}

static void lost_memory_ends_a_list_or_text(void **state) {
    (void)state;
    neuromc_preset *preset = load("ac_mac_45nm");
    for (size_t fail_at = 1; fail_at < 40; fail_at++) {
        nmc_memory_fail_at(fail_at);
        neuromc_status status = neuromc_preset_list(NULL, visit_any, NULL, NULL);
        assert_true(status == NEUROMC_OK || status == NEUROMC_IO);
        nmc_memory_fail_at(fail_at);
        struct written *out = calloc(1, sizeof *out);
        status = neuromc_preset_write(preset, write_to, out, NULL);
        if (nmc_memory_fail_at(0) >= fail_at)
            assert_true(status == NEUROMC_IO || fail_at > 1);
        free(out);
    }
    neuromc_preset_free(preset);
}

/* Deterministic noise (Marsaglia's xorshift). */
static uint32_t noise(uint32_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* Bytes changed, cut, doubled or moved; whatever still loads must load back equal. */
static void mutated_presets_do_no_harm(void **state) {
    (void)state;
    static const char spice[] = "{}[]:,-#&*!|>'\"%@`\n\t 0\x80\xC3";
    char *text = read_text(TEST_PRESETS "small.yaml");
    size_t length = strlen(text);
    char *work = malloc(2 * length);
    assert_non_null(work);
    uint32_t seed = 20240229;
    int loaded = 0;
    for (int round = 0; round < 1500; round++) {
        size_t size = length;
        memcpy(work, text, length);
        for (uint32_t edits = noise(&seed) % 3 + 1; edits; edits--) {
            size_t at = noise(&seed) % size, span = noise(&seed) % 12 + 1;
            uint32_t kind = noise(&seed) % 4;
            if (kind == 0)
                work[at] = spice[noise(&seed) % (sizeof spice - 1)];
            else if (kind == 3 && strchr("0123456789", work[at]))
                work[at] = (char)('0' + noise(&seed) % 10);
            else if (kind == 1 && at + span < size) {
                memmove(work + at, work + at + span, size - at - span);
                size -= span;
            } else if (kind == 2 && at + span < size && size + span < 2 * length) {
                memmove(work + at + span, work + at, size - at);
                size += span;
            }
        }
        neuromc_preset *preset;
        neuromc_diags *diags = neuromc_diags_new();
        neuromc_status status = nmc_preset_read(work, size, "fuzz.yaml", NULL, &preset, diags);
        assert_true(status == NEUROMC_OK || neuromc_diags_count(diags) > 0);
        if (preset) {
            loaded++;
            if (loaded % 2 == 0)
                round_trip(preset);
        }
        neuromc_preset_free(preset);
        neuromc_diags_free(diags);
    }
    print_message("# %d of 1500 loaded\n", loaded);
    assert_true(loaded > 20);
    free(work);
    free(text);
}

/* Files at the limits: many keys, many values, one very long value. */
static void huge_files_are_refused_quickly(void **state) {
    (void)state;
    size_t size = NMC_LIMIT_PRESET_BYTES;
    char *text = malloc(size + 1);
    assert_non_null(text);
    size_t length = 0;
    for (int i = 0; i < 99000; i++)
        length += (size_t)snprintf(text + length, size - length, "key_number_%d: 1\n", i);
    neuromc_preset *preset;
    neuromc_diags *diags = neuromc_diags_new();
    assert_int_equal(nmc_preset_read(text, length, "many.yaml", NULL, &preset, diags),
                     NEUROMC_BAD_INPUT);
    assert_int_equal(neuromc_diags_count(diags), 1000);
    neuromc_diags_clear(diags);
    for (int i = 0; i < 2000; i++)
        length += (size_t)snprintf(text + length, size - length, "more_%d: 1\n", i);
    assert_int_equal(nmc_preset_read(text, length, "many.yaml", NULL, &preset, diags),
                     NEUROMC_BAD_INPUT);
    assert_int_equal(neuromc_diags_count(diags), 1);
    assert_non_null(strstr(neuromc_diags_at(diags, 0)->message, "too many values"));
    neuromc_diags_clear(diags);
    memset(text, '[', size);
    assert_int_equal(nmc_preset_read(text, size, "deep.yaml", NULL, &preset, diags),
                     NEUROMC_BAD_INPUT);
    assert_non_null(strstr(neuromc_diags_at(diags, 0)->message, "nested too deeply"));
    neuromc_diags_clear(diags);
    memset(text, 'a', size);
    memcpy(text, "name: ", 6);
    assert_int_equal(nmc_preset_read(text, size, "long.yaml", NULL, &preset, diags),
                     NEUROMC_BAD_INPUT);
    neuromc_diags_clear(diags);
    assert_int_equal(nmc_preset_read(text, size + 1, "longer.yaml", NULL, &preset, diags),
                     NEUROMC_BAD_INPUT);
    assert_non_null(strstr(neuromc_diags_at(diags, 0)->message, "longer than 4194304 bytes"));
    neuromc_diags_free(diags);
    free(text);
}

/* A ledger numbers its resources in 16 bits. */
static void too_many_entries_are_refused(void **state) {
    (void)state;
    char *text = read_text(TEST_PRESETS "small.yaml");
    char *more = malloc(1 << 20), *many;
    assert_non_null(more);
    int length = 0;
    for (int i = 0; i <= NMC_LIMIT_PRESET_ENTRIES; i++)
        length += snprintf(more + length, (1 << 20) - (size_t)length, "        s%d: 1\n", i);
    many = replace(
        text, "        u: {per: OYOXKBT, bits: 8, instance: middle, read: 1, write: 2}\n", more);
    neuromc_preset *preset;
    neuromc_diags *diags = neuromc_diags_new();
    assert_int_equal(nmc_preset_read(many, strlen(many), "many.yaml", NULL, &preset, diags),
                     NEUROMC_BAD_INPUT);
    assert_int_equal(neuromc_diags_count(diags), 1);
    assert_string_equal(neuromc_diags_at(diags, 0)->message,
                        "has 4097 entries: expected 1 to 4096");
    neuromc_diags_free(diags);
    free(many);
    free(more);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shipped_preset_loads_back_equal),
        cmocka_unit_test(overrides_load_back_equal),
        cmocka_unit_test(a_full_disk_is_an_error),
        cmocka_unit_test(lost_memory_is_an_error),
        cmocka_unit_test(lost_memory_ends_a_list_or_text),
        cmocka_unit_test(mutated_presets_do_no_harm),
        cmocka_unit_test(too_many_entries_are_refused),
        cmocka_unit_test(huge_files_are_refused_quickly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
