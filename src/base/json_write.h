/*
 * json_write.h - JSON as it is produced, one value at a time, into a sink.
 *
 * The writer places commas, indentation and quotes; names and texts may hold any bytes: invalid
 * UTF-8 becomes U+FFFD, control characters are escaped. Numbers are finite and read back equal;
 * integers stay exact in the text beyond 2^53.
 */
#ifndef NMC_JSON_WRITE_H
#define NMC_JSON_WRITE_H

#include <stdint.h>

#include "base/sink.h"

struct nmc_json {
    struct nmc_sink *sink;
    int depth;
    int flat_from; /* containers at this depth or deeper are written on one line; 0: none */
    bool empty;    /* nothing written yet in the innermost open container */
    bool after_key;
    bool in_html; /* '<' is escaped: the text may stand in a script element */
};

void nmc_json_init(struct nmc_json *json, struct nmc_sink *sink);

/* Opens a container; inside an object each value needs its key first. */
void nmc_json_begin(struct nmc_json *json, char bracket); /* '{' or '[' */
/* The same, with everything inside on one line. */
void nmc_json_begin_flat(struct nmc_json *json, char bracket);
void nmc_json_end(struct nmc_json *json, char bracket); /* '}' or ']' */
void nmc_json_key(struct nmc_json *json, const char *key);

void nmc_json_text(struct nmc_json *json, const char *text); /* NULL writes null */
void nmc_json_integer(struct nmc_json *json, int64_t value);
void nmc_json_number(struct nmc_json *json, double value);
void nmc_json_bool(struct nmc_json *json, bool value);
/* A value that is JSON already, as it stands. */
void nmc_json_raw(struct nmc_json *json, const char *text, size_t length);

/* key and value at once */
void nmc_json_key_text(struct nmc_json *json, const char *key, const char *text);
void nmc_json_key_integer(struct nmc_json *json, const char *key, int64_t value);
void nmc_json_key_number(struct nmc_json *json, const char *key, double value);
void nmc_json_key_bool(struct nmc_json *json, const char *key, bool value);

#endif
