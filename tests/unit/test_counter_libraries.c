/* Counters behind libraries that are opened at run time, against libraries that answer as told. */
#include <dlfcn.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "counter_case.h"
#include "fakes/fake.h"

static struct fake *fake;
static void *library;

static int set_up(void **state) {
    static struct counter_case c;
    case_init(&c);
    c.options.asked.library_root = NMC_TEST_FAKES;
    *fake = (struct fake){.numerator = 125, .denominator = 3};
    *state = &c;
    return 0;
}

static int tear_down(void **state) {
    case_free(*state);
    assert_int_equal(fake->initialised, 0);
    assert_int_equal(fake->objects, 0);
    assert_int_equal(fake->handles, 0);
    return 0;
}

static int load_fake(void **state) {
    (void)state;
    struct fake *(*script)(void) = NULL;
    library = dlopen(NMC_TEST_FAKES "/libfake.so", RTLD_NOW);
    assert_non_null(library);
    void *address = dlsym(library, "fake_script");
    memcpy(&script, &address, sizeof script);
    assert_non_null(script);
    fake = script();
    return 0;
}

static int unload_fake(void **state) {
    (void)state;
    return dlclose(library);
}

/* The clock's sleep while a counter is watched on opening lets things advance. */
static void (*on_sleep)(void);

static void sleep_and_advance(void *user, uint64_t duration) {
    struct counter_case *c = user;
    c->monotonic_ns += duration;
    c->boot_ns += duration;
    on_sleep();
}

static void open_advancing(struct counter_case *c, const char *name, void (*advance)(void)) {
    on_sleep = advance;
    c->clock.sleep_ns = sleep_and_advance;
    case_open(c, name);
}

/* ---- nvml --------------------------------------------------------------------------------- */

static void two_gpus(void) {
    fake->gpu_count = 2;
    fake->gpus[0] = (struct fake_gpu){"A100", "GPU-aaaa", 0, 0, 5000, 100000, 0};
    fake->gpus[1] = (struct fake_gpu){"H200", "GPU-bbbb", 0, 0, 7000, 200000, 0};
}

static void gpus_advance(void) {
    fake->gpus[0].energy_mj += 10;
    fake->gpus[1].energy_mj += 10;
}

static void gpus_are_summed(void **state) {
    struct counter_case *c = *state;
    two_gpus();
    open_advancing(c, "nvml", gpus_advance);
    fake->gpus[0].energy_mj += 100000;
    fake->gpus[1].energy_mj += 200500;
    case_pass(c, 1, 0);
    case_step(c, 300.5, 0);
    assert_false(nmc_counter_info(c->counter)->integrated);
    assert_true(nmc_counter_info(c->counter)->resolution_j == 0.001);
    fake->gpus[1].energy_mj = 5; /* the driver was loaded anew */
    fake->gpus[0].energy_mj += 100000;
    case_pass(c, 1, 0);
    case_step(c, 100, NMC_READ_RESET);
    assert_int_equal(case_part(c, "A100", "GPU-aaaa")->quality, 0);
}

static void gpus_are_chosen(void **state) {
    struct counter_case *c = *state;
    static const char *const names[] = {"1", "GPU-aaaa"};
    for (int i = 0; i < 2; i++) {
        two_gpus();
        c->options.asked.devices = &names[i];
        c->options.asked.device_count = 1;
        open_advancing(c, "nvml", gpus_advance);
        fake->gpus[0].energy_mj += 100000;
        fake->gpus[1].energy_mj += 200000;
        case_pass(c, 1, 0);
        case_step(c, i == 0 ? 200 : 100, 0);
        nmc_counter_close(c->counter);
        c->counter = NULL;
    }
    static const char *const unknown[] = {"0", "GPU-cccc"};
    c->options.asked.devices = unknown;
    c->options.asked.device_count = 2;
    case_lacks(c, "nvml", NMC_UNSUPPORTED, "1 are here (2 in all)");
}

/* 100 W, then 300 W, over 0.1 s each way: trapezoids. */
static void power_is_integrated(void **state) {
    struct counter_case *c = *state;
    two_gpus();
    fake->gpu_count = 1;
    fake->gpus[0].energy_code = 3;
    case_open(c, "nvml");
    assert_true(nmc_counter_info(c->counter)->integrated);
    assert_non_null(strstr(case_part(c, "A100", "")->note, "integrated"));
    case_pass(c, 0.1, 0);
    case_step(c, 10, 0);
    fake->gpus[0].power_mw = 300000;
    case_pass(c, 0.1, 0);
    case_step(c, 20, 0);
    case_pass(c, 0.1, 5);
    case_step(c, 0, NMC_READ_SUSPENDED);
    case_pass(c, 0.1, 0);
    case_step(c, 30, 0);
}

