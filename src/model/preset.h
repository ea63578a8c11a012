/*
 * preset.h - the hardware model in memory: everything a preset file can say.
 *
 * Prices are pJ per primitive and pJ per access of a memory instance; an access moves
 * read_bw_bits or write_bw_bits. No number of this model lives anywhere in C.
 */
#ifndef NMC_PRESET_H
#define NMC_PRESET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "model/fragment.h"
#include "model/law.h"
#include "model/machine.h"

struct nmc_yaml;

extern const char *const nmc_primitive_names[NMC_PRIMITIVES];

enum nmc_level { NMC_DRAM, NMC_NOC, NMC_SRAM, NMC_REG, NMC_LEVELS };
extern const char *const nmc_level_names[NMC_LEVELS];

/* Directions as seen from the low (inner) level l and the high (outer) level h: rh2l reads the
 * instance towards the datapath, wl2h writes it from there; rl2h and wh2l are the traffic with
 * the next level out ("high directions"). */
enum nmc_direction { NMC_RH2L, NMC_WL2H, NMC_RL2H, NMC_WH2L, NMC_DIRECTIONS };
extern const char *const nmc_direction_names[NMC_DIRECTIONS];

/* How many elements a class of per-element work has, in a fragment's loop dims. */
enum nmc_class {
    NMC_OYOXKBT, /* OY*OX*K*B*T */
    NMC_OYOXCBT, /* OY*OX*C*B*T */
    NMC_KT,      /* K*T; of the optimizer K */
    NMC_CT,      /* C*T */
    NMC_FYFXKC,  /* FY*FX*K*C; of the optimizer FY*FX*C */
    NMC_PARAMS,  /* K + FY*FX*C: every parameter of an optimizer fragment */
    NMC_CLASSES
};
extern const char *const nmc_class_names[NMC_CLASSES];

/* When an item of work happens. */
enum nmc_when {
    NMC_ALWAYS,
    NMC_WHEN_MOMENTUM,        /* sgd with momentum */
    NMC_WHEN_MOMENTUM_BUFFER, /* sgd with momentum, from its second step on */
    NMC_WHEN_WEIGHT_DECAY,
    NMC_WHEN_BN_ARITHMETIC, /* unless the stage says without_bp_bn */
    NMC_WHENS
};
extern const char *const nmc_when_names[NMC_WHENS];

/* What one MAC of a core type costs: its primitives, times a factor. */
struct nmc_mac {
    int64_t count[NMC_PRIMITIVES]; /* all 0: the core has none */
    double scale;                  /* 1 unless stated */
};

struct nmc_memory {
    const char *name;
    enum nmc_level level;
    int64_t size_bits, data_width;
    int64_t read_bw_bits, write_bw_bits; /* bits moved by one access, > 0 */
    double read_cost_pj, write_cost_pj;  /* per access */
    double area_mm2;                     /* 0: not stated */
};

/* For one operand: the register and the SRAM instance it passes; index into memories, or -1. */
struct nmc_operand {
    int reg, sram;
};
enum nmc_operand_role { NMC_I1, NMC_I2, NMC_O, NMC_OPERANDS };
extern const char *const nmc_operand_names[NMC_OPERANDS]; /* "i1" "i2" "o" */

/* `count[p]` primitives per element of a class. */
struct nmc_arithmetic {
    const char *name;
    enum nmc_class per;
    enum nmc_when when;
    int64_t count[NMC_PRIMITIVES];
};

/* A state variable: `bits` per element, read and written that many times in its instance. */
struct nmc_state {
    const char *name;
    enum nmc_class per;
    enum nmc_when when;
    int64_t bits;
    int memory;
    int64_t reads, writes;
};

/* Work beside MACs of one process in one phase (of the optimizer: of one optimizer). */
struct nmc_process_work {
    enum nmc_process process;
    enum nmc_phase phase;
    const char *optimizer; /* "adam", "adamw", "sgd"; NULL outside the optimizer phase */
    const struct nmc_arithmetic *arithmetic;
    const struct nmc_state *states;
    int arithmetic_count, state_count;
};
/* Three processes forward and backward, and three optimizers. */
enum { NMC_WORKS = 9 };

