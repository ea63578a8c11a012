#include "sweep/values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/strmap.h"
#include "sweep/decimal.h"

/* ---- quantities ---- */

struct suffix {
    enum nmc_value_kind kind;
    const char *unit; /* of the form; NULL: any */
    const char *text;
    struct nmc_exact scale;
};

static const struct suffix suffixes[] = {
    {NMC_VALUE_SIZE, NULL, "Ki", {INT64_C(1) << 10, 0}},
    {NMC_VALUE_SIZE, NULL, "Mi", {INT64_C(1) << 20, 0}},
    {NMC_VALUE_SIZE, NULL, "Gi", {INT64_C(1) << 30, 0}},
    {NMC_VALUE_SIZE, NULL, "B", {8, 0}},
    {NMC_VALUE_SIZE, NULL, "KiB", {INT64_C(1) << 13, 0}},
    {NMC_VALUE_SIZE, NULL, "MiB", {INT64_C(1) << 23, 0}},
    {NMC_VALUE_SIZE, NULL, "GiB", {INT64_C(1) << 33, 0}},
    {NMC_VALUE_NUMBER, "pJ", "fJ", {1, 3}},
    {NMC_VALUE_NUMBER, "pJ", "nJ", {1000, 0}},
    {NMC_VALUE_NUMBER, "pJ", "uJ", {1000000, 0}},
    {NMC_VALUE_NUMBER, "pJ", "mJ", {1000000000, 0}},
    {NMC_VALUE_NUMBER, "pJ", "J", {1000000000000, 0}},
    {NMC_VALUE_NUMBER, "nm", "um", {1000, 0}},
};

static bool find_scale(const char *text, const struct nmc_value_form *form, struct nmc_exact *out) {
    *out = (struct nmc_exact){1, 0};
    if (!*text || (form->unit && strcmp(text, form->unit) == 0))
        return true;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        const struct suffix *s = &suffixes[i];
        bool fits =
            s->kind == form->kind && (!s->unit || (form->unit && strcmp(s->unit, form->unit) == 0));
        if (fits && strcmp(s->text, text) == 0) {
            *out = s->scale;
            return true;
        }
    }
    return false;
}

static bool read_quantity(const char *text, const struct nmc_value_form *form,
                          struct nmc_exact *out) {
    struct nmc_exact number, scale;
    if (form->kind == NMC_VALUE_TEXT)
        return false;
    text += strspn(text, " ");
    size_t length = nmc_exact_read(text, &number);
    const char *suffix = text + length + strspn(text + length, " ");
    return length && find_scale(suffix, form, &scale) && nmc_exact_multiply(number, scale, out);
}

bool nmc_quantity_parse(const char *text, const struct nmc_value_form *form, double *out) {
    struct nmc_exact exact;
    if (read_quantity(text, form, &exact)) {
        *out = nmc_exact_double(exact);
        return true;
    }
    return form->kind == NMC_VALUE_NUMBER && nmc_number_parse(text, strlen(text), out);
}

/* ---- building ---- */

static neuromc_status refuse(const struct nmc_value_form *form, neuromc_diags *diags,
                             const char *hint, const char *message) {
    return nmc_error(diags, form->place.line ? NEUROMC_BAD_INPUT : NEUROMC_USAGE, form->place, hint,
                     "%s", message);
}

static neuromc_status append(struct nmc_arena *arena, struct nmc_values *out,
                             const struct nmc_value_form *form, const char *text,
                             neuromc_diags *diags) {
    if (out->count >= NMC_LIMIT_AXIS_VALUES)
        return refuse(form, diags, "a coarser step, or several axes",
                      "too many values on one axis");
    if (out->count == out->capacity) {
        size_t grown = out->capacity ? 2 * out->capacity : 16;
        const char **texts = nmc_arena_array(arena, grown, sizeof *texts);
        if (!texts)
            return nmc_out_of_memory(diags);
        if (out->count)
            memcpy(texts, out->texts, out->count * sizeof *texts);
        out->texts = texts;
        out->capacity = grown;
    }
    out->texts[out->count++] = text;
    return text ? NEUROMC_OK : nmc_out_of_memory(diags);
}

