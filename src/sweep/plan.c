#include "sweep/plan.h"

#include <string.h>

#include "base/hash.h"
#include "base/limits.h"
#include "base/memory.h"
#include "sweep/point.h"
#include "sweep/sampler.h"

void nmc_plan_release(struct nmc_plan *plan) {
    nmc_space_release(&plan->space);
    nmc_free(plan->notes);
    nmc_arena_release(&plan->arena);
}

bool nmc_plan_note(struct nmc_plan *plan, const char *text) {
    for (size_t i = 0; i < plan->note_count; i++)
        if (strcmp(plan->notes[i], text) == 0)
            return true;
    const char *copy = nmc_arena_strdup(&plan->arena, text);
    if (!copy ||
        !nmc_grow(&plan->notes, &plan->note_capacity, plan->note_count + 1, sizeof *plan->notes))
        return false;
    plan->notes[plan->note_count++] = copy;
    return true;
}

void nmc_plan_levels(const struct nmc_plan *plan, int64_t index, int32_t levels[NMC_MAX_AXES]) {
    if (plan->sampled) {
        nmc_sample_levels(plan, index, levels);
        return;
    }
    for (int g = plan->group_count; g-- > 0;) {
        levels[g] = (int32_t)(index % plan->groups[g].count);
        index /= plan->groups[g].count;
    }
}

int64_t nmc_plan_index(const struct nmc_plan *plan, const int32_t levels[NMC_MAX_AXES]) {
    int64_t index = 0;
    for (int g = 0; g < plan->group_count; g++)
        index = index * plan->groups[g].count + levels[g];
    return index;
}

/* With its NUL: texts that follow one another stay apart. */
static uint64_t hash_text(uint64_t hash, const char *text) {
    return nmc_hash_bytes(hash, text, strlen(text) + 1);
}

uint64_t nmc_plan_identity(const struct nmc_plan *plan) {
    const struct nmc_space *space = &plan->space;
    const int64_t numbers[] = {
        plan->points,  plan->sampled,     (int64_t)space->seed,  space->sampler,   space->top,
        space->pareto, plan->group_count, plan->objective_count, plan->space.remap};
    uint64_t hash = nmc_hash_bytes(NMC_HASH_START, numbers, sizeof numbers);
    hash = nmc_hash_bytes(hash, &plan->preset_hash, sizeof plan->preset_hash);
    for (int a = 0; a < plan->axis_count; a++) {
        const struct nmc_axis *axis = &plan->axes[a];
        hash = nmc_hash_bytes(hash_text(hash, axis->name), &axis->group, sizeof axis->group);
        /* where a model lies does not matter */
        for (size_t i = 0; axis->knob != NMC_KNOB_MODEL && i < axis->values.count; i++)
            hash = hash_text(hash, axis->values.texts[i]);
    }
    for (int m = 0; m < plan->metric_count; m++) {
        unsigned char maximise = plan->metrics[m].maximise;
        hash = nmc_hash_bytes(hash_text(hash, plan->metrics[m].name), &maximise, 1);
    }
    for (size_t i = 0; i < space->wheres.count; i++)
        hash = hash_text(hash, space->wheres.items[i].text);
    return hash;
}

static neuromc_status check_options(const struct nmc_plan *plan, neuromc_diags *diags) {
    const struct nmc_space *space = &plan->space;
    bool model_axis = false;
    for (size_t i = 0; i < space->axis_count; i++)
        model_axis |= strcmp(space->axes[i].name.text, "model") == 0;
    if (!space->models.count && !model_axis)
        return nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){0},
                         "neuromc sweep models/resnet18.onnx --vary ...", "a sweep needs a model");
    for (size_t i = 0; i < space->models.count; i++)
        if (strcmp(space->models.items[i].text, "-") == 0)
            return nmc_error(diags, NEUROMC_USAGE, space->models.items[i].place,
                             "write it to a file first",
                             "a sweep reads its model more than once, standard input only once");
    if (!space->axis_count)
        return nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){0},
                         "--vary primitives_pj.add=0.1:1:0.1, or --space FILE",
                         "a sweep varies something");
    if (space->sample < 0)
        return nmc_error(diags, NEUROMC_USAGE, (struct nmc_place){.file = "--sample"}, NULL,
                         "expected at least one point");
    return NEUROMC_OK;
}

static void take_options(struct nmc_plan *plan, const neuromc_sweep_options *options) {
    if (options->model_options)
        plan->model_options = *options->model_options;
    if (options->estimate_options)
        plan->estimate_options = *options->estimate_options;
    if (plan->estimate_options.map)
        plan->map_options = *plan->estimate_options.map;
    plan->map_options.jobs = 1; /* points run side by side already */
    plan->estimate_options.map = &plan->map_options;
    if (options->preset_options) {
        plan->search_path = options->preset_options->search_path;
        plan->assignments = options->preset_options->assignments;
        plan->assignment_count = options->preset_options->assignment_count;
    }
}

neuromc_status nmc_plan_make(struct nmc_plan *plan, const neuromc_sweep_options *options,
                             neuromc_diags *diags) {
    *plan = (struct nmc_plan){.axis_count = 0};
    nmc_arena_init(&plan->arena, NMC_LIMIT_MODEL_BYTES);
    take_options(plan, options);
    neuromc_status status = nmc_space_read(&plan->space, options, diags);
    if (status == NEUROMC_OK)
        status = check_options(plan, diags);
    if (status == NEUROMC_OK)
        status = nmc_plan_axes(plan, diags);
    if (status == NEUROMC_OK)
        status = nmc_plan_groups(plan, diags);
    if (status == NEUROMC_OK)
        status = nmc_plan_metrics(plan, diags);
    return status;
}
