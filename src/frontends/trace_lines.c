/* Reads lines of any length up to a limit through one buffer that slides. */
#include "frontends/trace_lines.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/memory.h"

enum { READ_AHEAD = 1 << 18 };

static struct nmc_place place(const struct nmc_lines *lines, size_t number) {
    return (struct nmc_place){.file = lines->name,
                              .line = number > INT_MAX ? INT_MAX : (int)number};
}

static neuromc_status put_peeked(struct nmc_lines *lines, const struct nmc_peek *peek,
                                 neuromc_diags *diags) {
    lines->fd = peek->fd;
    if (!nmc_grow(&lines->buffer, &lines->capacity, READ_AHEAD, 1))
        return nmc_out_of_memory(diags);
    memcpy(lines->buffer, peek->bytes, peek->size);
    lines->end = peek->size;
    return NEUROMC_OK;
}

neuromc_status nmc_lines_open(struct nmc_lines *lines, const char *path,
                              const struct nmc_peek *peek, neuromc_diags *diags) {
    bool standard_input = strcmp(path, "-") == 0;
    *lines =
        (struct nmc_lines){.fd = STDIN_FILENO, .name = standard_input ? "standard input" : path};
    if (peek && peek->taken)
        return put_peeked(lines, peek, diags);
    if (standard_input)
        return NEUROMC_OK;
    lines->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (lines->fd < 0)
        return nmc_error(diags, NEUROMC_IO, place(lines, 0), NULL, "cannot open: %s",
                         strerror(errno));
    lines->owned = true;
    return NEUROMC_OK;
}

void nmc_lines_close(struct nmc_lines *lines) {
    if (lines->owned)
        close(lines->fd);
    nmc_free(lines->buffer);
    *lines = (struct nmc_lines){.fd = -1};
}

/* Reads more bytes behind those that are there; one byte stays free for the NUL of a last line. */
static neuromc_status fill(struct nmc_lines *lines, neuromc_diags *diags) {
    size_t held = lines->end - lines->start;
    if (held > NMC_LIMIT_TRACE_LINE_BYTES)
        return nmc_error(diags, NEUROMC_BAD_INPUT, place(lines, lines->number + 1),
                         "a trace holds one event per line", "the line is longer than %zu bytes",
                         NMC_LIMIT_TRACE_LINE_BYTES);
    if (lines->start) {
        memmove(lines->buffer, lines->buffer + lines->start, held);
        lines->start = 0;
        lines->end = held;
    }
    if (!nmc_grow(&lines->buffer, &lines->capacity, held + READ_AHEAD + 1, 1))
        return nmc_out_of_memory(diags);
    ssize_t got;
    do
        got = read(lines->fd, lines->buffer + held, lines->capacity - held - 1);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return nmc_error(diags, NEUROMC_IO, place(lines, 0), NULL, "cannot read: %s",
                         strerror(errno));
    lines->end += (size_t)got;
    lines->at_end = got == 0;
    return NEUROMC_OK;
}

neuromc_status nmc_lines_next(struct nmc_lines *lines, char **text, size_t *length,
                              neuromc_diags *diags) {
    char *newline = NULL;
    for (;;) {
        size_t held = lines->end - lines->start, fresh = held - lines->scanned;
        if (fresh)
            newline = memchr(lines->buffer + lines->start + lines->scanned, '\n', fresh);
        if (newline || lines->at_end)
            break;
        lines->scanned = held;
        neuromc_status status = fill(lines, diags);
        if (status)
            return status;
    }
    lines->scanned = 0;
    *text = NULL;
    if (!newline && lines->start == lines->end)
        return NEUROMC_OK;
    *text = lines->buffer + lines->start;
    *length = newline ? (size_t)(newline - *text) : lines->end - lines->start;
    (*text)[*length] = 0;
    lines->start += *length + (newline != NULL);
    lines->number++;
    return NEUROMC_OK;
}
