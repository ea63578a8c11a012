#include "report/nest_json.h"

static void write_pair(struct nmc_json *json, const char *key, const int64_t pair[2]) {
    nmc_json_key(json, key);
    nmc_json_begin_flat(json, '[');
    nmc_json_integer(json, pair[0]);
    nmc_json_integer(json, pair[1]);
    nmc_json_end(json, ']');
}

void nmc_problem_json(struct nmc_json *json, const struct nmc_problem *problem) {
    nmc_json_key(json, "problem");
    nmc_json_begin_flat(json, '{');
    nmc_json_key_text(json, "role", nmc_map_role_names[problem->role]);
    for (int d = 0; d < NMC_MAP_DIMS; d++)
        nmc_json_key_integer(json, nmc_map_dim_names[d], problem->size[d]);
    write_pair(json, "stride", problem->stride);
    write_pair(json, "dilation", problem->dilation);
    nmc_json_key(json, "word_bits");
    nmc_json_begin(json, '{');
    for (int o = 0; o < NMC_MAP_OPERANDS; o++)
        nmc_json_key_integer(json, nmc_map_operand_keys[o], problem->word[o]);
    nmc_json_end(json, '}');
    nmc_json_end(json, '}');
}

static void write_loops(struct nmc_json *json, const char *key, const struct nmc_loops *loops) {
    nmc_json_key(json, key);
    nmc_json_begin_flat(json, '[');
    for (int i = 0; i < loops->count; i++) {
        nmc_json_begin(json, '[');
        nmc_json_text(json, nmc_map_dim_names[loops->items[i].dim]);
        nmc_json_integer(json, loops->items[i].count);
        nmc_json_end(json, ']');
    }
    nmc_json_end(json, ']');
}

static void write_operand(struct nmc_json *json, const struct nmc_map_counts *counts, int level,
                          int operand) {
    const struct nmc_traffic *traffic = &counts->traffic[level][operand];
    nmc_json_key(json, nmc_map_operand_keys[operand]);
    nmc_json_begin_flat(json, '{');
    nmc_json_key_integer(json, "tile_words", traffic->capacity);
    nmc_json_key(json, "accesses");
    nmc_json_begin(json, '{');
    for (int d = 0; d < NMC_DIRECTIONS; d++)
        nmc_json_key_integer(json, nmc_direction_names[d], traffic->accesses[d]);
    nmc_json_end(json, '}');
    nmc_json_key_number(json, "energy_pj", traffic->energy_pj);
    nmc_json_end(json, '}');
}

static void write_network(struct nmc_json *json, const struct nmc_map_counts *counts, int level) {
    nmc_json_key(json, "network");
    nmc_json_begin(json, '{');
    for (int o = 0; o < NMC_MAP_OPERANDS; o++) {
        nmc_json_key(json, nmc_map_operand_keys[o]);
        nmc_json_begin_flat(json, '{');
        nmc_json_key_integer(json, "down", counts->down[level][o]);
        nmc_json_key_integer(json, "up", counts->up[level][o]);
        nmc_json_key_number(json, "energy_pj", counts->network_pj[level][o]);
        nmc_json_end(json, '}');
    }
    nmc_json_end(json, '}');
}

static void write_level(struct nmc_json *json, const struct nmc_solution *solution,
                        const struct nmc_machine *machine, const struct nmc_nest *nest, int level) {
    const struct nmc_nest_level *loops = &nest->levels[level];
    nmc_json_begin(json, '{');
    nmc_json_key_text(json, "name", machine->levels[level].name);
    write_loops(json, "temporal", &loops->temporal);
    write_loops(json, "spatial_x", &loops->spatial[NMC_MESH_X]);
    write_loops(json, "spatial_y", &loops->spatial[NMC_MESH_Y]);
    nmc_json_key_integer(json, "instances", solution->counts.instances[level]);
    nmc_json_key_integer(json, "cycles", solution->counts.level_cycles[level]);
    nmc_json_key(json, "operands");
    nmc_json_begin(json, '{');
    for (int o = 0; o < NMC_MAP_OPERANDS; o++)
        if (loops->keep & 1u << o)
            write_operand(json, &solution->counts, level, o);
    nmc_json_end(json, '}');
    if (machine->levels[level].network >= 0)
        write_network(json, &solution->counts, level);
    nmc_json_end(json, '}');
}

void nmc_nest_json(struct nmc_json *json, const struct nmc_solution *solution,
                   const struct nmc_machine *machine) {
    struct nmc_nest nest;
    nmc_plan_nest(&solution->result.plan, machine, &nest);
    nmc_json_key(json, "mapping");
    nmc_json_begin(json, '{');
    nmc_json_key_number(json, "energy_pj", solution->counts.total_pj);
    nmc_json_key_number(json, "energy_mac_pj", solution->counts.mac_pj);
    nmc_json_key_integer(json, "mac_count", solution->counts.macs);
    nmc_json_key_integer(json, "macs_used", solution->counts.macs_used);
    nmc_json_key_integer(json, "cycles", solution->counts.cycles);
    nmc_json_key(json, "levels");
    nmc_json_begin(json, '[');
    for (int i = 0; i < machine->level_count; i++)
        write_level(json, solution, machine, &nest, i);
    nmc_json_end(json, ']');
    nmc_json_end(json, '}');
}
