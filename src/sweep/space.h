/*
 * space.h - everything that a sweep was asked for, from options and from a space file together.
 */
#ifndef NMC_SPACE_H
#define NMC_SPACE_H

#include "model/yaml.h"

/* A text and where it was read; of an option, file is the option's name. */
struct nmc_asked {
    const char *text;
    struct nmc_place place;
};

struct nmc_asked_list {
    struct nmc_asked *items;
    size_t count, capacity;
};

/* An axis: NAME and either one expression or a list of items. */
struct nmc_asked_axis {
    struct nmc_asked name;
    struct nmc_asked_list values;
    bool expression; /* values has one item, a list or a range */
};

struct nmc_space {
    struct nmc_arena arena;
    struct nmc_asked_list models, zips, objectives, fields, wheres;
    struct nmc_asked_axis *axes;
    size_t axis_count, axis_capacity;
    const char *preset;
    const struct nmc_yaml *laws; /* of the space file, or NULL */
    int64_t sample;              /* 0: every point */
    uint64_t seed;
    neuromc_sampler sampler;
    int64_t top;
    bool pareto;
    bool remap; /* each price searches mappings anew */
};

/* Texts of options are borrowed. Errors of a space file are reported in one go. */
neuromc_status nmc_space_read(struct nmc_space *space, const neuromc_sweep_options *options,
                              neuromc_diags *diags);
void nmc_space_release(struct nmc_space *space);

/* Those of a space file; what the options say comes on top. */
neuromc_status nmc_space_file(struct nmc_space *space, const char *path, neuromc_diags *diags);

bool nmc_asked_add(struct nmc_asked_list *list, const char *text, struct nmc_place place);
bool nmc_space_add_axis(struct nmc_space *space, const struct nmc_asked_axis *axis);

/* What a wrong request is: a usage error, or a bad file. */
static inline neuromc_status nmc_asked_status(struct nmc_place place) {
    return place.line ? NEUROMC_BAD_INPUT : NEUROMC_USAGE;
}

#endif