/* The counter says `share` of what the power comes to. */
static size_t warnings_at(struct counter_case *c, double share) {
    two_gpus();
    fake->gpu_count = 1;
    open_advancing(c, "nvml", gpus_advance);
    for (int i = 0; i < 20; i++) {
        fake->gpus[0].energy_mj += (unsigned long long)(100 * 100 * share);
        case_pass(c, 0.1, 0);
        case_read(c);
    }
    neuromc_diags_clear(c->diags);
    nmc_counter_check(c->counter, c->diags);
    nmc_counter_close(c->counter);
    c->counter = NULL;
    return neuromc_diags_count(c->diags);
}

static void counter_against_power(void **state) {
    struct counter_case *c = *state;
    assert_int_equal(warnings_at(c, 1), 0);
    assert_int_equal(warnings_at(c, 0.82), 0);
    assert_int_equal(warnings_at(c, 1.18), 0);
    assert_int_equal(warnings_at(c, 1.3), 1);
    assert_int_equal(warnings_at(c, 0.5), 1);
    const neuromc_diag *warning = neuromc_diags_at(c->diags, 0);
    assert_int_equal(warning->severity, NEUROMC_WARNING);
    assert_non_null(strstr(warning->message, "more than 20 % apart"));
    assert_string_equal(warning->where, "A100");
}

static void nvml_absences(void **state) {
    struct counter_case *c = *state;
    fake->init_code = 9;
    case_lacks(c, "nvml", NMC_NOT_PRESENT, "driver is not loaded");
    fake->init_code = 4;
    case_lacks(c, "nvml", NMC_DENIED, "/dev/nvidiactl");
    fake->init_code = 999;
    case_lacks(c, "nvml", NMC_UNREADABLE, "Unknown Error");
    fake->init_code = 0;
    case_lacks(c, "nvml", NMC_EMPTY, "no GPU");
    two_gpus();
    case_lacks(c, "nvml", NMC_NOT_ADVANCING, "");
    fake->gpus[1].energy_code = fake->gpus[1].power_code = 3;
    case_lacks(c, "nvml", NMC_UNSUPPORTED, "GPU 1 (H200)");
    fake->gpus[1].energy_code = fake->gpus[1].power_code = 13; /* the driver does not know it */
    case_lacks(c, "nvml", NMC_UNSUPPORTED, "GPU 1 (H200) has neither an energy counter nor power");
    fake->gpus[1].power_code = 15;
    case_lacks(c, "nvml", NMC_UNREADABLE, "GPU 1: power: GPU is lost");
    fake->gpus[1].energy_code = 15;
    case_lacks(c, "nvml", NMC_UNREADABLE, "GPU 1: energy: GPU is lost");
    fake->gpus[1].energy_code = 4;
    case_lacks(c, "nvml", NMC_DENIED, "/dev/nvidia1 may not be used");
    fake->gpus[1].handle_code = 4;
    case_lacks(c, "nvml", NMC_DENIED, "/dev/nvidia1 may not be used");
    fake->gpus[1].handle_code = 15;
    case_lacks(c, "nvml", NMC_UNREADABLE, "GPU 1: handle: GPU is lost");
    fake->count_code = 999;
    case_lacks(c, "nvml", NMC_UNREADABLE, "counting GPUs: Unknown Error");
    c->options.asked.library_root = c->root;
    case_lacks(c, "nvml", NMC_NOT_PRESENT, "libnvidia-ml.so.1");
    case_write(c, "libnvidia-ml.so.1", "no library");
    case_lacks(c, "nvml", NMC_UNREADABLE, "cannot be loaded");
}

static void a_gpu_is_lost(void **state) {
    struct counter_case *c = *state;
    two_gpus();
    open_advancing(c, "nvml", gpus_advance);
    fake->gpus[1].energy_code = 15;
    assert_int_equal(nmc_counter_read(c->counter, &c->reading, c->diags), NEUROMC_IO);
    assert_string_equal(neuromc_diags_at(c->diags, 0)->message, "counter lost: GPU is lost");
    assert_string_equal(neuromc_diags_at(c->diags, 0)->where, "H200");
}

