/*
 * map.h - the mappings of a model's layers, layer by layer and shape by shape.
 */
#ifndef NMC_MAP_H
#define NMC_MAP_H

#include "base/sink.h"
#include "mapping/mapper.h"

/* One fragment with MACs. */
struct nmc_map_layer {
    struct nmc_fragment fragment; /* texts in the map's arena */
    struct nmc_mapped mapped;
    struct nmc_map_layer *next; /* of the same shape */
};

/* All layers that share a mapping; counts and energies are those of all of them. */
struct nmc_map_shape {
    const struct nmc_solution *solution;
    struct nmc_map_layer *first, *last;
    int64_t layers;
    int64_t times; /* how often the mapping runs: groups and iterations of every layer */
    int64_t macs, cycles;
    double mac_pj, moved_pj; /* arithmetic, scaled by spike rates; operands */
};

struct neuromc_map {
    struct nmc_mapper mapper; /* borrows the preset */
    struct nmc_arena arena;
    struct nmc_map_layer **layers; /* in report order */
    size_t layer_count, layer_capacity;
    struct nmc_map_shape *shapes; /* in order of first appearance */
    size_t shape_count, shape_capacity;
    const char *model_name;
    bool partial;
    struct nmc_map_shape total; /* of all that have a mapping */
    int64_t unmapped;           /* layers */
};

static inline double nmc_shape_energy(const struct nmc_map_shape *shape) {
    return shape->mac_pj + shape->moved_pj;
}

/* MACs of those that there were cycles for. */
double nmc_shape_utilization(const struct neuromc_map *map, const struct nmc_map_shape *shape);

/* pJ of one layer, all its groups and iterations. */
double nmc_map_layer_energy(const struct nmc_map_layer *layer);
double nmc_map_layer_mac_energy(const struct nmc_map_layer *layer);

/* Each into a sink; none prints. */
void nmc_map_text(const struct neuromc_map *map, bool color, struct nmc_sink *sink);
void nmc_map_json(const struct neuromc_map *map, struct nmc_sink *sink);
void nmc_map_csv(const struct neuromc_map *map, struct nmc_sink *sink);
void nmc_map_yaml(const struct neuromc_map *map, struct nmc_sink *sink);

/* "N 1, K 64, C 3, P 112, Q 112, R 7, S 7" without dims of 1, and how it slides: ", stride 2 x 2"
 */
void nmc_problem_text(const struct nmc_problem *problem, struct nmc_strbuf *out);

#endif
