/* plan_axes.c - presets are opened, axes get their values and targets. */
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/suggest.h"
#include "model/preset_keys.h"
#include "model/preset_merge.h"
#include "sweep/plan.h"
#include "sweep/point.h"

/* ---- presets ---- */

/* Laws of the space file on top of those of the preset. */
static neuromc_status add_laws(struct nmc_plan *plan, struct nmc_yaml *tree, neuromc_diags *diags) {
    if (!plan->space.laws)
        return NEUROMC_OK;
    struct nmc_yaml *over = nmc_arena_alloc(&plan->arena, sizeof *over);
    struct nmc_yaml *laws = nmc_yaml_copy(&plan->arena, plan->space.laws);
    if (!over || !laws)
        return nmc_out_of_memory(diags);
    nmc_preset_cover(laws);
    *over = (struct nmc_yaml){.kind = NMC_YAML_MAP, .file = laws->file};
    nmc_yaml_append(over, laws);
    nmc_preset_lay_over(&plan->arena, tree, over);
    return nmc_laws_expand(&plan->arena, tree, plan->search_path, diags);
}

static neuromc_status open_preset(struct nmc_plan *plan, int number, const char *name,
                                  neuromc_diags *diags) {
    struct nmc_yaml *tree;
    neuromc_status status = nmc_preset_open(&plan->arena, name, plan->search_path, &tree, diags);
    if (status == NEUROMC_OK)
        status = add_laws(plan, tree, diags);
    if (status == NEUROMC_OK)
        plan->trees[number] = tree;
    return status;
}

/* One of several presets may be wrong: its points fail. */
static neuromc_status open_one_of_many(struct nmc_plan *plan, int number, const char *name) {
    neuromc_diags *diags = neuromc_diags_new();
    neuromc_status status = open_preset(plan, number, name, diags);
    if (status != NEUROMC_OK)
        plan->tree_failures[number] = nmc_point_reason(&plan->arena, diags);
    neuromc_diags_free(diags);
    return status;
}

static neuromc_status open_presets(struct nmc_plan *plan, const struct nmc_axis *axis,
                                   neuromc_diags *diags) {
    size_t count = axis ? axis->values.count : 1;
    struct nmc_arena *arena = &plan->arena;
    if (count > NMC_LIMIT_SWEEP_PRESETS)
        return nmc_error(diags, NEUROMC_USAGE, axis->form.place, NULL, "more than %d presets",
                         NMC_LIMIT_SWEEP_PRESETS);
    plan->preset_count = (int)count;
    plan->trees = nmc_arena_array(arena, count, sizeof(struct nmc_yaml *));
    plan->tree_failures = nmc_arena_array(arena, count, sizeof(const char *));
    plan->targets = nmc_arena_array(arena, count * NMC_MAX_AXES, sizeof(const char *const *));
    plan->target_counts = nmc_arena_array(arena, count * NMC_MAX_AXES, sizeof(int));
    if (arena->failed)
        return nmc_out_of_memory(diags);
    if (!axis)
        return open_preset(plan, 0, plan->space.preset, diags);
    bool any = false;
    for (size_t i = 0; i < count; i++)
        any |= open_one_of_many(plan, (int)i, axis->values.texts[i]) == NEUROMC_OK;
    return any ? NEUROMC_OK
               : nmc_error(diags, NEUROMC_USAGE, axis->form.place, NULL,
                           "none of the presets can be used: %s", plan->tree_failures[0]);
}

/* A preset as it is without any axis. */
static neuromc_status base_preset(const struct nmc_plan *plan, int number, neuromc_preset **out,
                                  neuromc_diags *diags) {
    const neuromc_preset_options options = {.search_path = plan->search_path,
                                            .assignments = plan->assignments,
                                            .assignment_count = plan->assignment_count};
    return nmc_preset_build(plan->trees[number], &options, NMC_LAWS_LATER, out, diags);
}

/* ---- values ---- */

static void set_form(struct nmc_axis *axis, const struct nmc_key *key) {
    axis->form.unit = key->unit;
    switch (key->type) {
    case NMC_KEY_NUMBER: axis->form.kind = NMC_VALUE_NUMBER; break;
    case NMC_KEY_INTEGER: axis->form.kind = NMC_VALUE_INTEGER; break;
    case NMC_KEY_SIZE: axis->form.kind = NMC_VALUE_SIZE; break;
    default: axis->form.kind = NMC_VALUE_TEXT; break;
    }
}

