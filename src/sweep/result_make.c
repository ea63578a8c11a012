/* result_make.c - a result from a plan and a tally. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/strbuf.h"
#include "sweep/point.h"
#include "sweep/result.h"
#include "sweep/sampler.h"

static const char *copy(neuromc_sweep_result *r, const char *text) {
    return nmc_arena_strdup(&r->arena, text ? text : "");
}

/* No folder: a result must not depend on where files lie. */
static const char *file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool describe_models(neuromc_sweep_result *r, const struct nmc_plan *plan) {
    const struct nmc_axis *axis = NULL;
    for (int a = 0; a < plan->axis_count; a++)
        if (plan->axes[a].knob == NMC_KNOB_MODEL)
            axis = &plan->axes[a];
    r->model_count = axis ? (int)axis->values.count : 1;
    r->models = nmc_arena_array(&r->arena, (size_t)r->model_count, sizeof *r->models);
    for (int i = 0; r->models && i < r->model_count; i++)
        r->models[i] =
            copy(r, file_name(axis ? axis->values.texts[i] : plan->space.models.items[0].text));
    return r->models;
}

static bool describe_axis(neuromc_sweep_result *r, const struct nmc_plan *plan, int a) {
    static const char *const reaches[] = {"workload", "structure", "price"};
    const struct nmc_axis *axis = &plan->axes[a];
    const struct nmc_axis_group *group = &plan->groups[axis->group];
    struct nmc_result_axis *out = &r->axes[a];
    *out = (struct nmc_result_axis){.name = copy(r, axis->name),
                                    .first = copy(r, axis->values.texts[0]),
                                    .last = copy(r, axis->values.texts[axis->values.count - 1]),
                                    .count = (int64_t)axis->values.count,
                                    .group = axis->group,
                                    .reach = reaches[group->reach],
                                    .numeric = axis->values.numbers,
                                    .bin_count = nmc_group_bins(group)};
    out->bins = nmc_arena_array(&r->arena, (size_t)out->bin_count, sizeof *out->bins);
    if (!out->bins)
        return false;
    for (int64_t level = out->count; level-- > 0;)
        out->bins[nmc_group_bin(group, level)].label = axis->values.texts[level];
    for (int b = 0; b < out->bin_count; b++)
        out->bins[b].label = copy(r, out->bins[b].label);
    return true;
}

static bool describe_metrics(neuromc_sweep_result *r, const struct nmc_plan *plan) {
    r->metric_count = plan->metric_count;
    r->objective_count = plan->objective_count;
    r->metrics = nmc_arena_array(&r->arena, (size_t)r->metric_count, sizeof *r->metrics);
    r->where_count = plan->where_count;
    r->wheres = nmc_arena_array(&r->arena, (size_t)r->where_count, sizeof *r->wheres);
    if (!r->metrics || !r->wheres)
        return false;
    for (int m = 0; m < r->metric_count; m++)
        r->metrics[m] = (struct nmc_result_metric){.name = copy(r, plan->metrics[m].name),
                                                   .unit = copy(r, plan->metrics[m].unit),
                                                   .maximise = plan->metrics[m].maximise};
    for (int w = 0; w < r->where_count; w++)
        r->wheres[w] = copy(r, plan->space.wheres.items[w].text);
    return true;
}

bool nmc_result_describe(neuromc_sweep_result *r, const struct nmc_plan *plan) {
    r->preset_name = copy(r, plan->preset_name);
    r->preset_hash = plan->preset_hash;
    r->identity = nmc_plan_identity(plan);
    r->combinations = plan->combinations;
    r->points = plan->points;
    r->sampled = plan->sampled;
    r->sampler = plan->space.sampler;
    r->seed = plan->space.seed;
    r->top_wanted = plan->space.top;
    r->pareto_wanted = plan->space.pareto;
    r->axis_count = plan->axis_count;
    r->axes = nmc_arena_array(&r->arena, (size_t)r->axis_count, sizeof *r->axes);
    if (!r->axes || !describe_models(r, plan) || !describe_metrics(r, plan))
        return false;
    for (int a = 0; a < r->axis_count; a++)
        if (!describe_axis(r, plan, a))
            return false;
    for (size_t i = 0; i < plan->note_count; i++)
        if (!nmc_result_note(r, plan->notes[i]))
            return false;
    return !r->arena.failed;
}

static void take_sums(neuromc_sweep_result *r, const struct nmc_plan *plan,
                      const struct nmc_tally *t) {
    int bins = t->bin_start[plan->group_count];
    for (int o = 0; o < r->objective_count; o++) {
        struct nmc_result_metric *metric = &r->metrics[o];
        metric->shift = t->shift[o];
        metric->least = t->feasible ? t->least[o] : 0;
        metric->most = t->feasible ? t->most[o] : 0;
        metric->sum = t->sum[o];
        metric->squares = t->squares[o];
    }
    for (int a = 0; a < r->axis_count; a++)
        for (int b = 0; b < r->axes[a].bin_count; b++) {
            int at = t->bin_start[plan->axes[a].group] + b;
            r->axes[a].bins[b].count = t->bin_counts[at];
            for (int o = 0; o < r->objective_count; o++)
                r->axes[a].bins[b].sum[o] = t->bin_sums[o * bins + at];
        }
}

bool nmc_result_take(neuromc_sweep_result *r, const struct nmc_plan *plan,
                     const struct nmc_tally *t) {
    r->evaluated = t->evaluated;
    r->feasible = t->feasible;
    r->failed = t->failed;
    r->front_dropped_bits = t->front.dropped_bits;
    r->effects.objectives = r->objective_count;
    take_sums(r, plan, t);
    /* The values of the first point stand for the contents of model and preset. */
    for (int o = 0; o < r->objective_count; o++) {
        uint64_t bits;
        memcpy(&bits, &t->shift[o], sizeof bits);
        r->identity = nmc_mix(r->identity ^ bits);
    }
    return nmc_effects_merge(&r->effects, &t->effects) &&
           nmc_sayings_merge(&r->reasons, &t->reasons) &&
           nmc_sayings_merge(&r->warnings, &t->warnings);
}

