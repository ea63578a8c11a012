/* Every golden trace, lowered in both accountings, gives the fragments that the reference gave. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

#include "base/file.h"
#include "base/memory.h"
#include "model/trace_lower.h"

/* ---- what lowering says --------------------------------------------------------------------- */

struct seen {
    struct nmc_fragment *items;
    char (*stages)[80], (*ops)[80]; /* texts live as long as the trace is open */
    size_t count, capacity, stage_capacity, op_capacity;
    int warnings;
};

static neuromc_status on_fragment(void *user, const struct nmc_fragment *fragment) {
    struct seen *seen = user;
    size_t i = seen->count++;
    assert_true(nmc_grow(&seen->items, &seen->capacity, i + 1, sizeof *seen->items));
    assert_true(nmc_grow(&seen->stages, &seen->stage_capacity, i + 1, sizeof *seen->stages));
    assert_true(nmc_grow(&seen->ops, &seen->op_capacity, i + 1, sizeof *seen->ops));
    seen->items[i] = *fragment;
    snprintf(seen->stages[i], sizeof *seen->stages, "%s", fragment->stage);
    snprintf(seen->ops[i], sizeof *seen->ops, "%s", fragment->op);
    return NEUROMC_OK;
}

static neuromc_status on_coverage(void *user, const char *op, enum nmc_coverage_kind kind,
                                  int64_t elements) {
    (void)user;
    (void)op;
    (void)kind;
    (void)elements;
    return NEUROMC_OK;
}

static neuromc_status on_warning(void *user, const char *text) {
    struct seen *seen = user;
    (void)text;
    seen->warnings++;
    return NEUROMC_OK;
}

static void release(struct seen *seen) {
    nmc_free(seen->items);
    nmc_free(seen->stages);
    nmc_free(seen->ops);
}

static struct seen lower(const char *name, neuromc_accounting accounting, bool strict,
                         bool no_mapping, neuromc_status *status) {
    char path[512];
    snprintf(path, sizeof path, "%s/golden/%s.trace.jsonl", NMC_TEST_DATA, name);
    struct seen seen = {0};
    struct nmc_work_sink sink = {
        .user = &seen, .fragment = on_fragment, .coverage = on_coverage, .warning = on_warning};
    neuromc_estimate_options options = {
        .accounting = accounting, .strict = strict, .no_mapping = no_mapping};
    struct nmc_trace_summary summary;
    neuromc_diags *diags = neuromc_diags_new();
    assert_non_null(diags);
    static const struct nmc_precision precision = {.spike_bits = 1,
                                                   .activation_bits = 16,
                                                   .weight_bits = 16,
                                                   .output_bits = 16,
                                                   .gradient_bits = 16,
                                                   .optimizer_bits = 32};
    *status = nmc_trace_lower(path, NULL, &precision, &options, &sink, &summary, diags);
    if (*status == NEUROMC_OK)
        assert_int_equal(neuromc_diags_count(diags), 0);
    neuromc_diags_free(diags);
    return seen;
}

/* ---- what is expected ----------------------------------------------------------------------- */

static cJSON *load(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/golden/%s", NMC_TEST_DATA, name);
    struct nmc_file file;
    assert_int_equal(nmc_file_open(&file, path, (size_t)1 << 30, NULL), NEUROMC_OK);
    cJSON *json = cJSON_ParseWithLength((const char *)file.data, file.size);
    nmc_file_close(&file);
    assert_non_null(json);
    return json;
}

static const cJSON *get(const cJSON *object, const char *key) {
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!value)
        fail_msg("no key %s", key);
    return value;
}

static void same_text(const cJSON *want, const char *key, const char *got) {
    assert_string_equal(get(want, key)->valuestring, got);
}

static void same_integer(const cJSON *want, const char *key, int64_t got) {
    const cJSON *value = get(want, key);
    assert_true(cJSON_IsNumber(value) || cJSON_IsBool(value));
    double number = cJSON_IsBool(value) ? cJSON_IsTrue(value) : value->valuedouble;
    assert_true(number == (double)got);
}

