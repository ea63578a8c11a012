/* Every allocation and every write is made to fail once: each time the library answers with a
 * status and a message, never a crash, and what was allocated is given back (see `make san`). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "neuromc.h"

struct job {
    const char *model, *preset;
    unsigned stages;
    bool elementwise;
    const char *mapping; /* of a preset that maps */
    bool diff;           /* compared with a report, too */
};

static bool forget(void *user, const char *data, size_t size) {
    (void)user, (void)data, (void)size;
    return true;
}

/* Presets have a test of their own for this; here they are loaded while nothing fails. */
static neuromc_preset *load_preset(const char *name) {
    const neuromc_preset_options where = {.search_path = NMC_SOURCE_DIR "/configs/memory_presets"};
    neuromc_preset *preset = NULL;
    assert_int_equal(neuromc_preset_load(name, &where, &preset, NULL), NEUROMC_OK);
    return preset;
}

static neuromc_status run_map(neuromc_model *model, const neuromc_preset *preset,
                              const neuromc_estimate_options *options, neuromc_write_fn write,
                              void *user, neuromc_diags *diags) {
    static const neuromc_format formats[] = {NEUROMC_TEXT, NEUROMC_JSON, NEUROMC_CSV, NEUROMC_YAML};
    neuromc_map *map = NULL;
    neuromc_status status = neuromc_map_model(model, preset, options, &map, diags);
    for (size_t f = 0; !status && f < sizeof formats / sizeof *formats; f++) {
        const neuromc_write_options how = {.format = formats[f]};
        status = neuromc_map_write(map, &how, write, user, diags);
    }
    neuromc_map_free(map);
    return status;
}

/* A report as it was written, against the model. */
static neuromc_status run_diff(const char *model, const neuromc_model_options *load,
                               neuromc_write_fn write, void *user, neuromc_diags *diags) {
    static const neuromc_format formats[] = {NEUROMC_TEXT, NEUROMC_JSON, NEUROMC_CSV,
                                             NEUROMC_MARKDOWN};
    const neuromc_preset_options where = {.search_path = NMC_SOURCE_DIR "/configs/memory_presets"};
    const neuromc_diff_side a = {.path = NMC_SOURCE_DIR "/tests/fuzz/corpus/report/whole.json"},
                            b = {.path = model, .preset_options = &where, .model_options = load};
    neuromc_diff *diff = NULL;
    neuromc_status status = neuromc_diff_new(&a, &b, &diff, diags);
    for (size_t f = 0; !status && f < sizeof formats / sizeof *formats; f++) {
        const neuromc_write_options how = {.format = formats[f]};
        status = neuromc_diff_write(diff, &how, write, user, diags);
    }
    neuromc_diff_free(diff);
    return status;
}

static neuromc_status run(const struct job *job, const neuromc_preset *preset,
                          neuromc_write_fn write, void *user, neuromc_diags *diags) {
    bool trace = !job->stages;
    const neuromc_model_options load = {.batch = trace ? 0 : 2};
    const neuromc_map_options map = {.mapping = job->mapping, .jobs = 1};
    const neuromc_estimate_options options = {.stages = job->stages,
                                              .optimizer =
                                                  trace ? NEUROMC_OPTIMIZER_DEFAULT : NEUROMC_ADAM,
                                              .elementwise = job->elementwise,
                                              .map = &map};
    neuromc_model *model = NULL;
    neuromc_report *report = NULL;
    neuromc_status status = neuromc_model_load(job->model, &load, &model, diags);
    if (!status)
        status = neuromc_estimate(model, preset, &options, &report, diags);
    for (int format = NEUROMC_TEXT; !status && format <= NEUROMC_HTML; format++) {
        const neuromc_write_options how = {.format = (neuromc_format)format,
                                           .ledger = format == NEUROMC_JSON};
        status = neuromc_report_write(report, &how, write, user, diags);
        if (!status && !trace && format <= NEUROMC_CSV)
            status = neuromc_model_inspect(model, &how, write, user, diags);
    }
    if (!status && !trace)
        status = neuromc_annotate(job->model, preset, &load, &options, write, user, diags);
    if (!status && job->diff)
        status = run_diff(job->model, &load, write, user, diags);
    if (!status && neuromc_preset_maps(preset))
        status = run_map(model, preset, &options, write, user, diags);
    neuromc_report_free(report);
    neuromc_model_free(model);
    return status;
}

static const struct job jobs[] = {
    {NMC_SOURCE_DIR "/models/lenet5_dynamic.onnx", "neuromc_like_v1_dram", 7, true, NULL, false},
    {NMC_TEST_DATA "/golden/csnn_train_adam.onnx", "ac_mac_45nm", 7, false, NULL, true},
    {NMC_TEST_DATA "/golden/linear_train_sgd.trace.jsonl", "neuromc_like_v1", 0, false, NULL,
     false},
    {NMC_TEST_DATA "/golden/linear_dense.onnx", "neuromc_like_v1_mapped", 3, false,
     NMC_TEST_DATA "/mapping/linear_dense.yaml", false},
    {NMC_TEST_DATA "/golden/linear_train_sgd.trace.jsonl", "neuromc_like_v1_mapped", 0, false, NULL,
     false},
};

static void every_allocation_fails_once(void **state) {
    (void)state;
    for (size_t j = 0; j < sizeof jobs / sizeof *jobs; j++) {
        neuromc_preset *preset = load_preset(jobs[j].preset);
        neuromc_status status = NEUROMC_IO;
        size_t failing = 1;
        for (; status != NEUROMC_OK; failing++) {
            assert_true(failing < 100000); /* a run that never succeeds must end */
            neuromc_diags *diags = neuromc_diags_new();
            nmc_memory_fail_at(failing);
            status = run(&jobs[j], preset, forget, NULL, diags);
            nmc_memory_fail_at(0);
            if (status != NEUROMC_OK && status != NEUROMC_IO)
                fail_msg("%s: allocation %zu lost gives status %d", jobs[j].model, failing, status);
            if (status != NEUROMC_OK && neuromc_diags_count(diags) == 0)
                fail_msg("%s: allocation %zu lost without a message", jobs[j].model, failing);
            neuromc_diags_free(diags);
        }
        neuromc_preset_free(preset);
        print_message("# %s: %zu allocations\n", jobs[j].model, failing - 2);
        assert_true(failing > 20);
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
    for (size_t j = 0; j < sizeof jobs / sizeof *jobs; j++) {
        neuromc_preset *preset = load_preset(jobs[j].preset);
        struct writes all = {0};
        assert_int_equal(run(&jobs[j], preset, fail_at, &all, NULL), NEUROMC_OK);
        assert_true(all.done > 0);
        for (int failing = 1; failing <= all.done; failing++) {
            struct writes writes = {.failing = failing};
            neuromc_diags *diags = neuromc_diags_new();
            assert_int_equal(run(&jobs[j], preset, fail_at, &writes, diags), NEUROMC_IO);
            assert_int_equal(writes.done, failing); /* nothing is written behind a lost part */
            assert_true(neuromc_diags_count(diags) > 0);
            neuromc_diags_free(diags);
        }
        neuromc_preset_free(preset);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_fails_once),
        cmocka_unit_test(every_write_fails_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
