/* A diff as text, JSON, CSV or Markdown. Of equal sides text and Markdown are empty. */
#include <math.h>
#include <stdio.h>

#include "base/json_write.h"
#include "base/number.h"
#include "report/diff.h"
#include "report/formats.h"
#include "report/table.h"

enum { TEXT_ENDS = 10 }; /* rows shown of what grew most, and of what shrank most */

static bool is_empty(const struct neuromc_diff *diff) {
    size_t rows = 0;
    for (int t = 0; t < NMC_OF; t++)
        rows += diff->counts[t];
    return !rows && diff->a.total_pj == diff->b.total_pj;
}

/* "+3.2 uJ", "-3.2 uJ", "0 pJ" */
static void format_change(char out[NMC_NUMBER_SIZE], double change) {
    char size[NMC_NUMBER_SIZE];
    nmc_energy_format(size, fabs(change));
    snprintf(out, NMC_NUMBER_SIZE, "%s%.30s", change > 0 ? "+" : change < 0 ? "-" : "", size);
}

/* "+3.2 %"; "new" and "gone" where one side has nothing to compare with. */
static void format_percent(char out[NMC_NUMBER_SIZE], const double *a, const double *b) {
    char number[NMC_NUMBER_SIZE];
    double percent;
    if (!a || !b) {
        snprintf(out, NMC_NUMBER_SIZE, "%s", a ? "gone" : "new");
    } else if (!nmc_diff_percent(*a, *b, &percent)) {
        snprintf(out, NMC_NUMBER_SIZE, "%s", *b == 0 ? "0 %" : "from 0");
    } else {
        nmc_short_format(number, percent);
        snprintf(out, NMC_NUMBER_SIZE, "%s%.20s %%", percent > 0 ? "+" : "", number);
    }
}

/* ---- text and Markdown ---- */

struct cells {
    char a[NMC_NUMBER_SIZE], b[NMC_NUMBER_SIZE], change[NMC_NUMBER_SIZE], percent[NMC_NUMBER_SIZE];
};

static void fill_cells(struct cells *c, const double *a, const double *b) {
    c->a[0] = c->b[0] = '\0';
    if (a)
        nmc_energy_format(c->a, *a);
    if (b)
        nmc_energy_format(c->b, *b);
    format_change(c->change, (b ? *b : 0) - (a ? *a : 0));
    format_percent(c->percent, a, b);
}

static void put_row(struct nmc_table *table, const char *key, const double *a, const double *b) {
    struct nmc_table_row *row = nmc_table_row(table);
    struct cells c;
    fill_cells(&c, a, b);
    nmc_table_cell(table, row, 0, "%s", key);
    nmc_table_cell(table, row, 1, "%s", c.a);
    nmc_table_cell(table, row, 2, "%s", c.b);
    nmc_table_cell(table, row, 3, "%s", c.change);
    nmc_table_cell(table, row, 4, "%s", c.percent);
}

static struct nmc_table start_table(const char *first, bool color) {
    static const char *const titles[] = {NULL, "A", "B", "change", "of A"};
    struct nmc_table table;
    nmc_table_init(&table, 5, color);
    struct nmc_table_row *row = nmc_table_row(&table);
    nmc_table_cell(&table, row, 0, "%s", first);
    for (int c = 1; c < 5; c++)
        nmc_table_cell(&table, row, c, "%s", titles[c]);
    return table;
}

static const double *value(const struct nmc_figure *figure) {
    return figure ? &figure->pj : NULL;
}

static void text_rows(const struct neuromc_diff *diff, int t, bool color, struct nmc_sink *sink) {
    struct nmc_table table = start_table(nmc_diff_names[t], color);
    size_t count = diff->counts[t];
    for (size_t i = 0; i < count; i++) {
        const struct nmc_diff_row *row = &diff->rows[t][i];
        if (i == TEXT_ENDS && count > 2 * TEXT_ENDS) {
            size_t hidden = count - (size_t)2 * TEXT_ENDS;
            struct nmc_table_row *gap = nmc_table_row(&table);
            nmc_table_cell(&table, gap, 0, "... %zu between", hidden);
            i += hidden - 1;
            continue;
        }
        put_row(&table, row->key, value(row->a), value(row->b));
    }
    nmc_table_finish(&table, sink);
}

