#include "report/stacks.h"

#include <math.h>

struct stacking {
    struct nmc_stack_unit unit;
    double exact, total; /* pJ of all stacks so far, and of the report */
    int64_t written;     /* the same, in units handed out */
    nmc_stack_visit *visit;
    void *user;
};

struct nmc_stack_unit nmc_stack_unit(const struct neuromc_report *report) {
    static const struct nmc_stack_unit units[] = {
        {"femtojoules", 1e3},  {"picojoules", 1},     {"nanojoules", 1e-3},  {"microjoules", 1e-6},
        {"millijoules", 1e-9}, {"joules", 1e-12},     {"kilojoules", 1e-15}, {"megajoules", 1e-18},
        {"gigajoules", 1e-21}, {"terajoules", 1e-24}, {"petajoules", 1e-27}, {"exajoules", 1e-30},
    };
    const size_t last = sizeof units / sizeof *units - 1;
    double total = nmc_totals_energy(&report->total);
    size_t i = 0;
    while (i < last && total * units[i].per_pj > 9e18)
        i++;
    return units[i];
}

const char *nmc_stack_level(int index) {
    return index == 0 ? "mac" : index == 1 ? "arithmetic" : nmc_level_names[index - 2];
}

double nmc_stack_energy(const struct nmc_totals *t, int index) {
    if (index < 2)
        return t->energy[index == 0 ? NMC_PART_MAC : NMC_PART_EXTRA_COMPUTE];
    double energy = 0;
    for (int d = 0; d < NMC_DIRECTIONS; d++)
        energy += t->level_energy[index - 2][d];
    return energy;
}

static void put_stack(struct stacking *s, const struct nmc_line *line, int index, double energy,
                      bool last) {
    s->exact = last ? s->total : fmin(s->exact + energy, s->total);
    int64_t whole = (int64_t)llround(s->exact * s->unit.per_pj), weight = whole - s->written;
    if (weight <= 0)
        return;
    s->written = whole;
    const struct nmc_stack stack = {{nmc_line_key(line, NMC_BY_STAGE),
                                     nmc_line_key(line, NMC_BY_OP), nmc_line_key(line, NMC_BY_NODE),
                                     nmc_stack_level(index)},
                                    weight};
    s->visit(s->user, &stack);
}

void nmc_report_stacks(const struct neuromc_report *report, nmc_stack_visit *visit, void *user) {
    struct stacking s = {.unit = nmc_stack_unit(report),
                         .total = nmc_totals_energy(&report->total),
                         .visit = visit,
                         .user = user};
    int64_t count = (int64_t)report->ledger.line_count * NMC_STACK_LEVELS, end = count;
    while (end > 0 && nmc_stack_energy(&report->lines[(end - 1) / NMC_STACK_LEVELS],
                                       (int)((end - 1) % NMC_STACK_LEVELS)) == 0)
        end--;
    for (int64_t i = 0; i < end; i++) {
        const int index = (int)(i % NMC_STACK_LEVELS);
        const uint32_t line = (uint32_t)(i / NMC_STACK_LEVELS);
        put_stack(&s, &report->ledger.lines[line], index,
                  nmc_stack_energy(&report->lines[line], index), i + 1 == end);
    }
}
