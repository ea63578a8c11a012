/* The shortest decimals of doubles, against printf and strtod. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/number.h"
#include "base/shortest.h"

static uint64_t random_state = 88172645463325252u;

static uint64_t random_bits(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static double from_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* printf's text of the fewest digits that read back equal. */
static int reference(char text[40], double value) {
    for (int digits = 1; digits < 17; digits++) {
        snprintf(text, 40, "%.*e", digits - 1, value);
        if (strtod(text, NULL) == value)
            return digits;
    }
    snprintf(text, 40, "%.16e", value);
    return 17;
}

static void check(double value, bool closer_below) {
    char want[40], got[40];
    int digits = reference(want, value);
    struct nmc_decimal d = nmc_shortest(value);
    snprintf(got, sizeof got, "%llue%d", (unsigned long long)d.digits, d.exponent);
    assert_true(d.digits % 10 != 0);
    assert_true(strtod(got, NULL) == fabs(value));
    int length = snprintf(NULL, 0, "%llu", (unsigned long long)d.digits);
    if (closer_below) {
        assert_in_range(length, 1, digits);
        return;
    }
    assert_int_equal(length, digits);
    /* the same digits */
    char mantissa[24], plain[24];
    snprintf(mantissa, sizeof mantissa, "%llu", (unsigned long long)d.digits);
    int used = 0;
    for (const char *at = want; *at && *at != 'e'; at++)
        if (*at != '.' && *at != '-')
            plain[used++] = *at;
    plain[used] = '\0';
    assert_string_equal(mantissa, plain);
}

static void random_doubles_are_shortest(void **state) {
    (void)state;
    for (int i = 0; i < 30000; i++) {
        uint64_t bits = random_bits();
        double value = from_bits(bits);
        if (isfinite(value) && value != 0)
            check(value, (bits & ((UINT64_C(1) << 52) - 1)) == 0);
    }
}

/* Every power of ten of the table is used, and every exponent. */
static void every_exponent_is_right(void **state) {
    (void)state;
    for (uint64_t exponent = 0; exponent < 2047; exponent++) {
        double power = from_bits(exponent << 52);
        if (power > 0)
            check(power, exponent > 1);
        check(from_bits(exponent << 52 | 1), false);
        check(from_bits(exponent << 52 | ((UINT64_C(1) << 52) - 1)), false);
        check(from_bits(exponent << 52 | random_bits() >> 12 | 1), false);
    }
}

static void short_decimals_stay_short(void **state) {
    (void)state;
    for (int i = 0; i < 20000; i++) {
        char text[40];
        snprintf(text, sizeof text, "%llue%d", (unsigned long long)(random_bits() % 100000 + 1),
                 (int)(random_bits() % 40) - 20);
        check(strtod(text, NULL), false);
    }
}

/* The text keeps printf's %g: an exponent below 1e-4 and from 1e15 (or its 16 or 17 digits) on. */
static void text_is_that_of_printf(void **state) {
    (void)state;
    for (int i = 0; i < 30000; i++) {
        double value = ldexp((double)(random_bits() >> 11), (int)(random_bits() % 160) - 110);
        char want[40], got[NMC_NUMBER_SIZE];
        int digits = 15;
        do
            snprintf(want, sizeof want, "%.*g", digits, value);
        while (strtod(want, NULL) != value && ++digits <= 17);
        nmc_number_format(got, i % 2 ? value : -value);
        assert_string_equal(got + (i % 2 == 0), want);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_doubles_are_shortest),
        cmocka_unit_test(every_exponent_is_right),
        cmocka_unit_test(short_decimals_stay_short),
        cmocka_unit_test(text_is_that_of_printf),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
