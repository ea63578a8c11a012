/* merge_points.c - rows of shards, one file behind the other. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/number.h"
#include "sweep/result.h"

struct part {
    const char *path;
    struct nmc_file file;
    size_t head;         /* bytes of the CSV head */
    int64_t first, last; /* indexes; first > last: no rows */
};

static const char json_start[] = "{\"index\":";

static neuromc_status refuse(const struct part *part, const char *message, neuromc_diags *diags) {
    return nmc_error(diags, NEUROMC_BAD_INPUT, (struct nmc_place){.file = part->path}, NULL, "%s",
                     message);
}

/* The index at the start of a row. */
static bool read_index(const struct part *part, size_t at, int64_t *out) {
    const char *text = (const char *)part->file.data + at;
    size_t left = part->file.size - at, skip = part->head ? 0 : sizeof json_start - 1, length = 0;
    if (left <= skip || (skip && memcmp(text, json_start, skip) != 0))
        return false;
    while (skip + length < left && text[skip + length] >= '0' && text[skip + length] <= '9')
        length++;
    return nmc_integer_parse(text + skip, length, out);
}

/* Where the last row starts. */
static size_t last_row(const struct part *part) {
    size_t at = part->file.size - 1;
    while (at > part->head && part->file.data[at - 1] != '\n')
        at--;
    return at;
}

static neuromc_status open_part(struct part *part, const char *path, neuromc_diags *diags) {
    *part = (struct part){.path = path, .last = -1};
    neuromc_status status = nmc_file_open(&part->file, path, SIZE_MAX, diags);
    if (status != NEUROMC_OK)
        return status;
    const char *text = (const char *)part->file.data;
    if (part->file.size && text[0] != '{') {
        const char *end = memchr(text, '\n', part->file.size);
        if (!end || strncmp(text, "index,", 6) != 0)
            return refuse(part, "expected points of a sweep, CSV or NDJSON", diags);
        part->head = (size_t)(end - text) + 1;
    }
    if (part->file.size == part->head)
        return NEUROMC_OK;
    if (part->file.data[part->file.size - 1] != '\n')
        return refuse(part, "the last row is not complete", diags);
    if (!read_index(part, part->head, &part->first) ||
        !read_index(part, last_row(part), &part->last))
        return refuse(part, "a row without its index", diags);
    return NEUROMC_OK;
}

static int by_first(const void *a, const void *b) {
    const struct part *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

static bool has_rows(const struct part *part) {
    return part->file.size > part->head;
}

/* All with the same head, and no index missing or twice between them. */
static neuromc_status check_parts(const struct part *parts, size_t count, neuromc_diags *diags) {
    const struct part *before = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct part *part = &parts[i];
        if (part->head != parts[0].head ||
            memcmp(part->file.data, parts[0].file.data, part->head) != 0)
            return refuse(part, "its columns are not those of the other files", diags);
        if (!has_rows(part))
            continue;
        if (part->first != (before ? before->last + 1 : 0))
            return nmc_error(diags, NEUROMC_BAD_INPUT, (struct nmc_place){.file = part->path},
                             "give the files of all shards, each once",
                             "it starts with point %lld where point %lld is wanted",
                             (long long)part->first, (long long)(before ? before->last + 1 : 0));
        before = part;
    }
    return NEUROMC_OK;
}

static bool write_parts(const struct part *parts, size_t count, neuromc_write_fn write,
                        void *user) {
    bool good = !parts[0].head || write(user, (const char *)parts[0].file.data, parts[0].head);
    for (size_t i = 0; good && i < count; i++)
        if (has_rows(&parts[i]))
            good = write(user, (const char *)parts[i].file.data + parts[i].head,
                         parts[i].file.size - parts[i].head);
    return good;
}

neuromc_status neuromc_sweep_merge_points(const char *const *paths, size_t count,
                                          neuromc_write_fn write, void *user,
                                          neuromc_diags *diags) {
    struct part *parts = nmc_malloc((count + 1) * sizeof *parts);
    size_t opened = 0;
    neuromc_status status = parts ? NEUROMC_OK : nmc_out_of_memory(diags);
    while (status == NEUROMC_OK && opened < count) {
        status = open_part(&parts[opened], paths[opened], diags);
        opened++;
    }
    if (status == NEUROMC_OK && count) {
        qsort(parts, count, sizeof *parts, by_first);
        status = check_parts(parts, count, diags);
    }
    if (status == NEUROMC_OK && count && !write_parts(parts, count, write, user))
        status = nmc_error(diags, NEUROMC_IO, (struct nmc_place){0}, NULL,
                           "the points could not be written completely");
    for (size_t i = 0; i < opened; i++)
        nmc_file_close(&parts[i].file);
    nmc_free(parts);
    return status;
}