/* Where a value that counts or prices came from. */
struct nmc_provenance {
    const char *path;     /* "memory_instances.sram_2MB.read_cost_pj" */
    const char *value;    /* as neuromc_preset_write writes it, without quotes */
    const char *unit;     /* "pJ", or NULL */
    const char *origin;   /* "neuromc_like_v1.yaml:41", "--set", "default" */
    const char *source;   /* the `source:` text that covers it, or "" */
    const char *replaced; /* the value that an extending file or --set overrode, or NULL */
};

struct nmc_precision {
    bool from_model; /* not of the preset: widths of tensors as the file stores them instead */
    int spike_bits, activation_bits, weight_bits, output_bits, gradient_bits, optimizer_bits;
};

struct neuromc_preset {
    struct nmc_arena arena;
    const char *name, *description, *file;
    double technology_nm; /* 0: not stated */
    uint64_t hash;        /* FNV-1a 64 of all that counts or prices; not of names and prose */

    enum nmc_level level_order[NMC_LEVELS]; /* outermost first */
    int level_count;
    bool count_dram, count_noc, count_sram_high_directions;
    int64_t on_chip_bits; /* capacity for reuse distances; 0 if DRAM is not counted */
    int dram_memory;      /* instance that DRAM traffic is priced with; -1: none */

    double primitive_pj[NMC_PRIMITIVES];
    struct nmc_mac mac[NMC_CORES];
    struct nmc_precision precision;

    struct nmc_memory *memories;
    int memory_count;
    /* base operand traffic is counted for a core type only if has_operands */
    bool has_operands[NMC_CORES];
    struct nmc_operand operands[NMC_CORES][NMC_OPERANDS];

    struct nmc_process_work works[NMC_WORKS]; /* one without work has both counts 0 */
    int work_count;

    enum nmc_access_model access_model;
    bool has_machine;
    struct nmc_preset_machine machine; /* if has_machine; what loop nests are mapped to */

    struct nmc_law *laws;
    int law_count;
    struct nmc_law_effects law_effects; /* applied already */

    const struct nmc_provenance *provenance; /* in the order of the key table */
    int provenance_count;
    const char *const *not_modelled; /* what the preset leaves out, for the report */
    int not_modelled_count;

    const struct nmc_yaml *tree; /* the effective preset as text: every key, in table order */
};

/* Reads a preset from memory. `file` is its name for messages; a relative `extends` starts from
 * that name's directory. Never crashes, whatever the bytes. */
neuromc_status nmc_preset_read(const char *data, size_t size, const char *file,
                               const neuromc_preset_options *options, neuromc_preset **out,
                               neuromc_diags *diags);

/* A preset's files before any --set, as a tree that nmc_preset_build starts from again and again.
 * *root and its texts live in the arena. */
neuromc_status nmc_preset_open(struct nmc_arena *arena, const char *name_or_path,
                               const char *search_path, struct nmc_yaml **root,
                               neuromc_diags *diags);

/* Whether laws are applied, or the caller will apply them when sizes and technology are known. */
enum nmc_laws { NMC_LAWS_NOW, NMC_LAWS_LATER };

/* A preset from such a tree, which stays as it is and must outlive the preset. */
neuromc_status nmc_preset_build(const struct nmc_yaml *root, const neuromc_preset_options *options,
                                enum nmc_laws laws, neuromc_preset **out, neuromc_diags *diags);

struct nmc_key;

/* The value that a --set path leads to: its key, and where the preset keeps it. NULL key: no such
 * path; NULL value: the key is not kept, or belongs to a mapping that the preset does not have. */
struct nmc_preset_field {
    const struct nmc_key *key;
    void *value;
};
struct nmc_preset_field nmc_preset_field(struct neuromc_preset *preset, const char *path);

/* NULL if the preset has none: then that work costs nothing beyond MACs. */
const struct nmc_process_work *nmc_preset_work(const struct neuromc_preset *preset,
                                               enum nmc_process process, enum nmc_phase phase,
                                               const char *optimizer);

#endif
