/*
 * file.h - whole files in, whole files out.
 */
#ifndef NMC_FILE_H
#define NMC_FILE_H

#include <stddef.h>

#include "neuromc.h"

/* A file's bytes. A regular file is mapped, so bytes nobody looks at are never read; standard
 * input ("-") and pipes are read into memory. */
struct nmc_file {
    const unsigned char *data;
    size_t size;
    bool mapped;
};

/* Refuses directories, and streams longer than `cap` bytes. A mapped file may be any size. */
neuromc_status nmc_file_open(struct nmc_file *file, const char *path, size_t cap,
                             neuromc_diags *diags);
void nmc_file_close(struct nmc_file *file);

/* How a file starts, looked at before it is known who will read it. What comes from standard
 * input or a pipe cannot be read again: whoever opens it next is given the peek. */
struct nmc_peek {
    unsigned char bytes[256];
    size_t size;
    bool taken; /* from the stream `fd`, which goes on after them; else the file is opened anew */
    int fd;
};

neuromc_status nmc_file_peek(struct nmc_peek *peek, const char *path, neuromc_diags *diags);
void nmc_peek_close(struct nmc_peek *peek);
/* nmc_file_open for a path that was peeked at. peek may be NULL. */
neuromc_status nmc_file_open_peeked(struct nmc_file *file, const char *path,
                                    const struct nmc_peek *peek, size_t cap, neuromc_diags *diags);
/* Bytes [from, to) of a mapped file will not be looked at soon: their pages need not stay. */
void nmc_file_forget(const struct nmc_file *file, size_t from, size_t to);

/* A file written beside `path` and renamed over it when complete, so that nothing is ever seen
 * half-written. NULL path or "-" is standard output. */
struct nmc_file_out {
    int fd;
    char *path, *temporary;
    bool failed;
    int error; /* errno of the first failure */
};

neuromc_status nmc_file_out_open(struct nmc_file_out *out, const char *path, neuromc_diags *diags);
/* Whether it can be opened, found out before the work whose result goes there. What is there stays
 * as it is; a pipe is not opened, for that would wait for its reader. */
neuromc_status nmc_file_out_check(const char *path, neuromc_diags *diags);
bool nmc_file_out_write(void *out, const char *data, size_t size); /* a neuromc_write_fn */
/* Completes the file, or removes it if keep is false or a write failed. */
neuromc_status nmc_file_out_close(struct nmc_file_out *out, bool keep, neuromc_diags *diags);

#endif
