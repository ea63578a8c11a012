#include "report/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"

void nmc_table_init(struct nmc_table *table, int columns, bool color) {
    *table = (struct nmc_table){.columns = columns, .color = color};
}

struct nmc_table_row *nmc_table_row(struct nmc_table *table) {
    if (!nmc_grow(&table->rows, &table->capacity, table->count + 1, sizeof *table->rows)) {
        table->failed = true;
        return NULL;
    }
    struct nmc_table_row *row = &table->rows[table->count++];
    memset(row, 0, sizeof *row);
    return row;
}

void nmc_make_printable(char *text) {
    for (unsigned char *at = (unsigned char *)text; *at;) {
        size_t width = *at < 0x20 || *at == 0x7F ? 0 : nmc_utf8_width(at);
        if (!width)
            *at = '?';
        at += width ? width : 1;
    }
}

void nmc_table_cell(struct nmc_table *table, struct nmc_table_row *row, int column,
                    const char *format, ...) {
    if (!row || column >= table->columns)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(row->cell[column], NMC_TABLE_CELL, format, args);
    va_end(args);
    nmc_make_printable(row->cell[column]);
}

size_t nmc_text_width(const char *text) {
    size_t width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

/* The byte at which the given character starts. */
static const char *character(const char *text, size_t number) {
    for (; *text; text++)
        if (((unsigned char)*text & 0xC0) != 0x80 && number-- == 0)
            break;
    return text;
}

static void pad(struct nmc_sink *sink, size_t count) {
    while (count--)
        nmc_sink_puts(sink, " ");
}

/* Long names differ at their ends: the middle goes. */
static void put_first(struct nmc_sink *sink, const char *text, size_t width) {
    size_t length = nmc_text_width(text);
    if (length <= width) {
        nmc_sink_puts(sink, text);
        pad(sink, width - length);
        return;
    }
    size_t head = (width - 3) / 3, tail = width - 3 - head;
    nmc_sink_add(sink, text, (size_t)(character(text, head) - text));
    nmc_sink_puts(sink, "...");
    nmc_sink_puts(sink, character(text, length - tail));
}

static void put_row(const struct nmc_table *table, const struct nmc_table_row *row,
                    const size_t *widths, struct nmc_sink *sink) {
    nmc_sink_puts(sink, "  ");
    put_first(sink, row->cell[0], widths[0]);
    for (int c = 1; c < table->columns; c++) {
        size_t space = widths[c] - nmc_text_width(row->cell[c]);
        bool left = table->left >> c & 1, last = c == table->columns - 1;
        if (left && last && !row->cell[c][0])
            continue;
        nmc_sink_puts(sink, "  ");
        if (!left)
            pad(sink, space);
        nmc_sink_puts(sink, row->cell[c]);
        if (left && !last)
            pad(sink, space);
    }
    nmc_sink_puts(sink, "\n");
}

void nmc_table_finish(struct nmc_table *table, struct nmc_sink *sink) {
    size_t widths[NMC_TABLE_COLUMNS] = {0}, others = 2;
    for (int c = 0; c < table->columns; c++) {
        for (size_t r = 0; r < table->count; r++) {
            size_t width = nmc_text_width(table->rows[r].cell[c]);
            if (width > widths[c])
                widths[c] = width;
        }
        others += c ? widths[c] + 2 : 0;
    }
    size_t most = others + 12 < NMC_TABLE_WIDTH ? NMC_TABLE_WIDTH - others : 12;
    if (widths[0] > most)
        widths[0] = most;
    for (size_t r = 0; !table->failed && r < table->count; r++) {
        if (r == 0 && table->color)
            nmc_sink_puts(sink, "\033[1m");
        put_row(table, &table->rows[r], widths, sink);
        if (r == 0 && table->color)
            nmc_sink_puts(sink, "\033[0m");
    }
    sink->failed |= table->failed;
    nmc_free(table->rows);
    *table = (struct nmc_table){0};
}
