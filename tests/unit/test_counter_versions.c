/* Libraries of counters in other versions: each function that one may lack is missed by its name,
 * or done without. */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "counter_case.h"
#include "counters/gpu_time.h"
#include "fakes/fake.h"

static int set_up(void **state) {
    static struct counter_case c;
    case_init(&c);
    *state = &c;
    return 0;
}

static int tear_down(void **state) {
    case_free(*state);
    return 0;
}

/* A copy of the fake below the root that exports everything but one function: its name is spoilt
 * where the dynamic linker looks for it. */
static void library_without(struct counter_case *c, const char *file, const char *symbol) {
    static char bytes[1 << 22];
    char path[256];
    size_t length = strlen(symbol) + 1, size = 0;
    FILE *in = fopen(NMC_TEST_FAKES "/libfake.so", "rb");
    assert_non_null(in);
    size = fread(bytes, 1, sizeof bytes, in);
    fclose(in);
    assert_true(size < sizeof bytes);
    for (size_t i = 1; i + length <= size; i++)
        if (!bytes[i - 1] && memcmp(bytes + i, symbol, length) == 0)
            bytes[i] = '?';
    snprintf(path, sizeof path, "%s/%s", c->root, file);
    unlink(path);
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, size, out), size);
    fclose(out);
    c->options.asked.library_root = c->root;
}

/* Each of them is missed by its name. */
static void all_are_missed(struct counter_case *c, const char *counter, const char *file,
                           const char *const *symbols) {
    char reason[256];
    for (; *symbols; symbols++) {
        library_without(c, file, *symbols);
        snprintf(reason, sizeof reason, "%s/%s has no %s", c->root, file, *symbols);
        case_lacks(c, counter, NMC_UNSUPPORTED, reason);
    }
    library_without(c, file, "nothing");
}

static void missing_symbols(void **state) {
    static const char *const nvml[] = {"nvmlInit_v2",
                                       "nvmlShutdown",
                                       "nvmlErrorString",
                                       "nvmlDeviceGetName",
                                       "nvmlDeviceGetUUID",
                                       "nvmlDeviceGetCount_v2",
                                       "nvmlDeviceGetHandleByIndex_v2",
                                       "nvmlDeviceGetPowerUsage",
                                       NULL};
    static const char *const foundation[] = {"CFStringCreateWithCString",
                                             "CFStringGetCString",
                                             "CFDictionaryGetCount",
                                             "CFDictionaryCreateMutableCopy",
                                             "CFDictionaryGetValue",
                                             "CFArrayGetCount",
                                             "CFArrayGetValueAtIndex",
                                             "CFRelease",
                                             NULL};
    static const char *const report[] = {
        "IOReportCopyChannelsInGroup",   "IOReportCreateSubscription",
        "IOReportCreateSamples",         "IOReportCreateSamplesDelta",
        "IOReportChannelGetChannelName", "IOReportChannelGetUnitLabel",
        "IOReportSimpleGetIntegerValue", NULL};
    static const char *const proc[] = {"proc_pid_rusage", NULL}, *const system[] = {
                                                                     "mach_timebase_info", NULL};
    all_are_missed(*state, "nvml", "libnvidia-ml.so.1", nvml);
    all_are_missed(*state, "ioreport", "CoreFoundation", foundation);
    all_are_missed(*state, "ioreport", "libIOReport.dylib", report);
    all_are_missed(*state, "task", "libproc.dylib", proc);
    all_are_missed(*state, "task", "libSystem.dylib", system);
}

/* Without one of them the share of the GPU is not known, and nothing stays open. */
static void no_registry_functions(void **state) {
    struct counter_case *c = *state;
    static const struct {
        const char *file, *symbol;
    } missing[] = {{"IOKit", "IOServiceMatching"},
                   {"IOKit", "IOServiceGetMatchingServices"},
                   {"IOKit", "IOIteratorNext"},
                   {"IOKit", "IORegistryEntryGetChildIterator"},
                   {"IOKit", "IORegistryEntryCreateCFProperty"},
                   {"IOKit", "IOObjectRelease"},
                   {"CoreFoundation", "CFNumberGetValue"}};
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
        library_without(c, "CoreFoundation", "nothing");
        library_without(c, "IOKit", "nothing");
        library_without(c, missing[i].file, missing[i].symbol);
        struct nmc_gpu_source source;
        struct nmc_counter bare = {.options = c->options};
        nmc_arena_init(&bare.arena, 1 << 16);
        assert_false(nmc_gpu_source_open(&bare, &source));
        assert_null(source.iokit_library.handle);
        assert_null(source.cf_library.handle);
        nmc_arena_release(&bare.arena);
    }
}

/* A driver's library from before there were energy counters: power is integrated. */
static void nvml_without_energy(void **state) {
    struct counter_case *c = *state;
    struct fake *(*script)(void) = NULL;
    char path[256];
    library_without(c, "libnvidia-ml.so.1", "nvmlDeviceGetTotalEnergyConsumption");
    snprintf(path, sizeof path, "%s/libnvidia-ml.so.1", c->root);
    void *old = dlopen(path, RTLD_NOW), *address = old ? dlsym(old, "fake_script") : NULL;
    assert_non_null(address);
    memcpy(&script, &address, sizeof script);
    struct fake *fake = script();
    fake->gpu_count = 2;
    fake->gpus[0] = (struct fake_gpu){.name = "A100", .uuid = "GPU-aaaa", .power_mw = 100000};
    fake->gpus[1] = (struct fake_gpu){.name = "H200", .uuid = "GPU-bbbb", .power_mw = 200000};
    case_open(c, "nvml");
    assert_true(nmc_counter_info(c->counter)->integrated);
    assert_non_null(strstr(case_part(c, "A100", "GPU-aaaa")->note, "has no energy counter"));
    case_pass(c, 1, 0);
    case_step(c, 300, 0);
    nmc_counter_close(c->counter);
    c->counter = NULL;
    assert_int_equal(fake->initialised, 0);
    fake->gpus[1].power_code = 3;
    case_lacks(c, "nvml", NMC_UNSUPPORTED, "GPU 1 (H200) has neither an energy counter nor power");
    assert_int_equal(fake->initialised, 0);
    dlclose(old);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(missing_symbols),
        TEST(no_registry_functions),
        TEST(nvml_without_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
