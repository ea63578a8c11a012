/*
 * table.h - a table of text that fits a terminal: the first column takes what is left of
 * NMC_TABLE_WIDTH and is cut in the middle, the others are right-aligned.
 */
#ifndef NMC_TABLE_H
#define NMC_TABLE_H

#include "base/sink.h"

enum { NMC_TABLE_WIDTH = 100, NMC_TABLE_COLUMNS = 10, NMC_TABLE_CELL = 160 };

struct nmc_table_row {
    char cell[NMC_TABLE_COLUMNS][NMC_TABLE_CELL];
};

struct nmc_table {
    int columns;
    struct nmc_table_row *rows; /* row 0 is the heading */
    size_t count, capacity;
    int left; /* further columns, from the second on, that are left-aligned: a bit mask */
    bool color, failed;
};

void nmc_table_init(struct nmc_table *table, int columns, bool color);
/* A new row with empty cells; NULL when memory runs out (then the table prints nothing). */
struct nmc_table_row *nmc_table_row(struct nmc_table *table);
void nmc_table_cell(struct nmc_table *table, struct nmc_table_row *row, int column,
                    const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Writes the table and releases it. */
void nmc_table_finish(struct nmc_table *table, struct nmc_sink *sink);

/* A CSV field, quoted where RFC 4180 asks for it. */
void nmc_csv_text(struct nmc_sink *sink, const char *text);

/* Makes a name from a file fit for a terminal: what is no printable UTF-8 becomes '?'. */
void nmc_make_printable(char *text);

/* Columns a UTF-8 text takes on a terminal, one per character. */
size_t nmc_text_width(const char *text);

#endif
