/* powercap: which zones are summed, and how differences become energy. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "counter_case.h"

#define PACKAGE_RANGE "262143328850"
#define AMD_RANGE     "65532610987"
#define DRAM_RANGE    "65712999613"
#define PSYS_RANGE    "4294967295000000"

#define ZONE(id)   "class/powercap/" id
#define ENERGY(id) ZONE(id) "/energy_uj"

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

static void laptop_tree(struct counter_case *c) {
    case_zone(c, "intel-rapl:0", "package-0", 1000000, PACKAGE_RANGE);
    case_zone(c, "intel-rapl:0:0", "core", 500, PACKAGE_RANGE);
    case_zone(c, "intel-rapl:0:1", "uncore", 600, PACKAGE_RANGE);
    case_zone(c, "intel-rapl:1", "psys", 77, PSYS_RANGE);
    case_zone(c, "intel-rapl-mmio:0", "package-0", 1000000, PACKAGE_RANGE);
    case_write(c, ZONE("intel-rapl") "/enabled", "1\n");
    case_power(c, ENERGY("intel-rapl:0"), 10);
}

static void laptop(void **state) {
    struct counter_case *c = *state;
    laptop_tree(c);
    case_open(c, "rapl");
    case_role(c, "package-0", "intel-rapl:0", NMC_COUNTED);
    case_role(c, "package-0", "intel-rapl-mmio:0", NMC_REPEATS);
    case_role(c, "core", "intel-rapl:0:0", NMC_INSIDE);
    case_role(c, "uncore", "intel-rapl:0:1", NMC_INSIDE);
    case_role(c, "psys", "intel-rapl:1", NMC_AROUND);
    assert_int_equal(nmc_counter_part_count(c->counter), 5);
    case_pass(c, 1, 0);
    case_write(c, ENERGY("intel-rapl-mmio:0"), "99000000\n");
    case_write(c, ENERGY("intel-rapl:1"), "99000000\n");
    case_write(c, ENERGY("intel-rapl:0"), "21000000\n");
    double before = c->reading.energy_j;
    case_read(c);
    assert_true(c->reading.energy_j - before > 19 && c->reading.energy_j - before < 20.0001);
    assert_true(nmc_counter_info(c->counter)->range_j == 262143.32885);
}

/* Only the mirror is there: it counts. */
static void mmio_alone(void **state) {
    struct counter_case *c = *state;
    case_zone(c, "intel-rapl-mmio:0", "package-0", 5, PACKAGE_RANGE);
    case_power(c, ENERGY("intel-rapl-mmio:0"), 10);
    case_open(c, "rapl");
    case_role(c, "package-0", "intel-rapl-mmio:0", NMC_COUNTED);
}

static void server_tree(struct counter_case *c) {
    /* Ids need not follow the numbers of the packages, and are hexadecimal. */
    case_zone(c, "intel-rapl:a", "package-1 ", 1000, PACKAGE_RANGE);
    case_zone(c, "intel-rapl:a:0", "dram\t", 1000, DRAM_RANGE);
    case_zone(c, "intel-rapl:1f", "package-0", 1000, PACKAGE_RANGE);
    case_zone(c, "intel-rapl:1f:0", "dram", 1000, DRAM_RANGE);
    case_zone(c, "intel-rapl:1f:1", "quantum", 1000, DRAM_RANGE);
    case_zone(c, "intel-rapl:2", "psys", 1000, PSYS_RANGE);
    case_power(c, ENERGY("intel-rapl:a"), 10);
    case_power(c, ENERGY("intel-rapl:1f"), 10);
}

static void two_sockets_with_dram(void **state) {
    struct counter_case *c = *state;
    server_tree(c);
    case_open(c, "rapl");
    case_role(c, "quantum", "intel-rapl:1f:1", NMC_IGNORED);
    case_role(c, "dram", "intel-rapl:a:0", NMC_BESIDE);
    case_write(c, ENERGY("intel-rapl:a"), "100000000\n");
    case_write(c, ENERGY("intel-rapl:1f"), "200000000\n");
    case_pass(c, 1, 0);
    case_read(c);
    double dram = c->reading.beside_j;
    case_write(c, ENERGY("intel-rapl:a"), "130000000\n");
    case_write(c, ENERGY("intel-rapl:1f"), "207000000\n");
    case_write(c, ENERGY("intel-rapl:a:0"), "3001000\n");
    case_write(c, ENERGY("intel-rapl:1f:0"), "2001000\n");
    case_pass(c, 1, 0);
    case_step(c, 37, 0);
    assert_true(c->reading.beside_j - dram == 5);
    assert_true(c->reading.beside_step_j == 5);
    assert_true(nmc_counter_info(c->counter)->range_j == 262143.32885);
}

