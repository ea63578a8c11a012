#include "counters/orphans.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/number.h"

#ifdef __linux__
#include <sys/prctl.h>
#endif

extern char **environ;

bool nmc_orphans_adopt(bool adopt) {
    int before = 0;
#ifdef __linux__
    prctl(PR_GET_CHILD_SUBREAPER, &before, 0, 0, 0);
    prctl(PR_SET_CHILD_SUBREAPER, adopt ? 1 : 0, 0, 0, 0);
#else
    (void)adopt;
#endif
    return before;
}

void nmc_orphans_mark(char mark[NMC_MARK]) {
    static atomic_uint marks;
    snprintf(mark, NMC_MARK, "NEUROMC_MEASURED_%ld_%u=", (long)getpid(),
             atomic_fetch_add(&marks, 1));
}

char **nmc_orphans_environment(char *mark) {
    size_t count = 0;
    while (environ[count])
        count++;
    char **out = nmc_malloc((count + 2) * sizeof *out);
    if (!out)
        return NULL;
    memcpy(out, environ, count * sizeof *out);
    out[count] = mark;
    out[count + 1] = NULL;
    return out;
}

/* ---- who bears a mark --------------------------------------------------------------------------
 */

/* Whether the environment of a process holds an entry; false where it may not be read. It is read
 * in pieces, of which each starts with the end of the one before. */
static bool bears(const char *pid, const char *mark) {
    char path[64], piece[8192];
    size_t length = strlen(mark) + 1, kept = 0; /* with its end */
    bool found = false;
    snprintf(path, sizeof path, "/proc/%.20s/environ", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got;
    while (fd >= 0 && !found && (got = read(fd, piece + kept, sizeof piece - kept)) > 0) {
        size_t filled = kept + (size_t)got;
        for (size_t i = 0; !found && i + length <= filled; i++)
            found = memcmp(piece + i, mark, length) == 0;
        kept = filled < length ? filled : length - 1;
        memmove(piece, piece + filled - kept, kept);
    }
    if (fd >= 0)
        close(fd);
    return found;
}

/* Ends a process, and reaps it if it became a child of ours. */
static void end(pid_t pid) {
    enum { TRIES = 20, APART_MS = 5 };
    kill(pid, SIGKILL);
    for (int i = 0; i < TRIES && waitpid(pid, NULL, WNOHANG) == 0; i++)
        poll(NULL, 0, APART_MS);
}

/* Ends all that bear the mark; how many there were. */
static int kill_marked(const char *mark) {
    DIR *all = opendir("/proc");
    int count = 0;
    for (struct dirent *entry; all && (entry = readdir(all));) {
        int64_t pid;
        if (!nmc_integer_parse(entry->d_name, strlen(entry->d_name), &pid) || pid <= 0 ||
            !bears(entry->d_name, mark))
            continue;
        end((pid_t)pid);
        count++;
    }
    if (all)
        closedir(all);
    return count;
}

/* Reaps what ended of a group; whether children of ours are left in it. */
static bool reap_group(pid_t group) {
    pid_t got;
    do
        got = waitpid(-group, NULL, WNOHANG);
    while (got > 0 || (got < 0 && errno == EINTR));
    return got == 0;
}

static bool has_children(void) {
    siginfo_t info;
    return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

void nmc_orphans_end(const char *mark, pid_t group) {
    enum { TRIES = 200, APART_MS = 5 };
    /* Whoever is left has an ancestor that became a child of ours: mostly there is none, and
     * nobody has to be looked for. */
    bool left = has_children();
    for (int i = 0; left && i < TRIES; i++) {
        bool grouped = reap_group(group);
        left = (kill_marked(mark) > 0 || grouped) && has_children();
        if (left)
            poll(NULL, 0, APART_MS);
    }
}
