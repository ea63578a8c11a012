#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/memory.h"

static neuromc_status io_error(neuromc_diags *diags, const char *path, const char *what,
                               int error) {
    return nmc_error(diags, NEUROMC_IO, (struct nmc_place){.file = path}, NULL, "%s: %s", what,
                     strerror(error));
}

/* All of a stream, after the bytes that were already taken from it. */
static neuromc_status read_stream(struct nmc_file *file, int fd, const struct nmc_peek *peek,
                                  const char *path, size_t cap, neuromc_diags *diags) {
    unsigned char *data = NULL;
    size_t size = 0, capacity = 0;
    if (peek && peek->size) {
        if (!nmc_grow(&data, &capacity, peek->size, 1))
            return nmc_out_of_memory(diags);
        memcpy(data, peek->bytes, peek->size);
        size = peek->size;
    }
    for (;;) {
        if (size > cap) {
            nmc_free(data);
            return nmc_error(diags, NEUROMC_BAD_INPUT, (struct nmc_place){.file = path}, NULL,
                             "longer than %zu bytes", cap);
        }
        if (!nmc_grow(&data, &capacity, size + (1 << 16), 1)) {
            nmc_free(data);
            return nmc_out_of_memory(diags);
        }
        ssize_t got = read(fd, data + size, capacity - size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            nmc_free(data);
            return io_error(diags, path, "cannot read", errno);
        }
        if (got == 0)
            break;
        size += (size_t)got;
    }
    *file = (struct nmc_file){.data = data, .size = size};
    return NEUROMC_OK;
}

static neuromc_status map_regular(struct nmc_file *file, int fd, size_t size, const char *path,
                                  neuromc_diags *diags) {
    void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED)
        return io_error(diags, path, "cannot map", errno);
    /* Reading ahead would pull in weights that nobody looks at. */
    madvise(data, size, MADV_RANDOM);
    *file = (struct nmc_file){.data = data, .size = size, .mapped = true};
    return NEUROMC_OK;
}

static bool is_standard_input(const char *path) {
    return strcmp(path, "-") == 0;
}

static const char *shown_name(const char *path) {
    return is_standard_input(path) ? "standard input" : path;
}

static neuromc_status open_path(const char *path, int *fd, struct stat *status,
                                neuromc_diags *diags) {
    *fd = is_standard_input(path) ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (*fd < 0)
        return io_error(diags, path, "cannot open", errno);
    if (fstat(*fd, status) != 0)
        return io_error(diags, path, "cannot look at", errno);
    if (S_ISDIR(status->st_mode))
        return nmc_error(diags, NEUROMC_IO, (struct nmc_place){.file = path}, "name a file in it",
                         "is a directory");
    return NEUROMC_OK;
}

static void close_fd(int fd) {
    if (fd > STDIN_FILENO)
        close(fd);
}

neuromc_status nmc_file_open(struct nmc_file *file, const char *path, size_t cap,
                             neuromc_diags *diags) {
    struct stat status = {0};
    int fd;
    *file = (struct nmc_file){0};
    neuromc_status result = open_path(path, &fd, &status, diags);
    if (!result && S_ISREG(status.st_mode) && status.st_size > 0 && !is_standard_input(path))
        result = map_regular(file, fd, (size_t)status.st_size, path, diags);
    else if (!result)
        result = read_stream(file, fd, NULL, shown_name(path), cap, diags);
    close_fd(fd);
    return result;
}

neuromc_status nmc_file_open_peeked(struct nmc_file *file, const char *path,
                                    const struct nmc_peek *peek, size_t cap, neuromc_diags *diags) {
    if (!peek || !peek->taken)
        return nmc_file_open(file, path, cap, diags);
    *file = (struct nmc_file){0};
    return read_stream(file, peek->fd, peek, shown_name(path), cap, diags);
}

