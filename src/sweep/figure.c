#include "sweep/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"

/* ---- scales ---- */

struct nmc_scale nmc_scale_make(double least, double most, bool may_be_log, double from,
                                double to) {
    const double far_apart = 30, room = 0.04;
    struct nmc_scale scale = {least, most, false, from, to};
    if (most <= least) {
        double around = least == 0 ? 1 : fabs(least) / 10;
        scale.least = least - around;
        scale.most = least + around;
        return scale;
    }
    scale.logarithmic = may_be_log && least > 0 && most / least > far_apart;
    if (scale.logarithmic) {
        double margin = room * log(most / least);
        scale.least = least * exp(-margin);
        scale.most = most * exp(margin);
    } else {
        scale.least = least - room * (most - least);
        scale.most = most + room * (most - least);
    }
    return scale;
}

double nmc_scale_place(const struct nmc_scale *s, double value) {
    double share = s->logarithmic ? log(value / s->least) / log(s->most / s->least)
                                  : (value - s->least) / (s->most - s->least);
    return s->from + share * (s->to - s->from);
}

/* 1, 2 or 5 times a power of ten, so that about `wanted` steps cover the length. */
static double nice_step(double length, int wanted) {
    double rough = length / wanted, power = pow(10, floor(log10(rough))), times = rough / power;
    return power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
}

/* ---- texts ---- */

void nmc_figure_number(struct nmc_sink *sink, double value) {
    char text[NMC_NUMBER_SIZE];
    nmc_number_format(text, round(value * 100) / 100);
    nmc_sink_puts(sink, text);
}

void nmc_figure_text(struct nmc_sink *sink, const char *text) {
    while (*text) {
        size_t width = nmc_utf8_width((const unsigned char *)text);
        unsigned char c = (unsigned char)*text;
        const char *escaped = c == '&'   ? "&amp;"
                              : c == '<' ? "&lt;"
                              : c == '>' ? "&gt;"
                              : c == '"' ? "&quot;"
                                         : NULL;
        if (escaped)
            nmc_sink_puts(sink, escaped);
        else if (!width || c < 0x20 || c == 0x7F)
            nmc_sink_puts(sink, "?");
        else
            nmc_sink_add(sink, text, width);
        text += width ? width : 1;
    }
}

void nmc_figure_label(struct nmc_sink *sink, double x, double y, const char *style,
                      const char *anchor, const char *text) {
    nmc_sink_puts(sink, "<text x=\"");
    nmc_figure_number(sink, x);
    nmc_sink_puts(sink, "\" y=\"");
    nmc_figure_number(sink, y);
    nmc_sink_printf(sink, "\" class=\"%s\" text-anchor=\"%s\">", style, anchor);
    nmc_figure_text(sink, text);
    nmc_sink_puts(sink, "</text>\n");
}

/* ---- lines and dots ---- */

static void line(struct nmc_sink *sink, double x1, double y1, double x2, double y2,
                 const char *style) {
    const double ends[] = {x1, y1, x2, y2};
    static const char *const names[] = {"x1", "y1", "x2", "y2"};
    nmc_sink_puts(sink, "<line");
    for (int i = 0; i < 4; i++) {
        nmc_sink_printf(sink, " %s=\"", names[i]);
        nmc_figure_number(sink, ends[i]);
        nmc_sink_puts(sink, "\"");
    }
    nmc_sink_printf(sink, " class=\"%s\"/>\n", style);
}

void nmc_panel_dot(struct nmc_sink *sink, const struct nmc_panel *panel, double x, double y,
                   double radius, const char *style, const char *hint) {
    nmc_sink_puts(sink, "<circle cx=\"");
    nmc_figure_number(sink, nmc_scale_place(&panel->x, x));
    nmc_sink_puts(sink, "\" cy=\"");
    nmc_figure_number(sink, nmc_scale_place(&panel->y, y));
    nmc_sink_puts(sink, "\" r=\"");
    nmc_figure_number(sink, radius);
    nmc_sink_printf(sink, "\" class=\"%s\"", style);
    if (hint) {
        nmc_sink_puts(sink, "><title>");
        nmc_figure_text(sink, hint);
        nmc_sink_puts(sink, "</title></circle>\n");
    } else {
        nmc_sink_puts(sink, "/>\n");
    }
}

