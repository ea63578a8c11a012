/* hwmon.c - energy counters and power sensors of the boards' monitoring chips. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "counters/sysfs.h"

#define MICRO         1e-6
#define DEFAULT_WATTS 2000.0

enum { TEXT = 128 };

/* One chip: a folder of class/hwmon. */
struct chip {
    const char *folder, *path, *name; /* "hwmon3", its path, "amd_energy" */
    const char *const *files;
    size_t file_count;
    bool counts_energy;
};

/* A channel by the file that is read. */
struct channel {
    char file[TEXT], stem[TEXT]; /* "power1_average", "power1" */
    char label[TEXT];            /* "Esocket0", or the stem */
    bool is_power;
};

/* ---- what is there ------------------------------------------------------------------------ */

/* WORD, digits, ending: the length up to the digits' end; 0: not so. */
static size_t stem_length(const char *file, const char *word, const char *ending) {
    size_t length = strlen(word);
    if (strncmp(file, word, length) != 0)
        return 0;
    size_t digits = strspn(file + length, "0123456789");
    return digits && strcmp(file + length + digits, ending) == 0 ? length + digits : 0;
}

static bool has_file(const struct chip *chip, const char *stem, const char *ending) {
    char file[2 * TEXT];
    snprintf(file, sizeof file, "%s%s", stem, ending);
    for (size_t i = 0; i < chip->file_count; i++)
        if (strcmp(chip->files[i], file) == 0)
            return true;
    return false;
}

/* Whether a file is a channel; an average is read rather than the moment's power. */
static bool parse_channel(const struct chip *chip, const char *file, struct channel *out) {
    size_t energy = stem_length(file, "energy", "_input"),
           average = stem_length(file, "power", "_average"),
           power = stem_length(file, "power", "_input");
    size_t length = energy + average + power;
    if (!length || strlen(file) >= TEXT)
        return false;
    snprintf(out->file, sizeof out->file, "%s", file);
    snprintf(out->stem, sizeof out->stem, "%.*s", (int)length, file);
    out->is_power = !energy;
    return !power || !has_file(chip, out->stem, "_average");
}

static bool read_label(struct nmc_counter *counter, const struct chip *chip, struct channel *out) {
    char *path = nmc_arena_printf(&counter->arena, "%s/%s_label", chip->path, out->stem);
    if (path && (nmc_sysfs_text(path, out->label, sizeof out->label) != 0 || !out->label[0]))
        snprintf(out->label, sizeof out->label, "%s", out->stem);
    return path != NULL;
}

static bool read_chip(struct nmc_counter *counter, const char *base, const char *folder,
                      struct chip *out) {
    char name[TEXT];
    *out = (struct chip){.folder = folder};
    out->path = nmc_arena_printf(&counter->arena, "%s/%s", base, folder);
    char *path = out->path ? nmc_arena_printf(&counter->arena, "%s/name", out->path) : NULL;
    if (!path)
        return false;
    if (nmc_sysfs_text(path, name, sizeof name) != 0 || !name[0])
        snprintf(name, sizeof name, "%s", folder);
    out->name = nmc_arena_strdup(&counter->arena, name);
    int error = nmc_sysfs_list(&counter->arena, out->path, &out->files, &out->file_count);
    for (size_t i = 0; i < out->file_count; i++)
        out->counts_energy |= stem_length(out->files[i], "energy", "_input") > 0;
    return out->name && error != ENOMEM;
}

/* ---- roles -------------------------------------------------------------------------------- */

/* --device CHIP, hwmonN, CHIP/LABEL, CHIP/energy1 or the same with hwmonN. */
static bool is_asked_for(const struct nmc_counter *counter, const struct chip *chip,
                         const struct channel *channel) {
    const char *chips[] = {chip->name, chip->folder}, *ends[] = {channel->label, channel->stem};
    char text[3 * TEXT];
    for (int c = 0; c < 2; c++) {
        if (nmc_is_chosen(counter, chips[c]))
            return true;
        for (int e = 0; e < 2; e++) {
            snprintf(text, sizeof text, "%s/%s", chips[c], ends[e]);
            if (nmc_is_chosen(counter, text))
                return true;
        }
    }
    return false;
}

