/* Names of resources and rules; DRAM traffic by cause. */
#include <stdio.h>

#include "base/memory.h"
#include "report/formats.h"

void nmc_resource_name(const struct neuromc_report *report, int resource, char out[128]) {
    struct nmc_resource r = nmc_resource_at(resource);
    if (r.kind == NMC_RES_MAC)
        snprintf(out, 128, "mac:%s", nmc_core_names[r.core]);
    else if (r.kind == NMC_RES_PRIMITIVE)
        snprintf(out, 128, "%s", nmc_primitive_names[r.primitive]);
    else
        snprintf(out, 128, "%s.%s", report->memory_names[r.memory],
                 nmc_direction_names[r.direction]);
}

const char *nmc_rule_text(int rule) {
    static const char *const texts[NMC_RULES] = {
        [1] = "grouped convolution: the profiler charges all input channels, not those of a group",
        [2] = "linear layer on rank >= 3: the profiler's batch is the first dim alone",
        [3] = "GEMM seen as module and as aten op: the profiler counts it twice",
        [4] = "transposed convolution: the profiler charges output positions",
        [5] = "work the profiler refuses",
        [6] = "input without batch dim: the profiler reads its first dim as batch",
        [7] = "DRAM and NoC traffic: the profiler never counts it",
    };
    return rule > 0 && rule < NMC_RULES ? texts[rule] : NULL;
}

bool nmc_dram_causes(const struct neuromc_report *report,
                     struct nmc_cause_totals out[NMC_DRAM_CAUSES]) {
    for (int c = 0; c < NMC_DRAM_CAUSES; c++)
        out[c] = (struct nmc_cause_totals){0};
    struct nmc_dram_traffic *traffic = nmc_dram_at(&report->dram, report->on_chip_bits);
    if (!traffic)
        return false;
    for (size_t i = 0; i < report->dram.count; i++) {
        struct nmc_cause_totals *total = &out[traffic[i].cause];
        total->read_bits += traffic[i].read_bits;
        total->written_bits += traffic[i].written_bits;
        if (traffic[i].read_bits || traffic[i].written_bits)
            total->uses += report->dram.uses[i].times;
    }
    nmc_free(traffic);
    return true;
}
