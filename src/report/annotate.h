/*
 * annotate.h - a report as metadata of the ONNX file it is about: what is said of a node, and of
 * the model as a whole.
 *
 * A node of the file is named by the byte at which its message starts (nmc_node.file_at). Nodes of
 * a function and of a loop's body stand once in the file: what they come to is the sum over all
 * calls and rounds.
 */
#ifndef NMC_ANNOTATE_H
#define NMC_ANNOTATE_H

#include "frontends/onnx_metadata.h"
#include "model/layer.h"
#include "report/report.h"

#define NMC_ANNOTATE_PREFIX "neuromc."

/* Something and the node of the file that it belongs to. */
struct nmc_place_of {
    size_t file_at;
    uint32_t index;
};

struct nmc_places {
    struct nmc_place_of *items; /* sorted, none twice */
    size_t count, capacity;
};

struct nmc_annotation {
    struct nmc_net *net;
    const struct neuromc_report *report;
    const neuromc_model_options *model;
    const neuromc_estimate_options *estimate;
    bool *has_layer;          /* by node id */
    struct nmc_places nodes;  /* of the net, by id */
    struct nmc_places lines;  /* of the ledger; at 0 those of no node of the file */
    struct nmc_places inside; /* lines again, at each node whose body or function they are in */
    size_t found;             /* nodes that were asked for and are there */
    bool failed;              /* memory ran out */
};

/* The items at a node: [*first, *end). */
void nmc_places_at(const struct nmc_places *places, size_t file_at, size_t *first, size_t *end);

/* Entries that nodes and the model share: a sum, by stage and by level. */
void nmc_annotate_totals(const struct nmc_totals *sum, const struct nmc_group *stages, size_t count,
                         struct nmc_metadata *out);
void nmc_annotate_node(const struct nmc_annotation *a, size_t file_at, struct nmc_metadata *out);
void nmc_annotate_model(const struct nmc_annotation *a, struct nmc_metadata *out);

void nmc_annotate_number(struct nmc_metadata *out, const char *key, double value);
void nmc_annotate_count(struct nmc_metadata *out, const char *key, int64_t value);
/* The key is the prefix, `group`, a dot and `name`. */
void nmc_annotate_named(struct nmc_metadata *out, const char *group, const char *name,
                        const char *value);

#endif
