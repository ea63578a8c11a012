#include "sweep/sum.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

static const int64_t base = INT64_C(1) << 32;

/* Brings every digit but the last into [0, 2^32); the last keeps the sign. */
static void carry(struct nmc_sum *sum) {
    for (int i = 0; i + 1 < NMC_SUM_DIGITS; i++) {
        int64_t up = sum->digits[i] >> 32; /* rounds down, also below 0 */
        sum->digits[i] -= up * base;
        sum->digits[i + 1] += up;
    }
    sum->pending = 0;
}

void nmc_sum_add(struct nmc_sum *sum, double value) {
    const uint64_t hidden = UINT64_C(1) << 52;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t mantissa = bits & (hidden - 1);
    unsigned exponent = (unsigned)(bits >> 52 & 0x7FF);
    if (exponent)
        mantissa |= hidden;
    else
        exponent = 1;
    unsigned place = exponent - 1, at = place / 32, shift = place % 32;
    /* up to 84 bits in three digits */
    int64_t low = (int64_t)((mantissa << shift) & 0xFFFFFFFF);
    uint64_t rest = mantissa >> (32 - shift);
    int64_t middle = (int64_t)(rest & 0xFFFFFFFF), high = (int64_t)(rest >> 32);
    int64_t sign = bits >> 63 ? -1 : 1;
    sum->digits[at] += sign * low;
    sum->digits[at + 1] += sign * middle;
    sum->digits[at + 2] += sign * high;
    if (++sum->pending == UINT32_C(1) << 30)
        carry(sum);
}

void nmc_sum_merge(struct nmc_sum *sum, const struct nmc_sum *other) {
    struct nmc_sum copy = *other;
    carry(&copy);
    carry(sum);
    for (int i = 0; i < NMC_SUM_DIGITS; i++)
        sum->digits[i] += copy.digits[i];
    carry(sum);
}

/* The absolute value with all digits in [0, 2^32), and its sign. */
static struct nmc_sum magnitude(const struct nmc_sum *sum, bool *negative) {
    struct nmc_sum copy = *sum;
    carry(&copy);
    *negative = copy.digits[NMC_SUM_DIGITS - 1] < 0;
    if (*negative) {
        for (int i = 0; i < NMC_SUM_DIGITS; i++)
            copy.digits[i] = -copy.digits[i];
        carry(&copy);
    }
    return copy;
}

static int top_digit(const struct nmc_sum *sum) {
    int i = NMC_SUM_DIGITS - 1;
    while (i > 0 && sum->digits[i] == 0)
        i--;
    return i;
}

double nmc_sum_value(const struct nmc_sum *sum) {
    bool negative;
    struct nmc_sum copy = magnitude(sum, &negative);
    int top = top_digit(&copy), first = top < 2 ? 0 : top - 2;
    /* The three upper digits are 65 to 96 bits; what lies below them only breaks ties. */
    uint64_t upper = 0;
    unsigned width = 0;
    while (copy.digits[top] >> width)
        width++;
    /* The 64 bits from the first set one on. */
    int have = 0;
    for (int i = top; i >= first; i--) {
        unsigned take = i == top ? width : 32;
        uint64_t digit = (uint64_t)copy.digits[i];
        if (have + (int)take > 64) {
            unsigned drop = (unsigned)have + take - 64;
            upper = upper << (take - drop) | digit >> drop;
            upper |= (digit & ((UINT64_C(1) << drop) - 1)) != 0;
            have = 64;
        } else {
            upper = upper << take | digit;
            have += (int)take;
        }
    }
    for (int i = 0; i < first; i++)
        upper |= copy.digits[i] != 0;
    /* Conversion rounds to nearest, ties to even; 64 bits leave 11 below the last place, so the
     * sticky bit cannot be taken for more than it is. */
    int exponent = 32 * top + (int)width - have - 1074;
    double value = ldexp((double)upper, exponent);
    return negative ? -value : value;
}

void nmc_sum_write(const struct nmc_sum *sum, char out[NMC_SUM_TEXT]) {
    bool negative;
    struct nmc_sum copy = magnitude(sum, &negative);
    int top = top_digit(&copy), low = 0;
    while (low < top && copy.digits[low] == 0)
        low++;
    int used = snprintf(out, NMC_SUM_TEXT, "%s%llx", negative ? "-" : "",
                        (unsigned long long)copy.digits[top]);
    for (int i = top - 1; i >= low; i--)
        used += snprintf(out + used, (size_t)(NMC_SUM_TEXT - used), "%08llx",
                         (unsigned long long)copy.digits[i]);
    snprintf(out + used, (size_t)(NMC_SUM_TEXT - used), "p%d", copy.digits[top] ? low : 0);
}

static int hex_digit(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool nmc_sum_read(struct nmc_sum *sum, const char *text) {
    *sum = (struct nmc_sum){0};
    bool negative = *text == '-';
    text += negative;
    size_t length = strspn(text, "0123456789abcdef");
    int64_t low;
    if (!length || text[length] != 'p' ||
        !nmc_integer_parse(text + length + 1, strlen(text + length + 1), &low) || low < 0)
        return false;
    for (size_t i = 0; i < length; i++) {
        size_t place = length - 1 - i;
        int64_t at = low + (int64_t)(place / 8);
        if (at >= NMC_SUM_DIGITS)
            return false;
        int64_t digit = (int64_t)hex_digit(text[i]) << (4 * (place % 8));
        sum->digits[at] += negative ? -digit : digit;
    }
    return true;
}
