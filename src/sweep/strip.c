#include "sweep/strip.h"

#include <string.h>

static uint64_t mask_from(int group) {
    return ~UINT64_C(0) << group;
}

static uint64_t bit(int u) {
    return UINT64_C(1) << u;
}

/* Where a point of the row lies in a unit's table, without the outer groups. */
static int64_t inner_offset(const struct nmc_unit *unit, const struct nmc_plan *plan,
                            const struct nmc_grid *grid, int64_t j) {
    int64_t offset = 0;
    for (int g = grid->inner_from; g < plan->group_count; g++)
        offset += unit->stride[g] * grid->levels[g][j];
    return offset;
}

static bool add_along(struct nmc_strip *strip, const struct nmc_unit *unit,
                      const struct nmc_plan *plan, const struct nmc_grid *grid,
                      struct nmc_arena *arena) {
    for (int m = 0; m <= NMC_MAX_METRICS; m++) {
        if (!unit->values[m])
            continue;
        if (!strip->along[m])
            strip->along[m] = nmc_arena_array(arena, (size_t)grid->row, sizeof(double));
        if (!strip->along[m])
            return false;
        for (int64_t j = 0; j < grid->row; j++)
            strip->along[m][j] += unit->values[m][inner_offset(unit, plan, grid, j)];
    }
    return true;
}

static bool set_offsets(struct nmc_strip *strip, int u, const struct nmc_unit *unit,
                        const struct nmc_plan *plan, const struct nmc_grid *grid,
                        struct nmc_arena *arena) {
    strip->offset[u] = nmc_arena_array(arena, (size_t)grid->row, sizeof(int32_t));
    for (int64_t j = 0; strip->offset[u] && j < grid->row; j++)
        strip->offset[u][j] = (int32_t)inner_offset(unit, plan, grid, j);
    return strip->offset[u];
}

static bool sort_units(struct nmc_strip *strip, const struct nmc_cell *cell,
                       const struct nmc_plan *plan, const struct nmc_grid *grid,
                       struct nmc_arena *arena) {
    uint64_t inner = mask_from(grid->inner_from);
    bool good = true;
    for (int u = 0; good && u < cell->unit_count; u++) {
        const struct nmc_unit *unit = &cell->units[u];
        if (grid->inner_from == plan->group_count || !(unit->mask & inner)) {
            strip->outer |= bit(u);
        } else if (unit->mask & ~inner) {
            strip->mixed |= bit(u);
            good = set_offsets(strip, u, unit, plan, grid, arena);
        } else {
            good = add_along(strip, unit, plan, grid, arena);
        }
    }
    return good;
}

/* ---- segments ---- */

static int64_t segment_end(const struct nmc_grid *grid, int64_t s) {
    int64_t end = (s + 1) * grid->segment;
    return end < grid->row ? end : grid->row;
}

static struct nmc_segment measure(const double *along, int64_t from, int64_t to) {
    struct nmc_segment s = {0};
    if (!along)
        return s;
    s.least = s.most = along[from];
    for (int64_t j = from; j < to; j++) {
        s.least = along[j] < s.least ? along[j] : s.least;
        s.most = along[j] > s.most ? along[j] : s.most;
        s.sum += along[j];
        s.sum_squares += along[j] * along[j];
    }
    return s;
}

static bool measure_segments(struct nmc_strip *strip, const struct nmc_plan *plan,
                             const struct nmc_grid *grid, struct nmc_arena *arena) {
    for (int m = 0; m < plan->metric_count; m++) {
        strip->segments[m] =
            nmc_arena_array(arena, (size_t)grid->segments_per_row, sizeof *strip->segments[m]);
        if (!strip->segments[m])
            return false;
        for (int64_t s = 0; s < grid->segments_per_row; s++)
            strip->segments[m][s] =
                measure(strip->along[m], s * grid->segment, segment_end(grid, s));
    }
    return true;
}

/* ---- shares ---- */

