/*
 * plot.c - a sweep as a drawing: a scatter of two objectives with the front (of one objective, how
 * many points stay below a value), and for each axis a panel with the means of its levels.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "sweep/figure.h"
#include "sweep/plot.h"

enum {
    WIDTH = 960,
    SCATTER = 380,
    PANEL_WIDTH = 220,
    PANEL_HEIGHT = 130,
    PER_ROW = 3,
    MOST_PANELS = 12
};

static const char style[] =
    "<style>text{font-family:sans-serif;fill:#222}.head{font-size:16px;font-weight:bold}"
    ".title{font-size:12px;font-weight:bold}.name{font-size:11px}.tick{font-size:10px;fill:#555}"
    ".grid{stroke:#e3e3e3}.axis{stroke:#444}.point{fill:#4c78a8;fill-opacity:.35}"
    ".front{fill:#d62728}.step{fill:none;stroke:#d62728;stroke-width:1.5}"
    ".mean{fill:none;stroke:#222;stroke-width:1.5}.level{fill:#222}</style>\n";

struct plot {
    const neuromc_sweep_result *r;
    struct nmc_sink *sink;
    bool in_page;                       /* which brings the colours, and a title */
    int x_metric, y_metric;             /* whose labels are being written */
    const struct nmc_result_axis *axis; /* of a panel without numbers: its labels */
};

static void x_label(void *user, double value, char out[32]) {
    const struct plot *p = user;
    nmc_result_value(&p->r->metrics[p->x_metric], value, out);
}

static void y_label(void *user, double value, char out[32]) {
    const struct plot *p = user;
    nmc_result_value(&p->r->metrics[p->y_metric], value, out);
}

/* "count.on_chip_bits (bit)"; energies have their unit at every tick. */
static void metric_title(const struct nmc_result_metric *metric, char out[96]) {
    bool named = metric->unit[0] && strcmp(metric->unit, "pJ") != 0;
    snprintf(out, 96, named ? "%.60s (%.20s)" : "%.60s", metric->name, metric->unit);
}

/* ---- the scatter ---- */

static void row_hint(const struct plot *p, const struct nmc_result_row *row, char *out,
                     size_t size) {
    size_t used = (size_t)snprintf(out, size, "point %lld", (long long)row->index);
    for (int m = 0; m < p->r->objective_count && used < size; m++) {
        char value[NMC_NUMBER_SIZE];
        nmc_result_value(&p->r->metrics[m], row->values[m], value);
        used +=
            (size_t)snprintf(out + used, size - used, ", %.60s %s", p->r->metrics[m].name, value);
    }
    for (int a = 0; a < p->r->axis_count && used < size; a++)
        used += (size_t)snprintf(out + used, size - used, ", %.60s=%.30s", p->r->axes[a].name,
                                 row->texts[a]);
}

/* Of a sample a page says what it is; a drawing alone would grow too large by that. */
static void draw_point(const struct plot *p, const struct nmc_panel *panel,
                       const struct nmc_result_row *row) {
    char hint[2048];
    if (p->in_page)
        row_hint(p, row, hint, sizeof hint);
    nmc_panel_dot(p->sink, panel, row->values[0], row->values[1], 2, "point",
                  p->in_page ? hint : NULL);
}

/* The edge of what is beaten: from member to member, first along one objective, then the other. */
static void draw_front(const struct plot *p, const struct nmc_panel *panel) {
    const struct nmc_result_rows *front = &p->r->front;
    enum { MOST = 2000 };
    size_t every = front->count / MOST + 1;
    if (p->r->objective_count == 2 && front->count > 1) {
        nmc_panel_line_start(p->sink, "step");
        for (size_t i = 0; i < front->count; i += every) {
            const double *v = front->items[i].values;
            if (i)
                nmc_panel_line_point(p->sink, panel, v[0], front->items[i - every].values[1]);
            nmc_panel_line_point(p->sink, panel, v[0], v[1]);
        }
        nmc_panel_line_end(p->sink);
    }
    for (size_t i = 0; i < front->count; i += every) {
        char hint[2048];
        row_hint(p, &front->items[i], hint, sizeof hint);
        nmc_panel_dot(p->sink, panel, front->items[i].values[0], front->items[i].values[1], 3,
                      "front", hint);
    }
}

