/* The base layer: numbers, JSON text, UTF-8, maps, arenas, suggestions. */
#include <float.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/checked.h"
#include "base/diag.h"
#include "base/json_write.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/strmap.h"
#include "base/suggest.h"
#include "base/utf8.h"

static uint64_t random_state = 88172645463325252u;

static uint64_t random_bits(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static void numbers_read_back_equal(void **state) {
    (void)state;
    for (int i = 0; i < 100000; i++) {
        uint64_t bits = random_bits();
        double value, back;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        char text[NMC_NUMBER_SIZE];
        size_t length = nmc_number_format(text, value);
        assert_int_equal(length, strlen(text));
        assert_true(nmc_number_parse(text, length, &back));
        assert_true(back == value);
    }
}

static void assert_number(double value, const char *want) {
    char text[NMC_NUMBER_SIZE];
    nmc_number_format(text, value);
    assert_string_equal(text, want);
}

static void numbers_are_short(void **state) {
    (void)state;
    assert_number(0.1, "0.1");
    assert_number(0.0, "0");
    assert_number(-0.0, "0");
    assert_number(1e22, "1e+22");
    assert_number(0.548, "0.548");
    assert_number(0.1 + 0.2, "0.30000000000000004");
    assert_number(2594849621.782156, "2594849621.782156");
    assert_number(DBL_MAX, "1.7976931348623157e+308");
    assert_number(5e-324, "5e-324");
}

static void numbers_do_not_depend_on_the_locale(void **state) {
    (void)state;
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8")) {
        print_message("de_DE.UTF-8 is not there: only the C locale was tried\n");
        return;
    }
    double back;
    assert_number(1.5, "1.5");
    assert_true(nmc_number_parse("2.25", 4, &back) && back == 2.25);
    setlocale(LC_NUMERIC, "C");
}

static void what_is_no_number_is_refused(void **state) {
    (void)state;
    static const char *const wrong[] = {"",   " 1", "1 ",    "nan",     "inf",   "0x10",
                                        "1e", ".",  "1e999", "--1",     "1.2.3", "1,5",
                                        "+",  "e5", "1e+",   "infinity"};
    static const char *const right[] = {"1", "-1", "+1", "1.", ".5", "1e5", "1E-5", "0012"};
    double value;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (nmc_number_parse(wrong[i], strlen(wrong[i]), &value))
            fail_msg("\"%s\" is no number", wrong[i]);
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        if (!nmc_number_parse(right[i], strlen(right[i]), &value))
            fail_msg("\"%s\" is a number", right[i]);
}

static void integers(void **state) {
    (void)state;
    int64_t value;
    assert_true(nmc_integer_parse("9223372036854775807", 19, &value) && value == INT64_MAX);
    assert_true(nmc_integer_parse("-9223372036854775808", 20, &value) && value == INT64_MIN);
    assert_true(nmc_integer_parse("0", 1, &value) && value == 0);
    assert_false(nmc_integer_parse("9223372036854775808", 19, &value));
    assert_false(nmc_integer_parse("-9223372036854775809", 20, &value));
    assert_false(nmc_integer_parse("", 0, &value));
    assert_false(nmc_integer_parse("-", 1, &value));
    assert_false(nmc_integer_parse("+1", 2, &value));
    assert_false(nmc_integer_parse("1.0", 3, &value));
    assert_false(nmc_integer_parse("1e3", 3, &value));
}

static void assert_energy(double pj, const char *want) {
    char text[NMC_NUMBER_SIZE];
    nmc_energy_format(text, pj);
    assert_string_equal(text, want);
}

static void energies_for_people(void **state) {
    (void)state;
    assert_energy(0, "0 pJ");
    assert_energy(1, "1.000 pJ");
    assert_energy(999.94, "999.9 pJ");
    assert_energy(999.96, "1.000 nJ");
    assert_energy(2594849621.782156, "2.595 mJ");
    assert_energy(45.678e6, "45.68 uJ");
    assert_energy(1e30, "1000000000000.0 MJ");
    char text[NMC_NUMBER_SIZE];
    nmc_count_format(text, 1814073344);
    assert_string_equal(text, "1,814,073,344");
    nmc_count_format(text, -1234);
    assert_string_equal(text, "-1,234");
    nmc_count_format(text, INT64_MIN);
    assert_string_equal(text, "-9,223,372,036,854,775,808");
}

static void quotients_round_as_named(void **state) {
    (void)state;
    assert_int_equal(nmc_div_floor(7, 2), 3);
    assert_int_equal(nmc_div_floor(-7, 2), -4);
    assert_int_equal(nmc_div_ceil(7, 2), 4);
    assert_int_equal(nmc_div_ceil(-7, 2), -3);
    assert_int_equal(nmc_div_ceil(8, 2), 4);
    int64_t out;
    assert_false(nmc_product((int64_t[]){INT64_MAX, 2}, 2, &out));
    assert_true(nmc_product(NULL, 0, &out) && out == 1);
}