/* ---- task --------------------------------------------------------------------------------- */

static void task_reads_a_process(void **state) {
    struct counter_case *c = *state;
    fake->energy_nj = 5000000000;
    c->options.asked.pid = 4242;
    case_open(c, "task");
    assert_int_equal(fake->last_pid, 4242);
    fake->energy_nj += 2500000000;
    fake->billed += 1000000000;
    fake->serviced += 500000000;
    fake->user += 24000000; /* ticks of 125/3 ns: 1 s */
    fake->system += 12000000;
    case_pass(c, 1, 30); /* asleep meanwhile: a process does nothing then */
    case_step(c, 2.5, 0);
    assert_true(fabs(c->reading.cpu_s - 1.5) < 1e-12);
    assert_true(c->reading.beside_step_j == 1.5);
    assert_true(nmc_counter_info(c->counter)->per_process);
    /* Another child: what was counted stays, what it used before does not count. */
    fake->energy_nj = 1000;
    fake->user = fake->system = 7;
    assert_int_equal(nmc_counter_follow(c->counter, 5, c->diags), NEUROMC_OK);
    assert_int_equal(fake->last_pid, 5);
    fake->energy_nj += 500000000;
    fake->user += 24000000;
    case_step(c, 0.5, 0);
    assert_true(fabs(c->reading.cpu_s - 2.5) < 1e-12);
    assert_int_equal(nmc_counter_follow(c->counter, 0, c->diags), NEUROMC_UNSUPPORTED);
    assert_non_null(strstr(neuromc_diags_at(c->diags, 0)->hint, "--protocol"));
    neuromc_diags_clear(c->diags);
    assert_int_equal(nmc_counter_follow(c->counter, 5, c->diags), NEUROMC_OK);
    fake->rusage_fails_for = 5;
    assert_int_equal(nmc_counter_read(c->counter, &c->reading, c->diags), NEUROMC_IO);
    assert_non_null(strstr(neuromc_diags_at(c->diags, 0)->message, "process 5"));
}

/* Three readings still move, the fourth and fifth agree: 50 ms apart. */
static void task_settles(void **state) {
    struct counter_case *c = *state;
    case_open(c, "task");
    assert_int_equal(fake->last_pid, getpid());
    fake->grows = 3;
    fake->reads = 0;
    uint64_t before = c->monotonic_ns;
    assert_int_equal(nmc_counter_read_settled(c->counter, &c->reading, c->diags), NEUROMC_OK);
    assert_int_equal(fake->reads, 4);
    assert_int_equal(c->monotonic_ns - before, 150000000);
    assert_true(fabs(c->reading.step_j - 3e-6) < 1e-18);
    assert_int_equal(c->reading.quality, 0);
    fake->grows = 100000;
    assert_int_equal(nmc_counter_read_settled(c->counter, &c->reading, c->diags), NEUROMC_OK);
    assert_int_equal(c->reading.quality, NMC_READ_UNSETTLED);
}

static void task_absences(void **state) {
    struct counter_case *c = *state;
    fake->denominator = 0;
    case_lacks(c, "task", NMC_UNREADABLE, "time base");
    fake->denominator = 3;
    fake->timebase_code = 5;
    case_lacks(c, "task", NMC_UNREADABLE, "mach_timebase_info gives no time base");
    fake->timebase_code = 0;
    fake->older_by = 2;
    case_lacks(c, "task", NMC_UNSUPPORTED, "proc_pid_rusage has no flavour 6 here");
    c->options.asked.pid = fake->rusage_fails_for = 99;
    case_lacks(c, "task", NMC_UNREADABLE, "process 99");
    c->options.asked.library_root = c->root;
    case_lacks(c, "task", NMC_NOT_PRESENT, "libproc.dylib");
}

/* ---- ioreport ----------------------------------------------------------------------------- */

static void channel(const char *name, const char *unit) {
    fake->channels[fake->channel_count++] = (struct fake_channel){name, unit, 1000};
}

static void rails_advance(void) {
    fake->channels[0].total += 1;
}

