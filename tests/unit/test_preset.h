/* test_preset.h - what the tests of presets share. */
#ifndef NMC_TEST_PRESET_H
#define NMC_TEST_PRESET_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/preset.h"

#define TEST_PRESETS NMC_TEST_DATA "/presets/"

static inline void print_diags(const neuromc_diags *diags) {
    for (size_t i = 0; i < neuromc_diags_count(diags); i++) {
        const neuromc_diag *d = neuromc_diags_at(diags, i);
        print_message("# %s:%d:%d: %s: %s [%s]\n", d->file ? d->file : "", d->line, d->column,
                      d->where ? d->where : "", d->message, d->hint ? d->hint : "");
    }
}

/* A preset that must load without a word. */
static inline neuromc_preset *load_with(const char *name, const char *const *assignments,
                                        size_t count) {
    neuromc_preset_options options = {.assignments = assignments, .assignment_count = count};
    neuromc_preset *preset;
    neuromc_diags *diags = neuromc_diags_new();
    neuromc_status status = neuromc_preset_load(name, &options, &preset, diags);
    print_diags(diags);
    assert_int_equal(status, NEUROMC_OK);
    assert_int_equal(neuromc_diags_count(diags), 0);
    neuromc_diags_free(diags);
    return preset;
}

static inline neuromc_preset *load(const char *name) {
    return load_with(name, NULL, 0);
}

/* A file's text, to be freed. */
static inline char *read_text(const char *path) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

/* text with its only `old` turned into `new_text`, to be freed. */
static inline char *replace(const char *text, const char *old, const char *new_text) {
    const char *at = strstr(text, old);
    assert_non_null(at);
    assert_null(strstr(at + 1, old));
    size_t size = strlen(text) + strlen(new_text) + 1;
    char *result = calloc(1, size);
    assert_non_null(result);
    snprintf(result, size, "%.*s%s%s", (int)(at - text), text, new_text, at + strlen(old));
    return result;
}

struct written {
    char text[1 << 17];
    size_t length;
};

static inline bool write_to(void *user, const char *data, size_t size) {
    struct written *out = user;
    if (size >= sizeof out->text - out->length)
        return false;
    memcpy(out->text + out->length, data, size);
    out->length += size;
    out->text[out->length] = '\0';
    return true;
}

/* The effective preset as text, to be freed. */
static inline struct written *write_preset(const neuromc_preset *preset) {
    struct written *out = calloc(1, sizeof *out);
    assert_non_null(out);
    assert_int_equal(neuromc_preset_write(preset, write_to, out, NULL), NEUROMC_OK);
    return out;
}

#endif
