/* result_csv.c - the best points and the front as rows. */
#include <string.h>

#include "base/number.h"
#include "report/table.h"
#include "sweep/result.h"

static void put_row(const neuromc_sweep_result *r, const char *set,
                    const struct nmc_result_row *row, struct nmc_sink *sink) {
    nmc_sink_printf(sink, "%s,%lld", set, (long long)row->index);
    for (int a = 0; a < r->axis_count; a++) {
        nmc_sink_puts(sink, ",");
        nmc_csv_text(sink, row->texts[a]);
    }
    for (int m = 0; m < r->metric_count; m++) {
        char text[NMC_NUMBER_SIZE];
        nmc_number_format(text, row->values[m]);
        nmc_sink_printf(sink, ",%s", text);
    }
    nmc_sink_puts(sink, "\r\n");
}

void nmc_result_csv(const neuromc_sweep_result *r, struct nmc_sink *sink) {
    nmc_sink_puts(sink, "set,index");
    for (int a = 0; a < r->axis_count; a++) {
        nmc_sink_puts(sink, ",");
        nmc_csv_text(sink, r->axes[a].name);
    }
    for (int m = 0; m < r->metric_count; m++) {
        nmc_sink_puts(sink, ",");
        nmc_csv_text(sink, r->metrics[m].name);
    }
    nmc_sink_puts(sink, "\r\n");
    for (size_t i = 0; i < r->top.count; i++)
        put_row(r, "top", &r->top.items[i], sink);
    for (size_t i = 0; i < r->front.count; i++)
        put_row(r, "pareto", &r->front.items[i], sink);
}
