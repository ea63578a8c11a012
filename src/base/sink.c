#include "base/sink.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"

enum { FLUSH_AT = 1 << 16 };

void nmc_sink_init(struct nmc_sink *sink, neuromc_write_fn write, void *user) {
    *sink = (struct nmc_sink){.write = write, .user = user};
    nmc_strbuf_init(&sink->buffer);
}

static void flush(struct nmc_sink *sink) {
    if (sink->buffer.failed)
        sink->failed = true;
    if (!sink->failed && sink->buffer.length &&
        !sink->write(sink->user, sink->buffer.text, sink->buffer.length))
        sink->failed = true;
    nmc_strbuf_clear(&sink->buffer);
}

void nmc_sink_add(struct nmc_sink *sink, const char *data, size_t size) {
    if (sink->failed)
        return;
    nmc_strbuf_add(&sink->buffer, data, size);
    if (sink->buffer.length >= FLUSH_AT)
        flush(sink);
}

void nmc_sink_puts(struct nmc_sink *sink, const char *text) {
    nmc_sink_add(sink, text, strlen(text));
}

void nmc_sink_printf(struct nmc_sink *sink, const char *format, ...) {
    char text[512];
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(text, sizeof text, format, args);
    if (length >= 0 && (size_t)length < sizeof text) {
        nmc_sink_add(sink, text, (size_t)length);
    } else if (length >= 0) {
        struct nmc_strbuf buffer;
        nmc_strbuf_init(&buffer);
        nmc_strbuf_vprintf(&buffer, format, again);
        nmc_sink_add(sink, buffer.text, buffer.length);
        sink->failed |= buffer.failed;
        nmc_strbuf_release(&buffer);
    } else {
        sink->failed = true;
    }
    va_end(again);
    va_end(args);
}

neuromc_status nmc_sink_finish(struct nmc_sink *sink, neuromc_diags *diags) {
    flush(sink);
    bool memory = sink->buffer.failed;
    nmc_strbuf_release(&sink->buffer);
    if (!sink->failed)
        return NEUROMC_OK;
    if (memory)
        return nmc_out_of_memory(diags);
    return nmc_error(diags, NEUROMC_IO, (struct nmc_place){0}, NULL,
                     "the output could not be written completely");
}
