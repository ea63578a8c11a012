#include "base/number.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/shortest.h"

/* The decimal separator is the one thing a locale changes in these conversions. */
static const char *decimal_point(void) {
    return localeconv()->decimal_point;
}

static void to_point(char *text) {
    const char *point = decimal_point();
    size_t width = strlen(point);
    char *at = strcmp(point, ".") == 0 || !width ? NULL : strstr(text, point);
    if (!at)
        return;
    *at = '.';
    memmove(at + 1, at + width, strlen(at + width) + 1);
}

/* Two digits at a time. */
static void put_digits(char *out, int count, uint64_t digits) {
    static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                                "25262728293031323334353637383940414243444546474849"
                                "50515253545556575859606162636465666768697071727374"
                                "75767778798081828384858687888990919293949596979899";
    for (; count > 1; digits /= 100)
        memcpy(out + (count -= 2), pairs + 2 * (digits % 100), 2);
    if (count)
        out[0] = (char)('0' + digits % 10);
}

static int count_digits(uint64_t value) {
    int count = 1;
    for (; value >= 10000; value /= 10000)
        count += 4;
    return count + (value >= 10) + (value >= 100) + (value >= 1000);
}

/* d.ddde+xx */
static char *put_scientific(char *out, int count, uint64_t digits, int exponent) {
    put_digits(out + 1, count, digits);
    out[0] = out[1];
    out[1] = '.';
    out += count > 1 ? count + 1 : 1;
    *out++ = 'e';
    *out++ = exponent < 0 ? '-' : '+';
    int size = exponent < 0 ? -exponent : exponent, width = size < 100 ? 2 : 3;
    put_digits(out, width, (uint64_t)size);
    return out + width;
}

/* exponent is that of the first digit. */
static char *put_plain(char *out, int count, uint64_t digits, int exponent) {
    int behind = count - 1 - exponent; /* digits after the point */
    if (exponent < 0) {
        memset(out, '0', (size_t)(1 - exponent));
        out[1] = '.';
        put_digits(out + 1 - exponent, count, digits);
        return out + 1 - exponent + count;
    }
    put_digits(out, count, digits);
    if (behind <= 0) {
        memset(out + count, '0', (size_t)-behind);
        return out + count - behind;
    }
    memmove(out + exponent + 2, out + exponent + 1, (size_t)behind);
    out[exponent + 1] = '.';
    return out + count + 1;
}

size_t nmc_number_format(char out[NMC_NUMBER_SIZE], double value) {
    enum { PLAIN_BELOW = 15 };
    char *at = out;
    if (value == 0) {
        memcpy(out, "0", 2);
        return 1;
    }
    if (value < 0)
        *at++ = '-';
    struct nmc_decimal d = nmc_shortest(value);
    int count = count_digits(d.digits), exponent = d.exponent + count - 1;
    bool plain = exponent >= -4 && exponent < (count > PLAIN_BELOW ? count : PLAIN_BELOW);
    at = plain ? put_plain(at, count, d.digits, exponent)
               : put_scientific(at, count, d.digits, exponent);
    *at = '\0';
    return (size_t)(at - out);
}

/* [-+]? digits [. digits]? [eE [-+]? digits]?, at least one digit before the exponent. */
static bool is_decimal(const char *text, size_t length) {
    size_t i = 0, digits = 0;
    if (i < length && (text[i] == '-' || text[i] == '+'))
        i++;
    for (; i < length && text[i] >= '0' && text[i] <= '9'; i++)
        digits++;
    if (i < length && text[i] == '.')
        for (i++; i < length && text[i] >= '0' && text[i] <= '9'; i++)
            digits++;
    if (!digits)
        return false;
    if (i < length && (text[i] == 'e' || text[i] == 'E')) {
        i++;
        if (i < length && (text[i] == '-' || text[i] == '+'))
            i++;
        size_t exponent = i;
        while (i < length && text[i] >= '0' && text[i] <= '9')
            i++;
        if (i == exponent)
            return false;
    }
    return i == length;
}

bool nmc_number_parse(const char *text, size_t length, double *out) {
    char copy[128 + 8];
    if (!is_decimal(text, length) || length > 128)
        return false;
    const char *point = decimal_point();
    const char *dot = memchr(text, '.', length);
    size_t before = dot ? (size_t)(dot - text) : length;
    size_t width = strlen(point) < 8 ? strlen(point) : 0;
    memcpy(copy, text, before);
    size_t used = before;
    if (dot) {
        memcpy(copy + used, point, width);
        used += width;
        memcpy(copy + used, dot + 1, length - before - 1);
        used += length - before - 1;
    }
    copy[used] = '\0';
    *out = strtod(copy, NULL);
    return isfinite(*out);
}

bool nmc_integer_parse(const char *text, size_t length, int64_t *out) {
    bool negative = length > 0 && text[0] == '-';
    int64_t value = 0;
    if (length == (size_t)negative)
        return false;
    for (size_t i = negative; i < length; i++) {
        int digit = text[i] - '0';
        /* Counted downwards, since INT64_MIN has no positive twin. */
        if (digit < 0 || digit > 9 || __builtin_mul_overflow(value, 10, &value) ||
            __builtin_sub_overflow(value, digit, &value))
            return false;
    }
    if (!negative && value == INT64_MIN)
        return false;
    *out = negative ? value : -value;
    return true;
}

void nmc_percent_format(char out[NMC_NUMBER_SIZE], double part, double whole) {
    snprintf(out, NMC_NUMBER_SIZE, "%.1f", whole > 0 ? 100 * part / whole : 0.0);
    to_point(out);
}

void nmc_energy_format(char out[NMC_NUMBER_SIZE], double picojoules) {
    static const char *const units[] = {"pJ", "nJ", "uJ", "mJ", "J", "kJ", "MJ"};
    size_t unit = 0;
    double value = picojoules;
    /* 999.95 would print as 1000 with four digits. */
    while (fabs(value) >= 999.95 && unit + 1 < sizeof units / sizeof *units) {
        value /= 1000;
        unit++;
    }
    int decimals = fabs(value) < 9.9995 ? 3 : fabs(value) < 99.995 ? 2 : 1;
    snprintf(out, NMC_NUMBER_SIZE, "%.*f %s", value == 0 ? 0 : decimals, value, units[unit]);
    to_point(out);
}

void nmc_short_format(char out[NMC_NUMBER_SIZE], double value) {
    snprintf(out, NMC_NUMBER_SIZE, "%.4g", value == 0 ? 0 : value);
    to_point(out);
}

void nmc_count_format(char out[NMC_NUMBER_SIZE], int64_t value) {
    char digits[NMC_NUMBER_SIZE];
    int length = snprintf(digits, sizeof digits, "%lld", (long long)value);
    int used = 0;
    for (int i = 0; i < length; i++) {
        int left = length - i;
        out[used++] = digits[i];
        if (left > 1 && left % 3 == 1 && digits[i] != '-')
            out[used++] = ',';
    }
    out[used] = '\0';
}