/* ---- UTF-8 and JSON ---- */

static void utf8_by_the_rfc(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        bool valid;
    } cases[] = {
        {"plain", true},         {"\xC3\xA4", true},
        {"\xE2\x82\xAC", true},  {"\xF0\x9F\x98\x80", true},
        {"\x80", false},         {"\xC3", false},
        {"\xC0\xAF", false},     {"\xE0\x80\xAF", false},
        {"\xED\xA0\x80", false}, {"\xF4\x90\x80\x80", false},
        {"\xFF", false},         {"a\xE2\x82", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(nmc_utf8_valid(cases[i].bytes, strlen(cases[i].bytes)), cases[i].valid);
}

static bool collect(void *user, const char *data, size_t size) {
    nmc_strbuf_add(user, data, size);
    return true;
}

static void json_escapes_and_nests(void **state) {
    (void)state;
    struct nmc_strbuf text;
    struct nmc_sink sink;
    struct nmc_json json;
    nmc_strbuf_init(&text);
    nmc_sink_init(&sink, collect, &text);
    nmc_json_init(&json, &sink);
    nmc_json_begin(&json, '{');
    nmc_json_key_text(&json, "quote\"", "a\\b\n\x01\xFF\xC3\xA4");
    nmc_json_key_integer(&json, "big", INT64_MAX);
    nmc_json_key_number(&json, "zero", 0);
    nmc_json_key(&json, "list");
    nmc_json_begin_flat(&json, '[');
    nmc_json_bool(&json, true);
    nmc_json_text(&json, NULL);
    nmc_json_begin(&json, '{');
    nmc_json_end(&json, '}');
    nmc_json_end(&json, ']');
    nmc_json_end(&json, '}');
    assert_int_equal(nmc_sink_finish(&sink, NULL), NEUROMC_OK);
    assert_string_equal(text.text, "{\n"
                                   "  \"quote\\\"\": \"a\\\\b\\n\\u0001\xEF\xBF\xBD\xC3\xA4\",\n"
                                   "  \"big\": 9223372036854775807,\n"
                                   "  \"zero\": 0.0,\n"
                                   "  \"list\": [true, null, {}]\n"
                                   "}\n");
    nmc_strbuf_release(&text);
}

static void json_refuses_what_is_not_finite(void **state) {
    (void)state;
    struct nmc_strbuf text;
    struct nmc_sink sink;
    struct nmc_json json;
    nmc_strbuf_init(&text);
    nmc_sink_init(&sink, collect, &text);
    nmc_json_init(&json, &sink);
    nmc_json_number(&json, NAN);
    assert_int_equal(nmc_sink_finish(&sink, NULL), NEUROMC_IO);
    nmc_strbuf_release(&text);
}

static bool refuse(void *user, const char *data, size_t size) {
    (void)data, (void)size;
    ++*(int *)user;
    return false;
}

static void a_failed_write_stops_the_sink(void **state) {
    (void)state;
    struct nmc_sink sink;
    int calls = 0;
    nmc_sink_init(&sink, refuse, &calls);
    for (int i = 0; i < 100000; i++)
        nmc_sink_puts(&sink, "0123456789");
    assert_int_equal(nmc_sink_finish(&sink, NULL), NEUROMC_IO);
    assert_int_equal(calls, 1);
}

/* ---- memory ---- */

static void arenas_have_a_cap(void **state) {
    (void)state;
    struct nmc_arena arena;
    nmc_arena_init(&arena, 100);
    assert_non_null(nmc_arena_alloc(&arena, 60));
    assert_false(arena.failed);
    assert_null(nmc_arena_alloc(&arena, 60));
    assert_true(arena.failed);
    nmc_arena_release(&arena);
    assert_non_null(nmc_arena_alloc(&arena, 60));
    assert_null(nmc_arena_array(&arena, SIZE_MAX / 2, 16));
    nmc_arena_release(&arena);
}

static void arenas_give_zeroed_aligned_memory(void **state) {
    (void)state;
    struct nmc_arena arena;
    nmc_arena_init(&arena, SIZE_MAX);
    for (size_t size = 0; size < 5000; size += 37) {
        unsigned char *bytes = nmc_arena_alloc(&arena, size);
        assert_non_null(bytes);
        assert_int_equal((uintptr_t)bytes % 16, 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(bytes[i], 0);
        memset(bytes, 0xAA, size);
    }
    nmc_arena_release(&arena);
}

static void lost_memory_is_an_error(void **state) {
    (void)state;
    struct nmc_strbuf text;
    nmc_strbuf_init(&text);
    nmc_memory_fail_at(1);
    nmc_strbuf_puts(&text, "lost");
    nmc_memory_fail_at(0);
    assert_true(text.failed);
    assert_string_equal(text.text, "");
    nmc_strbuf_release(&text);

    neuromc_diags *diags = neuromc_diags_new();
    nmc_memory_fail_at(1);
    nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){0}, NULL, "%s", "a message");
    nmc_memory_fail_at(0);
    assert_int_equal(neuromc_diags_count(diags), 1);
    assert_string_equal(neuromc_diags_at(diags, 0)->message, "memory ran out");
    neuromc_diags_free(diags);
}

