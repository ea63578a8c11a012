#include "sweep/point.h"

#include <string.h>

#include "base/limits.h"
#include "base/number.h"

static const char *value_of(const struct nmc_axis *axis, const int32_t *levels) {
    return axis->values.texts[levels[axis->group]];
}

static neuromc_status wrong_value(const struct nmc_axis *axis, const char *value, const char *hint,
                                  neuromc_diags *diags) {
    return nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){.where = axis->name}, hint,
                     "\"%.64s\" is no value for it", value);
}

static neuromc_status read_count(const struct nmc_axis *axis, const char *value, int64_t *out,
                                 neuromc_diags *diags) {
    if (nmc_integer_parse(value, strlen(value), out) && *out >= 1)
        return NEUROMC_OK;
    return wrong_value(axis, value, "a whole number of at least 1", diags);
}

/* A dim of the axis in place of one of the same name. */
static neuromc_status set_dim(struct nmc_choice *choice, const struct nmc_axis *axis, int64_t value,
                              struct nmc_arena *arena, neuromc_diags *diags) {
    size_t count = choice->model_options.dim_count;
    neuromc_dim_binding *dims = nmc_arena_array(arena, count + 1, sizeof *dims);
    if (!dims)
        return nmc_out_of_memory(diags);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (strcmp(choice->model_options.dims[i].name, axis->dim) != 0)
            dims[kept++] = choice->model_options.dims[i];
    dims[kept++] = (neuromc_dim_binding){axis->dim, value};
    choice->model_options.dims = dims;
    choice->model_options.dim_count = kept;
    return NEUROMC_OK;
}

/* forward+backward, or train. */
static bool read_stages(const char *text, unsigned *out) {
    static const char *const names[] = {"forward", "backward", "optimizer"};
    *out = 0;
    if (strcmp(text, "train") == 0) {
        *out = NEUROMC_STAGE_FORWARD | NEUROMC_STAGE_BACKWARD | NEUROMC_STAGE_OPTIMIZER;
        return true;
    }
    for (;; text++) {
        size_t length = strcspn(text, "+"), i = 0;
        while (i < 3 && !(strlen(names[i]) == length && memcmp(names[i], text, length) == 0))
            i++;
        if (i == 3)
            return false;
        *out |= 1u << i;
        text += length;
        if (!*text)
            return true;
    }
}

static int word(const char *text, const char *const *words, int count) {
    int i = 0;
    while (i < count && strcmp(text, words[i]) != 0)
        i++;
    return i;
}

static neuromc_status choose(const struct nmc_axis *axis, const char *value,
                             struct nmc_choice *choice, struct nmc_arena *arena,
                             neuromc_diags *diags) {
    static const char *const optimizers[] = {"adam", "adamw", "sgd"};
    static const char *const accountings[] = {"corrected", "runtime"};
    neuromc_estimate_options *e = &choice->estimate_options;
    int64_t dim = 0;
    int i;
    neuromc_status status = NEUROMC_OK;
    switch (axis->knob) {
    case NMC_KNOB_MODEL: choice->model = value; break;
    case NMC_KNOB_BATCH: return read_count(axis, value, &choice->model_options.batch, diags);
    case NMC_KNOB_TIME_STEPS:
        return read_count(axis, value, &choice->model_options.time_steps, diags);
    case NMC_KNOB_DIM:
        status = read_count(axis, value, &dim, diags);
        return status == NEUROMC_OK ? set_dim(choice, axis, dim, arena, diags) : status;
    case NMC_KNOB_STAGES:
        if (!read_stages(value, &e->stages))
            return wrong_value(axis, value, "forward, forward+backward, ..., or train", diags);
        break;
    case NMC_KNOB_OPTIMIZER:
        i = word(value, optimizers, 3);
        if (i == 3)
            return wrong_value(axis, value, "adam, adamw or sgd", diags);
        e->optimizer = (neuromc_optimizer)(NEUROMC_ADAM + i);
        break;
    case NMC_KNOB_ACCOUNTING:
        i = word(value, accountings, 2);
        if (i == 2)
            return wrong_value(axis, value, "corrected or runtime", diags);
        e->accounting = i ? NEUROMC_RUNTIME : NEUROMC_CORRECTED;
        break;
    case NMC_KNOB_SPIKE_RATE: e->spike_rate = value; break;
    case NMC_KNOB_PRESET:
    case NMC_KNOB_PATH: break;
    }
    return status;
}

neuromc_status nmc_point_choice(const struct nmc_plan *plan, const int32_t *levels,
                                struct nmc_arena *arena, struct nmc_choice *out,
                                neuromc_diags *diags) {
    *out = (struct nmc_choice){
        .model = plan->space.models.count ? plan->space.models.items[0].text : NULL,
        .model_options = plan->model_options,
        .estimate_options = plan->estimate_options,
    };
    out->estimate_options.no_mapping = !plan->keep_fragments;
    neuromc_status status = NEUROMC_OK;
    for (int a = 0; status == NEUROMC_OK && a < plan->axis_count; a++) {
        const struct nmc_axis *axis = &plan->axes[a];
        if (axis->knob == NMC_KNOB_PRESET)
            out->preset = levels[axis->group];
        status = choose(axis, value_of(axis, levels), out, arena, diags);
    }
    return status;
}

