/* merge.c - results of all shards of a sweep become one. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "sweep/result.h"

/* ---- rows ---- */

static int by_index(const void *a, const void *b) {
    const struct nmc_result_row *x = a, *y = b;
    return (x->index > y->index) - (x->index < y->index);
}

static const struct nmc_result_row *find_row(const struct nmc_result_rows *rows, int64_t index) {
    const struct nmc_result_row wanted = {.index = index};
    return bsearch(&wanted, rows->items, rows->count, sizeof wanted, by_index);
}

static struct nmc_best best_of(const neuromc_sweep_result *r, const struct nmc_result_row *row) {
    struct nmc_best best = {.index = row->index};
    for (int o = 0; o < r->objective_count; o++)
        best.values[o] = r->metrics[o].maximise ? -row->values[o] : row->values[o];
    return best;
}

/* Texts and numbers of a row in another result's memory. */
static bool copy_row(neuromc_sweep_result *r, struct nmc_result_row *row) {
    struct nmc_arena *arena = &r->arena;
    const char **texts = nmc_arena_array(arena, (size_t)r->axis_count, sizeof *texts);
    for (int a = 0; texts && a < r->axis_count; a++)
        texts[a] = nmc_arena_strdup(arena, row->texts[a]);
    const char **set = NULL;
    if (row->set)
        set = nmc_arena_array(arena, (size_t)row->set_count, sizeof *set);
    for (int i = 0; set && i < row->set_count; i++)
        set[i] = nmc_arena_strdup(arena, row->set[i]);
    row->values = nmc_arena_copy(arena, row->values, (size_t)r->metric_count * sizeof *row->values);
    row->texts = texts;
    row->set = set;
    return !arena->failed;
}

static bool add_rows(neuromc_sweep_result *r, struct nmc_result_rows *to,
                     const struct nmc_result_rows *from) {
    if (!nmc_grow(&to->items, &to->capacity, to->count + from->count, sizeof *to->items))
        return false;
    for (size_t i = 0; i < from->count; i++) {
        to->items[to->count] = from->items[i];
        if (!copy_row(r, &to->items[to->count]))
            return false;
        to->count++;
    }
    return true;
}

/* Rows in the order of what was chosen among them. */
static bool keep_chosen(struct nmc_result_rows *rows, const struct nmc_best *chosen, size_t count) {
    struct nmc_result_row *kept = nmc_malloc((count + 1) * sizeof *kept);
    if (!kept)
        return false;
    if (rows->count)
        qsort(rows->items, rows->count, sizeof *rows->items, by_index);
    for (size_t i = 0; i < count; i++)
        kept[i] = *find_row(rows, chosen[i].index);
    nmc_free(rows->items);
    *rows = (struct nmc_result_rows){kept, count, count + 1};
    return true;
}

static bool choose_top(neuromc_sweep_result *r) {
    struct nmc_top top = {.wanted = (size_t)r->top_wanted};
    bool good = true;
    for (size_t i = 0; good && i < r->top.count; i++) {
        struct nmc_best best = best_of(r, &r->top.items[i]);
        good = nmc_top_offer(&top, &best);
    }
    nmc_top_sort(&top);
    good = good && keep_chosen(&r->top, top.items, top.count);
    for (size_t i = 1; good && i < r->top.count; i++)
        r->top.items[i].set = NULL; /* only the best one is spelt out */
    nmc_free(top.items);
    return good;
}

static bool choose_front(neuromc_sweep_result *r) {
    struct nmc_front front = {.cap = NMC_FRONT_CAP,
                              .objectives = r->pareto_wanted ? r->objective_count : 0,
                              .dropped_bits = r->front_dropped_bits};
    bool good = true;
    for (size_t i = 0; good && i < r->front.count; i++) {
        struct nmc_best best = best_of(r, &r->front.items[i]);
        good = nmc_front_offer(&front, &best);
    }
    nmc_front_sort(&front);
    r->front_dropped_bits = front.dropped_bits;
    good = good && keep_chosen(&r->front, front.items, front.count);
    nmc_free(front.items);
    return good;
}

/* ---- sums ---- */

static void merge_sums(neuromc_sweep_result *r, const neuromc_sweep_result *other) {
    for (int o = 0; o < r->objective_count; o++) {
        struct nmc_result_metric *a = &r->metrics[o];
        const struct nmc_result_metric *b = &other->metrics[o];
        nmc_sum_merge(&a->sum, &b->sum);
        nmc_sum_merge(&a->squares, &b->squares);
        if (!other->feasible)
            continue;
        a->least = !r->feasible || b->least < a->least ? b->least : a->least;
        a->most = !r->feasible || b->most > a->most ? b->most : a->most;
    }
    for (int x = 0; x < r->axis_count; x++)
        for (int b = 0; b < r->axes[x].bin_count; b++) {
            struct nmc_result_bin *bin = &r->axes[x].bins[b];
            bin->count += other->axes[x].bins[b].count;
            for (int o = 0; o < r->objective_count; o++)
                nmc_sum_merge(&bin->sum[o], &other->axes[x].bins[b].sum[o]);
        }
    r->evaluated += other->evaluated;
    r->feasible += other->feasible;
    r->failed += other->failed;
}

