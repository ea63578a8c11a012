/*
 * preset_bind.h - a tree of YAML nodes fills a preset, along the key table. Each value is
 * checked and its text made canonical (0.50 becomes 0.5, 2 Ki becomes 2048).
 */
#ifndef NMC_PRESET_BIND_H
#define NMC_PRESET_BIND_H

#include "model/preset.h"
#include "model/preset_keys.h"

struct nmc_bind {
    struct nmc_arena *arena; /* of the preset */
    const struct nmc_yaml *root;
    neuromc_diags *diags;
    int errors;
};

/* All errors of the tree are reported. */
neuromc_status nmc_preset_bind(struct neuromc_preset *preset, struct nmc_yaml *root,
                               neuromc_diags *diags);

/* At the place of the node, with its path. */
void nmc_bind_error(struct nmc_bind *bind, const struct nmc_yaml *node, const char *hint,
                    const char *format, ...) __attribute__((format(printf, 4, 5)));
void nmc_bind_warning(struct nmc_bind *bind, const struct nmc_yaml *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* "expected WHAT, found WHAT" */
void nmc_bind_mismatch(struct nmc_bind *bind, const struct nmc_key *key,
                       const struct nmc_yaml *node, const char *hint);

/* One value that is neither mapping nor entries; field is where the key's value goes, or NULL. */
void nmc_bind_value(struct nmc_bind *bind, const struct nmc_key *key, struct nmc_yaml *node,
                    unsigned char *target);

bool nmc_is_identifier(const char *text);

/* A size in bits as presets spell it. */
bool nmc_parse_size(const char *text, int64_t *out);

#endif