neuromc_status nmc_point_assignments(const struct nmc_plan *plan, const int32_t *levels, int preset,
                                     struct nmc_arena *arena, const char ***out, size_t *count,
                                     neuromc_diags *diags) {
    const char *const *const *targets = plan->targets + (size_t)preset * NMC_MAX_AXES;
    const int *target_counts = plan->target_counts + (size_t)preset * NMC_MAX_AXES;
    size_t most = plan->assignment_count;
    for (int a = 0; a < plan->axis_count; a++)
        most += (size_t)target_counts[a];
    *out = nmc_arena_array(arena, most, sizeof **out);
    *count = 0;
    if (!*out)
        return nmc_out_of_memory(diags);
    for (size_t i = 0; i < plan->assignment_count; i++)
        (*out)[(*count)++] = plan->assignments[i];
    for (int a = 0; a < plan->axis_count; a++)
        for (int t = 0; t < target_counts[a]; t++)
            (*out)[(*count)++] =
                nmc_arena_printf(arena, "%s=%s", targets[a][t], value_of(&plan->axes[a], levels));
    return arena->failed ? nmc_out_of_memory(diags) : NEUROMC_OK;
}

neuromc_status nmc_point_preset(const struct nmc_plan *plan, const int32_t *levels,
                                enum nmc_laws laws, neuromc_preset **out, neuromc_diags *diags) {
    struct nmc_arena arena;
    struct nmc_choice choice;
    const char **assignments = NULL;
    size_t count = 0;
    *out = NULL;
    nmc_arena_init(&arena, NMC_LIMIT_PRESET_MEMORY);
    neuromc_status status = nmc_point_choice(plan, levels, &arena, &choice, diags);
    if (status == NEUROMC_OK && !plan->trees[choice.preset])
        status = nmc_error(diags, NEUROMC_BAD_INPUT, (struct nmc_place){0}, NULL, "%s",
                           plan->tree_failures[choice.preset]);
    if (status == NEUROMC_OK)
        status =
            nmc_point_assignments(plan, levels, choice.preset, &arena, &assignments, &count, diags);
    const neuromc_preset_options options = {
        .search_path = plan->search_path, .assignments = assignments, .assignment_count = count};
    if (status == NEUROMC_OK)
        status = nmc_preset_build(plan->trees[choice.preset], &options, laws, out, diags);
    nmc_arena_release(&arena);
    return status;
}

neuromc_status nmc_point_report(const struct nmc_plan *plan, const int32_t *levels,
                                const struct neuromc_preset *preset, neuromc_report **out,
                                neuromc_diags *diags) {
    struct nmc_arena arena;
    struct nmc_choice choice;
    neuromc_model *model = NULL;
    *out = NULL;
    nmc_arena_init(&arena, NMC_LIMIT_PRESET_MEMORY);
    neuromc_status status = nmc_point_choice(plan, levels, &arena, &choice, diags);
    if (status == NEUROMC_OK)
        status = neuromc_model_load(choice.model, &choice.model_options, &model, diags);
    if (status == NEUROMC_OK)
        status = neuromc_estimate(model, preset, &choice.estimate_options, out, diags);
    neuromc_model_free(model);
    nmc_arena_release(&arena);
    return status;
}

neuromc_status nmc_point_metrics(const struct nmc_plan *plan, const int32_t *levels,
                                 double out[NMC_MAX_METRICS], neuromc_diags *diags) {
    neuromc_preset *preset = NULL;
    neuromc_report *report = NULL;
    neuromc_status status = nmc_point_preset(plan, levels, NMC_LAWS_NOW, &preset, diags);
    if (status == NEUROMC_OK)
        status = nmc_point_report(plan, levels, preset, &report, diags);
    for (int m = 0; status == NEUROMC_OK && m < plan->metric_count; m++)
        out[m] = nmc_metric_value(&plan->metrics[m], report, preset);
    neuromc_report_free(report);
    neuromc_preset_free(preset);
    return status;
}

const char *nmc_point_reason(struct nmc_arena *arena, const neuromc_diags *diags) {
    size_t i = 0, count = neuromc_diags_count(diags);
    while (i < count && neuromc_diags_at(diags, i)->severity != NEUROMC_ERROR)
        i++;
    if (i == count)
        return "it failed without a word";
    const neuromc_diag *d = neuromc_diags_at(diags, i);
    const char *text = d->where ? nmc_arena_printf(arena, "%s: %s", d->where, d->message)
                                : nmc_arena_strdup(arena, d->message);
    return text ? text : "memory ran out";
}
