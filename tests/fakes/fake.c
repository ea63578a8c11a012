/* fake.c - NVIDIA's management library, IOReport, CoreFoundation, libproc and libSystem in one,
 * answering as fake.h's script says. */
#include "fakes/fake.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

static struct fake script;

EXPORT struct fake *fake_script(void);
struct fake *fake_script(void) {
    return &script;
}

/* ---- NVML --------------------------------------------------------------------------------- */

#define NVML(name, ...)                                                                            \
    EXPORT int name(__VA_ARGS__);                                                                  \
    int name(__VA_ARGS__)

NVML(nvmlInit_v2, void) {
    script.initialised += script.init_code == 0;
    return script.init_code;
}

NVML(nvmlShutdown, void) {
    script.initialised--;
    return 0;
}

EXPORT const char *nvmlErrorString(int code);
const char *nvmlErrorString(int code) {
    return code == 15 ? "GPU is lost" : code == 3 ? "Not Supported" : "Unknown Error";
}

NVML(nvmlDeviceGetCount_v2, unsigned *out) {
    *out = script.gpu_count;
    return script.count_code;
}

NVML(nvmlDeviceGetHandleByIndex_v2, unsigned index, struct fake_gpu **out) {
    *out = &script.gpus[index];
    return index < script.gpu_count ? script.gpus[index].handle_code : 2;
}

NVML(nvmlDeviceGetName, const struct fake_gpu *gpu, char *out, unsigned size) {
    snprintf(out, size, "%s", gpu->name);
    return 0;
}

NVML(nvmlDeviceGetUUID, const struct fake_gpu *gpu, char *out, unsigned size) {
    snprintf(out, size, "%s", gpu->uuid);
    return 0;
}

NVML(nvmlDeviceGetTotalEnergyConsumption, const struct fake_gpu *gpu, unsigned long long *out) {
    *out = gpu->energy_mj;
    return gpu->energy_code;
}

NVML(nvmlDeviceGetPowerUsage, const struct fake_gpu *gpu, unsigned *out) {
    *out = gpu->power_mw;
    return gpu->power_code;
}

/* ---- CoreFoundation: an object is a text, or a list of channels ------------------------------ */

struct object {
    char text[64];
    int count;
    struct fake_channel channels[FAKE_CHANNELS];
};

static struct object *new_object(const char *text) {
    struct object *object = calloc(1, sizeof *object);
    if (!object)
        abort();
    snprintf(object->text, sizeof object->text, "%s", text);
    script.objects++;
    return object;
}

static struct object *channels_now(void) {
    struct object *object = new_object("");
    object->count = script.channel_count;
    memcpy(object->channels, script.channels, sizeof object->channels);
    return object;
}

#define API(type, name, ...)                                                                       \
    EXPORT type name(__VA_ARGS__);                                                                 \
    type name(__VA_ARGS__)

API(struct object *, CFStringCreateWithCString, void *allocator, const char *text, uint32_t code) {
    (void)allocator;
    return code == 0x08000100 ? new_object(text) : NULL;
}

/* Names and units of channels are plain texts here, not objects: nobody releases them. */
API(bool, CFStringGetCString, const char *text, char *out, long size, uint32_t code) {
    bool fits = (long)strlen(text) < size && code == 0x08000100;
    if (fits)
        memcpy(out, text, strlen(text) + 1);
    return fits;
}

API(long, CFDictionaryGetCount, const struct object *object) {
    return object->count;
}

API(struct object *, CFDictionaryCreateMutableCopy, void *allocator, long capacity,
    const struct object *object) {
    (void)allocator;
    struct object *copy = new_object("");
    if (capacity == object->count)
        *copy = *object;
    return copy;
}

API(struct object *, CFDictionaryGetValue, struct object *object, const struct object *key) {
    if (strcmp(key->text, "accumulatedGPUTime") == 0) /* of one usage, which is a channel */
        return (struct object *)&((struct fake_channel *)object)->total;
    return strcmp(key->text, "IOReportChannels") == 0 ? object : NULL;
}

API(long, CFArrayGetCount, const struct object *object) {
    return object->count;
}

API(struct fake_channel *, CFArrayGetValueAtIndex, struct object *object, long index) {
    return &object->channels[index];
}

API(void, CFRelease, struct object *object) {
    script.objects--;
    free(object);
}

API(unsigned char, CFNumberGetValue, const int64_t *number, long type, int64_t *out) {
    *out = *number;
    return type == 4;
}

