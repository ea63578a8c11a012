/*
 * result_text.c - what a person reads of a sweep: the space, the best points, the front, and which
 * axes matter. Fits 100 columns; numbers are scaled, JSON and CSV have them exact.
 */
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "report/table.h"
#include "sweep/axis.h"
#include "sweep/result.h"

enum { MOST_ROWS = 20, MOST_COLUMNS = 8 };

struct text {
    const neuromc_sweep_result *r;
    struct nmc_sink *sink;
    bool color;
};

static void heading(struct text *t, const char *title) {
    nmc_sink_printf(t->sink, "\n%s%s%s\n", t->color ? "\033[1;36m" : "", title,
                    t->color ? "\033[0m" : "");
}

void nmc_result_value(const struct nmc_result_metric *metric, double value,
                      char out[NMC_NUMBER_SIZE]) {
    bool whole = value == floor(value) && fabs(value) < 9e15;
    if (strcmp(metric->unit, "pJ") == 0)
        nmc_energy_format(out, value);
    else if (whole)
        nmc_count_format(out, (int64_t)value);
    else
        nmc_short_format(out, value);
}

/* Tables call axes by letters; the list of axes says which is which. */
static void letter(int axis, char out[4]) {
    out[0] = (char)(axis < 26 ? 'A' + axis : 'a' + axis - 26);
    out[1] = '\0';
}

/* Words of a text behind a label, broken before 100 columns. */
static void write_words(struct text *t, const char *label, const char *text) {
    enum { MARGIN = 15 };
    size_t column = MARGIN;
    nmc_sink_printf(t->sink, "  %-13s", label);
    while (*text) {
        size_t length = strcspn(text, " ");
        bool first = column == MARGIN;
        if (!first && column + 1 + length > NMC_TABLE_WIDTH) {
            nmc_sink_printf(t->sink, "\n%*s", (int)MARGIN, "");
            column = MARGIN;
            first = true;
        }
        nmc_sink_puts(t->sink, first ? "" : " ");
        for (size_t i = 0; i < length; i++)
            nmc_sink_add(t->sink, (unsigned char)text[i] < 0x20 || text[i] == 0x7F ? "?" : text + i,
                         1);
        column += length + !first;
        text += length;
        text += strspn(text, " ");
    }
    nmc_sink_puts(t->sink, "\n");
}

/* A line of what stands beside a label. Names come from files: nothing in them may steer a
 * terminal. */
