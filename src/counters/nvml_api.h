/*
 * nvml_api.h - the functions of NVIDIA's management library that are used, as its documentation
 * gives them, with no header of it.
 */
#ifndef NMC_NVML_API_H
#define NMC_NVML_API_H

#include "counters/library.h"

enum {
    NVML_OK = 0,
    NVML_NOT_SUPPORTED = 3,
    NVML_NO_PERMISSION = 4,
    NVML_NO_DRIVER = 9,
    NVML_FUNCTION_NOT_FOUND = 13 /* a library that is newer than the driver */
};

typedef struct nvml_device *nvml_device_t;

struct nmc_nvml_api {
    int (*init)(void);
    int (*shutdown)(void);
    const char *(*error_string)(int code);
    int (*count)(unsigned *out);
    int (*by_index)(unsigned index, nvml_device_t *out);
    int (*name)(nvml_device_t device, char *out, unsigned size);
    int (*uuid)(nvml_device_t device, char *out, unsigned size);
    int (*energy_mj)(nvml_device_t device, unsigned long long *out); /* never NULL once open */
    int (*power_mw)(nvml_device_t device, unsigned *out);
};

/* Opens the library and initialises it. */
bool nmc_nvml_open(struct nmc_counter *counter, struct nmc_library *library,
                   struct nmc_nvml_api *api, struct nmc_missing *missing);

#endif
