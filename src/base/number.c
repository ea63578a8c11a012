#include "base/number.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static size_t print_digits(char out[NMC_NUMBER_SIZE], int digits, double value) {
    snprintf(out, NMC_NUMBER_SIZE, "%.*g", digits, value);
    to_point(out);
    return strlen(out);
}

size_t nmc_number_format(char out[NMC_NUMBER_SIZE], double value) {
    if (value == 0)
        value = 0; /* no "-0" */
    /* Any decimal of 15 digits survives a normal double, so no shorter form is missed there. */
    for (int digits = fabs(value) < DBL_MIN ? 1 : 15; digits < 17; digits++) {
        size_t length = print_digits(out, digits, value);
        double back;
        if (nmc_number_parse(out, length, &back) && back == value)
            return length;
    }
    return print_digits(out, 17, value);
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
