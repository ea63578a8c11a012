/*
 * ledger.h - counts without prices: rows of (line, resource, quantity).
 *
 * A resource is the MAC of a core type, a primitive, or one direction of one memory instance.
 * Quantities are MACs, operations or bits, as checked 64-bit integers. Counting depends on which
 * instance serves which operand and on capacities, never on a price.
 *
 * A line is one fragment; in a compact ledger it is all fragments that share stage, op, node,
 * core type and process, so that memory does not grow with a trace.
 */
#ifndef NMC_LEDGER_H
#define NMC_LEDGER_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/strbuf.h"
#include "base/strmap.h"
#include "model/fragment.h"
#include "model/preset.h"

/* What part of the total a row belongs to; the order is the order of summation. */
enum nmc_part {
    NMC_PART_MAC,
    NMC_PART_EXTRA_COMPUTE,
    NMC_PART_BASE_MEMORY,
    NMC_PART_EXTRA_MEMORY,
    NMC_PART_DRAM, /* by reuse distance, if the preset counts it */
    NMC_PARTS
};
extern const char *const nmc_part_names[NMC_PARTS];

enum nmc_resource_kind { NMC_RES_MAC, NMC_RES_PRIMITIVE, NMC_RES_MEMORY };

struct nmc_resource {
    enum nmc_resource_kind kind;
    enum nmc_core core;           /* MAC */
    enum nmc_primitive primitive; /* PRIMITIVE */
    int memory;                   /* MEMORY: index in the preset */
    enum nmc_direction direction; /* MEMORY */
};

/* Resources are numbered: MACs of the core types, primitives, then the directions of each memory
 * instance of the preset in its order. */
int nmc_resource_count(const struct neuromc_preset *preset);
struct nmc_resource nmc_resource_at(int number);
int nmc_resource_mac(enum nmc_core core);
int nmc_resource_primitive(enum nmc_primitive primitive);
int nmc_resource_memory(int memory, enum nmc_direction direction);

struct nmc_row {
    uint16_t resource;
    uint8_t part;
    int64_t quantity; /* MACs, operations or bits; iterations (`times`) included */
};

/* What a loop nest moves for the operands of a fragment, one iteration (mapping/mapper.h). */
struct nmc_moved {
    const int64_t *bits; /* of each resource; NULL: no mapping was found, nothing is counted */
    int64_t cycles;
    size_t mapping; /* its number in the mapper */
    int64_t groups; /* how often it runs */
};

struct nmc_line {
    struct nmc_fragment fragment; /* texts interned in the ledger */
    int64_t fragments;            /* 1, or how many were merged */
    int64_t macs;                 /* of all of them, iterations included */
    int64_t cycles, mapped_macs;  /* of those that are mapped; 0 if none is */
    size_t mapping;               /* that of a fragment, as in nmc_moved */
    int64_t runs;                 /* of that mapping, iterations included; 0: there is none */
    uint32_t first_row, row_count;
    bool traffic;   /* not a fragment: what moves between DRAM and chip at a node */
    int64_t *dense; /* while a compact ledger is being filled: [NMC_PARTS][resources] */
};

struct nmc_ledger {
    struct nmc_arena arena;
    const struct neuromc_preset *preset; /* borrowed while filling */
    int resource_count;
    bool compact;
    struct nmc_line *lines;
    struct nmc_row *rows;
    uint32_t line_count, row_count;
    size_t line_capacity, row_capacity;
    int64_t *scratch; /* [NMC_PARTS][resources] of the fragment being counted */
    struct nmc_strmap texts, merged;
    struct nmc_strbuf key; /* of the fragment being merged */
};

neuromc_status nmc_ledger_init(struct nmc_ledger *ledger, const struct neuromc_preset *preset,
                               bool compact, neuromc_diags *diags);
void nmc_ledger_release(struct nmc_ledger *ledger);

/* Counts a fragment and appends its line. NEUROMC_BAD_INPUT if a count overflows. */
neuromc_status nmc_ledger_add(struct nmc_ledger *ledger, const struct nmc_fragment *fragment,
                              neuromc_diags *diags);
/* The same of a fragment whose operands are mapped. */
neuromc_status nmc_ledger_add_mapped(struct nmc_ledger *ledger, const struct nmc_fragment *fragment,
                                     const struct nmc_moved *moved, neuromc_diags *diags);
/* Appends bits that the node and stage of a use read from DRAM and write to it. */
neuromc_status nmc_ledger_add_traffic(struct nmc_ledger *ledger, const struct nmc_dram_use *use,
                                      int64_t read_bits, int64_t written_bits,
                                      neuromc_diags *diags);
/* No more fragments: a compact ledger's lines get their rows. */
neuromc_status nmc_ledger_finish(struct nmc_ledger *ledger, neuromc_diags *diags);

/* The ledger's own copy of a text; NULL when memory runs out. */
const char *nmc_ledger_intern(struct nmc_ledger *ledger, const char *text);

#endif
