#include "sweep/decimal.h"

#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "base/number.h"

enum { MOST_DECIMALS = 18 };

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Reads e[-]digits; *shift is how far the point moves to the right. */
static size_t read_exponent(const char *text, int *shift) {
    size_t at = 1;
    if (text[0] != 'e' && text[0] != 'E')
        return 0;
    bool negative = text[at] == '-';
    at += text[at] == '-' || text[at] == '+';
    if (!is_digit(text[at]))
        return 0;
    int value = 0;
    for (; is_digit(text[at]); at++)
        value = value > 1000 ? value : 10 * value + (text[at] - '0');
    *shift = negative ? -value : value;
    return at;
}

size_t nmc_exact_read(const char *text, struct nmc_exact *out) {
    size_t at = text[0] == '-';
    int digits = 0, shift = 0;
    bool behind = false;
    *out = (struct nmc_exact){0, 0};
    for (; is_digit(text[at]) || (text[at] == '.' && !behind); at++) {
        if (text[at] == '.') {
            behind = true;
            continue;
        }
        digits++;
        out->decimals += behind;
        if (!nmc_mul(out->mantissa, 10, &out->mantissa) ||
            !nmc_add(out->mantissa, text[at] - '0', &out->mantissa))
            return 0;
    }
    if (!digits)
        return 0;
    at += read_exponent(text + at, &shift);
    out->decimals -= shift;
    for (; out->decimals < 0; out->decimals++)
        if (!nmc_mul(out->mantissa, 10, &out->mantissa))
            return 0;
    for (; out->decimals > 0 && out->mantissa % 10 == 0; out->decimals--)
        out->mantissa /= 10;
    if (text[0] == '-')
        out->mantissa = -out->mantissa;
    return out->decimals <= MOST_DECIMALS ? at : 0;
}

bool nmc_exact_multiply(struct nmc_exact a, struct nmc_exact b, struct nmc_exact *out) {
    out->decimals = a.decimals + b.decimals;
    if (!nmc_mul(a.mantissa, b.mantissa, &out->mantissa))
        return false;
    for (; out->decimals > 0 && out->mantissa % 10 == 0; out->decimals--)
        out->mantissa /= 10;
    return out->decimals <= MOST_DECIMALS;
}

bool nmc_exact_align(struct nmc_exact *a, struct nmc_exact *b) {
    struct nmc_exact *shorter = a->decimals < b->decimals ? a : b;
    int decimals = a->decimals < b->decimals ? b->decimals : a->decimals;
    for (; shorter->decimals < decimals; shorter->decimals++)
        if (!nmc_mul(shorter->mantissa, 10, &shorter->mantissa))
            return false;
    return true;
}

double nmc_exact_double(struct nmc_exact value) {
    char text[64];
    double out = 0;
    int length = snprintf(text, sizeof text, "%llde-%d", (long long)value.mantissa, value.decimals);
    nmc_number_parse(text, (size_t)length, &out);
    return out;
}
