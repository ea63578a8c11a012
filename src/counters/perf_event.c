#include "counters/perf_event.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "counters/sysfs.h"

enum { MOST_CPUS = 1024, TEXT = 4096 };

static bool odd(struct nmc_missing *missing, const char *path, const char *text) {
    return nmc_lacks(missing, NMC_UNREADABLE, "%s cannot be understood: `%.200s`", path, text);
}

/* ---- lists of numbers: "0", "0,18", "0-3,8" ----------------------------------------------- */

static bool read_decimal(const char **at, int64_t *out) {
    size_t length = strspn(*at, "0123456789");
    bool good = length && length < 10 && nmc_integer_parse(*at, length, out);
    *at += length;
    return good;
}

/* One number or a range; false for anything else. */
static bool read_range(const char **at, int64_t *first, int64_t *last) {
    if (!read_decimal(at, first))
        return false;
    *last = *first;
    if (**at == '-') {
        ++*at;
        if (!read_decimal(at, last))
            return false;
    }
    return *last >= *first;
}

static bool parse_cpus(const char *text, int *cpus, size_t *count) {
    const char *at = text;
    for (*count = 0; *at;) {
        int64_t first, last;
        if (!read_range(&at, &first, &last) || (size_t)(last - first) >= MOST_CPUS - *count)
            return false;
        for (; first <= last; first++)
            cpus[(*count)++] = (int)first;
        if (*at == ',' && at[1])
            at++;
        else if (*at)
            return false;
    }
    return *count > 0;
}

static bool read_cpus(struct nmc_counter *counter, struct nmc_perf_pmu *pmu,
                      struct nmc_missing *missing) {
    char text[TEXT];
    int cpus[MOST_CPUS];
    char *path = nmc_arena_printf(&counter->arena, "%s/cpumask", pmu->path);
    if (!path)
        return false;
    int error = nmc_sysfs_text(path, text, sizeof text);
    if (error)
        return nmc_sysfs_lacks(missing, path, error);
    if (!parse_cpus(text, cpus, &pmu->cpu_count))
        return odd(missing, path, text);
    pmu->cpus = nmc_arena_copy(&counter->arena, cpus, pmu->cpu_count * sizeof *cpus);
    return pmu->cpus != NULL;
}

bool nmc_perf_pmu_find(struct nmc_counter *counter, const char *name, struct nmc_perf_pmu *out,
                       struct nmc_missing *missing) {
    uint64_t type;
    char *path = nmc_sysfs_path(counter, "bus/event_source/devices/%s", name);
    char *type_path = path ? nmc_arena_printf(&counter->arena, "%s/type", path) : NULL;
    if (!type_path)
        return false;
    *out = (struct nmc_perf_pmu){.path = path};
    int error = nmc_sysfs_count(type_path, &type);
    if (error)
        return nmc_sysfs_dangles(path) ? nmc_sysfs_lacks(missing, path, ENOENT)
                                       : nmc_sysfs_lacks(missing, type_path, error);
    if (type > UINT32_MAX)
        return nmc_sysfs_lacks(missing, type_path, EBADMSG);
    out->type = (uint32_t)type;
    return read_cpus(counter, out, missing);
}

/* ---- terms: "event=0x02,umask=1" ---------------------------------------------------------- */