static void text_side(const char *label, const struct nmc_figures *f, struct nmc_sink *sink) {
    char names[200], unmapped[64] = "";
    if (f->unmapped)
        snprintf(unmapped, sizeof unmapped, ", layers of %lld shapes NOT MAPPED",
                 (long long)f->unmapped);
    snprintf(names, sizeof names, "%.60s on %.50s, content %.16s, %.12s", f->model, f->preset,
             f->preset_hash, f->accounting);
    nmc_make_printable(names);
    nmc_sink_printf(sink, "%s  %s%s\n", label, names, unmapped);
}

static void write_text(const struct neuromc_diff *diff, bool color, struct nmc_sink *sink) {
    text_side("A", &diff->a, sink);
    text_side("B", &diff->b, sink);
    nmc_sink_puts(sink, "\n");
    struct nmc_table table = start_table("", color);
    put_row(&table, "total", &diff->a.total_pj, &diff->b.total_pj);
    nmc_table_finish(&table, sink);
    for (int t = 0; t < NMC_OF; t++) {
        if (!diff->counts[t])
            continue;
        nmc_sink_puts(sink, "\n");
        text_rows(diff, t, color, sink);
    }
}

static void markdown_row(struct nmc_sink *sink, const char *key, const double *a, const double *b) {
    struct cells c;
    fill_cells(&c, a, b);
    nmc_sink_puts(sink, "| ");
    nmc_markdown_text(sink, key);
    nmc_sink_printf(sink, " | %s | %s | %s | %s |\n", c.a, c.b, c.change, c.percent);
}

static void markdown_side(struct nmc_sink *sink, const struct nmc_figures *f, const char *label) {
    nmc_sink_puts(sink, "**");
    nmc_markdown_text(sink, f->model);
    nmc_sink_puts(sink, " on ");
    nmc_markdown_text(sink, f->preset);
    nmc_sink_printf(sink, "** (%s", label);
    if (f->unmapped)
        nmc_sink_printf(sink, "; layers of %lld shapes not mapped", (long long)f->unmapped);
    nmc_sink_puts(sink, ")");
}

static void write_markdown(const struct neuromc_diff *diff, struct nmc_sink *sink) {
    markdown_side(sink, &diff->a, "A");
    nmc_sink_puts(sink, " and ");
    markdown_side(sink, &diff->b, "B");
    nmc_sink_puts(sink, "\n\n| | A | B | change | of A |\n|---|---:|---:|---:|---:|\n");
    markdown_row(sink, "total", &diff->a.total_pj, &diff->b.total_pj);
    for (int t = 0; t < NMC_OF; t++) {
        if (diff->counts[t])
            nmc_sink_printf(sink, "\n| %s | A | B | change | of A |\n|---|---:|---:|---:|---:|\n",
                            nmc_diff_names[t]);
        for (size_t i = 0; i < diff->counts[t]; i++)
            markdown_row(sink, diff->rows[t][i].key, value(diff->rows[t][i].a),
                         value(diff->rows[t][i].b));
    }
}

/* ---- CSV ---- */

static void csv_number(struct nmc_sink *sink, const double *number) {
    char text[NMC_NUMBER_SIZE] = "";
    if (number)
        nmc_number_format(text, *number);
    nmc_sink_printf(sink, ",%s", text);
}

static void csv_row(struct nmc_sink *sink, const char *group, const char *key, const double *a,
                    const double *b) {
    double change = (b ? *b : 0) - (a ? *a : 0), percent;
    bool known = a && b && nmc_diff_percent(*a, *b, &percent);
    nmc_sink_printf(sink, "%s,", group);
    nmc_csv_text(sink, key);
    csv_number(sink, a);
    csv_number(sink, b);
    csv_number(sink, &change);
    csv_number(sink, known ? &percent : NULL);
    nmc_sink_puts(sink, "\r\n");
}

