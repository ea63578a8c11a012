/* markup.c - the report's tables in Markdown and LaTeX (booktabs), to be pasted into a paper. */
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "report/formats.h"

struct markup {
    struct nmc_sink *sink;
    bool latex;
    double total;
};

/* Characters that mean something in the language get a backslash. */
static void put_escaped(struct nmc_sink *sink, const char *text, const char *special) {
    for (; *text; text++) {
        if (strchr(special, *text))
            nmc_sink_puts(sink, "\\");
        nmc_sink_add(sink, (unsigned char)*text < 0x20 ? " " : text, 1);
    }
}

void nmc_markdown_text(struct nmc_sink *sink, const char *text) {
    put_escaped(sink, text, "|\\*_`<");
}

static void put_latex(struct nmc_sink *sink, const char *text) {
    for (; *text; text++) {
        if (strchr("~^\\", *text))
            nmc_sink_printf(sink, "\\char%d{}", (int)*text);
        else
            put_escaped(sink, (const char[]){*text, '\0'}, "&%$#_{}");
    }
}

static void put_text(const struct markup *m, const char *text) {
    if (m->latex)
        put_latex(m->sink, text);
    else
        nmc_markdown_text(m->sink, text);
}

static void start(const struct markup *m, const char *caption, const char *first) {
    if (m->latex) {
        nmc_sink_puts(m->sink, "\\begin{table}\n  \\centering\n  \\caption{");
        put_text(m, caption);
        nmc_sink_printf(m->sink,
                        "}\n  \\begin{tabular}{lrrrrr}\n    \\toprule\n    %s & energy & share & "
                        "compute & memory & MACs \\\\\n    \\midrule\n",
                        first);
    } else {
        nmc_sink_puts(m->sink, "**");
        put_text(m, caption);
        nmc_sink_printf(m->sink,
                        "**\n\n| %s | energy | share | compute | memory | MACs |\n"
                        "|---|---:|---:|---:|---:|---:|\n",
                        first);
    }
}

static void put_row(const struct markup *m, const struct nmc_group *group) {
    const struct nmc_totals *t = &group->totals;
    char energy[NMC_NUMBER_SIZE], compute[NMC_NUMBER_SIZE], memory[NMC_NUMBER_SIZE];
    char macs[NMC_NUMBER_SIZE], share[NMC_NUMBER_SIZE];
    nmc_energy_format(energy, nmc_totals_energy(t));
    nmc_energy_format(compute, nmc_totals_compute(t));
    nmc_energy_format(memory, nmc_totals_memory(t));
    nmc_count_format(macs, t->macs);
    nmc_percent_format(share, nmc_totals_energy(t), m->total);
    nmc_sink_puts(m->sink, m->latex ? "    " : "| ");
    put_text(m, group->key);
    const char *between = m->latex ? " & " : " | ";
    nmc_sink_printf(m->sink, "%s%s%s%s%s%s%s%s%s%s%s%s", between, energy, between, share,
                    m->latex ? "\\,\\%" : " %", between, compute, between, memory, between, macs,
                    m->latex ? " \\\\\n" : " |\n");
}

static void end(const struct markup *m) {
    nmc_sink_puts(m->sink,
                  m->latex ? "    \\bottomrule\n  \\end{tabular}\n\\end{table}\n\n" : "\n");
}

static void put_groups(const struct markup *m, const struct neuromc_report *report,
                       const char *first, const struct nmc_groups *groups) {
    char caption[256], energy[NMC_NUMBER_SIZE], cycles[NMC_NUMBER_SIZE], mapped[64] = "";
    nmc_energy_format(energy, m->total);
    nmc_count_format(cycles, report->total.cycles);
    if (report->access_model == NMC_ACCESS_MAPPED)
        snprintf(mapped, sizeof mapped, "; operands mapped, %s cycles", cycles);
    snprintf(caption, sizeof caption, "%.80s on %.60s by %s, %s in all%s", report->model_name,
             report->preset_name, first, energy, mapped);
    start(m, caption, first);
    for (size_t i = 0; i < groups->count; i++)
        put_row(m, &groups->items[i]);
    end(m);
}

void nmc_report_markup(const struct neuromc_report *report, bool latex, struct nmc_sink *sink) {
    const struct markup m = {sink, latex, nmc_totals_energy(&report->total)};
    put_groups(&m, report, "stage", &report->groups[NMC_BY_STAGE]);
    put_groups(&m, report, "operation", &report->groups[NMC_BY_OP]);
    put_groups(&m, report, "node", &report->groups[NMC_BY_NODE]);
}
