/*
 * text.c - the report a person reads first: what is covered, what it comes to, where it goes.
 * Fits 100 columns; numbers are scaled, JSON and CSV have them exact.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "report/formats.h"
#include "report/table.h"

enum { TOP_NODES = 10 };

struct text {
    const struct neuromc_report *report;
    struct nmc_sink *sink;
    bool color;
    double total;
};

static void heading(struct text *t, const char *title) {
    nmc_sink_printf(t->sink, "\n%s%s%s\n", t->color ? "\033[1;36m" : "", title,
                    t->color ? "\033[0m" : "");
}

/* Appends words to a paragraph that is broken before 100 columns and indented. */
struct paragraph {
    struct nmc_sink *sink;
    size_t column, indent;
};

static void add_words(struct paragraph *p, const char *words) {
    size_t width = nmc_text_width(words);
    if (p->column > p->indent && p->column + 1 + width > NMC_TABLE_WIDTH) {
        nmc_sink_printf(p->sink, "\n%*s", (int)p->indent, "");
        p->column = p->indent;
    } else if (p->column > p->indent) {
        nmc_sink_puts(p->sink, " ");
        p->column++;
    }
    nmc_sink_puts(p->sink, words);
    p->column += width;
}

static struct paragraph start_paragraph(struct text *t, const char *label) {
    nmc_sink_printf(t->sink, "  %-13s", label);
    return (struct paragraph){t->sink, 15, 15};
}

