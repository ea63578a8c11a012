/* The tilings in question, and bounds on each of them. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "mapping/searching.h"

static const int64_t one[NMC_MAP_DIMS] = {1, 1, 1, 1, 1, 1, 1};

static bool make_room(struct nmc_search *s) {
    size_t tiles = s->lattice->tiles, levels = (size_t)s->cost.levels;
    if (!nmc_grow(&s->tables, &s->table_room, tiles * (2 * levels + 1), sizeof *s->tables) ||
        !nmc_grow(&s->choices, &s->choice_room, tiles, sizeof *s->choices))
        return false;
    for (size_t i = 0; i < levels; i++) {
        s->inside[i] = s->tables + tiles * (2 * i);
        s->into[i] = s->tables + tiles * (2 * i + 1);
    }
    return true;
}

void nmc_space_tile(const struct nmc_search *s, int level, uint32_t tile,
                    int64_t extent[NMC_MAP_DIMS]) {
    nmc_lattice_tile(s->lattice, tile, extent);
    for (int d = 0; d < NMC_MAP_DIMS; d++)
        extent[d] *= s->closed.extent[level][d];
}

/* From the innermost level out: the least into each tile, on top of the least inside it. The
 * least that is inside a tile of the level above is that of the best tile in it. */
static void fill_tables(struct nmc_search *s) {
    uint32_t tiles = s->lattice->tiles;
    int innermost = s->cost.levels - 1;
    double *scratch = s->tables + (size_t)tiles * 2 * (size_t)s->cost.levels;
    double to_macs = nmc_cost_least(&s->cost, s->cost.levels, one, s->whole);
    for (uint32_t t = 0; t < tiles; t++)
        s->inside[innermost][t] = to_macs;
    for (int level = innermost; level >= 1; level--) {
        for (uint32_t t = 0; t < tiles; t++) {
            int64_t extent[NMC_MAP_DIMS];
            nmc_space_tile(s, level, t, extent);
            s->into[level][t] =
                nmc_cost_least(&s->cost, level, extent, s->whole) + s->inside[level][t];
        }
        memcpy(s->inside[level - 1], s->into[level], tiles * sizeof *scratch);
        nmc_lattice_least_inside(s->lattice, s->inside[level - 1], scratch);
    }
    s->work += (int64_t)tiles * innermost;
    s->ended = s->ended || s->work >= s->most_work;
}

bool nmc_space_open(struct nmc_search *s, unsigned open) {
    int64_t extent[NMC_MAP_DIMS];
    for (int d = 0; d < NMC_MAP_DIMS; d++)
        extent[d] = open & 1u << d ? s->whole[d] : 1;
    for (int i = 0; i < s->cost.levels; i++)
        for (int d = 0; d < NMC_MAP_DIMS; d++)
            s->closed.extent[i][d] = open & 1u << d ? 1 : s->tiling.extent[i][d];
    nmc_lattice_init(s->lattice, extent);
    if (!make_room(s))
        return false;
    fill_tables(s);
    return true;
}
