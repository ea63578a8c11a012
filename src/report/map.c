#include "report/map.h"

#include <string.h>

#include "base/checked.h"
#include "base/memory.h"
#include "frontends/model_file.h"
#include "model/lower.h"
#include "model/trace_lower.h"
#include "report/report.h"

double nmc_shape_utilization(const struct neuromc_map *map, const struct nmc_map_shape *shape) {
    const struct nmc_preset_machine *machine = &map->mapper.preset->machine;
    double units = (double)machine->macs[NMC_MESH_X] * (double)machine->macs[NMC_MESH_Y];
    double slots = (double)shape->cycles * units;
    return slots > 0 ? (double)shape->macs / slots : 0;
}

/* How often the mapping of a layer runs. */
static double runs(const struct nmc_map_layer *layer) {
    return (double)layer->mapped.groups * (double)layer->fragment.times;
}

double nmc_map_layer_mac_energy(const struct nmc_map_layer *layer) {
    return layer->mapped.solution->counts.mac_pj * layer->fragment.spike_rate * runs(layer);
}

static double moved_energy(const struct nmc_map_layer *layer) {
    const struct nmc_map_counts *counts = &layer->mapped.solution->counts;
    return (counts->total_pj - counts->mac_pj) * runs(layer);
}

double nmc_map_layer_energy(const struct nmc_map_layer *layer) {
    return nmc_map_layer_mac_energy(layer) + moved_energy(layer);
}

/* ---- collecting --------------------------------------------------------------------------- */

struct collecting {
    struct neuromc_map *map;
    neuromc_diags *diags;
};

static bool copy_texts(struct nmc_arena *arena, struct nmc_fragment *fragment) {
    fragment->stage = nmc_arena_strdup(arena, fragment->stage);
    fragment->op = nmc_arena_strdup(arena, fragment->op);
    fragment->node = nmc_arena_strdup(arena, fragment->node);
    return fragment->stage && fragment->op && fragment->node;
}

static neuromc_status on_fragment(void *user, const struct nmc_fragment *fragment) {
    struct collecting *c = user;
    struct neuromc_map *map = c->map;
    if (!nmc_is_mappable(fragment))
        return NEUROMC_OK;
    struct nmc_map_layer *layer = nmc_arena_alloc(&map->arena, sizeof *layer);
    if (!layer || !nmc_grow(&map->layers, &map->layer_capacity, map->layer_count + 1,
                            sizeof(struct nmc_map_layer *)))
        return nmc_out_of_memory(c->diags);
    layer->fragment = *fragment;
    if (!copy_texts(&map->arena, &layer->fragment))
        return nmc_out_of_memory(c->diags);
    map->layers[map->layer_count++] = layer;
    return nmc_mapper_add(&map->mapper, fragment, &layer->mapped, c->diags);
}

static neuromc_status on_coverage(void *user, const char *op, enum nmc_coverage_kind kind,
                                  int64_t elements) {
    (void)user, (void)op, (void)kind, (void)elements;
    return NEUROMC_OK;
}

static neuromc_status on_warning(void *user, const char *text) {
    struct collecting *c = user;
    nmc_warning(c->diags, (struct nmc_place){0}, NULL, "%s", text);
    return NEUROMC_OK;
}

static neuromc_status collect(struct neuromc_map *map, neuromc_model *model,
                              const neuromc_estimate_options *options, neuromc_diags *diags) {
    struct collecting collecting = {map, diags};
    neuromc_estimate_options mapped = *options;
    struct nmc_trace_summary summary;
    const struct neuromc_preset *preset = map->mapper.preset;
    struct nmc_work_sink sink = {.user = &collecting,
                                 .fragment = on_fragment,
                                 .coverage = on_coverage,
                                 .warning = on_warning};
    mapped.stages &= ~(unsigned)NEUROMC_STAGE_OPTIMIZER; /* it has no MACs */
    if (options->stages && !mapped.stages)
        return NEUROMC_OK;
    if (model->net)
        return nmc_lower_net(model->net, preset, &mapped, &sink, diags);
    model->spent = model->peek.taken;
    return nmc_trace_lower(model->path, &model->peek, &preset->precision, options, &sink, &summary,
                           diags);
}

/* ---- shapes ------------------------------------------------------------------------------- */

static bool add_to(struct nmc_map_shape *to, const struct nmc_map_layer *layer) {
    const struct nmc_map_counts *counts = &layer->mapped.solution->counts;
    int64_t times, macs, cycles;
    bool fits = nmc_mul(layer->mapped.groups, layer->fragment.times, &times) &&
                nmc_mul(layer->fragment.macs, layer->fragment.times, &macs) &&
                nmc_mul(counts->cycles, times, &cycles) && nmc_add(to->times, times, &to->times) &&
                nmc_add(to->macs, macs, &to->macs) && nmc_add(to->cycles, cycles, &to->cycles);
    to->layers++;
    to->mac_pj += nmc_map_layer_mac_energy(layer);
    to->moved_pj += moved_energy(layer);
    return fits;
}

