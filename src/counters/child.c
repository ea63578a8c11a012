#define _GNU_SOURCE /* pipe2, syscall */
#include "counters/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"

/* ---- time ------------------------------------------------------------------------------------ */

static double now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int left_ms(double until) {
    const double most = 1e6;
    double left = (until - now_s()) * 1000;
    return left <= 0 ? 0 : left > most ? (int)most : (int)left + 1;
}

/* ---- starting -------------------------------------------------------------------------------- */

static void close_one(int *fd) {
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static bool make_pipe(int out[2], int *ours, int *theirs, int which) {
    if (pipe2(out, O_CLOEXEC) != 0)
        return false;
    *ours = out[which];
    *theirs = out[!which];
    return true;
}

static int spawn(struct nmc_child *child, char *const argv[], const int theirs[3]) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, usual;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    for (int fd = 0; fd < 3; fd++)
        if (theirs[fd] >= 0)
            posix_spawn_file_actions_adddup2(&actions, theirs[fd], fd);
        else
            posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", fd ? O_WRONLY : O_RDONLY,
                                             0);
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGINT);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETSIGDEF);
    nmc_orphans_mark(child->mark);
    char **environment = nmc_orphans_environment(child->mark);
    int error = environment
                    ? posix_spawnp(&child->pid, argv[0], &actions, &attributes, argv, environment)
                    : ENOMEM;
    nmc_free(environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error;
}

neuromc_status nmc_child_start(struct nmc_child *child, char *const argv[], bool talks,
                               neuromc_diags *diags) {
    int pipes[2], theirs[3] = {-1, -1, -1};
    *child = (struct nmc_child){.input = -1, .output = -1, .errors = -1};
    bool good = make_pipe(pipes, &child->errors, &theirs[2], 0);
    if (good && talks)
        good = make_pipe(pipes, &child->input, &theirs[0], 1) &&
               make_pipe(pipes, &child->output, &theirs[1], 0);
    /* a child that does not read must not stop us */
    good = good && (!talks || fcntl(child->input, F_SETFL, O_NONBLOCK) == 0);
    int error = good ? spawn(child, argv, theirs) : errno;
    for (int i = 0; i < 3; i++)
        close_one(&theirs[i]);
    if (!error)
        return NEUROMC_OK;
    child->pid = 0;
    nmc_child_end(child, 0);
    return nmc_error(diags, NEUROMC_IO, (struct nmc_place){.file = argv[0]},
                     error == ENOENT ? "is it on the PATH?" : NULL, "cannot be started: %s",
                     strerror(error));
}

/* ---- listening ------------------------------------------------------------------------------- */

/* Keeps the end of what comes. */
static void keep_tail(struct nmc_child *child, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (child->tail_length == NMC_CHILD_TAIL) {
            memmove(child->tail, child->tail + 1, NMC_CHILD_TAIL - 1);
            child->tail_length--;
        }
        child->tail[child->tail_length++] = text[i];
    }
    child->tail[child->tail_length] = '\0';
}

static void read_errors(struct nmc_child *child) {
    char piece[512];
    ssize_t got = read(child->errors, piece, sizeof piece);
    if (got > 0)
        keep_tail(child, piece, (size_t)got);
    else if (got == 0 || (errno != EINTR && errno != EAGAIN))
        close_one(&child->errors);
}

/* False: nothing more will come. */
static bool read_output(struct nmc_child *child) {
    ssize_t got =
        read(child->output, child->line + child->length, sizeof child->line - child->length);
    if (got > 0)
        child->length += (size_t)got;
    else if (got == 0 || (errno != EINTR && errno != EAGAIN))
        close_one(&child->output);
    return child->output >= 0;
}

static bool take_line(struct nmc_child *child, char out[NMC_CHILD_LINE]) {
    char *end = memchr(child->line, '\n', child->length);
    if (!end)
        return false;
    size_t length = (size_t)(end - child->line);
    memcpy(out, child->line, length);
    out[length && out[length - 1] == '\r' ? length - 1 : length] = '\0';
    child->length -= length + 1;
    memmove(child->line, end + 1, child->length);
    return true;
}

