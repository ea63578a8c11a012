/*
 * plot.h - a sweep drawn: the drawing, and the page around it.
 */
#ifndef NMC_PLOT_H
#define NMC_PLOT_H

#include "sweep/result.h"

/* In a page, which has its own colours and title, or alone. */
void nmc_plot_svg(const neuromc_sweep_result *result, bool in_page, struct nmc_sink *sink);
void nmc_plot_page(const neuromc_sweep_result *result, struct nmc_sink *sink);

#endif