static enum nmc_role role_of(const struct nmc_counter *counter, const struct chip *chip,
                             const struct channel *channel, bool any_energy) {
    if (counter->options.asked.device_count)
        return is_asked_for(counter, chip, channel) ? NMC_COUNTED : NMC_IGNORED;
    /* amd_energy: a socket holds its cores. A battery feeds the rest. */
    if (strncmp(channel->label, "Ecore", 5) == 0)
        return NMC_INSIDE;
    if (strncmp(chip->name, "BAT", 3) == 0)
        return NMC_AROUND;
    return any_energy && channel->is_power ? NMC_IGNORED : NMC_COUNTED;
}

/* ---- values ------------------------------------------------------------------------------- */

/* What drivers show when they know nothing: all ones of 16, 31, 32 or 63 bits, in their own unit
 * or in thousandths of it. (All ones of 64 bits are no number here, and so are negative ones.) */
static bool is_sentinel(uint64_t value, bool is_power) {
    static const uint64_t ones[] = {UINT16_MAX, INT32_MAX, UINT32_MAX, INT64_MAX};
    for (size_t i = 0; i < sizeof ones / sizeof *ones; i++) {
        /* An energy passes small numbers on its way. */
        if (value == ones[i] && (is_power || ones[i] >= UINT32_MAX))
            return true;
        if (is_power && ones[i] <= UINT32_MAX &&
            (value == ones[i] * 1000 || value == ones[i] * 1000000))
            return true;
    }
    return false;
}

/* A device that sleeps or has nothing to say now; it may later. */
static bool is_passing(int error) {
    return error == EBADMSG || error == ENODATA || error == EAGAIN || error == EBUSY ||
           error == ETIMEDOUT || error == EPERM;
}

/* A value that is refused from the start is left out, and said so. */
static bool refuse_sentinel(struct nmc_counter *counter, struct nmc_part *part) {
    uint64_t value;
    int error = nmc_sysfs_value(counter, part, &value);
    if (error || !is_sentinel(value, part->integrated))
        return true;
    part->shown.role = NMC_IGNORED;
    part->shown.note = nmc_arena_printf(&counter->arena, "holds %llu, which means no value",
                                        (unsigned long long)value);
    return part->shown.note != NULL;
}

/* A sensor that can be opened and has no value, as those of sleeping cards, does not spoil the
 * others unless it was asked for. A socket's energy would be missed. */
static bool leave_out(struct nmc_counter *counter, struct nmc_part *part,
                      struct nmc_missing *missing) {
    uint64_t value;
    if (part->fd < 0 || !part->integrated || counter->options.asked.device_count)
        return false;
    int error = nmc_sysfs_value(counter, part, &value);
    part->shown.role = NMC_IGNORED;
    part->shown.note = nmc_arena_printf(&counter->arena, "has no value: %s",
                                        error == EBADMSG ? "not a number" : strerror(error));
    *missing = (struct nmc_missing){0};
    return part->shown.note != NULL;
}

static bool add_channel(struct nmc_counter *counter, const struct chip *chip,
                        const struct channel *channel, enum nmc_role role,
                        struct nmc_missing *missing) {
    double watts = counter->options.asked.max_plausible_watts;
    char *name = nmc_arena_printf(&counter->arena, "%s/%s", chip->name, channel->label);
    char *path = nmc_arena_printf(&counter->arena, "%s/%s", chip->path, channel->file);
    struct nmc_part *part = name && path ? nmc_part_add(counter, name, path, role) : NULL;
    if (!part)
        return false;
    part->shown.unit_j = MICRO;
    part->integrated = channel->is_power;
    part->most_watts = watts > 0 ? watts : DEFAULT_WATTS;
    if (!nmc_part_is_read(part))
        return true;
    if (nmc_sysfs_open_value(counter, part, path, missing))
        return refuse_sentinel(counter, part);
    return leave_out(counter, part, missing);
}

