/*
 * strbuf.h - text that grows.
 *
 * Invariants: `text` is always a valid, NUL-terminated string, also before the first append and
 * after memory ran out; `failed` stays set once an append did not happen.
 */
#ifndef NMC_STRBUF_H
#define NMC_STRBUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct nmc_strbuf {
    char *text;
    size_t length, capacity;
    bool failed;
};

void nmc_strbuf_init(struct nmc_strbuf *buffer);
void nmc_strbuf_release(struct nmc_strbuf *buffer);
void nmc_strbuf_clear(struct nmc_strbuf *buffer);
void nmc_strbuf_add(struct nmc_strbuf *buffer, const char *data, size_t size);
void nmc_strbuf_puts(struct nmc_strbuf *buffer, const char *text);
void nmc_strbuf_putc(struct nmc_strbuf *buffer, char c);
void nmc_strbuf_printf(struct nmc_strbuf *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void nmc_strbuf_vprintf(struct nmc_strbuf *buffer, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

#endif
