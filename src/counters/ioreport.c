/* ioreport.c - macOS on Apple silicon: energy of processor, GPU and neural engine as the
 * firmware's energy model reports it. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "counters/gpu_time.h"

#define JOULES_PER_PJ 1e-12
#define DEFAULT_WATTS 2000.0

/* Channels by their exact names; larger chips put DIE_<n>_ in front. Whole rails alone: a
 * cluster's or core's channel is inside one of them. */
static const struct {
    const char *name;
    enum nmc_role role;
} rails[] = {{"CPU Energy", NMC_COUNTED},
             {"GPU Energy", NMC_COUNTED},
             {"ANE", NMC_COUNTED},
             {"DRAM", NMC_BESIDE}};

/* Both of Unicode's letters mu: the micro sign U+00B5 and the Greek one U+03BC. */
static const struct {
    const char *label;
    int64_t picojoules;
} units[] = {
    {"pJ", 1},
    {"nJ", 1000},
    {"uJ", 1000000},
    {"\xC2\xB5J", 1000000},
    {"\xCE\xBCJ", 1000000},
    {"mJ", 1000000000},
    {"J", 1000000000000},
    {"kJ", 1000000000000000},
};

/* A channel as far as a part is concerned. */
struct rail {
    uint64_t total_pj; /* of all channels with its name */
    bool odd;          /* an advance below zero, or too large: this interval is not known */
};

struct ioreport_state {
    struct nmc_ioreport report;
    struct nmc_gpu_source gpu;           /* zeroed where the I/O Registry cannot be read */
    char odd_channel[256], odd_unit[64]; /* of the unknown unit that stopped a pass */
    bool out_of_memory;
};

/* ---- names and units ---------------------------------------------------------------------- */

/* The name without a DIE_<n>_ in front. */
static const char *rail_name(const char *name) {
    if (strncmp(name, "DIE_", 4) != 0)
        return name;
    size_t digits = strspn(name + 4, "0123456789");
    return digits && name[4 + digits] == '_' ? name + 4 + digits + 1 : name;
}

/* What a blank-trimmed label stands for; 0: unknown. */
static int64_t unit_of(const char *label) {
    size_t length = strlen(label);
    while (length && isspace((unsigned char)label[length - 1]))
        length--;
    while (length && isspace((unsigned char)*label)) {
        label++;
        length--;
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strlen(units[i].label) == length && strncmp(units[i].label, label, length) == 0)
            return units[i].picojoules;
    return 0;
}

static enum nmc_role role_of(const struct nmc_counter *counter, const char *name) {
    const char *rail = rail_name(name);
    if (counter->options.asked.device_count)
        return nmc_is_chosen(counter, name) || nmc_is_chosen(counter, rail) ? NMC_COUNTED
                                                                            : NMC_IGNORED;
    for (size_t i = 0; i < sizeof rails / sizeof *rails; i++)
        if (strcmp(rails[i].name, rail) == 0)
            return rails[i].role;
    return NMC_IGNORED;
}

/* ---- one pass over the channels ----------------------------------------------------------- */

static struct nmc_part *find_part(struct nmc_counter *counter, const char *name) {
    for (size_t i = 0; i < counter->part_count; i++)
        if (strcmp(counter->parts[i]->shown.name, name) == 0)
            return counter->parts[i];
    return NULL;
}

static struct nmc_part *add_part(struct nmc_counter *counter, const char *name,
                                 enum nmc_role role) {
    double watts = counter->options.asked.max_plausible_watts;
    struct nmc_part *part = nmc_part_add(counter, name, "Energy Model", role);
    struct rail *rail = nmc_arena_alloc(&counter->arena, sizeof *rail);
    if (!part || !rail)
        return NULL;
    part->device = rail;
    part->shown.unit_j = JOULES_PER_PJ;
    part->most_watts = watts > 0 ? watts : DEFAULT_WATTS;
    return part;
}

static void add_advance(struct rail *rail, int64_t value, int64_t unit) {
    int64_t pj, total;
    if (value < 0 || !nmc_mul(value, unit, &pj) || !nmc_add((int64_t)rail->total_pj, pj, &total))
        rail->odd = true;
    else
        rail->total_pj = (uint64_t)total;
}

