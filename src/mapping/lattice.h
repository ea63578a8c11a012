/*
 * lattice.h - the tiles of a loop nest: for each dim a divisor of what is to be cut.
 *
 * Tiles are numbered from 0 by mixed radix over the divisors in ascending order, dim N slowest. A
 * tile lies inside another if each of its extents divides the other's.
 */
#ifndef NMC_LATTICE_H
#define NMC_LATTICE_H

#include "base/diag.h"
#include "mapping/nest.h"

enum { NMC_MOST_DIVISORS = 64 };

struct nmc_lattice {
    int64_t divisors[NMC_MAP_DIMS][NMC_MOST_DIVISORS];
    int count[NMC_MAP_DIMS];
    uint32_t stride[NMC_MAP_DIMS]; /* of the number when the divisor advances by one */
    uint32_t tiles;
    bool thinned; /* there are more divisors than are here */
    /* Divisors of a divisor: inside[d][i][0 .. inside_count[d][i]) are their indices. */
    uint8_t inside[NMC_MAP_DIMS][NMC_MOST_DIVISORS][NMC_MOST_DIVISORS];
    uint8_t inside_count[NMC_MAP_DIMS][NMC_MOST_DIVISORS];
};

/* At most NMC_LIMIT_MAP_TILES tiles; beyond that dims with many divisors lose some. */
void nmc_lattice_init(struct nmc_lattice *lattice, const int64_t size[NMC_MAP_DIMS]);

/* Extents of a tile. */
void nmc_lattice_tile(const struct nmc_lattice *lattice, uint32_t tile,
                      int64_t extent[NMC_MAP_DIMS]);

/* How many ways there are to cut the whole into `levels` nested tiles. */
double nmc_lattice_chains(const struct nmc_lattice *lattice, int levels);

/* values[t] becomes the least value of all tiles inside t, itself included. scratch holds as many
 * values. */
void nmc_lattice_least_inside(const struct nmc_lattice *lattice, double *values, double *scratch);

/* Calls visit for every tile inside a tile. */
typedef void nmc_lattice_visit(void *user, uint32_t tile);
void nmc_lattice_each_inside(const struct nmc_lattice *lattice, uint32_t tile,
                             nmc_lattice_visit *visit, void *user);

#endif
