#include "sweep/stream.h"

#include <string.h>

#include "base/number.h"
#include "base/utf8.h"

/* ---- CSV ---- */

static void csv_text(struct nmc_strbuf *out, const char *text) {
    if (!strpbrk(text, ",\"\r\n")) {
        nmc_strbuf_puts(out, text);
        return;
    }
    nmc_strbuf_putc(out, '"');
    for (; *text; text++) {
        if (*text == '"')
            nmc_strbuf_putc(out, '"');
        nmc_strbuf_putc(out, *text);
    }
    nmc_strbuf_putc(out, '"');
}

static void csv_head(struct nmc_strbuf *out, const struct nmc_plan *plan) {
    nmc_strbuf_puts(out, "index");
    for (int a = 0; a < plan->axis_count; a++) {
        nmc_strbuf_putc(out, ',');
        csv_text(out, plan->axes[a].name);
    }
    for (int m = 0; m < plan->metric_count; m++) {
        nmc_strbuf_putc(out, ',');
        csv_text(out, plan->metrics[m].name);
    }
    nmc_strbuf_puts(out, ",status,reason\r\n");
}

/* ---- JSON ---- */

/* A string; bytes that are no UTF-8 become U+FFFD. */
static void json_text(struct nmc_strbuf *out, const char *text) {
    nmc_strbuf_putc(out, '"');
    while (*text) {
        size_t width = nmc_utf8_width((const unsigned char *)text);
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            nmc_strbuf_printf(out, "\\%c", c);
        else if (c < 0x20)
            nmc_strbuf_printf(out, "\\u%04x", c);
        else if (width)
            nmc_strbuf_add(out, text, width);
        else
            nmc_strbuf_puts(out, "\xEF\xBF\xBD");
        text += width ? width : 1;
    }
    nmc_strbuf_putc(out, '"');
}

/* ---- rows ---- */

/* An integer, quickly. */
static void put_index(struct nmc_strbuf *out, int64_t index) {
    char digits[24];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + index % 10);
    while (index /= 10);
    nmc_strbuf_add(out, digits + at, sizeof digits - at);
}

static void put_number(struct nmc_strbuf *out, double value) {
    char text[NMC_NUMBER_SIZE];
    size_t length = nmc_number_format(text, value);
    nmc_strbuf_add(out, text, length);
}

static const char *const states[] = {"ok", "excluded", "failed"};

static int32_t level_at(const struct nmc_block *block, int group, int64_t i) {
    return block->level_of[group] ? block->level_of[group][i] : block->levels[group];
}

static void csv_row(struct nmc_strbuf *out, const struct nmc_plan *plan,
                    const struct nmc_block *block, int64_t i, const char *reason) {
    put_index(out, block->first + i);
    for (int a = 0; a < plan->axis_count; a++) {
        const struct nmc_axis *axis = &plan->axes[a];
        nmc_strbuf_putc(out, ',');
        const char *text = axis->values.texts[level_at(block, axis->group, i)];
        if (axis->values.numbers)
            nmc_strbuf_puts(out, text);
        else
            csv_text(out, text);
    }
    for (int m = 0; m < plan->metric_count; m++) {
        nmc_strbuf_putc(out, ',');
        if (!reason)
            put_number(out, block->values[m][i]);
    }
    nmc_strbuf_putc(out, ',');
    nmc_strbuf_puts(out, states[block->states[i]]);
    nmc_strbuf_putc(out, ',');
    if (reason)
        csv_text(out, reason);
    nmc_strbuf_add(out, "\r\n", 2);
}

static void json_row(struct nmc_strbuf *out, const struct nmc_plan *plan,
                     const struct nmc_block *block, int64_t i, const char *reason) {
    nmc_strbuf_puts(out, "{\"index\":");
    put_index(out, block->first + i);
    nmc_strbuf_puts(out, ",\"point\":{");
    for (int a = 0; a < plan->axis_count; a++) {
        const struct nmc_axis *axis = &plan->axes[a];
        const char *text = axis->values.texts[level_at(block, axis->group, i)];
        if (a)
            nmc_strbuf_putc(out, ',');
        json_text(out, axis->name);
        nmc_strbuf_putc(out, ':');
        if (axis->values.numbers)
            nmc_strbuf_puts(out, text);
        else
            json_text(out, text);
    }
    nmc_strbuf_puts(out, "},\"values\":{");
    for (int m = 0; !reason && m < plan->metric_count; m++) {
        if (m)
            nmc_strbuf_putc(out, ',');
        json_text(out, plan->metrics[m].name);
        nmc_strbuf_putc(out, ':');
        put_number(out, block->values[m][i]);
    }
    nmc_strbuf_puts(out, "},\"status\":\"");
    nmc_strbuf_puts(out, states[block->states[i]]);
    nmc_strbuf_putc(out, '"');
    if (reason) {
        nmc_strbuf_puts(out, ",\"reason\":");
        json_text(out, reason);
    }
    nmc_strbuf_puts(out, "}\n");
}

void nmc_stream_head(struct nmc_stream *stream, const struct nmc_plan *plan) {
    if (stream->format == NEUROMC_POINTS_CSV)
        csv_head(&stream->text, plan);
}

void nmc_stream_block(struct nmc_stream *stream, const struct nmc_plan *plan,
                      const struct nmc_block *block,
                      const char *(*reason_of)(void *user, int64_t i), void *user) {
    for (int64_t i = 0; i < block->count; i++) {
        const char *reason = block->states[i] == NMC_POINT_FAILED ? reason_of(user, i) : NULL;
        if (stream->format == NEUROMC_POINTS_CSV)
            csv_row(&stream->text, plan, block, i, reason);
        else
            json_row(&stream->text, plan, block, i, reason);
    }
}
