/*
 * ledger.h - counts without prices: rows of (fragment, resource, quantity).
 *
 * A resource is the MAC of a core type, a primitive, or one direction of one memory instance.
 * Quantities are MACs, operations or bits, as checked 64-bit integers. Counting depends on which
 * instance serves which operand and on capacities, never on a price.
 */
#ifndef NMC_LEDGER_H
#define NMC_LEDGER_H

#include "base/arena.h"
#include "base/diag.h"
#include "model/preset.h"

enum nmc_resource_kind { NMC_RES_MAC, NMC_RES_PRIMITIVE, NMC_RES_MEMORY };

/* What part of the total a row belongs to; the order is the order of summation. */
enum nmc_part {
    NMC_PART_MAC,
    NMC_PART_EXTRA_COMPUTE,
    NMC_PART_BASE_MEMORY,
    NMC_PART_EXTRA_MEMORY,
    NMC_PARTS
};
extern const char *const nmc_part_names[NMC_PARTS];

struct nmc_resource {
    enum nmc_resource_kind kind;
    enum nmc_core core;           /* MAC */
    enum nmc_primitive primitive; /* PRIMITIVE */
    int memory;                   /* MEMORY: index in the preset */
    enum nmc_direction direction; /* MEMORY */
};

struct nmc_row {
    uint32_t fragment;
    uint16_t resource;
    uint8_t part;
    int64_t quantity; /* MACs, operations or bits */
};

#endif
