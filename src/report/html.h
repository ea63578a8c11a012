/*
 * html.h - the page of a report as embed.awk makes it of the files in html/: text, and between its
 * pieces the places for data.
 */
#ifndef NMC_HTML_H
#define NMC_HTML_H

enum nmc_html_slot { NMC_HTML_END, NMC_HTML_REPORT, NMC_HTML_NETWORK };

struct nmc_html_piece {
    const char *text;
    enum nmc_html_slot then; /* what comes after it */
};

extern const struct nmc_html_piece nmc_html_page[]; /* the last one ends the page */

#endif
