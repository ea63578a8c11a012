/*
 * report.h - a priced ledger, grouped every way a reader asks for.
 *
 * Every breakdown is a sum over the same rows in ledger order, so each adds up to the total. The
 * report owns all it holds: model and preset may be gone.
 */
#ifndef NMC_REPORT_H
#define NMC_REPORT_H

#include "mapping/mapper.h"
#include "model/dram.h"
#include "report/network.h"

enum nmc_grouping {
    NMC_BY_STAGE,
    NMC_BY_OP,
    NMC_BY_CORE,
    NMC_BY_PROCESS,
    NMC_BY_NODE,
    NMC_GROUPINGS
};

/* What a group, a fragment or the whole report comes to. */
struct nmc_totals {
    double energy[NMC_PARTS]; /* pJ */
    int64_t fragments, macs;
    int64_t cycles, mapped_macs; /* of fragments that are mapped */
    int64_t primitives[NMC_PRIMITIVES];
    int64_t bits[NMC_LEVELS][NMC_DIRECTIONS];
    double level_energy[NMC_LEVELS][NMC_DIRECTIONS]; /* pJ */
};

double nmc_totals_compute(const struct nmc_totals *totals); /* MACs and primitives, pJ */
double nmc_totals_memory(const struct nmc_totals *totals);  /* every level, pJ */
double nmc_totals_energy(const struct nmc_totals *totals);  /* compute + memory, pJ */
/* False if a count does not fit. */
bool nmc_totals_add(struct nmc_totals *to, const struct nmc_totals *from);

struct nmc_group {
    const char *key;
    struct nmc_totals totals;
};

struct nmc_groups {
    struct nmc_group *items; /* in order of first appearance */
    size_t count, capacity;
    struct nmc_strmap index;
};

/* Operators of one kind and what became of them. */
struct nmc_coverage_row {
    const char *op;
    int64_t nodes[3];    /* by nmc_coverage_kind */
    int64_t elements[3]; /* of first outputs, where known */
    bool elements_known[3];
};

/* A difference between the accountings by rule of accounting.md. */
struct nmc_accounting_note {
    int rule;
    int64_t fragments;
    double runtime_pj, corrected_pj;
};

enum { NMC_RULES = 8 };

/* How operands were mapped, if they were. */
struct nmc_mapping_summary {
    enum nmc_counting counting;
    enum nmc_map_objective objective;
    int64_t mac_units;
    int64_t problems, unmapped; /* distinct ones; those without a mapping */
    int64_t reach[NMC_REACHES]; /* distinct ones, by how much of the space an answer speaks for */
};

struct neuromc_report {
    struct nmc_ledger ledger; /* lines and rows; its preset pointer is NULL */
    double *prices;           /* pJ per unit of each resource */
    struct nmc_totals total;
    struct nmc_totals *lines; /* of each ledger line */
    struct nmc_groups groups[NMC_GROUPINGS];

    struct nmc_coverage_row *coverage;
    size_t coverage_count, coverage_capacity;
    struct nmc_strmap coverage_index;
    struct nmc_accounting_note notes[NMC_RULES]; /* by rule */
    const char **warnings;
    size_t warning_count, warning_capacity;

    neuromc_accounting accounting;
    const char *model_name; /* the file's name without its folder */
    const char *core_type;  /* what a trace's header says; carried, not used */
    bool no_mapping;

    /* of the preset */
    const char *preset_name, *preset_description;
    double technology_nm;
    uint64_t preset_hash;
    const char *const *memory_names;
    const enum nmc_level *memory_levels;
    int memory_count;
    enum nmc_level level_order[NMC_LEVELS];
    int level_count;
    bool level_counted[NMC_LEVELS];
    bool counts_reuse; /* DRAM by reuse distance */
    int64_t on_chip_bits;
    const struct nmc_provenance *provenance;
    int provenance_count;
    const char *const *not_modelled;
    int not_modelled_count;

    enum nmc_access_model access_model;
    struct nmc_mapping_summary mapping; /* if access_model is `mapped` */
    struct nmc_mapper mapper;           /* its solutions, by number; their preset is gone */
    const struct nmc_machine *machines[NMC_CORES]; /* of the cores that were mapped */
    struct nmc_network network;                    /* empty for a trace */

    struct nmc_dram dram; /* uses with distances and causes; empty if DRAM is not counted */
};

/* NEUROMC_USAGE for options that do not go with the model or the preset. */
neuromc_status nmc_estimate_check(const neuromc_model *model, const struct neuromc_preset *preset,
                                  const neuromc_estimate_options *options, neuromc_diags *diags);

/* The last part of a path. */
const char *nmc_file_name(const char *path);

struct neuromc_report *nmc_report_new(const struct neuromc_preset *preset,
                                      const neuromc_estimate_options *options,
                                      neuromc_diags *diags);

/* A sink whose calls fill the report. */
struct nmc_report_sink {
    struct nmc_work_sink sink;
    struct neuromc_report *report;
    const struct neuromc_preset *preset;
    neuromc_diags *diags;
};
neuromc_status nmc_report_sink_init(struct nmc_report_sink *sink, struct neuromc_report *report,
                                    const struct neuromc_preset *preset,
                                    const neuromc_map_options *map, neuromc_diags *diags);
/* No more work: what the mapper did goes to the report. */
neuromc_status nmc_report_sink_finish(struct nmc_report_sink *sink);

/* A sink that looks at work before it is counted, so that all its mappings are solved at once;
 * nmc_mapper_run then does so. */
struct nmc_work_sink nmc_foresight(struct nmc_report_sink *sink);

/* Mapped MACs of the MACs that there were cycles for; 0 of none. */
double nmc_mac_utilization(const struct neuromc_report *report, const struct nmc_totals *totals);

/* Prices the ledger and forms the groups. */
neuromc_status nmc_report_finish(struct neuromc_report *report, const struct neuromc_preset *preset,
                                 neuromc_diags *diags);

/* Group key of a ledger line. */
const char *nmc_line_key(const struct nmc_line *line, enum nmc_grouping grouping);

#endif
