/*
 * ioreport_api.h - the functions of macOS's CoreFoundation and IOReport that are used, without a
 * header of either; and what is needed of them in C.
 */
#ifndef NMC_IOREPORT_API_H
#define NMC_IOREPORT_API_H

#include "counters/library.h"

typedef const void *cf_ref; /* any object; what Create and Copy functions return is released */

struct nmc_cf_api {
    cf_ref (*string)(cf_ref allocator, const char *text, uint32_t encoding);
    bool (*string_text)(cf_ref string, char *out, long size, uint32_t encoding);
    long (*dictionary_count)(cf_ref dictionary);
    cf_ref (*dictionary_copy)(cf_ref allocator, long capacity, cf_ref dictionary);
    cf_ref (*dictionary_value)(cf_ref dictionary, cf_ref key);
    long (*array_count)(cf_ref array);
    cf_ref (*array_value)(cf_ref array, long index);
    void (*release)(cf_ref object);
};

struct nmc_ioreport_api {
    cf_ref (*copy_channels)(cf_ref group, cf_ref subgroup, uint64_t a, uint64_t b, uint64_t c);
    cf_ref (*subscribe)(cf_ref a, cf_ref channels, cf_ref *subscribed, uint64_t id, cf_ref b);
    cf_ref (*sample)(cf_ref subscription, cf_ref channels, cf_ref a);
    cf_ref (*delta)(cf_ref from, cf_ref to, cf_ref a);
    cf_ref (*channel_name)(cf_ref channel);
    cf_ref (*channel_unit)(cf_ref channel);
    int64_t (*channel_value)(cf_ref channel, int32_t a);
};

struct nmc_ioreport {
    struct nmc_library cf_library, library;
    struct nmc_cf_api cf;
    struct nmc_ioreport_api api;
    cf_ref key, channels, subscription, last;
};

/* One channel of a difference. */
struct nmc_ioreport_channel {
    char name[256], unit[64];
    int64_t value;
};

bool nmc_cf_open(struct nmc_counter *counter, struct nmc_library *library, struct nmc_cf_api *cf,
                 struct nmc_missing *missing);

/* Subscribes to a group and takes a first sample. False: `missing` says why. */
bool nmc_ioreport_open(struct nmc_counter *counter, struct nmc_ioreport *r, const char *group,
                       struct nmc_missing *missing);
void nmc_ioreport_close(struct nmc_ioreport *r);

/* Calls visit for each channel with its advance since the last call. False: no sample came, or
 * visit returned false. */
bool nmc_ioreport_next(struct nmc_ioreport *r,
                       bool (*visit)(void *user, const struct nmc_ioreport_channel *channel),
                       void *user);

#endif