static bool add_chip(struct nmc_counter *counter, const struct chip *chip, bool any_energy,
                     struct nmc_missing *missing) {
    for (size_t i = 0; i < chip->file_count; i++) {
        struct channel channel;
        if (!parse_channel(chip, chip->files[i], &channel))
            continue;
        if (!read_label(counter, chip, &channel))
            return false;
        enum nmc_role role = role_of(counter, chip, &channel, any_energy);
        if (!add_channel(counter, chip, &channel, role, missing))
            return false;
    }
    return true;
}

/* ---- the counter -------------------------------------------------------------------------- */

static bool any_counted(struct nmc_counter *counter, const char *base,
                        struct nmc_missing *missing) {
    const char *note = NULL, *name = "";
    bool counted = false;
    for (size_t i = 0; i < counter->part_count; i++) {
        const struct nmc_counter_part *part = &counter->parts[i]->shown;
        counted |= part->role == NMC_COUNTED;
        counter->info.integrated |= part->role == NMC_COUNTED && counter->parts[i]->integrated;
        if (part->note)
            note = part->note, name = part->place;
    }
    if (counted)
        return true;
    if (note)
        return nmc_lacks(missing, NMC_UNSUPPORTED, "%s %s", name, note);
    if (counter->part_count && counter->options.asked.device_count)
        return nmc_lacks(missing, NMC_UNSUPPORTED, "no chip or channel is the --device asked for");
    return nmc_lacks(missing, NMC_UNSUPPORTED, "no chip of %s counts energy or shows power", base);
}

static bool add_chips(struct nmc_counter *counter, const char *base, const char *const *folders,
                      size_t count, struct nmc_missing *missing) {
    struct chip *chips = nmc_arena_array(&counter->arena, count, sizeof *chips);
    bool any_energy = false;
    if (!chips)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!read_chip(counter, base, folders[i], &chips[i]))
            return false;
        any_energy |= chips[i].counts_energy;
    }
    for (size_t i = 0; i < count; i++)
        if (!add_chip(counter, &chips[i], any_energy, missing))
            return false;
    return any_counted(counter, base, missing);
}

static bool open_hwmon(struct nmc_counter *counter, struct nmc_missing *missing) {
    const char *const *folders;
    size_t count;
    char *base = nmc_sysfs_path(counter, "class/hwmon");
    if (!base)
        return false;
    int error = nmc_sysfs_list(&counter->arena, base, &folders, &count);
    if (error)
        return nmc_sysfs_lacks(missing, base, error);
    if (count == 0)
        return nmc_lacks(missing, NMC_EMPTY, "%s has no chips", base);
    for (size_t i = 0; i < count; i++) {
        char *path = nmc_arena_printf(&counter->arena, "%s/%s", base, folders[i]);
        if (!path || nmc_sysfs_dangles(path))
            return path ? nmc_sysfs_lacks(missing, path, ENOENT) : false;
    }
    return add_chips(counter, base, folders, count, missing);
}

static neuromc_status read_hwmon(struct nmc_counter *counter, const struct nmc_interval *interval,
                                 neuromc_diags *diags) {
    for (size_t i = 0; i < counter->part_count; i++) {
        struct nmc_part *part = counter->parts[i];
        uint64_t value = 0;
        if (!nmc_part_is_read(part))
            continue;
        int error = nmc_sysfs_value(counter, part, &value);
        if (error && !is_passing(error))
            return nmc_sysfs_lost(part, error, diags);
        if (error || is_sentinel(value, part->integrated))
            nmc_part_refuse(part);
        else if (part->integrated)
            nmc_part_integrate(part, (double)value * MICRO, interval);
        else
            nmc_part_advance(part, value, interval, counter->info.update_s);
    }
    return NEUROMC_OK;
}

const struct nmc_counter_kind nmc_kind_hwmon = {
    .info = {.name = "hwmon",
             .source = "hwmon",
             .includes = "what each chip watches: sockets, rails, boards or cards, by its label",
             .leaves_out = "what no chip watches; power that changes between two readings of a "
                           "sensor",
             .update_s = 0.1},
    .open = open_hwmon,
    .read = read_hwmon,
};
