/* nvml.c - the energy of NVIDIA's GPUs: their own counter, held against integrated power; or
 * integrated power alone where a GPU has no counter. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "counters/nvml_api.h"

#define MILLI         1e-3
#define DEFAULT_WATTS 2000.0

/* A counter and integrated power that differ by more than this are worth a warning, once there is
 * a second to compare. */
#define MOST_DISAGREEMENT 0.2
#define LEAST_COMPARED_S  1.0

struct gpu {
    nvml_device_t device;
    bool shows_power;
    bool has_watts;
    double watts;
    double counted_j, integrated_j, compared_s; /* over the intervals that have both */
};

struct nvml_state {
    struct nmc_library library;
    struct nmc_nvml_api api;
};

/* ---- opening ------------------------------------------------------------------------------ */

static bool failed(struct nmc_missing *missing, const struct nmc_nvml_api *api, const char *what,
                   unsigned index, int code) {
    if (code == NVML_NO_PERMISSION)
        return nmc_lacks_hint(missing, NMC_DENIED,
                              "run as root, or join the group that owns the file",
                              "/dev/nvidia%u may not be used", index);
    return nmc_lacks(missing, NMC_UNREADABLE, "GPU %u: %s: %s", index, what,
                     api->error_string(code));
}

/* The device, or the driver below the library, does not know of it. */
static bool is_unknown(int code) {
    return code == NVML_NOT_SUPPORTED || code == NVML_FUNCTION_NOT_FOUND;
}

/* Asks once which of the two a GPU has. */
static bool probe(struct nmc_part *part, struct gpu *gpu, const struct nmc_nvml_api *api,
                  unsigned index, struct nmc_missing *missing) {
    unsigned long long mj;
    unsigned mw;
    int energy = api->energy_mj(gpu->device, &mj), power = api->power_mw(gpu->device, &mw);
    gpu->shows_power = power == NVML_OK;
    part->integrated = is_unknown(energy);
    if (energy != NVML_OK && !part->integrated)
        return failed(missing, api, "energy", index, energy);
    if (!part->integrated || gpu->shows_power)
        return true;
    if (!is_unknown(power))
        return failed(missing, api, "power", index, power);
    return nmc_lacks(missing, NMC_UNSUPPORTED,
                     "GPU %u (%s) has neither an energy counter nor power", index,
                     part->shown.name);
}

static bool add_gpu(struct nmc_counter *counter, const struct nmc_nvml_api *api, unsigned index,
                    bool *chosen, struct nmc_missing *missing) {
    char name[128] = "GPU", uuid[128] = "", number[16];
    double watts = counter->options.asked.max_plausible_watts;
    struct gpu *gpu = nmc_arena_alloc(&counter->arena, sizeof *gpu);
    if (!gpu)
        return false;
    int code = api->by_index(index, &gpu->device);
    if (code != NVML_OK)
        return failed(missing, api, "handle", index, code);
    api->name(gpu->device, name, sizeof name);
    api->uuid(gpu->device, uuid, sizeof uuid);
    name[sizeof name - 1] = uuid[sizeof uuid - 1] = '\0';
    snprintf(number, sizeof number, "%u", index);
    *chosen = !counter->options.asked.device_count || nmc_is_chosen(counter, number) ||
              nmc_is_chosen(counter, uuid);
    char *place = nmc_arena_printf(&counter->arena, "GPU %u, %s", index, uuid);
    struct nmc_part *part =
        place ? nmc_part_add(counter, name, place, *chosen ? NMC_COUNTED : NMC_IGNORED) : NULL;
    if (!part)
        return false;
    part->device = gpu;
    part->shown.unit_j = MILLI;
    part->most_watts = watts > 0 ? watts : DEFAULT_WATTS;
    if (*chosen && !probe(part, gpu, api, index, missing))
        return false;
    counter->info.integrated |= part->integrated;
    if (part->integrated)
        part->shown.note = "has no energy counter: its power is integrated";
    return true;
}

static bool add_gpus(struct nmc_counter *counter, const struct nmc_nvml_api *api,
                     struct nmc_missing *missing) {
    unsigned count = 0, counted = 0;
    int code = api->count(&count);
    if (code != NVML_OK)
        return nmc_lacks(missing, NMC_UNREADABLE, "counting GPUs: %s", api->error_string(code));
    if (count == 0)
        return nmc_lacks(missing, NMC_EMPTY, "the driver is there and knows no GPU");
    for (unsigned i = 0; i < count; i++) {
        bool chosen = false;
        if (!add_gpu(counter, api, i, &chosen, missing))
            return false;
        counted += chosen;
    }
    if (counted < counter->options.asked.device_count)
        return nmc_lacks(missing, NMC_UNSUPPORTED,
                         "of the GPUs asked for by --device %u are here (%u in all)", counted,
                         count);
    return true;
}

