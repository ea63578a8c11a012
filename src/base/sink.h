/*
 * sink.h - buffered output into a caller's write function. A write that fails stops everything
 * after it; nmc_sink_finish says whether all of it went through.
 */
#ifndef NMC_SINK_H
#define NMC_SINK_H

#include "base/strbuf.h"
#include "neuromc.h"

struct nmc_sink {
    neuromc_write_fn write;
    void *user;
    struct nmc_strbuf buffer;
    bool failed;
};

void nmc_sink_init(struct nmc_sink *sink, neuromc_write_fn write, void *user);
void nmc_sink_add(struct nmc_sink *sink, const char *data, size_t size);
void nmc_sink_puts(struct nmc_sink *sink, const char *text);
void nmc_sink_printf(struct nmc_sink *sink, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Flushes and releases. NEUROMC_IO if anything was lost. */
neuromc_status nmc_sink_finish(struct nmc_sink *sink, neuromc_diags *diags);

#endif