static void amd(void **state) {
    struct counter_case *c = *state;
    case_zone(c, "intel-rapl:0", "package-0", 65532000000, AMD_RANGE);
    case_zone(c, "intel-rapl:0:0", "core", 1, AMD_RANGE);
    case_power(c, ENERGY("intel-rapl:0"), 0.1);
    case_open(c, "rapl");
    case_write(c, ENERGY("intel-rapl:0"), "65532610980\n");
    case_pass(c, 1, 0);
    case_read(c);
    case_write(c, ENERGY("intel-rapl:0"), "40000000\n");
    case_pass(c, 1, 0);
    case_step(c, 40.000007, NMC_READ_WRAPPED);
    assert_int_equal(case_part(c, "package-0", ":0")->wraps, 1);
    /* 65532.610987 J in 2^32 - 1 steps */
    double step = nmc_counter_info(c->counter)->resolution_j;
    assert_true(step > 15.257e-6 && step < 15.259e-6);
}

/* Each zone wraps in its own range. */
static void dies(void **state) {
    struct counter_case *c = *state;
    case_zone(c, "intel-rapl:0", "package-0-die-0", 262143328840, PACKAGE_RANGE);
    case_zone(c, "intel-rapl:1", "package-0-die-1", 100, "1000000");
    case_zone(c, "intel-rapl:0:0", "dram", 1, DRAM_RANGE);
    case_zone(c, "intel-rapl:1:0", "dram", 1, DRAM_RANGE);
    case_zone(c, "intel-rapl-mmio:0", "package-0", 1, PACKAGE_RANGE);
    case_power(c, ENERGY("intel-rapl:1"), 0.01);
    case_open(c, "rapl");
    case_role(c, "package-0-die-1", "intel-rapl:1", NMC_COUNTED);
    case_role(c, "dram", "intel-rapl:1:0", NMC_BESIDE);
    case_role(c, "package-0", "mmio", NMC_REPEATS);
    case_write(c, ENERGY("intel-rapl:1"), "999990\n");
    case_pass(c, 0.0005, 0);
    case_read(c);
    case_write(c, ENERGY("intel-rapl:0"), "10\n");
    case_write(c, ENERGY("intel-rapl:1"), "10\n");
    case_pass(c, 0.0005, 0);
    case_step(c, 40e-6, NMC_READ_WRAPPED);
}

/* The whole package is there beside its dies: it alone counts. */
static void package_and_dies(void **state) {
    struct counter_case *c = *state;
    case_zone(c, "intel-rapl:0", "package-0-die-0", 1, PACKAGE_RANGE);
    case_zone(c, "intel-rapl:1", "package-0", 1, PACKAGE_RANGE);
    case_zone(c, "intel-rapl:2", "package-1-die-0", 1, PACKAGE_RANGE);
    case_power(c, ENERGY("intel-rapl:1"), 1);
    case_open(c, "rapl");
    case_role(c, "package-0-die-0", ":0", NMC_INSIDE);
    case_role(c, "package-0", ":1", NMC_COUNTED);
    case_role(c, "package-1-die-0", ":2", NMC_COUNTED);
}

