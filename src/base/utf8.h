/*
 * utf8.h - names come from files and may hold any bytes; what we print is UTF-8.
 */
#ifndef NMC_UTF8_H
#define NMC_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the well-formed character at a NUL-terminated text (1 to 4), or 0: end or malformed.
 * Overlong forms, surrogates and values above U+10FFFF are malformed (RFC 3629). */
size_t nmc_utf8_width(const unsigned char *text);

/* Whether all of data is well-formed UTF-8; NUL bytes are allowed. */
bool nmc_utf8_valid(const char *data, size_t size);

#endif
