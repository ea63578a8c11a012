/*
 * gpu_time.h - macOS: how long each process has used the GPU, from the I/O Registry. A GPU's rail
 * counts for everybody; only with its share of the time can a process claim it.
 */
#ifndef NMC_GPU_TIME_H
#define NMC_GPU_TIME_H

#include "counters/ioreport_api.h"

struct nmc_iokit_api {
    cf_ref (*matching)(const char *class_name);
    int (*find)(uint32_t port, cf_ref matching, uint32_t *iterator); /* releases matching */
    uint32_t (*next)(uint32_t iterator);
    int (*children)(uint32_t entry, const char *plane, uint32_t *iterator);
    cf_ref (*property)(uint32_t entry, cf_ref key, cf_ref allocator, uint32_t options);
    int (*release)(uint32_t object);
};

/* What is needed to read it; one thread at a time, apart from the counter's own. */
struct nmc_gpu_source {
    struct nmc_library cf_library, iokit_library;
    struct nmc_cf_api cf;
    struct nmc_iokit_api iokit;
    unsigned char (*number_value)(cf_ref number, long type, void *out);
    cf_ref creator, usage, time; /* keys */
};

bool nmc_gpu_source_open(struct nmc_counter *counter, struct nmc_gpu_source *source);
void nmc_gpu_source_close(struct nmc_gpu_source *source);

/* Adds what every process has used to a snapshot (counter.h). False: it is not whole. */
bool nmc_gpu_source_read(const struct nmc_gpu_source *source, struct nmc_gpu_times *out);

#endif