static neuromc_status append_number(struct nmc_arena *arena, struct nmc_values *out,
                                    const struct nmc_value_form *form, double value,
                                    neuromc_diags *diags) {
    char text[NMC_NUMBER_SIZE];
    bool whole = form->kind != NMC_VALUE_NUMBER && fabs(value) < 9e15 && value == floor(value);
    if (whole)
        snprintf(text, sizeof text, "%lld", (long long)value);
    else
        nmc_number_format(text, value);
    return append(arena, out, form, nmc_arena_strdup(arena, text), diags);
}

/* ---- ranges ---- */

static neuromc_status linear(struct nmc_arena *arena, const struct nmc_value_form *form,
                             struct nmc_exact from, struct nmc_exact to, struct nmc_exact step,
                             struct nmc_values *out, neuromc_diags *diags) {
    if (step.mantissa == 0)
        return refuse(form, diags, "for example 10:100:10", "a step of zero never gets anywhere");
    if (!nmc_exact_align(&from, &step) || !nmc_exact_align(&from, &to) ||
        !nmc_exact_align(&from, &step))
        return refuse(form, diags, "fewer digits, or a geometric range: 1:1e12:*10",
                      "the numbers of the range differ too much");
    int64_t length = 0;
    if (!nmc_sub(to.mantissa, from.mantissa, &length) || (length > 0 && step.mantissa < 0) ||
        (length < 0 && step.mantissa > 0))
        return refuse(form, diags, "turn the step around", "the range is empty");
    int64_t steps = length / step.mantissa;
    neuromc_status status = NEUROMC_OK;
    for (int64_t i = 0; status == NEUROMC_OK && i <= steps; i++) {
        struct nmc_exact value = {from.mantissa + i * step.mantissa, from.decimals};
        status = append_number(arena, out, form, nmc_exact_double(value), diags);
    }
    return status;
}

/* Whole numbers stay whole: the nearest, each once. */
static neuromc_status geometric(struct nmc_arena *arena, const struct nmc_value_form *form,
                                double from, double to, double factor, struct nmc_values *out,
                                neuromc_diags *diags) {
    const double slack = 1e-12; /* of rounding, so that the end is met */
    bool whole = form->kind == NMC_VALUE_INTEGER || form->kind == NMC_VALUE_SIZE;
    if (!(factor > 0) || factor == 1 || !(from > 0) || !(to > 0))
        return refuse(form, diags, "for example 1Ki:1Mi:*2",
                      "a geometric range needs numbers above 0 and a factor that is not 1");
    if ((factor > 1 && to < from) || (factor < 1 && to > from))
        return refuse(form, diags, "turn the factor around", "the range is empty");
    neuromc_status status = NEUROMC_OK;
    double last = -1, value = from;
    while (status == NEUROMC_OK) {
        if (factor > 1 ? value > to * (1 + slack) : value < to * (1 - slack))
            break;
        double now = whole ? nearbyint(value) : value;
        if (now != last && now > 0)
            status = append_number(arena, out, form, now, diags);
        if (whole && factor < 1 && now < 1)
            break;
        last = now;
        value *= factor;
    }
    return status;
}

/* FROM:TO:STEP or FROM:TO:*FACTOR */
static neuromc_status range(struct nmc_arena *arena, const char *text,
                            const struct nmc_value_form *form, struct nmc_values *out,
                            neuromc_diags *diags) {
    static const char shape[] = "a range is FROM:TO:STEP or FROM:TO:*FACTOR";
    static const struct nmc_value_form plain = {.kind = NMC_VALUE_NUMBER};
    char *copy = nmc_arena_strdup(arena, text);
    if (!copy)
        return nmc_out_of_memory(diags);
    char *to_text = strchr(copy, ':'), *step_text = to_text ? strchr(to_text + 1, ':') : NULL;
    struct nmc_exact from, to, step;
    if (!step_text)
        return refuse(form, diags, "for example 10:100:10", shape);
    *to_text++ = '\0';
    *step_text++ = '\0';
    step_text += strspn(step_text, " ");
    bool times = *step_text == '*';
    if (!read_quantity(copy, form, &from) || !read_quantity(to_text, form, &to) ||
        !read_quantity(step_text + times, times ? &plain : form, &step))
        return refuse(form, diags, shape, "not a range of numbers of at most 18 digits");
    if (times)
        return geometric(arena, form, nmc_exact_double(from), nmc_exact_double(to),
                         nmc_exact_double(step), out, diags);
    return linear(arena, form, from, to, step, out, diags);
}