static void draw_scatter(struct plot *p, const struct nmc_panel *frame) {
    const neuromc_sweep_result *r = p->r;
    struct nmc_panel panel = *frame;
    panel.x = nmc_scale_make(r->metrics[0].least, r->metrics[0].most, true, panel.left,
                             panel.left + panel.width);
    panel.y = nmc_scale_make(r->metrics[1].least, r->metrics[1].most, true,
                             panel.top + panel.height, panel.top);
    p->x_metric = 0;
    p->y_metric = 1;
    char x_title[96], y_title[96];
    metric_title(&r->metrics[0], x_title);
    metric_title(&r->metrics[1], y_title);
    nmc_panel_frame(p->sink, &panel, NULL, x_title, y_title, x_label, y_label, p);
    for (size_t i = 0; i < r->sample.count; i++)
        draw_point(p, &panel, &r->sample.items[i]);
    draw_front(p, &panel);
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of one objective: the share of points at or below a value. */
static void draw_distribution(struct plot *p, const struct nmc_panel *frame) {
    const neuromc_sweep_result *r = p->r;
    struct nmc_panel panel = *frame;
    double *values = nmc_malloc((r->sample.count + 1) * sizeof *values);
    if (!values) {
        p->sink->failed = true;
        return;
    }
    for (size_t i = 0; i < r->sample.count; i++)
        values[i] = r->sample.items[i].values[0];
    qsort(values, r->sample.count, sizeof *values, by_value);
    panel.x = nmc_scale_make(r->metrics[0].least, r->metrics[0].most, true, panel.left,
                             panel.left + panel.width);
    panel.y = nmc_scale_make(0, 1, false, panel.top + panel.height, panel.top);
    p->x_metric = 0;
    char x_title[96];
    metric_title(&r->metrics[0], x_title);
    nmc_panel_frame(p->sink, &panel, NULL, x_title, "share of points at or below", x_label, NULL,
                    p);
    nmc_panel_line_start(p->sink, "mean");
    for (size_t i = 0; i < r->sample.count; i++)
        nmc_panel_line_point(p->sink, &panel, values[i], (double)(i + 1) / (double)r->sample.count);
    nmc_panel_line_end(p->sink);
    nmc_free(values);
}

/* ---- a panel for each axis ---- */

static double bin_number(const struct nmc_result_axis *axis, int bin) {
    double value = bin;
    if (axis->numeric)
        nmc_number_parse(axis->bins[bin].label, strlen(axis->bins[bin].label), &value);
    return value;
}

/* Where a row lies on an axis. */
static double row_number(const struct nmc_result_axis *axis, const char *text) {
    double value = 0;
    if (axis->numeric) {
        nmc_number_parse(text, strlen(text), &value);
        return value;
    }
    for (int b = 0; b < axis->bin_count; b++)
        if (strcmp(axis->bins[b].label, text) == 0)
            return b;
    return 0;
}

/* Names stand at whole numbers; of a path its end is enough. */
static void name_label(void *user, double value, char out[32]) {
    const struct plot *p = user;
    const struct nmc_result_axis *axis = p->axis;
    out[0] = '\0';
    if (value < 0 || value >= axis->bin_count || value != floor(value))
        return;
    const char *text = axis->bins[(int)value].label, *slash = strrchr(text, '/');
    snprintf(out, 32, "%.14s", slash ? slash + 1 : text);
}

static void bounds(const struct nmc_result_axis *axis, double *least, double *most) {
    *least = *most = bin_number(axis, 0);
    for (int b = 1; b < axis->bin_count; b++) {
        double value = bin_number(axis, b);
        *least = value < *least ? value : *least;
        *most = value > *most ? value : *most;
    }
}

static void draw_means(const struct plot *p, const struct nmc_panel *panel,
                       const struct nmc_result_axis *axis) {
    nmc_panel_line_start(p->sink, "mean");
    for (int b = 0; b < axis->bin_count; b++)
        if (axis->bins[b].count)
            nmc_panel_line_point(p->sink, panel, bin_number(axis, b),
                                 nmc_result_bin_mean(p->r, axis, b, 0));
    nmc_panel_line_end(p->sink);
    for (int b = 0; axis->bin_count <= 40 && b < axis->bin_count; b++) {
        if (!axis->bins[b].count)
            continue;
        char hint[256], value[NMC_NUMBER_SIZE];
        const double mean = nmc_result_bin_mean(p->r, axis, b, 0);
        nmc_result_value(&p->r->metrics[0], mean, value);
        snprintf(hint, sizeof hint, "%.60s: mean of %lld points %s", axis->bins[b].label,
                 (long long)axis->bins[b].count, value);
        nmc_panel_dot(p->sink, panel, bin_number(axis, b), mean, 2.5, "level", hint);
    }
}

/* "...instances.sram_2MB.size_bits (12.3 %)" */
static void axis_title(const struct plot *p, const struct nmc_result_axis *axis, char out[128]) {
    char share[NMC_NUMBER_SIZE];
    size_t length = strlen(axis->name);
    nmc_result_share_text(p->r, axis, 0, share);
    snprintf(out, 128, "%s%s (%s)", length > 26 ? "..." : "",
             length > 26 ? axis->name + length - 24 : axis->name, share);
}

static void number_label(void *user, double value, char out[32]) {
    static const struct nmc_result_metric plain = {.unit = ""};
    (void)user;
    nmc_result_value(&plain, value, out);
}

static void draw_axis(struct plot *p, int a, double left, double top) {
    const neuromc_sweep_result *r = p->r;
    const struct nmc_result_axis *axis = &r->axes[a];
    struct nmc_panel panel = {left, top, PANEL_WIDTH, PANEL_HEIGHT, {.from = 0}, {.from = 0}};
    double least, most;
    char title[128];
    bounds(axis, &least, &most);
    panel.x = nmc_scale_make(least, most, axis->numeric, left, left + PANEL_WIDTH);
    panel.y =
        nmc_scale_make(r->metrics[0].least, r->metrics[0].most, true, top + PANEL_HEIGHT, top);
    p->y_metric = 0;
    p->axis = axis;
    axis_title(p, axis, title);
    nmc_panel_frame(p->sink, &panel, title, NULL, NULL, axis->numeric ? number_label : name_label,
                    y_label, p);
    for (size_t i = 0; i < r->sample.count; i++)
        nmc_panel_dot(p->sink, &panel, row_number(axis, r->sample.items[i].texts[a]),
                      r->sample.items[i].values[0], 1.2, "point", NULL);
    draw_means(p, &panel, axis);
}

/* ---- the whole ---- */

/* A drawing alone has its colours, its background and a title. */
static void draw_surroundings(struct plot *p, int height) {
    const neuromc_sweep_result *r = p->r;
    char head[256];
    nmc_sink_puts(p->sink, style);
    nmc_sink_printf(p->sink, "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", (int)WIDTH,
                    height);
    snprintf(head, sizeof head, "%.60s on %.60s: %lld points%s", r->models[0], r->preset_name,
             (long long)r->evaluated, r->partial ? ", PARTIAL" : "");
    nmc_figure_label(p->sink, 20, 28, "head", "start", head);
}

static void draw_panels(struct plot *p, int panels, double top) {
    const struct nmc_panel frame = {90, top, WIDTH - 120, SCATTER, {.from = 0}, {.from = 0}};
    if (p->r->objective_count > 1)
        draw_scatter(p, &frame);
    else
        draw_distribution(p, &frame);
    nmc_figure_label(p->sink, 20, top + SCATTER + 58, "name", "start",
                     "each axis: the first objective over its values, means as a line "
                     "(share of the variance)");
    for (int a = 0; a < panels; a++) {
        const int column = a % PER_ROW, row = a / PER_ROW;
        draw_axis(p, a, 90 + column * (PANEL_WIDTH + 80),
                  top + SCATTER + 90 + row * (PANEL_HEIGHT + 70));
    }
}

void nmc_plot_svg(const neuromc_sweep_result *result, bool in_page, struct nmc_sink *sink) {
    struct plot plot = {.r = result, .sink = sink, .in_page = in_page};
    const int panels = result->axis_count < MOST_PANELS ? result->axis_count : MOST_PANELS;
    const int rows = (panels + PER_ROW - 1) / PER_ROW, top = in_page ? 24 : 70;
    const int height = top + SCATTER + 90 + rows * (PANEL_HEIGHT + 70) - (in_page ? 40 : 0);
    nmc_sink_printf(sink,
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                    "viewBox=\"0 0 %d %d\">\n",
                    (int)WIDTH, height, (int)WIDTH, height);
    if (!in_page)
        draw_surroundings(&plot, height);
    if (result->feasible)
        draw_panels(&plot, panels, top);
    else
        nmc_figure_label(sink, 20, top - 10, "name", "start", "no feasible point");
    nmc_sink_puts(sink, "</svg>\n");
}

neuromc_status neuromc_sweep_plot(const neuromc_sweep_result *result, neuromc_plot_format format,
                                  neuromc_write_fn write, void *user, neuromc_diags *diags) {
    if (!result->sample_kept)
        return nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){0}, "run with sample_for_plot",
                         "the run kept nothing to draw");
    struct nmc_sink sink;
    nmc_sink_init(&sink, write, user);
    if (format == NEUROMC_PLOT_HTML)
        nmc_plot_page(result, &sink);
    else
        nmc_plot_svg(result, false, &sink);
    return nmc_sink_finish(&sink, diags);
}
