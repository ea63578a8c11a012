/*
 * machine.h - a machine that loop nests are mapped to, as a preset describes it.
 */
#ifndef NMC_MACHINE_H
#define NMC_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

/* How the operands of MACs are counted. */
enum nmc_access_model {
    NMC_ACCESS_ONCE,  /* each word passes the register and the SRAM of its operand once */
    NMC_ACCESS_MAPPED /* as the best loop nest on the preset's machine moves it */
};
enum { NMC_ACCESS_MODELS = 2 };
extern const char *const nmc_access_model_names[NMC_ACCESS_MODELS];

enum nmc_map_dim {
    NMC_MAP_N,
    NMC_MAP_K,
    NMC_MAP_C,
    NMC_MAP_P,
    NMC_MAP_Q,
    NMC_MAP_R,
    NMC_MAP_S,
    NMC_MAP_DIMS
};
extern const char *const nmc_map_dim_names[NMC_MAP_DIMS]; /* "N" "K" ... */

enum nmc_map_operand { NMC_MAP_WEIGHTS, NMC_MAP_INPUTS, NMC_MAP_OUTPUTS, NMC_MAP_OPERANDS };
extern const char *const nmc_map_operand_names[NMC_MAP_OPERANDS]; /* "Weights" ... */
extern const char *const nmc_map_operand_keys[NMC_MAP_OPERANDS];  /* "weights" ... */

enum nmc_mesh { NMC_MESH_X, NMC_MESH_Y, NMC_MESHES };
extern const char *const nmc_mesh_names[NMC_MESHES]; /* "x" "y" */

enum nmc_counting {
    NMC_COUNT_WORDS, /* words of one instance, in whole accesses */
    NMC_COUNT_PORTS  /* parts of a port's width over all instances, as ZigZag counts */
};
enum { NMC_COUNTINGS = 2 };
extern const char *const nmc_counting_names[NMC_COUNTINGS];

struct nmc_preset_level {
    const char *name;
    int memory; /* index in the preset: size, widths and prices */
    enum nmc_map_operand keeps[NMC_MAP_OPERANDS];
    int keep_count;
    int64_t along[NMC_MESHES]; /* instances; 0: not stated, which is 1 */
    enum nmc_map_dim spread[NMC_MESHES]
                           [NMC_MAP_DIMS]; /* what may be unrolled over the next level */
    int spread_count[NMC_MESHES];
    int64_t read_bits_per_cycle, write_bits_per_cycle; /* 0: without bound */
    int64_t least_bits; /* smallest part of an access that moves alone; 0: all of it */
    int network;        /* instance that carries words to and from the next level; -1: none */
};

struct nmc_preset_machine {
    enum nmc_counting counting;
    bool elide_first_reads; /* a partial sum is not read before anything was written to it */
    bool count_drains;      /* a partial sum that goes outwards is read where it was */
    int64_t macs[NMC_MESHES];
    int64_t partial_sum_bits;              /* 0: as wide as outputs */
    const struct nmc_preset_level *levels; /* outermost first */
    int level_count;
};

#endif
