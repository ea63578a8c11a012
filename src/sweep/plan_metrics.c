/* plan_metrics.c - names of objectives, fields and constraints become metrics. */
#include <string.h>

#include "base/number.h"
#include "model/preset_merge.h"
#include "sweep/plan.h"
#include "sweep/point.h"

/* A preset and a report of the sweep, to resolve names against. */
struct sight {
    neuromc_preset *preset;
    neuromc_report *report;
};

static void forget(struct sight *sight) {
    neuromc_report_free(sight->report);
    neuromc_preset_free(sight->preset);
    *sight = (struct sight){NULL, NULL};
}

static neuromc_status look(const struct nmc_plan *plan, const int32_t *levels, struct sight *out,
                           neuromc_diags *diags) {
    *out = (struct sight){NULL, NULL};
    neuromc_status status = nmc_point_preset(plan, levels, NMC_LAWS_LATER, &out->preset, diags);
    if (status == NEUROMC_OK)
        status = nmc_point_report(plan, levels, out->preset, &out->report, diags);
    if (status != NEUROMC_OK)
        forget(out);
    return status;
}

/* The next cell in index order; false after the last. */
static bool next_cell(const struct nmc_plan *plan, int32_t *levels) {
    for (int g = plan->cell_groups; g-- > 0;) {
        if (++levels[g] < plan->groups[g].count)
            return true;
        levels[g] = 0;
    }
    return false;
}

/* The axis that sets what an error is about, or NULL. */
static const struct nmc_axis *axis_of(const struct nmc_plan *plan, const neuromc_diag *d) {
    if (!d->file || strcmp(d->file, NMC_SET_FILE) != 0 || !d->where)
        return NULL;
    for (int i = 0; i < plan->preset_count * NMC_MAX_AXES; i++)
        for (int t = 0; t < plan->target_counts[i]; t++)
            if (strcmp(plan->targets[i][t], d->where) == 0)
                return &plan->axes[i % NMC_MAX_AXES];
    return NULL;
}

/* Why a point does not work; what it says of an assignment is said of the axis that made it. */
static neuromc_status explain(const struct nmc_plan *plan, const int32_t *levels,
                              neuromc_diags *diags) {
    struct sight sight;
    neuromc_diags *said = neuromc_diags_new();
    if (!said)
        return nmc_out_of_memory(diags);
    (void)look(plan, levels, &sight, said); /* it is what it says that is wanted */
    const neuromc_diag *d = neuromc_diags_count(said) ? neuromc_diags_at(said, 0) : NULL;
    const struct nmc_axis *axis = d ? axis_of(plan, d) : NULL;
    neuromc_status status;
    forget(&sight);
    if (axis) {
        struct nmc_place place = axis->form.place;
        place.where = d->where;
        status = nmc_error(diags, nmc_asked_status(place), place, d->hint, "%s", d->message);
    } else {
        status = look(plan, levels, &sight, diags);
        forget(&sight);
    }
    neuromc_diags_free(said);
    return status;
}

/* The first cell that works, from `levels` on; after `ENOUGH` that do not, the first's reason. */
static neuromc_status look_for_one(const struct nmc_plan *plan, int32_t *levels, struct sight *out,
                                   neuromc_diags *diags) {
    enum { ENOUGH = 64 };
    int32_t first[NMC_MAX_AXES];
    memcpy(first, levels, sizeof first);
    for (int tries = 0; tries < ENOUGH; tries++) {
        if (look(plan, levels, out, NULL) == NEUROMC_OK)
            return NEUROMC_OK;
        if (!next_cell(plan, levels))
            break;
    }
    *out = (struct sight){NULL, NULL};
    neuromc_status status = explain(plan, first, diags);
    /* What failed and now works had no memory. */
    return status == NEUROMC_OK ? nmc_out_of_memory(diags) : status;
}

static int same_metric(const struct nmc_plan *plan, const struct nmc_metric *metric) {
    for (int m = 0; m < plan->metric_count; m++)
        if (strcmp(plan->metrics[m].name, metric->name) == 0)
            return m;
    return -1;
}

/* A name that the first workload does not have may be one of another's: a node, a stage. */
static neuromc_status find_anywhere(struct nmc_plan *plan, const struct nmc_asked *asked,
                                    const struct sight *sight, const int32_t *levels,
                                    struct nmc_metric *out, neuromc_diags *diags) {
    enum { ENOUGH = 64 };
    neuromc_status status =
        nmc_metric_find(&plan->arena, asked, sight->preset, sight->report, out, NULL);
    int32_t other[NMC_MAX_AXES];
    memcpy(other, levels, sizeof other);
    for (int tries = 0; status != NEUROMC_OK && tries < ENOUGH && next_cell(plan, other); tries++) {
        struct sight more;
        if (look(plan, other, &more, NULL) != NEUROMC_OK)
            continue;
        status = nmc_metric_find(&plan->arena, asked, more.preset, more.report, out, NULL);
        forget(&more);
    }
    if (status != NEUROMC_OK)
        status = nmc_metric_find(&plan->arena, asked, sight->preset, sight->report, out, diags);
    return status;
}