static void write_csv(const struct neuromc_diff *diff, struct nmc_sink *sink) {
    nmc_sink_puts(sink, "group,key,a_pj,b_pj,change_pj,change_percent\r\n");
    if (!is_empty(diff))
        csv_row(sink, "total", "total", &diff->a.total_pj, &diff->b.total_pj);
    for (int t = 0; t < NMC_OF; t++)
        for (size_t i = 0; i < diff->counts[t]; i++)
            csv_row(sink, nmc_diff_names[t], diff->rows[t][i].key, value(diff->rows[t][i].a),
                    value(diff->rows[t][i].b));
}

/* ---- JSON ---- */

static void json_number(struct nmc_json *json, const char *key, const double *number) {
    nmc_json_key(json, key);
    if (number)
        nmc_json_number(json, *number);
    else
        nmc_json_text(json, NULL);
}

static void json_change(struct nmc_json *json, const double *a, const double *b) {
    double change = (b ? *b : 0) - (a ? *a : 0), percent;
    bool known = a && b && nmc_diff_percent(*a, *b, &percent);
    json_number(json, "a_pj", a);
    json_number(json, "b_pj", b);
    json_number(json, "change_pj", &change);
    json_number(json, "change_percent", known ? &percent : NULL);
}

static void json_side(struct nmc_json *json, const char *key, const struct nmc_figures *f) {
    nmc_json_key(json, key);
    nmc_json_begin_flat(json, '{');
    nmc_json_key_text(json, "model", f->model);
    nmc_json_key_text(json, "preset", f->preset);
    nmc_json_key_text(json, "preset_hash", f->preset_hash);
    nmc_json_key_text(json, "accounting", f->accounting);
    nmc_json_key_integer(json, "unmapped", f->unmapped);
    nmc_json_end(json, '}');
}

static void write_json(const struct neuromc_diff *diff, struct nmc_sink *sink) {
    struct nmc_json writer, *json = &writer;
    nmc_json_init(json, sink);
    nmc_json_begin(json, '{');
    nmc_json_key(json, "schema");
    nmc_json_begin_flat(json, '{');
    nmc_json_key_text(json, "name", "neuromc-diff");
    nmc_json_key_integer(json, "version", 1);
    nmc_json_end(json, '}');
    json_side(json, "a", &diff->a);
    json_side(json, "b", &diff->b);
    nmc_json_key(json, "total");
    nmc_json_begin_flat(json, '{');
    json_change(json, &diff->a.total_pj, &diff->b.total_pj);
    nmc_json_end(json, '}');
    for (int t = 0; t < NMC_OF; t++) {
        char key[16];
        snprintf(key, sizeof key, "by_%s", nmc_diff_names[t]);
        nmc_json_key(json, key);
        nmc_json_begin(json, '[');
        for (size_t i = 0; i < diff->counts[t]; i++) {
            nmc_json_begin_flat(json, '{');
            nmc_json_key_text(json, nmc_diff_names[t], diff->rows[t][i].key);
            json_change(json, value(diff->rows[t][i].a), value(diff->rows[t][i].b));
            nmc_json_end(json, '}');
        }
        nmc_json_end(json, ']');
    }
    nmc_json_end(json, '}');
}

neuromc_status neuromc_diff_write(const neuromc_diff *diff, const neuromc_write_options *options,
                                  neuromc_write_fn write, void *user, neuromc_diags *diags) {
    struct nmc_sink sink;
    nmc_sink_init(&sink, write, user);
    bool empty = is_empty(diff);
    switch (options->format) {
    case NEUROMC_JSON: write_json(diff, &sink); break;
    case NEUROMC_CSV: write_csv(diff, &sink); break;
    case NEUROMC_MARKDOWN:
        if (!empty)
            write_markdown(diff, &sink);
        break;
    default:
        if (!empty)
            write_text(diff, options->color, &sink);
        break;
    }
    return nmc_sink_finish(&sink, diags);
}