static bool parse_value(const char *text, size_t length, uint64_t *out) {
    int64_t decimal;
    *out = 0;
    if (length < 3 || text[0] != '0' || (text[1] | 0x20) != 'x') {
        bool good =
            length && isdigit((unsigned char)text[0]) && nmc_integer_parse(text, length, &decimal);
        *out = good ? (uint64_t)decimal : 0;
        return good;
    }
    for (size_t i = 2; i < length; i++) {
        int c = tolower((unsigned char)text[i]);
        if (!isxdigit(c) || i >= 2 + 16)
            return false;
        *out = *out << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    return true;
}

/* Puts the low bits of a value into the bits FIRST to LAST of a word, and drops them. */
static bool place_bits(uint64_t *word, uint64_t *value, int64_t first, int64_t last) {
    int64_t width = last - first + 1;
    if (last > 63)
        return false;
    uint64_t mask = width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
    *word |= (*value & mask) << first;
    *value = width == 64 ? 0 : *value >> width;
    return true;
}

/* "config:0-7" or "config1:0-7,32-35"; a value that does not fit is refused. */
static bool place_value(const char *format, uint64_t value, struct nmc_perf_event *event) {
    static const char *const words[] = {"config:", "config1:", "config2:"};
    for (int w = 0; w < 3; w++) {
        size_t length = strlen(words[w]);
        if (strncmp(format, words[w], length) != 0)
            continue;
        for (const char *at = format + length; *at; at += *at == ',') {
            int64_t first, last;
            if (!read_range(&at, &first, &last) || (*at && *at != ',') ||
                !place_bits(&event->config[w], &value, first, last))
                return false;
        }
        return value == 0;
    }
    return false;
}

/* NAME=VALUE, or NAME alone for 1. `config` and its like need no format. */
static bool place_term(struct nmc_counter *counter, const struct nmc_perf_pmu *pmu,
                       const char *term, size_t length, struct nmc_perf_event *event) {
    char format[256];
    const char *equals = memchr(term, '=', length);
    size_t name = equals ? (size_t)(equals - term) : length;
    uint64_t value = 1;
    if (name == 0 || memchr(term, '/', name) || name > 64)
        return false;
    if (equals && !parse_value(equals + 1, length - name - 1, &value))
        return false;
    snprintf(format, sizeof format, "%.*s:0-63", (int)name, term);
    if (strncmp(format, "config", 6) != 0) {
        char *path =
            nmc_arena_printf(&counter->arena, "%s/format/%.*s", pmu->path, (int)name, term);
        int error = path ? nmc_sysfs_text(path, format, sizeof format) : ENOMEM;
        if (error && (error != ENOENT || strncmp(term, "event=", 6) != 0))
            return false;
        if (error) /* the power PMU has always had its event there */
            snprintf(format, sizeof format, "config:0-7");
    }
    return place_value(format, value, event);
}

static bool place_terms(struct nmc_counter *counter, const struct nmc_perf_pmu *pmu,
                        const char *text, struct nmc_perf_event *event) {
    const char *at = text;
    while (*at) {
        size_t length = strcspn(at, ",");
        if (!place_term(counter, pmu, at, length, event))
            return false;
        at += length;
        at += *at == ',';
    }
    return at > text;
}

/* ---- events ------------------------------------------------------------------------------- */

static bool read_part(struct nmc_counter *counter, const struct nmc_perf_pmu *pmu, const char *name,
                      const char *suffix, char text[TEXT], char **path,
                      struct nmc_missing *missing) {
    *path = nmc_arena_printf(&counter->arena, "%s/events/%s%s", pmu->path, name, suffix);
    if (!*path)
        return false;
    int error = nmc_sysfs_text(*path, text, TEXT);
    return error ? nmc_sysfs_lacks(missing, *path, error) : true;
}

bool nmc_perf_event_find(struct nmc_counter *counter, const struct nmc_perf_pmu *pmu,
                         const char *name, struct nmc_perf_event *out,
                         struct nmc_missing *missing) {
    char text[TEXT], *path;
    *out = (struct nmc_perf_event){0};
    if (!read_part(counter, pmu, name, "", text, &path, missing))
        return false;
    if (!place_terms(counter, pmu, text, out))
        return odd(missing, path, text);
    if (!read_part(counter, pmu, name, ".scale", text, &path, missing))
        return false;
    if (!nmc_number_parse(text, strlen(text), &out->joules) || !(out->joules > 0))
        return odd(missing, path, text);
    if (!read_part(counter, pmu, name, ".unit", text, &path, missing))
        return false;
    return strcmp(text, "Joules") == 0 ? true : odd(missing, path, text);
}