static struct nmc_map_shape *shape_of(struct neuromc_map *map,
                                      const struct nmc_solution *solution) {
    for (size_t i = 0; i < map->shape_count; i++)
        if (map->shapes[i].solution == solution)
            return &map->shapes[i];
    if (!nmc_grow(&map->shapes, &map->shape_capacity, map->shape_count + 1, sizeof *map->shapes))
        return NULL;
    map->shapes[map->shape_count] = (struct nmc_map_shape){.solution = solution};
    return &map->shapes[map->shape_count++];
}

static void append(struct nmc_map_shape *shape, struct nmc_map_layer *layer) {
    if (shape->last)
        shape->last->next = layer;
    else
        shape->first = layer;
    shape->last = layer;
}

static neuromc_status add_layer(struct neuromc_map *map, struct nmc_map_layer *layer,
                                neuromc_diags *diags) {
    struct nmc_map_shape *shape = shape_of(map, layer->mapped.solution);
    if (!shape)
        return nmc_out_of_memory(diags);
    append(shape, layer);
    bool found = layer->mapped.solution->result.found;
    map->unmapped += !found;
    if (add_to(shape, layer) && (!found || add_to(&map->total, layer)))
        return NEUROMC_OK;
    return nmc_error(diags, NEUROMC_BAD_INPUT, (struct nmc_place){.where = layer->fragment.node},
                     "its dims are too large to be meant",
                     "the work of this %s does not fit 64-bit counts", layer->fragment.op);
}

static neuromc_status form_shapes(struct neuromc_map *map, neuromc_diags *diags) {
    neuromc_status status = NEUROMC_OK;
    for (size_t i = 0; status == NEUROMC_OK && i < map->layer_count; i++)
        status = add_layer(map, map->layers[i], diags);
    for (size_t i = 0; i < map->shape_count; i++)
        map->partial |= map->shapes[i].solution->result.reach == NMC_REACH_STOPPED;
    return status;
}

/* ---- public ------------------------------------------------------------------------------- */

static neuromc_status run(struct neuromc_map *map, neuromc_model *model,
                          const struct neuromc_preset *preset,
                          const neuromc_estimate_options *options, neuromc_diags *diags) {
    neuromc_status status = nmc_mapper_init(&map->mapper, preset, options->map, diags);
    if (status == NEUROMC_OK)
        status = collect(map, model, options, diags);
    if (status == NEUROMC_OK)
        status = nmc_mapper_finish(&map->mapper, diags);
    if (status == NEUROMC_OK)
        status = nmc_mapper_run(&map->mapper, diags);
    if (status == NEUROMC_OK)
        status = form_shapes(map, diags);
    if (status == NEUROMC_OK && map->unmapped)
        nmc_warning(diags, (struct nmc_place){.file = model->path}, NULL,
                    "%lld of %lld layers fit no mapping: the totals are of the others",
                    (long long)map->unmapped, (long long)map->layer_count);
    return status;
}

neuromc_status neuromc_map_model(neuromc_model *model, const neuromc_preset *preset,
                                 const neuromc_estimate_options *options, neuromc_map **out,
                                 neuromc_diags *diags) {
    static const neuromc_estimate_options defaults = {.accounting = NEUROMC_CORRECTED};
    options = options ? options : &defaults;
    *out = NULL;
    neuromc_status status = nmc_estimate_check(model, preset, options, diags);
    if (status != NEUROMC_OK)
        return status;
    struct neuromc_map *map = nmc_malloc(sizeof *map);
    if (!map)
        return nmc_out_of_memory(diags);
    *map = (struct neuromc_map){.model_name = NULL};
    nmc_arena_init(&map->arena, NMC_LIMIT_MODEL_BYTES);
    map->model_name = nmc_arena_strdup(&map->arena, nmc_file_name(model->path));
    status = map->model_name ? run(map, model, preset, options, diags) : nmc_out_of_memory(diags);
    if (status == NEUROMC_OK)
        *out = map;
    else
        neuromc_map_free(map);
    return status;
}

void neuromc_map_free(neuromc_map *map) {
    if (!map)
        return;
    nmc_mapper_release(&map->mapper);
    nmc_free(map->layers);
    nmc_free(map->shapes);
    nmc_arena_release(&map->arena);
    nmc_free(map);
}

bool neuromc_map_partial(const neuromc_map *map) {
    return map->partial;
}

double neuromc_map_energy_total_pj(const neuromc_map *map) {
    return nmc_shape_energy(&map->total);
}

neuromc_status neuromc_map_write(const neuromc_map *map, const neuromc_write_options *options,
                                 neuromc_write_fn write, void *user, neuromc_diags *diags) {
    struct nmc_sink sink;
    nmc_sink_init(&sink, write, user);
    switch (options->format) {
    case NEUROMC_JSON: nmc_map_json(map, &sink); break;
    case NEUROMC_CSV: nmc_map_csv(map, &sink); break;
    case NEUROMC_YAML: nmc_map_yaml(map, &sink); break;
    default: nmc_map_text(map, options->color, &sink); break;
    }
    return nmc_sink_finish(&sink, diags);
}