static void rails_by_their_exact_names(void **state) {
    struct counter_case *c = *state;
    channel("CPU Energy", "mJ");
    channel("GPU Energy", " nJ ");
    channel("DIE_0_ANE", "mJ");
    channel("DIE_12_CPU Energy", "uJ\n");
    channel("DRAM", "\xC2\xB5J");
    channel("DIE_1_DRAM", "\xCE\xBCJ");
    channel("My GPU Energy", "mJ"); /* none of these */
    channel("GPU Energy 2", "mJ");
    channel("DIE_x_GPU Energy", "furlong");
    channel("DIE__GPU Energy", "mJ");
    channel("PCPU0", "mJ");
    open_advancing(c, "ioreport", rails_advance);
    assert_int_equal(nmc_counter_part_count(c->counter), 6);
    for (int i = 0; i < fake->channel_count; i++)
        fake->channels[i].total += 100 + i;
    fake->channels[1].total += 2000000000;
    case_pass(c, 1, 0);
    case_step(c, 0.1 + 101e-9 + 2 + 0.102 + 103e-6, 0);
    assert_true(fabs(c->reading.beside_step_j - (104e-6 + 105e-6)) < 1e-15);
    assert_true(case_part(c, "GPU Energy", "")->resolution_j == 1000 * 1e-12);
    case_role(c, "DIE_1_DRAM", "", NMC_BESIDE);
}

static void one_rail_alone(void **state) {
    struct counter_case *c = *state;
    static const char *const gpu[] = {"GPU Energy"};
    c->options.asked.devices = gpu;
    c->options.asked.device_count = 1;
    channel("DIE_0_GPU Energy", "nJ");
    channel("CPU Energy", "furlong"); /* not asked for, not looked at */
    channel("DIE_1_GPU Energy", "nJ");
    open_advancing(c, "ioreport", rails_advance);
    fake->channels[0].total += 1000000000;
    fake->channels[1].total += 1000000000;
    fake->channels[2].total += 500000000;
    case_pass(c, 1, 0);
    case_step(c, 1.5, 0);
}

static void every_unit(void **state) {
    struct counter_case *c = *state;
    static const struct {
        const char *label;
        double joules;
    } units[] = {{"pJ", 1e-12},       {"nJ", 1e-9},     {"uJ", 1e-6}, {"\xC2\xB5J", 1e-6},
                 {"\xCE\xBCJ", 1e-6}, {"  mJ\t", 1e-3}, {"J", 1},     {" kJ", 1e3}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        fake->channel_count = 0;
        channel("CPU Energy", units[i].label);
        open_advancing(c, "ioreport", rails_advance);
        fake->channels[0].total += 1;
        case_pass(c, 1, 0);
        case_step(c, units[i].joules, 0);
        nmc_counter_close(c->counter);
        c->counter = NULL;
    }
}

static void ioreport_absences(void **state) {
    struct counter_case *c = *state;
    fake->no_group = 1;
    case_lacks(c, "ioreport", NMC_UNSUPPORTED, "no group `Energy Model`");
    fake->no_group = 0;
    case_lacks(c, "ioreport", NMC_UNSUPPORTED, "no channel");
    channel("GPU Energy", "MJ");
    case_lacks(c, "ioreport", NMC_UNREADABLE, "`GPU Energy` counts in `MJ`, an unknown unit");
    fake->channels[0].unit = "";
    case_lacks(c, "ioreport", NMC_UNREADABLE, "counts in ``");
    fake->channels[0].unit = "mJ";
    case_lacks(c, "ioreport", NMC_NOT_ADVANCING, "");
    fake->no_sample = 1;
    case_lacks(c, "ioreport", NMC_UNREADABLE, "no sample");
    fake->no_sample = 0;
    fake->no_delta = 1;
    case_lacks(c, "ioreport", NMC_UNREADABLE, "IOReport gives no sample");
    fake->no_subscription = 1;
    case_lacks(c, "ioreport", NMC_UNREADABLE, "refuses a subscription to `Energy Model`");
    c->options.asked.library_root = c->root;
    case_lacks(c, "ioreport", NMC_NOT_PRESENT, "CoreFoundation");
}

