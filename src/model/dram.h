/*
 * dram.h - DRAM traffic by reuse distance (Mattson et al. 1970).
 *
 * One pass gives, for each use of a tensor, the bits of the distinct tensors touched since its
 * last touch, itself included. A use whose distance is at most the on-chip capacity hits; so the
 * same pass answers for every capacity, and traffic never rises with it.
 */
#ifndef NMC_DRAM_H
#define NMC_DRAM_H

#include "base/arena.h"
#include "base/diag.h"
#include "model/fragment.h"

enum nmc_dram_cause {
    NMC_COMPULSORY, /* the first touch of a weight or graph input; a graph output */
    NMC_STREAM,     /* the tensor alone exceeds the capacity */
    NMC_SPILL,      /* others came between */
    NMC_DRAM_CAUSES
};
extern const char *const nmc_dram_cause_names[NMC_DRAM_CAUSES];

struct nmc_dram_use {
    const char *stage, *node, *tensor;
    uint32_t node_number; /* as in a fragment */
    enum nmc_phase phase;
    uint32_t tensor_id;
    int64_t bits;
    int64_t distance; /* bits; -1: first touch */
    int64_t times;    /* how often it happens so: rounds of a loop that are alike are one touch */
    bool made;        /* the node makes the tensor: a touch that reads nothing */
    bool output;      /* made, and a graph output */
};

struct nmc_dram {
    struct nmc_dram_use *uses;
    size_t count, capacity;
};

void nmc_dram_release(struct nmc_dram *dram);

/* Records a touch; texts are borrowed. False when memory runs out. */
bool nmc_dram_touch(struct nmc_dram *dram, const struct nmc_dram_use *use);

/* Whether two uses are by one node in one stage: those in a row are one line of a ledger. Texts
 * are interned. */
bool nmc_dram_same_node(const struct nmc_dram_use *a, const struct nmc_dram_use *b);

/* Fills in every distance. */
neuromc_status nmc_dram_measure(struct nmc_dram *dram, neuromc_diags *diags);

/* What a use moves at a capacity. */
struct nmc_dram_traffic {
    int64_t read_bits, written_bits; /* their sums over all uses fit */
    enum nmc_dram_cause cause;
};

/* The traffic of every use at a capacity, all its times together: traffic[dram->count]. NULL when
 * memory runs out. Freed with nmc_free. */
struct nmc_dram_traffic *nmc_dram_at(const struct nmc_dram *dram, int64_t capacity_bits);

#endif
