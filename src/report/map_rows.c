/* map_rows.c - mappings as CSV, a row for each layer, and as a mapping file, an entry for each
 * shape and op. */
#include <string.h>

#include "base/number.h"
#include "model/yaml_write.h"
#include "report/map.h"
#include "report/table.h"

void nmc_problem_text(const struct nmc_problem *problem, struct nmc_strbuf *out) {
    const char *between = "";
    for (int d = 0; d < NMC_MAP_DIMS; d++)
        if (problem->size[d] > 1) {
            nmc_strbuf_printf(out, "%s%s %lld", between, nmc_map_dim_names[d],
                              (long long)problem->size[d]);
            between = ", ";
        }
    if (!*between)
        nmc_strbuf_puts(out, "one MAC");
    if (problem->stride[0] > 1 || problem->stride[1] > 1)
        nmc_strbuf_printf(out, ", stride %lld x %lld", (long long)problem->stride[0],
                          (long long)problem->stride[1]);
    if (problem->dilation[0] > 1 || problem->dilation[1] > 1)
        nmc_strbuf_printf(out, ", dilation %lld x %lld", (long long)problem->dilation[0],
                          (long long)problem->dilation[1]);
    if (problem->role != NMC_MAP_FORWARD)
        nmc_strbuf_printf(out, ", as %s", nmc_map_role_names[problem->role]);
}

/* "K 2, P 7; x K 32; y C 3", or nothing */
static void level_text(const struct nmc_nest_level *level, struct nmc_strbuf *out) {
    nmc_loops_text(&level->temporal, out);
    for (int m = 0; m < NMC_MESHES; m++)
        if (level->spatial[m].count) {
            nmc_strbuf_printf(out, "%s%s ", out->length ? "; " : "", nmc_mesh_names[m]);
            nmc_loops_text(&level->spatial[m], out);
        }
}

/* ---- CSV ---------------------------------------------------------------------------------- */

static const char columns[] =
    "stage,node,op_name,core_type,role,N,K,C,P,Q,R,S,stride_p,stride_q,dilation_r,dilation_s,"
    "groups,times,mac_count,found,reason,reach,energy_total_pj,energy_mac_pj,cycles,utilization,"
    "mapping\r\n";

static void put(struct nmc_sink *sink, int64_t value) {
    nmc_sink_printf(sink, "%lld,", (long long)value);
}

static void put_number(struct nmc_sink *sink, double value) {
    char text[NMC_NUMBER_SIZE];
    nmc_number_format(text, value);
    nmc_sink_printf(sink, "%s,", text);
}

static void put_text(struct nmc_sink *sink, const char *text) {
    nmc_csv_text(sink, text);
    nmc_sink_puts(sink, ",");
}

static void put_identity(struct nmc_sink *sink, const struct nmc_map_layer *layer) {
    const struct nmc_fragment *f = &layer->fragment;
    const struct nmc_problem *problem = &layer->mapped.solution->problem;
    put_text(sink, f->stage);
    put_text(sink, f->node);
    put_text(sink, f->op);
    put_text(sink, nmc_core_names[f->core]);
    put_text(sink, nmc_map_role_names[problem->role]);
    for (int d = 0; d < NMC_MAP_DIMS; d++)
        put(sink, problem->size[d]);
    put(sink, problem->stride[0]);
    put(sink, problem->stride[1]);
    put(sink, problem->dilation[0]);
    put(sink, problem->dilation[1]);
    put(sink, layer->mapped.groups);
    put(sink, f->times);
    put(sink, f->macs * f->times);
}

/* "dram: K 2, P 7 | sram: Q 112; x K 32" */
static void put_nest(struct nmc_sink *sink, const struct neuromc_map *map,
                     const struct nmc_solution *solution, struct nmc_strbuf *line) {
    struct nmc_machine machine;
    struct nmc_nest nest;
    struct nmc_strbuf level;
    nmc_strbuf_init(&level);
    nmc_solution_nest(&map->mapper.solver, solution, &machine, &nest);
    for (int i = 0; i < machine.level_count; i++) {
        nmc_strbuf_clear(&level);
        level_text(&nest.levels[i], &level);
        nmc_strbuf_printf(line, "%s%s: %s", i ? " | " : "", machine.levels[i].name,
                          level.length ? level.text : "-");
    }
    sink->failed |= level.failed;
    nmc_strbuf_release(&level);
    nmc_csv_text(sink, line->text);
}

