#include "sweep/worker.h"

#include <string.h>

#include "base/limits.h"
#include "base/memory.h"
#include "sweep/point.h"

/* ---- life ---- */

static bool allot(struct nmc_worker *w) {
    size_t length = (size_t)(w->plan->sampled ? w->grid->sample_chunk : w->grid->segment);
    for (int m = 0; m < w->plan->metric_count; m++)
        w->block.values[m] = nmc_arena_array(&w->arena, length, sizeof(double));
    w->block.states = nmc_arena_array(&w->arena, length, 1);
    w->failures = nmc_arena_array(&w->arena, length, sizeof(double));
    w->order = nmc_arena_array(&w->arena, length, sizeof *w->order);
    for (int g = 0; w->plan->sampled && g < w->plan->group_count; g++)
        w->sample_levels[g] = nmc_arena_array(&w->arena, length, sizeof(int32_t));
    return !w->arena.failed;
}

bool nmc_worker_init(struct nmc_worker *w, const struct nmc_plan *plan, const struct nmc_grid *grid,
                     struct nmc_cells *cells, const double *shift) {
    *w = (struct nmc_worker){.plan = plan, .grid = grid, .cells = cells};
    nmc_arena_init(&w->arena, NMC_LIMIT_MODEL_BYTES);
    nmc_arena_init(&w->explained_arena, NMC_LIMIT_MODEL_BYTES);
    return allot(w) && nmc_tally_init(&w->tally, plan, grid, shift);
}

void nmc_worker_release(struct nmc_worker *w) {
    nmc_cell_give_back(w->cells, w->cell);
    nmc_tally_release(&w->tally);
    nmc_strmap_release(&w->explained);
    nmc_arena_release(&w->explained_arena);
    nmc_arena_release(&w->arena);
}

/* ---- what both ways of walking need ---- */

bool nmc_worker_enter(struct nmc_worker *w, const int32_t *levels) {
    const struct nmc_cell *cell = nmc_cell_take(w->cells, levels);
    if (!cell)
        return false;
    nmc_cell_give_back(w->cells, w->cell);
    w->cell = cell;
    return nmc_tally_cell(&w->tally, cell, levels);
}

/* The long way to a reason. NULL: out of memory. */
static const char *find_reason(struct nmc_worker *w, const int32_t *levels, const char *key) {
    enum { ENOUGH = 1 << 14 };
    if (w->explained.count >= ENOUGH) {
        nmc_strmap_release(&w->explained);
        nmc_arena_release(&w->explained_arena);
        nmc_arena_init(&w->explained_arena, NMC_LIMIT_MODEL_BYTES);
    }
    neuromc_preset *preset = NULL;
    neuromc_diags *diags = neuromc_diags_new();
    nmc_point_preset(w->plan, levels, NMC_LAWS_NOW, &preset, diags);
    char *text =
        nmc_arena_strdup(&w->explained_arena, nmc_point_reason(&w->explained_arena, diags));
    const char *kept = nmc_arena_strdup(&w->explained_arena, key);
    neuromc_preset_free(preset);
    neuromc_diags_free(diags);
    return kept && text && nmc_strmap_put(&w->explained, kept, text) ? text : NULL;
}

/* By what fails: the law's unit and its place in the table. */
const char *nmc_worker_explain(struct nmc_worker *w, const int32_t *levels) {
    struct nmc_strbuf key;
    nmc_strbuf_init(&key);
    for (int u = 0; u < w->cell->unit_count; u++) {
        const struct nmc_unit *unit = &w->cell->units[u];
        for (int i = 0; unit->values[NMC_FAILURE] && i < unit->group_count; i++)
            nmc_strbuf_printf(&key, "%d ", (int)levels[unit->groups[i]]);
    }
    for (int g = 0; g < w->plan->cell_groups; g++)
        nmc_strbuf_printf(&key, "%d,", (int)levels[g]);
    const char *known = key.failed ? NULL : nmc_strmap_get(&w->explained, key.text);
    if (!known && !key.failed)
        known = find_reason(w, levels, key.text);
    nmc_strbuf_release(&key);
    return known;
}

void nmc_worker_exclude(const struct nmc_plan *plan, struct nmc_block *block) {
    for (int w = 0; w < plan->where_count; w++) {
        const struct nmc_where *where = &plan->wheres[w];
        const double *values = block->values[where->metric];
        for (int64_t i = 0; i < block->count; i++)
            if (block->states[i] == NMC_POINT_OK && !nmc_where_holds(where, values[i]))
                block->states[i] = NMC_POINT_EXCLUDED;
    }
}

static void levels_at(const struct nmc_worker *w, int64_t i, int32_t *levels) {
    for (int g = 0; g < w->plan->group_count; g++)
        levels[g] = w->block.level_of[g] ? w->block.level_of[g][i] : w->block.levels[g];
}

/* Why point i of the block failed; an empty text when memory runs out. */
static const char *reason_of(void *user, int64_t i) {
    struct nmc_worker *w = user;
    int32_t levels[NMC_MAX_AXES] = {0};
    levels_at(w, i, levels);
    if (w->plan->sampled && !nmc_worker_enter(w, levels))
        return "";
    if (w->cell->reason)
        return w->cell->reason;
    const char *reason = nmc_worker_explain(w, levels);
    return reason ? reason : "";
}

bool nmc_worker_stream(struct nmc_worker *w) {
    nmc_stream_block(w->stream, w->plan, &w->block, reason_of, w);
    return !w->stream->text.failed;
}

bool nmc_worker_finish_block(struct nmc_worker *w) {
    struct nmc_block *block = &w->block;
    nmc_tally_sums(&w->tally, block);
    if (!nmc_tally_best(&w->tally, block))
        return false;
    for (int64_t i = 0; i < block->count; i++)
        if (block->states[i] == NMC_POINT_FAILED &&
            !nmc_tally_failed(&w->tally, reason_of(w, i), block->first + i, 1))
            return false;
    return !w->stream || nmc_worker_stream(w);
}
