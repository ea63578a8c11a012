#include "base/strbuf.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

static char empty[1];

void nmc_strbuf_init(struct nmc_strbuf *buffer) {
    *buffer = (struct nmc_strbuf){.text = empty};
}

void nmc_strbuf_release(struct nmc_strbuf *buffer) {
    if (buffer->text != empty)
        nmc_free(buffer->text);
    nmc_strbuf_init(buffer);
}

void nmc_strbuf_clear(struct nmc_strbuf *buffer) {
    buffer->length = 0;
    if (buffer->capacity)
        buffer->text[0] = '\0';
}

static bool reserve(struct nmc_strbuf *buffer, size_t more) {
    char *text = buffer->capacity ? buffer->text : NULL;
    if (more >= (size_t)-1 - buffer->length ||
        !nmc_grow(&text, &buffer->capacity, buffer->length + more + 1, 1)) {
        buffer->failed = true;
        return false;
    }
    buffer->text = text;
    return true;
}

void nmc_strbuf_add(struct nmc_strbuf *buffer, const char *data, size_t size) {
    if (size == 0 || !reserve(buffer, size))
        return;
    memcpy(buffer->text + buffer->length, data, size);
    buffer->length += size;
    buffer->text[buffer->length] = '\0';
}

void nmc_strbuf_puts(struct nmc_strbuf *buffer, const char *text) {
    nmc_strbuf_add(buffer, text, strlen(text));
}

void nmc_strbuf_putc(struct nmc_strbuf *buffer, char c) {
    nmc_strbuf_add(buffer, &c, 1);
}

void nmc_strbuf_vprintf(struct nmc_strbuf *buffer, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0) {
        buffer->failed = true;
    } else if (reserve(buffer, (size_t)length)) {
        vsnprintf(buffer->text + buffer->length, (size_t)length + 1, format, args);
        buffer->length += (size_t)length;
    }
}

void nmc_strbuf_printf(struct nmc_strbuf *buffer, const char *format, ...) {
    va_list args;
    va_start(args, format);
    nmc_strbuf_vprintf(buffer, format, args);
    va_end(args);
}
