/*
 * Runs a command several times and prints for each run its wall time and its processor time in
 * microseconds and its peak resident memory in kB: bench_child RUNS COMMAND ARGS...
 *
 * The kernel charges a new process with the memory of the one that it was forked from, so an
 * interpreter cannot measure a command smaller than itself; this can. Output of the command goes
 * to /dev/null. Exit 1 if a run does not exit 0.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000LL + t.tv_nsec / 1000;
}

static long long microseconds(struct timeval t) {
    return t.tv_sec * 1000000LL + t.tv_usec;
}

static void become(char **command) {
    int sink = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (sink < 0 || dup2(sink, STDOUT_FILENO) < 0)
        _exit(127);
    execvp(command[0], command);
    _exit(127);
}

/* false if the command cannot be run or fails. */
static int run(char **command) {
    long long start = now();
    pid_t child = fork();
    if (child == 0)
        become(command);
    int status;
    struct rusage usage;
    if (child < 0 || wait4(child, &status, 0, &usage) != child)
        return 0;
    printf("%lld %lld %ld\n", now() - start,
           microseconds(usage.ru_utime) + microseconds(usage.ru_stime), usage.ru_maxrss);
    fflush(stdout);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int main(int argc, char **argv) {
    if (argc < 3)
        return 2;
    for (int i = atoi(argv[1]); i > 0; i--)
        if (!run(argv + 2))
            return 1;
    return 0;
}