static neuromc_status read_values(struct nmc_plan *plan, struct nmc_axis *axis,
                                  const struct nmc_asked_axis *asked, neuromc_diags *diags) {
    neuromc_status status = NEUROMC_OK;
    for (size_t i = 0; status == NEUROMC_OK && i < asked->values.count; i++) {
        const struct nmc_asked *value = &asked->values.items[i];
        struct nmc_value_form form = axis->form;
        form.place = value->place;
        status = (asked->expression ? nmc_values_parse : nmc_values_item)(
            &plan->arena, value->text, &form, &axis->values, diags);
    }
    if (status == NEUROMC_OK)
        status = nmc_values_finish(&plan->arena, &axis->form, &axis->values, diags);
    return status;
}

/* ---- paths ---- */

static neuromc_status no_match(const struct nmc_plan *plan, const struct nmc_axis *axis,
                               neuromc_diags *diags) {
    return nmc_error(diags, nmc_asked_status(axis->form.place), axis->form.place,
                     "`neuromc presets show NAME` lists every path",
                     "no value of preset %s matches", plan->space.preset);
}

/* What --set has to say about a path, said of the axis. */
static neuromc_status try_path(struct nmc_plan *plan, const struct nmc_axis *axis, int preset,
                               const char *path, neuromc_diags *diags) {
    struct nmc_arena arena;
    nmc_arena_init(&arena, NMC_LIMIT_PRESET_MEMORY);
    neuromc_diags *said = neuromc_diags_new();
    struct nmc_yaml *tree = nmc_yaml_copy(&arena, plan->trees[preset]);
    const char *assignment = nmc_arena_printf(&arena, "%s=0", path);
    neuromc_status status = NEUROMC_IO;
    if (tree && assignment && said)
        status = nmc_preset_assign(&arena, tree, assignment, said);
    if (status != NEUROMC_OK && neuromc_diags_count(said)) {
        const neuromc_diag *d = neuromc_diags_at(said, 0);
        status = nmc_error(diags, nmc_asked_status(axis->form.place), axis->form.place, d->hint,
                           "%s", d->message);
    } else if (status != NEUROMC_OK) {
        status = nmc_out_of_memory(diags);
    }
    neuromc_diags_free(said);
    nmc_arena_release(&arena);
    return status;
}

/* Where the axis leads in one preset. In presets but the first a glob without a match stays as it
 * is, so that its points fail with a reason. */
static neuromc_status find_targets(struct nmc_plan *plan, int number, int a, int first,
                                   struct neuromc_preset *preset, neuromc_diags *diags) {
    struct nmc_axis *axis = &plan->axes[a];
    int count;
    const char **paths = nmc_axis_targets(&plan->arena, preset, axis->name, &count);
    if (!paths)
        return nmc_out_of_memory(diags);
    if (!count && number == first)
        return no_match(plan, axis, diags);
    if (!count) {
        paths = nmc_arena_array(&plan->arena, 1, sizeof *paths);
        if (!paths)
            return nmc_out_of_memory(diags);
        paths[0] = axis->name;
        count = 1;
    }
    plan->targets[(size_t)number * NMC_MAX_AXES + (size_t)a] = paths;
    plan->target_counts[(size_t)number * NMC_MAX_AXES + (size_t)a] = count;
    if (number != first)
        return NEUROMC_OK;
    neuromc_status status = try_path(plan, axis, number, paths[0], diags);
    const struct nmc_key *key = nmc_preset_field(preset, paths[0]).key;
    if (status == NEUROMC_OK && key)
        set_form(axis, key);
    return status;
}

static neuromc_status find_all_targets(struct nmc_plan *plan, neuromc_diags *diags) {
    int first = 0;
    while (!plan->trees[first])
        first++;
    neuromc_status status = NEUROMC_OK;
    for (int number = first; status == NEUROMC_OK && number < plan->preset_count; number++) {
        neuromc_preset *preset = NULL;
        if (!plan->trees[number])
            continue;
        neuromc_status built = base_preset(plan, number, &preset, number == first ? diags : NULL);
        if (built != NEUROMC_OK && number == first)
            return built;
        for (int a = 0; preset && status == NEUROMC_OK && a < plan->axis_count; a++)
            if (plan->axes[a].knob == NMC_KNOB_PATH)
                status = find_targets(plan, number, a, first, preset, diags);
        neuromc_preset_free(preset);
    }
    return status;
}

