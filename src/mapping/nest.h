/*
 * nest.h - a convolution as a loop nest on a described machine: problem, machine, mapping.
 *
 * Dims are N (batch), K and C (output and input channels), P and Q (output extents), R and S
 * (filter extents); R slides with P, S with Q: an input index is P * stride + R * dilation.
 * Levels stand outermost first, level 0 is the one that everything comes from (DRAM). The
 * temporal loops of a level run inside those of the level above it; its spatial loops spread the
 * work over the instances of the next level in, those of the last level over the MACs.
 *
 * Words are elements; energies are pJ. The rules of counting are in docs/mapping.md.
 *
 * Operands are what a MAC has: two that are read, called after those of a forward convolution
 * (Weights, Inputs), and one that is accumulated (Outputs). Which tensor each of them is depends
 * on the role: the gradient of the input, for one, reads the output's gradient where the forward
 * pass reads its input, and accumulates the input's.
 */
#ifndef NMC_NEST_H
#define NMC_NEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/limits.h"
#include "model/machine.h"

/* Each operand is a box of words along four axes: Weights K C R S, Inputs N C W H, Outputs
 * N K P Q. */
enum { NMC_MAP_AXES = 4 };

/* What the operands of a MAC are; all roles of a convolution share its dims and MACs. */
enum nmc_map_role {
    NMC_MAP_FORWARD,
    NMC_MAP_GRAD_INPUT,  /* reads W and O, accumulates I; also a transposed convolution */
    NMC_MAP_GRAD_WEIGHT, /* reads I as Inputs and O as Weights, accumulates W */
    NMC_MAP_TRANSPOSED_GRAD_WEIGHT, /* reads O as Inputs and I as Weights, accumulates W */
    NMC_MAP_ROLES
};
extern const char *const nmc_map_role_names[NMC_MAP_ROLES]; /* "forward" ... */

/* All sizes, strides and dilations are >= 1. [0] is of P and R, [1] of Q and S. A word has a size
 * in whatever unit the levels of the machine have: 1 where they are in words, else bits. */
struct nmc_problem {
    enum nmc_map_role role;
    int64_t size[NMC_MAP_DIMS];
    int64_t stride[2], dilation[2];
    int64_t extent[2]; /* of the input without padding; 0: not known */
    int64_t word[NMC_MAP_OPERANDS];
    int64_t final_word; /* of an output that is complete */
};

struct nmc_machine_level {
    const char *name;
    unsigned can_keep;                  /* mask of 1 << operand */
    int64_t size;                       /* of one instance; 0: without bound */
    int64_t read_width, write_width;    /* moved by one access */
    int64_t read_least, write_least;    /* smallest part of a width that can be moved alone */
    int64_t mesh[NMC_MESHES];           /* instances along X and along Y */
    double read_pj, fill_pj, update_pj; /* of one access */
    double read_rate, write_rate;       /* per cycle and instance; 0: without bound */
    unsigned spread[NMC_MESHES];        /* dims that search may unroll over the next level in */
    int memory;                         /* index in the preset; -1: none */
    /* What carries words to and from the next level in; a width of 0: nothing that costs. */
    int64_t down_width, up_width;
    double down_pj, up_pj;
    int network; /* index in the preset */
};

struct nmc_machine {
    const char *name;
    enum nmc_counting counting;
    bool count_first_reads; /* partial sums are read before anything was written to them */
    bool count_drains;      /* a partial sum that goes outwards is read where it was */
    struct nmc_machine_level levels[NMC_LIMIT_MAP_LEVELS];
    int level_count;
    int64_t mac_mesh[NMC_MESHES];
    double mac_pj;
};

struct nmc_nest_loop {
    enum nmc_map_dim dim;
    int64_t count; /* >= 2 */
};

struct nmc_loops {
    struct nmc_nest_loop items[NMC_LIMIT_MAP_LOOPS]; /* outermost first */
    int count;
};

struct nmc_nest_level {
    unsigned keep; /* mask of 1 << operand */
    struct nmc_loops temporal, spatial[NMC_MESHES];
};

/* For each dim the counts of its loops multiply to its size. */
struct nmc_nest {
    struct nmc_nest_level levels[NMC_LIMIT_MAP_LEVELS];
};

/* By how many words the operand's box moves along `axis` when the dim advances by one; 0 for a
 * dim that is irrelevant to the operand. */
int64_t nmc_problem_step(const struct nmc_problem *problem, enum nmc_map_operand operand,
                         enum nmc_map_dim dim, int *axis);

/* The box of an operand over a tile that has extent[d] of each dim; false if it overflows. */
bool nmc_problem_box(const struct nmc_problem *problem, enum nmc_map_operand operand,
                     const int64_t extent[NMC_MAP_DIMS], int64_t box[NMC_MAP_AXES]);
/* Words of that box. */
bool nmc_problem_words(const struct nmc_problem *problem, enum nmc_map_operand operand,
                       const int64_t extent[NMC_MAP_DIMS], int64_t *words);

/* The tensor that an operand is, by the name of the operand that it is in a forward pass. */
enum nmc_map_operand nmc_problem_tensor(const struct nmc_problem *problem,
                                        enum nmc_map_operand operand);

/* A forward problem of words of size 1, of one MAC. */
struct nmc_problem nmc_problem_new(void);

/* MACs; false if they overflow. */
bool nmc_problem_macs(const struct nmc_problem *problem, int64_t *macs);

/* How many instances of the level inside `level` (MACs, of the last) one instance of it has along
 * X or Y. */
int64_t nmc_machine_fanout(const struct nmc_machine *machine, int level, enum nmc_mesh mesh);

#endif
