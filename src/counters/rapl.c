/* rapl.c - the energy of processor packages as powercap shows it. */
#include "counters/rapl_zones.h"
#include "counters/sysfs.h"

#define JOULES_PER_UJ   1e-6
#define HARDWARE_COUNTS 4294967295.0 /* the counter behind a zone has 32 bits */
#define DEFAULT_WATTS   2000.0

/* The range and what follows from it; a zone without one cannot be followed around a wrap. */
static void read_range(struct nmc_counter *counter, struct nmc_part *part, const char *folder) {
    char *path = nmc_arena_printf(&counter->arena, "%s/max_energy_range_uj", folder);
    uint64_t range = 0;
    part->shown.unit_j = part->shown.resolution_j = JOULES_PER_UJ;
    if (!path || nmc_sysfs_count(path, &range) != 0 || range == 0) {
        part->shown.note = "no max_energy_range_uj: when it wraps, that interval is lost";
        return;
    }
    part->range = range;
    part->shown.range_j = (double)range * JOULES_PER_UJ;
    if ((double)range > HARDWARE_COUNTS)
        part->shown.resolution_j = (double)range / HARDWARE_COUNTS * JOULES_PER_UJ;
}

/* Without dram the packages still count; without a package their sum would be wrong. */
static bool open_zone(struct nmc_counter *counter, struct nmc_part *part, const char *folder,
                      struct nmc_missing *missing) {
    char *path = nmc_arena_printf(&counter->arena, "%s/energy_uj", folder);
    double watts = counter->options.asked.max_plausible_watts;
    if (!path)
        return false;
    read_range(counter, part, folder);
    part->most_watts = watts > 0 ? watts : DEFAULT_WATTS;
    if (nmc_sysfs_open_value(counter, part, path, missing))
        return true;
    if (part->shown.role == NMC_COUNTED)
        return false;
    part->shown.role = NMC_IGNORED;
    part->shown.note = nmc_arena_strdup(&counter->arena, missing->reason);
    *missing = (struct nmc_missing){0};
    return part->shown.note != NULL;
}

static bool open_zones(struct nmc_counter *counter, const struct nmc_rapl_zones *zones,
                       struct nmc_missing *missing) {
    for (size_t i = 0; i < zones->count; i++) {
        const struct nmc_rapl_zone *zone = zones->items[i];
        const char *name = zone->name[0] ? zone->name : zone->id;
        struct nmc_part *part = nmc_part_add(counter, name, zone->path, zone->role);
        if (!part)
            return false;
        part->shown.note = zone->note;
        if (nmc_part_is_read(part) && !open_zone(counter, part, zone->path, missing))
            return false;
    }
    return true;
}

static bool open_rapl(struct nmc_counter *counter, struct nmc_missing *missing) {
    struct nmc_rapl_zones zones = {0};
    bool open =
        nmc_rapl_zones_find(counter, &zones, missing) && open_zones(counter, &zones, missing);
    nmc_rapl_zones_release(&zones);
    return open;
}

static neuromc_status read_rapl(struct nmc_counter *counter, const struct nmc_interval *interval,
                                neuromc_diags *diags) {
    for (size_t i = 0; i < counter->part_count; i++) {
        struct nmc_part *part = counter->parts[i];
        uint64_t value;
        if (!nmc_part_is_read(part))
            continue;
        int error = nmc_sysfs_value(counter, part, &value);
        if (!error)
            nmc_part_advance(part, value, interval, counter->info.update_s);
        else if (part->shown.role == NMC_COUNTED)
            return nmc_sysfs_lost(part, error, diags);
        else
            nmc_part_refuse(part);
    }
    return NEUROMC_OK;
}

const struct nmc_counter_kind nmc_kind_rapl = {
    .info = {.name = "rapl",
             .source = "powercap",
             .includes = "all processor packages: cores, caches, memory controllers, graphics in "
                         "the package, whoever uses them",
             .leaves_out = "memory (beside it as dram, where counted), disks, fans, other devices, "
                           "losses of power supplies",
             .update_s = 0.001},
    .open = open_rapl,
    .read = read_rapl,
};
