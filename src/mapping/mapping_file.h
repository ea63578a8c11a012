/*
 * mapping_file.h - mappings as people and programs write them, in YAML (docs/mapping.md):
 *
 *     schema: neuromc-mapping/1
 *     mappings:
 *       - op: conv.forward
 *         layers: [/conv1/Conv]
 *         levels:
 *           dram: {temporal: [K 2, P 7]}
 *           sram: {temporal: [P 16, Q 112, C 3], x: [K 32]}
 *
 * Loops stand outermost first; a level without loops may be left out.
 */
#ifndef NMC_MAPPING_FILE_H
#define NMC_MAPPING_FILE_H

#include "base/arena.h"
#include "base/sink.h"
#include "base/strbuf.h"
#include "base/strmap.h"
#include "mapping/plan.h"
#include "model/preset.h"

struct nmc_yaml;

/* A layer that a mapping of the file is for. */
struct nmc_file_layer {
    const struct nmc_map_plan *plan;
    const struct nmc_yaml *mapping, *name; /* where they stand */
    bool used;
    struct nmc_file_layer *next;      /* in the file */
    struct nmc_file_layer *same_name; /* layers of one name can differ in shape: all are tried */
};

struct nmc_mapping_file {
    struct nmc_arena arena;
    struct nmc_file_layer *first, *last;
    struct nmc_strmap index; /* by op and name */
    struct nmc_strbuf key;   /* of the layer being looked for */
};

/* All errors of a file are reported, each with its place. Release it whatever is returned. */
neuromc_status nmc_mapping_file_read(struct nmc_mapping_file *file, const char *path,
                                     const struct neuromc_preset *preset, neuromc_diags *diags);
void nmc_mapping_file_release(struct nmc_mapping_file *file);

/* The file's mapping for a fragment whose problem this is; *out NULL: the file does not name the
 * layer. NEUROMC_BAD_INPUT if its loops are not those of the problem. */
neuromc_status nmc_mapping_file_find(struct nmc_mapping_file *file, const char *op,
                                     const char *node, const struct nmc_problem *problem,
                                     const struct nmc_map_plan **out, neuromc_diags *diags);

/* NEUROMC_USAGE if the file names a layer that was never asked for. */
neuromc_status nmc_mapping_file_check_names(struct nmc_mapping_file *file, neuromc_diags *diags);

/* "K 2, P 7" */
void nmc_loops_text(const struct nmc_loops *loops, struct nmc_strbuf *out);

/* How files and reports call a fragment of this node; one without is "(functional)". */
const char *nmc_layer_name(const char *node);
/* What tells layers apart, in place of what is in the buffer. */
void nmc_layer_key(struct nmc_strbuf *out, const char *op, const char *node);

#endif
