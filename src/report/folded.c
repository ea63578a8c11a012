/*
 * folded.c - stacks as flamegraph.pl, inferno and speedscope read them: "stage;op;node;level N".
 *
 * N is whole femtojoules. Rounding is carried from line to line, so the weights add up to the
 * rounded total exactly.
 */
#include <math.h>
#include <stdio.h>

#include "report/formats.h"

struct folding {
    struct nmc_sink *sink;
    double exact;    /* pJ of all lines so far */
    int64_t written; /* femtojoules of all lines so far */
};

/* The separators of the format are ';' within a stack and the last blank. */
static void put_frame(struct nmc_sink *sink, const char *name) {
    for (; *name; name++) {
        char c = *name;
        if (c == ';')
            c = ',';
        else if ((unsigned char)c < 0x20)
            c = ' ';
        nmc_sink_add(sink, &c, 1);
    }
    nmc_sink_puts(sink, ";");
}

static void put_stack(struct folding *f, const struct nmc_line *line, const char *level,
                      double energy) {
    f->exact += energy;
    int64_t whole = (int64_t)llround(f->exact * 1000), weight = whole - f->written;
    f->written = whole;
    if (weight <= 0)
        return;
    put_frame(f->sink, nmc_line_key(line, NMC_BY_STAGE));
    put_frame(f->sink, nmc_line_key(line, NMC_BY_OP));
    put_frame(f->sink, nmc_line_key(line, NMC_BY_NODE));
    nmc_sink_printf(f->sink, "%s %lld\n", level, (long long)weight);
}

void nmc_report_folded(const struct neuromc_report *report, struct nmc_sink *sink) {
    struct folding f = {.sink = sink};
    for (uint32_t i = 0; i < report->ledger.line_count; i++) {
        const struct nmc_line *line = &report->ledger.lines[i];
        const struct nmc_totals *t = &report->lines[i];
        put_stack(&f, line, "mac", t->energy[NMC_PART_MAC]);
        put_stack(&f, line, "arithmetic", t->energy[NMC_PART_EXTRA_COMPUTE]);
        for (int level = 0; level < NMC_LEVELS; level++) {
            double energy = 0;
            for (int d = 0; d < NMC_DIRECTIONS; d++)
                energy += t->level_energy[level][d];
            put_stack(&f, line, nmc_level_names[level], energy);
        }
    }
}
