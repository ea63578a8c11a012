#include "base/utf8.h"

static bool continues(unsigned char c) {
    return (c & 0xC0) == 0x80;
}

size_t nmc_utf8_width(const unsigned char *s) {
    if (*s == 0)
        return 0;
    if (*s < 0x80)
        return 1;
    if (*s >= 0xC2 && *s <= 0xDF)
        return continues(s[1]) ? 2 : 0;
    if ((*s & 0xF0) == 0xE0) {
        if (!continues(s[1]) || !continues(s[2]))
            return 0;
        if ((*s == 0xE0 && s[1] < 0xA0) || (*s == 0xED && s[1] >= 0xA0))
            return 0;
        return 3;
    }
    if (*s >= 0xF0 && *s <= 0xF4) {
        if (!continues(s[1]) || !continues(s[2]) || !continues(s[3]))
            return 0;
        if ((*s == 0xF0 && s[1] < 0x90) || (*s == 0xF4 && s[1] >= 0x90))
            return 0;
        return 4;
    }
    return 0;
}

bool nmc_utf8_valid(const char *data, size_t size) {
    const unsigned char *at = (const unsigned char *)data, *end = at + size;
    while (at < end) {
        if (*at < 0x80) {
            at++;
            continue;
        }
        unsigned char character[5] = {0};
        for (int i = 0; i < 4 && at + i < end; i++)
            character[i] = at[i];
        size_t width = nmc_utf8_width(character);
        if (!width)
            return false;
        at += width;
    }
    return true;
}