/* As the kernel has it: links at the top, zones in zones, each seen twice. */
static void nested_and_linked(void **state) {
    struct counter_case *c = *state;
    case_zone(c, "../../devices/virtual/powercap/intel-rapl/intel-rapl:0", "package-0", 1,
              PACKAGE_RANGE);
    case_zone(c, "../../devices/virtual/powercap/intel-rapl/intel-rapl:0/intel-rapl:0:0", "dram",
              1000, DRAM_RANGE);
    case_zone(c, "../../devices/virtual/powercap/intel-rapl/intel-rapl:0/intel-rapl:0:1", "core", 1,
              DRAM_RANGE);
    case_link(c, ZONE("intel-rapl"), "../../devices/virtual/powercap/intel-rapl");
    case_link(c, ZONE("intel-rapl:0"), "../../devices/virtual/powercap/intel-rapl/intel-rapl:0");
    case_link(c, ZONE("intel-rapl:0:1"),
              "../../devices/virtual/powercap/intel-rapl/intel-rapl:0/intel-rapl:0:1");
    case_power(c, "devices/virtual/powercap/intel-rapl/intel-rapl:0/energy_uj", 1);
    case_open(c, "rapl");
    assert_int_equal(nmc_counter_part_count(c->counter), 3);
    case_role(c, "package-0", "", NMC_COUNTED);
    case_role(c, "dram", "", NMC_BESIDE);
    case_role(c, "core", "", NMC_INSIDE);
}

/* ---- intervals without energy ------------------------------------------------------------- */

static void one_package(struct counter_case *c, const char *range) {
    case_zone(c, "intel-rapl:0", "package-0", 1000000000, range);
    case_power(c, ENERGY("intel-rapl:0"), 1);
    case_open(c, "rapl");
    case_write(c, ENERGY("intel-rapl:0"), "2000000000\n");
    case_pass(c, 1, 0);
    case_read(c);
}

static void set_energy(struct counter_case *c, const char *text) {
    case_write(c, ENERGY("intel-rapl:0"), "%s\n", text);
}

static void a_reset_is_no_energy(void **state) {
    struct counter_case *c = *state;
    one_package(c, PACKAGE_RANGE);
    set_energy(c, "5000000"); /* 260 kJ in a second, if it were a wrap */
    case_pass(c, 1, 0);
    case_step(c, 0, NMC_READ_RESET);
    set_energy(c, "15000000");
    case_pass(c, 1, 0);
    case_step(c, 10, 0);
    set_energy(c, "2015000000"); /* 2000 W: the bound is still plausible */
    case_pass(c, 1, 0);
    case_step(c, 2000, 0);
    set_energy(c, "4016000000"); /* 2001 W */
    case_pass(c, 1, 0);
    case_step(c, 0, NMC_READ_RESET);
}

static void the_bound_is_an_option(void **state) {
    struct counter_case *c = *state;
    c->options.asked.max_plausible_watts = 100;
    one_package(c, PACKAGE_RANGE);
    set_energy(c, "2100000000");
    case_pass(c, 1, 0);
    case_step(c, 100, 0);
    set_energy(c, "2201000000");
    case_pass(c, 1, 0);
    case_step(c, 0, NMC_READ_RESET);
}

static void without_a_range_a_wrap_is_lost(void **state) {
    struct counter_case *c = *state;
    one_package(c, NULL);
    assert_true(nmc_counter_info(c->counter)->range_j == 0);
    assert_non_null(strstr(case_part(c, "package-0", "")->note, "max_energy_range_uj"));
    set_energy(c, "2003000000");
    case_pass(c, 1, 0);
    case_step(c, 3, 0);
    set_energy(c, "1000");
    case_pass(c, 1, 0);
    case_step(c, 0, NMC_READ_RESET);
}

static void suspended(void **state) {
    struct counter_case *c = *state;
    one_package(c, PACKAGE_RANGE);
    set_energy(c, "2003000000");
    case_pass(c, 1, 30);
    case_step(c, 0, NMC_READ_SUSPENDED);
    set_energy(c, "2004000000");
    case_pass(c, 1, 0);
    case_step(c, 1, 0);
}

/* 65.5 kJ hold 2000 W for 32.77 s: after 65.6 s two wraps may be hidden. */
static void room_for_two_wraps(void **state) {
    struct counter_case *c = *state;
    one_package(c, AMD_RANGE);
    set_energy(c, "3000000000");
    case_pass(c, 65.4, 0);
    case_step(c, 1000, 0);
    set_energy(c, "4000000000");
    case_pass(c, 65.6, 0);
    case_step(c, 0, NMC_READ_GAP);
}

static void energy_beyond_the_range(void **state) {
    struct counter_case *c = *state;
    one_package(c, "1500000000");
    set_energy(c, "10");
    case_pass(c, 0.9, 0);
    case_step(c, 0, NMC_READ_RESET);
}