/* ---- items ---- */

static const char *trimmed(struct nmc_arena *arena, const char *text) {
    text += strspn(text, " ");
    size_t length = strlen(text);
    while (length && text[length - 1] == ' ')
        length--;
    return nmc_arena_strndup(arena, text, length);
}

neuromc_status nmc_values_item(struct nmc_arena *arena, const char *text,
                               const struct nmc_value_form *form, struct nmc_values *out,
                               neuromc_diags *diags) {
    double number;
    const char *item = trimmed(arena, text);
    if (!item)
        return nmc_out_of_memory(diags);
    if (!*item)
        return refuse(form, diags, "write 1,2,4 or 10:100:10 or 1Ki:1Mi:*2", "an empty value");
    if (form->kind == NMC_VALUE_TEXT)
        return append(arena, out, form, item, diags);
    if (strchr(item, ':') && !strchr("{['\"", item[0]))
        return range(arena, item, form, out, diags);
    if (nmc_quantity_parse(item, form, &number))
        return append_number(arena, out, form, number, diags);
    return append(arena, out, form, item, diags);
}

/* The length of an item: up to a comma outside of brackets and quotes. */
static size_t item_length(const char *text) {
    int depth = 0;
    char quote = '\0';
    size_t i = 0;
    for (; text[i]; i++) {
        char c = text[i];
        if (quote && c == quote)
            quote = '\0';
        else if (quote)
            continue;
        else if (c == '"' || c == '\'')
            quote = c;
        else if (c == '{' || c == '[')
            depth++;
        else if (c == '}' || c == ']')
            depth--;
        else if (c == ',' && depth <= 0)
            break;
    }
    return i;
}

neuromc_status nmc_values_parse(struct nmc_arena *arena, const char *text,
                                const struct nmc_value_form *form, struct nmc_values *out,
                                neuromc_diags *diags) {
    for (;;) {
        size_t length = item_length(text);
        const char *item = nmc_arena_strndup(arena, text, length);
        neuromc_status status =
            item ? nmc_values_item(arena, item, form, out, diags) : nmc_out_of_memory(diags);
        if (status != NEUROMC_OK || !text[length])
            return status;
        text += length + 1;
    }
}

static neuromc_status find_repeated(const struct nmc_value_form *form,
                                    const struct nmc_values *values, neuromc_diags *diags) {
    struct nmc_strmap seen = {0};
    static char there;
    neuromc_status status = NEUROMC_OK;
    for (size_t i = 0; status == NEUROMC_OK && i < values->count; i++) {
        if (nmc_strmap_get(&seen, values->texts[i]))
            status =
                nmc_error(diags, form->place.line ? NEUROMC_BAD_INPUT : NEUROMC_USAGE, form->place,
                          "keep one of the two", "value %.64s is given twice", values->texts[i]);
        else if (!nmc_strmap_put(&seen, values->texts[i], &there))
            status = nmc_out_of_memory(diags);
    }
    nmc_strmap_release(&seen);
    return status;
}

neuromc_status nmc_values_finish(struct nmc_arena *arena, const struct nmc_value_form *form,
                                 struct nmc_values *out, neuromc_diags *diags) {
    if (!out->count)
        return refuse(form, diags, NULL, "no values");
    out->numbers = nmc_arena_array(arena, out->count, sizeof *out->numbers);
    if (!out->numbers)
        return nmc_out_of_memory(diags);
    for (size_t i = 0; i < out->count; i++)
        if (!nmc_number_parse(out->texts[i], strlen(out->texts[i]), &out->numbers[i])) {
            out->numbers = NULL;
            break;
        }
    return find_repeated(form, out, diags);
}
