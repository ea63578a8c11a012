/* hwmon: which channels of which chips are read, and what values are refused. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "counter_case.h"

#define CHIP(n, file) "class/hwmon/hwmon" n "/" file

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

static void choose(struct counter_case *c, const char *const *name) {
    c->options.asked.devices = name;
    c->options.asked.device_count = 1;
}

static void amd_energy(struct counter_case *c) {
    case_write(c, CHIP("0", "name"), "amd_energy\n");
    case_write(c, CHIP("0", "energy1_input"), "1000\n");
    case_write(c, CHIP("0", "energy1_label"), "Ecore000\n");
    case_write(c, CHIP("0", "energy9_input"), "5000000\n");
    case_write(c, CHIP("0", "energy9_label"), "Esocket0\n");
    case_write(c, CHIP("0", "energy10_input"), "6000000\n");
    case_write(c, CHIP("0", "energy10_label"), "Esocket1\n");
    case_write(c, CHIP("1", "name"), "amdgpu\n");
    case_write(c, CHIP("1", "power1_average"), "25000000\n");
    case_power(c, CHIP("0", "energy9_input"), 1);
}

static void sockets_and_their_cores(void **state) {
    struct counter_case *c = *state;
    amd_energy(c);
    case_open(c, "hwmon");
    case_role(c, "amd_energy/Ecore000", "energy1_input", NMC_INSIDE);
    case_role(c, "amd_energy/Esocket1", "energy10_input", NMC_COUNTED);
    case_role(c, "amdgpu/power1", "power1_average", NMC_IGNORED);
    case_write(c, CHIP("0", "energy9_input"), "100000000\n");
    case_pass(c, 1, 0);
    case_read(c);
    case_write(c, CHIP("0", "energy9_input"), "110000000\n");
    case_write(c, CHIP("0", "energy10_input"), "10000000\n");
    case_pass(c, 1, 0);
    case_step(c, 14, 0);
    assert_false(nmc_counter_info(c->counter)->integrated);
}

static void chosen_by_name(void **state) {
    struct counter_case *c = *state;
    static const char *const names[] = {"amdgpu", "hwmon1/power1", "hwmon1", "amdgpu/power1"};
    amd_energy(c);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        choose(c, &names[i]);
        case_write(c, CHIP("1", "power1_average"), "25000000\n");
        case_open(c, "hwmon");
        assert_true(nmc_counter_info(c->counter)->integrated);
        case_role(c, "amd_energy/Esocket0", "", NMC_IGNORED);
        case_write(c, CHIP("1", "power1_average"), "75000000\n");
        case_pass(c, 0.2, 0);
        case_step(c, 10, 0);
        nmc_counter_close(c->counter);
        c->counter = NULL;
    }
    static const char *const unknown = "nvme";
    choose(c, &unknown);
    case_lacks(c, "hwmon", NMC_UNSUPPORTED, "--device");
}

/* An average is better than the moment's power; a battery feeds what others see. */
static void average_before_input(void **state) {
    struct counter_case *c = *state;
    case_write(c, CHIP("3", "name"), "amdgpu\n");
    case_write(c, CHIP("3", "power1_average"), "10000000\n");
    case_write(c, CHIP("3", "power1_input"), "99000000\n");
    case_write(c, CHIP("3", "power2_input"), "5000000\n");
    case_write(c, CHIP("3", "power1_cap"), "5\n");
    case_write(c, CHIP("3", "temp1_input"), "45000\n");
    case_write(c, CHIP("4", "name"), "BAT0\n");
    case_write(c, CHIP("4", "power1_input"), "30000000\n");
    case_open(c, "hwmon");
    assert_int_equal(nmc_counter_part_count(c->counter), 3);
    case_role(c, "BAT0/power1", "", NMC_AROUND);
    case_pass(c, 2, 0);
    case_step(c, 30, 0);
}

static void sentinels(void **state) {
    struct counter_case *c = *state;
    static const char *const values[] = {
        "65535",      "65535000",      "65535000000",        "4294967295",
        "2147483647", "4294967295000", "9223372036854775807"};
    case_write(c, CHIP("0", "name"), "chip\n");
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        case_write(c, CHIP("0", "power1_input"), "%s\n", values[i]);
        case_lacks(c, "hwmon", NMC_UNSUPPORTED, values[i]);
    }
    case_write(c, CHIP("0", "power1_input"), "10000000\n");
    case_open(c, "hwmon");
    static const char *const refused[] = {"4294967295", "-1", "18446744073709551615", ""};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        case_write(c, CHIP("0", "power1_input"), "%s\n", refused[i]);
        case_pass(c, 1, 0);
        case_step(c, 0, NMC_READ_REFUSED);
        case_write(c, CHIP("0", "power1_input"), "10000000\n");
        case_pass(c, 1, 0);
        case_step(c, 0, NMC_READ_REFUSED); /* from an unknown power on */
        case_pass(c, 1, 0);
        case_step(c, 10, 0);
    }
    c->read_error = ENODATA;
    case_pass(c, 1, 0);
    case_step(c, 0, NMC_READ_REFUSED);
    c->read_error = ENODEV;
    assert_int_equal(nmc_counter_read(c->counter, &c->reading, c->diags), NEUROMC_IO);
}

/* A card that sleeps does not spoil the others, unless it was asked for. */
static void one_has_no_value(void **state) {
    struct counter_case *c = *state;
    static const char *const asleep = "amdgpu";
    case_write(c, CHIP("0", "name"), "amdgpu\n");
    case_link(c, CHIP("0", "power1_average"), "/proc/self/mem");
    case_lacks(c, "hwmon", NMC_UNSUPPORTED, "power1_average has no value: Input/output error");
    case_write(c, CHIP("1", "name"), "ina3221\n");
    case_write(c, CHIP("1", "power1_input"), "4000000\n");
    case_open(c, "hwmon");
    case_role(c, "amdgpu/power1", "", NMC_IGNORED);
    case_pass(c, 1, 0);
    case_step(c, 4, 0);
    nmc_counter_close(c->counter);
    choose(c, &asleep);
    case_lacks(c, "hwmon", NMC_UNREADABLE, "Input/output error");
}

static void absences(void **state) {
    struct counter_case *c = *state;
    case_lacks(c, "hwmon", NMC_NOT_PRESENT, "class/hwmon");
    case_write(c, CHIP("0", "name"), "coretemp\n");
    case_write(c, CHIP("0", "temp1_input"), "45000\n");
    case_lacks(c, "hwmon", NMC_UNSUPPORTED, "no chip");
    case_remove(c, "class/hwmon/hwmon0");
    case_lacks(c, "hwmon", NMC_EMPTY, "no chips");
    case_link(c, "class/hwmon/hwmon0", "nowhere");
    case_lacks(c, "hwmon", NMC_DANGLING, "hwmon0 is a link");
    case_remove(c, "class/hwmon/hwmon0");
    amd_energy(c);
    case_remove(c, CHIP("0", "energy9_input"));
    case_link(c, CHIP("0", "energy9_input"), "/proc/self/mem");
    c->file_count = 0;
    case_lacks(c, "hwmon", NMC_UNREADABLE, "Input/output error");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(sockets_and_their_cores), TEST(chosen_by_name),
        TEST(average_before_input),    TEST(sentinels),
        TEST(one_has_no_value),        TEST(absences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
