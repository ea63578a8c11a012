#include "base/json_write.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"

void nmc_json_init(struct nmc_json *json, struct nmc_sink *sink) {
    *json = (struct nmc_json){.sink = sink, .empty = true};
}

static bool flat(const struct nmc_json *json) {
    return json->flat_from && json->depth >= json->flat_from;
}

static void new_line(struct nmc_json *json) {
    nmc_sink_puts(json->sink, "\n");
    for (int i = 0; i < json->depth; i++)
        nmc_sink_puts(json->sink, "  ");
}

/* What must stand between the last thing written and the next value or key. */
static void separate(struct nmc_json *json) {
    if (json->after_key) {
        json->after_key = false;
        return;
    }
    if (!json->empty)
        nmc_sink_puts(json->sink, flat(json) ? ", " : ",");
    if (json->depth && !flat(json))
        new_line(json);
    json->empty = false;
}

void nmc_json_begin(struct nmc_json *json, char bracket) {
    separate(json);
    nmc_sink_add(json->sink, &bracket, 1);
    json->depth++;
    json->empty = true;
}

void nmc_json_begin_flat(struct nmc_json *json, char bracket) {
    nmc_json_begin(json, bracket);
    if (!json->flat_from)
        json->flat_from = json->depth;
}

void nmc_json_end(struct nmc_json *json, char bracket) {
    bool was_flat = flat(json);
    if (json->flat_from == json->depth)
        json->flat_from = 0;
    json->depth--;
    if (!json->empty && !was_flat)
        new_line(json);
    json->empty = false;
    nmc_sink_add(json->sink, &bracket, 1);
    if (!json->depth)
        nmc_sink_puts(json->sink, "\n");
}

static bool is_special(const struct nmc_json *json, unsigned char c) {
    return c == '"' || c == '\\' || (json->in_html && c == '<');
}

static void quote(struct nmc_json *json, const char *text) {
    static const char hex[] = "0123456789abcdef";
    nmc_sink_puts(json->sink, "\"");
    const unsigned char *at = (const unsigned char *)text;
    while (*at) {
        const unsigned char *run = at;
        size_t width = 0;
        while (*at >= 0x20 && !is_special(json, *at) && (width = nmc_utf8_width(at)) != 0)
            at += width;
        nmc_sink_add(json->sink, (const char *)run, (size_t)(at - run));
        if (!*at)
            break;
        if (*at == '"' || *at == '\\') {
            char escaped[2] = {'\\', (char)*at};
            nmc_sink_add(json->sink, escaped, 2);
        } else if (*at == '\n') {
            nmc_sink_puts(json->sink, "\\n");
        } else if (*at < 0x20 || *at == '<') {
            char escaped[6] = {'\\', 'u', '0', '0', hex[*at >> 4], hex[*at & 15]};
            nmc_sink_add(json->sink, escaped, 6);
        } else {
            nmc_sink_puts(json->sink, "\xEF\xBF\xBD");
        }
        at++;
    }
    nmc_sink_puts(json->sink, "\"");
}

void nmc_json_key(struct nmc_json *json, const char *key) {
    separate(json);
    quote(json, key);
    nmc_sink_puts(json->sink, ": ");
    json->after_key = true;
}

void nmc_json_text(struct nmc_json *json, const char *text) {
    separate(json);
    if (text)
        quote(json, text);
    else
        nmc_sink_puts(json->sink, "null");
}

void nmc_json_integer(struct nmc_json *json, int64_t value) {
    separate(json);
    nmc_sink_printf(json->sink, "%lld", (long long)value);
}

void nmc_json_number(struct nmc_json *json, double value) {
    char text[NMC_NUMBER_SIZE];
    separate(json);
    if (!isfinite(value)) { /* never by design; a report must not hold it */
        json->sink->failed = true;
        return;
    }
    nmc_number_format(text, value);
    nmc_sink_puts(json->sink, text);
    /* 0.0, not 0: an energy is a number with a fraction, and readers type by it. */
    if (!strpbrk(text, ".e"))
        nmc_sink_puts(json->sink, ".0");
}

void nmc_json_bool(struct nmc_json *json, bool value) {
    separate(json);
    nmc_sink_puts(json->sink, value ? "true" : "false");
}

void nmc_json_raw(struct nmc_json *json, const char *text, size_t length) {
    separate(json);
    nmc_sink_add(json->sink, text, length);
}

void nmc_json_key_text(struct nmc_json *json, const char *key, const char *text) {
    nmc_json_key(json, key);
    nmc_json_text(json, text);
}

void nmc_json_key_integer(struct nmc_json *json, const char *key, int64_t value) {
    nmc_json_key(json, key);
    nmc_json_integer(json, value);
}

void nmc_json_key_number(struct nmc_json *json, const char *key, double value) {
    nmc_json_key(json, key);
    nmc_json_number(json, value);
}

void nmc_json_key_bool(struct nmc_json *json, const char *key, bool value) {
    nmc_json_key(json, key);
    nmc_json_bool(json, value);
}
