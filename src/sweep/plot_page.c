/*
 * plot_page.c - a sweep as a page: the space, the drawing, the front and the best points as tables,
 * what each axis explains, notes. The style is that of a report's page.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "report/html.h"
#include "sweep/figure.h"
#include "sweep/plot.h"

enum { MOST_ROWS = 200 };

struct page {
    const neuromc_sweep_result *r;
    struct nmc_sink *sink;
};

/* An element with a text; `tag` may have attributes. */
static void element(const struct page *p, const char *tag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void element(const struct page *p, const char *tag, const char *format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    nmc_sink_printf(p->sink, "<%s>", tag);
    nmc_figure_text(p->sink, text);
    nmc_sink_printf(p->sink, "</%.*s>", (int)strcspn(tag, " "), tag);
}

/* A value for people whose title is the exact one. */
static void value_cell(const struct page *p, const struct nmc_result_metric *metric, double value) {
    char shown[NMC_NUMBER_SIZE], exact[NMC_NUMBER_SIZE];
    nmc_result_value(metric, value, shown);
    nmc_number_format(exact, value);
    nmc_sink_printf(p->sink, "<td class=\"n\" title=\"%s ", exact);
    nmc_figure_text(p->sink, metric->unit);
    nmc_sink_puts(p->sink, "\">");
    nmc_figure_text(p->sink, shown);
    nmc_sink_puts(p->sink, "</td>");
}

/* ---- head ---- */

static void fact(const struct page *p, const char *name, const char *value) {
    nmc_sink_puts(p->sink, "<span>");
    nmc_figure_text(p->sink, name);
    nmc_sink_puts(p->sink, " ");
    element(p, "b", "%s", value);
    nmc_sink_puts(p->sink, "</span>\n");
}

static void count_fact(const struct page *p, const char *name, int64_t count) {
    char text[NMC_NUMBER_SIZE];
    nmc_count_format(text, count);
    fact(p, name, text);
}

static void write_space(const struct page *p) {
    const neuromc_sweep_result *r = p->r;
    char text[96], combinations[NMC_NUMBER_SIZE];
    fact(p, "on", r->preset_name);
    snprintf(text, sizeof text, "%016llx", (unsigned long long)r->preset_hash);
    fact(p, "content", text);
    count_fact(p, "points", r->points);
    nmc_number_format(combinations, r->combinations);
    snprintf(text, sizeof text, "%s points, %s, seed %llu", combinations,
             r->sampler == NEUROMC_SOBOL ? "Sobol" : "random", (unsigned long long)r->seed);
    if (r->sampled)
        fact(p, "drawn from", text);
    snprintf(text, sizeof text, "%lld of %lld", (long long)r->shard, (long long)r->shard_count);
    if (r->shard_count)
        fact(p, "shard", text);
}

static void write_head(const struct page *p) {
    const neuromc_sweep_result *r = p->r;
    nmc_sink_puts(p->sink, "<div class=\"hero\">");
    element(p, "h1", "%.200s", r->models[0]);
    if (r->model_count > 1)
        element(p, "p", "and %d more", r->model_count - 1);
    nmc_sink_puts(p->sink, "<div class=\"facts\">\n");
    write_space(p);
    nmc_sink_puts(p->sink, "</div>\n<div class=\"facts\">\n");
    count_fact(p, "evaluated", r->evaluated);
    count_fact(p, "feasible", r->feasible);
    count_fact(p, "excluded", r->evaluated - r->feasible - r->failed);
    count_fact(p, "failed", r->failed);
    if (r->partial)
        element(p, "b class=\"warn\"", "PARTIAL: stopped before the end");
    nmc_sink_puts(p->sink, "</div></div>\n");
}

/* ---- tables ---- */

static void open_section(const struct page *p, const char *title, const char *intro) {
    nmc_sink_puts(p->sink, "<section>");
    element(p, "h2", "%s", title);
    element(p, "p class=\"intro\"", "%s", intro);
    nmc_sink_puts(p->sink, "\n<div class=\"card long\"><div class=\"scroll\">"
                           "<table class=\"rows\"><thead><tr>");
}

static void close_section(const struct page *p) {
    nmc_sink_puts(p->sink, "</tbody></table></div></div></section>\n");
}

static void point_heads(const struct page *p) {
    element(p, "th scope=\"col\" class=\"n\"", "point");
    for (int m = 0; m < p->r->metric_count; m++)
        element(p, "th scope=\"col\" class=\"n\"", "%.100s", p->r->metrics[m].name);
    for (int a = 0; a < p->r->axis_count; a++)
        element(p, "th scope=\"col\" class=\"n\"", "%.200s", p->r->axes[a].name);
    nmc_sink_puts(p->sink, "</tr></thead><tbody>\n");
}

static void write_points(const struct page *p, const char *title, const char *intro,
                         const struct nmc_result_rows *rows) {
    const neuromc_sweep_result *r = p->r;
    const size_t shown = rows->count < MOST_ROWS ? rows->count : MOST_ROWS;
    open_section(p, title, intro);
    point_heads(p);
    for (size_t i = 0; i < shown; i++) {
        const struct nmc_result_row *row = &rows->items[i];
        nmc_sink_puts(p->sink, "<tr>");
        element(p, "th scope=\"row\" class=\"n\"", "%lld", (long long)row->index);
        for (int m = 0; m < r->metric_count; m++)
            value_cell(p, &r->metrics[m], row->values[m]);
        for (int a = 0; a < r->axis_count; a++)
            element(p, "td class=\"n\"", "%.100s", row->texts[a]);
        nmc_sink_puts(p->sink, "</tr>\n");
    }
    close_section(p);
    if (rows->count > shown)
        element(p, "p class=\"quiet\"", "and %zu more (--format json or csv has them)",
                rows->count - shown);
}

static void write_objectives(const struct page *p) {
    static const char *const heads[] = {"least", "mean", "most"};
    open_section(p, "Objectives", "Over all feasible points.");
    element(p, "th scope=\"col\"", "objective");
    element(p, "th scope=\"col\"", "wanted");
    for (int i = 0; i < 3; i++)
        element(p, "th scope=\"col\" class=\"n\"", "%s", heads[i]);
    nmc_sink_puts(p->sink, "</tr></thead><tbody>\n");
    for (int o = 0; o < p->r->objective_count; o++) {
        const struct nmc_result_metric *metric = &p->r->metrics[o];
        nmc_sink_puts(p->sink, "<tr>");
        element(p, "th scope=\"row\"", "%.100s", metric->name);
        element(p, "td", "%s", metric->maximise ? "most" : "least");
        value_cell(p, metric, metric->least);
        value_cell(p, metric, nmc_result_mean(p->r, o));
        value_cell(p, metric, metric->most);
        nmc_sink_puts(p->sink, "</tr>\n");
    }
    close_section(p);
}

static void write_axes(const struct page *p) {
    const neuromc_sweep_result *r = p->r;
    open_section(p, "Axes",
                 "What varies, and the share of each objective's variance that an axis "
                 "explains by itself.");
    element(p, "th scope=\"col\"", "axis");
    element(p, "th scope=\"col\" class=\"n\"", "values");
    element(p, "th scope=\"col\" class=\"n\"", "first");
    element(p, "th scope=\"col\" class=\"n\"", "last");
    for (int o = 0; o < r->objective_count; o++)
        element(p, "th scope=\"col\" class=\"n\"", "%.100s", r->metrics[o].name);
    nmc_sink_puts(p->sink, "</tr></thead><tbody>\n");
    for (int a = 0; a < r->axis_count; a++) {
        const struct nmc_result_axis *axis = &r->axes[a];
        nmc_sink_puts(p->sink, "<tr>");
        element(p, "th scope=\"row\"", "%.200s", axis->name);
        element(p, "td class=\"n\"", "%lld", (long long)axis->count);
        element(p, "td class=\"n\"", "%.100s", axis->first);
        element(p, "td class=\"n\"", "%.100s", axis->last);
        for (int o = 0; o < r->objective_count; o++) {
            char share[NMC_NUMBER_SIZE];
            nmc_result_share_text(r, axis, o, share);
            element(p, "td class=\"n\"", "%s", share);
        }
        nmc_sink_puts(p->sink, "</tr>\n");
    }
    close_section(p);
}

/* ---- the rest ---- */

/* Its lines, without the indentation that they share. */
static void lines(const struct page *p, char *text) {
    while (*text) {
        const size_t length = strcspn(text, "\n");
        const bool more = text[length] != '\0';
        text[length] = '\0';
        nmc_figure_text(p->sink, strncmp(text, "  ", 2) == 0 ? text + 2 : text);
        nmc_sink_puts(p->sink, more && *text ? "\n" : "");
        text += length + more;
    }
}

static bool append(void *user, const char *data, size_t size) {
    nmc_strbuf_add(user, data, size);
    return true;
}

static void write_command(const struct page *p) {
    struct nmc_strbuf text;
    struct nmc_sink sink;
    nmc_strbuf_init(&text);
    nmc_sink_init(&sink, append, &text);
    nmc_result_command(p->r, &sink);
    p->sink->failed |= nmc_sink_finish(&sink, NULL) != NEUROMC_OK || text.failed;
    if (text.length) {
        nmc_sink_puts(p->sink, "<pre class=\"card nest options\" tabindex=\"0\">");
        lines(p, text.text);
        nmc_sink_puts(p->sink, "</pre>\n");
    }
    nmc_strbuf_release(&text);
}

static void write_list(const struct page *p, const char *label, const char *const *texts,
                       size_t count) {
    for (size_t i = 0; i < count; i++) {
        nmc_sink_printf(p->sink, "<li>%s", label);
        nmc_figure_text(p->sink, texts[i]);
        nmc_sink_puts(p->sink, "</li>\n");
    }
}

static void write_notes(const struct page *p) {
    const neuromc_sweep_result *r = p->r;
    if (!r->note_count && !r->warnings.count && !r->reasons.count && !r->where_count)
        return;
    nmc_sink_puts(p->sink, "<section><h2>Notes</h2><div class=\"card\"><ul class=\"notes\">\n");
    write_list(p, "Points must meet ", r->wheres, (size_t)r->where_count);
    for (size_t i = 0; i < r->reasons.count && i < MOST_ROWS; i++) {
        nmc_sink_printf(p->sink, "<li>%lld failed: ", (long long)r->reasons.items[i].count);
        nmc_figure_text(p->sink, r->reasons.items[i].text);
        nmc_sink_puts(p->sink, "</li>\n");
    }
    write_list(p, "", r->notes, r->note_count);
    for (size_t i = 0; i < r->warnings.count; i++) {
        nmc_sink_puts(p->sink, "<li>Warning: ");
        nmc_figure_text(p->sink, r->warnings.items[i].text);
        nmc_sink_puts(p->sink, "</li>\n");
    }
    nmc_sink_puts(p->sink, "</ul></div></section>\n");
}

static void write_body(const struct page *p) {
    const neuromc_sweep_result *r = p->r;
    write_head(p);
    nmc_sink_puts(p->sink, "<section><figure class=\"card plot\">\n");
    nmc_plot_svg(r, true, p->sink);
    nmc_sink_puts(p->sink, "</figure></section>\n");
    if (r->feasible) {
        if (r->pareto_wanted)
            write_points(p, "Pareto front",
                         r->front_dropped_bits
                             ? "Points that no other beats in every objective; INEXACT, the front "
                               "was cut."
                             : "Points that no other beats in every objective.",
                         &r->front);
        if (r->top_wanted) {
            write_points(p, "Best points", "By the first objective.", &r->top);
            write_command(p);
        }
        write_objectives(p);
    }
    write_axes(p);
    write_notes(p);
}

static void write_title(const struct page *p) {
    element(p, "title", "%.200s on %.200s: sweep", p->r->models[0], p->r->preset_name);
    nmc_sink_puts(p->sink, "\n");
}

void nmc_plot_page(const neuromc_sweep_result *result, struct nmc_sink *sink) {
    const struct page page = {result, sink};
    const struct nmc_html_piece *piece = nmc_sweep_page;
    nmc_sink_puts(sink, piece->text);
    for (; piece->then != NMC_HTML_END; piece++) {
        if (piece->then == NMC_HTML_TITLE)
            write_title(&page);
        else
            write_body(&page);
        nmc_sink_puts(sink, piece[1].text);
    }
}
