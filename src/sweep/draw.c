/* draw.c - a chunk of a sample: points of any cell, taken cell by cell, told in index order. */
#include <stdlib.h>
#include <string.h>

#include "sweep/point.h"
#include "sweep/worker.h"

static _Thread_local const struct nmc_worker *sorted; /* for qsort */

static int by_cell(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    for (int g = 0; g < sorted->plan->cell_groups; g++) {
        int32_t p = sorted->sample_levels[g][x], q = sorted->sample_levels[g][y];
        if (p != q)
            return p < q ? -1 : 1;
    }
    return (x > y) - (x < y);
}

static void draw(struct nmc_worker *w) {
    int32_t levels[NMC_MAX_AXES];
    for (int64_t i = 0; i < w->block.count; i++) {
        nmc_plan_levels(w->plan, w->block.first + i, levels);
        for (int g = 0; g < w->plan->group_count; g++)
            w->sample_levels[g][i] = levels[g];
        w->order[i] = i;
    }
    sorted = w;
    qsort(w->order, (size_t)w->block.count, sizeof *w->order, by_cell);
}

static void levels_of(const struct nmc_worker *w, int64_t i, int32_t *levels) {
    for (int g = 0; g < w->plan->group_count; g++)
        levels[g] = w->sample_levels[g][i];
}

static void price(struct nmc_worker *w, int64_t i, const int32_t *levels) {
    struct nmc_block *block = &w->block;
    bool fails = w->cell->reason ||
                 (w->cell->may_fail && nmc_cell_value(w->cell, w->grid, NMC_FAILURE, levels) > 0);
    block->states[i] = fails ? NMC_POINT_FAILED : NMC_POINT_OK;
    for (int m = 0; !fails && m < w->plan->metric_count; m++)
        block->values[m][i] = nmc_cell_value(w->cell, w->grid, m, levels);
}

bool nmc_worker_samples(struct nmc_worker *w, int64_t chunk) {
    struct nmc_block *block = &w->block;
    block->first = chunk * w->grid->sample_chunk;
    block->count = w->plan->points - block->first < w->grid->sample_chunk
                       ? w->plan->points - block->first
                       : w->grid->sample_chunk;
    for (int g = 0; g < w->plan->group_count; g++)
        block->level_of[g] = w->sample_levels[g];
    draw(w);
    for (int64_t k = 0; k < block->count; k++) {
        int64_t i = w->order[k];
        int32_t levels[NMC_MAX_AXES];
        levels_of(w, i, levels);
        bool same = w->has_levels &&
                    memcmp(levels, w->levels, (size_t)w->plan->cell_groups * sizeof *levels) == 0;
        memcpy(w->levels, levels, sizeof levels);
        w->has_levels = true;
        if (!same && !nmc_worker_enter(w, levels))
            return false;
        price(w, i, levels);
    }
    nmc_worker_exclude(w->plan, block);
    if (!nmc_worker_finish_block(w))
        return false;
    w->has_levels = false; /* reasons may have led elsewhere */
    nmc_tally_end_chunk(&w->tally);
    return true;
}
