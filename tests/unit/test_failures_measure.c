/* Measurements and calibration while memory runs out and writes fail: a status and a message, no
 * crash, no program left behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "model/preset.h"

static char results[] = "/tmp/neuromc-results-XXXXXX";

typedef neuromc_status job(neuromc_write_fn write, void *user, neuromc_diags *diags);

/* A program that speaks the protocol, two rounds, every report of them. */
static neuromc_status measure(neuromc_write_fn write, void *user, neuromc_diags *diags) {
    static const char *const argv[] = {
        "sh", "-c",
        "echo ready 1; while read w k; do test $w = exit && exit; echo done $k 5 a note; done",
        NULL};
    static const char *const meta[] = {"host=lab", "note=a b"};
    static const neuromc_subject subject = {"a program", argv, true};
    const neuromc_counter_options counter = {.tdp_watts = 10};
    const neuromc_measure_options options = {.counter = "model",
                                             .counter_options = &counter,
                                             .rounds = 2,
                                             .k = 3,
                                             .sample_s = 0.1,
                                             .limit_s = 10,
                                             .meta = meta,
                                             .meta_count = 2};
    neuromc_measurement *m = NULL;
    neuromc_status status = neuromc_measure(&subject, 1, &options, &m, diags);
    for (int format = NEUROMC_TEXT; !status && format <= NEUROMC_CSV; format++) {
        const neuromc_write_options how = {.format = (neuromc_format)format};
        status = neuromc_measurement_write(m, &how, write, user, diags);
    }
    neuromc_measurement_free(m);
    return status;
}

static neuromc_status calibrate(neuromc_write_fn write, void *user, neuromc_diags *diags) {
    const char *const paths[] = {results};
    const neuromc_preset_options where = {.search_path = NMC_SOURCE_DIR "/configs/memory_presets"};
    return neuromc_calibrate(paths, 1, NULL, &where, write, user, diags);
}

static job *const jobs[] = {measure, calibrate};
enum { JOBS = sizeof jobs / sizeof *jobs };

/* Results of six models, at the hash that the preset has. */
static int write_results(void **state) {
    (void)state;
    const neuromc_preset_options where = {.search_path = NMC_SOURCE_DIR "/configs/memory_presets"};
    neuromc_preset *preset;
    assert_int_equal(neuromc_preset_load("cacti_32nm_dram", &where, &preset, NULL), NEUROMC_OK);
    FILE *file = fdopen(mkstemp(results), "w");
    assert_non_null(file);
    fprintf(file,
            "{\"schema\": {\"name\": \"neuromc-validate\", \"version\": 1}, \"preset\": "
            "{\"name\": \"cacti_32nm_dram\", \"hash\": \"%016llx\"}, \"models\": [",
            (unsigned long long)preset->hash);
    for (int i = 1; i <= 6; i++)
        fprintf(file,
                "%s{\"label\": \"m%d\", \"estimate\": {\"energy_mac_pj\": %de6, "
                "\"energy_extra_compute_pj\": %de5, \"energy_by_level_pj\": {\"dram\": %de6, "
                "\"sram\": 3e6, \"reg\": 1e6}}, \"summary\": {\"joules_per_job\": {\"median\": "
                "%de-6}, \"seconds_per_job\": {\"median\": %de-4}}}",
                i > 1 ? ", " : "", i, i, 7 - i, i * i, 10 + i * i, i);
    fputs("]}\n", file);
    neuromc_preset_free(preset);
    return fclose(file);
}

static int remove_results(void **state) {
    (void)state;
    return unlink(results);
}

static void nobody_is_left(void) {
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static bool forget(void *user, const char *data, size_t size) {
    (void)user, (void)data, (void)size;
    return true;
}

static void every_allocation_fails_once(void **state) {
    (void)state;
    for (int j = 0; j < JOBS; j++) {
        size_t failing = 1;
        for (bool failed = true; failed; failing++) {
            neuromc_diags *diags = neuromc_diags_new();
            nmc_memory_fail_at(failing);
            neuromc_status status = jobs[j](forget, NULL, diags);
            failed = nmc_memory_fail_at(0) >= failing;
            if (status != NEUROMC_OK && status != NEUROMC_IO)
                fail_msg("job %d: allocation %zu lost gives status %d", j, failing, status);
            if (status != NEUROMC_OK && neuromc_diags_count(diags) == 0)
                fail_msg("job %d: allocation %zu lost without a message", j, failing);
            neuromc_diags_free(diags);
            nobody_is_left();
        }
        print_message("# job %d: %zu allocations\n", j, failing - 2);
        assert_true(failing > 10);
    }
}

struct writes {
    int done, failing;
};

static bool fail_at(void *user, const char *data, size_t size) {
    (void)data, (void)size;
    struct writes *writes = user;
    return ++writes->done != writes->failing;
}

static void every_write_fails_once(void **state) {
    (void)state;
    for (int j = 0; j < JOBS; j++) {
        struct writes all = {0};
        assert_int_equal(jobs[j](fail_at, &all, NULL), NEUROMC_OK);
        assert_true(all.done > 0);
        for (int failing = 1; failing <= all.done; failing++) {
            struct writes writes = {.failing = failing};
            neuromc_diags *diags = neuromc_diags_new();
            assert_int_equal(jobs[j](fail_at, &writes, diags), NEUROMC_IO);
            assert_int_equal(writes.done, failing);
            assert_true(neuromc_diags_count(diags) > 0);
            neuromc_diags_free(diags);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_fails_once),
        cmocka_unit_test(every_write_fails_once),
    };
    return cmocka_run_group_tests(tests, write_results, remove_results);
}
