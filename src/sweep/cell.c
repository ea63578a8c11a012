#include "sweep/cell.h"

#include <string.h>

#include "base/limits.h"
#include "base/memory.h"
#include "sweep/counts.h"
#include "sweep/point.h"
#include "sweep/strip.h"
#include "sweep/units.h"

static void destroy(void *value) {
    struct nmc_cell *cell = value;
    nmc_arena_release(&cell->arena);
    nmc_free(cell);
}

/* Memory that cells may take together when nobody holds them. */
enum { CELL_BYTES = 16 << 20, MOST_CELLS = 4096, COUNTS = 8 };

static size_t cell_bytes(const struct nmc_plan *plan, const struct nmc_grid *grid) {
    return sizeof(struct nmc_cell) +
           (size_t)(plan->metric_count + 1) * (size_t)grid->row * 2 * sizeof(double);
}

void nmc_cells_init(struct nmc_cells *cells, const struct nmc_plan *plan,
                    const struct nmc_grid *grid, int jobs) {
    size_t fit = CELL_BYTES / cell_bytes(plan, grid);
    *cells = (struct nmc_cells){.plan = plan, .grid = grid};
    nmc_cache_init(&cells->cells, fit < 1 ? 1 : fit > MOST_CELLS ? MOST_CELLS : fit, destroy);
    nmc_counts_cache_init(&cells->counts, COUNTS + (size_t)jobs);
}

void nmc_cells_release(struct nmc_cells *cells) {
    nmc_cache_destroy(&cells->cells);
    nmc_cache_destroy(&cells->counts);
}

struct request {
    struct nmc_cells *cells;
    const int32_t *levels;
};

/* Levels of the cell's groups, all others at 0. */
static void cell_levels(const struct nmc_plan *plan, const int32_t *levels,
                        int32_t out[NMC_MAX_AXES]) {
    memset(out, 0, NMC_MAX_AXES * sizeof *out);
    memcpy(out, levels, (size_t)plan->cell_groups * sizeof *out);
}

static bool price(struct nmc_cell *cell, const struct request *r, const int32_t *levels,
                  struct neuromc_preset *preset, const struct nmc_counts *counts,
                  neuromc_diags *diags) {
    const struct nmc_plan *plan = r->cells->plan;
    struct nmc_terms terms;
    struct nmc_arena arena; /* of what is needed for the tables alone */
    nmc_arena_init(&arena, NMC_LIMIT_MODEL_BYTES);
    bool good = nmc_terms_init(&terms, plan, levels, preset, &arena) &&
                nmc_terms_fill(&terms, counts->report) && nmc_units_build(cell, &terms, diags);
    nmc_arena_release(&arena);
    if (!good || cell->reason || plan->sampled)
        return good;
    cell->strip = nmc_arena_alloc(&cell->arena, sizeof *cell->strip);
    return cell->strip && nmc_strip_make(cell->strip, cell, plan, r->cells->grid, &cell->arena);
}

static bool build(struct nmc_cell *cell, const struct request *r, neuromc_diags *diags) {
    const struct nmc_plan *plan = r->cells->plan;
    int32_t levels[NMC_MAX_AXES];
    neuromc_preset *preset = NULL;
    cell_levels(plan, r->levels, levels);
    neuromc_status status = nmc_point_preset(plan, levels, NMC_LAWS_LATER, &preset, diags);
    if (status != NEUROMC_OK) {
        cell->reason = nmc_point_reason(&cell->arena, diags);
        return cell->reason && status != NEUROMC_IO;
    }
    const struct nmc_counts *counts = nmc_counts_take(&r->cells->counts, plan, levels, preset);
    bool good = counts;
    if (counts && !counts->report) {
        cell->reason = nmc_arena_strdup(&cell->arena, counts->reason);
        good = cell->reason;
    } else if (counts) {
        good = price(cell, r, levels, preset, counts, diags);
    }
    nmc_cache_give_back(&r->cells->counts, counts);
    neuromc_preset_free(preset);
    return good;
}

static void *make(void *user) {
    struct nmc_cell *cell = nmc_malloc(sizeof *cell);
    neuromc_diags *diags = neuromc_diags_new();
    bool good = cell && diags;
    if (good) {
        *cell = (struct nmc_cell){.reason = NULL};
        nmc_arena_init(&cell->arena, NMC_LIMIT_MODEL_BYTES);
        good = build(cell, user, diags);
        if (!good)
            nmc_arena_release(&cell->arena);
    }
    neuromc_diags_free(diags);
    if (good)
        return cell;
    nmc_free(cell);
    return NULL;
}

const struct nmc_cell *nmc_cell_take(struct nmc_cells *cells, const int32_t *levels) {
    struct request request = {cells, levels};
    struct nmc_cache_key key = {.level_count = cells->plan->cell_groups};
    memcpy(key.levels, levels, (size_t)key.level_count * sizeof *levels);
    return nmc_cache_take(&cells->cells, &key, make, &request);
}

void nmc_cell_give_back(struct nmc_cells *cells, const struct nmc_cell *cell) {
    nmc_cache_give_back(&cells->cells, cell);
}

static double look_up(const struct nmc_unit *unit, int metric, const int32_t *levels) {
    int64_t at = 0;
    for (int i = 0; i < unit->group_count; i++)
        at += unit->stride[unit->groups[i]] * levels[unit->groups[i]];
    return unit->values[metric][at];
}

double nmc_cell_value(const struct nmc_cell *cell, const struct nmc_grid *grid, int metric,
                      const int32_t *levels) {
    uint64_t inner = grid->inner_from < 64 ? ~UINT64_C(0) << grid->inner_from : 0;
    double base = metric == NMC_FAILURE ? 0 : cell->constant[metric], along = 0;
    bool any_along = false;
    for (int u = 0; u < cell->unit_count; u++) {
        const struct nmc_unit *unit = &cell->units[u];
        if (!unit->values[metric])
            continue;
        if (!(unit->mask & inner))
            base += look_up(unit, metric, levels);
        else if (!(unit->mask & ~inner))
            along += look_up(unit, metric, levels);
        any_along |= (unit->mask & inner) && !(unit->mask & ~inner);
    }
    double value = any_along ? base + along : base;
    for (int u = 0; u < cell->unit_count; u++) {
        const struct nmc_unit *unit = &cell->units[u];
        if (unit->values[metric] && (unit->mask & inner) && (unit->mask & ~inner))
            value += look_up(unit, metric, levels);
    }
    return value;
}