static void ioreport_goes_wrong(void **state) {
    struct counter_case *c = *state;
    channel("CPU Energy", "mJ");
    open_advancing(c, "ioreport", rails_advance);
    fake->channels[0].total -= 50;
    case_pass(c, 1, 0);
    case_step(c, 0, NMC_READ_RESET);
    fake->channels[0].total += 50;
    case_pass(c, 1, 0);
    case_step(c, 0.05, 0);
    fake->channels[0].total += INT64_MAX / 1000;
    case_pass(c, 1, 0);
    case_step(c, 0, NMC_READ_RESET);
    fake->no_delta = 1;
    assert_int_equal(nmc_counter_read(c->counter, &c->reading, c->diags), NEUROMC_IO);
    assert_non_null(
        strstr(neuromc_diags_at(c->diags, 0)->message, "lost: IOReport gives no sample"));
    neuromc_diags_clear(c->diags);
    fake->no_delta = 0;
    fake->channels[0].unit = "cal";
    assert_int_equal(nmc_counter_read(c->counter, &c->reading, c->diags), NEUROMC_IO);
    assert_non_null(strstr(neuromc_diags_at(c->diags, 0)->message, "`cal`"));
}

static double share_of(const struct counter_case *c, const struct nmc_gpu_times *before,
                       pid_t pid) {
    struct nmc_gpu_times after;
    nmc_counter_gpu_times(c->counter, &after);
    struct nmc_gpu_spent spent = nmc_gpu_spent(before, &after, pid);
    return nmc_gpu_share(&spent);
}

/* A process has several clients, a client several usages; one client goes. */
static void share_of_the_gpu(void **state) {
    struct counter_case *c = *state;
    struct nmc_gpu_times before;
    channel("GPU Energy", "nJ");
    fake->client_count = 5;
    fake->clients[0] = (struct fake_client){"pid 70, python", 2, {1000, 2000}};
    fake->clients[1] = (struct fake_client){"pid 8, WindowServer", 1, {500, 0}};
    fake->clients[2] = (struct fake_client){"pid 70, python", 1, {100, 0}};
    fake->clients[3] = (struct fake_client){NULL, 1, {9, 0}};
    fake->clients[4] = (struct fake_client){"kernel", 1, {9, 0}};
    open_advancing(c, "ioreport", rails_advance);
    nmc_counter_gpu_times(c->counter, &before);
    assert_true(before.known);
    assert_int_equal(before.count, 2);
    assert_true(before.items[0].pid == 70 && before.items[0].ns == 3100);
    assert_true(share_of(c, &before, 70) == -1); /* nobody used it */
    fake->clients[0].times[1] += 500;
    fake->clients[2].times[0] += 250;
    fake->clients[1].times[0] += 250;
    fake->clients[4].times[0] += 5000;
    assert_true(share_of(c, &before, 70) == 0.75);
    assert_true(share_of(c, &before, 8) == 0.25);
    assert_true(share_of(c, &before, 9) == 0);
    assert_true(share_of(c, &before, 0) == -1);
    fake->clients[1] = (struct fake_client){"pid 8, WindowServer", 1, {3, 0}};
    assert_true(share_of(c, &before, 70) == 1);
    int64_t vanished[NMC_GPU_PROCESSES];
    struct nmc_gpu_times after;
    fake->clients[0].creator = fake->clients[2].creator = "pid 71, ruby";
    nmc_counter_gpu_times(c->counter, &after);
    assert_int_equal(nmc_gpu_vanished(&before, &after, vanished), 1);
    assert_int_equal(vanished[0], 70);
    fake->clients[1].creator = NULL;
    nmc_counter_gpu_times(c->counter, &after);
    assert_int_equal(nmc_gpu_vanished(&before, &after, vanished), 2);
    assert_true(vanished[0] == 8 && vanished[1] == 70);
    fake->no_registry = 1;
    assert_true(share_of(c, &before, 70) == -1);
}

static void no_gpu_times_elsewhere(void **state) {
    struct counter_case *c = *state;
    struct nmc_gpu_times times;
    case_open(c, "task");
    nmc_counter_gpu_times(c->counter, &times);
    assert_false(times.known);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(gpus_are_summed),      TEST(gpus_are_chosen),
        TEST(power_is_integrated),  TEST(counter_against_power),
        TEST(nvml_absences),        TEST(a_gpu_is_lost),
        TEST(task_reads_a_process), TEST(task_settles),
        TEST(task_absences),        TEST(rails_by_their_exact_names),
        TEST(one_rail_alone),       TEST(every_unit),
        TEST(ioreport_absences),    TEST(ioreport_goes_wrong),
        TEST(share_of_the_gpu),     TEST(no_gpu_times_elsewhere),
    };
    return cmocka_run_group_tests(tests, load_fake, unload_fake);
}
