#include "counters/ioreport_api.h"

#include <string.h>

enum { UTF8 = 0x08000100 };

static const struct nmc_symbol cf_symbols[] = {
    {"CFStringCreateWithCString", offsetof(struct nmc_cf_api, string)},
    {"CFStringGetCString", offsetof(struct nmc_cf_api, string_text)},
    {"CFDictionaryGetCount", offsetof(struct nmc_cf_api, dictionary_count)},
    {"CFDictionaryCreateMutableCopy", offsetof(struct nmc_cf_api, dictionary_copy)},
    {"CFDictionaryGetValue", offsetof(struct nmc_cf_api, dictionary_value)},
    {"CFArrayGetCount", offsetof(struct nmc_cf_api, array_count)},
    {"CFArrayGetValueAtIndex", offsetof(struct nmc_cf_api, array_value)},
    {"CFRelease", offsetof(struct nmc_cf_api, release)},
};

static const struct nmc_symbol symbols[] = {
    {"IOReportCopyChannelsInGroup", offsetof(struct nmc_ioreport_api, copy_channels)},
    {"IOReportCreateSubscription", offsetof(struct nmc_ioreport_api, subscribe)},
    {"IOReportCreateSamples", offsetof(struct nmc_ioreport_api, sample)},
    {"IOReportCreateSamplesDelta", offsetof(struct nmc_ioreport_api, delta)},
    {"IOReportChannelGetChannelName", offsetof(struct nmc_ioreport_api, channel_name)},
    {"IOReportChannelGetUnitLabel", offsetof(struct nmc_ioreport_api, channel_unit)},
    {"IOReportSimpleGetIntegerValue", offsetof(struct nmc_ioreport_api, channel_value)},
};

bool nmc_cf_open(struct nmc_counter *counter, struct nmc_library *library, struct nmc_cf_api *cf,
                 struct nmc_missing *missing) {
    return nmc_library_open(counter, library,
                            "/System/Library/Frameworks/CoreFoundation.framework/CoreFoundation",
                            cf_symbols, sizeof cf_symbols / sizeof *cf_symbols, cf, missing);
}

static bool open_libraries(struct nmc_counter *counter, struct nmc_ioreport *r,
                           struct nmc_missing *missing) {
    return nmc_cf_open(counter, &r->cf_library, &r->cf, missing) &&
           nmc_library_open(counter, &r->library, "/usr/lib/libIOReport.dylib", symbols,
                            sizeof symbols / sizeof *symbols, &r->api, missing);
}

/* The channels of a group, in a copy that may be subscribed to. NULL: there is no such group. */
static cf_ref copy_group(struct nmc_ioreport *r, const char *group) {
    cf_ref name = r->cf.string(NULL, group, UTF8);
    cf_ref found = name ? r->api.copy_channels(name, NULL, 0, 0, 0) : NULL;
    cf_ref copy = found ? r->cf.dictionary_copy(NULL, r->cf.dictionary_count(found), found) : NULL;
    if (found)
        r->cf.release(found);
    if (name)
        r->cf.release(name);
    return copy;
}

bool nmc_ioreport_open(struct nmc_counter *counter, struct nmc_ioreport *r, const char *group,
                       struct nmc_missing *missing) {
    cf_ref subscribed = NULL;
    if (!open_libraries(counter, r, missing))
        return false;
    r->channels = copy_group(r, group);
    if (!r->channels)
        return nmc_lacks(missing, NMC_UNSUPPORTED, "IOReport has no group `%s`", group);
    r->key = r->cf.string(NULL, "IOReportChannels", UTF8);
    r->subscription = r->api.subscribe(NULL, r->channels, &subscribed, 0, NULL);
    if (subscribed)
        r->cf.release(subscribed);
    if (!r->key || !r->subscription)
        return nmc_lacks(missing, NMC_UNREADABLE, "IOReport refuses a subscription to `%s`", group);
    r->last = r->api.sample(r->subscription, r->channels, NULL);
    if (!r->last)
        return nmc_lacks(missing, NMC_UNREADABLE, "IOReport gives no sample of `%s`", group);
    return true;
}

void nmc_ioreport_close(struct nmc_ioreport *r) {
    cf_ref *const owned[] = {&r->last, &r->subscription, &r->channels, &r->key};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
        if (*owned[i])
            r->cf.release(*owned[i]);
        *owned[i] = NULL;
    }
    nmc_library_close(&r->library);
    nmc_library_close(&r->cf_library);
}

static void copy_text(const struct nmc_ioreport *r, cf_ref string, char *out, size_t size) {
    if (!string || !r->cf.string_text(string, out, (long)size, UTF8))
        out[0] = '\0';
    out[size - 1] = '\0';
}

static bool visit_all(struct nmc_ioreport *r, cf_ref delta,
                      bool (*visit)(void *user, const struct nmc_ioreport_channel *channel),
                      void *user) {
    cf_ref array = r->cf.dictionary_value(delta, r->key);
    long count = array ? r->cf.array_count(array) : 0;
    for (long i = 0; i < count; i++) {
        struct nmc_ioreport_channel channel;
        cf_ref item = r->cf.array_value(array, i);
        copy_text(r, r->api.channel_name(item), channel.name, sizeof channel.name);
        copy_text(r, r->api.channel_unit(item), channel.unit, sizeof channel.unit);
        channel.value = r->api.channel_value(item, 0);
        if (!visit(user, &channel))
            return false;
    }
    return true;
}

bool nmc_ioreport_next(struct nmc_ioreport *r,
                       bool (*visit)(void *user, const struct nmc_ioreport_channel *channel),
                       void *user) {
    cf_ref now = r->api.sample(r->subscription, r->channels, NULL);
    if (!now)
        return false;
    cf_ref delta = r->api.delta(r->last, now, NULL);
    r->cf.release(r->last);
    r->last = now;
    if (!delta)
        return false;
    bool good = visit_all(r, delta, visit, user);
    r->cf.release(delta);
    return good;
}
