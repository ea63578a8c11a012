/*
 * rapl_zones.h - the zones of powercap: found by their ids, known by their names, each with its
 * role in the sum.
 *
 * A zone is a folder TYPE:ID[:ID]..., ids hexadecimal, different from boot to boot; what it is
 * says its `name`. The same package may be seen through two types (intel-rapl, intel-rapl-mmio).
 */
#ifndef NMC_RAPL_ZONES_H
#define NMC_RAPL_ZONES_H

#include "counters/kind.h"

struct nmc_rapl_zone {
    const char *id, *path, *name, *note;
    size_t type_length;           /* of the type, the first part of the id */
    struct nmc_rapl_zone *parent; /* NULL at the top */
    int64_t package, die;         /* of `package-N-die-M`; -1: none */
    enum nmc_role role;
    bool dangles;
};

struct nmc_rapl_zones {
    struct nmc_rapl_zone **items;
    size_t count, capacity;
    const char *failed; /* the folder that could not be listed */
};

/* Sorted by type and id. False: `missing` says why there is nothing to count. */
bool nmc_rapl_zones_find(struct nmc_counter *counter, struct nmc_rapl_zones *zones,
                         struct nmc_missing *missing);
void nmc_rapl_zones_release(struct nmc_rapl_zones *zones);

/* Gives each named zone its role; rapl_roles.c. */
void nmc_rapl_assign_roles(struct nmc_rapl_zones *zones);

#endif
