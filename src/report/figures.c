#include "report/figures.h"

#include "base/diag.h"
#include "base/limits.h"
#include "base/memory.h"
#include "report/report.h"

const struct nmc_figure *nmc_figure_find(const struct nmc_figure_table *table, const char *key) {
    uintptr_t number = (uintptr_t)nmc_strmap_get(&table->index, key);
    return number ? &table->items[number - 1] : NULL;
}

bool nmc_figure_add(struct nmc_figures *figures, enum nmc_table_of which, const char *key,
                    double pj) {
    struct nmc_figure_table *table = &figures->tables[which];
    char *kept = nmc_arena_strdup(&figures->arena, key);
    if (!kept || !nmc_grow(&table->items, &table->capacity, table->count + 1, sizeof *table->items))
        return false;
    table->items[table->count++] = (struct nmc_figure){kept, pj};
    return nmc_strmap_put(&table->index, kept, (void *)(uintptr_t)table->count);
}

void nmc_figures_release(struct nmc_figures *figures) {
    for (int t = 0; t < NMC_OF; t++) {
        nmc_free(figures->tables[t].items);
        nmc_strmap_release(&figures->tables[t].index);
    }
    nmc_arena_release(&figures->arena);
}

static bool add_groups(struct nmc_figures *out, enum nmc_table_of which,
                       const struct nmc_groups *groups) {
    for (size_t i = 0; i < groups->count; i++)
        if (!nmc_figure_add(out, which, groups->items[i].key,
                            nmc_totals_energy(&groups->items[i].totals)))
            return false;
    return true;
}

/* Levels nothing passed through are left out, as JSON leaves them out. */
static bool add_levels(struct nmc_figures *out, const struct nmc_totals *total) {
    bool fits =
        nmc_figure_add(out, NMC_OF_LEVEL, "mac", total->energy[NMC_PART_MAC]) &&
        nmc_figure_add(out, NMC_OF_LEVEL, "arithmetic", total->energy[NMC_PART_EXTRA_COMPUTE]);
    for (int level = 0; fits && level < NMC_LEVELS; level++) {
        double energy = 0;
        bool any = false;
        for (int d = 0; d < NMC_DIRECTIONS; d++) {
            any = any || total->bits[level][d];
            energy += total->level_energy[level][d];
        }
        fits = !any || nmc_figure_add(out, NMC_OF_LEVEL, nmc_level_names[level], energy);
    }
    return fits;
}

neuromc_status nmc_figures_of(const neuromc_report *report, struct nmc_figures *out,
                              neuromc_diags *diags) {
    *out = (struct nmc_figures){.total_pj = nmc_totals_energy(&report->total),
                                .unmapped = report->mapping.unmapped};
    nmc_arena_init(&out->arena, NMC_LIMIT_REPORT_BYTES);
    out->model = nmc_arena_strdup(&out->arena, report->model_name);
    out->preset = nmc_arena_strdup(&out->arena, report->preset_name);
    out->preset_hash =
        nmc_arena_printf(&out->arena, "%016llx", (unsigned long long)report->preset_hash);
    out->accounting = report->accounting == NEUROMC_RUNTIME ? "runtime" : "corrected";
    bool fits = out->model && out->preset && out->preset_hash &&
                add_groups(out, NMC_OF_STAGE, &report->groups[NMC_BY_STAGE]) &&
                add_groups(out, NMC_OF_OP, &report->groups[NMC_BY_OP]) &&
                add_groups(out, NMC_OF_NODE, &report->groups[NMC_BY_NODE]) &&
                add_levels(out, &report->total);
    return fits ? NEUROMC_OK : nmc_out_of_memory(diags);
}
