/*
 * mapper.h - how the fragments of a workload are mapped to the machine of a preset: as a mapping
 * file says, or as search finds; and what that moves, as quantities of a ledger.
 *
 * Fragments are added, then all that are new are solved at once.
 */
#ifndef NMC_MAPPER_H
#define NMC_MAPPER_H

#include "base/strbuf.h"
#include "mapping/mapping_file.h"
#include "mapping/solve.h"
#include "model/ledger.h"

struct nmc_mapper {
    const struct neuromc_preset *preset;
    struct nmc_solver solver;
    struct nmc_map_limits limits;
    bool limited;
    struct nmc_mapping_file file;
    int64_t *bits; /* of each resource, of the mapping last asked for */
};

/* A fragment's mapping: that of one group, `groups` times. */
struct nmc_mapped {
    struct nmc_solution *solution;
    int64_t groups;
};

extern const char *const nmc_map_objective_names[NMC_MAP_OBJECTIVES];

/* The preset must have a machine (else NEUROMC_USAGE) and outlive the mapper. options may be NULL.
 * Release it whatever is returned. */
neuromc_status nmc_mapper_init(struct nmc_mapper *mapper, const struct neuromc_preset *preset,
                               const neuromc_map_options *options, neuromc_diags *diags);
void nmc_mapper_release(struct nmc_mapper *mapper);

/* A mappable fragment (problem.h). NEUROMC_BAD_INPUT if its mapping in the file is not one of this
 * fragment. */
neuromc_status nmc_mapper_add(struct nmc_mapper *mapper, const struct nmc_fragment *fragment,
                              struct nmc_mapped *out, neuromc_diags *diags);

/* Solves what was added since the last run. */
neuromc_status nmc_mapper_run(struct nmc_mapper *mapper, neuromc_diags *diags);

/* No more fragments: NEUROMC_BAD_INPUT if the file names a layer that none was. */
neuromc_status nmc_mapper_finish(struct nmc_mapper *mapper, neuromc_diags *diags);

/* What a mapping moves; without bits if none was found. False if a count has more than 63 bits;
 * out->bits stays until the next call. */
bool nmc_mapper_moved(struct nmc_mapper *mapper, const struct nmc_mapped *mapped,
                      struct nmc_moved *out);

/* Why a solution has no mapping: "rf is too small for Weights by 1 word of 16 bits (24 of 16)" */
void nmc_mapper_reason(const struct nmc_mapper *mapper, const struct nmc_solution *solution,
                       struct nmc_strbuf *out);

#endif
