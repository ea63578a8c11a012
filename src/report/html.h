/*
 * html.h - the pages of a report and of a sweep as embed.awk makes them of the files in html/ and
 * sweep/html/: text, and between its pieces the places for data.
 */
#ifndef NMC_HTML_H
#define NMC_HTML_H

enum nmc_html_slot {
    NMC_HTML_END,
    NMC_HTML_REPORT,
    NMC_HTML_NETWORK,
    NMC_HTML_TITLE, /* of a sweep */
    NMC_HTML_BODY   /* of a sweep */
};

struct nmc_html_piece {
    const char *text;
    enum nmc_html_slot then; /* what comes after it */
};

/* The last piece ends the page. */
extern const struct nmc_html_piece nmc_html_page[], nmc_sweep_page[];

#endif
