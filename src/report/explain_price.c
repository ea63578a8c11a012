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
    bool mac = r.kind == NMC_RES_MAC;
    for (int p = 0; p < NMC_PRIMITIVES; p++) {
        if (mac ? !preset->mac[r.core].count[p] : (int)r.primitive != p)
            continue;
        if (mac)
            visit_path(preset, visit, user, "mac", nmc_core_names[r.core], nmc_primitive_names[p]);
        visit_path(preset, visit, user, "primitives_pj", nmc_primitive_names[p], NULL);
    }
    if (mac)
        visit_path(preset, visit, user, "mac", nmc_core_names[r.core], "scale");
}

/* "1 add * 0.548 pJ + 1 mul * 0.812 pJ", scaled: "(...) * 1.7". */
static void mac_text(const struct neuromc_preset *preset, const struct nmc_mac *mac,
                     struct nmc_strbuf *out) {
    char number[NMC_NUMBER_SIZE];
    bool scaled = mac->scale != 1;
    const char *plus = scaled ? "(" : "";
    for (int p = 0; p < NMC_PRIMITIVES; p++) {
        if (!mac->count[p])
            continue;
        nmc_number_format(number, preset->primitive_pj[p]);
        nmc_strbuf_printf(out, "%s%lld %s * %s pJ", plus, (long long)mac->count[p],
                          nmc_primitive_names[p], number);
        plus = " + ";
    }
    nmc_number_format(number, mac->scale);
    if (scaled)
        nmc_strbuf_printf(out, ") * %s", number);
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
        mac_text(preset, &preset->mac[r.core], out);
    }
}
