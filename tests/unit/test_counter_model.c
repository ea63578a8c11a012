/* The modelled counter: CPU time times a given power, and always said to be modelled. */
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "counters/counter.h"

static struct nmc_counter *open_model(double watts, int64_t pid) {
    struct nmc_counter_options options = {.asked = {.tdp_watts = watts, .pid = pid}};
    struct nmc_counter *counter;
    neuromc_diags *diags = neuromc_diags_new();
    assert_int_equal(nmc_counter_open("model", &options, &counter, diags), NEUROMC_OK);
    neuromc_diags_free(diags);
    return counter;
}

static double cpu_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void burn(double seconds) {
    double until = cpu_seconds() + seconds;
    while (cpu_seconds() < until)
        continue;
}

static void own_time_times_the_power(void **state) {
    (void)state;
    struct nmc_counter *counter = open_model(50, 0);
    struct nmc_reading a, b;
    assert_int_equal(nmc_counter_read(counter, &a, NULL), NEUROMC_OK);
    double before = cpu_seconds();
    burn(0.05);
    assert_int_equal(nmc_counter_read(counter, &b, NULL), NEUROMC_OK);
    double used = cpu_seconds() - before;
    assert_true(b.energy_j - a.energy_j >= 50 * 0.049);
    assert_true(b.energy_j - a.energy_j <= 50 * (used + 0.002));
    assert_true(fabs(b.energy_j - 50 * b.cpu_s) <= 1e-12 * b.energy_j);
    assert_true(nmc_counter_info(counter)->modelled);
    nmc_counter_close(counter);
}

/* What a child did stays counted when another is followed, and can be read until it is reaped. */
static void follows_children(void **state) {
    (void)state;
    struct nmc_counter *counter = open_model(10, 0);
    struct nmc_reading before, after;
    pid_t child = fork();
    if (child == 0) {
        burn(0.05);
        _exit(0);
    }
    assert_int_equal(nmc_counter_follow(counter, child, NULL), NEUROMC_OK);
    assert_int_equal(nmc_counter_read(counter, &before, NULL), NEUROMC_OK);
    siginfo_t info;
    waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT);
    assert_int_equal(nmc_counter_read(counter, &after, NULL), NEUROMC_OK);
    assert_true(after.energy_j >= 10 * 0.03);
    waitpid(child, NULL, 0);
    neuromc_diags *diags = neuromc_diags_new();
    assert_int_equal(nmc_counter_read(counter, &before, diags), NEUROMC_IO);
    assert_non_null(strstr(neuromc_diags_at(diags, 0)->message, "No such process"));
    neuromc_diags_free(diags);
    nmc_counter_close(counter);
}

static void names_that_are_not(void **state) {
    (void)state;
    struct nmc_counter_options options = {0};
    struct nmc_counter *counter;
    neuromc_diags *diags = neuromc_diags_new();
    assert_int_equal(nmc_counter_open("modell", &options, &counter, diags), NEUROMC_USAGE);
    assert_null(counter);
    assert_string_equal(neuromc_diags_at(diags, 0)->hint, "did you mean `model`?");
    neuromc_diags_clear(diags);
    assert_int_equal(nmc_counter_open("model", &options, &counter, diags), NEUROMC_USAGE);
    assert_non_null(strstr(neuromc_diags_at(diags, 0)->message, "needs an option"));
    neuromc_diags_free(diags);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_time_times_the_power),
        cmocka_unit_test(follows_children),
        cmocka_unit_test(names_that_are_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