static void same_fragment(const cJSON *want, const struct seen *seen, size_t i) {
    const struct nmc_fragment *got = &seen->items[i];
    same_text(want, "stage", seen->stages[i]);
    same_text(want, "op_name", seen->ops[i]);
    same_text(want, "phase", nmc_phase_names[got->phase]);
    same_text(want, "core_type", nmc_core_names[got->core]);
    same_text(want, "process_key", nmc_process_names[got->process]);
    same_text(want, "source", nmc_source_names[got->source]);
    same_integer(want, "input_precision_bits", got->input_bits);
    same_integer(want, "weight_precision_bits", got->weight_bits);
    same_integer(want, "output_precision_bits", got->output_bits);
    same_integer(want, "b_type", got->b_position);
    same_integer(want, "t_type", got->t_position);
    same_integer(want, "mac_count", got->macs);
    same_integer(want, "optimizer_has_momentum", got->momentum);
    same_integer(want, "optimizer_has_weight_decay", got->weight_decay);
    same_integer(want, "optimizer_has_momentum_buffer", got->momentum_buffer);
    for (int d = 0; d < NMC_LOOPS; d++)
        same_integer(get(want, "loop_dims"), nmc_loop_names[d], got->dims[d]);
    assert_int_equal(got->times, 1);
}

/* ---- tests ---------------------------------------------------------------------------------- */

static int check_case(const char *name, const char *accounting) {
    char file[256];
    snprintf(file, sizeof file, "%s.expected.json", name);
    cJSON *all = load(file);
    const cJSON *want = get(all, accounting);
    neuromc_status status;
    bool runtime = strcmp(accounting, "runtime") == 0;
    struct seen seen =
        lower(name, runtime ? NEUROMC_RUNTIME : NEUROMC_CORRECTED, false, false, &status);
    int compared = 0;
    if (cJSON_GetObjectItemCaseSensitive(want, "error")) {
        assert_int_equal(status, NEUROMC_UNSUPPORTED);
    } else {
        const cJSON *fragments = get(want, "mapping_summary");
        assert_int_equal(status, NEUROMC_OK);
        print_message("# %s %s: %zu fragments\n", name, accounting, seen.count);
        assert_int_equal(seen.count, cJSON_GetArraySize(fragments));
        const cJSON *fragment;
        cJSON_ArrayForEach(fragment, fragments) same_fragment(fragment, &seen, (size_t)compared++);
    }
    release(&seen);
    cJSON_Delete(all);
    return compared;
}

static void check_all(const char *accounting) {
    cJSON *index = load("index.json");
    const cJSON *entry;
    int cases = 0, fragments = 0;
    cJSON_ArrayForEach(entry, index) {
        fragments += check_case(get(entry, "name")->valuestring, accounting);
        cases++;
    }
    cJSON_Delete(index);
    assert_int_equal(cases, 37);
    assert_true(fragments > cases);
}

static void runtime_as_the_reference(void **state) {
    (void)state;
    check_all("runtime");
}

static void corrected_counts_once(void **state) {
    (void)state;
    check_all("corrected");
}

/* Strict refuses what the reference refuses: the cases whose list of unsupported ops is not
 * empty; otherwise runtime warns once. */
static void strict_refuses_the_same(void **state) {
    (void)state;
    cJSON *index = load("index.json");
    const cJSON *entry;
    cJSON_ArrayForEach(entry, index) {
        const char *name = get(entry, "name")->valuestring;
        bool refused = cJSON_GetArraySize(get(entry, "unsupported_by_profiler")) > 0;
        neuromc_status status;
        struct seen seen = lower(name, NEUROMC_RUNTIME, true, false, &status);
        assert_int_equal(status, refused ? NEUROMC_UNSUPPORTED : NEUROMC_OK);
        release(&seen);
        seen = lower(name, NEUROMC_RUNTIME, false, false, &status);
        assert_int_equal(seen.warnings, refused ? 1 : 0);
        release(&seen);
    }
    cJSON_Delete(index);
}

static int64_t macs(const struct seen *seen) {
    int64_t sum = 0;
    for (size_t i = 0; i < seen->count; i++)
        sum += seen->items[i].macs * seen->items[i].times;
    return sum;
}

/* Without the list the same work arrives, perhaps in another order. */
static void no_mapping_loses_nothing(void **state) {
    (void)state;
    cJSON *index = load("index.json");
    const cJSON *entry;
    cJSON_ArrayForEach(entry, index) {
        for (int a = 0; a < 2; a++) {
            const char *name = get(entry, "name")->valuestring;
            neuromc_accounting accounting = a ? NEUROMC_RUNTIME : NEUROMC_CORRECTED;
            neuromc_status status;
            struct seen list = lower(name, accounting, false, false, &status);
            struct seen bare = lower(name, accounting, false, true, &status);
            assert_int_equal(bare.count, list.count);
            assert_true(macs(&bare) == macs(&list));
            release(&list);
            release(&bare);
        }
    }
    cJSON_Delete(index);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runtime_as_the_reference),
        cmocka_unit_test(corrected_counts_once),
        cmocka_unit_test(strict_refuses_the_same),
        cmocka_unit_test(no_mapping_loses_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
