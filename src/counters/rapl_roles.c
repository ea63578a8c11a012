/* rapl_roles.c - which zones are added up, which are beside, inside, around or repeated. */
#include <string.h>

#include "counters/rapl_zones.h"

static bool same_type(const struct nmc_rapl_zone *a, const struct nmc_rapl_zone *b) {
    return a->type_length == b->type_length && strncmp(a->id, b->id, a->type_length) == 0;
}

static const struct nmc_rapl_zone *package_above(const struct nmc_rapl_zone *zone) {
    for (zone = zone->parent; zone; zone = zone->parent)
        if (zone->package >= 0)
            return zone;
    return NULL;
}

/* The number of the package whose energy it is; -1: not known. */
static int64_t package_of(const struct nmc_rapl_zone *zone) {
    const struct nmc_rapl_zone *above = package_above(zone);
    return zone->package >= 0 ? zone->package : above ? above->package : -1;
}

static bool is_dram(const struct nmc_rapl_zone *zone) {
    return strcmp(zone->name, "dram") == 0;
}

/* The zones are sorted by preference: what an earlier type shows of a package, a later one
 * repeats; and within a type a name is one zone's. */
static bool repeats(const struct nmc_rapl_zones *zones, size_t index) {
    const struct nmc_rapl_zone *zone = zones->items[index];
    for (size_t i = 0; i < index; i++) {
        const struct nmc_rapl_zone *other = zones->items[i];
        bool alike = is_dram(zone) ? is_dram(other) : other->package >= 0;
        if (!alike || package_of(other) != package_of(zone))
            continue;
        if (!same_type(zone, other))
            return true;
        if (strcmp(zone->name, other->name) == 0 &&
            (!is_dram(zone) || zone->parent == other->parent))
            return true;
    }
    return false;
}

/* A die whose whole package is a zone, too; or a package in a package. */
static bool inside_package(const struct nmc_rapl_zones *zones, const struct nmc_rapl_zone *zone) {
    if (package_above(zone))
        return true;
    for (size_t i = 0; zone->die >= 0 && i < zones->count; i++) {
        const struct nmc_rapl_zone *other = zones->items[i];
        if (same_type(zone, other) && other->package == zone->package && other->die < 0)
            return true;
    }
    return false;
}

static enum nmc_role role_of_package(const struct nmc_rapl_zones *zones, size_t index) {
    if (repeats(zones, index))
        return NMC_REPEATS;
    return inside_package(zones, zones->items[index]) ? NMC_INSIDE : NMC_COUNTED;
}

static enum nmc_role role_by_name(const char *name) {
    static const struct {
        const char *name;
        enum nmc_role role;
    } roles[] = {{"core", NMC_INSIDE}, {"uncore", NMC_INSIDE}, {"psys", NMC_AROUND}};
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (strcmp(name, roles[i].name) == 0)
            return roles[i].role;
    return NMC_IGNORED;
}

void nmc_rapl_assign_roles(struct nmc_rapl_zones *zones) {
    for (size_t i = 0; i < zones->count; i++) {
        struct nmc_rapl_zone *zone = zones->items[i];
        if (zone->package >= 0)
            zone->role = role_of_package(zones, i);
        else if (is_dram(zone))
            zone->role = repeats(zones, i) ? NMC_REPEATS : NMC_BESIDE;
        else
            zone->role = role_by_name(zone->name);
        if (zone->role == NMC_IGNORED && !zone->note)
            zone->note = "no known kind of zone";
    }
}
