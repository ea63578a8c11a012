#include "sweep/tally.h"

#include <math.h>
#include <string.h>

#include "base/limits.h"
#include "base/memory.h"
#include "sweep/sampler.h"

/* ---- life ---- */

static bool allot(struct nmc_tally *t) {
    size_t objectives = (size_t)t->plan->objective_count;
    size_t bins = (size_t)t->bin_start[t->plan->group_count];
    size_t segments = (size_t)t->grid->segments_per_row + 1;
    t->bin_sums = nmc_arena_array(&t->arena, objectives * bins, sizeof *t->bin_sums);
    t->bin_counts = nmc_arena_array(&t->arena, bins, sizeof *t->bin_counts);
    t->chunk_bins = nmc_arena_array(&t->arena, objectives * bins, sizeof *t->chunk_bins);
    t->visits = nmc_arena_array(&t->arena, segments, sizeof *t->visits);
    t->visit_bases = nmc_arena_array(&t->arena, objectives * segments, sizeof *t->visit_bases);
    return !t->arena.failed;
}

/* Traces that a whole run may leave: of each group, the levels of the others. */
static double count_traces(const struct nmc_plan *plan) {
    double traces = 0;
    for (int g = 0; g < plan->cell_groups; g++) {
        double others = 1;
        for (int h = 0; h < plan->cell_groups; h++)
            others *= h == g ? 1 : (double)plan->groups[h].count;
        traces += plan->sampled && others > (double)plan->points ? (double)plan->points : others;
    }
    return traces;
}

bool nmc_tally_init(struct nmc_tally *t, const struct nmc_plan *plan, const struct nmc_grid *grid,
                    const double *shift) {
    *t = (struct nmc_tally){.plan = plan, .grid = grid};
    nmc_arena_init(&t->arena, NMC_LIMIT_MODEL_BYTES);
    for (int g = 0; g < plan->group_count; g++)
        t->bin_start[g + 1] = t->bin_start[g] + nmc_group_bins(&plan->groups[g]);
    for (int o = 0; o < plan->objective_count; o++) {
        t->shift[o] = shift[o];
        t->least[o] = INFINITY;
        t->most[o] = -INFINITY;
    }
    t->reasons.most = NMC_MOST_REASONS;
    t->warnings.most = NMC_MOST_WARNINGS;
    t->effects.objectives = plan->objective_count;
    t->effects.lost = count_traces(plan) > NMC_MOST_TRACES;
    t->top.wanted = (size_t)plan->space.top;
    t->front.cap = NMC_FRONT_CAP;
    t->front.objectives = plan->space.pareto ? plan->objective_count : 0;
    return allot(t);
}

void nmc_tally_release(struct nmc_tally *t) {
    nmc_free(t->top.items);
    nmc_free(t->front.items);
    nmc_effects_release(&t->effects);
    nmc_sayings_release(&t->reasons);
    nmc_sayings_release(&t->warnings);
    nmc_arena_release(&t->arena);
}

/* ---- sums ---- */

static double *chunk_bin(struct nmc_tally *t, int objective, int group) {
    return t->chunk_bins + (size_t)objective * (size_t)t->bin_start[t->plan->group_count] +
           t->bin_start[group];
}

static void widen(struct nmc_tally *t, int o, double least, double most) {
    t->least[o] = least < t->least[o] ? least : t->least[o];
    t->most[o] = most > t->most[o] ? most : t->most[o];
}

/* What the whole segments since the last call come to in the bins of inner groups. */
static void settle(struct nmc_tally *t) {
    const struct nmc_strip *strip = t->strip;
    for (int64_t s = 0; strip && s < t->grid->segments_per_row; s++) {
        if (!t->visits[s])
            continue;
        double visits = (double)t->visits[s];
        for (int64_t i = strip->first_share[s]; i < strip->first_share[s + 1]; i++) {
            const struct nmc_share *share = &strip->shares[i];
            t->bin_counts[t->bin_start[share->group] + share->bin] += t->visits[s] * share->count;
            for (int o = 0; o < t->plan->objective_count; o++) {
                double base = t->visit_bases[o * t->grid->segments_per_row + s];
                chunk_bin(t, o, share->group)[share->bin] +=
                    visits * share->sum[o] + (double)share->count * base;
            }
        }
        for (int o = 0; o < t->plan->objective_count; o++)
            t->visit_bases[o * t->grid->segments_per_row + s] = 0;
        t->visits[s] = 0;
    }
    t->strip = NULL;
}