static void line(struct text *t, const char *label, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void line(struct text *t, const char *label, const char *format, ...) {
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    nmc_make_printable(text);
    nmc_sink_printf(t->sink, "  %-13s%s\n", label, text);
}

/* ---- the space ---- */

/* Of files, what tells them apart. */
static const char *file_name(const struct nmc_result_axis *axis, const char *text) {
    enum nmc_knob knob = nmc_knob_find(axis->name);
    const char *slash = strrchr(text, '/');
    return slash && (knob == NMC_KNOB_MODEL || knob == NMC_KNOB_PRESET) ? slash + 1 : text;
}

static void write_space(struct text *t) {
    const neuromc_sweep_result *r = t->r;
    char points[NMC_NUMBER_SIZE], combinations[NMC_NUMBER_SIZE];
    nmc_count_format(points, r->points);
    nmc_number_format(combinations, r->combinations);
    char model[64];
    snprintf(model, sizeof model, "%.60s", r->models[0]);
    nmc_make_printable(model);
    nmc_sink_printf(t->sink, "%s%s%s", t->color ? "\033[1m" : "", model, t->color ? "\033[0m" : "");
    if (r->model_count > 1)
        nmc_sink_printf(t->sink, " and %d more", r->model_count - 1);
    nmc_sink_puts(t->sink, "\n");
    line(t, "preset", "%.40s, content %016llx", r->preset_name, (unsigned long long)r->preset_hash);
    if (r->sampled)
        nmc_sink_printf(t->sink, "  %-13s%s of %s points, %s, seed %llu\n", "sample", points,
                        combinations, r->sampler == NEUROMC_SOBOL ? "Sobol" : "random",
                        (unsigned long long)r->seed);
    else
        nmc_sink_printf(t->sink, "  %-13s%s points\n", "space", points);
    for (int a = 0; a < r->axis_count; a++) {
        const struct nmc_result_axis *axis = &r->axes[a];
        char name[4], count[NMC_NUMBER_SIZE];
        letter(a, name);
        nmc_count_format(count, axis->count);
        line(t, a ? "" : "axes", "%s  %.48s: %s value%s, %.24s to %.24s", name, axis->name, count,
             axis->count == 1 ? "" : "s", file_name(axis, axis->first),
             file_name(axis, axis->last));
    }
    for (int w = 0; w < r->where_count; w++)
        line(t, w ? "" : "where", "%.80s", r->wheres[w]);
}

static void write_failures(struct text *t) {
    enum { SHOWN = 8 };
    const struct nmc_sayings *reasons = &t->r->reasons;
    for (size_t i = 0; i < reasons->count && i < SHOWN; i++) {
        struct nmc_strbuf line;
        char count[NMC_NUMBER_SIZE];
        nmc_strbuf_init(&line);
        nmc_count_format(count, reasons->items[i].count);
        nmc_strbuf_printf(&line, "%s x %s", count, reasons->items[i].text);
        write_words(t, i ? "" : "failures", line.text);
        nmc_strbuf_release(&line);
    }
    if (reasons->count > SHOWN)
        nmc_sink_printf(t->sink, "  %-13sand %zu more reasons (--format json has them)\n", "",
                        reasons->count - SHOWN);
}

static void write_counts(struct text *t) {
    const neuromc_sweep_result *r = t->r;
    char evaluated[NMC_NUMBER_SIZE], feasible[NMC_NUMBER_SIZE], excluded[NMC_NUMBER_SIZE],
        failed[NMC_NUMBER_SIZE];
    nmc_count_format(evaluated, r->evaluated);
    nmc_count_format(feasible, r->feasible);
    nmc_count_format(excluded, r->evaluated - r->feasible - r->failed);
    nmc_count_format(failed, r->failed);
    if (r->shard_count)
        nmc_sink_printf(t->sink, "  %-13s%lld of %lld\n", "shard", (long long)r->shard,
                        (long long)r->shard_count);
    if (r->partial)
        nmc_sink_printf(t->sink, "  %-13s%sPARTIAL: stopped before the end%s\n", "",
                        t->color ? "\033[1;31m" : "", t->color ? "\033[0m" : "");
    nmc_sink_printf(t->sink, "  %-13s%s evaluated: %s feasible, %s excluded, %s failed\n", "points",
                    evaluated, feasible, excluded, failed);
    write_failures(t);
}

static void write_objectives(struct text *t) {
    static const char *const titles[] = {"objective", "", "least", "mean", "most"};
    struct nmc_table table;
    heading(t, "Objectives");
    nmc_table_init(&table, 5, t->color);
    struct nmc_table_row *row = nmc_table_row(&table);
    for (int c = 0; c < 5; c++)
        nmc_table_cell(&table, row, c, "%s", titles[c]);
    for (int o = 0; o < t->r->objective_count; o++) {
        const struct nmc_result_metric *metric = &t->r->metrics[o];
        char least[NMC_NUMBER_SIZE], mean[NMC_NUMBER_SIZE], most[NMC_NUMBER_SIZE];
        nmc_result_value(metric, metric->least, least);
        nmc_result_value(metric, nmc_result_mean(t->r, o), mean);
        nmc_result_value(metric, metric->most, most);
        row = nmc_table_row(&table);
        nmc_table_cell(&table, row, 0, "%s", metric->name);
        nmc_table_cell(&table, row, 1, "%s", metric->maximise ? "max" : "min");
        nmc_table_cell(&table, row, 2, "%s", least);
        nmc_table_cell(&table, row, 3, "%s", mean);
        nmc_table_cell(&table, row, 4, "%s", most);
    }
    nmc_table_finish(&table, t->sink);
}

/* ---- rows ---- */

/* Axes and metrics that fit a table: all metrics first, then as many axes. */
static void write_rows(struct text *t, const char *title, const struct nmc_result_rows *rows) {
    const neuromc_sweep_result *r = t->r;
    int metrics = r->metric_count < 3 ? r->metric_count : 3;
    int axes = r->axis_count < MOST_COLUMNS - metrics ? r->axis_count : MOST_COLUMNS - metrics;
    size_t shown = rows->count < MOST_ROWS ? rows->count : MOST_ROWS;
    struct nmc_table table;
    heading(t, title);
    nmc_table_init(&table, 1 + axes + metrics, t->color);
    struct nmc_table_row *row = nmc_table_row(&table);
    nmc_table_cell(&table, row, 0, "index");
    for (int a = 0; a < axes; a++) {
        char name[4];
        letter(a, name);
        nmc_table_cell(&table, row, 1 + a, "%s", name);
    }
    for (int m = 0; m < metrics; m++)
        nmc_table_cell(&table, row, 1 + axes + m, "%.20s", r->metrics[m].name);
    for (size_t i = 0; i < shown; i++) {
        const struct nmc_result_row *point = &rows->items[i];
        row = nmc_table_row(&table);
        nmc_table_cell(&table, row, 0, "%lld", (long long)point->index);
        for (int a = 0; a < axes; a++)
            nmc_table_cell(&table, row, 1 + a, "%.16s", file_name(&r->axes[a], point->texts[a]));
        for (int m = 0; m < metrics; m++) {
            char value[NMC_NUMBER_SIZE];
            nmc_result_value(&r->metrics[m], point->values[m], value);
            nmc_table_cell(&table, row, 1 + axes + m, "%s", value);
        }
    }
    nmc_table_finish(&table, t->sink);
    if (rows->count > shown)
        nmc_sink_printf(t->sink, "  and %zu more (--format json or csv has them)\n",
                        rows->count - shown);
}

static void write_front(struct text *t) {
    int dropped = t->r->front_dropped_bits;
    char title[128] = "Pareto front", width[NMC_NUMBER_SIZE];
    nmc_percent_format(width, ldexp(1, dropped - DBL_MANT_DIG + 1), 1);
    if (dropped >= DBL_MANT_DIG - 1)
        snprintf(title, sizeof title, "Pareto front (INEXACT: few of more than %d points)",
                 NMC_FRONT_CAP);
    else if (dropped)
        snprintf(title, sizeof title,
                 "Pareto front (INEXACT: more than %d points; of those within %s %%, one)",
                 NMC_FRONT_CAP, width);
    write_rows(t, title, &t->r->front);
}

/* ---- effects ---- */

void nmc_result_share_text(const neuromc_sweep_result *result, const struct nmc_result_axis *axis,
                           int objective, char out[NMC_NUMBER_SIZE]) {
    const double part = nmc_result_share(result, axis, objective);
    char percent[NMC_NUMBER_SIZE];
    nmc_percent_format(percent, isnan(part) ? 0 : part, 1);
    if (nmc_result_no_effect(result, axis, objective))
        snprintf(out, NMC_NUMBER_SIZE, "no effect");
    else if (isnan(part))
        snprintf(out, NMC_NUMBER_SIZE, "too few points");
    else
        snprintf(out, NMC_NUMBER_SIZE, "%.20s %%", percent);
}

static void write_effects(struct text *t) {
    const neuromc_sweep_result *r = t->r;
    int objectives = r->objective_count < 4 ? r->objective_count : 4;
    struct nmc_table table;
    heading(t, "Variance that each axis explains by itself");
    nmc_table_init(&table, 1 + objectives, t->color);
    struct nmc_table_row *row = nmc_table_row(&table);
    nmc_table_cell(&table, row, 0, "axis");
    for (int o = 0; o < objectives; o++)
        nmc_table_cell(&table, row, 1 + o, "%.20s", r->metrics[o].name);
    for (int a = 0; a < r->axis_count; a++) {
        row = nmc_table_row(&table);
        nmc_table_cell(&table, row, 0, "%s", r->axes[a].name);
        for (int o = 0; o < objectives; o++) {
            char share[NMC_NUMBER_SIZE];
            nmc_result_share_text(r, &r->axes[a], o, share);
            nmc_table_cell(&table, row, 1 + o, "%s", share);
        }
    }
    nmc_table_finish(&table, t->sink);
}

void nmc_result_text(const neuromc_sweep_result *result, bool color, struct nmc_sink *sink) {
    struct text text = {result, sink, color}, *t = &text;
    write_space(t);
    write_counts(t);
    if (result->feasible) {
        write_objectives(t);
        if (result->top_wanted) {
            write_rows(t, "Best by the first objective", &result->top);
            nmc_result_command(result, sink);
        }
        if (result->pareto_wanted)
            write_front(t);
        write_effects(t);
    }
    if (result->note_count || result->warnings.count)
        heading(t, "Notes");
    for (size_t i = 0; i < result->note_count; i++)
        write_words(t, i ? "" : "note", result->notes[i]);
    for (size_t i = 0; i < result->warnings.count; i++)
        write_words(t, i ? "" : "warning", result->warnings.items[i].text);
}
