#include "counters/sysfs.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/number.h"

char *nmc_sysfs_path(struct nmc_counter *counter, const char *format, ...) {
    const char *root = counter->options.asked.sysfs_root;
    va_list args;
    va_start(args, format);
    char *rest = nmc_arena_vprintf(&counter->arena, format, args);
    va_end(args);
    if (!rest)
        return NULL;
    return nmc_arena_printf(&counter->arena, "%s/%s", root ? root : "/sys", rest);
}

/* ---- attributes --------------------------------------------------------------------------- */

static bool is_blank(char c) {
    return isspace((unsigned char)c) || c == '\0';
}

/* Text without blanks at its ends; writers of fixed width may leave NULs behind it. */
static const char *trim(char *text, size_t length) {
    while (length && is_blank(text[length - 1]))
        length--;
    text[length] = '\0';
    while (*text && is_blank(*text))
        text++;
    return text;
}

static int open_file(const char *path) {
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    return fd < 0 ? -errno : fd;
}

/* All of a short file; -EBADMSG if it does not end before the buffer does. */
static ssize_t read_whole(int fd, char *out, size_t size) {
    size_t length = 0;
    while (length < size) {
        ssize_t got = read(fd, out + length, size - length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -errno;
        if (got == 0)
            return (ssize_t)length;
        length += (size_t)got;
    }
    return -EBADMSG;
}

int nmc_sysfs_text(const char *path, char *out, size_t size) {
    out[0] = '\0';
    int fd = open_file(path);
    if (fd < 0)
        return -fd;
    ssize_t got = read_whole(fd, out, size);
    close(fd);
    if (got < 0)
        return out[0] = '\0', (int)-got;
    const char *text = trim(out, (size_t)got);
    memmove(out, text, strlen(text) + 1);
    return 0;
}

static int parse_count(const char *text, uint64_t *out) {
    int64_t value;
    if (!isdigit((unsigned char)text[0]) || !nmc_integer_parse(text, strlen(text), &value))
        return EBADMSG;
    *out = (uint64_t)value;
    return 0;
}

int nmc_sysfs_count(const char *path, uint64_t *out) {
    char text[64];
    int error = nmc_sysfs_text(path, text, sizeof text);
    return error ? error : parse_count(text, out);
}

/* ---- folders ------------------------------------------------------------------------------ */

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int list_entries(struct nmc_arena *arena, DIR *folder, const char ***names, size_t *count,
                        size_t *capacity) {
    struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        const char *name = nmc_arena_strdup(arena, entry->d_name);
        if (!name || !nmc_grow(names, capacity, *count + 1, sizeof **names))
            return ENOMEM;
        (*names)[(*count)++] = name;
    }
    return 0;
}

int nmc_sysfs_list(struct nmc_arena *arena, const char *path, const char *const **names,
                   size_t *count) {
    const char **list = NULL;
    size_t capacity = 0;
    *count = 0;
    *names = NULL;
    DIR *folder = opendir(path);
    if (!folder)
        return errno;
    int error = list_entries(arena, folder, &list, count, &capacity);
    closedir(folder);
    if (!error && *count) {
        qsort(list, *count, sizeof *list, by_text);
        *names = nmc_arena_copy(arena, list, *count * sizeof *list);
        error = *names ? 0 : ENOMEM;
    }
    nmc_free(list);
    if (error)
        *count = 0;
    return error;
}

/* ---- reasons ------------------------------------------------------------------------------ */

bool nmc_sysfs_dangles(const char *path) {
    struct stat info;
    return lstat(path, &info) == 0 && S_ISLNK(info.st_mode) && stat(path, &info) != 0 &&
           (errno == ENOENT || errno == ELOOP || errno == ENOTDIR);
}

static bool denied(struct nmc_missing *missing, const char *path) {
    nmc_lacks(missing, NMC_DENIED, "%s may not be read", path);
    snprintf(missing->hint, sizeof missing->hint,
             "run as root, or let everybody read it until the next start: sudo chmod a+r %s", path);
    return false;
}

bool nmc_sysfs_lacks(struct nmc_missing *missing, const char *path, int error) {
    if (error == EACCES || error == EPERM)
        return denied(missing, path);
    if (error == ENOMEM)
        return nmc_lacks_memory(missing);
    if (error == EBADMSG)
        return nmc_lacks(missing, NMC_UNREADABLE, "%s does not hold a number", path);
    if (nmc_sysfs_dangles(path))
        return nmc_lacks(missing, NMC_DANGLING, "%s is a link to nowhere", path);
    if (error == ENOENT)
        return nmc_lacks(missing, NMC_NOT_PRESENT, "there is no %s", path);
    return nmc_lacks(missing, NMC_UNREADABLE, "%s: %s", path, strerror(error));
}

/* ---- values ------------------------------------------------------------------------------- */

static int read_value(const struct nmc_counter *counter, const struct nmc_part *part,
                      uint64_t *out) {
    enum { TRIES = 3 };
    const struct nmc_value_reader *reader = counter->options.reader;
    char text[64];
    int error = EBADMSG;
    /* A file that is no attribute of the kernel may be caught empty while it is written. */
    for (int i = 0; i < TRIES && error == EBADMSG; i++) {
        ssize_t got = reader->read(reader->user, part->shown.place, part->fd, text, sizeof text);
        if (got < 0)
            return (int)-got;
        error = got < (ssize_t)sizeof text ? parse_count(trim(text, (size_t)got), out) : EBADMSG;
    }
    return error;
}

bool nmc_sysfs_open_value(struct nmc_counter *counter, struct nmc_part *part, const char *path,
                          struct nmc_missing *missing) {
    uint64_t value;
    part->shown.place = path;
    part->fd = open_file(path);
    if (part->fd < 0) {
        int error = -part->fd;
        part->fd = -1;
        return nmc_sysfs_lacks(missing, path, error);
    }
    int error = read_value(counter, part, &value);
    return error ? nmc_sysfs_lacks(missing, path, error) : true;
}

/* A regular file without a name left: its zone vanished, or another was put in its place. */
static bool was_unlinked(int fd) {
    struct stat info;
    return fstat(fd, &info) == 0 && info.st_nlink == 0;
}

int nmc_sysfs_value(struct nmc_counter *counter, struct nmc_part *part, uint64_t *out) {
    int error = read_value(counter, part, out);
    if (error || !was_unlinked(part->fd))
        return error;
    int fd = open_file(part->shown.place);
    if (fd < 0)
        return fd == -ENOENT ? ENODEV : -fd;
    close(part->fd);
    part->fd = fd;
    return read_value(counter, part, out);
}

neuromc_status nmc_sysfs_lost(const struct nmc_part *part, int error, neuromc_diags *diags) {
    struct nmc_place place = {.file = part->shown.place, .where = part->shown.name};
    if (error == EBADMSG)
        return nmc_error(diags, NEUROMC_IO, place, NULL, "counter lost: it holds no number");
    if (error == ENODEV || error == ENOENT)
        return nmc_error(diags, NEUROMC_IO, place, NULL, "counter lost: it vanished");
    return nmc_error(diags, NEUROMC_IO, place, NULL, "counter lost: %s", strerror(error));
}
