/* A model file into ONNX Runtime: weights that are not shipped are missed, or made up. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "counters/runner.h"
#include "frontends/onnx_outside.h"

/* ---- weights that are not there ---- */

struct missing {
    const char *path; /* the model's */
    const char *(*why)(const struct missing *missing, const struct nmc_outside *tensor);
    int64_t tensors, count;
    struct nmc_outside first;
    bool nowhere; /* the first says no place at all */
};

static bool is_there(const char *model, const struct nmc_outside *tensor, bool *known) {
    struct stat status;
    struct nmc_strbuf path;
    const char *slash = strrchr(model, '/');
    nmc_strbuf_init(&path);
    if (slash && tensor->location[0] != '/')
        nmc_strbuf_add(&path, model, (size_t)(slash + 1 - model));
    nmc_strbuf_puts(&path, tensor->location);
    int64_t length = tensor->length >= 0 ? tensor->length : tensor->bytes;
    bool there = stat(path.text, &status) == 0 && tensor->offset >= 0 &&
                 status.st_size >= tensor->offset && status.st_size - tensor->offset >= length;
    *known = !path.failed;
    nmc_strbuf_release(&path);
    return there;
}

static neuromc_status look_for(void *user, const struct nmc_outside *tensor) {
    struct missing *m = user;
    bool known = true;
    m->tensors++;
    if (tensor->elements == 0 || (*tensor->location && is_there(m->path, tensor, &known)))
        return known ? NEUROMC_OK : NEUROMC_IO;
    if (m->count++ == 0)
        m->first = *tensor;
    return NEUROMC_OK;
}

static neuromc_status refuse_missing(const struct neuromc_runner *runner,
                                     const struct nmc_file *file, neuromc_diags *diags) {
    struct missing missing = {.path = runner->path};
    neuromc_status status = nmc_onnx_outside(file, runner->path, look_for, &missing, diags);
    if (status != NEUROMC_OK || !missing.count)
        return status;
    const struct nmc_outside *t = &missing.first;
    return nmc_error(diags, NEUROMC_BAD_INPUT,
                     (struct nmc_place){.file = runner->path, .where = *t->name ? t->name : NULL},
                     "put them beside the model, or make them up with --random-weights SEED",
                     "the values of %lld tensors are not here, so the model cannot run: %s%s",
                     (long long)missing.count,
                     *t->location ? "no such file or not long enough: " : "the file has none",
                     t->location);
}

/* ---- weights made up ---- */

static void fill(void *user, const struct nmc_outside *tensor, int64_t first, int64_t count,
                 void *data) {
    const struct neuromc_runner *runner = user;
    nmc_weight_fill(runner->weight_seed, tensor->index, tensor->type, tensor->dims, tensor->rank,
                    first, count, data);
}

static neuromc_status count_one(void *user, const struct nmc_outside *tensor) {
    struct nmc_made_up *made_up = user;
    made_up->tensors++;
    made_up->elements += tensor->elements;
    return NEUROMC_OK;
}

static bool write_fd(void *user, const char *data, size_t size) {
    int fd = *(int *)user;
    while (size) {
        ssize_t written = write(fd, data, size);
        if (written < 0 && errno != EINTR)
            return false;
        data += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

/* A file without a name: it is gone when the process is, however that ends. */
static int scratch_file(void) {
    const char *folder = getenv("TMPDIR");
    struct nmc_strbuf path;
    nmc_strbuf_init(&path);
    nmc_strbuf_printf(&path, "%s/neuromc-XXXXXX", folder && *folder ? folder : "/tmp");
    int fd = path.failed ? -1 : mkstemp(path.text);
    if (fd >= 0)
        unlink(path.text);
    nmc_strbuf_release(&path);
    return fd;
}

static neuromc_status open_mapped(struct neuromc_runner *runner, int fd, neuromc_diags *diags) {
    struct stat status;
    if (fstat(fd, &status) != 0 || status.st_size == 0)
        return nmc_error(diags, NEUROMC_IO, (struct nmc_place){.file = runner->path}, NULL,
                         "cannot read back the model with made-up weights");
    size_t size = (size_t)status.st_size;
    void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED)
        return nmc_error(diags, NEUROMC_IO, (struct nmc_place){.file = runner->path}, NULL,
                         "cannot read back the model with made-up weights: %s", strerror(errno));
    neuromc_status result =
        nmc_session_open(&runner->session, &runner->ort, NULL, data, size, runner->threads, diags);
    munmap(data, size);
    return result;
}

static neuromc_status open_scratch(struct neuromc_runner *runner, const struct nmc_file *file,
                                   neuromc_diags *diags) {
    int fd = scratch_file();
    if (fd < 0)
        return nmc_error(diags, NEUROMC_IO, (struct nmc_place){0},
                         "TMPDIR names a folder for temporary files",
                         "cannot make a file for made-up weights: %s", strerror(errno));
    neuromc_status status = nmc_onnx_fill(file, runner->path, fill, runner, write_fd, &fd, diags);
    if (status == NEUROMC_OK)
        status = open_mapped(runner, fd, diags);
    close(fd);
    return status;
}

static neuromc_status open_saved(struct neuromc_runner *runner, const struct nmc_file *file,
                                 const char *path, neuromc_diags *diags) {
    struct nmc_file_out out;
    neuromc_status status = nmc_file_out_open(&out, path, diags);
    if (status != NEUROMC_OK)
        return status;
    status = nmc_onnx_fill(file, runner->path, fill, runner, nmc_file_out_write, &out, diags);
    neuromc_status closed = nmc_file_out_close(&out, status == NEUROMC_OK, diags);
    status = status == NEUROMC_OK ? closed : status;
    return status == NEUROMC_OK ? nmc_session_open(&runner->session, &runner->ort, path, NULL, 0,
                                                   runner->threads, diags)
                                : status;
}

static neuromc_status open_filled(struct neuromc_runner *runner, const struct nmc_file *file,
                                  const char *save, neuromc_diags *diags) {
    neuromc_status status =
        nmc_onnx_outside(file, runner->path, count_one, &runner->made_up, diags);
    if (status != NEUROMC_OK)
        return status;
    return save ? open_saved(runner, file, save, diags) : open_scratch(runner, file, diags);
}

neuromc_status nmc_runner_open(struct neuromc_runner *runner, const neuromc_runner_options *options,
                               neuromc_diags *diags) {
    struct nmc_file file;
    neuromc_status status = nmc_file_open(&file, runner->path, 0, diags);
    if (status != NEUROMC_OK)
        return status;
    if (options->random_weights)
        status = open_filled(runner, &file, options->save_model, diags);
    else
        status = refuse_missing(runner, &file, diags);
    nmc_file_close(&file);
    if (status != NEUROMC_OK || options->random_weights)
        return status;
    return nmc_session_open(&runner->session, &runner->ort, runner->path, NULL, 0, runner->threads,
                            diags);
}