static bool take_channel(void *user, const struct nmc_ioreport_channel *channel) {
    struct nmc_counter *counter = user;
    struct ioreport_state *state = counter->state;
    enum nmc_role role = role_of(counter, channel->name);
    if (role == NMC_IGNORED)
        return true;
    int64_t unit = unit_of(channel->unit);
    if (!unit) {
        memcpy(state->odd_channel, channel->name, sizeof state->odd_channel);
        memcpy(state->odd_unit, channel->unit, sizeof state->odd_unit);
        return false;
    }
    struct nmc_part *part = find_part(counter, channel->name);
    if (!part)
        part = add_part(counter, channel->name, role);
    if (!part)
        return state->out_of_memory = true, false;
    if ((double)unit * JOULES_PER_PJ > part->shown.resolution_j)
        part->shown.resolution_j = (double)unit * JOULES_PER_PJ;
    add_advance(part->device, channel->value, unit);
    return true;
}

/* ---- the counter -------------------------------------------------------------------------- */

static void why_stopped(const struct ioreport_state *state, char *out, size_t size) {
    if (state->odd_channel[0])
        snprintf(out, size, "channel `%s` counts in `%s`, an unknown unit", state->odd_channel,
                 state->odd_unit);
    else
        snprintf(out, size, "%s",
                 state->out_of_memory ? "memory ran out" : "IOReport gives no sample");
}

static bool open_ioreport(struct nmc_counter *counter, struct nmc_missing *missing) {
    char why[512];
    struct ioreport_state *state = nmc_arena_alloc(&counter->arena, sizeof *state);
    counter->state = state;
    if (!state || !nmc_ioreport_open(counter, &state->report, "Energy Model", missing))
        return false;
    nmc_gpu_source_open(counter, &state->gpu);
    if (!nmc_ioreport_next(&state->report, take_channel, counter)) {
        why_stopped(state, why, sizeof why);
        return nmc_lacks(missing, NMC_UNREADABLE, "%s", why);
    }
    for (size_t i = 0; i < counter->part_count; i++)
        if (counter->parts[i]->shown.role == NMC_COUNTED)
            return true;
    return nmc_lacks(missing, NMC_UNSUPPORTED,
                     "the group Energy Model has no channel that is asked for");
}

static neuromc_status read_ioreport(struct nmc_counter *counter,
                                    const struct nmc_interval *interval, neuromc_diags *diags) {
    char why[512];
    struct ioreport_state *state = counter->state;
    if (!nmc_ioreport_next(&state->report, take_channel, counter)) {
        why_stopped(state, why, sizeof why);
        return nmc_error(diags, NEUROMC_IO, (struct nmc_place){.file = "Energy Model"}, NULL,
                         "counter lost: %s", why);
    }
    for (size_t i = 0; i < counter->part_count; i++) {
        struct nmc_part *part = counter->parts[i];
        struct rail *rail = part->device;
        nmc_part_advance(part, rail->total_pj, interval, counter->info.update_s);
        if (rail->odd) {
            part->shown.quality |= NMC_READ_RESET;
            rail->odd = false;
        }
    }
    return NEUROMC_OK;
}

static void gpu_times(const struct nmc_counter *counter, struct nmc_gpu_times *out) {
    const struct ioreport_state *state = counter->state;
    if (state->gpu.creator)
        out->known = nmc_gpu_source_read(&state->gpu, out);
}

static void close_ioreport(struct nmc_counter *counter) {
    struct ioreport_state *state = counter->state;
    if (!state)
        return;
    nmc_gpu_source_close(&state->gpu);
    nmc_ioreport_close(&state->report);
}

const struct nmc_counter_kind nmc_kind_ioreport = {
    .info = {.name = "ioreport",
             .source = "IOReport, group Energy Model (macOS)",
             .includes = "processor cores, GPU and neural engine of the chip, whoever uses them "
                         "(one of them alone: --device \"GPU Energy\")",
             .leaves_out = "memory (beside it as DRAM), display, storage, losses of power supplies",
             .update_s = 0.1},
    .open = open_ioreport,
    .read = read_ioreport,
    .close = close_ioreport,
    .gpu_times = gpu_times,
};
