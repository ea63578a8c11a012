/*
 * metric.h - what a sweep looks at: fields of the report and numbers of the preset, by name.
 *
 * A field is a sum over ledger rows of quantity x weight (x price, if it is an energy), where the
 * weight of a row is 0 or 1. That is why a sweep can price it without a report.
 */
#ifndef NMC_METRIC_H
#define NMC_METRIC_H

#include "report/report.h"
#include "sweep/space.h"

enum nmc_metric_kind {
    NMC_METRIC_ENERGY, /* pJ */
    NMC_METRIC_BITS,
    NMC_METRIC_OPERATIONS, /* of one primitive */
    NMC_METRIC_MACS,
    NMC_METRIC_CYCLES,
    NMC_METRIC_PRESET, /* a number of the preset */
    NMC_METRIC_AREA    /* of all memories together */
};

struct nmc_metric {
    const char *name; /* as reports call it: the canonical one */
    const char *unit;
    enum nmc_metric_kind kind;
    bool maximise;

    double part[NMC_PARTS]; /* ENERGY: weight of each part */
    int grouping;           /* an nmc_grouping, or -1: the whole report */
    const char *key;        /* of the group */
    int level, direction;   /* -1: any */
    int primitive;
    const char *path; /* PRESET */
};

enum { NMC_MAX_METRICS = 24, NMC_MAX_OBJECTIVES = 8 };

/* Resolves a name against a report and a preset of the sweep; a preset path may be cut to its last
 * keys if that is unique. NEUROMC_USAGE or NEUROMC_BAD_INPUT with a hint if there is none. */
neuromc_status nmc_metric_find(struct nmc_arena *arena, const struct nmc_asked *asked,
                               struct neuromc_preset *preset, const struct neuromc_report *report,
                               struct nmc_metric *out, neuromc_diags *diags);

/* Straight from a report and its preset, as the report itself says it. */
double nmc_metric_value(const struct nmc_metric *metric, const struct neuromc_report *report,
                        struct neuromc_preset *preset);

/* The weight of a row (of a line without rows: MACS) in a metric that is a sum over rows. `level`
 * is that of the row's memory. */
bool nmc_metric_takes_line(const struct nmc_metric *metric, const struct nmc_line *line);
double nmc_metric_weight(const struct nmc_metric *metric, enum nmc_part part,
                         const struct nmc_resource *resource, enum nmc_level level);

/* A number of a preset by path; false if it is not one, or none. */
bool nmc_preset_number(struct neuromc_preset *preset, const char *path, double *out);

#endif
