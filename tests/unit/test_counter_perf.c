/* The power PMU: how sysfs describes it, and the system call, driven through the msr PMU, which
 * obeys the same rules. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "counter_case.h"
#include "counters/perf_event.h"

#define PMU "bus/event_source/devices/power"

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

static void event(struct counter_case *c, const char *name, const char *terms, const char *scale) {
    char path[256];
    snprintf(path, sizeof path, PMU "/events/%s", name);
    case_write(c, path, "%s\n", terms);
    snprintf(path, sizeof path, PMU "/events/%s.scale", name);
    case_write(c, path, "%s\n", scale);
    snprintf(path, sizeof path, PMU "/events/%s.unit", name);
    case_write(c, path, "Joules\n");
}

static void pmu(struct counter_case *c, const char *type, const char *cpumask) {
    case_write(c, PMU "/type", "%s\n", type);
    case_write(c, PMU "/cpumask", "%s\n", cpumask);
    case_write(c, PMU "/format/event", "config:0-7\n");
}

static const struct nmc_counter_kind bare = {.info = {.name = "bare"}};

/* Finds the description alone, without opening an event. */
static bool describe(struct counter_case *c, struct nmc_perf_pmu *out, struct nmc_perf_event *e,
                     struct nmc_missing *missing, struct nmc_counter *counter) {
    *counter = (struct nmc_counter){.kind = &bare, .options = c->options};
    nmc_arena_init(&counter->arena, 1 << 20);
    *missing = (struct nmc_missing){0};
    return nmc_perf_pmu_find(counter, "power", out, missing) &&
           nmc_perf_event_find(counter, out, "energy-pkg", e, missing);
}

static void descriptions(void **state) {
    struct counter_case *c = *state;
    struct nmc_perf_pmu found = {0};
    struct nmc_perf_event e = {0};
    struct nmc_missing missing;
    struct nmc_counter counter;
    pmu(c, "9", "0,18-19");
    event(c, "energy-pkg", "event=0x02", "2.3283064365386962890625e-10");
    assert_true(describe(c, &found, &e, &missing, &counter));
    assert_int_equal(found.type, 9);
    assert_int_equal(found.cpu_count, 3);
    assert_int_equal(found.cpus[0], 0);
    assert_int_equal(found.cpus[1], 18);
    assert_int_equal(found.cpus[2], 19);
    assert_int_equal(e.config[0], 2);
    assert_true(e.joules == 2.3283064365386962890625e-10); /* 2^-32 */
    nmc_arena_release(&counter.arena);
    case_write(c, PMU "/format/event", "config:0-3,8-11\n");
    case_write(c, PMU "/format/edge", "config1:5\n");
    event(c, "energy-pkg", "event=0xab,edge,config2=12", "1e-6 ");
    assert_true(describe(c, &found, &e, &missing, &counter));
    assert_int_equal(e.config[0], 0xa0b);
    assert_int_equal(e.config[1], 32);
    assert_int_equal(e.config[2], 12);
    nmc_arena_release(&counter.arena);
    case_remove(c, PMU "/format");
    event(c, "energy-pkg", "event=0x02", "1");
    assert_true(describe(c, &found, &e, &missing, &counter));
    assert_int_equal(e.config[0], 2);
    nmc_arena_release(&counter.arena);
}

static void oddities(void **state) {
    struct counter_case *c = *state;
    case_lacks(c, "perf", NMC_NOT_PRESENT, PMU "/type");
    case_link(c, PMU, "nowhere");
    case_lacks(c, "perf", NMC_DANGLING, "devices/power is a link");
    case_remove(c, PMU);
    static const char *const masks[] = {"", "0,", "a", "3-1", "0-99999", "0;1", "-1"};
    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
        pmu(c, "9", masks[i]);
        case_lacks(c, "perf", NMC_UNREADABLE, "cpumask");
    }
    pmu(c, "4294967296", "0");
    case_lacks(c, "perf", NMC_UNREADABLE, "type");
    pmu(c, "9", "0");
    case_lacks(c, "perf", NMC_NOT_PRESENT, "events");
    event(c, "energy-psys", "event=0x05", "1");
    case_lacks(c, "perf", NMC_UNSUPPORTED, "no energy-pkg");
    static const char *const terms[] = {"",        "event=", "event=0x", "event=2x", "event=0x1ff",
                                        "other=1", "=3",     "a/b=1",    "event=-1"};
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
        event(c, "energy-pkg", terms[i], "1");
        case_lacks(c, "perf", NMC_UNREADABLE, "energy-pkg");
    }
    static const char *const scales[] = {"", "0", "-1", "nan", "inf", "1 J"};
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        event(c, "energy-pkg", "event=0x02", scales[i]);
        case_lacks(c, "perf", NMC_UNREADABLE, "energy-pkg.scale");
    }
    event(c, "energy-pkg", "event=0x02", "1");
    case_write(c, PMU "/events/energy-pkg.unit", "Watts\n");
    case_lacks(c, "perf", NMC_UNREADABLE, "`Watts`");
    event(c, "energy-pkg", "event=0x02", "1");
    pmu(c, "4000000000", "0");
    case_lacks(c, "perf", NMC_UNSUPPORTED, "refuses energy-pkg on processor 0");
}

/* ---- the system call, where there is a PMU to drive ----------------------------------------- */