static void one_of_two_sticks(void **state) {
    struct counter_case *c = *state;
    server_tree(c);
    case_open(c, "rapl");
    for (int i = 1; i <= 10; i++) {
        case_write(c, ENERGY("intel-rapl:a"), "%d\n", 1000000000 + i * 1000000);
        case_pass(c, 0.2, 0);
        case_read(c);
        assert_int_equal(c->reading.quality & NMC_READ_STUCK, i < 5 ? 0 : NMC_READ_STUCK);
    }
    assert_int_equal(case_part(c, "package-1", "")->quality, 0);
    assert_int_equal(case_part(c, "package-0", "")->quality, NMC_READ_STUCK);
}

/* ---- lost while reading ------------------------------------------------------------------- */

static void assert_lost(struct counter_case *c, const char *message) {
    assert_int_equal(nmc_counter_read(c->counter, &c->reading, c->diags), NEUROMC_IO);
    const neuromc_diag *diag = neuromc_diags_at(c->diags, 0);
    assert_non_null(strstr(diag->message, message));
    assert_non_null(strstr(diag->file, "intel-rapl:0/energy_uj"));
    assert_string_equal(diag->where, "package-0");
    neuromc_diags_clear(c->diags);
}

static void losses(void **state) {
    struct counter_case *c = *state;
    one_package(c, PACKAGE_RANGE);
    c->read_error = EIO;
    assert_lost(c, "Input/output error");
    c->read_error = ENODEV;
    assert_lost(c, "vanished");
    c->read_error = 0;
    set_energy(c, "12 34");
    assert_lost(c, "no number");
    set_energy(c, "-3");
    assert_lost(c, "no number");
    set_energy(c, "99999999999999999999999");
    assert_lost(c, "no number");
    set_energy(c, "");
    assert_lost(c, "no number");
    set_energy(c, "  002000000000  ");
    case_read(c);
    case_remove(c, ZONE("intel-rapl:0"));
    assert_lost(c, "vanished");
}

/* A writer that puts a new file in the place of the old one. */
static void replaced_file(void **state) {
    struct counter_case *c = *state;
    one_package(c, PACKAGE_RANGE);
    case_remove(c, ENERGY("intel-rapl:0"));
    set_energy(c, "2004000000");
    case_pass(c, 1, 0);
    case_step(c, 4, 0);
}

/* Its writer still has the file, which no longer has a name. */
static void vanishes_while_written(void **state) {
    struct counter_case *c = *state;
    one_package(c, PACKAGE_RANGE);
    char path[512];
    snprintf(path, sizeof path, "%s/" ENERGY("intel-rapl:0"), c->root);
    FILE *writer = fopen(path, "r+");
    assert_non_null(writer);
    case_remove(c, ZONE("intel-rapl:0"));
    fputs("2005000000\n", writer);
    fclose(writer);
    case_pass(c, 1, 0);
    assert_lost(c, "vanished");
}

/* dram may go; the packages still count. */
static void dram_vanishes(void **state) {
    struct counter_case *c = *state;
    server_tree(c);
    case_open(c, "rapl");
    case_remove(c, ZONE("intel-rapl:a:0"));
    case_pass(c, 0.1, 0);
    case_read(c);
    assert_int_equal(c->reading.quality, 0);
    assert_int_equal(case_part(c, "dram", "intel-rapl:a:0")->quality, NMC_READ_REFUSED);
}

/* ---- absent ------------------------------------------------------------------------------- */

