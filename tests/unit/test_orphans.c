/* What a measured program leaves behind ends with it; nobody else does, and no zombie stays. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "counters/child.h"

extern char **environ;

/* Runs a script to its end as a measured program; writes the number of who it left to a file. */
static pid_t run(const char *script, const char *file) {
    union {
        const char *given[6];
        char *taken[6];
    } argv = {{"sh", "-c", script, "sh", file, NULL}};
    struct nmc_child child;
    char text[32] = "";
    assert_int_equal(nmc_child_start(&child, argv.taken, false, NULL), NEUROMC_OK);
    assert_true(nmc_child_wait(&child, 20));
    nmc_child_end(&child, 0);
    int fd = open(file, O_RDONLY);
    assert_true(fd >= 0 && read(fd, text, sizeof text - 1) > 0);
    close(fd);
    unlink(file);
    return (pid_t)strtol(text, NULL, 10);
}

static void orphans_end(void **state) {
    (void)state;
    static const char *const scripts[] = {
        "sleep 300 & echo $! > $1",
        "setsid sh -c 'echo $$ > $0; sleep 300' $1 & while ! test -s $1; do sleep 0.01; done",
        "(setsid sh -c 'echo $$ > $0; exec sleep 300' $1 &) ; while ! test -s $1; do sleep 0.01; "
        "done",
    };
    char name[] = "sleep", seconds[] = "300", file[] = "/tmp/neuromc-orphans-XXXXXX";
    char *const sleeper[] = {name, seconds, NULL};
    pid_t ours;
    close(mkstemp(file));
    assert_int_equal(posix_spawnp(&ours, "sleep", NULL, NULL, sleeper, environ), 0);
    bool before = nmc_orphans_adopt(true);
    assert_false(before);
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        pid_t left = run(scripts[i], file);
        assert_true(left > 0);
        assert_int_equal(kill(left, 0), -1);
        assert_int_equal(errno, ESRCH);
        assert_int_equal(waitpid(-1, NULL, WNOHANG), 0); /* only ours, alive */
    }
    assert_true(nmc_orphans_adopt(before));
    assert_int_equal(kill(ours, SIGKILL), 0);
    assert_int_equal(waitpid(-1, NULL, 0), ours);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no zombie but ours */
    assert_int_equal(errno, ECHILD);
}

/* Marks add up, and no two are the same. */
static void marks(void **state) {
    (void)state;
    char one[NMC_MARK], two[NMC_MARK];
    nmc_orphans_mark(one);
    nmc_orphans_mark(two);
    assert_string_not_equal(one, two);
    size_t count = 0;
    char **environment = nmc_orphans_environment(one);
    assert_non_null(environment);
    while (environment[count])
        count++;
    assert_string_equal(environment[count - 1], one);
    assert_ptr_equal(environ[count - 1], NULL);
    free(environment);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orphans_end),
        cmocka_unit_test(marks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
