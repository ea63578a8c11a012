/* Walks JSON text that is known to be well-formed. */
#include "frontends/trace_scan.h"

#include <stdint.h>
#include <string.h>

const char *const nmc_scan_kind_names[] = {"null",     "true or false", "a number",
                                           "a string", "a list",        "an object"};

const char *nmc_scan_blanks(const char *at) {
    while (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n')
        at++;
    return at;
}

enum nmc_scan_kind nmc_scan_kind(const char *at) {
    switch (*at) {
    case 'n': return NMC_SCAN_NULL;
    case 't':
    case 'f': return NMC_SCAN_BOOL;
    case '"': return NMC_SCAN_TEXT;
    case '[': return NMC_SCAN_LIST;
    case '{': return NMC_SCAN_OBJECT;
    default: return NMC_SCAN_NUMBER;
    }
}

/* The closing quote of the string that opens at `at`. */
static const char *string_end(const char *at, bool *escaped) {
    *escaped = false;
    for (at++; *at != '"'; at++)
        if (*at == '\\') {
            *escaped = true;
            at++;
        }
    return at;
}

static const char *skip_string(const char *at) {
    bool escaped;
    return string_end(at, &escaped) + 1;
}

static const char *skip_bare(const char *at) {
    while (*at && !strchr(",]} \t\r\n", *at))
        at++;
    return at;
}

static const char *skip_nested(const char *at) {
    int depth = 0;
    do {
        switch (*at) {
        case '"': at = skip_string(at); continue;
        case '[':
        case '{': depth++; break;
        case ']':
        case '}': depth--; break;
        default: break;
        }
        at++;
    } while (depth);
    return at;
}

const char *nmc_scan_skip(const char *at) {
    if (*at == '"')
        at = skip_string(at);
    else if (*at == '[' || *at == '{')
        at = skip_nested(at);
    else
        at = skip_bare(at);
    return nmc_scan_blanks(at);
}

static bool more(const char **at) {
    if (**at != ']' && **at != '}')
        return true;
    *at = nmc_scan_blanks(*at + 1);
    return false;
}

bool nmc_scan_enter(const char **at) {
    *at = nmc_scan_blanks(*at + 1);
    return more(at);
}

bool nmc_scan_next(const char **at) {
    *at = nmc_scan_blanks(*at);
    if (**at == ',')
        *at = nmc_scan_blanks(*at + 1);
    return more(at);
}

struct nmc_scan_span nmc_scan_take(const char **at) {
    const char *start = *at;
    struct nmc_scan_span span = {.start = start};
    if (*start == '"') {
        const char *end = string_end(start, &span.escaped);
        span.start = start + 1;
        span.length = (size_t)(end - span.start);
        *at = nmc_scan_blanks(end + 1);
    } else {
        const char *end = skip_bare(start);
        span.length = (size_t)(end - start);
        *at = nmc_scan_blanks(end);
    }
    return span;
}

struct nmc_scan_span nmc_scan_key(const char **at) {
    struct nmc_scan_span span = nmc_scan_take(at);
    *at = nmc_scan_blanks(*at + 1);
    return span;
}

static uint32_t hex4(const char *digits) {
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) {
        char c = digits[i];
        uint32_t digit = c <= '9' ? (uint32_t)(c - '0') : (uint32_t)((c | 0x20) - 'a' + 10);
        value = value << 4 | digit;
    }
    return value;
}

/* One \u escape, or a pair of them; 0 if it names no character we hold. */
static uint32_t take_unicode(const char **at, const char *end) {
    uint32_t high = hex4(*at);
    *at += 4;
    if (high < 0xD800 || high > 0xDFFF)
        return high;
    if (high > 0xDBFF || end - *at < 6 || (*at)[0] != '\\' || (*at)[1] != 'u')
        return 0;
    uint32_t low = hex4(*at + 2);
    *at += 6;
    if (low < 0xDC00 || low > 0xDFFF)
        return 0;
    return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
}

static char *put_utf8(char *out, uint32_t c) {
    if (c < 0x80) {
        *out++ = (char)c;
    } else if (c < 0x800) {
        *out++ = (char)(0xC0 | c >> 6);
        *out++ = (char)(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        *out++ = (char)(0xE0 | c >> 12);
        *out++ = (char)(0x80 | (c >> 6 & 0x3F));
        *out++ = (char)(0x80 | (c & 0x3F));
    } else {
        *out++ = (char)(0xF0 | c >> 18);
        *out++ = (char)(0x80 | (c >> 12 & 0x3F));
        *out++ = (char)(0x80 | (c >> 6 & 0x3F));
        *out++ = (char)(0x80 | (c & 0x3F));
    }
    return out;
}

bool nmc_scan_unescape(struct nmc_scan_span span, char *out) {
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    const char *at = span.start, *end = at + span.length;
    while (at < end) {
        if (*at != '\\') {
            *out++ = *at++;
            continue;
        }
        char letter = at[1];
        at += 2;
        if (letter != 'u') {
            *out++ = meanings[strchr(letters, letter) - letters];
            continue;
        }
        uint32_t c = take_unicode(&at, end);
        if (!c)
            return false;
        out = put_utf8(out, c);
    }
    *out = 0;
    return true;
}

bool nmc_scan_equals(struct nmc_scan_span span, const char *text, size_t length) {
    if (!span.escaped)
        return span.length == length && memcmp(span.start, text, length) == 0;
    /* An escape is at least as long as what it stands for; six times is the longest. */
    char plain[256];
    if (span.length >= sizeof plain || !nmc_scan_unescape(span, plain))
        return false;
    return strlen(plain) == length && memcmp(plain, text, length) == 0;
}