enum nmc_heard nmc_child_hear(struct nmc_child *child, double limit_s, char out[NMC_CHILD_LINE]) {
    double until = now_s() + limit_s;
    for (;;) {
        if (take_line(child, out))
            return NMC_HEARD_LINE;
        if (child->length == sizeof child->line)
            return NMC_HEARD_TOO_MUCH;
        if (child->output < 0)
            return NMC_HEARD_END;
        struct pollfd fds[] = {{child->output, POLLIN, 0}, {child->errors, POLLIN, 0}};
        int left = left_ms(until), ready = poll(fds, 2, left);
        if (left == 0 && ready <= 0)
            return NMC_HEARD_NOTHING;
        if (ready > 0 && fds[1].revents)
            read_errors(child);
        if (ready > 0 && fds[0].revents && !read_output(child) &&
            !memchr(child->line, '\n', child->length))
            return NMC_HEARD_END;
        if (left == 0 && !memchr(child->line, '\n', child->length)) /* it talks on and on */
            return NMC_HEARD_NOTHING;
    }
}

bool nmc_child_has_said(struct nmc_child *child, int within_ms) {
    struct pollfd fd = {child->output, POLLIN, 0};
    if (!child->length && poll(&fd, 1, within_ms) > 0)
        read_output(child);
    return child->length > 0;
}

/* Writing to a child that is gone must not end this process. */
bool nmc_child_tell(struct nmc_child *child, const char *line) {
    sigset_t broken, before, pending;
    size_t left = strlen(line);
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken, &before);
    while (left && child->input >= 0) {
        ssize_t put = write(child->input, line, left);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            break;
        line += put;
        left -= (size_t)put;
    }
    const struct timespec at_once = {0, 0};
    sigpending(&pending);
    if (sigismember(&pending, SIGPIPE) == 1)
        sigtimedwait(&broken, NULL, &at_once);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return left == 0;
}

/* ---- ending ---------------------------------------------------------------------------------- */

/* Whether it ended; it stays a zombie, so that its number, and its group's, remain its own. */
static bool has_ended(const struct nmc_child *child) {
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           info.si_pid == child->pid;
}

/* Sleeps until the child ends, or there is something on its standard error, at most so long. */
static void sleep_on(struct nmc_child *child, int process, int ms) {
    const int without_process = 5;
    struct pollfd fds[] = {{process, POLLIN, 0}, {child->errors, POLLIN, 0}};
    poll(fds, 2, process >= 0 || ms < without_process ? ms : without_process);
    if (fds[1].revents)
        read_errors(child);
}

bool nmc_child_wait(struct nmc_child *child, double limit_s) {
    double until = now_s() + limit_s;
    int process = (int)syscall(SYS_pidfd_open, child->pid, 0), left;
    bool ended = has_ended(child);
    while (!ended && (left = left_ms(until)) > 0) {
        sleep_on(child, process, left);
        ended = has_ended(child);
    }
    if (process >= 0)
        close(process);
    return ended;
}

/* What is left of its last words, but not for ever: one that left the group may go on. */
static void drain_errors(struct nmc_child *child) {
    enum { MOST_READS = 256 };
    struct pollfd fd = {child->errors, POLLIN, 0};
    for (int i = 0; i < MOST_READS && child->errors >= 0 && poll(&fd, 1, 0) > 0; i++)
        read_errors(child);
}

void nmc_child_end(struct nmc_child *child, double grace_s) {
    close_one(&child->input);
    if (child->pid > 0) {
        nmc_child_wait(child, grace_s);
        kill(-child->pid, SIGKILL);
        while (waitpid(child->pid, &child->status, 0) < 0 && errno == EINTR)
            continue;
        nmc_orphans_end(child->mark, child->pid);
        child->exited = true;
        child->pid = 0;
        drain_errors(child);
    }
    close_one(&child->output);
    close_one(&child->errors);
}

const char *nmc_child_fate(const struct nmc_child *child, char out[NMC_CHILD_LINE]) {
    const char *tail = child->tail + strspn(child->tail, " \t\r\n");
    const char *colon = *tail ? ": " : "";
    if (!child->exited)
        snprintf(out, NMC_CHILD_LINE, "is still running%s%s", colon, tail);
    else if (WIFSIGNALED(child->status))
        snprintf(out, NMC_CHILD_LINE, "was ended by signal %d%s%s", WTERMSIG(child->status), colon,
                 tail);
    else
        snprintf(out, NMC_CHILD_LINE, "ended with exit code %d%s%s", WEXITSTATUS(child->status),
                 colon, tail);
    for (char *c = out; *c; c++)
        if (*c == '\n' || *c == '\r')
            *c = ' ';
    return out;
}