void nmc_tally_whole(struct nmc_tally *t, const struct nmc_strip *strip, int64_t segment,
                     int64_t count, const double *bases, const int32_t *levels) {
    const struct nmc_plan *plan = t->plan;
    if (t->strip != strip)
        settle(t);
    t->strip = strip;
    t->evaluated += count;
    t->feasible += count;
    t->visits[segment]++;
    for (int g = 0; g < t->grid->inner_from; g++)
        t->bin_counts[t->bin_start[g] + nmc_group_bin(&plan->groups[g], levels[g])] += count;
    for (int o = 0; o < plan->objective_count; o++) {
        const struct nmc_segment *s = &strip->segments[o][segment];
        double base = bases[o] - t->shift[o], sum = (double)count * base + s->sum;
        t->visit_bases[o * t->grid->segments_per_row + segment] += base;
        t->chunk_sum[o] += sum;
        t->chunk_squares[o] += (double)count * base * base + 2 * base * s->sum + s->sum_squares;
        widen(t, o, bases[o] + s->least, bases[o] + s->most);
        for (int g = 0; g < t->grid->inner_from; g++)
            chunk_bin(t, o, g)[nmc_group_bin(&plan->groups[g], levels[g])] += sum;
    }
}

static void sum_objective(struct nmc_tally *t, const struct nmc_block *block, int o) {
    const struct nmc_plan *plan = t->plan;
    const double *values = block->values[o];
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < block->count; i++) {
        if (block->states[i] != NMC_POINT_OK)
            continue;
        double value = values[i] - t->shift[o];
        sum += value;
        squares += value * value;
        widen(t, o, values[i], values[i]);
    }
    t->chunk_sum[o] += sum;
    t->chunk_squares[o] += squares;
    for (int g = 0; g < plan->group_count; g++) {
        double *bins = chunk_bin(t, o, g);
        const int32_t *level = block->level_of[g];
        if (!level) {
            bins[nmc_group_bin(&plan->groups[g], block->levels[g])] += sum;
            continue;
        }
        for (int64_t i = 0; i < block->count; i++)
            if (block->states[i] == NMC_POINT_OK)
                bins[nmc_group_bin(&plan->groups[g], level[i])] += values[i] - t->shift[o];
    }
}

static void count_levels(struct nmc_tally *t, const struct nmc_block *block, int64_t feasible) {
    const struct nmc_plan *plan = t->plan;
    for (int g = 0; g < plan->group_count; g++) {
        int64_t *bins = t->bin_counts + t->bin_start[g];
        const int32_t *level = block->level_of[g];
        if (!level)
            bins[nmc_group_bin(&plan->groups[g], block->levels[g])] += feasible;
        for (int64_t i = 0; level && i < block->count; i++)
            bins[nmc_group_bin(&plan->groups[g], level[i])] += block->states[i] == NMC_POINT_OK;
    }
}

void nmc_tally_sums(struct nmc_tally *t, const struct nmc_block *block) {
    int64_t feasible = 0;
    for (int64_t i = 0; i < block->count; i++)
        feasible += block->states[i] == NMC_POINT_OK;
    t->evaluated += block->count;
    t->feasible += feasible;
    if (!feasible)
        return;
    count_levels(t, block, feasible);
    for (int o = 0; o < t->plan->objective_count; o++)
        sum_objective(t, block, o);
}

void nmc_tally_end_chunk(struct nmc_tally *t) {
    settle(t);
    int bins = t->bin_start[t->plan->group_count];
    for (int o = 0; o < t->plan->objective_count; o++) {
        nmc_sum_add(&t->sum[o], t->chunk_sum[o]);
        nmc_sum_add(&t->squares[o], t->chunk_squares[o]);
        t->chunk_sum[o] = t->chunk_squares[o] = 0;
        for (int b = 0; b < bins; b++) {
            double *value = &t->chunk_bins[o * bins + b];
            if (*value != 0)
                nmc_sum_add(&t->bin_sums[o * bins + b], *value);
            *value = 0;
        }
    }
}

/* ---- the best ---- */

bool nmc_tally_is_closed(const struct nmc_tally *t, const double *values) {
    return nmc_top_is_closed(&t->top, values[0]) && nmc_front_covers(&t->front, values);
}

/* Values as they are kept: less is better. */
static double oriented(const struct nmc_plan *plan, int o, double value) {
    return plan->metrics[o].maximise ? -value : value;
}