void nmc_panel_line_start(struct nmc_sink *sink, const char *style) {
    nmc_sink_printf(sink, "<polyline class=\"%s\" points=\"", style);
}

void nmc_panel_line_point(struct nmc_sink *sink, const struct nmc_panel *panel, double x,
                          double y) {
    nmc_figure_number(sink, nmc_scale_place(&panel->x, x));
    nmc_sink_puts(sink, ",");
    nmc_figure_number(sink, nmc_scale_place(&panel->y, y));
    nmc_sink_puts(sink, " ");
}

void nmc_panel_line_end(struct nmc_sink *sink) {
    nmc_sink_puts(sink, "\"/>\n");
}

/* ---- frames ---- */

static void plain_label(double value, char out[32]) {
    nmc_short_format(out, value);
}

static void tick(struct nmc_sink *sink, const struct nmc_panel *panel, bool vertical, double value,
                 nmc_label *label, void *user) {
    char text[32];
    const struct nmc_scale *scale = vertical ? &panel->y : &panel->x;
    double place = nmc_scale_place(scale, value);
    if (label)
        label(user, value, text);
    else
        plain_label(value, text);
    if (!text[0])
        return;
    if (vertical) {
        line(sink, panel->left, place, panel->left + panel->width, place, "grid");
        nmc_figure_label(sink, panel->left - 6, place + 3.5, "tick", "end", text);
    } else {
        line(sink, place, panel->top, place, panel->top + panel->height, "grid");
        nmc_figure_label(sink, place, panel->top + panel->height + 14, "tick", "middle", text);
    }
}

/* Powers of ten, or of two where there are few of those. */
static void log_ticks(struct nmc_sink *sink, const struct nmc_panel *panel, bool vertical,
                      nmc_label *label, void *user) {
    const struct nmc_scale *scale = vertical ? &panel->y : &panel->x;
    double decades = log10(scale->most / scale->least);
    double factor = decades > 2.5 ? pow(10, ceil(decades / 6)) : 4;
    double first = pow(10, ceil(log10(scale->least)));
    for (int i = 0; first * pow(factor, i) <= scale->most && i < 20; i++)
        tick(sink, panel, vertical, first * pow(factor, i), label, user);
}

static void ticks(struct nmc_sink *sink, const struct nmc_panel *panel, bool vertical, int wanted,
                  nmc_label *label, void *user) {
    const struct nmc_scale *scale = vertical ? &panel->y : &panel->x;
    if (scale->logarithmic) {
        log_ticks(sink, panel, vertical, label, user);
        return;
    }
    double step = nice_step(scale->most - scale->least, wanted);
    double first = ceil(scale->least / step);
    for (int i = 0; (first + i) * step <= scale->most && i < 20; i++)
        tick(sink, panel, vertical, (first + i) * step, label, user);
}

void nmc_panel_frame(struct nmc_sink *sink, const struct nmc_panel *panel, const char *title,
                     const char *x_title, const char *y_title, nmc_label *x_label,
                     nmc_label *y_label, void *user) {
    double right = panel->left + panel->width, bottom = panel->top + panel->height;
    int wanted = panel->width > 400 ? 6 : 4;
    ticks(sink, panel, false, wanted, x_label, user);
    ticks(sink, panel, true, 5, y_label, user);
    line(sink, panel->left, bottom, right, bottom, "axis");
    line(sink, panel->left, panel->top, panel->left, bottom, "axis");
    if (title)
        nmc_figure_label(sink, panel->left, panel->top - 10, "title", "start", title);
    if (x_title)
        nmc_figure_label(sink, right, bottom + 30, "name", "end", x_title);
    if (y_title)
        nmc_figure_label(sink, panel->left, panel->top - 10, "name", "start", y_title);
}
