/*
 * csv.c - one row for each fragment, RFC 4180. The columns are those of fields.def: what
 * identifies the fragment, its loop dims, its energies, then bits and pJ of each memory level
 * and direction.
 */
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "report/formats.h"
#include "report/table.h"

void nmc_csv_text(struct nmc_sink *sink, const char *text) {
    if (!strpbrk(text, ",\"\r\n")) {
        nmc_sink_puts(sink, text);
        return;
    }
    nmc_sink_puts(sink, "\"");
    for (; *text; text++)
        nmc_sink_add(sink, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
    nmc_sink_puts(sink, "\"");
}

#define put_text nmc_csv_text

static void put_integer(struct nmc_sink *sink, int64_t value) {
    nmc_sink_printf(sink, "%lld", (long long)value);
}

static void put_number(struct nmc_sink *sink, double value) {
    char text[NMC_NUMBER_SIZE];
    nmc_number_format(text, value);
    nmc_sink_puts(sink, text);
}

static void put_bool(struct nmc_sink *sink, bool value) {
    nmc_sink_puts(sink, value ? "true" : "false");
}

static void put_header(struct nmc_sink *sink) {
#define COLUMN(name, kind, value, doc) nmc_sink_puts(sink, #name ",");
#include "report/fields.def"
#undef COLUMN
    for (int i = 0; i < NMC_LOOPS; i++)
        nmc_sink_printf(sink, "%s,", nmc_loop_names[i]);
#define SCALAR(name, unit, value, doc) nmc_sink_puts(sink, #name ",");
#include "report/fields.def"
#undef SCALAR
    for (int level = 0; level < NMC_LEVELS; level++)
        for (int d = 0; d < NMC_DIRECTIONS; d++)
            nmc_sink_printf(sink, "%s_%s_bits,%s_%s_pj%s", nmc_level_names[level],
                            nmc_direction_names[d], nmc_level_names[level], nmc_direction_names[d],
                            level == NMC_LEVELS - 1 && d == NMC_DIRECTIONS - 1 ? "" : ",");
    nmc_sink_puts(sink, "\r\n");
}

static void put_line(struct nmc_sink *sink, const struct nmc_line *line,
                     const struct nmc_totals *t) {
    const struct nmc_fragment *f = &line->fragment;
#define COLUMN(name, kind, value, doc)                                                             \
    put_##kind(sink, value);                                                                       \
    nmc_sink_puts(sink, ",");
#include "report/fields.def"
#undef COLUMN
    for (int i = 0; i < NMC_LOOPS; i++)
        nmc_sink_printf(sink, "%lld,", (long long)f->dims[i]);
#define SCALAR(name, unit, value, doc)                                                             \
    put_number(sink, value);                                                                       \
    nmc_sink_puts(sink, ",");
#include "report/fields.def"
#undef SCALAR
    for (int level = 0; level < NMC_LEVELS; level++)
        for (int d = 0; d < NMC_DIRECTIONS; d++) {
            put_integer(sink, t->bits[level][d]);
            nmc_sink_puts(sink, ",");
            put_number(sink, t->level_energy[level][d]);
            nmc_sink_puts(sink, level == NMC_LEVELS - 1 && d == NMC_DIRECTIONS - 1 ? "" : ",");
        }
    nmc_sink_puts(sink, "\r\n");
}

void nmc_report_csv(const struct neuromc_report *report, struct nmc_sink *sink) {
    put_header(sink);
    for (uint32_t i = 0; i < report->ledger.line_count; i++)
        put_line(sink, &report->ledger.lines[i], &report->lines[i]);
}
