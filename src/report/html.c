/*
 * html.c - the report as one page: its JSON, the network's graph, and the scripts of html/ that
 * draw both where it is opened.
 */
#include "report/html.h"

#include "base/json_write.h"
#include "report/formats.h"

static void write_slot(const struct neuromc_report *report, enum nmc_html_slot slot,
                       struct nmc_sink *sink) {
    struct nmc_json json;
    nmc_json_init(&json, sink);
    json.in_html = true;
    if (slot == NMC_HTML_REPORT)
        nmc_report_json_into(report, false, &json);
    else
        nmc_network_json(&report->network, &json);
}

void nmc_report_html(const struct neuromc_report *report, struct nmc_sink *sink) {
    const struct nmc_html_piece *piece = nmc_html_page;
    nmc_sink_puts(sink, piece->text);
    for (; piece->then != NMC_HTML_END; piece++) {
        write_slot(report, piece->then, sink);
        nmc_sink_puts(sink, piece[1].text);
    }
}
