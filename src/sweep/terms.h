/*
 * terms.h - the prices of one cell: what each metric has of each, and which groups change it.
 *
 * The cell's preset is its own: levels of price groups are written into its fields one after the
 * other, laws and prices are then those of any preset.
 */
#ifndef NMC_TERMS_H
#define NMC_TERMS_H

#include "sweep/cell.h"

/* Where an axis writes its value. */
struct nmc_patch {
    struct nmc_preset_field field;
    const double *numbers; /* by level */
    int group;
};

enum nmc_term_kind {
    NMC_TERM_PRIMITIVE, /* index: of the primitive */
    NMC_TERM_MAC,       /* index: of a core type and one of its primitives */
    NMC_TERM_READ,      /* index: of the memory; price of a bit */
    NMC_TERM_WRITE,
    NMC_TERM_DRAM_READ, /* quantities depend on the capacity */
    NMC_TERM_DRAM_WRITE,
    NMC_TERM_NUMBER, /* of the preset: index is that of the metric */
    NMC_TERM_AREA    /* index: of the memory */
};

enum { NMC_MAC_TERMS = NMC_CORES * NMC_PRIMITIVES };

struct nmc_term {
    enum nmc_term_kind kind;
    int index;
    uint64_t mask;
    double quantity[NMC_MAX_METRICS];
};

struct nmc_terms {
    const struct nmc_plan *plan;
    struct neuromc_preset *preset;
    const struct neuromc_report *report;
    struct nmc_arena *arena;
    struct nmc_patch *patches; /* in the order of the axes: a later one wins */
    int patch_count;
    struct nmc_term *items;
    int count;
    double constant[NMC_MAX_METRICS]; /* counts: nothing prices them */

    int capacity_group; /* of an axis on_chip_bits, or -1 */
    int64_t capacity_levels;
    double *traffic[2]; /* DRAM bits read, written: [metric][capacity level] */
};

/* Groups whose levels are written to a field of the preset. */
uint64_t nmc_terms_mask(const struct nmc_terms *terms, const void *field);
/* Groups that a price depends on: by itself and by the laws over it. */
uint64_t nmc_price_mask(const struct nmc_terms *terms, enum nmc_term_kind kind, int index);

/* Finds the patches. False: out of memory. */
bool nmc_terms_init(struct nmc_terms *terms, const struct nmc_plan *plan, const int32_t *levels,
                    struct neuromc_preset *preset, struct nmc_arena *arena);
/* Reads the report's quantities. False: out of memory. */
bool nmc_terms_fill(struct nmc_terms *terms, const struct neuromc_report *report);

/* Writes the levels of the groups in mask into the preset. */
void nmc_terms_set(const struct nmc_terms *terms, uint64_t mask, const int32_t *levels);
/* The price of one unit of a term, from the preset as it is. */
double nmc_term_price(const struct nmc_terms *terms, const struct nmc_term *term);

#endif