static void put_layer(struct nmc_sink *sink, const struct neuromc_map *map,
                      const struct nmc_map_layer *layer, struct nmc_strbuf *scratch) {
    const struct nmc_solution *solution = layer->mapped.solution;
    const struct nmc_map_shape one = {.macs = solution->counts.macs,
                                      .cycles = solution->counts.cycles};
    put_identity(sink, layer);
    nmc_strbuf_clear(scratch);
    if (!solution->result.found) {
        nmc_mapper_reason(&map->mapper, solution, scratch);
        nmc_sink_puts(sink, "false,");
        put_text(sink, scratch->text);
        nmc_sink_puts(sink, ",,,,,\r\n");
        return;
    }
    nmc_sink_puts(sink, "true,,");
    put_text(sink, nmc_map_reach_keys[solution->result.reach]);
    put_number(sink, nmc_map_layer_energy(layer));
    put_number(sink, nmc_map_layer_mac_energy(layer));
    put(sink, one.cycles * layer->mapped.groups * layer->fragment.times);
    put_number(sink, nmc_shape_utilization(map, &one));
    put_nest(sink, map, solution, scratch);
    nmc_sink_puts(sink, "\r\n");
}

void nmc_map_csv(const struct neuromc_map *map, struct nmc_sink *sink) {
    struct nmc_strbuf scratch;
    nmc_strbuf_init(&scratch);
    nmc_sink_puts(sink, columns);
    for (size_t i = 0; i < map->layer_count; i++)
        put_layer(sink, map, map->layers[i], &scratch);
    sink->failed |= scratch.failed;
    nmc_strbuf_release(&scratch);
}

/* ---- a mapping file ----------------------------------------------------------------------- */

static void put_loops(struct nmc_sink *sink, const char *key, const struct nmc_loops *loops,
                      const char **between, struct nmc_strbuf *scratch) {
    if (!loops->count)
        return;
    nmc_strbuf_clear(scratch);
    nmc_loops_text(loops, scratch);
    nmc_sink_printf(sink, "%s%s: [%s]", *between, key, scratch->text);
    *between = ", ";
}

static void put_levels(struct nmc_sink *sink, const struct neuromc_map *map,
                       const struct nmc_solution *solution, struct nmc_strbuf *scratch) {
    struct nmc_machine machine;
    struct nmc_nest nest;
    nmc_solution_nest(&map->mapper.solver, solution, &machine, &nest);
    nmc_sink_puts(sink, "    levels:\n");
    for (int i = 0; i < machine.level_count; i++) {
        const struct nmc_nest_level *level = &nest.levels[i];
        const char *between = "";
        nmc_sink_printf(sink, "      %s: {", machine.levels[i].name);
        put_loops(sink, "temporal", &level->temporal, &between, scratch);
        for (int m = 0; m < NMC_MESHES; m++)
            put_loops(sink, nmc_mesh_names[m], &level->spatial[m], &between, scratch);
        nmc_sink_puts(sink, "}\n");
    }
}

/* Names of the layers from `first` on that share its op, each once: a trace runs them again and
 * again. */
static void put_names(struct nmc_sink *sink, const struct nmc_map_layer *first) {
    struct nmc_strmap seen = {0};
    for (const struct nmc_map_layer *at = first; at; at = at->next) {
        const char *name = nmc_layer_name(at->fragment.node);
        if (strcmp(at->fragment.op, first->fragment.op) != 0 || nmc_strmap_get(&seen, name))
            continue;
        nmc_sink_puts(sink, "      - ");
        nmc_yaml_write_text(sink, name);
        nmc_sink_puts(sink, "\n");
        sink->failed |= !nmc_strmap_put(&seen, name, &seen);
    }
    nmc_strmap_release(&seen);
}

/* Layers of a shape that share the op of `first`, which is the first of them. */
static void put_entry(struct nmc_sink *sink, const struct neuromc_map *map,
                      const struct nmc_map_layer *first, struct nmc_strbuf *scratch) {
    const struct nmc_solution *solution = first->mapped.solution;
    nmc_strbuf_clear(scratch);
    nmc_problem_text(&solution->problem, scratch);
    nmc_sink_printf(sink, "  # %s\n  - op: ", scratch->text);
    nmc_yaml_write_text(sink, first->fragment.op);
    nmc_sink_puts(sink, "\n    layers:\n");
    put_names(sink, first);
    put_levels(sink, map, solution, scratch);
}

static bool op_came_before(const struct nmc_map_layer *first, const struct nmc_map_layer *layer) {
    for (; first != layer; first = first->next)
        if (strcmp(first->fragment.op, layer->fragment.op) == 0)
            return true;
    return false;
}

void nmc_map_yaml(const struct neuromc_map *map, struct nmc_sink *sink) {
    struct nmc_strbuf scratch;
    nmc_strbuf_init(&scratch);
    nmc_sink_puts(sink, "schema: neuromc-mapping/1\nmappings:");
    nmc_sink_puts(sink, map->unmapped == (int64_t)map->layer_count ? " []\n" : "\n");
    for (size_t i = 0; i < map->shape_count; i++)
        for (const struct nmc_map_layer *at = map->shapes[i].first; at; at = at->next)
            if (at->mapped.solution->result.found && !op_came_before(map->shapes[i].first, at))
                put_entry(sink, map, at, &scratch);
    sink->failed |= scratch.failed;
    nmc_strbuf_release(&scratch);
}