/* Points of a segment by bin of one group; how many bins occur. out may be NULL. */
static int64_t share_out(const struct nmc_strip *strip, const struct nmc_plan *plan,
                         const struct nmc_grid *grid, int64_t s, int g, struct nmc_share *out) {
    int place[NMC_MAX_BINS];
    int64_t count = 0;
    memset(place, -1, sizeof place);
    for (int64_t j = s * grid->segment; j < segment_end(grid, s); j++) {
        int bin = nmc_group_bin(&plan->groups[g], grid->levels[g][j]);
        if (place[bin] < 0) {
            place[bin] = (int)count;
            if (out)
                out[count] = (struct nmc_share){.group = g, .bin = bin};
            count++;
        }
        if (!out)
            continue;
        struct nmc_share *share = &out[place[bin]];
        share->count++;
        for (int o = 0; o < plan->objective_count; o++)
            share->sum[o] += strip->along[o] ? strip->along[o][j] : 0;
    }
    return count;
}

static bool share_segments(struct nmc_strip *strip, const struct nmc_plan *plan,
                           const struct nmc_grid *grid, struct nmc_arena *arena) {
    int64_t total = 0;
    size_t segments = (size_t)grid->segments_per_row;
    strip->first_share = nmc_arena_array(arena, segments + 1, sizeof *strip->first_share);
    if (!strip->first_share)
        return false;
    for (int64_t s = 0; s < grid->segments_per_row; s++)
        for (int g = grid->inner_from; g < plan->group_count; g++)
            total += share_out(strip, plan, grid, s, g, NULL);
    strip->shares = nmc_arena_array(arena, (size_t)total, sizeof *strip->shares);
    if (!strip->shares)
        return false;
    total = 0;
    for (int64_t s = 0; s < grid->segments_per_row; s++) {
        strip->first_share[s] = total;
        for (int g = grid->inner_from; g < plan->group_count; g++)
            total += share_out(strip, plan, grid, s, g, &strip->shares[total]);
    }
    strip->first_share[segments] = total;
    return true;
}

bool nmc_strip_make(struct nmc_strip *strip, const struct nmc_cell *cell,
                    const struct nmc_plan *plan, const struct nmc_grid *grid,
                    struct nmc_arena *arena) {
    *strip = (struct nmc_strip){.outer = 0};
    if (!sort_units(strip, cell, plan, grid, arena))
        return false;
    bool whole = !strip->mixed && !cell->may_fail && grid->segment >= NMC_WHOLE_SEGMENT;
    if (!whole)
        return true; /* every point is looked at */
    return measure_segments(strip, plan, grid, arena) && share_segments(strip, plan, grid, arena);
}

/* ---- values ---- */

static int64_t outer_offset(const struct nmc_unit *unit, const int32_t *levels) {
    int64_t offset = 0;
    for (int i = 0; i < unit->group_count; i++)
        offset += unit->stride[unit->groups[i]] * levels[unit->groups[i]];
    return offset;
}

double nmc_strip_base(const struct nmc_strip *strip, const struct nmc_cell *cell, int metric,
                      const int32_t *levels) {
    double base = metric == NMC_FAILURE ? 0 : cell->constant[metric];
    for (int u = 0; u < cell->unit_count; u++)
        if ((strip->outer >> u & 1) && cell->units[u].values[metric])
            base += cell->units[u].values[metric][outer_offset(&cell->units[u], levels)];
    return base;
}

void nmc_strip_fill(const struct nmc_strip *strip, const struct nmc_cell *cell, int metric,
                    const int32_t *levels, double base, int64_t from, int64_t count, double *out) {
    const double *along = strip->along[metric] ? strip->along[metric] + from : NULL;
    if (along)
        for (int64_t j = 0; j < count; j++)
            out[j] = base + along[j];
    else
        for (int64_t j = 0; j < count; j++)
            out[j] = base;
    for (int u = 0; u < cell->unit_count; u++) {
        const double *values = cell->units[u].values[metric];
        if (!(strip->mixed >> u & 1) || !values)
            continue;
        /* levels of inner groups are 0 here: their part is in offset */
        values += outer_offset(&cell->units[u], levels);
        const int32_t *offset = strip->offset[u] + from;
        for (int64_t j = 0; j < count; j++)
            out[j] += values[offset[j]];
    }
}