/* ---- axes ---- */

static neuromc_status check_name(const struct nmc_plan *plan, const struct nmc_asked *name,
                                 neuromc_diags *diags) {
    neuromc_status status = nmc_asked_status(name->place);
    if (plan->axis_count == NMC_MAX_AXES)
        return nmc_error(diags, status, name->place, NULL, "more than %d axes", NMC_MAX_AXES);
    for (int a = 0; a < plan->axis_count; a++)
        if (strcmp(plan->axes[a].name, name->text) == 0)
            return nmc_error(diags, status, name->place,
                             strcmp(name->text, "model") == 0
                                 ? "several MODEL operands are such an axis already"
                                 : "keep one of the two",
                             "axis %s is given twice", name->text);
    if (strcmp(name->text, "dim") == 0 || strcmp(name->text, "dim.") == 0)
        return nmc_error(diags, status, name->place, "dim.NAME", "which dim?");
    if (strcmp(name->text, "model") == 0 && plan->space.models.count == 1)
        return nmc_error(diags, status, name->place, "leave out the MODEL operand",
                         "one model is given and others are asked for");
    return NEUROMC_OK;
}

static neuromc_status add_axis(struct nmc_plan *plan, const struct nmc_asked_axis *asked,
                               neuromc_diags *diags) {
    neuromc_status status = check_name(plan, &asked->name, diags);
    if (status != NEUROMC_OK)
        return status;
    struct nmc_axis *axis = &plan->axes[plan->axis_count++];
    *axis = (struct nmc_axis){.name = asked->name.text, .knob = nmc_knob_find(asked->name.text)};
    axis->form.place = asked->name.place;
    axis->form.place.where = axis->name;
    if (axis->knob == NMC_KNOB_PATH)
        return NEUROMC_OK; /* its values are read when its key is known */
    if (axis->knob == NMC_KNOB_DIM)
        axis->dim = axis->name + strlen("dim.");
    axis->form.kind = nmc_knob_kind(axis->knob);
    return read_values(plan, axis, asked, diags);
}

/* A name that is neither knob nor path: the nearest of both. */
static neuromc_status near_a_knob(const struct nmc_axis *axis, neuromc_diags *diags) {
    struct nmc_suggest suggest;
    nmc_suggest_init(&suggest, axis->name);
    for (int k = 0; k < NMC_KNOBS; k++)
        nmc_suggest_offer(&suggest, nmc_knob_names[k]);
    if (!suggest.best || strchr(axis->name, '.'))
        return NEUROMC_OK;
    char hint[64];
    snprintf(hint, sizeof hint, "did you mean %s?", suggest.best);
    return nmc_error(diags, nmc_asked_status(axis->form.place), axis->form.place, hint,
                     "neither a path of the preset nor a knob of the workload");
}

static bool is_root_key(const char *name) {
    return nmc_section_key(NMC_IN_ROOT, name);
}

neuromc_status nmc_plan_axes(struct nmc_plan *plan, neuromc_diags *diags) {
    const struct nmc_axis *presets = NULL;
    neuromc_status status = NEUROMC_OK;
    for (size_t i = 0; status == NEUROMC_OK && i < plan->space.axis_count; i++)
        status = add_axis(plan, &plan->space.axes[i], diags);
    for (int a = 0; status == NEUROMC_OK && a < plan->axis_count; a++) {
        if (plan->axes[a].knob == NMC_KNOB_PRESET)
            presets = &plan->axes[a];
        if (plan->axes[a].knob == NMC_KNOB_PATH && !is_root_key(plan->axes[a].name))
            status = near_a_knob(&plan->axes[a], diags);
    }
    if (status == NEUROMC_OK)
        status = open_presets(plan, presets, diags);
    if (status == NEUROMC_OK)
        status = find_all_targets(plan, diags);
    for (int a = 0; status == NEUROMC_OK && a < plan->axis_count; a++)
        if (plan->axes[a].knob == NMC_KNOB_PATH)
            status = read_values(plan, &plan->axes[a], &plan->space.axes[a], diags);
    return plan->arena.failed ? nmc_out_of_memory(diags) : status;
}
