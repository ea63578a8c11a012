/* Where formulas stand in the documentation, and what a price is made of. */
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "report/explain.h"

const char *nmc_explain_place(const struct nmc_line *line, enum nmc_part part) {
    if (line->fragment.elementwise)
        return "docs/model.md#elementwise-work";
    switch (part) {
    case NMC_PART_MAC: return "docs/model.md#macs";
    case NMC_PART_BASE_MEMORY:
        return line->mapped_macs ? "docs/mapping.md#in-estimates-and-sweeps"
                                 : "docs/model.md#operand-traffic";
    case NMC_PART_DRAM: return "docs/model.md#dram-by-reuse-distance";
    default: return "docs/model.md#neurons-batch-norm-optimizer";
    }
}

const char *nmc_explain_dims_place(const struct nmc_line *line) {
    const struct nmc_fragment *f = &line->fragment;
    if (line->traffic)
        return "docs/model.md#dram-by-reuse-distance";
    if (f->elementwise)
        return "docs/model.md#elementwise-work";
    if (f->process == NMC_WITH_OPT)
        return "docs/model.md#neurons-batch-norm-optimizer";
    return f->phase == NMC_BACKWARD ? "docs/model.md#backward" : "docs/model.md#fragments";
}

/* The value at a path made of three parts. */
static void visit_path(const struct neuromc_preset *preset, nmc_price_visit *visit, void *user,
                       const char *section, const char *entry, const char *key) {
    char path[512];
    snprintf(path, sizeof path, "%s.%s%s%s", section, entry, key ? "." : "", key ? key : "");
    for (int i = 0; i < preset->provenance_count; i++)
        if (strcmp(preset->provenance[i].path, path) == 0)
            visit(user, &preset->provenance[i]);
}

static bool is_read(enum nmc_direction direction) {
    return direction == NMC_RH2L || direction == NMC_RL2H;
}

void nmc_explain_price(const struct neuromc_preset *preset, int resource, nmc_price_visit *visit,
                       void *user) {
    struct nmc_resource r = nmc_resource_at(resource);
    if (r.kind == NMC_RES_MEMORY) {
        const char *name = preset->memories[r.memory].name;
        bool read = is_read(r.direction);
        visit_path(preset, visit, user, "memory_instances", name,
                   read ? "read_cost_pj" : "write_cost_pj");
        visit_path(preset, visit, user, "memory_instances", name,
                   read ? "read_bw_bits" : "write_bw_bits");
        return;
    }
    for (int p = 0; p < NMC_PRIMITIVES; p++) {
        bool mac = r.kind == NMC_RES_MAC;
        if (mac ? !preset->mac[r.core][p] : (int)r.primitive != p)
            continue;
        if (mac)
            visit_path(preset, visit, user, "mac", nmc_core_names[r.core], nmc_primitive_names[p]);
        visit_path(preset, visit, user, "primitives_pj", nmc_primitive_names[p], NULL);
    }
}

void nmc_explain_price_text(const struct neuromc_preset *preset, int resource,
                            struct nmc_strbuf *out) {
    char number[NMC_NUMBER_SIZE];
    struct nmc_resource r = nmc_resource_at(resource);
    if (r.kind == NMC_RES_MEMORY) {
        const struct nmc_memory *memory = &preset->memories[r.memory];
        bool read = is_read(r.direction);
        nmc_number_format(number, read ? memory->read_cost_pj : memory->write_cost_pj);
        nmc_strbuf_printf(out, "%s pJ / %lld bits", number,
                          (long long)(read ? memory->read_bw_bits : memory->write_bw_bits));
    } else if (r.kind == NMC_RES_PRIMITIVE) {
        nmc_strbuf_puts(out, nmc_primitive_names[r.primitive]);
    } else {
        const char *plus = "";
        for (int p = 0; p < NMC_PRIMITIVES; p++) {
            if (!preset->mac[r.core][p])
                continue;
            nmc_number_format(number, preset->primitive_pj[p]);
            nmc_strbuf_printf(out, "%s%lld %s * %s pJ", plus, (long long)preset->mac[r.core][p],
                              nmc_primitive_names[p], number);
            plus = " + ";
        }
    }
}
