#include "counters/rapl_zones.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "counters/sysfs.h"

/* Zones in zones: real ones are two deep. */
enum { MOST_DEEP = 8 };

/* Length of the type in TYPE:HEX[:HEX]...; 0 if the name is no zone's. */
static size_t type_length(const char *name) {
    size_t length = strcspn(name, ":");
    const char *at = name + length;
    if (length == 0 || !*at)
        return 0;
    while (*at == ':') {
        size_t digits = strspn(at + 1, "0123456789abcdefABCDEF");
        if (digits == 0)
            return 0;
        at += 1 + digits;
    }
    return *at ? 0 : length;
}

static struct nmc_rapl_zone *find_id(const struct nmc_rapl_zones *zones, const char *id,
                                     size_t length) {
    for (size_t i = 0; i < zones->count; i++)
        if (strlen(zones->items[i]->id) == length && strncmp(zones->items[i]->id, id, length) == 0)
            return zones->items[i];
    return NULL;
}

static bool add_zone(struct nmc_counter *counter, struct nmc_rapl_zones *zones, const char *id,
                     const char *path) {
    struct nmc_rapl_zone *zone = nmc_arena_alloc(&counter->arena, sizeof *zone);
    if (!zone || zones->count == NMC_LIMIT_COUNTER_PARTS ||
        !nmc_grow(&zones->items, &zones->capacity, zones->count + 1, sizeof *zones->items))
        return false;
    *zone = (struct nmc_rapl_zone){.id = id,
                                   .path = path,
                                   .type_length = type_length(id),
                                   .package = -1,
                                   .die = -1,
                                   .role = NMC_IGNORED,
                                   .dangles = nmc_sysfs_dangles(path)};
    zones->items[zones->count++] = zone;
    return true;
}

/* Whether an entry of a folder may lead to zones: a zone itself, or a control type at the top. */
static bool leads_on(const char *entry, const char *owner, int depth) {
    size_t length = strlen(owner);
    if (depth == 0 && !strchr(entry, ':'))
        return true;
    if (!type_length(entry))
        return false;
    return depth == 0 || !strchr(owner, ':') ||
           (strncmp(entry, owner, length) == 0 && entry[length] == ':');
}

/* Zones in a folder and in the zones in it. A zone that is linked to from two places counts once.
 */
static int scan(struct nmc_counter *counter, struct nmc_rapl_zones *zones, const char *path,
                const char *owner, int depth) {
    const char *const *names;
    size_t count;
    int error = nmc_sysfs_list(&counter->arena, path, &names, &count);
    if (error)
        zones->failed = path;
    for (size_t i = 0; !error && i < count; i++) {
        bool zone = type_length(names[i]) > 0;
        if (!leads_on(names[i], owner, depth) ||
            (zone && find_id(zones, names[i], strlen(names[i]))))
            continue;
        char *inner = nmc_arena_printf(&counter->arena, "%s/%s", path, names[i]);
        if (!inner || (zone && !add_zone(counter, zones, names[i], inner)))
            return ENOMEM;
        if (depth < MOST_DEEP)
            error = scan(counter, zones, inner, names[i], depth + 1);
        /* A file beside the zones, or a link to nowhere, which is noted in the zone. */
        if (error == ENOTDIR || error == ENOENT || error == ELOOP)
            error = 0;
    }
    return error;
}

/* ---- names -------------------------------------------------------------------------------- */

static bool read_digits(const char **at, int64_t *out) {
    const char *start = *at;
    for (*out = 0; isdigit((unsigned char)**at) && *at - start < 9; ++*at)
        *out = *out * 10 + (**at - '0');
    return *at > start;
}

/* package-N or package-N-die-M, and nothing behind it. */
static void parse_package(struct nmc_rapl_zone *zone) {
    const char *at = zone->name;
    int64_t package, die = -1;
    if (strncmp(at, "package-", 8) != 0)
        return;
    at += 8;
    if (!read_digits(&at, &package))
        return;
    if (strncmp(at, "-die-", 5) == 0) {
        at += 5;
        if (!read_digits(&at, &die))
            return;
    }
    if (*at)
        return;
    zone->package = package;
    zone->die = die;
}

/* A zone whose name cannot be read may be a package: the sum would silently lack it. */
static bool read_name(struct nmc_counter *counter, struct nmc_rapl_zone *zone,
                      struct nmc_missing *missing) {
    char text[128];
    char *path = nmc_arena_printf(&counter->arena, "%s/name", zone->path);
    if (!path)
        return false;
    int error = zone->dangles ? ENOENT : nmc_sysfs_text(path, text, sizeof text);
    if (error && error != ENOENT && error != ENOTDIR)
        return nmc_sysfs_lacks(missing, path, error);
    if (error)
        zone->note = zone->dangles ? "a link to nowhere" : "has no name";
    else if (!text[0])
        zone->note = "its name is empty";
    zone->name = error ? "" : nmc_arena_strdup(&counter->arena, text);
    if (!zone->name)
        return false;
    parse_package(zone);
    return true;
}