static bool offer_point(struct nmc_tally *t, const struct nmc_block *block, int64_t i) {
    struct nmc_best point = {.index = block->first + i};
    for (int o = 0; o < t->plan->objective_count; o++)
        point.values[o] = oriented(t->plan, o, block->values[o][i]);
    return nmc_top_offer(&t->top, &point) && nmc_front_offer(&t->front, &point);
}

/* The best that a stretch of points has of each objective; false: none is feasible. */
static bool ideal(const struct nmc_tally *t, const struct nmc_block *block, int64_t from,
                  int64_t to, double *out) {
    bool any = false;
    for (int o = 0; o < t->plan->objective_count; o++) {
        double best = INFINITY;
        const double *values = block->values[o];
        bool maximise = t->plan->metrics[o].maximise;
        for (int64_t i = from; i < to; i++) {
            double value = maximise ? -values[i] : values[i];
            if (block->states[i] == NMC_POINT_OK && value < best)
                best = value;
        }
        out[o] = best;
        any |= best < INFINITY;
    }
    return any;
}

bool nmc_tally_best(struct nmc_tally *t, const struct nmc_block *block) {
    enum { STRETCH = 64 };
    for (int64_t from = 0; from < block->count; from += STRETCH) {
        int64_t to = from + STRETCH < block->count ? from + STRETCH : block->count;
        double best[NMC_MAX_OBJECTIVES];
        if (!ideal(t, block, from, to, best) || nmc_tally_is_closed(t, best))
            continue;
        for (int64_t i = from; i < to; i++)
            if (block->states[i] == NMC_POINT_OK && !offer_point(t, block, i))
                return false;
    }
    return true;
}

/* ---- reasons and warnings ---- */

bool nmc_tally_failed(struct nmc_tally *t, const char *reason, int64_t first, int64_t count) {
    t->failed += count;
    return nmc_sayings_add(&t->reasons, reason, count, first);
}

/* ---- cells ---- */

/* The group and the levels of all other groups of the cell, as one number that is not 0. */
static uint64_t key_without(const struct nmc_plan *plan, const int32_t *levels, int group) {
    uint64_t key = nmc_mix((uint64_t)group + 1);
    for (int g = 0; g < plan->cell_groups; g++)
        if (g != group)
            key = nmc_mix(key ^ ((uint64_t)levels[g] + 1));
    return key | 1;
}

bool nmc_tally_cell(struct nmc_tally *t, const struct nmc_cell *cell, const int32_t *levels) {
    const struct nmc_plan *plan = t->plan;
    for (int i = 0; i < cell->warning_count; i++)
        if (!nmc_sayings_add(&t->warnings, cell->warnings[i], 1, 0))
            return false;
    if (cell->reason)
        return true;
    for (int o = 0; o < plan->objective_count; o++)
        t->effects.varies[o] |= cell->varies[o];
    for (int g = 0; g < plan->cell_groups; g++) {
        struct nmc_trace_of_group trace = {.key = key_without(plan, levels, g), .group = g};
        memcpy(trace.fingerprint, cell->fingerprint, sizeof trace.fingerprint);
        if (!nmc_effects_settled(&t->effects, g) && !nmc_effects_add(&t->effects, &trace))
            return false;
    }
    return true;
}

/* ---- merging ---- */

static bool merge_top(struct nmc_tally *t, const struct nmc_top *other) {
    for (size_t i = 0; i < other->count; i++)
        if (!nmc_top_offer(&t->top, &other->items[i]))
            return false;
    return true;
}

bool nmc_tally_merge(struct nmc_tally *t, const struct nmc_tally *other) {
    int bins = t->bin_start[t->plan->group_count];
    t->evaluated += other->evaluated;
    t->feasible += other->feasible;
    for (int o = 0; o < t->plan->objective_count; o++) {
        nmc_sum_merge(&t->sum[o], &other->sum[o]);
        nmc_sum_merge(&t->squares[o], &other->squares[o]);
        widen(t, o, other->least[o], other->most[o]);
        for (int b = 0; b < bins; b++)
            nmc_sum_merge(&t->bin_sums[o * bins + b], &other->bin_sums[o * bins + b]);
    }
    for (int b = 0; b < bins; b++)
        t->bin_counts[b] += other->bin_counts[b];
    t->failed += other->failed;
    return nmc_front_merge(&t->front, &other->front) && merge_top(t, &other->top) &&
           nmc_effects_merge(&t->effects, &other->effects) &&
           nmc_sayings_merge(&t->reasons, &other->reasons) &&
           nmc_sayings_merge(&t->warnings, &other->warnings);
}
