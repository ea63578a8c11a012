/*
 * figure.h - panels of an SVG drawing: scales, ticks, dots, lines, texts.
 */
#ifndef NMC_FIGURE_H
#define NMC_FIGURE_H

#include <stdbool.h>

#include "base/sink.h"

struct nmc_scale {
    double least, most; /* of the data */
    bool logarithmic;
    double from, to; /* where they lie in the drawing */
};

/* A scale that holds both ends with a little room; logarithmic if they are above 0 and far apart.
 */
struct nmc_scale nmc_scale_make(double least, double most, bool may_be_log, double from, double to);
double nmc_scale_place(const struct nmc_scale *scale, double value);

struct nmc_panel {
    double left, top, width, height;
    struct nmc_scale x, y;
};

/* Frame, ticks with their labels, title. x_label(user, value, out) may be NULL: plain numbers. */
typedef void nmc_label(void *user, double value, char out[32]);
void nmc_panel_frame(struct nmc_sink *sink, const struct nmc_panel *panel, const char *title,
                     const char *x_title, const char *y_title, nmc_label *x_label,
                     nmc_label *y_label, void *user);

void nmc_panel_dot(struct nmc_sink *sink, const struct nmc_panel *panel, double x, double y,
                   double radius, const char *style, const char *hint);
/* Points of a line one after the other; the first starts it. */
void nmc_panel_line_start(struct nmc_sink *sink, const char *style);
void nmc_panel_line_point(struct nmc_sink *sink, const struct nmc_panel *panel, double x, double y);
void nmc_panel_line_end(struct nmc_sink *sink);

void nmc_figure_number(struct nmc_sink *sink, double value);   /* two decimals */
void nmc_figure_text(struct nmc_sink *sink, const char *text); /* escaped for XML */
/* anchor: start, middle or end. */
void nmc_figure_label(struct nmc_sink *sink, double x, double y, const char *style,
                      const char *anchor, const char *text);

#endif