static neuromc_status add_metric(struct nmc_plan *plan, const struct nmc_asked *asked,
                                 const struct sight *sight, const int32_t *levels, int *number,
                                 neuromc_diags *diags) {
    struct nmc_metric metric;
    neuromc_status status = find_anywhere(plan, asked, sight, levels, &metric, diags);
    if (status != NEUROMC_OK)
        return status;
    *number = same_metric(plan, &metric);
    if (*number >= 0)
        return NEUROMC_OK;
    if (plan->metric_count == NMC_MAX_METRICS)
        return nmc_error(diags, nmc_asked_status(asked->place), asked->place, NULL,
                         "more than %d objectives, fields and constraints", NMC_MAX_METRICS);
    *number = plan->metric_count++;
    plan->metrics[*number] = metric;
    return NEUROMC_OK;
}

static neuromc_status add_objectives(struct nmc_plan *plan, const struct sight *sight,
                                     const int32_t *levels, neuromc_diags *diags) {
    neuromc_status status = NEUROMC_OK;
    for (size_t i = 0; status == NEUROMC_OK && i < plan->space.objectives.count; i++) {
        const struct nmc_asked *asked = &plan->space.objectives.items[i];
        int before = plan->metric_count, number;
        status = add_metric(plan, asked, sight, levels, &number, diags);
        if (status == NEUROMC_OK && number < before)
            status = nmc_error(diags, nmc_asked_status(asked->place), asked->place, NULL,
                               "objective %s is given twice", plan->metrics[number].name);
    }
    plan->objective_count = plan->metric_count;
    if (status == NEUROMC_OK && plan->objective_count > NMC_MAX_OBJECTIVES)
        status = nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){.file = "--objective"},
                           "--field shows more without looking for the best",
                           "more than %d objectives", NMC_MAX_OBJECTIVES);
    return status;
}

static neuromc_status add_where(struct nmc_plan *plan, const struct nmc_asked *asked,
                                const struct sight *sight, const int32_t *levels,
                                struct nmc_where *out, neuromc_diags *diags) {
    struct nmc_asked name;
    const char *text;
    neuromc_status status = nmc_where_split(&plan->arena, asked, &name, out, &text, diags);
    if (status == NEUROMC_OK)
        status = add_metric(plan, &name, sight, levels, &out->metric, diags);
    if (status != NEUROMC_OK)
        return status;
    const struct nmc_metric *metric = &plan->metrics[out->metric];
    bool bits = strcmp(metric->unit, "bits") == 0;
    const struct nmc_value_form form = {.kind = bits ? NMC_VALUE_SIZE : NMC_VALUE_NUMBER,
                                        .unit = metric->unit};
    text += strspn(text, " ");
    if (nmc_quantity_parse(text, &form, &out->bound) ||
        nmc_number_parse(text, strlen(text), &out->bound))
        return NEUROMC_OK;
    return nmc_error(diags, nmc_asked_status(asked->place), asked->place,
                     "for example energy_by_level.sram<2e6", "\"%.64s\" is not a number", text);
}

neuromc_status nmc_plan_metrics(struct nmc_plan *plan, neuromc_diags *diags) {
    int32_t levels[NMC_MAX_AXES] = {0};
    struct sight sight;
    neuromc_status status = look_for_one(plan, levels, &sight, diags);
    if (status != NEUROMC_OK)
        return status;
    plan->preset_name = nmc_arena_strdup(&plan->arena, sight.preset->name);
    plan->preset_hash = sight.preset->hash;
    status = add_objectives(plan, &sight, levels, diags);
    for (size_t i = 0; status == NEUROMC_OK && i < plan->space.fields.count; i++) {
        int number;
        status = add_metric(plan, &plan->space.fields.items[i], &sight, levels, &number, diags);
    }
    plan->wheres = nmc_arena_array(&plan->arena, plan->space.wheres.count, sizeof *plan->wheres);
    if (!plan->wheres && status == NEUROMC_OK)
        status = nmc_out_of_memory(diags);
    for (size_t i = 0; status == NEUROMC_OK && i < plan->space.wheres.count; i++)
        status = add_where(plan, &plan->space.wheres.items[i], &sight, levels,
                           &plan->wheres[plan->where_count++], diags);
    forget(&sight);
    return status;
}