/* ---- rows ---- */

bool nmc_result_add_row(neuromc_sweep_result *r, struct nmc_result_rows *rows,
                        const struct nmc_plan *plan, struct nmc_cells *cells, int64_t index) {
    int32_t levels[NMC_MAX_AXES];
    nmc_plan_levels(plan, index, levels);
    const struct nmc_cell *cell = nmc_cell_take(cells, levels);
    const char **texts = nmc_arena_array(&r->arena, (size_t)r->axis_count, sizeof *texts);
    double *values = nmc_arena_array(&r->arena, (size_t)r->metric_count, sizeof *values);
    bool good = cell && texts && values &&
                nmc_grow(&rows->items, &rows->capacity, rows->count + 1, sizeof *rows->items);
    for (int a = 0; good && a < r->axis_count; a++)
        texts[a] = copy(r, plan->axes[a].values.texts[levels[plan->axes[a].group]]);
    for (int m = 0; good && m < r->metric_count; m++)
        values[m] = nmc_cell_value(cell, cells->grid, m, levels);
    if (good)
        rows->items[rows->count++] =
            (struct nmc_result_row){.index = index, .texts = texts, .values = values};
    nmc_cell_give_back(cells, cell);
    return good && !r->arena.failed;
}

bool nmc_result_add_sample(neuromc_sweep_result *r, const struct nmc_plan *plan,
                           struct nmc_cells *cells, int64_t index) {
    int32_t levels[NMC_MAX_AXES];
    nmc_plan_levels(plan, index, levels);
    const struct nmc_cell *cell = nmc_cell_take(cells, levels);
    if (!cell)
        return false;
    bool wanted = !cell->reason &&
                  !(cell->may_fail && nmc_cell_value(cell, cells->grid, NMC_FAILURE, levels) > 0);
    for (int w = 0; wanted && w < plan->where_count; w++)
        wanted = nmc_where_holds(&plan->wheres[w],
                                 nmc_cell_value(cell, cells->grid, plan->wheres[w].metric, levels));
    nmc_cell_give_back(cells, cell);
    return !wanted || nmc_result_add_row(r, &r->sample, plan, cells, index);
}

/* Prices that laws of the space file made, which `neuromc estimate` does not know. */
static bool add_law_prices(neuromc_sweep_result *r, const struct nmc_plan *plan,
                           const struct neuromc_preset *preset, const char **set, int *count) {
    static const char *const keys[] = {[NMC_PRICED_READ] = "read_cost_pj",
                                       [NMC_PRICED_WRITE] = "write_cost_pj",
                                       [NMC_PRICED_AREA] = "area_mm2"};
    for (size_t i = 0; plan->space.laws && i < preset->law_effects.count; i++) {
        const struct nmc_law_effect *e = &preset->law_effects.items[i];
        const struct nmc_memory *m = &preset->memories[e->index];
        char number[NMC_NUMBER_SIZE];
        if (i && e[-1].what == e->what && e[-1].index == e->index)
            continue;
        bool primitive = e->what == NMC_PRICED_PRIMITIVE;
        nmc_number_format(number, primitive                     ? preset->primitive_pj[e->index]
                                  : e->what == NMC_PRICED_READ  ? m->read_cost_pj
                                  : e->what == NMC_PRICED_WRITE ? m->write_cost_pj
                                                                : m->area_mm2);
        set[*count] = primitive ? nmc_arena_printf(&r->arena, "primitives_pj.%s=%s",
                                                   nmc_primitive_names[e->index], number)
                                : nmc_arena_printf(&r->arena, "memory_instances.%s.%s=%s", m->name,
                                                   keys[e->what], number);
        if (!set[(*count)++])
            return false;
    }
    return true;
}

static bool explain(neuromc_sweep_result *r, const struct nmc_plan *plan,
                    const struct neuromc_preset *preset, const int32_t *levels,
                    struct nmc_result_row *row) {
    struct nmc_arena arena;
    struct nmc_choice choice;
    const char **assignments;
    size_t count = 0;
    nmc_arena_init(&arena, (size_t)64 << 20);
    bool good = nmc_point_choice(plan, levels, &arena, &choice, NULL) == NEUROMC_OK &&
                nmc_point_assignments(plan, levels, choice.preset, &arena, &assignments, &count,
                                      NULL) == NEUROMC_OK;
    const char **set = nmc_arena_array(&r->arena, count + preset->law_effects.count, sizeof *set);
    good = good && set;
    for (size_t i = 0; good && i < count; i++) {
        set[row->set_count++] = copy(r, assignments[i]);
        good = set[i];
    }
    row->set = set;
    good = good && add_law_prices(r, plan, preset, set, &row->set_count);
    nmc_arena_release(&arena);
    return good;
}

bool nmc_result_explain_best(neuromc_sweep_result *r, const struct nmc_plan *plan) {
    if (!r->top.count)
        return true;
    int32_t levels[NMC_MAX_AXES];
    neuromc_preset *preset = NULL;
    nmc_plan_levels(plan, r->top.items[0].index, levels);
    if (nmc_point_preset(plan, levels, NMC_LAWS_NOW, &preset, NULL) != NEUROMC_OK)
        return false;
    bool good = explain(r, plan, preset, levels, &r->top.items[0]);
    neuromc_preset_free(preset);
    return good;
}
