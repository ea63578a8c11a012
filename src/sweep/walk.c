/* walk.c - a chunk of a space that is enumerated: segment by segment along the rows. */
#include <string.h>

#include "sweep/worker.h"

/* Levels of the outer groups of a row; those of inner groups are 0. */
static void row_levels(const struct nmc_worker *w, int64_t row, int32_t *levels) {
    memset(levels, 0, NMC_MAX_AXES * sizeof *levels);
    for (int g = w->grid->inner_from; g-- > 0;) {
        levels[g] = (int32_t)(row % w->plan->groups[g].count);
        row /= w->plan->groups[g].count;
    }
}

static bool enter_row(struct nmc_worker *w, int64_t row) {
    int32_t levels[NMC_MAX_AXES];
    row_levels(w, row, levels);
    bool same_cell = w->has_levels &&
                     memcmp(levels, w->levels, (size_t)w->plan->cell_groups * sizeof *levels) == 0;
    memcpy(w->levels, levels, sizeof levels);
    w->has_levels = true;
    if (!same_cell && !nmc_worker_enter(w, levels))
        return false;
    if (w->cell->reason)
        return true;
    for (int m = 0; m < w->plan->metric_count; m++)
        w->base[m] = nmc_strip_base(w->cell->strip, w->cell, m, w->levels);
    if (w->cell->may_fail)
        w->base[NMC_FAILURE] = nmc_strip_base(w->cell->strip, w->cell, NMC_FAILURE, w->levels);
    return true;
}

/* ---- passing over whole segments ---- */

enum verdict { ALL_MEET, NONE_MEETS, SOME_MEET };

/* What the bounds of a segment say about a constraint. */
static enum verdict judge(const struct nmc_where *where, double least, double most) {
    bool first = nmc_where_holds(where, least), last = nmc_where_holds(where, most);
    switch (where->relation) {
    case NMC_EQUAL:
        if (where->bound < least || where->bound > most)
            return NONE_MEETS;
        return least == most ? ALL_MEET : SOME_MEET;
    case NMC_DIFFERENT:
        if (where->bound < least || where->bound > most)
            return ALL_MEET;
        return least == most ? NONE_MEETS : SOME_MEET;
    default: return first && last ? ALL_MEET : first || last ? SOME_MEET : NONE_MEETS;
    }
}

static enum verdict judge_segment(const struct nmc_worker *w, int64_t segment) {
    enum verdict verdict = ALL_MEET;
    for (int i = 0; i < w->plan->where_count; i++) {
        const struct nmc_where *where = &w->plan->wheres[i];
        const struct nmc_segment *s = &w->cell->strip->segments[where->metric][segment];
        double base = w->base[where->metric];
        enum verdict one = judge(where, base + s->least, base + s->most);
        if (one == NONE_MEETS)
            return NONE_MEETS;
        if (one == SOME_MEET)
            verdict = SOME_MEET;
    }
    return verdict;
}

/* Rounding is monotone, so the sum of base and bound bounds every sum. */
static bool holds_nothing_better(const struct nmc_worker *w, int64_t segment) {
    double best[NMC_MAX_OBJECTIVES];
    for (int o = 0; o < w->plan->objective_count; o++) {
        const struct nmc_segment *s = &w->cell->strip->segments[o][segment];
        best[o] = w->plan->metrics[o].maximise ? -(w->base[o] + s->most) : w->base[o] + s->least;
    }
    return nmc_tally_is_closed(&w->tally, best);
}

/* ---- looking at every point ---- */

static void fill(struct nmc_worker *w, int64_t from) {
    const struct nmc_strip *strip = w->cell->strip;
    struct nmc_block *block = &w->block;
    for (int m = 0; m < w->plan->metric_count; m++)
        nmc_strip_fill(strip, w->cell, m, w->levels, w->base[m], from, block->count,
                       block->values[m]);
    memset(block->states, NMC_POINT_OK, (size_t)block->count);
    if (!w->cell->may_fail)
        return;
    nmc_strip_fill(strip, w->cell, NMC_FAILURE, w->levels, w->base[NMC_FAILURE], from, block->count,
                   w->failures);
    for (int64_t i = 0; i < block->count; i++)
        if (w->failures[i] > 0)
            block->states[i] = NMC_POINT_FAILED;
}

static bool fail_segment(struct nmc_worker *w) {
    struct nmc_block *block = &w->block;
    w->tally.evaluated += block->count;
    if (!nmc_tally_failed(&w->tally, w->cell->reason, block->first, block->count))
        return false;
    if (!w->stream)
        return true;
    memset(block->states, NMC_POINT_FAILED, (size_t)block->count);
    return nmc_worker_stream(w);
}

static bool walk_segment(struct nmc_worker *w, int64_t segment, int64_t from) {
    const struct nmc_strip *strip = w->cell->strip;
    struct nmc_block *block = &w->block;
    if (w->cell->reason)
        return fail_segment(w);
    enum verdict verdict = SOME_MEET;
    if (strip->first_share)
        verdict = judge_segment(w, segment);
    if (verdict == ALL_MEET)
        nmc_tally_whole(&w->tally, strip, segment, block->count, w->base, w->levels);
    if (verdict == NONE_MEETS)
        w->tally.evaluated += block->count;
    bool wanted = verdict == SOME_MEET || w->stream ||
                  (verdict == ALL_MEET && !holds_nothing_better(w, segment));
    if (!wanted)
        return true;
    fill(w, from);
    nmc_worker_exclude(w->plan, block);
    if (verdict == SOME_MEET)
        return nmc_worker_finish_block(w);
    return nmc_tally_best(&w->tally, block) && (!w->stream || nmc_worker_stream(w));
}

bool nmc_worker_chunk(struct nmc_worker *w, int64_t chunk) {
    const struct nmc_grid *grid = w->grid;
    int64_t first = chunk * grid->segments_per_chunk, last = first + grid->segments_per_chunk;
    int64_t row = -1;
    if (last > grid->segments)
        last = grid->segments;
    for (int64_t s = first; s < last; s++) {
        int64_t segment = s % grid->segments_per_row, from = segment * grid->segment;
        if (s / grid->segments_per_row != row) {
            row = s / grid->segments_per_row;
            if (!enter_row(w, row))
                return false;
        }
        int64_t count = grid->row - from < grid->segment ? grid->row - from : grid->segment;
        w->block.first = row * grid->row + from;
        w->block.count = count;
        w->block.levels = w->levels;
        for (int g = grid->inner_from; g < w->plan->group_count; g++)
            w->block.level_of[g] = grid->levels[g] + from;
        if (!walk_segment(w, segment, from))
            return false;
    }
    nmc_tally_end_chunk(&w->tally);
    return true;
}
