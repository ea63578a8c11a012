/*
 * law.h - how a price follows what it depends on: the size of its memory, the technology.
 *
 * A law is a power (price ~ x^exponent) or points between which log(price) is linear in log(x);
 * memory points may give both size and technology. An absolute law states the price itself; a
 * relative one scales the price that the files state by curve(now) / curve(as the files have it).
 * One price may follow one absolute and any number of relative laws. A price that --set gives
 * follows none.
 *
 * Points cover a range. Outside of it by at most a factor of `beyond` a law is extrapolated with
 * a warning; farther out it fails.
 */
#ifndef NMC_LAW_H
#define NMC_LAW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"

struct neuromc_preset;
struct nmc_memory;
struct nmc_yaml;

/* What a law follows. */
enum nmc_follows { NMC_FOLLOWS_SIZE, NMC_FOLLOWS_TECHNOLOGY, NMC_FOLLOWS };
extern const char *const nmc_follows_names[NMC_FOLLOWS];

/* One point; 0: not given. A cost is per access of width_bits, or of any access without it. */
struct nmc_law_point {
    const char *name;
    double technology_nm;
    int64_t size_bits, width_bits;
    double read_cost_pj, write_cost_pj, area_mm2, factor;
};

struct nmc_law {
    const char *name;
    const char *const *of; /* globs of what follows the law */
    int of_count;
    enum nmc_follows follows[NMC_FOLLOWS];
    int follows_count;
    double exponent; /* of a power; 0: points */
    bool relative;
    double beyond;
    const struct nmc_law_point *points; /* by technology, then by size */
    int point_count;
    const int *starts; /* where each technology starts among them, and the end of the last */
    int technology_count;
};

/* What a law can give. */
enum nmc_priced { NMC_PRICED_READ, NMC_PRICED_WRITE, NMC_PRICED_AREA, NMC_PRICED_PRIMITIVE };

/* One price under one law. */
struct nmc_law_effect {
    const struct nmc_law *law;
    enum nmc_priced what;
    int index;                                /* of the memory, or the primitive */
    double stated;                            /* the price as the files have it */
    double stated_size, stated_technology_nm; /* and what it was stated at */
};

struct nmc_law_effects {
    struct nmc_law_effect *items; /* those of one price stand together, an absolute one first */
    size_t count, capacity;       /* in an arena: capacity is unused */
};

/* Values that laws read and write. */
struct nmc_law_values {
    double technology_nm;
    struct nmc_memory *memories;
    double *primitive_pj;
};

/* Puts the law files that `from:` names into the tree, once and for all. */
neuromc_status nmc_laws_expand(struct nmc_arena *arena, struct nmc_yaml *root,
                               const char *search_path, neuromc_diags *diags);

/* Checks the laws of a bound preset and finds what each governs. */
neuromc_status nmc_laws_bind(struct neuromc_preset *preset, struct nmc_yaml *root,
                             neuromc_diags *diags);

/* Applies them, and writes the prices that change into the tree. */
neuromc_status nmc_laws_obey(struct neuromc_preset *preset, struct nmc_yaml *root,
                             neuromc_diags *diags);

/* Sets every governed price from sizes and technology. NEUROMC_BAD_INPUT if a law is asked too
 * far outside of its points. */
neuromc_status nmc_laws_apply(const struct nmc_law_effects *effects,
                              const struct nmc_law_values *values, neuromc_diags *diags);

/* The value of a law's curve; what and width_bits choose a column and scale it. False after
 * reporting: x lies too far out. */
bool nmc_law_curve(const struct nmc_law *law, enum nmc_priced what, double size,
                   double technology_nm, int64_t width_bits, double *out, neuromc_diags *diags);

/* Whether the law says something about this kind of price. */
bool nmc_law_gives(const struct nmc_law *law, enum nmc_priced what);
bool nmc_law_follows(const struct nmc_law *law, enum nmc_follows what);

/* Path globs: * and ? within one step of a path. */
bool nmc_path_matches(const char *glob, const char *path);

#endif