/* Fills the peek; a pipe may give its bytes in small pieces. */
static neuromc_status take(struct nmc_peek *peek, const char *path, neuromc_diags *diags) {
    while (peek->size < sizeof peek->bytes) {
        ssize_t got = read(peek->fd, peek->bytes + peek->size, sizeof peek->bytes - peek->size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return io_error(diags, shown_name(path), "cannot read", errno);
        if (got == 0)
            break;
        peek->size += (size_t)got;
    }
    return NEUROMC_OK;
}

neuromc_status nmc_file_peek(struct nmc_peek *peek, const char *path, neuromc_diags *diags) {
    struct stat status = {0};
    *peek = (struct nmc_peek){.fd = -1};
    neuromc_status result = open_path(path, &peek->fd, &status, diags);
    if (!result)
        result = take(peek, path, diags);
    peek->taken = !result && (is_standard_input(path) || !S_ISREG(status.st_mode));
    if (!peek->taken)
        nmc_peek_close(peek);
    return result;
}

void nmc_peek_close(struct nmc_peek *peek) {
    close_fd(peek->fd);
    peek->fd = -1;
}

void nmc_file_close(struct nmc_file *file) {
    /* The casts drop const: what was mapped or allocated here is given back here. */
    if (file->mapped)
        munmap((void *)(uintptr_t)file->data, file->size);
    else
        nmc_free((void *)(uintptr_t)file->data);
    *file = (struct nmc_file){0};
}

void nmc_file_forget(const struct nmc_file *file, size_t from, size_t to) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), first = from / page * page;
    if (file->mapped && first < to)
        madvise((void *)((uintptr_t)file->data + first), to - first, MADV_DONTNEED);
}

neuromc_status nmc_file_out_open(struct nmc_file_out *out, const char *path, neuromc_diags *diags) {
    *out = (struct nmc_file_out){.fd = STDOUT_FILENO};
    if (!path || strcmp(path, "-") == 0)
        return NEUROMC_OK;
    struct stat status;
    /* A device or a pipe cannot be replaced by renaming. */
    bool in_place = stat(path, &status) == 0 && !S_ISREG(status.st_mode);
    size_t length = strlen(path) + sizeof ".XXXXXX";
    out->path = nmc_malloc(length);
    out->temporary = nmc_malloc(length);
    if (!out->path || !out->temporary) {
        nmc_free(out->path);
        nmc_free(out->temporary);
        *out = (struct nmc_file_out){.fd = -1};
        return nmc_out_of_memory(diags);
    }
    snprintf(out->path, length, "%s", path);
    snprintf(out->temporary, length, "%s.XXXXXX", path);
    if (in_place) {
        nmc_free(out->temporary);
        out->temporary = NULL;
    }
    out->fd = in_place ? open(path, O_WRONLY | O_CLOEXEC) : mkstemp(out->temporary);
    if (out->fd < 0) {
        int error = errno;
        nmc_free(out->path);
        nmc_free(out->temporary);
        *out = (struct nmc_file_out){.fd = -1};
        return io_error(diags, path, "cannot write", error);
    }
    return NEUROMC_OK;
}

neuromc_status nmc_file_out_check(const char *path, neuromc_diags *diags) {
    struct stat status;
    struct nmc_file_out out;
    if (!path || strcmp(path, "-") == 0)
        return NEUROMC_OK;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        return access(path, W_OK) == 0 ? NEUROMC_OK : io_error(diags, path, "cannot write", errno);
    neuromc_status result = nmc_file_out_open(&out, path, diags);
    if (result == NEUROMC_OK)
        nmc_file_out_close(&out, false, diags);
    return result;
}

bool nmc_file_out_write(void *user, const char *data, size_t size) {
    struct nmc_file_out *out = user;
    while (size && !out->failed) {
        ssize_t written = write(out->fd, data, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            out->failed = true;
            out->error = errno;
            break;
        }
        data += written;
        size -= (size_t)written;
    }
    return !out->failed;
}

static void note_failure(struct nmc_file_out *out) {
    if (!out->failed) {
        out->failed = true;
        out->error = errno;
    }
}

neuromc_status nmc_file_out_close(struct nmc_file_out *out, bool keep, neuromc_diags *diags) {
    if (out->fd < 0)
        return NEUROMC_IO;
    if (out->temporary && keep) {
        mode_t mask = umask(0);
        umask(mask);
        if (fchmod(out->fd, 0666 & ~mask) != 0)
            note_failure(out);
    }
    /* close reports what a network or full disk could not take */
    if (close(out->fd) != 0)
        note_failure(out);
    if (out->temporary) {
        if (!keep || out->failed)
            unlink(out->temporary);
        else if (rename(out->temporary, out->path) != 0) {
            note_failure(out);
            unlink(out->temporary);
        }
    }
    neuromc_status status = NEUROMC_OK;
    if (keep && out->failed)
        status =
            io_error(diags, out->path ? out->path : "standard output", "cannot write", out->error);
    nmc_free(out->path);
    nmc_free(out->temporary);
    *out = (struct nmc_file_out){.fd = -1};
    return status;
}