static void close_nvml(struct nmc_counter *counter) {
    struct nvml_state *state = counter->state;
    if (state && state->library.handle) {
        state->api.shutdown();
        nmc_library_close(&state->library);
    }
}

static bool open_nvml(struct nmc_counter *counter, struct nmc_missing *missing) {
    struct nvml_state *state = nmc_arena_alloc(&counter->arena, sizeof *state);
    counter->state = state;
    return state && nmc_nvml_open(counter, &state->library, &state->api, missing) &&
           add_gpus(counter, &state->api, missing);
}

/* ---- reading ------------------------------------------------------------------------------ */

static neuromc_status lost(const struct nmc_part *part, const struct nmc_nvml_api *api, int code,
                           neuromc_diags *diags) {
    return nmc_error(diags, NEUROMC_IO,
                     (struct nmc_place){.file = part->shown.place, .where = part->shown.name}, NULL,
                     "counter lost: %s", api->error_string(code));
}

/* Adds an interval in which both the counter and the power are known to the comparison. */
static void compare(struct gpu *gpu, const struct nmc_part *part, double watts,
                    const struct nmc_interval *interval) {
    double span_s = (double)interval->elapsed_ns * 1e-9;
    if (gpu->has_watts && !(part->shown.quality & NMC_READ_NO_ENERGY)) {
        gpu->integrated_j += (gpu->watts + watts) / 2 * span_s;
        gpu->counted_j += part->shown.step_j;
        gpu->compared_s += span_s;
    }
    gpu->watts = watts;
    gpu->has_watts = true;
}

static neuromc_status read_gpu(struct nmc_counter *counter, struct nmc_part *part,
                               const struct nmc_interval *interval, neuromc_diags *diags) {
    const struct nmc_nvml_api *api = &((const struct nvml_state *)counter->state)->api;
    struct gpu *gpu = part->device;
    unsigned long long mj = 0;
    unsigned mw = 0;
    int power = gpu->shows_power ? api->power_mw(gpu->device, &mw) : NVML_NOT_SUPPORTED;
    if (part->integrated) {
        if (power != NVML_OK)
            return lost(part, api, power, diags);
        nmc_part_integrate(part, mw * MILLI, interval);
        return NEUROMC_OK;
    }
    int energy = api->energy_mj(gpu->device, &mj);
    if (energy != NVML_OK)
        return lost(part, api, energy, diags);
    nmc_part_advance(part, mj, interval, counter->info.update_s);
    if (power == NVML_OK)
        compare(gpu, part, mw * MILLI, interval);
    else
        gpu->has_watts = false;
    return NEUROMC_OK;
}

static neuromc_status read_nvml(struct nmc_counter *counter, const struct nmc_interval *interval,
                                neuromc_diags *diags) {
    neuromc_status status = NEUROMC_OK;
    for (size_t i = 0; i < counter->part_count && status == NEUROMC_OK; i++)
        if (nmc_part_is_read(counter->parts[i]))
            status = read_gpu(counter, counter->parts[i], interval, diags);
    return status;
}

static void check_nvml(const struct nmc_counter *counter, neuromc_diags *diags) {
    for (size_t i = 0; i < counter->part_count; i++) {
        const struct nmc_part *part = counter->parts[i];
        const struct gpu *gpu = part->device;
        char counted[NMC_NUMBER_SIZE], integrated[NMC_NUMBER_SIZE];
        if (gpu->compared_s < LEAST_COMPARED_S ||
            fabs(gpu->counted_j - gpu->integrated_j) <= MOST_DISAGREEMENT * gpu->integrated_j)
            continue;
        nmc_short_format(counted, gpu->counted_j);
        nmc_short_format(integrated, gpu->integrated_j);
        nmc_warning(diags, (struct nmc_place){.file = part->shown.place, .where = part->shown.name},
                    "hold both against a meter before believing either",
                    "the energy counter says %s J, integrated power %s J: more than 20 %% apart",
                    counted, integrated);
    }
}

const struct nmc_counter_kind nmc_kind_nvml = {
    .info = {.name = "nvml",
             .source = "libnvidia-ml.so.1",
             .includes = "the whole card: processor, memory, regulators, whoever uses it",
             .leaves_out = "the host's processor, memory and power supply",
             .update_s = 0.1},
    .open = open_nvml,
    .read = read_nvml,
    .close = close_nvml,
    .check = check_nvml,
};