static void find_parent(struct nmc_rapl_zones *zones, struct nmc_rapl_zone *zone) {
    const char *last = strrchr(zone->id, ':');
    if (last)
        zone->parent = find_id(zones, zone->id, (size_t)(last - zone->id));
}

/* ---- order -------------------------------------------------------------------------------- */

static bool is_type(const struct nmc_rapl_zone *zone, const char *type) {
    return zone->type_length == strlen(type) && strncmp(zone->id, type, zone->type_length) == 0;
}

/* intel-rapl (which AMD's processors use, too), then others, then what repeats them. */
static int preference(const struct nmc_rapl_zone *zone) {
    static const char suffix[] = "-mmio";
    size_t length = sizeof suffix - 1;
    if (is_type(zone, "intel-rapl"))
        return 0;
    return zone->type_length > length &&
                   strncmp(zone->id + zone->type_length - length, suffix, length) == 0
               ? 2
               : 1;
}

static size_t hex_length(const char *digits) {
    return strspn(digits, "0123456789abcdefABCDEF");
}

/* "a" after "9", "10" after "f": by value, id by id. */
static int compare_ids(const char *a, const char *b) {
    while (*a == ':' && *b == ':') {
        a += 1 + strspn(a + 1, "0");
        b += 1 + strspn(b + 1, "0");
        size_t m = hex_length(a), n = hex_length(b);
        if (m != n)
            return m < n ? -1 : 1;
        int order = strncmp(a, b, m);
        if (order)
            return order;
        a += m;
        b += n;
    }
    return (*a != '\0') - (*b != '\0');
}

static int by_type_and_id(const void *left, const void *right) {
    const struct nmc_rapl_zone *a = *(struct nmc_rapl_zone *const *)left,
                               *b = *(struct nmc_rapl_zone *const *)right;
    size_t shorter = a->type_length < b->type_length ? a->type_length : b->type_length;
    int order = preference(a) - preference(b);
    if (!order)
        order = strncmp(a->id, b->id, shorter);
    if (!order && a->type_length != b->type_length)
        order = a->type_length < b->type_length ? -1 : 1;
    if (!order)
        order = compare_ids(a->id + a->type_length, b->id + b->type_length);
    return order ? order : strcmp(a->id, b->id);
}

/* ---- all of it ---------------------------------------------------------------------------- */

static bool nothing_found(struct nmc_missing *missing, const char *base) {
    return nmc_lacks_hint(missing, NMC_EMPTY,
                          "in a container: mount the host's /sys; else `modprobe intel_rapl_msr`",
                          "%s has no zones", base);
}

static bool nothing_counted(const struct nmc_rapl_zones *zones, struct nmc_missing *missing) {
    struct nmc_strbuf names;
    nmc_strbuf_init(&names);
    for (size_t i = 0; i < zones->count; i++)
        nmc_strbuf_printf(&names, "%s%s", i ? ", " : "",
                          zones->items[i]->name[0] ? zones->items[i]->name : zones->items[i]->id);
    nmc_lacks(missing, NMC_UNSUPPORTED, "no zone is a package; there are: %s", names.text);
    nmc_strbuf_release(&names);
    return false;
}

/* A zone of the counted type that leads nowhere may be a package that the sum would lack. */
static bool none_dangles(const struct nmc_rapl_zones *zones, struct nmc_missing *missing) {
    const struct nmc_rapl_zone *counted = NULL, *dangling = NULL;
    for (size_t i = 0; i < zones->count; i++) {
        const struct nmc_rapl_zone *zone = zones->items[i];
        if (zone->role == NMC_COUNTED && !counted)
            counted = zone;
        if (zone->dangles && !dangling)
            dangling = zone;
    }
    if (!dangling || (counted && preference(counted) < preference(dangling)))
        return counted ? true : nothing_counted(zones, missing);
    return nmc_lacks_hint(missing, NMC_DANGLING, "in a container: mount the host's /sys",
                          "%s is a link to nowhere", dangling->path);
}

bool nmc_rapl_zones_find(struct nmc_counter *counter, struct nmc_rapl_zones *zones,
                         struct nmc_missing *missing) {
    char *base = nmc_sysfs_path(counter, "class/powercap");
    if (!base)
        return false;
    int error = scan(counter, zones, base, "", 0);
    if (error == ENOENT && !nmc_sysfs_dangles(base))
        return nmc_lacks_hint(missing, NMC_NOT_PRESENT,
                              "the kernel has no powercap, or its driver is not loaded: "
                              "`modprobe intel_rapl_msr`",
                              "there is no %s", base);
    if (error)
        return nmc_sysfs_lacks(missing, zones->failed ? zones->failed : base, error);
    if (!zones->count)
        return nothing_found(missing, base);
    qsort(zones->items, zones->count, sizeof *zones->items, by_type_and_id);
    for (size_t i = 0; i < zones->count; i++) {
        find_parent(zones, zones->items[i]);
        if (!read_name(counter, zones->items[i], missing))
            return false;
    }
    nmc_rapl_assign_roles(zones);
    return none_dangles(zones, missing);
}

void nmc_rapl_zones_release(struct nmc_rapl_zones *zones) {
    nmc_free(zones->items);
    *zones = (struct nmc_rapl_zones){0};
}