static void maps_hold_what_was_put(void **state) {
    (void)state;
    static char keys[2000][16];
    struct nmc_strmap map = {0};
    assert_null(nmc_strmap_get(&map, "nothing"));
    for (int i = 0; i < 2000; i++) {
        snprintf(keys[i], sizeof keys[i], "key%d", i);
        assert_true(nmc_strmap_put(&map, keys[i], keys[i]));
    }
    assert_int_equal(map.count, 2000);
    for (int i = 0; i < 2000; i++)
        assert_ptr_equal(nmc_strmap_get(&map, keys[i]), keys[i]);
    assert_true(nmc_strmap_put(&map, "key7", keys[8]));
    assert_int_equal(map.count, 2000);
    assert_ptr_equal(nmc_strmap_get(&map, "key7"), keys[8]);
    nmc_strmap_release(&map);
}

/* ---- suggestions ---- */

static const char *nearest(const char *wanted) {
    static const char *const known[] = {"estimate", "inspect", "presets", "ops"};
    struct nmc_suggest suggest;
    nmc_suggest_init(&suggest, wanted);
    for (size_t i = 0; i < 4; i++)
        nmc_suggest_offer(&suggest, known[i]);
    return suggest.best ? suggest.best : "";
}

static void slips_are_understood(void **state) {
    (void)state;
    assert_string_equal(nearest("estimat"), "estimate");
    assert_string_equal(nearest("etsimate"), "estimate");
    assert_string_equal(nearest("PRESET"), "presets");
    assert_string_equal(nearest("opss"), "ops");
    assert_string_equal(nearest("quantum"), "");
    char longest[300];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_string_equal(nearest(longest), "");
}

static void messages_keep_their_place(void **state) {
    (void)state;
    neuromc_diags *diags = neuromc_diags_new();
    neuromc_status status =
        nmc_error(diags, NEUROMC_BAD_INPUT, (struct nmc_place){"a.yaml", 3, 7, "key"}, "a hint",
                  "%d things", 2);
    nmc_warning(diags, (struct nmc_place){0}, NULL, "careful");
    assert_int_equal(status, NEUROMC_BAD_INPUT);
    assert_int_equal(neuromc_diags_count(diags), 2);
    assert_int_equal(nmc_diags_errors(diags), 1);
    const neuromc_diag *diag = neuromc_diags_at(diags, 0);
    assert_string_equal(diag->file, "a.yaml");
    assert_int_equal(diag->line, 3);
    assert_int_equal(diag->column, 7);
    assert_string_equal(diag->where, "key");
    assert_string_equal(diag->message, "2 things");
    assert_string_equal(diag->hint, "a hint");
    assert_null(neuromc_diags_at(diags, 2));
    for (int i = 0; i < 5000; i++)
        nmc_warning(diags, (struct nmc_place){0}, NULL, "again");
    assert_true(neuromc_diags_count(diags) <= 1000);
    neuromc_diags_free(diags);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_read_back_equal),
        cmocka_unit_test(numbers_are_short),
        cmocka_unit_test(numbers_do_not_depend_on_the_locale),
        cmocka_unit_test(what_is_no_number_is_refused),
        cmocka_unit_test(integers),
        cmocka_unit_test(energies_for_people),
        cmocka_unit_test(quotients_round_as_named),
        cmocka_unit_test(utf8_by_the_rfc),
        cmocka_unit_test(json_escapes_and_nests),
        cmocka_unit_test(json_refuses_what_is_not_finite),
        cmocka_unit_test(a_failed_write_stops_the_sink),
        cmocka_unit_test(arenas_have_a_cap),
        cmocka_unit_test(arenas_give_zeroed_aligned_memory),
        cmocka_unit_test(lost_memory_is_an_error),
        cmocka_unit_test(maps_hold_what_was_put),
        cmocka_unit_test(slips_are_understood),
        cmocka_unit_test(messages_keep_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
