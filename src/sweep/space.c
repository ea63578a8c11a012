#include "sweep/space.h"

#include <string.h>

#include "base/limits.h"
#include "base/memory.h"
#include "sweep/axis.h"

bool nmc_asked_add(struct nmc_asked_list *list, const char *text, struct nmc_place place) {
    if (!text || !nmc_grow(&list->items, &list->capacity, list->count + 1, sizeof *list->items))
        return false;
    list->items[list->count++] = (struct nmc_asked){text, place};
    return true;
}

bool nmc_space_add_axis(struct nmc_space *space, const struct nmc_asked_axis *axis) {
    if (!nmc_grow(&space->axes, &space->axis_capacity, space->axis_count + 1, sizeof *space->axes))
        return false;
    space->axes[space->axis_count++] = *axis;
    return true;
}

void nmc_space_release(struct nmc_space *space) {
    for (size_t i = 0; i < space->axis_count; i++)
        nmc_free(space->axes[i].values.items);
    nmc_free(space->axes);
    nmc_free(space->models.items);
    nmc_free(space->zips.items);
    nmc_free(space->objectives.items);
    nmc_free(space->fields.items);
    nmc_free(space->wheres.items);
    nmc_arena_release(&space->arena);
    *space = (struct nmc_space){0};
}

static neuromc_status add_all(struct nmc_asked_list *list, const char *const *texts, size_t count,
                              const char *option, neuromc_diags *diags) {
    for (size_t i = 0; i < count; i++)
        if (!nmc_asked_add(list, texts[i], (struct nmc_place){.file = option}))
            return nmc_out_of_memory(diags);
    return NEUROMC_OK;
}

/* "A,B,C": each of them. */
static neuromc_status add_split(struct nmc_space *space, struct nmc_asked_list *list,
                                const char *const *texts, size_t count, const char *option,
                                neuromc_diags *diags) {
    for (size_t i = 0; i < count; i++)
        for (const char *at = texts[i];; at++) {
            size_t length = strcspn(at, ",");
            if (!nmc_asked_add(list, nmc_arena_strndup(&space->arena, at, length),
                               (struct nmc_place){.file = option}))
                return nmc_out_of_memory(diags);
            at += length;
            if (!*at)
                break;
        }
    return NEUROMC_OK;
}

/* PATH=VALUES. The name of a dim may hold '='; its values do not. */
static neuromc_status add_vary(struct nmc_space *space, const char *text, neuromc_diags *diags) {
    const struct nmc_place place = {.file = "--vary"};
    const char *equals = strncmp(text, "dim.", 4) == 0 ? strrchr(text, '=') : strchr(text, '=');
    if (!equals || equals == text)
        return nmc_error(diags, NEUROMC_USAGE, place,
                         "for example --vary primitives_pj.add=0.1:1:0.1",
                         "expected PATH=VALUES, not \"%.64s\"", text);
    struct nmc_asked_axis axis = {.expression = true};
    axis.name.text = nmc_arena_strndup(&space->arena, text, (size_t)(equals - text));
    axis.name.place = (struct nmc_place){.file = "--vary", .where = axis.name.text};
    if (!axis.name.text || !nmc_asked_add(&axis.values, equals + 1, axis.name.place))
        return nmc_out_of_memory(diags);
    if (nmc_space_add_axis(space, &axis))
        return NEUROMC_OK;
    nmc_free(axis.values.items);
    return nmc_out_of_memory(diags);
}

/* Several models are an axis, before all others. */
static neuromc_status add_model_axis(struct nmc_space *space, neuromc_diags *diags) {
    if (space->models.count < 2)
        return NEUROMC_OK;
    struct nmc_asked_axis axis = {.name = {"model", space->models.items[0].place}};
    for (size_t i = 0; i < space->models.count; i++)
        if (!nmc_asked_add(&axis.values, space->models.items[i].text,
                           space->models.items[i].place)) {
            nmc_free(axis.values.items);
            return nmc_out_of_memory(diags);
        }
    if (!nmc_space_add_axis(space, &axis)) {
        nmc_free(axis.values.items);
        return nmc_out_of_memory(diags);
    }
    memmove(space->axes + 1, space->axes, (space->axis_count - 1) * sizeof *space->axes);
    space->axes[0] = axis;
    return NEUROMC_OK;
}

static neuromc_status read_all(struct nmc_space *space, const neuromc_sweep_options *options,
                               neuromc_diags *diags) {
    neuromc_status status =
        add_all(&space->models, options->models, options->model_count, "MODEL", diags);
    for (size_t i = 0; status == NEUROMC_OK && i < options->vary_count; i++)
        status = add_vary(space, options->vary[i], diags);
    if (status == NEUROMC_OK)
        status = add_all(&space->zips, options->zip, options->zip_count, "--zip", diags);
    if (status == NEUROMC_OK)
        status = add_split(space, &space->objectives, options->objectives, options->objective_count,
                           "--objective", diags);
    if (status == NEUROMC_OK)
        status = add_split(space, &space->fields, options->fields, options->field_count, "--field",
                           diags);
    if (status == NEUROMC_OK)
        status = add_all(&space->wheres, options->where, options->where_count, "--where", diags);
    if (status == NEUROMC_OK && !space->objectives.count &&
        !nmc_asked_add(&space->objectives, "energy_total_pj",
                       (struct nmc_place){.file = "--objective"}))
        status = nmc_out_of_memory(diags);
    return status == NEUROMC_OK ? add_model_axis(space, diags) : status;
}

neuromc_status nmc_space_read(struct nmc_space *space, const neuromc_sweep_options *options,
                              neuromc_diags *diags) {
    enum { TOP = 10 };
    *space = (struct nmc_space){.seed = 1, .top = TOP};
    nmc_arena_init(&space->arena, NMC_LIMIT_PRESET_MEMORY);
    neuromc_status status =
        options->space ? nmc_space_file(space, options->space, diags) : NEUROMC_OK;
    if (status == NEUROMC_OK)
        status = read_all(space, options, diags);
    if (options->preset)
        space->preset = options->preset;
    if (!space->preset)
        space->preset = "neuromc_like_v1";
    if (options->sample) {
        space->sample = options->sample;
        space->sampler = options->sampler;
        space->seed = options->seed;
    }
    if (options->top >= 0)
        space->top = options->top;
    space->pareto = space->pareto || options->pareto || space->objectives.count > 1;
    space->remap = space->remap || options->remap;
    return status;
}
