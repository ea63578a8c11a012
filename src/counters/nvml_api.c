#include "counters/nvml_api.h"

static const struct nmc_symbol symbols[] = {
    {"nvmlInit_v2", offsetof(struct nmc_nvml_api, init)},
    {"nvmlShutdown", offsetof(struct nmc_nvml_api, shutdown)},
    {"nvmlErrorString", offsetof(struct nmc_nvml_api, error_string)},
    {"nvmlDeviceGetCount_v2", offsetof(struct nmc_nvml_api, count)},
    {"nvmlDeviceGetHandleByIndex_v2", offsetof(struct nmc_nvml_api, by_index)},
    {"nvmlDeviceGetName", offsetof(struct nmc_nvml_api, name)},
    {"nvmlDeviceGetUUID", offsetof(struct nmc_nvml_api, uuid)},
    {"nvmlDeviceGetPowerUsage", offsetof(struct nmc_nvml_api, power_mw)},
};

/* Libraries of before 2017 have none. */
static const struct nmc_symbol energy = {"nvmlDeviceGetTotalEnergyConsumption",
                                         offsetof(struct nmc_nvml_api, energy_mj)};

static int no_energy(nvml_device_t device, unsigned long long *out) {
    (void)device, (void)out;
    return NVML_NOT_SUPPORTED;
}

static bool not_initialised(struct nmc_missing *missing, const struct nmc_nvml_api *api, int code) {
    if (code == NVML_NO_DRIVER)
        return nmc_lacks(missing, NMC_NOT_PRESENT, "NVIDIA's driver is not loaded");
    if (code == NVML_NO_PERMISSION)
        return nmc_lacks_hint(missing, NMC_DENIED,
                              "run as root, or join the group that owns the file",
                              "/dev/nvidiactl may not be used");
    return nmc_lacks(missing, NMC_UNREADABLE, "nvmlInit_v2: %s", api->error_string(code));
}

bool nmc_nvml_open(struct nmc_counter *counter, struct nmc_library *library,
                   struct nmc_nvml_api *api, struct nmc_missing *missing) {
    if (!nmc_library_open(counter, library, "libnvidia-ml.so.1", symbols,
                          sizeof symbols / sizeof *symbols, api, missing))
        return false;
    if (!nmc_library_symbol(library, &energy, api))
        api->energy_mj = no_energy;
    int code = api->init();
    if (code == NVML_OK)
        return true;
    not_initialised(missing, api, code);
    nmc_library_close(library);
    return false;
}