static bool same_shape(const neuromc_sweep_result *a, const neuromc_sweep_result *b) {
    bool same = a->identity == b->identity && a->shard_count == b->shard_count &&
                a->axis_count == b->axis_count && a->metric_count == b->metric_count &&
                a->objective_count == b->objective_count && a->top_wanted == b->top_wanted &&
                a->pareto_wanted == b->pareto_wanted;
    for (int x = 0; same && x < a->axis_count; x++)
        same = a->axes[x].bin_count == b->axes[x].bin_count;
    return same;
}

neuromc_status nmc_result_merge(neuromc_sweep_result *r, const neuromc_sweep_result *other,
                                neuromc_diags *diags) {
    merge_sums(r, other);
    r->partial |= other->partial;
    if (other->front_dropped_bits > r->front_dropped_bits)
        r->front_dropped_bits = other->front_dropped_bits;
    bool good = nmc_effects_merge(&r->effects, &other->effects) &&
                add_rows(r, &r->top, &other->top) && add_rows(r, &r->front, &other->front) &&
                add_rows(r, &r->sample, &other->sample) &&
                nmc_sayings_merge(&r->reasons, &other->reasons) &&
                nmc_sayings_merge(&r->warnings, &other->warnings);
    return good ? NEUROMC_OK : nmc_out_of_memory(diags);
}

/* ---- all of them ---- */

/* Each shard once, none missing, all of the same sweep. */
static neuromc_status check_shards(neuromc_sweep_result *const *parts, const char *const *paths,
                                   size_t count, neuromc_diags *diags) {
    for (size_t i = 0; i < count; i++) {
        const struct nmc_place place = {.file = paths[i]};
        if (!same_shape(parts[0], parts[i]))
            return nmc_error(diags, NEUROMC_BAD_INPUT, place,
                             "shards are run with the same options, models and presets",
                             "it is of another sweep than %s", paths[0]);
        for (size_t j = 0; j < i; j++)
            if (parts[j]->shard == parts[i]->shard)
                return nmc_error(diags, NEUROMC_BAD_INPUT, place, NULL,
                                 "shard %lld of %lld is in %s too", (long long)parts[i]->shard,
                                 (long long)parts[i]->shard_count, paths[j]);
    }
    if (parts[0]->shard_count != (int64_t)count)
        return nmc_error(diags, NEUROMC_BAD_INPUT, (struct nmc_place){.file = paths[0]},
                         "give the results of all shards", "%zu of %lld shards are here", count,
                         (long long)parts[0]->shard_count);
    return NEUROMC_OK;
}

static neuromc_status merge_all(neuromc_sweep_result *const *parts, size_t count,
                                neuromc_diags *diags) {
    neuromc_sweep_result *r = parts[0];
    neuromc_status status = NEUROMC_OK;
    for (size_t i = 1; status == NEUROMC_OK && i < count; i++)
        status = nmc_result_merge(r, parts[i], diags);
    if (status == NEUROMC_OK && (!choose_top(r) || !choose_front(r)))
        status = nmc_out_of_memory(diags);
    if (r->sample.count)
        qsort(r->sample.items, r->sample.count, sizeof *r->sample.items, by_index);
    nmc_sayings_by_point(&r->reasons);
    r->shard = r->shard_count = 0;
    return status;
}

neuromc_status neuromc_sweep_merge(const char *const *paths, size_t count,
                                   neuromc_sweep_result **out, neuromc_diags *diags) {
    *out = NULL;
    if (!count)
        return nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){0}, NULL, "nothing to merge");
    neuromc_sweep_result **parts = nmc_malloc(count * sizeof *parts);
    if (!parts)
        return nmc_out_of_memory(diags);
    size_t read = 0;
    neuromc_status status = NEUROMC_OK;
    for (; status == NEUROMC_OK && read < count; read++)
        status = nmc_result_read(paths[read], &parts[read], diags);
    read -= status != NEUROMC_OK;
    if (status == NEUROMC_OK)
        status = check_shards(parts, paths, count, diags);
    if (status == NEUROMC_OK)
        status = merge_all(parts, count, diags);
    if (status == NEUROMC_OK)
        *out = parts[0];
    for (size_t i = status == NEUROMC_OK; i < read; i++)
        neuromc_sweep_result_free(parts[i]);
    nmc_free(parts);
    return status;
}