static void absences(void **state) {
    struct counter_case *c = *state;
    case_lacks(c, "rapl", NMC_NOT_PRESENT, "class/powercap");
    case_write(c, ZONE("intel-rapl") "/enabled", "1\n");
    case_lacks(c, "rapl", NMC_EMPTY, "no zones");
    case_link(c, ZONE("intel-rapl:0"), "../../devices/nowhere");
    case_lacks(c, "rapl", NMC_DANGLING, "intel-rapl:0 is a link");
    case_remove(c, ZONE("intel-rapl:0"));
    case_zone(c, "intel-rapl:0", "psys", 1, PSYS_RANGE);
    case_lacks(c, "rapl", NMC_UNSUPPORTED, "there are: psys");
    case_zone(c, "intel-rapl:1", "package-0", 1, PACKAGE_RANGE);
    case_lacks(c, "rapl", NMC_NOT_ADVANCING, "within a second");
    case_link(c, ENERGY("intel-rapl:1"), "nowhere");
    case_lacks(c, "rapl", NMC_DANGLING, "intel-rapl:1/energy_uj");
    case_link(c, ENERGY("intel-rapl:1"), "/proc/self/mem");
    case_lacks(c, "rapl", NMC_UNREADABLE, "Input/output error");
    case_remove(c, ENERGY("intel-rapl:1"));
    case_lacks(c, "rapl", NMC_NOT_PRESENT, "intel-rapl:1/energy_uj");
    case_write(c, ENERGY("intel-rapl:1") "/a", "1\n");
    case_lacks(c, "rapl", NMC_UNREADABLE, "directory");
    case_remove(c, ENERGY("intel-rapl:1"));
    case_write(c, ENERGY("intel-rapl:1"), "zero\n");
    case_lacks(c, "rapl", NMC_UNREADABLE, "does not hold a number");
    case_remove(c, "class/powercap");
    case_link(c, "class/powercap", "nowhere");
    case_lacks(c, "rapl", NMC_DANGLING, "class/powercap is a link");
}

/* One package of two leads nowhere: a sum without it would be wrong; a mirror may. */
static void one_link_dangles(void **state) {
    struct counter_case *c = *state;
    laptop_tree(c);
    case_remove(c, ZONE("intel-rapl-mmio:0"));
    case_link(c, ZONE("intel-rapl-mmio:0"), "nowhere");
    case_open(c, "rapl");
    nmc_counter_close(c->counter);
    case_link(c, ZONE("intel-rapl:2"), "nowhere");
    case_lacks(c, "rapl", NMC_DANGLING, "intel-rapl:2");
}

static void odd_names(void **state) {
    struct counter_case *c = *state;
    static const char *const names[] = {"package-",
                                        "package-x",
                                        "Package-0",
                                        "package-0-die",
                                        "package-0-die-",
                                        "package-0 x",
                                        "package-00000000000001"};
    char id[64];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(id, sizeof id, "intel-rapl:%zx", i + 9);
        case_zone(c, id, names[i], 1, PACKAGE_RANGE);
    }
    case_zone(c, "intel-rapl:zz", "package-5", 1, PACKAGE_RANGE);
    case_zone(c, "intel-rapl:0:", "package-6", 1, PACKAGE_RANGE);
    case_lacks(c, "rapl", NMC_UNSUPPORTED, "there are: package-, package-x, Package-0,");
}

/* Whatever allocation fails, it is said to be that, and nothing leaks. */
static void memory_runs_out(void **state) {
    struct counter_case *c = *state;
    server_tree(c);
    for (size_t i = 1; i < 10000; i++) {
        nmc_memory_fail_at(i);
        neuromc_status status = nmc_counter_open("rapl", &c->options, &c->counter, NULL);
        nmc_memory_fail_at(0);
        if (status == NEUROMC_OK)
            return;
        assert_int_equal(status, NEUROMC_IO);
        neuromc_diags_clear(c->diags);
        nmc_memory_fail_at(i);
        nmc_counter_open("rapl", &c->options, &c->counter, c->diags);
        nmc_memory_fail_at(0);
        assert_null(c->counter);
        assert_string_equal(neuromc_diags_at(c->diags, 0)->message, "memory ran out");
    }
    fail_msg("never succeeds");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(laptop),
        TEST(mmio_alone),
        TEST(two_sockets_with_dram),
        TEST(amd),
        TEST(dies),
        TEST(package_and_dies),
        TEST(nested_and_linked),
        TEST(a_reset_is_no_energy),
        TEST(the_bound_is_an_option),
        TEST(without_a_range_a_wrap_is_lost),
        TEST(suspended),
        TEST(room_for_two_wraps),
        TEST(energy_beyond_the_range),
        TEST(one_of_two_sticks),
        TEST(losses),
        TEST(replaced_file),
        TEST(vanishes_while_written),
        TEST(dram_vanishes),
        TEST(absences),
        TEST(one_link_dangles),
        TEST(odd_names),
        TEST(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