/* Each word of a text on its own, so that the paragraph can break anywhere. */
static void add_text(struct paragraph *p, const char *text) {
    char word[128];
    while (*text) {
        size_t length = strcspn(text, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        add_words(p, word);
        text += length;
        text += strspn(text, " ");
    }
}

/* ---- what is covered ---- */

static int by_nodes(const void *a, const void *b) {
    const struct nmc_coverage_row *x = *(const struct nmc_coverage_row *const *)a;
    const struct nmc_coverage_row *y = *(const struct nmc_coverage_row *const *)b;
    int64_t nx = x->nodes[NMC_COVER_UNMODELLED], ny = y->nodes[NMC_COVER_UNMODELLED];
    return nx != ny ? (nx < ny) - (nx > ny) : strcmp(x->op, y->op);
}

static void write_unmodelled(struct text *t) {
    const struct neuromc_report *report = t->report;
    const struct nmc_coverage_row **rows =
        nmc_malloc((report->coverage_count + 1) * sizeof(struct nmc_coverage_row *));
    if (!rows) {
        t->sink->failed = true;
        return;
    }
    size_t count = 0;
    for (size_t i = 0; i < report->coverage_count; i++)
        if (report->coverage[i].nodes[NMC_COVER_UNMODELLED])
            rows[count++] = &report->coverage[i];
    qsort(rows, count, sizeof(struct nmc_coverage_row *), by_nodes);
    if (count) {
        struct paragraph p = start_paragraph(t, "not modelled");
        for (size_t i = 0; i < count; i++) {
            char words[160], elements[NMC_NUMBER_SIZE];
            nmc_count_format(elements, rows[i]->elements[NMC_COVER_UNMODELLED]);
            snprintf(words, sizeof words, "%.80s x%lld (%s elements)%s", rows[i]->op,
                     (long long)rows[i]->nodes[NMC_COVER_UNMODELLED],
                     rows[i]->elements_known[NMC_COVER_UNMODELLED] ? elements : "?",
                     i + 1 < count ? "," : "");
            add_text(&p, words);
        }
        nmc_sink_puts(t->sink, "\n");
    }
    nmc_free(rows);
}

static void write_coverage(struct text *t) {
    const struct neuromc_report *report = t->report;
    int64_t nodes[3] = {0};
    for (size_t i = 0; i < report->coverage_count; i++)
        for (int k = 0; k < 3; k++)
            nodes[k] += report->coverage[i].nodes[k];
    nmc_sink_printf(t->sink, "  %-13s%lld: %lld costed, %lld free by rule, %lld not modelled\n",
                    "operators", (long long)(nodes[0] + nodes[1] + nodes[2]), (long long)nodes[0],
                    (long long)nodes[1], (long long)nodes[2]);
    write_unmodelled(t);
    if (report->not_modelled_count) {
        struct paragraph p = start_paragraph(t, "left out");
        for (int i = 0; i < report->not_modelled_count; i++) {
            add_text(&p, report->not_modelled[i]);
            nmc_sink_puts(t->sink, i + 1 < report->not_modelled_count ? ";" : "");
        }
        nmc_sink_puts(t->sink, "\n");
    }
}

static void write_access_model(struct text *t) {
    const struct nmc_mapping_summary *m = &t->report->mapping;
    char units[NMC_NUMBER_SIZE], words[256];
    if (t->report->access_model == NMC_ACCESS_ONCE) {
        nmc_sink_printf(t->sink, "  %-13s%s\n", "operands", "each word once at each level");
        return;
    }
    nmc_count_format(units, m->mac_units);
    int used = snprintf(words, sizeof words,
                        "mapped to %s MACs for least %s, counted in %s; %lld shapes%s", units,
                        nmc_map_objective_names[m->objective], nmc_counting_names[m->counting],
                        (long long)m->problems, m->problems ? ":" : "");
    const char *between = "";
    for (int r = 0; r < NMC_REACHES; r++)
        if (m->reach[r]) {
            used += snprintf(words + used, sizeof words - (size_t)used, "%s %lld %s", between,
                             (long long)m->reach[r], nmc_map_reach_names[r]);
            between = ",";
        }
    if (m->unmapped)
        snprintf(words + used, sizeof words - (size_t)used, "%s %lld without a mapping", between,
                 (long long)m->unmapped);
    struct paragraph p = start_paragraph(t, "operands");
    add_text(&p, words);
    nmc_sink_puts(t->sink, "\n");
}

static void write_head(struct text *t) {
    const struct neuromc_report *report = t->report;
    const char *accounting = report->accounting == NEUROMC_RUNTIME ? "runtime" : "corrected";
    char node[NMC_NUMBER_SIZE] = "?";
    if (report->technology_nm > 0)
        nmc_number_format(node, report->technology_nm);
    char name[64];
    snprintf(name, sizeof name, "%.60s", report->model_name);
    nmc_make_printable(name);
    nmc_sink_printf(t->sink, "%s%s%s\n", t->color ? "\033[1m" : "", name,
                    t->color ? "\033[0m" : "");
    nmc_sink_printf(t->sink, "  %-13s%.40s, %s nm, content %016llx\n", "preset",
                    report->preset_name, node, (unsigned long long)report->preset_hash);
    nmc_sink_printf(t->sink, "  %-13s%s\n", "accounting", accounting);
    write_access_model(t);
    write_coverage(t);
}

/* ---- numbers ---- */

/* A part of the total with its share. */
static void write_part(struct text *t, const char *label, double part) {
    char energy[NMC_NUMBER_SIZE], share[NMC_NUMBER_SIZE];
    nmc_energy_format(energy, part);
    nmc_percent_format(share, part, t->total);
    nmc_sink_printf(t->sink, "  %-13s%s, %s %%\n", label, energy, share);
}

static void share_cell(const struct text *t, struct nmc_table *table, struct nmc_table_row *row,
                       int column, double part) {
    char share[NMC_NUMBER_SIZE];
    nmc_percent_format(share, part, t->total);
    nmc_table_cell(table, row, column, "%s %%", share);
}

static void write_totals(struct text *t) {
    const struct nmc_totals *total = &t->report->total;
    char energy[NMC_NUMBER_SIZE], exact[NMC_NUMBER_SIZE], macs[NMC_NUMBER_SIZE];
    nmc_energy_format(energy, t->total);
    nmc_number_format(exact, t->total);
    nmc_count_format(macs, total->macs);
    nmc_sink_printf(t->sink, "\n  %-13s%s%s%s (%s pJ)\n", "total", t->color ? "\033[1;32m" : "",
                    energy, t->color ? "\033[0m" : "", exact);
    write_part(t, "compute", nmc_totals_compute(total));
    write_part(t, "memory", nmc_totals_memory(total));
    nmc_sink_printf(t->sink, "  %-13s%s\n", "MACs", macs);
    if (total->cycles) {
        char cycles[NMC_NUMBER_SIZE], used[NMC_NUMBER_SIZE];
        nmc_count_format(cycles, total->cycles);
        nmc_percent_format(used, nmc_mac_utilization(t->report, total), 1);
        nmc_sink_printf(t->sink, "  %-13s%s, %s %% of the MACs used\n", "cycles", cycles, used);
    }
}

static void energy_cell(struct nmc_table *table, struct nmc_table_row *row, int column,
                        double energy) {
    char text[NMC_NUMBER_SIZE];
    nmc_energy_format(text, energy);
    nmc_table_cell(table, row, column, "%s", text);
}

static void group_row(struct text *t, struct nmc_table *table, const struct nmc_group *group) {
    struct nmc_table_row *row = nmc_table_row(table);
    const struct nmc_totals *totals = &group->totals;
    char macs[NMC_NUMBER_SIZE];
    nmc_count_format(macs, totals->macs);
    nmc_table_cell(table, row, 0, "%s", group->key);
    energy_cell(table, row, 1, nmc_totals_energy(totals));
    share_cell(t, table, row, 2, nmc_totals_energy(totals));
    energy_cell(table, row, 3, nmc_totals_compute(totals));
    energy_cell(table, row, 4, nmc_totals_memory(totals));
    nmc_table_cell(table, row, 5, "%s", macs);
}

static struct nmc_table start_table(struct text *t, const char *first) {
    static const char *const titles[] = {NULL, "energy", "share", "compute", "memory", "MACs"};
    struct nmc_table table;
    nmc_table_init(&table, 6, t->color);
    struct nmc_table_row *row = nmc_table_row(&table);
    nmc_table_cell(&table, row, 0, "%s", first);
    for (int c = 1; c < 6; c++)
        nmc_table_cell(&table, row, c, "%s", titles[c]);
    return table;
}

static void write_groups(struct text *t, const char *title, const char *first,
                         const struct nmc_groups *groups) {
    heading(t, title);
    struct nmc_table table = start_table(t, first);
    for (size_t i = 0; i < groups->count; i++)
        group_row(t, &table, &groups->items[i]);
    nmc_table_finish(&table, t->sink);
}

static int by_energy(const void *a, const void *b) {
    const struct nmc_group *x = *(const struct nmc_group *const *)a;
    const struct nmc_group *y = *(const struct nmc_group *const *)b;
    double ex = nmc_totals_energy(&x->totals), ey = nmc_totals_energy(&y->totals);
    if (ex != ey)
        return (ex < ey) - (ex > ey);
    return (x > y) - (x < y); /* in order of appearance */
}

static void write_top_nodes(struct text *t) {
    const struct nmc_groups *nodes = &t->report->groups[NMC_BY_NODE];
    const struct nmc_group **order = nmc_malloc((nodes->count + 1) * sizeof(struct nmc_group *));
    if (!order) {
        t->sink->failed = true;
        return;
    }
    for (size_t i = 0; i < nodes->count; i++)
        order[i] = &nodes->items[i];
    qsort(order, nodes->count, sizeof(struct nmc_group *), by_energy);
    size_t shown = nodes->count < TOP_NODES ? nodes->count : TOP_NODES;
    char title[64];
    snprintf(title, sizeof title, "Costliest nodes (%zu of %zu)", shown, nodes->count);
    heading(t, title);
    struct nmc_table table = start_table(t, "node");
    for (size_t i = 0; i < shown; i++)
        group_row(t, &table, order[i]);
    nmc_table_finish(&table, t->sink);
    nmc_free(order);
}

static void write_levels(struct text *t) {
    static const char *const titles[] = {"level", "read", "written", "energy", "share", ""};
    const struct neuromc_report *report = t->report;
    heading(t, "By memory level");
    struct nmc_table table;
    nmc_table_init(&table, 6, t->color);
    table.left = 1 << 5;
    struct nmc_table_row *row = nmc_table_row(&table);
    for (int c = 0; c < 6; c++)
        nmc_table_cell(&table, row, c, "%s", titles[c]);
    for (int i = 0; i < report->level_count; i++) {
        enum nmc_level level = report->level_order[i];
        const int64_t *bits = report->total.bits[level];
        const double *pj = report->total.level_energy[level];
        char read[NMC_NUMBER_SIZE], written[NMC_NUMBER_SIZE];
        nmc_count_format(read, bits[NMC_RH2L] + bits[NMC_RL2H]);
        nmc_count_format(written, bits[NMC_WL2H] + bits[NMC_WH2L]);
        double energy = pj[NMC_RH2L] + pj[NMC_WL2H] + pj[NMC_RL2H] + pj[NMC_WH2L];
        row = nmc_table_row(&table);
        nmc_table_cell(&table, row, 0, "%s", nmc_level_names[level]);
        nmc_table_cell(&table, row, 1, "%s bit", read);
        nmc_table_cell(&table, row, 2, "%s bit", written);
        energy_cell(&table, row, 3, energy);
        share_cell(t, &table, row, 4, energy);
        nmc_table_cell(&table, row, 5, "%s", report->level_counted[level] ? "" : "not counted");
    }
    nmc_table_finish(&table, t->sink);
}

static void write_dram(struct text *t) {
    struct nmc_cause_totals causes[NMC_DRAM_CAUSES];
    if (!t->report->counts_reuse || !nmc_dram_causes(t->report, causes))
        return;
    char title[80], capacity[NMC_NUMBER_SIZE];
    nmc_count_format(capacity, t->report->on_chip_bits);
    snprintf(title, sizeof title, "DRAM by cause, %s bit on chip", capacity);
    heading(t, title);
    struct nmc_table table;
    nmc_table_init(&table, 4, t->color);
    struct nmc_table_row *row = nmc_table_row(&table);
    static const char *const titles[] = {"cause", "uses", "read", "written"};
    for (int c = 0; c < 4; c++)
        nmc_table_cell(&table, row, c, "%s", titles[c]);
    for (int c = 0; c < NMC_DRAM_CAUSES; c++) {
        char read[NMC_NUMBER_SIZE], written[NMC_NUMBER_SIZE];
        nmc_count_format(read, causes[c].read_bits);
        nmc_count_format(written, causes[c].written_bits);
        row = nmc_table_row(&table);
        nmc_table_cell(&table, row, 0, "%s", nmc_dram_cause_names[c]);
        nmc_table_cell(&table, row, 1, "%lld", (long long)causes[c].uses);
        nmc_table_cell(&table, row, 2, "%s bit", read);
        nmc_table_cell(&table, row, 3, "%s bit", written);
    }
    nmc_table_finish(&table, t->sink);
}

static void write_note(struct text *t, const struct nmc_accounting_note *note) {
    char runtime[NMC_NUMBER_SIZE], corrected[NMC_NUMBER_SIZE], words[256];
    nmc_energy_format(runtime, note->runtime_pj);
    nmc_energy_format(corrected, note->corrected_pj);
    snprintf(words, sizeof words, "%s; %lld fragments, %s runtime, %s corrected",
             nmc_rule_text(note->rule), (long long)note->fragments, runtime, corrected);
    char label[16];
    snprintf(label, sizeof label, "rule %d", note->rule);
    struct paragraph p = start_paragraph(t, label);
    add_text(&p, words);
    nmc_sink_puts(t->sink, "\n");
}

static void write_notes(struct text *t) {
    const struct neuromc_report *report = t->report;
    bool any = report->warning_count > 0;
    for (int i = 0; i < NMC_RULES; i++)
        any = any || report->notes[i].fragments;
    if (!any)
        return;
    heading(t, "Notes");
    for (int i = 0; i < NMC_RULES; i++)
        if (report->notes[i].fragments)
            write_note(t, &report->notes[i]);
    for (size_t i = 0; i < report->warning_count; i++) {
        struct paragraph p = start_paragraph(t, "warning");
        add_text(&p, report->warnings[i]);
        nmc_sink_puts(t->sink, "\n");
    }
}

void nmc_report_text(const struct neuromc_report *report, bool color, struct nmc_sink *sink) {
    struct text text = {report, sink, color, nmc_totals_energy(&report->total)}, *t = &text;
    write_head(t);
    write_totals(t);
    write_groups(t, "By stage", "stage", &report->groups[NMC_BY_STAGE]);
    write_groups(t, "By operation", "operation", &report->groups[NMC_BY_OP]);
    write_levels(t);
    write_dram(t);
    write_top_nodes(t);
    write_notes(t);
}
