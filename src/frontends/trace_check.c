/* The grammar of JSON, held against one text in one pass. */
#include <stdint.h>
#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "frontends/trace_scan.h"

struct check {
    const char *at, *end;
    uint64_t objects; /* one bit per open bracket, innermost lowest: 1 for '{' */
    int depth;
    struct nmc_scan_members *members;
};

_Static_assert(NMC_LIMIT_JSON_DEPTH <= 64, "one bit per level");

static const char *unexpected(const struct check *c, const char *wanted) {
    if (c->at >= c->end)
        return "the text ends too early";
    return *c->at == 0 ? "a NUL byte" : wanted;
}

static const char *check_escape(struct check *c) {
    c->at++;
    if (*c->at == 'u') {
        for (int i = 0; i < 4; i++) {
            unsigned char h = (unsigned char)*++c->at;
            bool digit = h >= '0' && h <= '9';
            bool letter = (h | 0x20) >= 'a' && (h | 0x20) <= 'f';
            if (!digit && !letter)
                return unexpected(c, "\\u needs four hexadecimal digits");
        }
    } else if (!*c->at || !strchr("\"\\/bfnrt", *c->at)) {
        return unexpected(c, "no such escape");
    }
    c->at++;
    return NULL;
}

/* ASCII that stands for itself in a string. */
static bool is_plain(unsigned char byte) {
    return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

static const char *check_string(struct check *c) {
    for (c->at++;;) {
        while (is_plain((unsigned char)*c->at))
            c->at++;
        unsigned char byte = (unsigned char)*c->at;
        if (byte == '"') {
            c->at++;
            return NULL;
        }
        if (byte == '\\') {
            const char *wrong = check_escape(c);
            if (wrong)
                return wrong;
        } else if (byte < 0x20) {
            return unexpected(c, "a control character inside a string must be escaped");
        } else {
            size_t width = nmc_utf8_width((const unsigned char *)c->at);
            if (!width)
                return "the text is not UTF-8";
            c->at += width;
        }
    }
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static const char *check_digits(struct check *c) {
    if (!is_digit(*c->at))
        return unexpected(c, "a digit expected");
    while (is_digit(*c->at))
        c->at++;
    return NULL;
}

static const char *check_number(struct check *c) {
    const char *wrong = NULL;
    if (*c->at == '-')
        c->at++;
    if (*c->at == '0' && is_digit(c->at[1]))
        return "a number must not start with 0";
    wrong = check_digits(c);
    if (!wrong && *c->at == '.') {
        c->at++;
        wrong = check_digits(c);
    }
    if (!wrong && (*c->at == 'e' || *c->at == 'E')) {
        c->at++;
        if (*c->at == '+' || *c->at == '-')
            c->at++;
        wrong = check_digits(c);
    }
    return wrong;
}

static const char *check_literal(struct check *c) {
    const char *word = *c->at == 't' ? "true" : *c->at == 'f' ? "false" : "null";
    const char *at = c->at;
    while (*word && *at == *word) {
        at++;
        word++;
    }
    if (*word)
        return unexpected(c, "a value expected");
    c->at = at;
    return NULL;
}

static const char *check_scalar(struct check *c) {
    if (*c->at == '"')
        return check_string(c);
    if (*c->at == '-' || is_digit(*c->at))
        return check_number(c);
    return check_literal(c);
}

static const char *note_member(struct check *c, const char *key) {
    struct nmc_scan_members *members = c->members;
    if (members->count == NMC_LIMIT_EVENT_KEYS)
        return "too many keys";
    members->items[members->count].key = key;
    members->items[members->count++].value = c->at;
    return NULL;
}

/* From a key to where its value starts. */
static const char *check_key(struct check *c) {
    c->at = nmc_scan_blanks(c->at);
    if (*c->at != '"')
        return unexpected(c, "a key in double quotes expected");
    const char *key = c->at;
    const char *wrong = check_string(c);
    if (wrong)
        return wrong;
    c->at = nmc_scan_blanks(c->at);
    if (*c->at != ':')
        return unexpected(c, "':' expected");
    c->at = nmc_scan_blanks(c->at + 1);
    return c->depth == 1 ? note_member(c, key) : NULL;
}

/* After a value: through closing brackets to the next value, or to the end (depth 0). */
static const char *check_after(struct check *c) {
    while (c->depth) {
        bool object = c->objects & 1;
        c->at = nmc_scan_blanks(c->at);
        if (*c->at == ',') {
            c->at = nmc_scan_blanks(c->at + 1);
            return object ? check_key(c) : NULL;
        }
        if (*c->at != (object ? '}' : ']'))
            return unexpected(c, object ? "',' or '}' expected" : "',' or ']' expected");
        c->at++;
        c->objects >>= 1;
        c->depth--;
    }
    return NULL;
}

/* An opening bracket, up to its first value. An empty pair counts as a scalar: *empty. */
static const char *check_open(struct check *c, bool *empty) {
    bool object = *c->at == '{';
    const char *inside = nmc_scan_blanks(c->at + 1);
    *empty = *inside == (object ? '}' : ']');
    if (*empty) {
        c->at = inside + 1;
        return NULL;
    }
    if (c->depth == NMC_LIMIT_JSON_DEPTH)
        return "nested too deeply";
    c->depth++;
    c->objects = c->objects << 1 | object;
    c->at = inside;
    return object ? check_key(c) : NULL;
}

const char *nmc_scan_check(const char *text, size_t length, struct nmc_scan_members *members,
                           const char **at) {
    struct check c = {.at = nmc_scan_blanks(text), .end = text + length, .members = members};
    members->count = 0;
    const char *wrong = *c.at == '{' ? NULL : unexpected(&c, "an object expected");
    while (!wrong) {
        bool value = true;
        if (*c.at == '{' || *c.at == '[')
            wrong = check_open(&c, &value);
        else
            wrong = check_scalar(&c);
        if (!wrong && value)
            wrong = check_after(&c);
        if (!c.depth)
            break;
    }
    if (!wrong) {
        c.at = nmc_scan_blanks(c.at);
        if (c.at != c.end)
            wrong = unexpected(&c, "the text goes on after its object");
    }
    *at = c.at;
    return wrong;
}