/* ---- IOKit: iterator 1 gives the accelerator (entry 100), iterator 2 its clients (200, ...) ----
 */

static uint32_t given[3];

API(struct object *, IOServiceMatching, const char *name) {
    return strcmp(name, "IOAccelerator") == 0 ? new_object(name) : NULL;
}

static int start(uint32_t number, uint32_t *iterator) {
    *iterator = number;
    given[number] = 0;
    script.handles++;
    return 0;
}

API(int, IOServiceGetMatchingServices, uint32_t port, struct object *matching, uint32_t *iterator) {
    (void)port;
    script.objects--;
    free(matching);
    return script.no_registry ? -1 : start(1, iterator);
}

API(uint32_t, IOIteratorNext, uint32_t iterator) {
    uint32_t index = given[iterator]++;
    bool more = iterator == 1 ? index == 0 : (int)index < script.client_count;
    script.handles += more;
    return more ? iterator * 100 + index : 0;
}

API(int, IORegistryEntryGetChildIterator, uint32_t entry, const char *plane, uint32_t *iterator) {
    return entry == 100 && strcmp(plane, "IOService") == 0 ? start(2, iterator) : -1;
}

API(struct object *, IORegistryEntryCreateCFProperty, uint32_t entry, const struct object *key,
    void *allocator, uint32_t options) {
    (void)allocator, (void)options;
    if (entry < 200)
        return NULL;
    const struct fake_client *client = &script.clients[entry - 200];
    if (strcmp(key->text, "IOUserClientCreator") == 0)
        return client->creator ? new_object(client->creator) : NULL;
    if (strcmp(key->text, "AppUsage") != 0)
        return NULL;
    struct object *usages = new_object("");
    usages->count = client->usages;
    for (int i = 0; i < client->usages; i++)
        usages->channels[i].total = client->times[i];
    return usages;
}

API(int, IOObjectRelease, uint32_t object) {
    (void)object;
    script.handles--;
    return 0;
}

/* ---- IOReport ----------------------------------------------------------------------------- */

API(struct object *, IOReportCopyChannelsInGroup, const struct object *group, void *subgroup,
    uint64_t a, uint64_t b, uint64_t c) {
    (void)subgroup, (void)a, (void)b, (void)c;
    bool known = strcmp(group->text, "Energy Model") == 0 && !script.no_group;
    return known ? channels_now() : NULL;
}

API(struct object *, IOReportCreateSubscription, void *a, struct object *channels,
    struct object **subscribed, uint64_t id, void *b) {
    (void)a, (void)channels, (void)id, (void)b;
    if (script.no_subscription)
        return NULL;
    *subscribed = new_object("subscribed");
    return new_object("subscription");
}

API(struct object *, IOReportCreateSamples, void *subscription, void *channels, void *a) {
    (void)subscription, (void)channels, (void)a;
    return script.no_sample ? NULL : channels_now();
}

API(struct object *, IOReportCreateSamplesDelta, const struct object *from, const struct object *to,
    void *a) {
    (void)a;
    if (script.no_delta)
        return NULL;
    struct object *delta = new_object("");
    *delta = *to;
    for (int i = 0; i < delta->count && i < from->count; i++)
        delta->channels[i].total -= from->channels[i].total;
    return delta;
}

API(const char *, IOReportChannelGetChannelName, const struct fake_channel *channel) {
    return channel->name;
}

API(const char *, IOReportChannelGetUnitLabel, const struct fake_channel *channel) {
    return channel->unit;
}

API(int64_t, IOReportSimpleGetIntegerValue, const struct fake_channel *channel, int32_t a) {
    (void)a;
    return channel->total;
}

/* ---- libproc and libSystem ---------------------------------------------------------------- */

API(int, proc_pid_rusage, int pid, int flavour, void *out) {
    static const int offsets[] = {16, 24, 264, 272, 336};
    if (flavour > 6 - script.older_by || pid == script.rusage_fails_for)
        return -1;
    if (script.grows) {
        script.grows--;
        script.energy_nj += 1000;
        script.user += 10;
    }
    uint64_t values[] = {script.user, script.system, script.billed, script.serviced,
                         script.energy_nj};
    for (int i = 0; i < 5; i++)
        memcpy((char *)out + offsets[i], &values[i], sizeof values[i]);
    script.last_pid = pid;
    script.reads++;
    return 0;
}

API(int, mach_timebase_info, uint32_t *out) {
    out[0] = script.numerator;
    out[1] = script.denominator;
    return script.timebase_code;
}
