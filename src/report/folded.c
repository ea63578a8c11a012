/*
 * folded.c - stacks as flamegraph.pl, inferno and speedscope read them: "stage;op;node;level N",
 * with N in whole femtojoules.
 */
#include "report/formats.h"
#include "report/stacks.h"

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
}

static void put_stack(void *user, const struct nmc_stack *stack) {
    struct nmc_sink *sink = user;
    for (int i = 0; i < NMC_STACK_FRAMES; i++) {
        put_frame(sink, stack->frames[i]);
        nmc_sink_puts(sink, i + 1 < NMC_STACK_FRAMES ? ";" : " ");
    }
    nmc_sink_printf(sink, "%lld\n", (long long)stack->weight);
}

void nmc_report_folded(const struct neuromc_report *report, struct nmc_sink *sink) {
    nmc_report_stacks(report, put_stack, sink);
}