#if defined(__x86_64__)
static uint64_t ticks(void) {
    return __builtin_ia32_rdtsc();
}
#else
static uint64_t ticks(void) {
    return 0;
}
#endif

/* The time stamp counter stands in for energy, 10 nJ a tick; none for anything else. */
static bool msr_as_power(struct counter_case *c, const char *cpumask) {
    char type[32] = "";
    FILE *f = fopen("/sys/bus/event_source/devices/msr/type", "r");
    if (f && !fgets(type, sizeof type, f))
        type[0] = '\0';
    if (f)
        fclose(f);
    if (!type[0] || !ticks() || access("/sys/bus/event_source/devices/msr/events/tsc", R_OK) != 0)
        return false;
    type[strcspn(type, "\n")] = '\0';
    pmu(c, type, cpumask);
    case_write(c, PMU "/format/event", "config:0-63\n");
    event(c, "energy-pkg", "event=0x00", "1e-8");
    event(c, "energy-ram", "event=0x00", "2e-8");
    event(c, "energy-cores", "event=0x00", "1e-8");
    c->options.clock = NULL;
    return true;
}

static void counts_with_the_system_call(void **state) {
    struct counter_case *c = *state;
    if (!msr_as_power(c, "0"))
        skip();
    neuromc_status status = nmc_counter_open("perf", &c->options, &c->counter, c->diags);
    if (status != NEUROMC_OK && strstr(neuromc_diags_at(c->diags, 0)->message, "no permission"))
        skip();
    assert_int_equal(status, NEUROMC_OK);
    assert_int_equal(nmc_counter_part_count(c->counter), 3);
    case_role(c, "energy-ram", "processor 0", NMC_BESIDE);
    case_role(c, "energy-cores", "", NMC_INSIDE);
    uint64_t outer = ticks();
    case_read(c);
    uint64_t inner = ticks();
    double before = c->reading.energy_j, ram = c->reading.beside_j;
    usleep(20000);
    uint64_t inner_end = ticks();
    case_read(c);
    uint64_t outer_end = ticks();
    double joules = c->reading.energy_j - before, least = (double)(inner_end - inner) * 1e-8,
           most = (double)(outer_end - outer) * 1e-8;
    assert_true(joules >= least * 0.999 && joules <= most * 1.001);
    assert_true(c->reading.beside_j - ram >= 1.9 * least);
}

static void each_processor_of_the_mask(void **state) {
    struct counter_case *c = *state;
    if (sysconf(_SC_NPROCESSORS_ONLN) < 2 || !msr_as_power(c, "0-1"))
        skip();
    neuromc_status status = nmc_counter_open("perf", &c->options, &c->counter, c->diags);
    if (status != NEUROMC_OK && strstr(neuromc_diags_at(c->diags, 0)->message, "no permission"))
        skip();
    assert_int_equal(status, NEUROMC_OK);
    assert_int_equal(nmc_counter_part_count(c->counter), 5);
    uint64_t from = ticks();
    case_read(c);
    double before = c->reading.energy_j;
    usleep(20000);
    uint64_t to = ticks();
    case_read(c);
    double ratio = (c->reading.energy_j - before) / ((double)(to - from) * 1e-8);
    assert_true(ratio > 1.8 && ratio < 2.5);
}

/* The same ticks as powercap shows them, in microjoules. */
static ssize_t read_ticks(void *user, const char *path, int fd, char *out, size_t size) {
    (void)user, (void)path, (void)fd;
    return snprintf(out, size, "%llu\n", (unsigned long long)(ticks() / 100));
}

static double total(struct nmc_counter *counter, neuromc_diags *diags) {
    struct nmc_reading reading;
    assert_int_equal(nmc_counter_read(counter, &reading, diags), NEUROMC_OK);
    assert_false(reading.quality & NMC_READ_NO_ENERGY);
    return reading.energy_j;
}

/* Both count one package: what perf says lies between two readings of rapl, within 1e-4. */
static void agrees_with_rapl(void **state) {
    struct counter_case *c = *state;
    const struct nmc_value_reader reader = {read_ticks, NULL};
    struct nmc_counter *rapl;
    if (!msr_as_power(c, "0"))
        skip();
    case_zone(c, "intel-rapl:0", "package-0", 1, "262143328850");
    c->options.reader = &reader;
    neuromc_status status = nmc_counter_open("perf", &c->options, &c->counter, c->diags);
    if (status != NEUROMC_OK && strstr(neuromc_diags_at(c->diags, 0)->message, "no permission"))
        skip();
    assert_int_equal(status, NEUROMC_OK);
    assert_int_equal(nmc_counter_open("rapl", &c->options, &rapl, c->diags), NEUROMC_OK);
    double outer = total(rapl, c->diags), from = total(c->counter, c->diags),
           inner = total(rapl, c->diags);
    usleep(200000);
    double inner_end = total(rapl, c->diags), to = total(c->counter, c->diags),
           outer_end = total(rapl, c->diags);
    nmc_counter_close(rapl);
    assert_true(to - from >= (inner_end - inner) * (1 - 1e-4));
    assert_true(to - from <= (outer_end - outer) * (1 + 1e-4));
    assert_true((outer_end - outer) / (inner_end - inner) < 1.5);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(descriptions),
        TEST(oddities),
        TEST(counts_with_the_system_call),
        TEST(each_processor_of_the_mask),
        TEST(agrees_with_rapl),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
