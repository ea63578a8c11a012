/* Lists of messages: long texts, very many messages, lost memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/utf8.h"

static int make(void **state) {
    *state = neuromc_diags_new();
    return *state == NULL;
}

static int drop(void **state) {
    neuromc_diags_free(*state);
    return 0;
}

static void one_error(void **state) {
    neuromc_diags *diags = *state;
    struct nmc_place place = {.file = "f", .line = 3, .column = 4, .where = "a.b"};
    assert_int_equal(nmc_error(diags, NEUROMC_BAD_INPUT, place, "do this", "%d of %s", 2, "x"),
                     NEUROMC_BAD_INPUT);
    const neuromc_diag *diag = neuromc_diags_at(diags, 0);
    assert_int_equal(diag->severity, NEUROMC_ERROR);
    assert_int_equal(diag->status, NEUROMC_BAD_INPUT);
    assert_string_equal(diag->file, "f");
    assert_int_equal(diag->line, 3);
    assert_int_equal(diag->column, 4);
    assert_string_equal(diag->where, "a.b");
    assert_string_equal(diag->message, "2 of x");
    assert_string_equal(diag->hint, "do this");
    assert_null(neuromc_diags_at(diags, 1));
}

static void warnings_leave_room_for_errors(void **state) {
    neuromc_diags *diags = *state;
    for (int i = 0; i < 5000; i++)
        nmc_warning(diags, (struct nmc_place){0}, NULL, "warning %d", i);
    size_t warnings = neuromc_diags_count(diags);
    assert_true(warnings >= 100 && warnings < 5000);
    nmc_error(diags, NEUROMC_BAD_INPUT, (struct nmc_place){0}, NULL, "why");
    assert_int_equal(nmc_diags_errors(diags), 1);
    assert_int_equal(neuromc_diags_count(diags), warnings + 1);
    assert_string_equal(neuromc_diags_at(diags, warnings)->message, "why");
    for (int i = 0; i < 5000; i++)
        nmc_error(diags, NEUROMC_BAD_INPUT, (struct nmc_place){0}, NULL, "error %d", i);
    assert_true(nmc_diags_errors(diags) < 5000);
}

/* A text as long as the file that made it is cut, between characters. */
static void long_texts(void **state) {
    neuromc_diags *diags = *state;
    enum { LENGTH = 300000 };
    char *text = malloc(LENGTH + 1);
    for (size_t i = 0; i < LENGTH; i++)
        text[i] = "\xe2\x82\xac"[i % 3]; /* the euro sign */
    text[LENGTH] = '\0';
    for (int shift = 0; shift < 3; shift++) {
        neuromc_diags_clear(diags);
        struct nmc_place place = {.file = text, .where = text};
        nmc_error(diags, NEUROMC_BAD_INPUT, place, text, "%.*s%s", shift, "ab", text);
        const neuromc_diag *diag = neuromc_diags_at(diags, 0);
        const char *const kept[] = {diag->file, diag->where, diag->message, diag->hint};
        for (size_t i = 0; i < 4; i++) {
            size_t length = strlen(kept[i]);
            assert_true(length > 1000 && length < 3000);
            assert_true(nmc_utf8_valid(kept[i], length));
            assert_string_equal(kept[i] + length - 3, "...");
        }
    }
    free(text);
}

static void lost_memory(void **state) {
    neuromc_diags *diags = *state;
    nmc_memory_fail_at(1);
    nmc_error(diags, NEUROMC_BAD_INPUT, (struct nmc_place){0}, NULL, "why");
    nmc_memory_fail_at(0);
    assert_int_equal(neuromc_diags_count(diags), 1);
    assert_int_equal(neuromc_diags_at(diags, 0)->status, NEUROMC_IO);
    assert_string_equal(neuromc_diags_at(diags, 0)->message, "memory ran out");
}

static void no_list(void **state) {
    (void)state;
    assert_int_equal(nmc_error(NULL, NEUROMC_IO, (struct nmc_place){0}, NULL, "why"), NEUROMC_IO);
    assert_int_equal(neuromc_diags_count(NULL), 0);
    assert_int_equal(nmc_diags_errors(NULL), 0);
    assert_null(neuromc_diags_at(NULL, 0));
    neuromc_diags_clear(NULL);
    neuromc_diags_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_error, make, drop),
        cmocka_unit_test_setup_teardown(warnings_leave_room_for_errors, make, drop),
        cmocka_unit_test_setup_teardown(long_texts, make, drop),
        cmocka_unit_test_setup_teardown(lost_memory, make, drop),
        cmocka_unit_test(no_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
