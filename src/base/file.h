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

neuromc_status nmc_file_out_open(struct nmc_file_out *out, const char *path,
                                 neuromc_diags *diags);
bool nmc_file_out_write(void *out, const char *data, size_t size); /* a neuromc_write_fn */
/* Completes the file, or removes it if keep is false or a write failed. */
neuromc_status nmc_file_out_close(struct nmc_file_out *out, bool keep, neuromc_diags *diags);

#endif
