/* map_json.c - mappings as JSON; the schema is docs/map.schema.json. */
#include <stdio.h>

#include "base/json_write.h"
#include "report/map.h"
#include "report/nest_json.h"

static void write_head(struct nmc_json *json, const struct neuromc_map *map) {
    const struct neuromc_preset *preset = map->mapper.preset;
    char hash[20];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)preset->hash);
    nmc_json_key(json, "schema");
    nmc_json_begin_flat(json, '{');
    nmc_json_key_text(json, "name", "neuromc-map");
    nmc_json_key_integer(json, "version", 1);
    nmc_json_end(json, '}');
    nmc_json_key_text(json, "model", map->model_name);
    nmc_json_key(json, "preset");
    nmc_json_begin_flat(json, '{');
    nmc_json_key_text(json, "name", preset->name);
    nmc_json_key_text(json, "hash", hash);
    nmc_json_end(json, '}');
    nmc_json_key_text(json, "objective",
                      nmc_map_objective_names[map->mapper.solver.options.objective]);
    nmc_json_key_bool(json, "partial", map->partial);
}

static void write_machine(struct nmc_json *json, const struct neuromc_preset *preset) {
    const struct nmc_preset_machine *machine = &preset->machine;
    nmc_json_key(json, "machine");
    nmc_json_begin(json, '{');
    nmc_json_key_text(json, "counting", nmc_counting_names[machine->counting]);
    nmc_json_key_integer(json, "macs_x", machine->macs[NMC_MESH_X]);
    nmc_json_key_integer(json, "macs_y", machine->macs[NMC_MESH_Y]);
    nmc_json_key(json, "levels");
    nmc_json_begin(json, '[');
    for (int i = 0; i < machine->level_count; i++) {
        nmc_json_begin_flat(json, '{');
        nmc_json_key_text(json, "name", machine->levels[i].name);
        nmc_json_key_text(json, "memory", preset->memories[machine->levels[i].memory].name);
        nmc_json_end(json, '}');
    }
    nmc_json_end(json, ']');
    nmc_json_end(json, '}');
}

static void write_sums(struct nmc_json *json, const struct neuromc_map *map,
                       const struct nmc_map_shape *shape) {
    nmc_json_key_number(json, "energy_total_pj", nmc_shape_energy(shape));
    nmc_json_key_number(json, "energy_mac_pj", shape->mac_pj);
    nmc_json_key_integer(json, "mac_count", shape->macs);
    nmc_json_key_integer(json, "cycles", shape->cycles);
    nmc_json_key_number(json, "utilization", nmc_shape_utilization(map, shape));
}

static void write_layers(struct nmc_json *json, const struct nmc_map_shape *shape) {
    nmc_json_key(json, "layers");
    nmc_json_begin(json, '[');
    for (const struct nmc_map_layer *layer = shape->first; layer; layer = layer->next) {
        nmc_json_begin_flat(json, '{');
        nmc_json_key_text(json, "stage", layer->fragment.stage);
        nmc_json_key_text(json, "node", layer->fragment.node);
        nmc_json_key_text(json, "op_name", layer->fragment.op);
        nmc_json_key_integer(json, "groups", layer->mapped.groups);
        nmc_json_key_integer(json, "times", layer->fragment.times);
        nmc_json_key_number(json, "spike_rate", layer->fragment.spike_rate);
        nmc_json_end(json, '}');
    }
    nmc_json_end(json, ']');
}

static void write_shape(struct nmc_json *json, const struct neuromc_map *map,
                        const struct nmc_map_shape *shape) {
    const struct nmc_solution *solution = shape->solution;
    bool found = solution->result.found;
    struct nmc_machine machine;
    nmc_json_begin(json, '{');
    nmc_problem_json(json, &solution->problem);
    nmc_json_key_text(json, "core_type", nmc_core_names[solution->core]);
    write_layers(json, shape);
    nmc_json_key_integer(json, "times", shape->times);
    nmc_json_key_bool(json, "found", found);
    if (found) {
        nmc_json_key_text(json, "reach", nmc_map_reach_keys[solution->result.reach]);
        nmc_json_key_integer(json, "steps", solution->result.steps);
        write_sums(json, map, shape);
        nmc_machine_of(map->mapper.preset, solution->core, &machine);
        nmc_nest_json(json, solution, &machine);
    } else {
        struct nmc_strbuf reason;
        nmc_strbuf_init(&reason);
        nmc_mapper_reason(&map->mapper, solution, &reason);
        nmc_json_key_text(json, "reason", reason.text);
        json->sink->failed |= reason.failed;
        nmc_strbuf_release(&reason);
    }
    nmc_json_end(json, '}');
}

void nmc_map_json(const struct neuromc_map *map, struct nmc_sink *sink) {
    struct nmc_json writer, *json = &writer;
    nmc_json_init(json, sink);
    nmc_json_begin(json, '{');
    write_head(json, map);
    write_machine(json, map->mapper.preset);
    nmc_json_key_integer(json, "layers", (int64_t)map->layer_count);
    nmc_json_key_integer(json, "unmapped", map->unmapped);
    write_sums(json, map, &map->total);
    nmc_json_key(json, "shapes");
    nmc_json_begin(json, '[');
    for (size_t i = 0; i < map->shape_count; i++)
        write_shape(json, map, &map->shapes[i]);
    nmc_json_end(json, ']');
    nmc_json_end(json, '}');
}
