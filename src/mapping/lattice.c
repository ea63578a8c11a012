#include "mapping/lattice.h"

#include <string.h>

#include "base/limits.h"

/* Divisors in ascending order. Where there are too many, every so many-th is kept, with both
 * ends; *thinned tells. */
static int find_divisors(int64_t size, int most, int64_t out[NMC_MOST_DIVISORS], bool *thinned) {
    int64_t low[1024], all[2048];
    int lows = 0, count = 0;
    for (int64_t d = 1; d <= size / d && d < 1 << 20 && lows < 1024; d++)
        if (size % d == 0)
            low[lows++] = d;
    for (int i = 0; i < lows; i++)
        all[count++] = low[i];
    for (int i = lows - 1; i >= 0; i--)
        if (size / low[i] != low[i])
            all[count++] = size / low[i];
    if (count <= most) {
        memcpy(out, all, (size_t)count * sizeof *out);
        return count;
    }
    *thinned = true;
    for (int i = 0; i < most; i++)
        out[i] = all[(int64_t)i * (count - 1) / (most - 1)];
    return most;
}

static void find_inside(struct nmc_lattice *lattice, int d) {
    for (int i = 0; i < lattice->count[d]; i++) {
        int count = 0;
        for (int j = 0; j <= i; j++)
            if (lattice->divisors[d][i] % lattice->divisors[d][j] == 0)
                lattice->inside[d][i][count++] = (uint8_t)j;
        lattice->inside_count[d][i] = (uint8_t)count;
    }
}

static uint64_t product(const int count[NMC_MAP_DIMS]) {
    uint64_t tiles = 1;
    for (int d = 0; d < NMC_MAP_DIMS; d++)
        tiles *= (uint64_t)count[d]; /* at most 64^7 = 2^42 */
    return tiles;
}

void nmc_lattice_init(struct nmc_lattice *lattice, const int64_t size[NMC_MAP_DIMS]) {
    *lattice = (struct nmc_lattice){.tiles = 1};
    for (int d = 0; d < NMC_MAP_DIMS; d++)
        lattice->count[d] =
            find_divisors(size[d], NMC_MOST_DIVISORS, lattice->divisors[d], &lattice->thinned);
    while (product(lattice->count) > NMC_LIMIT_MAP_TILES) {
        int most = 0;
        for (int d = 1; d < NMC_MAP_DIMS; d++)
            if (lattice->count[d] > lattice->count[most])
                most = d;
        lattice->count[most] = find_divisors(size[most], lattice->count[most] - 1,
                                             lattice->divisors[most], &lattice->thinned);
    }
    for (int d = NMC_MAP_DIMS - 1; d >= 0; d--) {
        lattice->stride[d] = lattice->tiles;
        lattice->tiles *= (uint32_t)lattice->count[d];
        find_inside(lattice, d);
    }
}

static int index_of(const struct nmc_lattice *lattice, uint32_t tile, int d) {
    if (lattice->count[d] == 1)
        return 0;
    return (int)(tile / lattice->stride[d] % (uint32_t)lattice->count[d]);
}

void nmc_lattice_tile(const struct nmc_lattice *lattice, uint32_t tile,
                      int64_t extent[NMC_MAP_DIMS]) {
    for (int d = 0; d < NMC_MAP_DIMS; d++)
        extent[d] = lattice->divisors[d][index_of(lattice, tile, d)];
}

double nmc_lattice_chains(const struct nmc_lattice *lattice, int levels) {
    double product = 1;
    for (int d = 0; d < NMC_MAP_DIMS; d++) {
        double ways[NMC_MOST_DIVISORS], more[NMC_MOST_DIVISORS];
        for (int i = 0; i < lattice->count[d]; i++)
            ways[i] = 1;
        for (int level = 1; level < levels; level++) {
            for (int i = 0; i < lattice->count[d]; i++) {
                more[i] = 0;
                for (int k = 0; k < lattice->inside_count[d][i]; k++)
                    more[i] += ways[lattice->inside[d][i][k]];
            }
            memcpy(ways, more, sizeof ways);
        }
        product *= ways[lattice->count[d] - 1];
    }
    return product;
}

/* Dim by dim: the least over a box of choices is the least of the leasts. */
void nmc_lattice_least_inside(const struct nmc_lattice *lattice, double *values, double *scratch) {
    for (int d = 0; d < NMC_MAP_DIMS; d++) {
        uint32_t stride = lattice->stride[d];
        if (lattice->count[d] == 1)
            continue;
        memcpy(scratch, values, lattice->tiles * sizeof *values);
        for (uint32_t tile = 0; tile < lattice->tiles; tile++) {
            int i = index_of(lattice, tile, d);
            uint32_t base = tile - (uint32_t)i * stride;
            for (int k = 0; k < lattice->inside_count[d][i]; k++) {
                double value = scratch[base + lattice->inside[d][i][k] * stride];
                if (value < values[tile])
                    values[tile] = value;
            }
        }
    }
}

static void each_inside(const struct nmc_lattice *lattice, uint32_t outer, int d, uint32_t tile,
                        nmc_lattice_visit *visit, void *user) {
    if (d == NMC_MAP_DIMS) {
        visit(user, tile);
        return;
    }
    int i = index_of(lattice, outer, d);
    for (int k = 0; k < lattice->inside_count[d][i]; k++)
        each_inside(lattice, outer, d + 1, tile + lattice->inside[d][i][k] * lattice->stride[d],
                    visit, user);
}

void nmc_lattice_each_inside(const struct nmc_lattice *lattice, uint32_t tile,
                             nmc_lattice_visit *visit, void *user) {
    each_inside(lattice, tile, 0, 0, visit, user);
}
